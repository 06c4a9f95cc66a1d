"""Builds the state document, which `show --json` prints and other programs read."""

from typing import Any

import msgspec

from ledger.key import UNSEEN
from projections.combat import Combat
from projections.path import Rest
from projections.vocabulary import USUAL, Sums, Vocabulary


class TrackView(msgspec.Struct, frozen=True):
    """A track of harm."""

    taken: int
    capacity: int


class ConditionView(msgspec.Struct, frozen=True):
    """A condition."""

    name: str
    level: int | None
    until: str


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


class State(msgspec.Struct, frozen=True):
    """The state of a session."""

    session: str
    title: str
    ruleset: str
    profile: str
    entries: int
    """The number of entries in the log."""
    head: int
    """The number of the last entry in force in this state."""
    digest: str
    """The digest of the last entry of the log."""
    round: int
    number: int = msgspec.field(name="pass")
    active: str | None
    initiative: tuple[tuple[str, int | None], ...]
    """The order of acting, first to last, with the scores; None if only the place of the combatant is visible."""
    combatants: dict[str, CombatantView]
    rests: tuple[dict[str, Any], ...]
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
        entries=entries,
        head=head,
        digest=digest.hex(),
        round=combat.clock.round,
        number=combat.clock.number,
        active=combat.turn.who,
        initiative=tuple(_place(combat, *pair) for pair in combat.initiative.order),
        combatants={who: _combatant(combat, who, vocabulary) for who, one in combat.roster.who.items() if one.here},
        rests=rests(combat, vocabulary.sums),
        outcome=last.outcome if last else "",
        path=combat.path.last,
    )


def _place(combat: Combat, who: str, score: int) -> tuple[str, int | None]:
    return who, None if who.startswith(UNSEEN) and who not in combat.roster else score


def rests(combat: Combat, sums: Sums) -> tuple[dict[str, Any], ...]:
    """Returns the open rolls and choices in the form that the document has."""
    return tuple(_rest(combat, rest, sums) for rest in combat.rests)


def _combatant(combat: Combat, who: str, vocabulary: Vocabulary) -> CombatantView:
    one = combat.roster[who]
    tracks = combat.health.tracks.get(who, {})
    return CombatantView(
        name=one.name,
        player=one.player,
        tracks={name: TrackView(track.taken, track.capacity) for name, track in tracks.items()},
        wounds=combat.wounds.count(who, "wounds"),
        conditions=tuple(
            ConditionView(name, each.level, each.until) for name, each in combat.conditions.of(who).items()
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


def _rest(combat: Combat, rest: Rest, sums: Sums) -> dict[str, Any]:
    plain: dict[str, Any] = {"key": rest.key, "by": rest.by, "purpose": rest.purpose}
    if not rest.dice:
        options = [{"option": each.option, "label": each.label, "target": each.target} for each in rest.options]
        return plain | {"options": options, "default": rest.default}
    plain["dice"] = rest.dice
    if combat.figures.holds(rest.key, sums.against):
        plain["target"] = combat.figures.number(rest.key, sums.against)
    hidden = combat.figures.partly(rest.key, sums.goals)
    if hidden is not None:
        plain["hidden"] = hidden if isinstance(hidden, int) else None
    return plain
