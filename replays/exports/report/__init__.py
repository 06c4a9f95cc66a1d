"""Reports: a fight as a page to print or send, for one seat.

>>> from replays.api.run_script import perform
>>> from replays.exports.report import report
>>> from replays.scripts.format import find_script, read
>>> session = perform(read(find_script("stoya")[1]))
>>> report(session.log).startswith("<!DOCTYPE html>")
True
"""

from ledger.audience import EVERYTHING, Viewer
from replays.exports.report.gathering import gather
from replays.exports.report.model import Report
from replays.exports.report.page import page
from replays.sessions.log import Log

__all__ = ("Report", "gather", "page", "report")


def report(log: Log, eyes: Viewer = EVERYTHING, seat: str = "gm") -> str:
    """A session as one self-contained page of HTML, without script; the same bytes for the same record.

    Args:
        log: The session.
        eyes: Whose view it is; what they may not see is in no byte of it.
        seat: For whom it is, as the page says it.
    """
    return page(gather(log, eyes, seat))
