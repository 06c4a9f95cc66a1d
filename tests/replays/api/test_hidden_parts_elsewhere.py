"""How a sum of which a part is hidden reads elsewhere: audit, luck, report, table, odds, overrulings."""

from typing import Any

import pytest
from secret_fights import (
    HIDDEN,
    KIRA,
    blow,
    eyes,
    lines,
    met,
    strike,
    until,
    waits_for,
)

from ledger import events as e
from ledger.commands import Adjust
from ledger.errors import Refused
from replays.api.session import GM, Session
from replays.exports.report.sums import sums
from replays.sessions.wording import wording
from replays.table.language.questions import question_for
from replays.views.seat_log import seen_log

VALUE = {"hidden_parts": "value"}


def partly_hidden(**policies: str) -> tuple[Session, str]:
    """Returns Kira's attack on a larger opponent with a secret sheet, and her roll's key: target 60, she sees 50."""
    session = met("eclipse_phase_2e", **policies)
    return session, f"{blow(session, 'bob')}/to-hit"


@pytest.mark.parametrize(("policies", "target", "outcome"), [({}, 50, "success"), (VALUE, 60, "success")])
def test_the_audit_has_the_sum_as_far_as_it_is_known(policies: dict[str, str], target: int, outcome: str) -> None:
    session, key = partly_hidden(**policies)

    hers = {one.key: one for one in session.audit(eyes=eyes(session)).rolls}[key]

    assert (hers.target, hers.outcome) == (target, outcome)
    assert (hers.rolled is None) == (not policies)
    assert not {"hidden", "result"} & {each.name for each in hers.figures}
    whole = {one.key: one for one in session.audit().rolls}[key]
    assert (whole.target, whole.outcome, whole.figures) == (60, "success", ())


def test_luck_measures_no_test_of_which_a_part_is_hidden() -> None:
    session, _ = partly_hidden()
    shown, _ = partly_hidden(**VALUE)

    assert session.luck(eyes(session)).successes == ()
    assert shown.luck(eyes(shown)).successes == ()  # the rules would have to look at the foe's sheet


@pytest.mark.parametrize(
    ("policies", "result"),
    [({}, "17 against what is partly hidden"), (VALUE, "17 against 60")],
    ids=["no value", "value"],
)
def test_the_report_has_one_line_for_what_is_hidden(policies: dict[str, str], result: str) -> None:
    session, key = partly_hidden(**policies)

    log = seen_log(session.log, eyes(session))
    hers = sums(log.entries(), wording(session.combat.session))[key]

    assert [(part.kind, part.value) for part in hers.parts] == [
        ("base", "50"), ("modifier", "+10" if policies else ""), ("target", "60" if policies else "50"),
        ("dice", "17"), ("result", "success"),
    ]  # fmt: skip
    assert hers.parts[1].why == "hidden"
    assert hers.parts[-1].why == result
    assert [part.why for part in sums(session.log.entries(), wording(session.combat.session))[key].parts][
        1
    ] == "large target"


def test_at_the_table_a_target_says_that_it_is_not_the_whole() -> None:
    session = met("eclipse_phase_2e")
    strike(session, "bob")
    until(session, waits_for(session, "to-hit"))

    (roll,) = question_for(session, session.seen(eyes(session)), KIRA).rolls

    assert roll.words == "bob: hit with knife, 1d100 against 50 and what is hidden"
    (whole, *_) = question_for(session, session.combat, GM).rolls
    assert whole.words == "bob: hit with knife, 1d100 against 60"


def test_a_player_cannot_reckon_the_odds_of_what_is_partly_hidden() -> None:
    session = met("eclipse_phase_2e")
    strike(session, "bob")
    until(session, waits_for(session, "to-hit"))

    with pytest.raises(Refused) as refusal:
        session.odds("to-hit", eyes=eyes(session))

    assert refusal.value.slug == "odds/secret"
    assert session.odds("to-hit").outcome


