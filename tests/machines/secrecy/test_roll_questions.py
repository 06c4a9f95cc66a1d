"""A question about a roll, such as for a point of Moxie, has the audience of the roll, the sheet and the parts of the sum."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from secret_fights import BAD, HIDDEN, eyes, met, strike, until, waits_for

from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import ApplyModifier, Choose, TypeDice
from ledger.dice import parse
from ledger.entry import Seat
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from machines.secrecy import roll_questions
from machines.secrecy.roll_questions import is_known
from projections.combat import Combat, fold
from projections.path import Rest
from projections.views.seen import shown
from replays.api.session import Session
from replays.exports import documents

QUESTIONS = {"eclipse_phase_1e": "moxie", "eclipse_phase_2e": "pool", "shadowrun_4e": "edge"}
PLAIN = {"moxie": "a point of Moxie?", "pool": "a point of a pool?", "edge": "a point of Edge?"}
POINTS: Mapping[str, Mapping[str, Any]] = {
    "eclipse_phase_1e": {"moxie": 3},
    "eclipse_phase_2e": {"pools": {"vigor": 2}},
    "shadowrun_4e": {"edge": 3},
}
TWO_ROLLS = {
    "eclipse_phase_1e": ((12,), (13,)), "eclipse_phase_2e": ((12,), (13,)),
    "shadowrun_4e": ((5, 5, 5, 5, 5), (5, 5, 5, 5, 1)),
}  # fmt: skip
"""Faces of a blow that succeeds, so that its question is asked."""
ONLOOKER = Viewer(Seat.SPECTATOR)


ROLL = "r1/bob/a1/attack/to-hit"
THROWN = (
    e.CombatantJoined("bob", "Bob", "kira", False), e.RollRequested(ROLL, "bob", "1d100", "to hit", "r1/bob/a1/attack"),
)  # fmt: skip
QUESTION = e.ChoiceRequested(f"{ROLL}/moxie", "bob", (e.Option("pass", "pass"),), "pass", "7 against 40")


def so(*events: e.Event, **policies: str) -> Combat:
    """Returns the state after a roll of Bob and further events."""
    combat = fold((*THROWN, *events))
    return msgspec.structs.replace(combat, session=msgspec.structs.replace(combat.session, policies=policies))


def parts(seen_by: e.Audience) -> list[e.Event]:
    """Returns the sum of Bob's roll, each part with an audience."""
    figures = (e.FigureFound(ROLL, name, 40, "", "", "exchange", "bob", seen_by=seen_by) for name in ("base", "target"))
    return [e.ModifierApplied(ROLL, -5, "sand in the eyes", "", seen_by=seen_by), *figures]


@pytest.mark.parametrize("part", parts(HIDDEN), ids=["modifier", "base", "target"])
def test_a_sum_is_known_whole_where_no_part_is_hidden_or_parts_are_shown_with_their_value(part: e.Event) -> None:
    assert is_known(so(), ROLL) is True
    assert is_known(so(part), ROLL) is False
    assert is_known(so(part, hidden_parts="value"), ROLL) is True


@pytest.mark.parametrize("part", parts(("bob",)), ids=["modifier", "base", "target"])
def test_a_part_hides_nothing_from_those_who_see_the_sheet_where_they_see_the_part(part: e.Event) -> None:
    sheet = e.SheetGiven("bob", {}, seen_by=("bob",))

    assert is_known(so(sheet, part), ROLL) is True
    assert is_known(so(part), ROLL) is False


def test_what_a_roll_came_to_is_for_those_who_see_the_sheet_and_all_dice_that_were_thrown_for_it() -> None:
    rolls = {
        ROLL: ("ann", "bob", "cem"), f"{ROLL}/again": ("ann", "bob", "dan"), f"{ROLL}-2": HIDDEN, "r1/bob": HIDDEN,
    }  # fmt: skip

    assert roll_questions.audience(ROLL, ("bob",), {}) == ("bob",)
    assert roll_questions.audience(ROLL, None, {}) is None
    assert roll_questions.audience(ROLL, None, rolls) == ("ann", "bob")
    assert roll_questions.audience(ROLL, ("bob", "eve"), rolls) == ("bob",)


def test_an_answer_is_secret_only_where_it_is_to_a_question_about_a_roll() -> None:
    sheet = e.SheetGiven("bob", {}, seen_by=("bob",))
    about_nothing = e.ChoiceRequested("r1/bob/p1/act", "bob", QUESTION.options, "pass", "what?")

    assert roll_questions.of_command(Choose(QUESTION.key, "pass"), so(sheet, QUESTION)) == ("bob",)
    assert roll_questions.of_command(Choose(QUESTION.key, "pass"), so(QUESTION)) is None
    assert roll_questions.of_command(Choose(QUESTION.key, "pass"), so(sheet)) is None
    assert roll_questions.of_command(Choose(about_nothing.key, "pass"), so(sheet, about_nothing)) is None


# ------------------------------------------------------------------------------------------------ in a fight


def asked(
    game: str, by: str, faces: tuple[int, ...], *, sheet: tuple[str, ...] | None = None,
    roll: tuple[str, ...] | None = HIDDEN,
) -> tuple[Session, Rest]:  # fmt: skip
    """Plays a blow until the table waits for the question about its roll."""
    session = met(game, sheet, villain=POINTS[game], bob=POINTS[game])
    key = strike(session, by)
    until(session, waits_for(session, "to-hit"))
    rest = next(rest for rest in session.rests if rest.key == f"{key}/to-hit")
    sides = parse(rest.dice).sides
    session.perform(TypeDice(rest.key, (*faces[: len(sides)], *(1 for _ in sides[len(faces) :])), seen_by=roll))
    _defend(session)
    return session, session.rests[0]


