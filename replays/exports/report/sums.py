"""Itemizes rolls: the parts of each, with reason, page and provenance of the dice."""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any

import msgspec

from ledger import events as e
from ledger.dice import read
from ledger.entry import Entry
from machines.contract.dice_reading import counts_in_words
from projections.views.stand_ins import HIDDEN, RESULT, without_stand_ins
from replays.sessions.wording import Wording


class RollPart(msgspec.Struct, frozen=True):
    """One part of a roll."""

    kind: str
    """``base``, ``modifier``, ``target``, ``dice``, ``read``, ``result``, ``figure`` or ``overruled``."""
    value: str
    why: str
    source: str = ""


class ReportRoll(msgspec.Struct, frozen=True):
    """One whole roll."""

    key: str
    by: str
    """The combatant who rolls, or ``gm``."""
    purpose: str
    dice: str
    entry: int
    """The entry that settles it."""
    parts: tuple[RollPart, ...]


class _Roll(msgspec.Struct):
    """A roll while its parts are gathered."""

    request: e.RollRequested
    entry: int = 0
    thrown: bool = False
    parts: list[RollPart] = []


def sums(entries: Iterable[Entry], wording: Wording) -> dict[str, ReportRoll]:
    """Returns all rolls that were thrown in these entries, by key.

    Args:
        entries: The entries that stand, in order, as the viewer may see them.
        wording: The wording of their game.
    """
    rolls: dict[str, _Roll] = {}
    early: dict[str, list[RollPart]] = {}
    for entry in entries:
        for event in without_stand_ins(entry.events):
            _take(rolls, early, entry, event, wording)
    return {
        key: ReportRoll(key, roll.request.by, roll.request.purpose, roll.request.dice, roll.entry, tuple(roll.parts))
        for key, roll in rolls.items()
        if roll.thrown
    }


def _take(
    rolls: dict[str, _Roll], early: dict[str, list[RollPart]], entry: Entry, event: e.Event, wording: Wording
) -> None:
    key = getattr(event, "key", "")
    if isinstance(event, e.RollRequested):
        known = rolls.get(key)
        if known is None and _parent(rolls, key) is None:
            rolls[key] = _Roll(event, parts=early.pop(key, []))
        elif known is not None:  # a pool that changed while it was open
            known.request = event
        return
    tell = _PARTS.get(type(event))
    roll = rolls.get(key) or _parent(rolls, key)
    part = tell(event, _Reading(entry.by.name, roll, wording)) if tell is not None else None
    if part is None:
        return
    before = roll.parts if roll is not None else early.setdefault(key, [])
    before.append(msgspec.structs.replace(part, why="") if _is_their_sum(part, before) else part)
    if roll is not None:
        roll.thrown = roll.thrown or part.kind == "dice"
        roll.entry = entry.seq


def _is_their_sum(part: RollPart, before: Iterable[RollPart]) -> bool:
    """Returns whether a target is the sum of the base and modifiers before it, so that its reason adds nothing."""
    if part.kind != "target":
        return False
    bases = [int(each.value) for each in before if each.kind == "base" and each.value.lstrip("-").isdigit()]
    modifiers = [int(each.value) for each in before if each.kind == "modifier" and each.value]
    return bool(bases) and part.value == str(bases[-1] + sum(modifiers))


def _parent(rolls: Mapping[str, _Roll], key: str) -> _Roll | None:
    """Returns the roll for which these dice were thrown later: exploding sixes, dice bought with Edge."""
    end = len(key)
    while (end := key.rfind("/", 0, end)) > 0:
        if key[:end] in rolls:
            return None if key[end + 1 :].isdigit() else rolls[key[:end]]
    return None


# ------------------------------------------------------------------------------------------------ parts


class _Reading:
    """Formats the dice of a roll."""

    def __init__(self, person: str, roll: _Roll | None, wording: Wording) -> None:
        self.person = person
        self.wording = wording
        self._dice = roll.request.dice if roll is not None else ""

    def read(self, number: int) -> str:
        """Returns a number as it is read; off a hundred-sided die in two digits."""
        return read(self._dice, number)

    def faces(self, faces: Iterable[int]) -> str:
        """Returns faces in the order in which they lie."""
        return " ".join(map(self.read, faces))


def _figure(event: e.FigureFound, dice: _Reading) -> RollPart | None:
    if not event.why:
        return None
    if event.name == HIDDEN:
        return RollPart("modifier", f"{event.value:+d}" if isinstance(event.value, int) else "", HIDDEN)
    if event.name == RESULT:
        return RollPart("result", str(event.value), event.why, event.source)
    name = event.name.partition(":")[0]
    words = dice.wording.vocabulary.sums
    kind = {**dict.fromkeys((words.start, *words.parts), "base"), words.total: "target"}.get(name, "figure")
    said = dice.wording.why(event)
    why = {"base": said, "target": f"({said})"}.get(kind, f"{name} ({said})")
    return RollPart(kind, str(event.value), why, event.source)


def _modifier(event: e.ModifierApplied, _: _Reading) -> RollPart | None:
    return RollPart("modifier", f"{event.value:+d}", event.why, event.source) if event.value else None


def _dice(event: e.DiceRolled, dice: _Reading) -> RollPart:
    """Returns faces with their provenance; of a secret roll, the stand-in without faces."""
    if not event.faces:
        return RollPart("dice", "", "out of sight")
    known = [*event.provenance, *[""] * (len(event.faces) - len(event.provenance))]
    runs = [
        (how, dice.faces(face for face, _ in run))
        for how, run in groupby(zip(event.faces, known, strict=False), key=lambda pair: pair[1])
    ]
    said = [how if how != "typed" else f"typed by {dice.person}" for how, _ in runs]
    if len(runs) == 1:
        return RollPart("dice", runs[0][1], said[0])
    by_run = ", ".join(f"{faces} {how}" for (_, faces), how in zip(runs, said, strict=True))
    return RollPart("dice", dice.faces(event.faces), by_run)


def _counted(event: e.DiceTold, dice: _Reading) -> RollPart:
    return RollPart("dice", counts_in_words(event.counts, event.dice), f"{event.provenance} by {dice.person}")


def _test(event: e.TestResolved, dice: _Reading) -> RollPart:
    told = (dice.wording.against(event, dice.read), dice.wording.margin(event))
    return RollPart("result", event.outcome, ", ".join(filter(None, told)), event.source)


def _reread(event: e.ReadingChanged, dice: _Reading) -> RollPart:
    return RollPart("read", dice.faces(event.after), event.why, event.source)


def _overruled(event: e.Overruled, dice: _Reading) -> RollPart:
    return RollPart("overruled", str(event.gm_says), f"{dice.wording.figure(event)}; the rule says {event.rule_says}")


_PARTS: Mapping[type[e.Event], Callable[[Any, _Reading], RollPart | None]] = {
    e.FigureFound: _figure,
    e.ModifierApplied: _modifier,
    e.DiceRolled: _dice,
    e.DiceTold: _counted,
    e.ReadingChanged: _reread,
    e.TestResolved: _test,
    e.Overruled: _overruled,
}
