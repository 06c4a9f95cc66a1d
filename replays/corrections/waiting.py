"""Performs deferred answers once the rolls that they depend on are made.

A correction may leave the fight resting at a roll that was never made. When the roll is made, the recorded answers
after it follow automatically, in the same append.
"""

import msgspec

from ledger.audience import EVERYTHING, Viewer, shared
from ledger.commands import Command, DrawDice, TellDice, TypeDice
from ledger.dice import parse
from ledger.entry import Entry, Provenance
from ledger.errors import LieAlready, Refused, WrongCount
from projections.history.draws import FRESH
from projections.path import Rest
from replays.corrections.deferred import NOTHING, Deferred, deferred, settle
from replays.corrections.rebase import Rebase
from replays.corrections.recorded_answers import ANY_ROLL, RecordedAnswers
from replays.sessions.drafts import Drafting
from replays.sessions.intent import Intent
from replays.sessions.log import Draft, Log

AnyRoll = TypeDice | DrawDice


class Waiting:
    """The deferred answers of one session's log.

    Args:
        log: The session's log.
        drafting: Decides its commands.
    """

    def __init__(self, log: Log, drafting: Drafting) -> None:
        self._log = log
        self._drafting = drafting
        self._known = 0, NOTHING
        """A head of the log, and what is deferred at it."""
        self._next: tuple[list[Draft], Deferred] = [], NOTHING
        """The latest drafts, and what will be deferred once they are appended."""

    def entries(self) -> tuple[Entry, ...]:
        """Returns the recorded answers that corrections have deferred."""
        return self._waiting().entries

    def continued(self, drafts: list[Draft]) -> list[Draft]:
        """Returns a command's drafts, followed by those of the deferred answers that can follow."""
        waiting = self._waiting()
        self._next = drafts, waiting
        if not waiting.entries and not waiting.words:
            return drafts
        rebase = Rebase(self._log.combat, self._drafting, self._log.head, self._log.last, waiting)
        for draft in drafts:
            rebase.perform(Intent(draft.command, draft.by, draft.command, (), draft.origin))
        rebase.recorded = RecordedAnswers(waiting.entries, self._log.entry)
        rebase.go_on(rebase.recorded)
        self._next = rebase.drafts, rebase.remaining(waiting)
        return rebase.drafts

    def appended(self, drafts: list[Draft]) -> None:
        """Notes that drafts were appended: what is deferred after those of `continued` is known without a search."""
        if drafts is self._next[0]:
            self._known = self._log.head, self._next[1]
            settle(self._log, self._next[1])

    def completed(self, command: Command) -> Command:
        """Completes a roll of which some dice already lie on the table: only the missing dice are thrown.

        The whole roll is at least as secret as the dice that lie. Any other command is returned unchanged.

        Raises:
            LieAlready: The faces are neither the missing ones nor the whole roll beginning with those that lie.
            WrongCount: The same, where the roll is secret.
        """
        waiting = self.entries() if isinstance(command, ANY_ROLL) else ()
        if not waiting or not isinstance(command, ANY_ROLL):
            return command
        rest = next((each for each in self._log.combat.rests if each.key == command.key), None)
        known = None if rest is None else RecordedAnswers(waiting, self._log.entry).known(rest)
        if rest is None or known is None:
            return command
        if isinstance(command, TellDice):  # counts of the whole roll
            return msgspec.structs.replace(command, seen_by=shared([command.seen_by, known.seen_by]))
        missing = len(parse(rest.dice).sides) - len(known.faces)
        if isinstance(command, DrawDice):
            command = self._drafting.with_faces(command, self._log.combat)
            new = command.faces[len(known.faces) :]
        elif len(command.faces) == missing:
            new = command.faces
        elif command.faces == (*known.faces, *command.faces[-missing:]):
            new = command.faces[-missing:]
        else:
            raise _other_faces(rest, known, missing)
        return self._with_known(command, known, new)

    def known_faces(self, rest: Rest, eyes: Viewer = EVERYTHING) -> tuple[int, ...]:
        """Returns the faces of an open roll that lie already but do not suffice; none if hidden from the viewer."""
        known = self._known_roll(rest)
        return known.faces if known is not None and eyes.may_see(known.seen_by) else ()

    def count(self, rest: Rest) -> int:
        """Returns how many dice of an open roll already lie, secret ones included."""
        known = self._known_roll(rest)
        return len(known.faces) if known is not None else 0

    def _known_roll(self, rest: Rest) -> AnyRoll | None:
        waiting = self.entries() if rest.dice else ()
        return RecordedAnswers(waiting, self._log.entry).known(rest) if waiting else None

    def _with_known(self, command: AnyRoll, known: AnyRoll, new: tuple[int, ...]) -> AnyRoll:
        """Returns a roll with the new faces after those that lie, each with its provenance.

        A viewer who may not see the faces that lie may not see the whole roll either, or could read them from it.
        """
        usual = "typed" if isinstance(command, TypeDice) else "drawn"
        thrown = (command.provenance or (usual,) * len(new))[-len(new) :]
        provenance = (*self._provenance_of(known), *thrown)
        seen_by = shared([command.seen_by, known.seen_by])
        return msgspec.structs.replace(command, faces=(*known.faces, *new), provenance=provenance, seen_by=seen_by)

    def _provenance_of(self, known: AnyRoll) -> tuple[str, ...]:
        """Returns the provenance of the faces that lie; an earlier draw counts as recorded where each draw is new."""
        usual = Provenance.TYPED if isinstance(known, TypeDice) else Provenance.DRAWN
        known_faces = known.provenance or (usual.value,) * len(known.faces)
        fresh = self._log.draws.policy == FRESH
        return tuple(Provenance.RECORDED.value if fresh and each == Provenance.DRAWN else each for each in known_faces)

    def _waiting(self) -> Deferred:
        if self._known[0] != self._log.head:
            self._known = self._log.head, deferred(self._log)
        return self._known[1]


def _other_faces(rest: Rest, known: AnyRoll, missing: int) -> Refused:
    """Returns the refusal of faces that do not fit those that lie; a secret roll's is redacted for each seat."""
    known_faces = " ".join(map(str, known.faces))
    problem = f"of {rest.dice} for {rest.key} {len(known.faces)} lie already: {known_faces}; {missing} are missing"
    kind = LieAlready if known.seen_by is None and rest.seen_by is None else WrongCount
    return kind(problem, where="faces", accepts=f"{missing} faces, or all of them, beginning with those that lie")