def _defend(session: Session) -> None:
    """Plays a failed defense, until the table waits for the question about the blow."""
    game = session.game.name
    until(session, lambda: f"/to-hit/{QUESTIONS[game]}" in session.rests[0].key, {"defend": BAD[game]})


def seen(session: Session, to: Viewer) -> list[Any]:
    """Returns the open rests, and every question and answer about a roll, that a seat sees."""
    told = [
        event
        for event in shown(map(session.log.disclosures.entry, session.entries()), to)
        if isinstance(event, e.ChoiceRequested | e.Chosen) and event.key.rpartition("/")[2] in PLAIN
    ]
    return [*map(str, session.state(eyes=to).rests), *map(str, told)]


@pytest.mark.parametrize("game", QUESTIONS)
@pytest.mark.parametrize("sheet", [None, HIDDEN], ids=["open sheet", "secret sheet"])
def test_players_see_that_a_question_about_a_secret_roll_is_asked_and_nothing_of_the_roll(
    game: str, sheet: tuple[str, ...] | None
) -> None:
    both = [asked(game, "villain", faces, sheet=sheet) for faces in TWO_ROLLS[game]]

    for session, rest in both:
        (public,) = (each for each in session.state(eyes=eyes(session)).rests if each["key"] == rest.key)
        assert public["purpose"] == PLAIN[QUESTIONS[game]] != rest.purpose
        assert [each["option"] for each in public["options"]] == ["pass"]
        assert len(rest.options) > 1
    (one, _), (other, _) = both
    assert seen(one, eyes(one)) == seen(other, eyes(other))
    assert seen(one, ONLOOKER) == seen(other, ONLOOKER)


@pytest.mark.parametrize("game", QUESTIONS)
def test_what_is_chosen_for_a_secret_roll_is_as_secret_as_it(game: str) -> None:
    session, rest = asked(game, "villain", TWO_ROLLS[game][0])
    chosen = rest.options[-1].option
    entry = session.perform(Choose(rest.key, chosen))

    told = [event for event in shown((entry,), eyes(session)) if isinstance(event, e.Chosen)]
    assert told == [e.Chosen(rest.key, "", "")]
    assert e.Chosen(rest.key, chosen, "", seen_by=HIDDEN) in entry.events
    assert documents.entry(session.log.disclosures.entry(entry), eyes(session), stands=True).command is None
    followed = {type(event): event.seen_by for event in entry.events}
    assert followed.get(e.StepEntered) is None


@pytest.mark.parametrize("game", QUESTIONS)
def test_the_same_is_decided_where_a_recorded_choice_is_decided_again(game: str) -> None:
    session, rest = asked(game, "villain", TWO_ROLLS[game][0])
    before = session.combat
    entry = session.perform(Choose(rest.key, rest.options[-1].option))

    assert decide(ruleset(game), before, entry.command) == entry.events


@pytest.mark.parametrize("game", QUESTIONS)
def test_whoever_may_see_the_roll_is_asked_with_its_numbers(game: str) -> None:
    session, rest = asked(game, "bob", TWO_ROLLS[game][0], roll=("bob",))
    mine = next(each for each in session.state(eyes=eyes(session)).rests if each["key"] == rest.key)

    assert (mine["purpose"], len(mine["options"])) == (rest.purpose, len(rest.options))
    assert PLAIN[QUESTIONS[game]] in str(session.state(eyes=ONLOOKER).rests)


@pytest.mark.parametrize("game", QUESTIONS)
def test_a_question_about_an_open_roll_is_asked_once_and_in_full(game: str) -> None:
    session, rest = asked(game, "bob", TWO_ROLLS[game][0], roll=None)

    questions = [
        event for entry in session.entries() for event in entry.events if getattr(event, "key", "") == rest.key
    ]
    assert [(event.purpose, event.seen_by) for event in questions] == [(rest.purpose, None)]
    assert rest.purpose != PLAIN[QUESTIONS[game]]


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e"])
@pytest.mark.parametrize("face", [12, 21, 31, 92])
def test_a_hidden_modifier_of_ones_own_roll_does_not_change_the_question_where_the_outcome_is_the_same(
    game: str, face: int
) -> None:
    by_outcome: dict[str, list[list[Any]]] = {}
    for modifier in (-50, -41, -40, -35, -30, -20, -10, -9, -1, 20):
        session, roll = _thrown(game, face, modifier)
        result = session.combat.rolls[roll].outcome
        by_outcome.setdefault(result, []).append(seen(session, eyes(session)))

    assert max(map(len, by_outcome.values())) > 1
    for outcomes in by_outcome.values():
        assert all(each == outcomes[0] for each in outcomes)


def _thrown(game: str, face: int, modifier: int) -> tuple[Session, str]:
    session = met(game, None, bob=POINTS[game])
    key = strike(session, "bob")
    until(session, waits_for(session, "to-hit"))
    session.perform(ApplyModifier(f"{key}/to-hit", modifier, "sand in the eyes", seen_by=HIDDEN))
    session.perform(TypeDice(f"{key}/to-hit", (face,)))
    until(session, lambda: not waits_for(session, "defend")(), {"defend": (92,)})
    return session, f"{key}/to-hit"
