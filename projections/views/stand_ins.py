"""Drops stand-ins: events that replace others for viewers who may not see these.

A stand-in is directly before the event that it replaces: empty dice, an option without its target, a condition without
its level, an initiative or a sum without its hidden parts, an overruling without its reason. A viewer who may see the
event itself reads only that event.
"""

from collections.abc import Iterable

from ledger.events import (
    ChoiceRequested,
    Chosen,
    ConditionGained,
    DiceRolled,
    DiceTold,
    Event,
    FigureFound,
    InitiativeScored,
    Overruled,
    Rewound,
    TestResolved,
)

HIDDEN = "hidden"
"""The figure of a roll that replaces all its hidden parts: their sum, or empty."""
RESULT = "result"
"""The figure of a roll that replaces a test with a hidden part."""
_KINDS = frozenset(
    {
        ChoiceRequested, Chosen, ConditionGained, DiceRolled, FigureFound, InitiativeScored, Overruled, Rewound,
    }
)  # fmt: skip
"""The kinds of events that may be stand-ins."""


def without_stand_ins(events: Iterable[Event]) -> list[Event]:
    """Returns the visible events of an entry without stand-ins whose event is visible, too."""
    shown = list(events)
    return [
        event
        for place, event in enumerate(shown)
        if type(event) not in _KINDS or not _is_stand_in(event, shown[place + 1 : place + 3])
    ]


def _is_stand_in(event: Event, following: list[Event]) -> bool:
    """Returns whether an event is a stand-in for one of those that follow it directly."""
    if (
        isinstance(event, FigureFound) and event.name == HIDDEN
    ):  # the sum of the known parts follows, then the whole sum
        match following:
            case [FigureFound() as known, FigureFound() as whole]:
                return known.name == whole.name and known.key == whole.key == event.key
            case _:
                return False
    return bool(following) and _stands_for(event, following[0])


def _stands_for(event: Event, other: Event) -> bool:
    """Returns whether an event is a stand-in for another one."""
    match event, other:
        case DiceRolled(faces=()), DiceRolled() | DiceTold():
            return event.key == other.key
        case Chosen(option=""), Chosen():
            return event.key == other.key
        case ChoiceRequested(), ChoiceRequested():
            return event.key == other.key and all(option.target is None for option in event.options)
        case ConditionGained(level=None), ConditionGained():
            return (event.who, event.condition) == (other.who, other.condition) and other.level is not None
        case InitiativeScored(), InitiativeScored():
            return (event.who, event.score, event.key) == (other.who, other.score, other.key) and _is_partial(event)
        case FigureFound(name="result"), TestResolved() | Overruled():
            return event.key == other.key
        case Overruled(why=""), Overruled():
            return (event.key, event.figure) == (other.key, other.figure)
        case Rewound(why=""), Rewound():
            return event.to == other.to
        case FigureFound(), FigureFound():
            return (event.key, event.name) == (other.key, other.name) and _is_partial(event)
        case FigureFound(), Overruled():
            says = (other.key, other.figure, other.gm_says, other.why)
            return (event.key, event.name, event.value, event.why) == says
        case _:
            return False


def _is_partial(event: FigureFound | InitiativeScored) -> bool:
    """Returns whether the reason of an event ends with the word for hidden parts, as `PARTLY` does."""
    return event.why.rpartition(" ")[2] == HIDDEN


PARTLY = "and what is hidden"
"""The end of the reason of a sum that leaves out hidden parts."""
