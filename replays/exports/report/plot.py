"""Plots health over the record: step lines that differ in dash and marker as well as in color."""

from collections.abc import Iterator, Sequence

import msgspec

from replays.exports.report.markup import Markup, join, tag
from replays.exports.report.tracker import Point, Series

WIDTH, LEFT, RIGHT, TOP, PLOT, UNDER = 720, 46, 14, 22, 210, 30
_LEGEND = 18
"""Height of a line of the legend."""
_COLUMNS = 3
"""Columns of the legend."""
_MOST = 9
"""Lines in one plot; more are drawn in further ones."""


class Style(msgspec.Struct, frozen=True):
    """How a line looks."""

    color: str
    dash: str | None
    marker: str


STYLES = (
    Style("#000000", None, "circle"),
    Style("#0072b2", "8 3", "square"),
    Style("#d55e00", "2 3", "triangle"),
    Style("#009e73", "10 3 2 3", "diamond"),
    Style("#8a3d78", "5 2", "cross"),
    Style("#56789c", "14 4", "hollow"),
    Style("#a06a00", "1 2 6 2", "box"),
    Style("#444444", "4 4", "down"),
    Style("#b03060", "12 2 2 2 2 2", "plus"),
)
"""Dark enough for paper; no two alike in black and white."""


class Scale(msgspec.Struct, frozen=True):
    """Maps the record to coordinates of the plot."""

    count: int
    """The number of standing entries."""
    lowest: int
    """The lowest health that is drawn, in percent."""

    def x(self, at: int) -> float:
        """Returns the horizontal coordinate of an entry."""
        return LEFT + (WIDTH - LEFT - RIGHT) * at / max(1, self.count - 1)

    def y(self, percent: float) -> float:
        """Returns the vertical coordinate of a percentage of health."""
        return TOP + PLOT * (100 - max(self.lowest, percent)) / (100 - self.lowest)


def plots(series: Sequence[Series], rounds: Sequence[tuple[int, str]], count: int) -> Markup:
    """Returns plots of the health of all combatants with health.

    Args:
        series: All tracks; of tracks without harm only the first of each combatant is drawn.
        rounds: The index of the first entry and the title of each round.
        count: The number of standing entries.
    """
    drawn = [one for one in series if (one.was_harmed or one.is_first) and any(p.capacity for p in one.points)]
    parts = (drawn[start : start + _MOST] for start in range(0, len(drawn), _MOST))
    return join(_plot(part, rounds, count) for part in parts)


