"""Charts: printed procedures as tables, a row for each printed step, with its printed number and exits.

The six shapes of boxes are symbols of flowcharts:

    Do      rectangle          an effect                          exits: goto=, or by the returned label
    Ask     diamond            a question about the state         exits: yes= and no=, or the labels on the page
    Roll    dice               a roll is requested, then read     exits: goto=, or by the returned label
    Choose  hand               a person chooses an option         exits: one for each option, or goto= for all
    Run     double-edged box   another chart is run               exits: by the inner chart's End, or goto= for all
    End     terminator         the chart ends                     none, except by a mend

Rows hold functions, never strings. Their `see` cites where everything that the functions do is printed: book, page and
heading, one or more, the row's own first. Neither the functions nor the events that they yield repeat it: the source of
these events is `HERE`. If one printed box needs two stops, the second half gets a letter (``23b``). An exit that the
page omits or misprints is a visible `Mend`, bound to a ruling.
"""

from collections.abc import Callable, Generator, Iterator, Mapping

from ledger.events import ChoiceRequested, Event, RollRequested
from projections.combat import Combat

Deed = Generator[Event, Combat, str | None]
"""Yields events, is sent the state after each (with overruled figures replaced), and returns a label."""

Effect = Callable[[Combat], Deed]
Answer = Callable[[Combat], bool | str]
RollAsker = Callable[[Combat], Iterator[RollRequested]]
Offer = Callable[[Combat], ChoiceRequested]
BoxFunction = Effect | Answer | RollAsker | Offer

HERE = "here"
"""The source of an event whose rule is cited by its box: the walk records the row's first citation."""

GOTO = "goto"
"""The label of the exit that is taken in any case."""


class Mend:
    """A correction of a printed row: exits that the page omits or misprints, by the ruling that adds them."""

    def __init__(self, ruling: str, **exits: str) -> None:
        self.ruling = ruling
        self.exits: Mapping[str, str] = exits


class Box:
    """One row of a chart."""

    shape = ""

    def __init__(self, number: str, title: str, exits: Mapping[str, str], see: str, mend: Mend | None) -> None:
        self.number = number
        self.title = title
        self.printed: Mapping[str, str] = exits
        """The printed exits: label to number."""
        self.exits: Mapping[str, str] = {**exits, **(mend.exits if mend else {})}
        self.see = see
        """The citations of the box and of everything that its functions do."""
        self.page = see.partition(", ")[0]
        """The first citation; empty if there is none."""
        self.functions: tuple[BoxFunction, ...] = ()
        """The functions of the row."""
        self.mend = mend

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.number!r}, {self.title!r})"


class Do(Box):
    """A box that yields events."""

    shape = "rectangle"

    def __init__(
        self, number: str, title: str, effect: Effect, *, see: str = "", mend: Mend | None = None, **exits: str
    ) -> None:
        super().__init__(number, title, exits, see, mend)
        self.effect = effect
        self.functions = (effect,)


class Ask(Box):
    """A box that answers a question about the state."""

    shape = "diamond"

    def __init__(
        self, number: str, title: str, answer: Answer, *, see: str = "", mend: Mend | None = None, **exits: str
    ) -> None:
        super().__init__(number, title, exits, see, mend)
        self.answer = answer
        self.functions = (answer,)


class Roll(Box):
    """A box that requests a roll and reads it."""

    shape = "dice"

    def __init__(
        self,
        number: str,
        title: str,
        *,
        ask: RollAsker,
        read: Effect,
        see: str = "",
        mend: Mend | None = None,
        **exits: str,
    ) -> None:
        super().__init__(number, title, exits, see, mend)
        self.ask = ask
        self.read = read
        self.functions = (ask, read)


class Choose(Box):
    """A box at which a person chooses an option."""

    shape = "hand"

    def __init__(
        self, number: str, title: str, offer: Offer, *, see: str = "", mend: Mend | None = None, **exits: str
    ) -> None:
        super().__init__(number, title, exits, see, mend)
        self.offer = offer
        self.functions = (offer,)


