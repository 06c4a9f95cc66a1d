"""What a word of the table comes to, and the questions that it may ask before."""

from collections.abc import Callable

import msgspec

from replays.audit.why import Why
from replays.corrections.diff import Report
from replays.views.frames import Frame

YES, NO = ("y", "yes"), ("", "n", "no")
NOTHING = "nothing is changed"


class VerbResult(msgspec.Struct, frozen=True):
    """What a word did, beside what it wrote."""

    lines: tuple[str, ...] = ()
    why: Why | None = None
    report: Report | None = None
    frames: tuple[Frame, ...] = ()
    shows: str = ""
    """``state`` or ``options``, in full."""
    asks: str = ""
    """What is still to be said, in the next line."""
    then: Callable[[str], "VerbResult"] | None = None
    over: bool = False


def with_reason(reason: str, do: Callable[[str], VerbResult]) -> VerbResult:
    """The reason goes on record; where none was given it is asked for, and may be left out."""
    return do(reason) if reason else VerbResult(asks="why", then=do)


def after_confirmation(report: Report, asks: str, write: Callable[[], VerbResult]) -> VerbResult:
    """Shows what would come of a correction, and writes it where somebody says yes.

    Args:
        report: The preview.
        asks: The question.
        write: Writes it, or asks again where the preview is out of date.
    """

    def decided(answer: str) -> VerbResult:
        return write() if answer.lower() in YES else VerbResult((NOTHING,))

    return VerbResult(report=report, asks=f"{asks} y/n", then=decided)
