"""Audiences of each kind of event, with a secret sheet, a secret roll, or a secret command."""

from typing import Any

import msgspec
import pytest

from ledger import events as e
from ledger.commands import ApplyModifier, Choose, Command, Declare, DrawDice, Join, Note, TypeDice
from ledger.events import Audience, Event, Option
from machines.contract.ruleset import ruleset
from machines.secrecy.visibility import hide
from projections.combat import Combat, fold

GAME = ruleset("eclipse_phase_1e")
ANN, BOB, ROLL, KEY = "ann", "bob", "r1/ann/a1/attack/to-hit", "r1/ann/a1/attack"
OPEN = Note("in the open")
TO_GM: Audience = ()
JOINED = tuple(e.CombatantJoined(who, who, who, False) for who in (ANN, BOB))
ASKED = e.RollRequested(ROLL, ANN, "1d100", "hit", KEY)
PLAIN = fold((*JOINED, ASKED))


def with_sheet(who: str = ANN) -> Combat:
    """Returns a state in which a combatant's sheet is hidden from players."""
    return fold((e.SheetGiven(who, {}, seen_by=TO_GM),), fold(JOINED))


def with_roll() -> Combat:
    """Returns a state in which Ann's roll to hit was thrown in secret."""
    frame = e.Declared(KEY, "attack", ANN, {})
    return fold((frame, ASKED, e.DiceRolled(ROLL, (7,), ("typed",), seen_by=TO_GM)), fold(JOINED))


def seen(event: Event, before: Combat, command: Command = OPEN, beside: tuple[Event, ...] = ()) -> Audience:
    """Returns the audience of an event; of one with a public twin its own, not the twin's."""
    told = hide((*beside, event), command, before, GAME)
    return told[-1].seen_by


FIGURES: tuple[Event, ...] = (
    e.FigureFound(KEY, "dv", 9, "why", "", "exchange", ANN), e.ModifierApplied(ROLL, 20, "superior position", ""),
    e.TestResolved(ROLL, 50, 50, 7, 43, "success", ""), e.ReadingChanged(ROLL, (70,), (7,), "flipped", ""),
    e.Overruled(KEY, "dv", 9, 3, "a graze"),
)  # fmt: skip
READINGS: tuple[Event, ...] = (
    e.DiceRolled(ROLL, (7,), ("typed",)), e.TestResolved(ROLL, 50, 50, 7, 43, "success", ""),
    e.ReadingChanged(ROLL, (70,), (7,), "flipped", ""),
)  # fmt: skip
OF_A_SHEET: tuple[Event, ...] = (
    e.TrackOpened(ANN, "damage", 30), e.ResourceOpened(ANN, "moxie", 3, 3), e.InitiativeScored(ANN, 90, "k", "INIT 60 + 30", ""),
)  # fmt: skip
HARM: tuple[Event, ...] = (
    e.DamageTaken(ANN, "damage", 5, KEY, "DV 9 less armor 4", ""), e.DamageHealed(ANN, "damage", 5, KEY, "1d10 is 5", ""),
    e.WoundSuffered(ANN, "damage", 1, "wounds", KEY, "5 damage, Wound Threshold 5", ""),
    e.WoundHealed(ANN, "damage", 1, "wounds", KEY, "half of 2", ""),
    e.ConditionGained(ANN, "prone", None, "standing up", KEY, "12 against SOM 20", ""),
)  # fmt: skip


def kind(event: Event) -> str:
    return type(event).__name__


@pytest.mark.parametrize("event", [*FIGURES, *OF_A_SHEET, *HARM], ids=kind)
def test_where_nothing_is_secret_everybody_sees_everything(event: Event) -> None:
    assert hide((event,), OPEN, PLAIN, GAME) == (event,)


@pytest.mark.parametrize("event", FIGURES, ids=kind)
@pytest.mark.parametrize("before", [with_sheet(), with_roll()], ids=["a sheet", "a roll"])
def test_figures_of_what_is_resolved_in_secret_are_secret(event: Event, before: Combat) -> None:
    is_roll = before == with_roll()
    beside = () if is_roll else (ASKED,)
    theirs = is_roll and isinstance(event, e.ModifierApplied)  # the sheet is public: only what was thrown is secret

    assert seen(event, before, beside=beside) == (None if theirs else TO_GM)


