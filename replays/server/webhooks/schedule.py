"""Decides when a failed message is sent again, and when a webhook is switched off."""

FIRST = 1.0
"""Seconds until the second attempt; each further pause is twice as long."""
LONGEST = 3_600.0
"""Maximum seconds between two attempts."""
MOST_FAILURES = 36
"""Number of failures in a row after which a webhook is switched off: this takes about a day."""
GONE = 410
"""The status with which a receiver switches a webhook off."""


def pause(failures: int, chance: float, asked: float = 0.0) -> float:
    """Returns the seconds until the next attempt.

    Args:
        failures: Number of failures in a row; at least 1.
        chance: A random number from 0 to 1. It varies the pause by a quarter, so that webhooks of one receiver do not
            all come back at the same moment.
        asked: Seconds that the receiver has asked for (``Retry-After``).
    """
    planned = min(LONGEST, FIRST * 2.0 ** min(failures - 1, 30)) * (0.75 + 0.5 * chance)
    return max(planned, min(asked, LONGEST))


def reason_to_stop(status: int, failures: int) -> str:
    """Returns why a webhook is switched off after a failure; empty if it is tried again.

    Args:
        status: The HTTP status; 0 if there was none.
        failures: Number of failures in a row.
    """
    if status == GONE:
        return "the receiver answered 410 Gone"
    return f"{failures} failures in a row" if failures >= MOST_FAILURES else ""
