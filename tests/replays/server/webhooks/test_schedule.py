"""Pauses after failures grow from a second to an hour; then a webhook is switched off."""

import pytest

from replays.server.webhooks.schedule import LONGEST, MOST_FAILURES, pause, reason_to_stop


def test_pauses_double_up_to_an_hour_and_take_about_a_day() -> None:
    pauses = [pause(failures, 0.5) for failures in range(1, MOST_FAILURES)]

    assert pauses[:5] == [1, 2, 4, 8, 16]
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST == 3600
    assert 20 * 3600 < sum(pauses) < 28 * 3600


@pytest.mark.parametrize(("chance", "seconds"), [(0.0, 0.75), (1.0, 1.25)])
def test_pauses_vary_by_a_quarter(chance: float, seconds: float) -> None:
    assert pause(1, chance) == seconds
    assert pause(10**6, chance) == LONGEST * seconds


def test_a_receiver_may_ask_for_a_longer_pause_up_to_an_hour() -> None:
    assert [pause(1, 0.5, asked) for asked in (0.0, 0.5, 30.0, 10**9)] == [1, 1, 30, 3600]


def test_a_webhook_is_switched_off_by_410_or_after_too_many_failures() -> None:
    assert reason_to_stop(410, 1) == "the receiver answered 410 Gone"
    assert reason_to_stop(500, MOST_FAILURES - 1) == ""
    assert reason_to_stop(0, MOST_FAILURES) == "36 failures in a row"
