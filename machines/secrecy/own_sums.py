"""What people see of a sum that is somebody's own, where a part of it is hidden.

A figure, a modifier or a test belongs to whoever rolls. It is as secret as their sheet, and what was read off their
dice as secret as the roll. A part that comes from elsewhere (`machines.secrecy.part_sources` marks it) is as secret as
where it comes from; what changes a sum in an exchange that somebody else has declared in secret is as secret as that,
but for what the roller's own wounds take (`Ruleset.own_part`). Everything else is shown. In the place of what a hidden
part would be told by, people see:

| the event | without the value of hidden parts (the default) | with it (policy ``hidden_parts = "value"``) |
|---|---|---|
| hidden modifiers | one line ``hidden`` for all of them | one line ``hidden`` with their sum |
| the target, the pool | what the known parts add up to, marked as such | the true one |
| the test | the dice's total and the outcome; no target, no margin | the whole |
| a degree, a damage value that follows from it | nothing | the whole |
| a choice whose targets have a hidden part | the options, without their targets | the same |
| the level of a condition | the condition, without its level | the same |

Where a figure mixes both sides, whoever may not see the other side sees of their own:

| game | figure | shown of it | hidden |
|---|---|---|---|
| Eclipse Phase | opposed test | own target, margin and outcome; who prevailed | the other's target and margin |
| Eclipse Phase | damage value | the attacker's own, with its parts | the villain's |
| Eclipse Phase | damage less armor | the damage that was taken | armor after Armor Penetration |
| Eclipse Phase 2 | size and reach in melee | as a hidden part | the other's size |
| Shadowrun | net hits | own hits and outcome; who prevailed | the other's hits (the threshold), the net hits, DV |
| Shadowrun | reach | as a hidden part | the other's reach |
| Shadowrun | resisting damage | own pool, with the armor that was left | DV, damage type |
| GURPS | feint | that one was fooled; as a hidden part of the next defense | by how much |
| GURPS | size, a shield before a place | as a hidden part of the attack | the other's size and shield |
| GURPS | armor against damage | the injury | basic damage, DR, penetration |

The number of dice that are asked for is for everybody: where it is the sum itself, as in Shadowrun, it tells what the
line ``hidden`` does not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from ledger.audience import includes, shared
from ledger.events import (
    Audience,
    Event,
    FigureFound,
    ModifierApplied,
    Overruled,
    ReadingChanged,
    RollRequested,
    TestResolved,
)
from ledger.modifier import total
from machines.contract.ruleset import Ruleset
from machines.secrecy.part_sources import audience_of_declaration
from projections.combat import Combat, fold
from projections.session import HIDDEN_PARTS, VALUE
from projections.views.stand_ins import HIDDEN, PARTLY, RESULT

_OVERRULED = "as the gamemaster says"
"""Stands for the reason of an overruling: who may not see the figure whole does not see the reason."""
_WHY = "from what is hidden"
_ROLLED = "rolled"
"""What a test read off the dice: it tells of no part of the sum, unless that is added to them."""
_OF_TESTS = (_ROLLED, "outcome", "margin")


class OwnSums:
    """Whose the rolls are that a command is about, and which parts of them are hidden.

    Args:
        events: What follows from the command.
        before: What was so before it.
        game: The rules.
        sheets: The secret sheets, with those who may see each.
        rolls: The secret rolls, with those who may see each.
    """

    def __init__(
        self, events: Sequence[Event], before: Combat, game: Ruleset, sheets: Mapping[str, Audience],
        rolls: Mapping[str, Audience],
    ) -> None:  # fmt: skip
        self._before, self._game, self._sheets, self._rolls = before, game, sheets, rolls
        self._sums = game.vocabulary.sums
        self._with_value = before.session.policies.get(HIDDEN_PARTS) == VALUE
        self._owner = {key: roll.by for key, roll in before.rolls.rolls.items()}
        self._owner |= {
            event.key: event.who
            for event in events
            if isinstance(event, FigureFound) and event.name in self._sums.names and event.who
        }
        self._owner |= {event.key: event.by for event in events if isinstance(event, RollRequested)}
        self._parts: dict[str, list[Audience]] = {}
        self._read_against = tuple(name for name in self._sums.names if name != self._sums.total)
        self._figures: dict[str, list[Audience]] = {}

    def audiences(self, event: Event) -> tuple[Audience, Audience] | None:
        """Who may see what can be shown of an event of somebody's own sum, and who may see it whole.

        None: it is no part of a sum, or it is not known whose.
        """
        owner = self._owner.get(getattr(event, "key", ""))
        if not owner or not self._is_own(event):
            return None
        key: str = event.key  # type: ignore[attr-defined]
        known = self._sheets.get(owner)
        if self._is_read_off_dice(event):
            known = shared([known, self._rolls.get(key)])
        whole = shared([known, event.seen_by])
        if isinstance(event, ModifierApplied) and not self._game.own_part(event):
            whole = shared([whole, audience_of_declaration(self._before, key, owner)])
        is_whole = isinstance(event, ModifierApplied | ReadingChanged) or self._is_part(event)
        if is_whole or self._is_of_dice_alone(event):
            return known, whole
        return known, shared([whole, *self._of_parts(event, key)])

    def note(self, event: Event) -> None:
        """An event as it is told: its hidden parts are hidden in what comes after it."""
        if event.seen_by is None:
            return
        if isinstance(event, ModifierApplied):
            self._of(self._parts, event.key, event.seen_by)
        elif isinstance(event, FigureFound) and event.name in self._read_against:
            self._of(self._figures, event.key, event.seen_by)

    def instead(self, event: Event, known: Audience, told: Iterable[Event]) -> Iterator[Event]:
        """What is shown in the place of an event to those who may not see it whole.

        Args:
            event: The event.
            known: Who may see that much.
            told: What was told before it.
        """
        match event:
            case FigureFound() if self._game.summed is not None and event.name == self._sums.total:
                yield from self._sum(event, known, fold(told, self._before))
            case TestResolved():
                wholly = not all(includes(seen_by, known) for seen_by in self._hidden_figures(event.key))
                partly = "" if wholly else "partly "
                rolled = "" if self._sums.is_added else f"{event.rolled} "
                why = f"{rolled}against what is {partly}hidden"
                yield _figure(event.key, RESULT, event.outcome, why, event.source, known)
            case Overruled() if event.figure == "outcome":
                yield _figure(event.key, RESULT, event.gm_says, _OVERRULED, "", known)
            case Overruled() if event.figure in self._sums.names:
                yield _figure(event.key, event.figure, event.gm_says, _OVERRULED, "", known)

    # -------------------------------------------------------------------------------------------- hidden parts

    def _is_own(self, event: Event) -> bool:
        if isinstance(event, Overruled):
            return event.figure in (*self._sums.names, *_OF_TESTS)
        if isinstance(event, FigureFound):
            name = event.name.partition(":")[0]
            role = event.key.rpartition("/")[2]
            return name in self._game.own_figures or f"{role} {name}" in self._game.own_figures
        return isinstance(event, ModifierApplied | TestResolved | ReadingChanged)

    def _is_part(self, event: Event) -> bool:
        """Is it a figure that goes into a sum, and has nothing of its other parts?"""
        parts = (self._sums.start, *self._sums.parts)
        return isinstance(event, FigureFound) and event.name.partition(":")[0] in parts

    def _is_of_dice_alone(self, event: Event) -> bool:
        """Is it the gamemaster's word on what the dice themselves show?"""
        return isinstance(event, Overruled) and event.figure == _ROLLED and not self._sums.is_added

    def _is_read_off_dice(self, event: Event) -> bool:
        if isinstance(event, Overruled):
            return event.figure in _OF_TESTS
        is_sum = isinstance(event, FigureFound) and event.name in self._sums.names
        return not isinstance(event, ModifierApplied) and not is_sum

    def _of_parts(self, event: Event, key: str) -> Iterator[Audience]:
        """Those who may see each hidden part, as far as this event would tell it."""
        is_sum = isinstance(event, FigureFound) and event.name != self._sums.degree
        if not is_sum:
            yield from self._hidden_figures(key)
        if is_sum or (self._sums.is_disclosed_by_tests and not self._with_value):
            yield from (seen_by for _, seen_by in self._before.rolls.hidden.get(key, ()))
            yield from self._parts.get(key, ())

    def _hidden_figures(self, key: str) -> Iterator[Audience]:
        """Those who may see the figures against which a roll is read, where these come from elsewhere."""
        hidden = self._before.figures.hidden
        yield from (hidden[full] for name in self._read_against if (full := f"{key} {name}") in hidden)
        yield from self._figures.get(key, ())

    @staticmethod
    def _of(known: dict[str, list[Audience]], key: str, seen_by: Audience) -> None:
        known.setdefault(key, []).append(seen_by)

    # -------------------------------------------------------------------------------------------- what is known

    def _sum(self, event: FigureFound, known: Audience, combat: Combat) -> Iterator[FigureFound]:
        """The line for what is hidden, and the sum as far as it is known, or with it."""
        assert self._game.summed is not None
        who, key = self._owner[event.key], event.key
        parts = combat.rolls.known(key, known)
        sums = {**combat.rolls.sums, key: parts}
        shown = msgspec.structs.replace(combat, rolls=msgspec.structs.replace(combat.rolls, sums=sums))
        mine, whole = self._game.summed(shown, key, who), self._game.summed(combat, key, who)
        assert isinstance(event.value, int), "a sum is a number"
        hidden = total(combat.rolls.modifiers(key)) - total(parts)
        if self._with_value:
            yield _figure(key, HIDDEN, hidden, _WHY, "", known, who)
            value, why = event.value, f"{mine.why} {hidden:+d} {HIDDEN}"
        else:
            yield _figure(key, HIDDEN, "", _WHY, "", known, who)
            value = int(mine.value) + event.value - int(whole.value)
            why = f"{mine.why} {PARTLY}"
        yield msgspec.structs.replace(event, value=value, why=why, seen_by=known)


def _figure(  # noqa: PLR0917
    key: str, name: str, value: int | str, why: str, source: str, seen_by: Audience, who: str = ""
) -> FigureFound:
    return FigureFound(key, name, value, why, source, "exchange", who, seen_by=seen_by)