LATER = e.DiceRolled(f"{ROLL}/edge-dice", (5,), ("typed",), seen_by=TO_GM)


@pytest.mark.parametrize("is_asked", [True, False], ids=["of a roller", "of no known roller"])
@pytest.mark.parametrize(
    "event", [*READINGS[1:], e.FigureFound(ROLL, "glitch", "glitch", "2 ones in 3 dice", "", "exchange", ANN)], ids=kind
)
def test_a_result_is_as_secret_as_dice_that_were_thrown_for_the_roll_later(event: Event, *, is_asked: bool) -> None:
    before = PLAIN if is_asked else fold(JOINED)

    assert seen(event, before) is None
    assert seen(event, fold((LATER,), before)) == TO_GM
    assert seen(event, before, beside=(LATER,)) == TO_GM
    for key in (f"{ROLL}-2/edge-dice", f"{KEY}/defend", f"{KEY}"):
        other = msgspec.structs.replace(LATER, key=key)
        assert seen(event, fold((other,), before)) is None


@pytest.mark.parametrize("is_asked", [True, False], ids=["of a roller", "of no known roller"])
def test_dice_in_the_open_stay_so_beside_secret_ones_that_were_thrown_for_the_roll_later(*, is_asked: bool) -> None:
    before = fold((LATER,), PLAIN if is_asked else fold(JOINED))

    assert seen(READINGS[0], before) is None


@pytest.mark.parametrize("event", FIGURES[1:], ids=kind)
@pytest.mark.parametrize("other", HARM, ids=kind)
def test_figures_beside_harm_to_whoever_has_a_secret_sheet_are_secret(event: Event, other: Event) -> None:
    assert seen(event, with_sheet(), beside=(other,)) == TO_GM


@pytest.mark.parametrize("event", FIGURES[1:], ids=kind)
def test_figures_of_what_somebody_with_a_secret_sheet_declared_are_secret(event: Event) -> None:
    declared = fold((e.Declared("r1/ann/a1/attack", "attack", ANN, {}),), with_sheet())

    assert seen(event, declared) == TO_GM


def test_a_figure_of_somebody_with_a_secret_sheet_makes_those_beside_it_secret() -> None:
    assert seen(FIGURES[1], with_sheet(), beside=(FIGURES[0],)) == TO_GM


@pytest.mark.parametrize("event", FIGURES[1:], ids=kind)
def test_figures_of_others_are_for_everybody_though_there_is_a_secret_sheet(event: Event) -> None:
    assert seen(event, with_sheet(BOB)) is None


@pytest.mark.parametrize("event", READINGS, ids=kind)
def test_what_a_secret_roll_is_read_as_is_as_secret_as_the_roll(event: Event) -> None:
    told = fold((ASKED, e.DiceRolled(ROLL, (7,), ("typed",), seen_by=(BOB,))), fold(JOINED))

    assert seen(event, told) == (BOB,)
    of_both = (BOB,) if isinstance(event, e.DiceRolled) else TO_GM
    assert seen(event, fold((e.SheetGiven(ANN, {}, seen_by=TO_GM),), told)) == of_both


@pytest.mark.parametrize("event", OF_A_SHEET, ids=kind)
def test_what_comes_of_a_secret_sheet_is_as_secret(event: Event) -> None:
    assert seen(event, with_sheet()) == TO_GM
    assert seen(event, with_sheet(BOB)) is None


@pytest.mark.parametrize("event", HARM, ids=kind)
def test_harm_is_for_everybody_and_says_nothing_of_its_sum(event: Event) -> None:
    (told,) = hide((event,), OPEN, with_sheet(), GAME)
    (plain,) = hide((event,), OPEN, with_sheet(BOB), GAME)

    assert (told.seen_by, getattr(told, "why", "")) == (None, "")
    assert plain == event


