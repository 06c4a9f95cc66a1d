"""What a word of the table comes to, and the questions that it may ask before."""

from collections.abc import Callable

import msgspec

from replays.audit.why import Why
from replays.corrections.diff import Report
from replays.views.frames import ReplayFrame

YES, NO = ("y", "yes"), ("", "n", "no")
NOTHING = "nothing is changed"


class Done(msgspec.Struct, frozen=True):
    """What a word did, beside what it wrote."""

    lines: tuple[str, ...] = ()
    why: Why | None = None
    report: Report | None = None
    frames: tuple[ReplayFrame, ...] = ()
    shows: str = ""
    """``state`` or ``options``, in full."""
    asks: str = ""
    """What is still to be said, in the next line."""
    then: Callable[[str], "Done"] | None = None
    over: bool = False


def because(reason: str, do: Callable[[str], Done]) -> Done:
    """The reason goes on record; where none was given it is asked for, and may be left out."""
    return do(reason) if reason else Done(asks="why", then=do)


def agreed(report: Report, asks: str, write: Callable[[], Done]) -> Done:
    """Shows what would come of a correction, and writes it where somebody says yes.

    Args:
        report: The preview.
        asks: The question.
        write: Writes it, or asks again where the preview is out of date.
    """

    def decided(answer: str) -> Done:
        return write() if answer.lower() in YES else Done((NOTHING,))

    return Done(report=report, asks=f"{asks} y/n", then=decided)
