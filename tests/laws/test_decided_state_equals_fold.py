"""The state that `decided` returns equals the fold of its events, for every command and every audience."""

from hypothesis import given
from strategies import fights

from ledger.commands import OpenSession
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide, decided
from projections.combat import fold
from replays.corrections.recorded_answers import underlying


@given(fights(secrets=True, most=30))
def test_the_returned_state_equals_the_fold_of_the_events(fight) -> None:
    log = fight.session.log
    for entry in log.entries():
        command, overrules = underlying(entry, log.entry)
        before = log.state(entry.after)
        game = ruleset(command.ruleset if isinstance(command, OpenSession) else before.session.ruleset)

        events, after = decided(game, before, command, overrules)

        assert decide(game, before, command, overrules) == events
        assert fold(events, before) == after