@pytest.mark.parametrize(
    ("command", "expected"),
    [(Note("x", seen_by=(BOB,)), (BOB,)), (Join(BOB, {}, seen_by=(BOB,)), None)],
    ids=["a note", "a joining"],
)
def test_what_is_asked_in_secret_is_secret_whole_but_who_joins(command: Command, expected: Audience) -> None:
    assert seen(e.Noted("x", ""), PLAIN, command) == expected


def test_dice_that_are_thrown_in_secret_leave_what_came_of_it_to_everybody_and_the_figures_to_none() -> None:
    typed = TypeDice(ROLL, (7,), seen_by=TO_GM)
    dice = e.DiceRolled(ROLL, (7,), ("typed",), seen_by=TO_GM)
    ended = e.ExchangeEnded(KEY, "hit")
    before = fold((e.Declared(KEY, "attack", ANN, {}), ASKED), fold(JOINED))

    told = hide((dice, FIGURES[0], ended), typed, before, GAME)

    assert told[0] == e.DiceRolled(ROLL, (), ())
    assert [each.seen_by for each in told[1:]] == [TO_GM, TO_GM, None]


def test_targets_of_options_are_as_secret_as_the_sheet_that_they_come_from() -> None:
    plain, aimed = (
        e.ChoiceRequested(KEY, ANN, (Option("full_defense", "full defense", target),), None, "what to do")
        for target in (None, 40)
    )

    assert hide((plain,), OPEN, with_sheet(), GAME) == (plain,)
    twin, told = hide((aimed,), OPEN, with_sheet(), GAME)
    assert twin == plain
    assert told.seen_by == TO_GM
    assert [each.seen_by for each in hide((aimed,), OPEN, with_roll(), GAME)] == [None]  # the roller's own choice


def test_a_choice_in_secret_shows_that_it_was_made() -> None:
    chosen = e.Chosen(KEY, "fray", "")

    twin, told = hide((chosen,), Choose(KEY, "fray", seen_by=TO_GM), PLAIN, GAME)

    assert twin == e.Chosen(KEY, "", "")
    assert (told.seen_by, twin.seen_by) == (TO_GM, None)


@pytest.mark.parametrize("event", READINGS, ids=kind)
def test_a_secret_roll_of_nobodys_is_read_by_those_who_see_it_beside_other_secrets(event: Event) -> None:
    thrown = e.DiceRolled(ROLL, (7,), ("typed",), seen_by=(BOB,))
    before = fold((e.Declared(KEY, "attack", ANN, {}), thrown), with_sheet())

    assert seen(event, before) == (BOB,)


@pytest.mark.parametrize("terms", [{"at": BOB}, {"at": [ANN, BOB]}, {"of": {BOB: 1}}, {"of": {"them": BOB}}], ids=str)
def test_figures_of_an_action_that_names_somebody_with_a_secret_sheet_are_secret(terms: dict[str, Any]) -> None:
    declared = e.Declared(KEY, "attack", ANN, terms)

    assert seen(FIGURES[0], fold((declared,), with_sheet(BOB))) == TO_GM
    assert seen(FIGURES[0], with_sheet(BOB), beside=(declared,)) == TO_GM


@pytest.mark.parametrize("part", [e.ModifierApplied(ROLL, 5, "mud", "", seen_by=(BOB,)), e.FigureFound(ROLL, "base", 40, "", "", "exchange", ANN, seen_by=(BOB,))], ids=kind)  # fmt: skip
def test_figures_beside_a_hidden_part_are_as_secret(part: Event) -> None:
    declared = e.Declared(KEY, "attack", ANN, {})

    assert seen(FIGURES[0], PLAIN, beside=(part,)) == (BOB,)
    if isinstance(part, e.ModifierApplied):
        assert seen(FIGURES[0], fold((declared, ASKED, part), fold(JOINED))) == (BOB,)
    assert seen(FIGURES[2], fold((part,), PLAIN)) == (BOB,)


def test_a_choice_that_is_itself_secret_shows_that_it_was_made() -> None:
    chosen = e.Chosen(KEY, "fray", "", seen_by=TO_GM)

    assert hide((chosen,), Choose(KEY, "fray", seen_by=TO_GM), PLAIN, GAME) == (e.Chosen(KEY, "", ""), chosen)


