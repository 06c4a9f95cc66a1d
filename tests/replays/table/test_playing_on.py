"""Dice typed at a choice take its default and answer the roll that follows; `~~` plays an exchange out."""

import pytest
from nine_combatants import go_on, nine

from ledger.entry import Seat, Who
from replays.table.done import LineResult
from replays.table.table import Table

GM = Who("gm")


def at_defense(*, dice: str = "auto", who: Who = GM) -> Table:
    """A table of GURPS at which a goon has hit a player's character, who chooses a defense."""
    gm = nine("gurps_3e")
    for _ in range(60):
        rest = gm.question().rest
        if rest.by == "kade" and rest.options and rest.purpose != "what to do":
            return Table(gm.session, who, dice=dice, defaults="ask")
        is_goon = rest.by.startswith("thug") and rest.purpose == "what to do"
        gm.submit("kade fist" if is_goon else "3 3 4" if "hit" in rest.purpose else "~" if rest.dice else "")
    raise AssertionError("kade is never hit")


def told(result: LineResult) -> str:
    assert result.refused is None, result.refused
    return " ".join(result.done.lines)


def test_dice_at_a_choice_take_its_default_and_answer_the_roll_that_follows():
    at = at_defense()
    before = at.session.log.head

    said = told(at.submit("4 4 3"))

    assert said == "assumed kade: Dodge 6, retreating, as Enter takes it; 4 4 3 is for kade: dodge", said
    told(at.submit("undo"))
    told(at.submit("y"))
    assert at.session.log.head == before


@pytest.mark.parametrize("line", ["45", "7", "4 4", "kade 9 9 9", "fine 4 4 3"])
def test_dice_that_fit_no_roll_are_refused_and_nothing_is_taken(line):
    at = at_defense()
    before = at.session.log.head

    assert at.submit(line).refused is not None
    assert at.session.log.head == before


def test_numbers_that_are_an_option_and_dice_are_asked():
    at = at_defense()

    asked = at.submit("1 1 3")

    assert "1 1 3 as dice" in asked.done.asks
    assert "is for kade: dodge" in told(at.submit("y"))


def test_two_waves_play_an_exchange_out():
    at = at_defense()

    said = told(at.submit("~~"))

    assert said.startswith("assumed kade: Dodge 6"), said
    assert not at.session.combat.exchange.frames
    assert at.submit("~~").refused is not None


def test_a_player_plays_out_only_what_is_theirs():
    at = at_defense(dice="typed", who=Who("sam", Seat.PLAYER))

    told(at.submit("~~"))

    assert {entry.by.name for entry in at.session.log.entries(at.session.log.last - 1)} == {"sam"}


def test_dice_that_could_answer_several_rolls_are_refused_with_each():
    at = nine("eclipse_phase_1e")
    while go_on(at) != "kade":
        at.submit("end")
    at.submit("t1")
    before = at.session.log.last

    refused = at.submit("45").refused

    assert "45 could answer several rolls" in str(refused)
    assert "kade 45" in str(refused)
    assert at.session.log.last == before
    told(at.submit("kade 45"))
    assert "kade" not in {rest.by for rest in at.session.combat.rests if rest.dice}


def test_dice_at_a_choice_outside_an_exchange_take_no_default():
    at = Table(new_round(), GM)

    rest = at.question().rest
    assert rest.options
    assert at.submit("4h").refused is not None


def new_round():
    """A fight of Shadowrun at the first choice about Edge after initiative."""
    at = nine("shadowrun_4e")
    for _ in range(99):
        rest = at.question().rest
        if rest.options and rest.key.endswith("initiative/edge"):
            return at.session
        at.submit("~" if rest.dice else "")
    raise AssertionError("no initiative is rolled anew")
