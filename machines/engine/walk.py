"""Walks through charts from one rest to the next, by state machines of `transitions`. Only this module imports it.

Each chart becomes one flat machine, built once. The machine alone decides where an exit leads, and refuses exits that
are not on the page. It is a pure function of (box, label), so its results are cached.
"""

import threading
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from operator import attrgetter

import msgspec
from transitions import Machine, MachineError

from ledger.commands import Overrule
from ledger.events import ChoiceRequested, CombatEnded, Event, ExchangeEnded, StepEntered
from ledger.key import moment_of_acting
from machines.contract.chart import GOTO, HERE, Ask, Box, Chart, Choose, Deed, Do, End, Roll, Run
from machines.contract.refusals import ImpossibleFigure, TooManyEvents, UnknownStep
from machines.contract.ruleset import Ruleset
from machines.engine.overruling import Overruler, Overrulings
from projections.combat import Combat, evolve

MOST_EVENTS = 5_000
"""The maximum number of events of one command: fifty times as many as in any fight of the rulebooks, and enough for a
blast among two hundred combatants. More indicate an absurd figure or an endless loop in the rules."""


_OPTION = attrgetter("option")


class NoSuchExit(AssertionError):
    """A box function returned a label without an exit: a bug in the ruleset."""


class WrongActingKey(AssertionError):
    """A choice of an action has a key of another choice: a bug in the ruleset."""


class UnknownPage(AssertionError):
    """An event refers to the citation of its box, which has none: a bug in the ruleset."""


class _Cursor:
    """The model of the machine, whose state is the current box."""

    state: str


class Steps(dict[tuple[str, str], str]):
    """The state machine of a chart: the number of the box to which an exit leads, by box and label."""

    def __init__(self, chart: Chart) -> None:
        super().__init__()
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

    def __missing__(self, exit_taken: tuple[str, str]) -> str:
        """Asks the machine.

        Raises:
            NoSuchExit: The box has no such exit.
        """
        number, label = exit_taken
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
            self[exit_taken] = cursor.state
            return cursor.state


@lru_cache(maxsize=256)
def steps(chart: Chart) -> Steps:
    """Returns the machine of a chart; cached."""
    return Steps(chart)


class Walk:
    """The events of one command, and the state after them.

    Raises:
        TooManyEvents: By all methods that record events, if there are more than `MOST_EVENTS`.
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
        self._overruling = Overruler(overrules, game) if overrules else None

    def tell(self, event: Event, *, is_overruling: bool = False) -> Combat:
        """Records an event and the overrulings of its figures. Returns the state after them.

        Args:
            event: The event.
            is_overruling: Whether it overrules a figure itself, or follows from that.
        """
        if len(self.events) >= MOST_EVENTS:
            accepts = f"a command with up to {MOST_EVENTS:,} events"
            raise TooManyEvents("this command would cause too many events", accepts=accepts)
        self.events.append(event)
        self.combat = evolve(self.combat, event)
        if self._overruling is not None and not is_overruling:
            self._overrule(self._overruling, event)
        return self.combat

    def _overrule(self, overruling: Overruler, event: Event) -> None:
        """Records the overrulings of an event's figures."""
        overrulings = overruling.of(self.combat, event)
        following = next(overrulings, None)
        while following is not None:
            following = _next(overrulings, self.tell(following, is_overruling=True))

    def perform(self, deed: Deed, page: str = "") -> str:
        """Records the events of a box function. Returns its label.

        Args:
            deed: The generator of the events.
            page: The citation of the box, which becomes the source of events whose source is `HERE`.

        Raises:
            UnknownPage: An event has the source `HERE`, and the box has no citation.
        """
        try:
            event = next(deed)
            while True:
                is_cited = getattr(event, "source", None) == HERE
                event = deed.send(self.tell(_cited(event, page) if is_cited else event))
        except StopIteration as stop:
            return str(stop.value or GOTO)

    def enter(self, chart: Chart, number: str, depth: int) -> None:
        """Enters a box, and walks on to the next rests."""
        here: tuple[Chart, str, int] | None = (chart, number, depth)
        while here is not None:
            here = self._box(*here)

    def leave(self, label: str) -> None:
        """Leaves the box at which the walk rests by an exit, and walks on."""
        depth = len(self.combat.path.levels) - 1
        chart, box = self._at(depth)
        self.enter(chart, self._exit(chart, box, label), depth)

    def resume(self) -> None:
        """Reads the answered rolls of the box at which the walk rests, and walks on."""
        chart, box = self._at(len(self.combat.path.levels) - 1)
        if not isinstance(box, Roll):
            raise self._moved(box.number, chart.name)
        self.leave(self.perform(box.read(self.combat), box.page))

    def _box(self, chart: Chart, number: str, depth: int) -> tuple[Chart, str, int] | None:
        box = chart.boxes[number]
        self.tell(StepEntered(chart.name, number, depth))
        match box:
            case Do():
                label = self.perform(box.effect(self.combat), box.page)
            case Ask():
                answer = box.answer(self.combat)
                label = answer if isinstance(answer, str) else ("yes" if answer else "no")
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
        """Returns the choice at a box. Corrections recognize a choice of an action by its key.

        Raises:
            WrongActingKey: A choice of an action has another kind of key.
        """
        offer = box.offer(self.combat)
        acts = not self._kinds.keys().isdisjoint(map(_OPTION, offer.options))
        if acts and not moment_of_acting(offer.key):
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
            return None  # an interrupt ended: the interrupted box still waits
        return outer, self._exit(outer, around, box.number), depth - 1

    def _at(self, depth: int) -> tuple[Chart, Box]:
        """Returns the current chart and box at a depth.

        Raises:
            UnknownStep: Today's charts have no such box.
        """
        name, number = self.combat.path.levels[depth]
        if name not in self.charts or number not in self.charts[name].boxes:
            raise self._moved(number, name)
        return self.charts[name], self.charts[name].boxes[number]

    def _moved(self, number: str, name: str) -> UnknownStep:
        """Returns the refusal of a log that was written with older charts, in which the box had another meaning."""
        accepts = "undo to before this fight, or end it"
        return UnknownStep(f"box {number} of the chart {name!r} has changed", where=name, accepts=accepts)

    def _exit(self, chart: Chart, box: Box, label: str) -> str:
        if label not in box.exits:
            if isinstance(box, Run | Choose):
                label = GOTO
            elif self._overruling is not None and self._overruling.has_changed:
                where, accepts = f"{chart.name} {box.number}", ", ".join(box.exits)
                raise ImpossibleFigure(f"{box.title}: {label!r} leads nowhere", where=where, accepts=accepts)
        return steps(chart)[box.number, label]


def _cited(event: Event, page: str) -> Event:
    """Returns an event whose source is `HERE`, with the citation of its box as source."""
    if not page:
        raise UnknownPage(f"{event!r}: its box has no citation")
    return msgspec.structs.replace(event, source=page)


def _next(overrulings: Overrulings, combat: Combat) -> Event | None:
    """Sends a generator the state. Returns its next event; None at its end."""
    try:
        return overrulings.send(combat)
    except StopIteration:
        return None