def test_of_a_choice_and_a_condition_with_hidden_numbers_the_rest_is_shown() -> None:
    plain, aimed = (
        e.ChoiceRequested(KEY, ANN, (Option("full_defense", "full defense", target),), None, "what to do")
        for target in (None, 40)
    )
    aimed = msgspec.structs.replace(aimed, seen_by=(BOB,))
    gained = e.ConditionGained(ANN, "prone", 2, "standing up", KEY, "12 against SOM 20", "", seen_by=(BOB,))
    nameless = msgspec.structs.replace(gained, level=None, why="", seen_by=None)

    assert hide((aimed,), OPEN, PLAIN, GAME) == (plain, aimed)
    assert hide((gained,), OPEN, PLAIN, GAME) == (nameless, gained)
    sheet = e.SheetGiven(ANN, {}, seen_by=(BOB, "cem"))
    assert hide((aimed,), OPEN, fold((sheet,), PLAIN), GAME)[1:] == (
        msgspec.structs.replace(plain, seen_by=(BOB, "cem")), aimed,
    )  # fmt: skip
    told = hide((gained,), Note("x", seen_by=(BOB, "cem")), PLAIN, GAME)
    assert told == (msgspec.structs.replace(nameless, seen_by=(BOB, "cem")), gained)


@pytest.mark.parametrize("before", [with_roll(), fold((ASKED,), with_sheet())], ids=["a roll", "a sheet"])
def test_a_question_about_a_secret_roll_shows_only_that_it_was_asked(before: Combat) -> None:
    key, options = f"{ROLL}/moxie", (Option("pass", "pass"), Option("flip", "flip it"))
    asked, chosen = e.ChoiceRequested(key, ANN, options, "pass", "70 against 50"), e.Chosen(key, "flip", "")
    twin = e.ChoiceRequested(key, ANN, options[:1], "pass", GAME.roll_questions["moxie"])

    assert hide((asked,), OPEN, before, GAME) == (twin, msgspec.structs.replace(asked, seen_by=TO_GM))
    assert hide((chosen,), OPEN, before, GAME) == (
        e.Chosen(key, "", ""), msgspec.structs.replace(chosen, seen_by=TO_GM),
    )  # fmt: skip


def test_of_a_modifier_in_secret_the_sum_is_shown_with_all_parts_that_are_known() -> None:
    def added(combat: Combat, key: str, who: str) -> e.FigureFound:
        value = 40 + sum(part.value for part in combat.rolls.modifiers(key))
        return e.FigureFound(key, "target", value, "", "", "exchange", who)

    openly, secret = e.ModifierApplied(ROLL, 3, "aim", ""), e.ModifierApplied(ROLL, -5, "mud", "", seen_by=TO_GM)
    game = msgspec.structs.replace(GAME, summed=added)

    def figures(command: Command, *events: Event) -> list[tuple[str, int | str, Audience]]:
        told = hide((*events, added(fold(events, PLAIN), ROLL, ANN)), command, PLAIN, game)
        return [(each.name, each.value, each.seen_by) for each in told if isinstance(each, e.FigureFound)]

    assert figures(OPEN, openly, secret) == [("hidden", "", None), ("target", 43, None), ("target", 38, TO_GM)]
    in_secret = ApplyModifier(ROLL, -5, "mud", seen_by=TO_GM)
    assert figures(in_secret, secret) == [("hidden", "", None), ("target", 40, None), ("target", 35, TO_GM)]


UNSEEN, KNOWN = "unseen-1", (BOB,)
THEIR_ROLL = f"r1/{UNSEEN}/initiative"
AMBUSH = fold((e.CombatantJoined(UNSEEN, "", "gm", False, seen_by=KNOWN), e.RollRequested(THEIR_ROLL, UNSEEN, "1d10", "", "", seen_by=KNOWN)), fold(JOINED))  # fmt: skip
THROWN = e.DiceRolled(THEIR_ROLL, (7,), ("typed",), seen_by=KNOWN)
RAISED = e.ModifierApplied(THEIR_ROLL, 5, "high ground", "", seen_by=KNOWN)


