"""What waits behind an amendment: recorded answers that come once somebody has answered what they rest on.

An amendment may leave the fight resting at a roll that was never made. What was recorded after it is not lost: when the
roll is made, it follows by itself, in the same append.
"""

from typing import NamedTuple

import msgspec

from ledger.commands import Amend, DrawDice, Overrule, TypeDice
from ledger.dice import parse
from ledger.entry import Entry, Provenance
from projections.draws import FRESH
from projections.path import Rest
from replays.drafting import Drafting
from replays.log import Draft, Log
from replays.pulling import Pulled, ended, is_over
from replays.recorded import ROLLS, Recorded, underlying
from replays.run import Asked, plainly

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
        self._left = _Left(0, [], ())

    def continued(self, drafts: list[Draft]) -> list[Draft]:
        """A command, and the recorded answers that an amendment which stands still had waiting for it."""
        waiting, unsaid = self._waiting(), self._left.unsaid
        if not waiting and not unsaid:
            return drafts
        pulled = Pulled(self._log.combat, self._drafting, self._log.head, self._log.last)
        pulled.unsaid = unsaid
        for draft in drafts:
            pulled.perform(Asked(draft.command, draft.by, draft.command, (), draft.origin))
        pulled.go_on(Recorded(waiting, self._log.entry))
        used = {draft.origin for draft in pulled.drafts}
        left = [entry for entry in waiting if entry.seq not in used]
        over = ended(event for draft in pulled.drafts for event in draft.events)
        unsaid = tuple(word for word in pulled.unsaid if not is_over(word, over))
        self._left = _Left(self._log.last + len(pulled.drafts), left, unsaid)
        return pulled.drafts

    def completed(self, asked: Asked) -> Asked:
        """Dice of which some lie already, whole: only those that were missing are thrown."""
        command, waiting = asked.command, self._waiting()
        rest = next((each for each in self._log.combat.rests if each.key == getattr(command, "key", "")), None)
        if not waiting or rest is None or not isinstance(command, ROLLS) or command is not asked.decided:
            return asked
        known = Recorded(waiting, self._log.entry).known(rest)
        if known is None:
            return asked
        return plainly(self._whole(command, known, len(parse(rest.dice).sides)), asked.by)

    def lying(self, rest: Rest) -> tuple[int, ...]:
        """Faces of an open roll that lie already, though not enough of them."""
        waiting = self._waiting() if rest.dice else []
        known = Recorded(waiting, self._log.entry).known(rest) if waiting else None
        return known.faces if known is not None else ()

    def _whole(self, command: AnyRoll, known: AnyRoll, asked_for: int) -> AnyRoll:
        missing, usual = asked_for - len(known.faces), "typed" if isinstance(command, TypeDice) else "drawn"
        if isinstance(command, DrawDice):
            command = self._drafting.drawn(command, self._log.combat)
            new = command.faces[len(known.faces) :]
        else:
            new = command.faces
        if len(new) != missing:
            return command
        lying = self._whence(known)
        thrown = (command.provenance or (usual,) * missing)[-missing:]
        return msgspec.structs.replace(command, faces=(*known.faces, *new), provenance=(*lying, *thrown))

    def _whence(self, known: AnyRoll) -> tuple[str, ...]:
        """Where the faces that lie came from; of an earlier draw, where each draw is a new one, they are recorded."""
        usual = Provenance.TYPED if isinstance(known, TypeDice) else Provenance.DRAWN
        lying = known.provenance or (usual.value,) * len(known.faces)
        fresh = self._log.draws.policy == FRESH
        return tuple(Provenance.RECORDED.value if fresh and each == Provenance.DRAWN else each for each in lying)

    def _waiting(self) -> list[Entry]:
        """Entries that an amendment which stands has not reached yet."""
        if not self._log.amendments:
            return []
        if self._left.head != self._log.head:
            line = self._log.timeline.line()
            left = list(self._log.entries_of(self._unreached(line)))
            self._left = _Left(self._log.head, left, self._unsaid(line))
        return self._left.entries

    def _unreached(self, line: list[int]) -> list[int]:
        """Of the lines that amendments have left, the entries that were not performed again on this one."""
        latest = self._latest(line)
        if latest is None:
            return []
        used = {entry.origin for entry in latest.performed}
        earlier = [seq for seq in self._unreached(latest.old) if seq not in latest.since]
        found = [seq for seq in (*latest.since, *earlier) if seq not in used]
        return [seq for seq in found if not isinstance(self._log.entry(seq).command, Amend)]

    def _unsaid(self, line: list[int]) -> tuple[Overrule, ...]:
        """The gamemaster's words on figures that the latest amendment has not found again, and may yet."""
        latest = self._latest(line)
        if latest is None:
            return ()
        used = {entry.origin for entry in latest.performed}
        words = {
            (word.key, word.figure): word
            for entry in self._log.entries_of([seq for seq in (latest.corrected, *latest.since) if seq in used])
            for word in underlying(entry, self._log.entry)[1]
        }
        said = [each.command for each in latest.performed if isinstance(each.command, Overrule)]
        again = {(word.key, word.figure) for word in said}
        over = ended(event for each in latest.performed for event in each.events)
        return tuple(word for named, word in words.items() if named not in again and not is_over(word, over))

    def _latest(self, line: list[int]) -> "_Latest | None":
        """The latest amendment of a line, the line that it left, and what was performed on this one since."""
        place = {seq: nth for nth, seq in enumerate(line)}
        made = next((seq for seq in reversed(self._log.amendments) if seq in place), None)
        if made is None:
            return None
        timeline, command = self._log.timeline, self._log.entry(made).command
        assert isinstance(command, Amend), "only amendments are listed"
        old = timeline.line(timeline.head_at(made - 1))
        performed = list(self._log.entries_of(line[place[made] + 1 :]))
        return _Latest(old, command.entry, [seq for seq in old if seq > command.entry], performed)


class _Left(NamedTuple):
    """What waits, at some head."""

    head: int
    entries: list[Entry]
    unsaid: tuple[Overrule, ...]


class _Latest(NamedTuple):
    old: list[int]
    corrected: int
    since: list[int]
    """Of the old line what stood behind the entry that was corrected."""
    performed: list[Entry]
