"""Writes the tracker as an HTML table."""

from collections.abc import Sequence

from projections.views.document import ConditionView, ResourceView, TrackView
from replays.exports.report.markup import Markup, join, tag, text
from replays.exports.report.tracker import TrackerRow

_COUNTED = "Counted"
"""Its title is the game's word for its first counter, such as wounds."""
_COLUMNS = ("Who", "Initiative", "Harm", _COUNTED, "Conditions", "Resources")
_NUMBERS = ("Initiative", _COUNTED)


def tracker(rows: Sequence[TrackerRow], caption: str) -> Markup:
    """Returns a table of the combatants' tracks, wounds, conditions and resources, without empty columns.

    Args:
        rows: The combatants in the order of acting.
        caption: The time that the table shows.
    """
    if not rows:
        return Markup("")
    cells, counters = [_cells(row) for row in rows], rows[0].words.counters
    titles = [counters[0].capitalize() if name == _COUNTED and counters else name for name in _COLUMNS]
    shown = [place for place in range(len(_COLUMNS)) if any(row[place] for row in cells)]
    head = tag("thead", tag("tr", *(tag("th", titles[place], class_=_class(place)) for place in shown)))
    lines = (tag("tr", *(tag("td", row[place], class_=_class(place)) for place in shown)) for row in cells)
    return tag("div", tag("table", tag("caption", caption), head, tag("tbody", *lines)), class_="wide")


def _class(place: int) -> str | None:
    return "number" if _COLUMNS[place] in _NUMBERS else "who" if place == 0 else None


def _cells(row: TrackerRow) -> list[Markup]:
    one = row.one
    first = next(iter(one.tracks), "")
    tracks = [(name, track) for name, track in one.tracks.items() if track.taken or name == first]
    counted = [(word, one.count(word)) for word in row.words.counters if one.count(word)]
    return [
        text(one.name[:1].upper() + one.name[1:]),
        text("" if row.score is None else row.score),
        join(_track(row.words.harm(name), track) for name, track in tracks),
        text(", ".join(f"{count}" if word == row.words.counters[0] else f"{count} {word}" for word, count in counted)),
        text(", ".join(map(_condition, one.conditions))),
        text(", ".join(f"{name.replace('_', ' ')} {_left(each)}" for name, each in one.resources.items())),
    ]


def _track(name: str, track: TrackView) -> Markup:
    words = f"{name} {track.taken}/{track.capacity}" if track.capacity else f"{name} {track.taken}"
    return tag("span", _bar(track), words, class_="track")


def _bar(track: TrackView) -> Markup:
    """Returns a drawn bar of how much of a track is taken; it prints without backgrounds."""
    if not track.capacity:
        return Markup("")
    full = min(60, -(-track.taken * 60 // track.capacity))
    edge = tag("rect", x=0.5, y=0.5, width=60, height=8, class_="edge")
    inside = tag("rect", x=0.5, y=0.5, width=full, height=8, class_="full") if full else ""
    return tag("svg", edge, inside, viewBox="0 0 61 9", class_="bar", aria_hidden="true")


def _condition(each: ConditionView) -> str:
    level = f" {each.level}" if each.level is not None else ""
    return each.name.replace("_", " ") + level + (f" (until {each.until})" if each.until else "")


def _left(each: ResourceView) -> str:
    return f"{each.left}/{each.of}"
