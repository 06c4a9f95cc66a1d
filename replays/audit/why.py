"""Explains a figure: each part with its reason, page, entry and person.

The subject is the key of a roll or an exchange, or a figure of health: ``stoya.damage``, ``stoya.wounds``,
``osric.conditions.stunned``, ``stoya.initiative``.
"""

from collections.abc import Callable, Iterator

import msgspec

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.errors import Refused
from ledger.key import declarer, meant_of_all
from machines.contract.refusals import NoSuchRoll, UnknownCombatant
from projections.combat import Combat
from projections.initiative import SCORE
from replays.audit.event_index import EventIndex, IndexedEvent, facts, key_of, person
from replays.audit.explain import ExplanationStep, parts
from replays.sessions.log import Log
from replays.views.seat_log import seen_log

__all__ = ("ExplanationStep", "NothingThere", "Why", "is_of_a_combatant", "meant_key", "person", "why")


class NothingThere(Refused):
    """The combatant has no figure of that name."""

    slug = "why/nothing"


class Why(msgspec.Struct, frozen=True):
    """An explanation."""

    subject: str
    """A key, or ``who.what``."""
    title: str
    parts: tuple[ExplanationStep, ...]
    leads_to: tuple["Why", ...] = ()
    """Explanations of what it is made of or came from."""


def why(log: Log, subject: str, eyes: Viewer = EVERYTHING, head: int | None = None) -> Why:
    """Explains a roll, an exchange, or a figure of a combatant's health.

    Args:
        log: The session's log.
        subject: A key or a shorthand of one (the latest is meant), or ``who.what``.
        eyes: The viewer; events hidden from them are omitted.
        head: The last entry of the line that is explained; by default the present head.

    Raises:
        NoSuchRoll: No such key stands.
        UnknownCombatant: There is no combatant of that id.
        NothingThere: The combatant has no figure of that name.
    """
    return Explainer(log, eyes, head).why(subject)


class Explainer:
    """Explains figures of one line; its events are indexed once.

    Args:
        log: The session's log.
        eyes: The viewer; events hidden from them are omitted.
        head: The last entry of the line; by default the present head.
    """

    def __init__(self, log: Log, eyes: Viewer = EVERYTHING, head: int | None = None) -> None:
        log = seen_log(log, eyes)
        self._known = facts(log, head=head)
        self._combat = log.state(log.head if head is None else head)

    def why(self, subject: str) -> Why:
        """Explains a subject; see the function `why`."""
        if is_of_a_combatant(subject):
            return _of_health(self._combat, self._known, subject)
        return _explained(self._known, meant_key(self._known, subject))

    def titles(self, subject: str, states: Callable[[int], Combat]) -> Iterator[tuple[int, str]]:
        """Yields the titles of a figure of a combatant over time, each with the entry that it holds from.

        Args:
            subject: The figure, as ``who.what``.
            states: Returns the state after an entry of the line.
        """
        who, _, what = subject.partition(".")
        theirs = (fact for fact in self._known.all if getattr(fact.event, "who", None) == who)
        entries = dict.fromkeys(fact.entry.seq for fact in theirs if what in (*_about(fact.event), _opened(fact.event)))
        for entry in entries:
            yield entry, _health_title(states(entry), who, what)

    def figures(self, after: int = 0) -> tuple[str, ...]:
        """Returns the figures of combatants, as ``who.what``, that were given or changed in entries after one."""
        changed = (fact.event for fact in self._known.all if fact.entry.seq > after)
        named = ((event, what) for event in changed for what in (*_about(event), _opened(event)) if what)
        return tuple(dict.fromkeys(f"{event.who}.{what}" for event, what in named))  # type: ignore[attr-defined]


def is_of_a_combatant(subject: str) -> bool:
    """Returns whether a subject is ``who.what`` and not a key."""
    return "." in subject and "/" not in subject


def meant_key(known: EventIndex, subject: str) -> str:
    """Returns the latest key that a shorthand means.

    Raises:
        NoSuchRoll: No key fits.
    """
    if subject in known.by_key:  # an exact key matches alone
        return subject
    by = {key: asked.by for key, asked in (*known.asked.items(), *known.declared.items())}
    keys = (key for fact in reversed(known.all) if (key := key_of(fact.event)))
    found = meant_of_all(subject, ((key, by.get(key) or declarer(key)) for key in keys))
    if not found:
        accepts = ", ".join(list(known.asked)[-6:]) or "nothing was rolled yet"
        raise NoSuchRoll(f"nothing that stands has the key {subject!r}", where="key", accepts=accepts)
    return found[0]


# ------------------------------------------------------------------------------------------------ keys


def _explained(known: EventIndex, key: str) -> Why:
    """Explains a key: an exchange, a roll or choice, or a part of one with figures under its own key."""
    if key in known.declared:
        return _of_exchange(known, key)
    return _of_roll(known, key) if key in known.asked else _of_part(known, key)


