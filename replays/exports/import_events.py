"""Checks the events of an imported session: faces must fit the requested dice, and names a combatant who joined.

No rule is applied, so the checks hold for every version of the rules.
"""

from collections.abc import Iterator

from ledger import dice
from ledger.commands import Join, Rewind
from ledger.entry import Entry
from ledger.errors import Refused, Unreadable
from ledger.events import CombatantJoined, DiceRolled, DiceTold, Event, RollRequested
from machines.engine.walk import MOST_EVENTS
from projections.rolls import TOTAL

_TWINS = 2
"""The most copies of one event: where a part is hidden, a stand-in is recorded as well."""


class EventChecker:
    """Checks events against the earlier events of the session, standing or not."""

    def __init__(self) -> None:
        self._sides: dict[str, set[tuple[int, ...]]] = {}
        """The sides of the requested dice by the key of the roll; after an undo it may be requested with other dice."""
        self._joined: set[str] = set()
        self._things: set[str] = set()

    def check(self, entry: Entry) -> None:
        """Rejects events that do not fit the earlier ones.

        Raises:
            Unreadable: An event does not fit; `where` names it.
        """
        if len(entry.events) > _TWINS * MOST_EVENTS:
            raise Unreadable(f"it has {len(entry.events):,} events", where="events", accepts=f"{MOST_EVENTS:,}")
        if isinstance(entry.command, Rewind) and not entry.events:
            raise Unreadable(
                "it rewinds, but has no event", where="events", accepts="an event with the entry that it goes back to"
            )
        for event in entry.events:
            self._remember(event)
            for problem in self._problems(event, entry):
                name = type(event).__name__
                raise Unreadable(f"{name} {problem}", where=name, accepts="an event that fits the earlier ones")

    def is_thing(self, who: str, entry: Entry) -> bool:
        """Returns whether a combatant joined as a thing, before an entry or in it."""
        joining = (event for event in entry.events if isinstance(event, CombatantJoined))
        return who in self._things or any(event.who == who and event.thing for event in joining)

    def _remember(self, event: Event) -> None:
        """Remembers what later events must fit: the requested dice, and who joined."""
        if isinstance(event, RollRequested):
            try:
                self._sides.setdefault(event.key, set()).add(dice.parse(event.dice).sides)
            except Refused as refusal:
                raise Unreadable(
                    f"RollRequested has invalid dice: {event.dice!r:.40}",
                    where="dice",
                    accepts="such as 3d6+2",
                ) from refusal
        elif isinstance(event, CombatantJoined):
            self._joined.add(event.who)
            if event.thing:
                self._things.add(event.who)

    def _problems(self, event: Event, entry: Entry) -> Iterator[str]:
        """Yields what is wrong with an event."""
        if isinstance(event, DiceRolled) and event.faces:
            requested = self._sides.get(event.key, set())
            enough = [sides for sides in requested if len(event.faces) <= len(sides)]
            if not requested:
                yield "has faces of dice that were never requested"
            elif not enough or len(event.provenance) != len(event.faces):
                yield f"has {len(event.faces)} faces for {max(map(len, requested))} dice"
            elif not any(all(any(_has_face(of, face) for of in sides) for face in event.faces) for sides in enough):
                yield "has a face that no die shows"
        elif isinstance(event, DiceTold):
            yield from self._problems_of_counts(event)
        elif isinstance(event, CombatantJoined) and isinstance(entry.command, Join) and event.who != entry.command.who:
            yield "names another combatant than the command"
        elif getattr(event, "who", "") not in {"", "gm", *self._joined}:
            yield f"names {event.who!r:.40}, who never joined"  # type: ignore[attr-defined]

    def _problems_of_counts(self, event: DiceTold) -> Iterator[str]:
        """Yields what is wrong with counts that were given in place of faces."""
        requested = self._sides.get(event.key, set())
        try:
            sides = dice.parse(event.dice).sides
        except Refused:
            yield f"has invalid dice: {event.dice!r:.40}"
            return
        most = {TOTAL: sum(map(dice.highest, sides))}
        if sides not in requested:
            yield "has counts of dice that were never requested"
        elif not event.counts or any(not 0 <= n <= most.get(name, len(sides)) for name, n in event.counts.items()):
            yield "has counts that no dice show"


def _has_face(sides: int, face: int) -> bool:
    """Returns whether a die with so many sides has a face."""
    return dice.lowest(sides) <= face <= dice.highest(sides)
