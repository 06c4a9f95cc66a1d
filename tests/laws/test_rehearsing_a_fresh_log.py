"""Rehearsing a fresh log finds nothing."""

from hypothesis import given
from strategies import fights

from replays.corrections.redecide import rehearse


@given(fights(secrets=True))
def test_todays_rules_decide_a_fresh_log_identically(fight) -> None:
    assert list(rehearse(fight.session.log)) == []