def _of_roll(known: EventIndex, key: str) -> Why:
    asked = known.asked[key]
    does = f"rolls {asked.dice}" if isinstance(asked, e.RollRequested) else "chooses"
    return Why(key, f"{asked.by} {does}: {asked.purpose}", tuple(parts(known.of_roll(key), known.wording)))


def _of_exchange(known: EventIndex, key: str) -> Why:
    declared = known.declared[key]
    inside = [_of_roll(known, one) if one in known.asked else _of_part(known, one, key) for one in _inside(known, key)]
    told = tuple(one for one in inside if one.parts)
    return Why(key, f"{declared.by} declares {declared.kind}", tuple(parts(known.of(key), known.wording)), told)


def _inside(known: EventIndex, key: str) -> list[str]:
    """Returns the rolls of an exchange, and its parts with figures under their own keys, in order of their events."""
    found: dict[str, int] = {}
    for one in known.rolls_of(key):
        found[one] = next(fact.place for fact in known.of(one) if isinstance(fact.event, e.RollRequested))
    for one in known.below(key):
        if one not in found and one not in known.asked and one not in known.declared:
            found[one] = known.of(one)[-1].place
    return sorted(found, key=found.__getitem__)


def _of_part(known: EventIndex, key: str, within: str = "") -> Why:
    """Explains figures under a key that is not rolled or declared: one blow of several, a target, a turn."""
    rolls = [
        one
        for one in known.below(key)
        if isinstance(asked := known.asked.get(one), e.RollRequested) and not asked.of and one.rpartition("/")[0] == key
    ]
    title = key.removeprefix(within + "/").replace("/", " ") if within else " in ".join(reversed(key.split("/", 1)))
    return Why(key, title, tuple(parts(known.of(key), known.wording)), tuple(_of_roll(known, one) for one in rolls))


# ------------------------------------------------------------------------------------------------ health


def _of_health(combat: Combat, known: EventIndex, subject: str) -> Why:
    who, _, path = subject.partition(".")
    what = path.rpartition(".")[2]
    roster = combat.roster
    if who not in roster:
        raise UnknownCombatant(f"there is no {who!r}", where="who", accepts=", ".join(roster.who) or "nobody is here")
    theirs = [fact for fact in known.all if getattr(fact.event, "who", None) == who]
    mine = [fact for fact in theirs if what and what in (*_about(fact.event), _opened(fact.event))]
    if not mine:
        names = sorted({name for fact in theirs for name in _about(fact.event)})
        raise NothingThere(f"{who} has no {what}", where="what", accepts=", ".join(names) or "nothing changed yet")
    keys = (key for fact in mine if (key := key_of(fact.event) or _test_before(known, fact)))
    causes = dict.fromkeys(known.exchange_of(key) or key for key in keys)
    explained = tuple(_explained(known, cause) for cause in causes)
    return Why(f"{who}.{what}", _health_title(combat, who, what), tuple(parts(mine, known.wording)), explained)


def _health_title(combat: Combat, who: str, what: str) -> str:
    return f"{combat.roster.name(who)}: {what.replace('_', ' ')} {_now(combat, who, what)}".rstrip()


def _test_before(known: EventIndex, fact: IndexedEvent) -> str:
    """Returns the key of the combatant's own test in the same entry that ended a condition."""
    for place in range(fact.place - 1, -1, -1):
        each = known.all[place]
        if each.entry.seq != fact.entry.seq:
            break
        asked = known.asked.get(key_of(each.event))
        if isinstance(each.event, e.TestResolved) and asked and asked.by == getattr(fact.event, "who", None):
            return each.event.key
    return ""


def _about(event: e.Event) -> tuple[str, ...]:
    match event:
        case e.DamageTaken() | e.DamageHealed():
            return (event.track,)
        case e.WoundSuffered() | e.WoundHealed():
            return (event.kind,)
        case e.ConditionGained() | e.ConditionLost():
            return (event.condition, "conditions")
        case e.ResourceSpent() | e.ResourceGained():
            return (event.resource,)
        case e.InitiativeScored():
            return (SCORE,)
        case e.Adjusted():
            kind, _, name = event.what.rpartition(".")
            return (name, kind) if kind == "conditions" else (name,)
        case _:
            return ()


def _opened(event: e.Event) -> str:
    """Returns the track or resource that an event gives to a combatant; empty for other events."""
    match event:
        case e.TrackOpened():
            return event.track
        case e.ResourceOpened():
            return event.resource
        case _:
            return ""


def _now(combat: Combat, who: str, what: str) -> str:
    if what in combat.health.tracks.get(who, {}):
        track = combat.health.track(who, what)
        return f"{track.taken} of {track.capacity}" if track.capacity else str(track.taken)
    spent = combat.resources.resource(who, what)
    if spent.of:
        return f"{spent.left} of {spent.of}"
    if what == SCORE:
        return str(combat.initiative.scores.get(who, ""))
    condition = combat.conditions.of(who).get(what)
    if condition is not None:
        level = "" if condition.level is None else f"{condition.level}"
        return " ".join(filter(None, (level, f"until {condition.until}" if condition.until else "")))
    return str(combat.wounds.count(who, what)) if what in combat.wounds.counts.get(who, {}) else ""
