"""Combatants have sides: enemies come first wherever targets are listed, and menus keep their order."""

from collections.abc import Sequence

import pytest
from nine_combatants import FIVE, FOUR, GM, NINE, go_on, nine
from strategies import clock

from ledger.commands import Adjust, Choose, Declare, Leave
from ledger.errors import Refused
from replays.api.session import Session
from replays.table.language.questions import AnswerOption
from replays.table.table import Table


def targets(answers: Sequence[AnswerOption], kind: str = "attack") -> list[str]:
    found = [each.command for each in answers if isinstance(each.command, Declare) and each.command.kind == kind]
    return [str(each.terms["at"]) for each in found if "at" in each.terms]


@pytest.mark.parametrize("game", NINE)
def test_all_players_are_on_one_side_and_the_gamemasters_combatants_on_the_other(game: str) -> None:
    at = nine(game)
    roster = at.session.combat.roster
    assert {roster.side_of(who) for who in FOUR} == {"players"}
    assert {roster.side_of(who) for who in FIVE} == {"gamemaster"}


@pytest.mark.parametrize("game", NINE)
def test_enemies_come_first_in_every_list_of_targets_and_menus_keep_their_order(game: str) -> None:
    at, seen = nine(game), set()
    for _ in range(12):
        who = go_on(at)
        enemies = FIVE if who in FOUR else FOUR
        named = targets(at.question().legal)
        if named and who not in seen:
            assert named[: len(enemies)] == enemies, who
            aimed = targets(at.question().legal, "aim")
            assert aimed[: len(enemies)] == (enemies if aimed else []), who
            seen.add(who)
        at.submit("end")
    assert {"thug-1", "lena"} <= seen


def test_sides_are_given_by_a_flag_in_the_word_for_a_combatant_and_on_a_sheet(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("ally.toml").write_text('name = "Ally"\nside = "players"\nst = 10\ndx = 10\niq = 10\nht = 10\n')
    at = Table(Session.create("memory://", ruleset="gurps_3e", clock=clock), GM)
    at.add(["guard:2", "x=guard@ben/red", "y=guard@/red", "ally.toml"], ["guard=blue", "Y=green"])
    roster = at.session.combat.roster
    assert {who: roster.side_of(who) for who in roster.who} == {
        "guard-1": "blue", "guard-2": "blue", "x": "red", "y": "green", "ally": "players",
    }  # fmt: skip
    assert roster["x"].player == "ben"
    assert roster["y"].player == "gm"


@pytest.mark.parametrize("side", ["thug", "=red", "nobody=red"])
def test_a_side_that_means_nothing_is_refused_and_nothing_is_added(side: str) -> None:
    at = Table(Session.create("memory://", ruleset="gurps_3e", clock=clock), GM)
    with pytest.raises(Refused, match=r"side|no combatant"):
        at.add(["thug=guard:2"], [side])
    assert not at.session.combat.roster.who


def test_a_given_side_makes_an_ally_of_the_gamemasters_combatant() -> None:
    at = nine("gurps_3e", ["thug-1=players"])
    at.session.perform(Leave("thug-2", "runs"))
    while (who := go_on(at)) not in FOUR:
        at.submit("end")
    named = list(dict.fromkeys(targets(at.question().legal)))
    assert named == ["thug-3", "thug-4", "thug-5", *(each for each in FOUR if each != who), "thug-1"]


@pytest.mark.parametrize("game", NINE)
def test_the_absent_and_the_dead_are_no_targets(game: str) -> None:
    at = nine(game)
    at.session.perform(Adjust("thug-2", "conditions.dead", 1, "falls from the roof"))
    at.session.perform(Leave("thug-3", "runs"))
    for _ in range(9):
        go_on(at)
        for each in at.question().answers:
            named = each.command.terms.values() if isinstance(each.command, Declare) else ()
            assert not {"thug-2", "thug-3"} & set(map(str, named)), each
        at.submit("end")


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e", "gurps_3e"])
def test_the_best_defense_is_the_default_and_has_its_target(game: str) -> None:
    at = nine(game)
    while (who := go_on(at)) not in FIVE:
        at.submit("end")
    at.submit("mira fist" if game == "gurps_3e" else "lena")
    for _ in range(9):
        if (rest := at.question().rest) is not None and rest.purpose == "how to defend":
            break
        at.submit("3 2 3")
    question = at.question()
    assert question.rest is not None
    assert question.rest.purpose == "how to defend", who
    best = max(each.target for each in question.legal if each.target is not None)
    assert question.enter is not None
    assert question.enter.target == best
    assert isinstance(question.enter.command, Choose)