class Run(Box):
    """A box that runs another chart."""

    shape = "double"

    def __init__(
        self, number: str, title: str, chart: "Chart", *, see: str = "", mend: Mend | None = None, **exits: str
    ) -> None:
        super().__init__(number, title, exits, see, mend)
        self.chart = chart


class End(Box):
    """A box that ends the chart. With a mend it may continue at another box instead."""

    shape = "end"

    def __init__(
        self,
        number: str,
        title: str,
        *,
        outcome: str = "",
        again: Effect | None = None,
        see: str = "",
        mend: Mend | None = None,
    ) -> None:
        super().__init__(number, title, {}, see, mend)
        self.outcome = outcome or number
        self.functions = (again,) if again else ()
        self.again = again
        """Returns the label of the exit by which the chart continues; None if it ends."""
        assert bool(again) == bool(mend), f"{number}: what goes on from an end is a mend"


class Chart:
    """A printed procedure, checked on creation.

    Raises:
        AssertionError: Two rows have the same number, an exit leads to no box, or a box cannot be reached or cannot end.
    """

    def __init__(self, name: str, title: str, *boxes: Box, source: str) -> None:
        self.name = name
        self.title = title
        self.source = source
        self.boxes: Mapping[str, Box] = {box.number: box for box in boxes}
        self.first = boxes[0].number
        assert len(self.boxes) == len(boxes), f"{name}: two boxes of one number"
        for box in boxes:
            self._check(box)
        unreached = set(self.boxes) - self.reachable(self.first)
        assert not unreached, f"{name}: never reached: {sorted(unreached)}"

    def _check(self, box: Box) -> None:
        """Rejects a box with an exit to no box, a box without exits, and one from which no end can be reached."""
        for label, number in box.exits.items():
            assert number in self.boxes, f"{self.name} {box.number}: exit {label} leads to {number}, which is no box"
        if isinstance(box, Run):
            self._check_run(box)
        ends = isinstance(box, End)
        assert ends or box.exits, f"{self.name} {box.number}: no exit"
        reached = self.reachable(box.number)
        assert any(isinstance(self.boxes[n], End) for n in reached), f"{self.name} {box.number}: can never end"

    def _check_run(self, box: Run) -> None:
        """Rejects a `Run` whose exits are not the ends of the chart that it runs."""
        ends = {inner.number for inner in box.chart.boxes.values() if isinstance(inner, End)}
        unknown = set(box.exits) - ends - {GOTO}
        assert not unknown, f"{self.name} {box.number}: {box.chart.name} has no end {sorted(unknown)}"
        missing = ends - set(box.exits)
        assert GOTO in box.exits or not missing, f"{self.name} {box.number}: no exit for {sorted(missing)}"

    def __getitem__(self, number: str) -> Box:
        return self.boxes[number]

    def reachable(self, number: str) -> set[str]:
        """Returns the numbers of all boxes that are reachable from a box, including its own."""
        reached: set[str] = set()
        waiting = [number]
        while waiting:
            here = waiting.pop()
            if here not in reached:
                reached.add(here)
                waiting.extend(self.boxes[here].exits.values())
        return reached

    def sources_of(self, function: BoxFunction) -> tuple[str, ...]:
        """Returns the citations of the rows that hold a function, in this chart and in those that it runs."""
        rows = (box for chart in self.inner() for box in chart.boxes.values())
        return tuple(dict.fromkeys(box.see for box in rows if function in box.functions))

    def inner(self) -> Iterator["Chart"]:
        """Yields this chart and all charts that it runs, each once."""
        seen: dict[int, Chart] = {}
        waiting = [self]
        while waiting:
            chart = waiting.pop(0)
            if id(chart) not in seen:
                seen[id(chart)] = chart
                waiting.extend(box.chart for box in chart.boxes.values() if isinstance(box, Run))
        return iter(seen.values())
