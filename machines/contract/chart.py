"""Printed procedures as tables: one row a printed step, in printed order, with its printed number and exits.

Six shapes, the flowchart's own symbols:

    Do      rectangle          something happens                      exits: goto=, or by the label it returns
    Ask     diamond            a question that the state answers      exits: yes= and no=, or the page's own labels
    Roll    dice               the table throws, then it is read      exits: goto=, or by the label
    Choose  hand               somebody decides                       exits: one an option, or goto= for all
    Run     double-edged box   another chart is run                   exits: by the inner chart's End, or goto= for all
    End     terminator         it ends here                           none, but by a mend

Rows hold functions, never strings, and say with `see` where all that their functions do is printed: book, page and
heading, as many as are needed, the row's own first. Functions do not repeat it, nor do the events that they yield: their
source is `HERE`. Where one printed box makes the table stop twice, the second half takes a letter
(``23b``). What a page does not print, or prints wrongly, is a visible `Mend`, bound to a ruling.
"""

from collections.abc import Callable, Generator, Iterator, Mapping

from ledger.events import ChoiceRequested, Event, RollRequested
from projections.combat import Combat

Deed = Generator[Event, Combat, str | None]
"""Yields what happens; is sent what is so after each event, where an overruled figure is overruled; returns a label."""

Effect = Callable[[Combat], Deed]
Answer = Callable[[Combat], bool | str]
RollAsker = Callable[[Combat], Iterator[RollRequested]]
Offer = Callable[[Combat], ChoiceRequested]
BoxFunction = Effect | Answer | RollAsker | Offer

HERE = "here"
"""The source of an event whose rule is printed where its box says: the walk records the row's first citation."""

GOTO = "goto"
"""The exit that is taken whatever happened."""


class Mend:
    """An exit that the page does not print, or prints otherwise."""

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
        """The exits that the page prints: label to number."""
        self.exits: Mapping[str, str] = {**exits, **(mend.exits if mend else {})}
        self.see = see
        """Where the box, and all that its functions do, is printed."""
        self.page = see.partition(", ")[0]
        """The first citation of it; empty where it has none."""
        self.functions: tuple[BoxFunction, ...] = ()
        """What the row holds."""
        self.mend = mend

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.number!r}, {self.title!r})"


class Do(Box):
    """Something happens."""

    shape = "rectangle"

    def __init__(
        self, number: str, title: str, effect: Effect, *, see: str = "", mend: Mend | None = None, **exits: str
    ) -> None:
        super().__init__(number, title, exits, see, mend)
        self.effect = effect
        self.functions = (effect,)


class Ask(Box):
    """A question."""

    shape = "diamond"

    def __init__(
        self, number: str, title: str, answer: Answer, *, see: str = "", mend: Mend | None = None, **exits: str
    ) -> None:
        super().__init__(number, title, exits, see, mend)
        self.answer = answer
        self.functions = (answer,)


class Roll(Box):
    """Dice."""

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
    """Somebody decides."""

    shape = "hand"

    def __init__(
        self, number: str, title: str, offer: Offer, *, see: str = "", mend: Mend | None = None, **exits: str
    ) -> None:
        super().__init__(number, title, exits, see, mend)
        self.offer = offer
        self.functions = (offer,)


class Run(Box):
    """Another chart."""

    shape = "double"

    def __init__(
        self, number: str, title: str, chart: "Chart", *, see: str = "", mend: Mend | None = None, **exits: str
    ) -> None:
        super().__init__(number, title, exits, see, mend)
        self.chart = chart


class End(Box):
    """Here the procedure ends; by a mend, only where nothing is left of it."""

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
        """What is left to do: the label of an exit of the mend, or none."""
        assert bool(again) == bool(mend), f"{number}: what goes on from an end is a mend"


class Chart:
    """A printed procedure. It checks itself when it is made.

    Raises:
        AssertionError: Two rows of one number, an exit to nowhere, a box that is never reached or can never end.
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
        for label, number in box.exits.items():
            assert number in self.boxes, f"{self.name} {box.number}: exit {label} leads to {number}, which is no box"
        if isinstance(box, Run):
            self._check_run(box)
        ends = isinstance(box, End)
        assert ends or box.exits, f"{self.name} {box.number}: no exit"
        reached = self.reachable(box.number)
        assert any(isinstance(self.boxes[n], End) for n in reached), f"{self.name} {box.number}: can never end"

    def _check_run(self, box: Run) -> None:
        ends = {inner.number for inner in box.chart.boxes.values() if isinstance(inner, End)}
        unknown = set(box.exits) - ends - {GOTO}
        assert not unknown, f"{self.name} {box.number}: {box.chart.name} has no end {sorted(unknown)}"
        missing = ends - set(box.exits)
        assert GOTO in box.exits or not missing, f"{self.name} {box.number}: no exit for {sorted(missing)}"

    def __getitem__(self, number: str) -> Box:
        return self.boxes[number]

    def reachable(self, number: str) -> set[str]:
        """The numbers of all boxes that can be come to from one, itself included."""
        reached: set[str] = set()
        waiting = [number]
        while waiting:
            here = waiting.pop()
            if here not in reached:
                reached.add(here)
                waiting.extend(self.boxes[here].exits.values())
        return reached

    def sources_of(self, function: BoxFunction) -> tuple[str, ...]:
        """Where a box function's rule is printed: what rows that hold it cite, here or in charts that are run."""
        rows = (box for chart in self.inner() for box in chart.boxes.values())
        return tuple(dict.fromkeys(box.see for box in rows if function in box.functions))

    def inner(self) -> Iterator["Chart"]:
        """This chart and all that it runs, each once."""
        seen: dict[int, Chart] = {}
        waiting = [self]
        while waiting:
            chart = waiting.pop(0)
            if id(chart) not in seen:
                seen[id(chart)] = chart
                waiting.extend(box.chart for box in chart.boxes.values() if isinstance(box, Run))
        return iter(seen.values())
