"""Redacts a roller's own sum if a part of it is hidden.

Figures, modifiers and tests belong to the roller. They have the audience of the roller's sheet; what is read off the
dice also has the audience of the roll, with dice that were thrown for it later. A part from another source
(`machines.secrecy.part_sources` marks it) has the audience of that source. A modifier in an exchange that another
combatant declared in secret has the audience of the declaration, except for the roller's own wounds and the like
(`Ruleset.own_part`). Everything else is shown. Events that would reveal a hidden part are replaced:

| event | shown by default | shown by the policy ``hidden_parts = "value"`` |
|---|---|---|
| hidden modifiers | one line ``hidden`` for all of them | one line ``hidden`` with their sum |
| the target, the pool | the sum of the known parts, marked as such | the true sum |
| the test | the total of the dice and the outcome; no target, no margin | the whole test |
| a degree, a damage value that follows from it | nothing | the whole event |
| a choice whose targets have a hidden part | the options, without their targets | the same |
| the level of a condition | the condition, without its level | the same |

If a figure combines both sides of an exchange, a player who may not see the other side sees:

| game | figure | shown | hidden |
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

The number of requested dice is public. In Shadowrun it is the sum itself, so it reveals the value of the line
``hidden``.
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
from machines.secrecy import roll_questions
from machines.secrecy.part_sources import audience_of_declaration
from projections.combat import Combat, fold
from projections.session import HIDDEN_PARTS, VALUE
from projections.views.stand_ins import HIDDEN, PARTLY, RESULT

_OVERRULED = "as the gamemaster says"
"""Replaces the reason of an overruling for those who may not see the whole figure."""
_WHY = "from what is hidden"
_ROLLED = "rolled"
"""The figure that a test reads off the dice; it reveals no part of the sum, unless the sum is added to the dice."""
_OF_TESTS = (_ROLLED, "outcome", "margin")


class OwnSums:
    """The owners of the rolls that a command concerns, and the hidden parts of their sums.

    Args:
        events: The events of the command.
        before: The state before the command.
        game: The rules.
        sheets: The secret sheets, with the audience of each.
        rolls: The secret rolls, with the audience of each.
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
        """Returns who may see a part of an event of a roller's own sum, and who may see all of it.

        Returns:
            None if the event is no part of a sum, or if the roller is unknown.
        """
        owner = self._owner.get(getattr(event, "key", ""))
        if not owner or not self._is_own(event):
            return None
        key: str = event.key  # type: ignore[attr-defined]
        known = self._sheets.get(owner)
        if self._is_read_off_dice(event):
            known = roll_questions.audience(key, known, self._rolls)
        whole = shared([known, event.seen_by])
        if isinstance(event, ModifierApplied) and not self._game.own_part(event):
            whole = shared([whole, audience_of_declaration(self._before, key, owner)])
        is_whole = isinstance(event, ModifierApplied | ReadingChanged) or self._is_part(event)
        if is_whole or self._is_of_dice_alone(event):
            return known, whole
        return known, shared([whole, *self._of_parts(event, key)])

    def note(self, event: Event) -> None:
        """Notes a redacted event, so that the parts that it hides are also hidden in later events."""
        if event.seen_by is None:
            return
        if isinstance(event, ModifierApplied):
            self._parts.setdefault(event.key, []).append(event.seen_by)
        elif isinstance(event, FigureFound) and event.name in self._read_against:
            self._figures.setdefault(event.key, []).append(event.seen_by)

    def instead(self, event: Event, known: Audience, redacted: Iterable[Event]) -> Iterator[Event]:
        """Yields what replaces an event for those who may see only a part of it.

        Args:
            event: The event.
            known: Who may see a part.
            redacted: The redacted events before it.
        """
        match event:
            case FigureFound() if self._game.summed is not None and event.name == self._sums.total:
                yield from self._sum(event, known, fold(redacted, self._before))
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
        """Returns whether an event belongs to the sum or the test of a roll."""
        if isinstance(event, Overruled):
            return event.figure in (*self._sums.names, *_OF_TESTS)
        if isinstance(event, FigureFound):
            name = event.name.partition(":")[0]
            role = event.key.rpartition("/")[2]
            return name in self._game.own_figures or f"{role} {name}" in self._game.own_figures
        return isinstance(event, ModifierApplied | TestResolved | ReadingChanged)

    def _is_part(self, event: Event) -> bool:
        """Returns whether an event is a figure that goes into a sum, and reveals no other part."""
        parts = (self._sums.start, *self._sums.parts)
        return isinstance(event, FigureFound) and event.name.partition(":")[0] in parts

    def _is_of_dice_alone(self, event: Event) -> bool:
        """Returns whether an event is the gamemaster's overruling of the total of the dice alone."""
        return isinstance(event, Overruled) and event.figure == _ROLLED and not self._sums.is_added

    def _is_read_off_dice(self, event: Event) -> bool:
        """Returns whether an event reveals faces or the result of a roll."""
        if isinstance(event, Overruled):
            return event.figure in _OF_TESTS
        is_sum = isinstance(event, FigureFound) and event.name in self._sums.names
        return not isinstance(event, ModifierApplied) and not is_sum

    def _of_parts(self, event: Event, key: str) -> Iterator[Audience]:
        """Yields the audience of each hidden part that an event would reveal."""
        is_sum = isinstance(event, FigureFound) and event.name != self._sums.degree
        if not is_sum:
            yield from self._hidden_figures(key)
        if is_sum or (self._sums.is_disclosed_by_tests and not self._with_value):
            yield from (seen_by for _, seen_by in self._before.rolls.hidden.get(key, ()))
            yield from self._parts.get(key, ())

    def _hidden_figures(self, key: str) -> Iterator[Audience]:
        """Yields the audience of each hidden figure that a roll is read against."""
        hidden = self._before.figures.hidden
        yield from (hidden[full] for name in self._read_against if (full := f"{key} {name}") in hidden)
        yield from self._figures.get(key, ())

    # -------------------------------------------------------------------------------------------- replacements

    def _sum(self, event: FigureFound, known: Audience, combat: Combat) -> Iterator[FigureFound]:
        """Yields the line for the hidden parts, then the sum of the known parts, or by policy both true values."""
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
