"""From one rest to the next, on `transitions`. Nothing else imports that library or uses its words.

Each chart becomes one flat machine, built once. The machine alone says where an exit leads, and refuses what is not
on the page; it is a pure function of (box, label), so each of its answers is asked for once and remembered.
"""

import threading
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice

import msgspec
from transitions import Machine, MachineError

from ledger.commands import Overrule
from ledger.events import ChoiceRequested, CombatEnded, Event, ExchangeEnded, StepEntered
from ledger.key import moment_of_acting
from machines.contract.chart import GOTO, HERE, Ask, Box, Chart, Choose, Deed, Do, End, Roll, Run
from machines.contract.refusals import ImpossibleFigure, TooManyEvents, UnknownStep
from machines.contract.ruleset import Ruleset
from machines.engine.overruling import Overruling, Telling
from projections.combat import Combat, evolve

MOST_EVENTS = 5_000
"""What may follow from one command: fifty times as much as in any fight of the rulebooks, and enough for a blast among
two hundred. More comes of a figure beyond all measure, or of rules that go in circles."""


class NoSuchExit(AssertionError):
    """A box function returned a label that the page does not have: a mistake in the ruleset."""


class WrongActingKey(AssertionError):
    """Kinds of declarations are offered under a key that says nothing of it: a mistake in the ruleset."""


class UnknownPage(AssertionError):
    """An event refers to the citation of its box, and there is none: a mistake in the ruleset."""


class _Cursor:
    """What the machine moves."""

    state: str


