"""At an open choice the odds are those after its default, or after the option that is given."""

import pytest
from nine_combatants import FIVE, FOUR, NINE, go_on, nine

from ledger.commands import Choose
from ledger.errors import Refused
from replays.odds.odds import odds
from replays.table.table import Table


def at_a_defense(game: str) -> Table | None:
    """The table at which a combatant chooses a defense against the first attack; None if the attack asks for none."""
    at = nine(game)
    who = go_on(at)
    assert at.submit(FIVE[0] if who in FOUR else FOUR[0]).refused is None
    for _ in range(4):
        rest = at.question().rest
        if rest is not None and rest.options:
            return at
        at.submit("~")
    return None


@pytest.mark.parametrize("game", NINE)
def test_odds_at_a_choice_are_those_after_the_option(game: str) -> None:
    at = at_a_defense(game)
    assert at is not None
    rest = at.question().rest
    options = [each.option for each in rest.options]
    before = {
        option: odds(at.game, at.session.combat, choices={rest.key: option}, budget=30, samples=40)
        for option in options
        if is_legal(at, rest.key, option)
    }
    default = odds(at.game, at.session.combat, budget=30, samples=40)

    assert default.outcome == before[rest.default or next(iter(before))].outcome
    assert any(each.key == rest.key for each in default.assumed)
    for option, found in before.items():
        session = at.session
        head = session.log.head
        session.perform(Choose(rest.key, option), by=at.who)
        if any(each.dice for each in session.combat.rests):
            after = odds(at.game, session.combat, budget=30, samples=40)
            assert (after.exact, after.outcome, after.harm) == (found.exact, found.outcome, found.harm)
        session.rewind(head, by=at.who)


def is_legal(at: Table, key: str, option: str) -> bool:
    try:
        at.check(Choose(key, option))
    except Refused:
        return False
    return True