def test_the_gamemaster_reckons_the_odds_of_sums_that_hang_on_dice_and_on_what_is_hidden() -> None:
    odds = []
    for seen_by in (None, HIDDEN):
        session = met("eclipse_phase_1e", None, **VALUE)
        until(session, lambda session=session: session.combat.turn.who is not None)
        session.perform(Adjust("bob", "conditions.shocked", 20, "a slow poison", seen_by=seen_by))
        strike(session)
        until(session, waits_for(session, "to-hit"))
        found = session.odds("to-hit")
        odds.append((found.outcome, found.tests, found.harm))

    assert odds[0] == odds[1]


@pytest.mark.parametrize("figure", ["outcome", "target"])
def test_the_gamemasters_word_on_a_sum_with_a_hidden_part_is_what_the_player_sees(figure: str) -> None:
    session, key = partly_hidden()
    says: Any = {"outcome": "failure", "target": 10}[figure]

    session.overrule(key, figure, says, why="it is dark")

    hers = session.why(key, eyes(session)).parts
    name = {"outcome": "result", "target": "target"}[figure]
    assert [part.value for part in hers if part.what == name][-1] == says
    assert not any("60" in line or "rule says" in line for line in lines(session.why(key, eyes(session))))
    assert any(f"{figure} overruled" == part.what for part in session.why(key).parts)


@pytest.mark.parametrize(("figure", "says"), [("outcome", "failure"), ("margin", -1)])
def test_the_gamemasters_word_on_a_secret_roll_of_an_open_sheet_is_as_secret_as_the_roll(
    figure: str, says: Any
) -> None:
    session = met("eclipse_phase_1e", None)
    key = f"{blow(session, secret=('villain',))}/to-hit"

    session.overrule(key, figure, says, why="it is dark")

    hers = session.why(key, eyes(session)).parts
    assert {part.what for part in hers} == {"base", "target", "dice"}
    assert any(f"{figure} overruled" == part.what for part in session.why(key).parts)


def test_the_gamemasters_word_on_the_target_of_a_secret_roll_of_an_open_sheet_is_shown_as_the_target_is() -> None:
    session = met("eclipse_phase_1e", None)
    key = f"{blow(session, secret=('villain',))}/to-hit"

    session.overrule(key, "target", 90, why="it is light")

    assert "target overruled" in {part.what for part in session.why(key, eyes(session)).parts}


@pytest.mark.parametrize(("figure", "says"), [("outcome", "critical glitch"), ("net hits", 7), ("hits", 7)])
def test_the_gamemasters_word_on_the_hits_of_a_secret_roll_is_as_secret_as_the_roll(figure: str, says: Any) -> None:
    session = met("shadowrun_4e", None)
    key = f"{blow(session, secret=('villain',))}/to-hit"

    session.overrule(key, figure, says, why="it is dark")

    hers = session.why(key, eyes(session)).parts
    assert {part.what for part in hers} == {"base", "modifier", "pool", "dice"}
    assert not [
        event
        for entry in seen_log(session.log, eyes(session)).entries()
        for event in entry.events
        if getattr(event, "key", "") == key and isinstance(event, e.Overruled | e.TestResolved)
    ]
    assert any(f"{figure} overruled" == part.what for part in session.why(key).parts)


@pytest.mark.parametrize(
    ("by", "role", "hits"), [("bob", "to-hit", 2), ("villain", "defend", 2)], ids=["attack", "defense"]
)
def test_the_gamemasters_word_on_the_hits_of_ones_own_dice_is_shown_though_parts_are_hidden(
    by: str, role: str, hits: int
) -> None:
    session = met("shadowrun_4e")
    key = f"{blow(session, by)}/{role}"

    session.overrule(key, "hits", hits, why="misread")

    hers = lines(session.why(key, eyes(session)))
    said = [line for line in hers if line.startswith("hits overruled")]
    assert said == [line for line in lines(session.why(key)) if line.startswith("hits overruled")]
    assert len(said) == 1
    assert "hidden" not in said[0]
    assert hers[-1].startswith("result | ")
    assert f"| {hits} " in hers[-1]