class Steps:
    """One chart's machine."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        moves = [
            {"trigger": label, "source": box.number, "dest": number}
            for box in chart.boxes.values()
            for label, number in box.exits.items()
        ]
        self._machine = Machine(
            model=None, states=list(chart.boxes), transitions=moves, initial=None, auto_transitions=False
        )
        self._lock = threading.Lock()
        self._taken: dict[tuple[str, str], str] = {}

    def step(self, number: str, label: str) -> str:
        """The box to which an exit leads.

        Raises:
            NoSuchExit: The page has none of that label there.
        """
        taken = self._taken.get((number, label))
        return taken if taken is not None else self._ask_machine(number, label)

    def _ask_machine(self, number: str, label: str) -> str:
        with self._lock:
            cursor = _Cursor()
            self._machine.set_state(number, cursor)
            event = self._machine.events.get(label)
            try:
                moved = event is not None and event.trigger(cursor)
            except MachineError:
                moved = False
            if not moved:
                raise NoSuchExit(f"{self._chart.name} {number}: no exit {label!r}")
            self._taken[number, label] = cursor.state
            return cursor.state


@lru_cache(maxsize=256)
def steps(chart: Chart) -> Steps:
    """The machine of a chart, built once."""
    return Steps(chart)


class Walk:
    """What follows from one command: events, and what is so after each.

    Raises:
        TooManyEvents: It goes on and on; so does whatever tells, performs, enters, leaves or resumes.
    """

    def __init__(
        self,
        combat: Combat,
        charts: Mapping[str, Chart],
        overrules: tuple[Overrule, ...] = (),
        game: Ruleset | None = None,
    ) -> None:
        self.combat = combat
        self.charts = charts
        self.events: list[Event] = []
        self._kinds = game.kinds if game is not None else {}
        self._overruling = Overruling(overrules, game)

    def tell(self, event: Event) -> Combat:
        """Something happens; where the gamemaster overruled a figure of it, their word takes its place."""
        self._add(event)
        said = self._overruling.of(self.combat, event)
        following = next(said, None)
        while following is not None:
            self._add(following)
            following = _next(said, self.combat)
        return self.combat

    def perform(self, deed: Deed, page: str = "") -> str:
        """Let a box function happen; returns its label.

        Args:
            deed: What the function yields.
            page: The citation of its box, recorded as the source of events that say `HERE`.

        Raises:
            UnknownPage: One says so, and there is none.
        """
        try:
            event = next(deed)
            while True:
                event = deed.send(self.tell(_cited(event, page)))
        except StopIteration as stop:
            return str(stop.value or GOTO)

    def enter(self, chart: Chart, number: str, depth: int) -> None:
        """Come to a box, and walk on from it to the next rests."""
        here: tuple[Chart, str, int] | None = (chart, number, depth)
        while here is not None:
            here = self._box(*here)

    def leave(self, label: str) -> None:
        """Leave the box at which the walk rests, by one of its exits."""
        depth = len(self.combat.path.levels) - 1
        chart, box = self._at(depth)
        self.enter(chart, self._exit(chart, box, label), depth)

    def resume(self) -> None:
        """All rolls of the box are answered: read them and walk on."""
        chart, box = self._at(len(self.combat.path.levels) - 1)
        if not isinstance(box, Roll):
            raise self._moved(box.number, chart.name)
        self.leave(self.perform(box.read(self.combat), box.page))

    def _box(self, chart: Chart, number: str, depth: int) -> tuple[Chart, str, int] | None:
        box = chart[number]
        self._add(StepEntered(chart.name, number, depth))
        match box:
            case Do():
                label = self.perform(box.effect(self.combat), box.page)
            case Ask():
                said = box.answer(self.combat)
                label = said if isinstance(said, str) else ("yes" if said else "no")
            case Roll():
                requests = tuple(islice(box.ask(self.combat), MOST_EVENTS + 1))
                for request in requests:
                    self.tell(request)
                if requests:
                    return None
                label = self.perform(box.read(self.combat), box.page)
            case Choose():
                self.tell(self._offered(box))
                return None
            case Run():
                return box.chart, box.chart.first, depth + 1
            case End():
                label = self.perform(box.again(self.combat), box.page) if box.again else GOTO
                if label == GOTO:
                    return self._end(box, depth)
            case _:
                raise NoSuchExit(f"{chart.name} {number} has no shape")
        return chart, self._exit(chart, box, label), depth

    def _offered(self, box: Choose) -> ChoiceRequested:
        """The choice at a box; one that offers what is declared is known by its key when a fight is corrected.

        Raises:
            WrongActingKey: It is not.
        """
        offer = box.offer(self.combat)
        if not moment_of_acting(offer.key) and any(each.option in self._kinds for each in offer.options):
            raise WrongActingKey(f"{offer.key}: ask what to do with machines.contract.offering.next_action")
        return offer

    def _end(self, box: End, depth: int) -> tuple[Chart, str, int] | None:
        path, frame = self.combat.path, self.combat.exchange.frame
        if frame is not None and path.bases and path.bases[-1] == depth:
            self.tell(ExchangeEnded(frame.key, box.outcome))
        elif depth == 0:
            self.tell(CombatEnded(box.title))
        if depth == 0:
            return None
        outer, around = self._at(depth - 1)
        if not isinstance(around, Run):
            return None  # an interrupt ended: what it interrupted goes on waiting
        return outer, self._exit(outer, around, box.number), depth - 1

    def _at(self, depth: int) -> tuple[Chart, Box]:
        """The box of one of the open procedures.

        Raises:
            UnknownStep: The log rests where today's charts have no box.
        """
        name, number = self.combat.path.levels[depth]
        if name not in self.charts or number not in self.charts[name].boxes:
            raise self._moved(number, name)
        return self.charts[name], self.charts[name][number]

    def _moved(self, number: str, name: str) -> UnknownStep:
        """The log was written under older charts, in which another thing stood at this number."""
        accepts = "undo to before this fight, or end it"
        return UnknownStep(f"step {number} of {name!r} is no longer what it was", where=name, accepts=accepts)

    def _exit(self, chart: Chart, box: Box, label: str) -> str:
        known = label if label in box.exits else GOTO
        if isinstance(box, Run | Choose) or label in box.exits or not self._overruling.has_changed:
            return steps(chart).step(box.number, known if isinstance(box, Run | Choose) else label)
        raise ImpossibleFigure(
            f"{box.title}: {label!r} leads nowhere", where=f"{chart.name} {box.number}", accepts=", ".join(box.exits)
        )

    def _add(self, event: Event) -> None:
        if len(self.events) >= MOST_EVENTS:
            accepts = f"what leads to up to {MOST_EVENTS:,} events"
            raise TooManyEvents("more would follow from this than from any move of a fight", accepts=accepts)
        self.events.append(event)
        self.combat = evolve(self.combat, event)


def _cited(event: Event, page: str) -> Event:
    """The event with the citation of its box, where it refers to that."""
    if getattr(event, "source", None) != HERE:
        return event
    if not page:
        raise UnknownPage(f"{event!r}: no box says where it is printed")
    return msgspec.structs.replace(event, source=page)


def _next(said: Telling, combat: Combat) -> Event | None:
    """The next event of a generator that is sent the state; None at its end."""
    try:
        return said.send(combat)
    except StopIteration:
        return None
