"""Draws health as small multiples: one small chart for each combatant, all on the same scale of rounds and health."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from replays.exports.report.markup import Markup, join, tag
from replays.exports.report.tracker import Point, Series

WIDTH, TOP, PLOT, LABELS = 200, 5, 50, 15
"""Of a chart: its width, the margin above, the height of the drawing, and the height of the rounds' numbers."""
MOST_LABELS = 8
"""Numbers of rounds at most; of more rounds, every second is labeled, or every third."""
LOWEST = -100
"""The lowest health that is drawn, in percent; a track that is lower is drawn there."""
_STEP = 50
_LOOKS = 3
"""Looks of lines in the style sheet; they differ in color and dash."""


class RoundStart(msgspec.Struct, frozen=True):
    """The beginning of a round."""

    at: int
    """The index of its first entry among those that stand."""
    title: str


class DownMark(msgspec.Struct, frozen=True):
    """The moment at which a combatant went down."""

    at: int
    """The index of its entry among those that stand."""
    condition: str
    """The last condition of those that kept the combatant down."""
    is_lasting: bool
    """Whether the combatant was not up again since."""


class Scale(msgspec.Struct, frozen=True):
    """Maps the record to coordinates: each round is equally wide, its entries are evenly spaced."""

    starts: tuple[int, ...]
    """The indexes at which the rounds begin, and the index at which the last one ends."""
    lowest: int
    """The lowest health that is drawn, in percent."""

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.starts) - 1

    def x(self, at: int) -> float:
        """Returns the horizontal coordinate of an entry; before the first round and after the last one, the edge."""
        if at <= self.starts[0]:
            return 0
        if at >= self.starts[-1]:
            return WIDTH
        nth = bisect_right(self.starts, at) - 1
        begin, end = self.starts[nth], self.starts[nth + 1]
        return WIDTH * (nth + (at - begin) / (end - begin)) / self.rounds

    def y(self, percent: float) -> float:
        """Returns the vertical coordinate of a percentage of health."""
        return TOP + PLOT * (100 - max(self.lowest, percent)) / (100 - self.lowest)


def health_charts(
    series: Sequence[Series],
    rounds: Sequence[RoundStart],
    count: int,
    downs: Mapping[str, Sequence[DownMark]],
) -> Markup:
    """Returns a small chart for each combatant with health; nothing where there is none.

    Args:
        series: All tracks; of tracks without harm only the first of each combatant is drawn.
        rounds: The rounds of all fights; the last may be the time after a fight, which is not drawn.
        count: The number of standing entries.
        downs: For each combatant, the moments of going down.
    """
    drawn: dict[str, list[Series]] = {}
    for one in series:
        if (one.was_harmed or one.is_first) and any(point.capacity for point in one.points):
            drawn.setdefault(one.who, []).append(one)
    if not drawn:
        return Markup("")
    scale, labels = _scale(rounds, count, [one for some in drawn.values() for one in some])
    charts = (_chart(tracks, scale, labels, downs.get(who, ())) for who, tracks in drawn.items())
    return tag("div", *charts, class_="health")


def _scale(rounds: Sequence[RoundStart], count: int, series: Sequence[Series]) -> tuple[Scale, tuple[str, ...]]:
    """Returns the common scale, and the label of each round."""
    fought = [each for each in rounds if "round" in each.title.lower()]
    ends = [each.at for each in rounds if fought and each not in fought and each.at > fought[-1].at]
    end = max(1, min(ends, default=count - 1))
    if not fought:
        return Scale((0, end), _lowest(series)), ("",)
    starts = (*(each.at for each in fought), max(end, fought[-1].at + 1))
    return Scale(starts, _lowest(series)), tuple(each.title.rpartition(" ")[2] for each in fought)


