"""Reports: a fight as a page to print or send, for one seat.

>>> from replays.player import perform
>>> from replays.report import report
>>> from replays.script import find, read
>>> session = perform(read(find("stoya")[1]))
>>> report(session.log).startswith("<!DOCTYPE html>")
True
"""

from ledger.audience import EVERYTHING, Viewer
from replays.log import Log
from replays.report.gathering import gather
from replays.report.model import Report
from replays.report.page import page

__all__ = ("Report", "gather", "page", "report")


def report(log: Log, eyes: Viewer = EVERYTHING, seat: str = "gm") -> str:
    """A session as one self-contained page of HTML, without script; the same bytes for the same record.

    Args:
        log: The session.
        eyes: Whose view it is; what they may not see is in no byte of it.
        seat: For whom it is, as the page says it.
    """
    return page(gather(log, eyes, seat))
