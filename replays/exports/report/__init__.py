"""Reports a fight as a page to print or send, for one seat.

>>> from replays.api.run_script import perform
>>> from replays.exports.report import report
>>> from replays.scripts.format import find_script, read
>>> session = perform(read(find_script("stoya")[1]))
>>> report(session.log).startswith("<!DOCTYPE html>")
True
"""

from ledger.audience import EVERYTHING, Viewer
from replays.exports.recap.turning_points import RUNS
from replays.exports.report.gathering import gather
from replays.exports.report.model import FightReport
from replays.exports.report.page import page
from replays.sessions.log import Log

__all__ = ("FightReport", "gather", "page", "report")


def report(log: Log, eyes: Viewer = EVERYTHING, seat: str = "gm", runs: int = RUNS) -> str:
    """Returns a session as one self-contained HTML page without scripts; the same bytes for the same record.

    Args:
        log: The session's log.
        eyes: The viewer; no byte of the page depends on what is hidden from them.
        seat: The seat's name on the page.
        runs: Runs of the rules for the recap's turning points.
    """
    return page(gather(log, eyes, seat, runs))
