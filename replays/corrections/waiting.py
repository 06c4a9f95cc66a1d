"""What waits behind a correction: recorded answers that come once somebody has answered what they rest on.

A correction may leave the fight resting at a roll that was never made. What was recorded after it is not lost: when the
roll is made, it follows by itself, in the same append.
"""

import msgspec

from ledger.audience import EVERYTHING, Viewer, shared
from ledger.commands import Command, DrawDice, TypeDice
from ledger.dice import parse
from ledger.entry import Entry, Provenance
from ledger.errors import LieAlready, Refused, WrongCount
from projections.draws import FRESH
from projections.path import Rest
from replays.corrections.deferred import NOTHING, Deferred, deferred
from replays.corrections.rebase import Pulled
from replays.corrections.recorded_answers import ROLLS, Recorded
from replays.sessions.asked import Asked
from replays.sessions.drafts import Drafting
from replays.sessions.log import Draft, Log

AnyRoll = TypeDice | DrawDice


class Waiting:
    """What waits in one session's log.

    Args:
        log: The session's.
        drafting: Decides its commands.
    """

    def __init__(self, log: Log, drafting: Drafting) -> None:
        self._log = log
        self._drafting = drafting
        self._known = 0, NOTHING
        """What waits, at some head."""
        self._next: Deferred | None = None
        """What will wait once the drafts that were made last are appended; None where that is to be looked up."""

    def entries(self) -> tuple[Entry, ...]:
        """Recorded answers that corrections have left for later."""
        return self._waiting().entries

    def continued(self, drafts: list[Draft]) -> list[Draft]:
        """A command, and the recorded answers that corrections had waiting for it."""
        waiting, self._next = self._waiting(), None
        if not waiting.entries and not waiting.words:
            return drafts
        pulled = Pulled(self._log.combat, self._drafting, self._log.head, self._log.last, waiting)
        for draft in drafts:
            pulled.perform(Asked(draft.command, draft.by, draft.command, (), draft.origin))
        pulled.recorded = Recorded(waiting.entries, self._log.entry)
        pulled.go_on(pulled.recorded)
        self._next = pulled.still(waiting)
        return pulled.drafts

    def appended(self) -> None:
        """Note that the drafts that were made last are in the log, and end it."""
        if self._next is not None:
            self._known, self._next = (self._log.head, self._next), None

    def completed(self, command: Command) -> Command:
        """Returns a roll of which some dice lie already whole: only those that were missing are thrown.

        It is as secret as the dice that lie, too. Any other command is returned as it is.

        Raises:
            LieAlready: Its faces are neither those that are missing nor all, of which the first are those that lie.
            WrongCount: The same of dice that not everybody may see.
        """
        waiting = self.entries() if isinstance(command, ROLLS) else ()
        if not waiting or not isinstance(command, ROLLS):
            return command
        rest = next((each for each in self._log.combat.rests if each.key == command.key), None)
        known = None if rest is None else Recorded(waiting, self._log.entry).known(rest)
        if rest is None or known is None:
            return command
        missing = len(parse(rest.dice).sides) - len(known.faces)
        if isinstance(command, DrawDice):
            command = self._drafting.drawn(command, self._log.combat)
            new = command.faces[len(known.faces) :]
        elif len(command.faces) == missing:
            new = command.faces
        elif command.faces == (*known.faces, *command.faces[-missing:]):
            new = command.faces[-missing:]
        else:
            raise _other_faces(rest, known, missing)
        return self._whole(command, known, new)

    def lying(self, rest: Rest, eyes: Viewer = EVERYTHING) -> tuple[int, ...]:
        """Faces of an open roll that lie already, though not enough of them; none where these eyes may not see them."""
        known = self._lying(rest)
        return known.faces if known is not None and eyes.may_see(known.seen_by) else ()

    def count(self, rest: Rest) -> int:
        """How many dice of an open roll lie already, also where they are secret."""
        known = self._lying(rest)
        return len(known.faces) if known is not None else 0

    def _lying(self, rest: Rest) -> AnyRoll | None:
        waiting = self.entries() if rest.dice else ()
        return Recorded(waiting, self._log.entry).known(rest) if waiting else None

    def _whole(self, command: AnyRoll, known: AnyRoll, new: tuple[int, ...]) -> AnyRoll:
        """Returns a roll with the faces that lie, each from where it came, and the new ones behind them.

        Those who may not see the faces that lie would read them from the whole: so they do not see that either.
        """
        usual = "typed" if isinstance(command, TypeDice) else "drawn"
        thrown = (command.provenance or (usual,) * len(new))[-len(new) :]
        provenance = (*self._whence(known), *thrown)
        seen_by = shared([command.seen_by, known.seen_by])
        return msgspec.structs.replace(command, faces=(*known.faces, *new), provenance=provenance, seen_by=seen_by)

    def _whence(self, known: AnyRoll) -> tuple[str, ...]:
        """Where the faces that lie came from; of an earlier draw, where each draw is a new one, they are recorded."""
        usual = Provenance.TYPED if isinstance(known, TypeDice) else Provenance.DRAWN
        lying = known.provenance or (usual.value,) * len(known.faces)
        fresh = self._log.draws.policy == FRESH
        return tuple(Provenance.RECORDED.value if fresh and each == Provenance.DRAWN else each for each in lying)

    def _waiting(self) -> Deferred:
        if self._known[0] != self._log.head:
            self._known = self._log.head, deferred(self._log)
        return self._known[1]


def _other_faces(rest: Rest, known: AnyRoll, missing: int) -> Refused:
    """Returns the refusal of other faces than those that lie; of a secret roll one that seats are told as they see."""
    lying = " ".join(map(str, known.faces))
    problem = f"of {rest.dice} for {rest.key} {len(known.faces)} lie already: {lying}; {missing} are missing"
    kind = LieAlready if known.seen_by is None and rest.seen_by is None else WrongCount
    return kind(problem, where="faces", accepts=f"{missing} faces, or all with those that lie first")