def _plot(series: Sequence[Series], rounds: Sequence[tuple[int, str]], count: int) -> Markup:
    scale = Scale(count, _lowest(series))
    lines = -(-len(series) // _COLUMNS)
    height = TOP + PLOT + UNDER + _LEGEND * lines + 4
    parts = [*_grid(scale), *_rounds(scale, rounds)]
    for place, one in enumerate(series):
        parts += _line(scale, one, STYLES[place], place)
        parts += _entry_of_legend(one, STYLES[place], place, TOP + PLOT + UNDER + 12)
    names = ", ".join(dict.fromkeys(one.name for one in series))
    box = f"0 0 {WIDTH} {height}"
    title = tag("title", f"Health over the record: {names}")
    return tag("svg", title, *parts, viewBox=box, role="img", class_="plot", xmlns="http://www.w3.org/2000/svg")


def _lowest(series: Sequence[Series]) -> int:
    """Returns the bottom of the axis: 0, or lower in steps of 50 where a track is exceeded."""
    least = min((_percent(point) for one in series for point in one.points), default=0)
    return max(-500, min(0, int(-(-least // -50)) * -50 if least >= 0 else -50 * int(-(least // 50))))


def _percent(point: Point) -> float:
    return 100 * (point.capacity - point.taken) / point.capacity if point.capacity else 100


def _grid(scale: Scale) -> Iterator[Markup]:
    step = 25 if scale.lowest == 0 else 50 if scale.lowest >= -200 else 100
    for percent in range(scale.lowest, 101, step):
        y = _n(scale.y(percent))
        yield tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="zero" if percent == 0 else "grid")
        yield tag(
            "text",
            f"{percent} %".replace("-", "\N{MINUS SIGN}"),
            x=LEFT - 6,
            y=_n(scale.y(percent) + 3.5),
            class_="end",
        )


def _rounds(scale: Scale, rounds: Sequence[tuple[int, str]]) -> Iterator[Markup]:
    """Yields the beginnings of rounds; titles that would overlap are omitted."""
    free = 0.0
    for at, title in rounds:
        x = scale.x(at)
        yield tag("line", x1=_n(x), x2=_n(x), y1=TOP - 4, y2=TOP + PLOT, class_="round")
        if x >= free and x + 5.6 * len(title) < WIDTH:
            yield tag("text", title, x=_n(x + 3), y=TOP - 9)
            free = x + 5.6 * len(title) + 10
    bottom = TOP + PLOT
    for at in sorted({round((scale.count - 1) * part / 6) for part in range(7)}):
        yield tag("line", x1=_n(scale.x(at)), x2=_n(scale.x(at)), y1=bottom, y2=bottom + 4, class_="zero")
        yield tag("text", at + 1, x=_n(scale.x(at)), y=bottom + 16, class_="middle")
    yield tag("text", "entries that stand", x=WIDTH - RIGHT, y=bottom + 28, class_="end")


def _line(scale: Scale, one: Series, style: Style, place: int) -> Iterator[Markup]:
    """Returns a step line, slightly lower than the one before it, so that equal lines are all visible."""
    hair = 1.1 * place
    points = [(scale.x(point.at), scale.y(_percent(point)) + hair) for point in one.points]
    path = f"M{_n(points[0][0])} {_n(points[0][1])}"
    path += "".join(f"H{_n(x)}V{_n(y)}" for x, y in points[1:]) + f"H{_n(scale.x(one.last))}"
    yield tag("path", d=path, stroke=style.color, stroke_dasharray=style.dash, class_="line")
    for x, y in points:
        yield _marker(style, x, y)


def _entry_of_legend(one: Series, style: Style, place: int, top: float) -> Iterator[Markup]:
    x = LEFT + place % _COLUMNS * (WIDTH - LEFT) / _COLUMNS
    y = top + place // _COLUMNS * _LEGEND
    last = one.points[-1]
    yield tag("path", d=f"M{_n(x)} {_n(y)}h30", stroke=style.color, stroke_dasharray=style.dash, class_="line")
    yield _marker(style, x + 15, y)
    name = one.name if len(one.name) <= 17 else one.name[:16] + "\N{HORIZONTAL ELLIPSIS}"
    words = f"{name}, {one.track.replace('_', ' ')} {last.taken}/{last.capacity}"
    yield tag("text", words, x=_n(x + 36), y=_n(y + 3.5))


def _marker(style: Style, x: float, y: float) -> Markup:
    if style.marker in ("circle", "hollow"):
        return tag("circle", cx=_n(x), cy=_n(y), r=2.8, stroke=style.color, fill=_fill(style, "hollow"))
    if style.marker in ("cross", "plus"):
        turned = "M-3 -3L3 3M-3 3L3 -3" if style.marker == "cross" else "M-3.5 0H3.5M0 -3.5V3.5"
        return tag("path", d=turned, transform=f"translate({_n(x)} {_n(y)})", stroke=style.color, class_="mark")
    shapes = {
        "square": "-2.6,-2.6 2.6,-2.6 2.6,2.6 -2.6,2.6",
        "box": "-2.6,-2.6 2.6,-2.6 2.6,2.6 -2.6,2.6",
        "triangle": "0,-3.6 3.4,2.6 -3.4,2.6",
        "down": "0,3.6 3.4,-2.6 -3.4,-2.6",
        "diamond": "0,-3.8 3.8,0 0,3.8 -3.8,0",
    }
    where = f"translate({_n(x)} {_n(y)})"
    return tag("polygon", points=shapes[style.marker], transform=where, stroke=style.color, fill=_fill(style, "box"))


def _fill(style: Style, hollow: str) -> str:
    return "#ffffff" if style.marker == hollow else style.color


def _n(number: float) -> str:
    """Formats a coordinate to a tenth, the same on every machine."""
    return f"{number:.1f}".removesuffix(".0")
