"""What waits behind an amendment: recorded answers that come once somebody has answered what they rest on.

An amendment may leave the fight resting at a roll that was never made. What was recorded after it is not lost: when the
roll is made, it follows by itself, in the same append.
"""

import msgspec

from ledger.commands import Amend, DrawDice, TypeDice
from ledger.dice import parse
from ledger.entry import Entry, Provenance
from projections.draws import FRESH
from projections.path import Rest
from replays.drafting import Drafting
from replays.log import Draft, Log
from replays.pulling import Pulled
from replays.recorded import ROLLS, Recorded
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
        self._left: tuple[int, list[Entry]] = 0, []

    def continued(self, drafts: list[Draft]) -> list[Draft]:
        """A command, and the recorded answers that an amendment which stands still had waiting for it."""
        waiting = self._waiting()
        if not waiting:
            return drafts
        pulled = Pulled(self._log.combat, self._drafting, self._log.head, self._log.last)
        for draft in drafts:
            pulled.keep(draft)
        pulled.go_on(Recorded(waiting, self._log.entry))
        used = {draft.origin for draft in pulled.drafts}
        self._left = self._log.last + len(pulled.drafts), [entry for entry in waiting if entry.seq not in used]
        return pulled.drafts

    def completed(self, asked: Asked) -> Asked:
        """Dice of which some lie already, whole: only those that were missing are thrown."""
        command, waiting = asked.command, self._waiting()
        rest = next((each for each in self._log.combat.rests if each.key == getattr(command, "key", "")), None)
        if not waiting or rest is None or not isinstance(command, ROLLS) or command is not asked.decided:
            return asked
        lying = Recorded(waiting, self._log.entry).known(rest)
        known = lying.asked.decided if lying is not None else None
        if not isinstance(known, ROLLS):
            return asked
        return plainly(self._whole(command, known, len(parse(rest.dice).sides)), asked.by)

    def lying(self, rest: Rest) -> tuple[int, ...]:
        """Faces of an open roll that lie already, though not enough of them."""
        waiting = self._waiting() if rest.dice else []
        known = Recorded(waiting, self._log.entry).known(rest) if waiting else None
        command = known.asked.decided if known is not None else None
        return command.faces if isinstance(command, ROLLS) else ()

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
        head, left = self._left
        if not self._log.amendments:
            return []
        if head != self._log.head:
            line = self._log.timeline.line()
            left = list(self._log.entries_of(self._unreached(line)))
            self._left = self._log.head, left
        return left

    def _unreached(self, line: list[int]) -> list[int]:
        """Of the lines that amendments have left, the entries that were not performed again on this one."""
        place = {seq: nth for nth, seq in enumerate(line)}
        made = next((seq for seq in reversed(self._log.amendments) if seq in place), None)
        if made is None:
            return []
        timeline, command = self._log.timeline, self._log.entry(made).command
        assert isinstance(command, Amend), "only amendments are listed"
        old = timeline.line(timeline.head_at(made - 1))
        since = [seq for seq in old if seq > command.entry]
        used = {entry.origin for entry in self._log.entries_of(line[place[made] + 1 :])}
        earlier = [seq for seq in self._unreached(old) if seq not in since]
        found = [seq for seq in (*since, *earlier) if seq not in used]
        return [seq for seq in found if not isinstance(self._log.entry(seq).command, Amend)]