@pytest.mark.parametrize(
    ("event", "command"),
    [
        (THROWN, TypeDice(THEIR_ROLL, (7,), seen_by=KNOWN)),
        (THROWN, DrawDice(THEIR_ROLL, seen_by=KNOWN)),
        (RAISED, ApplyModifier(THEIR_ROLL, 5, "high ground", seen_by=KNOWN)),
    ],
)
def test_what_is_asked_of_a_hidden_one_is_hidden_as_they_are_and_not_once_more(event: Event, command: Command) -> None:
    assert hide((event,), command, AMBUSH, GAME) == (event,)


def test_what_changes_a_sum_of_a_victim_in_what_was_declared_in_secret_is_as_secret() -> None:
    key = f"{KEY}/defend"
    before = fold(
        (e.Declared(KEY, "attack", ANN, {}, seen_by=TO_GM), e.RollRequested(key, BOB, "1d100", "", KEY)), fold(JOINED)
    )

    assert seen(e.ModifierApplied(key, -20, "from behind", ""), before) == TO_GM
    assert seen(e.FigureFound(key, "dv", 9, "2d10", "", "exchange", BOB), before) == TO_GM


RAISING = ApplyModifier(THEIR_ROLL, 5, "high ground", seen_by=KNOWN)
SUMMING = msgspec.structs.replace(
    GAME, summed=lambda combat, key, who: e.FigureFound(key, "target", 40, "40", "", "exchange", who)
)
SUM = e.FigureFound(THEIR_ROLL, "target", 45, "40 +5", "", "exchange", UNSEEN)


def test_a_modifier_that_is_asked_of_a_hidden_one_is_no_hidden_part_of_their_sum() -> None:
    assert hide((RAISED, SUM), RAISING, AMBUSH, SUMMING) == (RAISED, msgspec.structs.replace(SUM, seen_by=KNOWN))


@pytest.mark.parametrize("differs", [{"why": "luck"}, {"value": 4}, {"seen_by": TO_GM}], ids=str)
def test_another_modifier_than_the_one_that_is_asked_is_a_hidden_part_if_it_is_hidden(differs: dict[str, Any]) -> None:
    other = msgspec.structs.replace(RAISED, **differs)
    told = hide((other, SUM), RAISING, AMBUSH, SUMMING)

    assert told[0] == other
    assert [each.name for each in told[1:] if isinstance(each, e.FigureFound)] == ["hidden", "target", "target"]


@pytest.mark.parametrize(
    ("event", "command"),
    [
        (e.DiceRolled(ROLL, (7,), ("typed",), seen_by=KNOWN), TypeDice(THEIR_ROLL, (7,), seen_by=KNOWN)),
        (msgspec.structs.replace(THROWN, seen_by=TO_GM), TypeDice(THEIR_ROLL, (7,), seen_by=KNOWN)),
        (e.ModifierApplied(ROLL, 5, "high ground", "", seen_by=KNOWN), RAISING),
        (e.Noted("psst", "", seen_by=KNOWN), RAISING),
    ],
)
def test_what_else_is_hidden_stays_so_beside_what_is_asked_of_a_hidden_one(event: Event, command: Command) -> None:
    assert hide((event,), command, AMBUSH, GAME)[-1] == event


def test_whoever_is_to_roll_against_what_is_declared_in_secret_is_told_of_it_unless_nobody_notices_that() -> None:
    theirs = e.RollRequested(f"{KEY}/defend", BOB, "1d100", "defend", KEY)
    game = msgspec.structs.replace(GAME, unnoticed=("spy",))

    def told(event: Event, kind: str) -> Audience:
        return hide((event,), Declare(kind, ANN, seen_by=TO_GM), PLAIN, game)[-1].seen_by

    assert [told(theirs, kind) for kind in ("attack", "spy")] == [None, TO_GM]
    assert [told(ASKED, kind) for kind in ("attack", "spy")] == [TO_GM, TO_GM]