def _lowest(series: Sequence[Series]) -> int:
    """Returns the bottom of the axis: 0, or lower in steps of 50 where a track is exceeded."""
    least = min((_percent(point) for one in series for point in one.points), default=0)
    return max(LOWEST, min(0, int(least // _STEP) * _STEP))


def _percent(point: Point) -> float:
    return 100 * (point.capacity - point.taken) / point.capacity if point.capacity else 100


def _chart(tracks: Sequence[Series], scale: Scale, labels: Sequence[str], downs: Sequence[DownMark]) -> Markup:
    parts = [*_grid(scale, labels)]
    parts += [_area(tracks[0], scale), *(_line(one, scale, nth) for nth, one in enumerate(tracks))]
    parts += (_mark(each, tracks[0], scale) for each in downs)
    box = f"0 0 {WIDTH} {TOP + PLOT + LABELS}"
    title = tag("title", _in_words(tracks, downs))
    drawing = tag("svg", title, *parts, viewBox=box, role="img", xmlns="http://www.w3.org/2000/svg")
    name = tag("b", tracks[0].name[:1].upper() + tracks[0].name[1:])
    keys = (_key(one, nth, is_only=len(tracks) == 1) for nth, one in enumerate(tracks))
    lasting = [each.condition.replace("_", " ") for each in downs if each.is_lasting]
    states = (tag("span", words, class_="down") for words in lasting)
    return tag("figure", tag("figcaption", name, " ", join([*keys, *states], " ")), drawing)


def _in_words(tracks: Sequence[Series], downs: Sequence[DownMark]) -> str:
    """Returns a chart in words, for readers who do not see it."""
    each = (f"{one.harm} " + ", ".join(f"{point.taken}/{point.capacity}" for point in one.points) for one in tracks)
    fell = "".join(f"; {mark.condition.replace('_', ' ')}" for mark in downs)
    return f"{tracks[0].name}: {'; '.join(each)}{fell}"


def _key(one: Series, nth: int, *, is_only: bool) -> Markup:
    """Returns the final figures of a track, with a sample of its line where there are several."""
    last = one.points[-1]
    words = f"{one.harm} {last.taken}/{last.capacity}"
    line = tag("path", d="M0 3H16", class_=f"line t{nth % _LOOKS}")
    sample = "" if is_only else tag("svg", line, viewBox="0 0 16 6", class_="sample", aria_hidden="true")
    return tag("span", sample, words, class_="key")


def _grid(scale: Scale, labels: Sequence[str]) -> Iterator[Markup]:
    """Yields full health, zero, the lowest health, the beginnings of rounds, and their numbers."""
    for percent in sorted({100, 0, scale.lowest}):
        y = _n(scale.y(percent))
        yield tag("line", x1=0, x2=WIDTH, y1=y, y2=y, class_="zero" if percent == 0 else "grid")
    every = -(-len(labels) // MOST_LABELS)
    for nth, label in enumerate(labels):
        x = WIDTH * nth / scale.rounds
        if nth:
            yield tag("line", x1=_n(x), x2=_n(x), y1=TOP, y2=TOP + PLOT, class_="grid")
        if label and nth % every == 0:
            middle = x + WIDTH / scale.rounds / 2
            yield tag("text", label, x=_n(middle), y=TOP + PLOT + LABELS - 3, class_="middle")


def _points(one: Series, scale: Scale) -> str:
    points = [(scale.x(point.at), scale.y(_percent(point))) for point in one.points]
    steps = "".join(f"H{_n(x)}V{_n(y)}" for x, y in points[1:])
    return f"M{_n(points[0][0])} {_n(points[0][1])}{steps}H{_n(scale.x(one.last))}"


def _area(one: Series, scale: Scale) -> Markup:
    """Returns the area between a track and zero."""
    zero, begin = _n(scale.y(0)), _n(scale.x(one.points[0].at))
    return tag("path", d=f"{_points(one, scale)}V{zero}H{begin}Z", class_="area")


def _line(one: Series, scale: Scale, nth: int) -> Markup:
    return tag("path", d=_points(one, scale), class_=f"line t{nth % _LOOKS}")


def _mark(mark: DownMark, one: Series, scale: Scale) -> Markup:
    """Returns a cross where a combatant goes down."""
    now = [point for point in one.points if point.at <= mark.at]
    x = min(WIDTH - 4, max(4, scale.x(mark.at)))
    y = scale.y(_percent(now[-1] if now else one.points[0]))
    return tag("path", d="M-3.5 -3.5L3.5 3.5M-3.5 3.5L3.5 -3.5", transform=f"translate({_n(x)} {_n(y)})", class_="mark")


def _n(number: float) -> str:
    """Formats a coordinate to a tenth, the same on every machine."""
    return f"{number:.1f}".removesuffix(".0")
