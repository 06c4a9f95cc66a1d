"""Refusals that named a wrong reason, or what would not have been accepted: each with its present text."""

import pytest

from ledger.entry import Seat, Who
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.table.table import Table

GM = Who("gm", Seat.GM)


def table(game: str, *bring: str, begun: bool = True) -> Table:
    """Returns a table at which a fight has begun."""
    made = Table(Session.create(MemoryStore(), ruleset=game, by=GM), GM)
    made.add(bring)
    if begun:
        assert not made.submit("begin").refused
    return made


def refusal(at: Table, line: str) -> str:
    """Returns the text of the refusal of a line."""
    refused = at.submit(line).refused
    assert refused is not None
    return str(refused)


@pytest.fixture
def acting() -> Table:
    """Returns a table at which an async acts, against a machine and a living body."""
    made = table("eclipse_phase_1e", "ann=async@/heroes", "synth=security-synth", "bob=thug")
    assert not made.submit("1 2 3").refused
    return made


def test_a_combatant_who_has_a_roll_to_make_is_not_sent_to_wait_for_itself() -> None:
    at = table("eclipse_phase_1e", "kade=assassin", "bob=thug")

    assert refusal(at, "kade: attack bob vibroblade") == (
        "turn/not-yours: kade must answer an open roll first (accepted: its dice)"
    )


def test_whose_answer_is_missing_is_named(acting: Table) -> None:
    assert not acting.submit("attack bob psychic stab").refused
    assert refusal(acting, "ann: attack bob unarmed") == (
        "turn/not-yours: it is not ann's turn to act (accepted: an answer of bob)"
    )


def test_the_reason_of_the_rules_is_named_and_not_other_attacks(acting: Table) -> None:
    expected = "action/impossible: synth has a machine for a mind (accepted: biomorphs and pods)"

    assert refusal(acting, "attack synth psychic stab") == expected
    assert refusal(acting, "synth psychic stab").endswith(
        "synth has a machine for a mind (accepted: biomorphs and pods)"
    )


def test_several_answers_that_are_for_no_open_roll_are_named() -> None:
    at = table("eclipse_phase_1e", "kade=assassin", "bob=thug")

    assert refusal(at, "lena 45 zed 7") == (
        "table/not-understood: none of lena, zed has an open roll (accepted: kade, bob)"
    )
    partly = at.submit("lena 45 kade 3")
    assert not partly.refused
    assert partly.done is not None
    assert partly.done.lines == ("✗ lena 45: dice/not-asked-for: 'lena' means no open roll (accepted: kade, bob)",)


def test_faces_with_a_sign_are_no_modifier() -> None:
    at = table("gurps_3e", "ann=swordsman", "bob=guard")
    assert not at.submit("attack bob swing").refused
    entries = at.session.log.last

    assert refusal(at, "-5 3 4") == (
        "table/not-understood: '-5 3 4' is neither faces nor a modifier: faces have no sign, and a modifier has a reason "
        "in words (accepted: the faces, or -5 WHY)"
    )
    assert at.session.log.last == entries
    assert not at.submit("-5 smoke").refused


@pytest.mark.parametrize("word", ["true", "True", "yes"])
def test_true_is_accepted_where_it_is_named_as_accepted(word: str) -> None:
    at = table("gurps_3e", "ann=swordsman", "bob=guard")

    assert not at.submit(f"attack bob swing wild={word}").refused


def test_a_word_that_is_true_nowhere_names_the_words_of_its_field() -> None:
    assert refusal(table("gurps_3e", "ann=swordsman", "bob=guard"), "attack bob swing wild=maybe") == (
        "terms/invalid: attack: wild: 'maybe' is not accepted (accepted: true or false)"
    )
    assert refusal(table("gurps_3e", "ann=swordsman", "bob=guard"), "attack bob swing all_out=true") == (
        "terms/invalid: attack: all_out: 'true' is not accepted (accepted: to_hit, damage, two_attacks, feint)"
    )


def test_a_brief_name_that_fits_nobody_is_refused_with_the_targets(acting: Table) -> None:
    assert refusal(acting, "t9") == "choice/not-offered: 't9' names no target (accepted: bob, synth)"


def test_odds_before_an_attack_is_typed_say_how_to_ask_for_them(acting: Table) -> None:
    assert refusal(acting, "?").endswith("no roll is open (accepted: an attack, such as ? bob)")
