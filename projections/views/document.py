"""Builds the state document, which `show --json` prints and other programs read."""

from typing import NotRequired, TypedDict

import msgspec

from ledger.events import Option
from ledger.key import UNSEEN
from projections.combat import Combat
from projections.path import Rest
from projections.vocabulary import USUAL, Sums, Vocabulary


class TrackView(msgspec.Struct, frozen=True):
    """A track of harm."""

    taken: int
    capacity: int


class ConditionView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition."""

    name: str
    until: str
    level: int | None = None
    """Absent where the condition has none."""


class ResourceView(msgspec.Struct, frozen=True):
    """A resource."""

    left: int
    of: int


class CombatantView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A combatant."""

    name: str
    player: str
    tracks: dict[str, TrackView]
    wounds: int
    conditions: tuple[ConditionView, ...]
    resources: dict[str, ResourceView]
    traumas: int = 0
    side: str = ""
    """The side that it fights on; omitted if none is given."""
    counters: dict[str, int] = {}
    """Further counters, by the game's words; omitted if there are none."""

    def count(self, counter: str) -> int:
        """Returns the value of a counter, such as wounds."""
        return getattr(self, counter) if counter in _OWN_FIELDS else self.counters.get(counter, 0)


_OWN_FIELDS = ("wounds", "traumas")
"""Counters with their own fields in the document, for compatibility."""


class SumPart(TypedDict):
    """A part of the sum that a roll is made against."""

    value: int
    why: str


class OpenOption(TypedDict):
    """An option of an open choice."""

    option: str
    label: str
    target: NotRequired[int]
    """The target of the roll that it leads to, or the number of its dice; absent where there is none."""


class OpenRest(TypedDict):
    """A roll or a choice that the table is waiting for: a roll has `dice`, a choice has `options`."""

    key: str
    by: str
    """The combatant who rolls or chooses; `gm` for the gamemaster."""
    purpose: str
    dice: NotRequired[str]
    """The dice of a roll, such as `3d6`."""
    target: NotRequired[int]
    """The number that the roll is made against, as far as it is visible."""
    parts: NotRequired[list[SumPart]]
    """The visible parts of the sum of a roll, in their order: where it starts, then the modifiers."""
    hidden: NotRequired[int | bool]
    """The sum of the hidden parts of the target, or true where that is hidden, too; absent where nothing is hidden."""
    options: NotRequired[list[OpenOption]]
    """The options of a choice."""
    default: NotRequired[str]
    """The default option; absent where there is none."""


class State(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The state of a session. No member is ever null: it is absent, or has a value."""

    session: str
    title: str
    ruleset: str
    profile: str
    is_open: bool = True
    """Whether the session goes on; absent while it does, false once it is closed."""
    entries: int
    """The number of entries in the log."""
    head: int
    """The number of the last entry in force in this state."""
    digest: str
    """The digest of the last entry of the log."""
    round: int
    number: int = msgspec.field(name="pass")
    active: str | None = None
    """The combatant who acts; absent between turns."""
    initiative: tuple[tuple[str, int | None], ...]
    """The order of acting, first to last, with the scores; null if only the place of the combatant is visible."""
    combatants: dict[str, CombatantView]
    rests: tuple[OpenRest, ...]
    outcome: str
    """The outcome of the exchange that ended last."""
    path: tuple[str, ...]
    """The boxes of the exchange that ended last."""


def document(
    combat: Combat, session: str, *, entries: int, head: int, digest: bytes, vocabulary: Vocabulary = USUAL
) -> State:
    """Returns the state as a document.

    Args:
        combat: The state, folded from the events that the reader may see.
        session: The session's id.
        entries: The number of entries in the log.
        head: The number of the last entry in force in this state.
        digest: The digest of the log's last entry.
        vocabulary: The words of the session's game.
    """
    last = combat.exchange.last
    return State(
        session=session,
        title=combat.session.title,
        ruleset=combat.session.ruleset,
        profile=combat.session.profile,
        is_open=combat.session.is_open,
        entries=entries,
        head=head,
        digest=digest.hex(),
        round=combat.clock.round,
        number=combat.clock.number,
        active=combat.turn.who,
        initiative=tuple(_place(combat, *pair) for pair in combat.initiative.order),
        combatants={who: combatant_view(combat, who, vocabulary) for who, one in combat.roster.who.items() if one.here},
        rests=rests(combat, vocabulary.sums),
        outcome=last.outcome if last else "",
        path=combat.path.last,
    )


def _place(combat: Combat, who: str, score: int) -> tuple[str, int | None]:
    return who, None if who.startswith(UNSEEN) and who not in combat.roster else score


def rests(combat: Combat, sums: Sums) -> tuple[OpenRest, ...]:
    """Returns the open rolls and choices in the form that the document has."""
    return tuple(_rest(combat, rest, sums) for rest in combat.rests)


def combatant_view(combat: Combat, who: str, vocabulary: Vocabulary) -> CombatantView:
    """Returns a combatant of a state, in the words of the session's game."""
    one = combat.roster[who]
    tracks = combat.health.tracks.get(who, {})
    return CombatantView(
        name=one.name,
        player=one.player,
        tracks={name: TrackView(track.taken, track.capacity) for name, track in tracks.items()},
        wounds=combat.wounds.count(who, "wounds"),
        conditions=tuple(
            ConditionView(name, each.until, each.level) for name, each in combat.conditions.of(who).items()
        ),
        resources={
            name: ResourceView(each.left, each.of) for name, each in combat.resources.having.get(who, {}).items()
        },
        traumas=combat.wounds.count(who, "traumas"),
        side=one.side,
        counters={
            word: count
            for word in vocabulary.counters
            if word not in _OWN_FIELDS
            if (count := combat.wounds.count(who, word))
        },
    )


def _rest(combat: Combat, rest: Rest, sums: Sums) -> OpenRest:
    shown: OpenRest = {"key": rest.key, "by": rest.by, "purpose": rest.purpose}
    if not rest.dice:
        shown["options"] = [_option(each) for each in rest.options]
        if rest.default is not None:
            shown["default"] = rest.default
        return shown
    shown["dice"] = rest.dice
    if combat.figures.holds(rest.key, sums.against):
        shown["target"] = combat.figures.number(rest.key, sums.against)
    parts = [SumPart(value=each.value, why=each.why) for each in combat.rolls.modifiers(rest.key)]
    if combat.figures.holds(rest.key, sums.start):
        shown["parts"] = [SumPart(value=combat.figures.number(rest.key, sums.start), why=sums.start), *parts]
    hidden = combat.figures.partly(rest.key, sums.goals)
    if hidden is not None:
        shown["hidden"] = hidden if isinstance(hidden, int) else True
    return shown


def _option(option: Option) -> OpenOption:
    shown: OpenOption = {"option": option.option, "label": option.label}
    if option.target is not None:
        shown["target"] = option.target
    return shown
