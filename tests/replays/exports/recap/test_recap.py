"""Recaps: who went down and through what, turning points against odds, luck, and corrections in words."""

from fractions import Fraction
from functools import cache

import pytest
from strategies import ARMED, attacked

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Adjust, BeginCombat, Choose, Declare, EndCombat, Join, Note, Reveal, TypeDice
from ledger.entry import Seat, Who
from machines.contract.refusals import UnknownRuleset
from projections.combat import Combat
from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.change import Change
from replays.exports.recap import Recap, recap, turning_points
from replays.exports.recap.changes import ChangeWords
from replays.exports.recap.model import FightTime, FurtherCondition, RecapCorrection
from replays.exports.recap.sentences import lead, percent, sections, text_lines
from replays.odds.odds import odds
from replays.scripts.format import examples, read
from replays.table.table import Table

KIRA = Viewer(Seat.PLAYER, frozenset({"ann"}))
MAX = Who("max")
_SHOT = Declare("attack", "ann", {"at": "bob", "using": "bow", "cover": "minor"})


def _played(name: str) -> Session:
    return perform(read(examples()[name].read_bytes(), name))


@cache
def _recapped(name: str) -> Recap:
    """Returns the recap of a shipped fight, as it was played."""
    return recap(_played(name).log)


def _lines(session: Session, eyes: Viewer = EVERYTHING) -> list[str]:
    """Returns the sentences of a recap, without turning points."""
    return list(text_lines(recap(session.log, eyes, runs=0)))


def _corrected(session: Session) -> RecapCorrection:
    return recap(session.log, runs=0).corrections[-1]


# ------------------------------------------------------------------------------------------------ who went down


@pytest.mark.parametrize(
    ("name", "who", "condition", "by", "using", "entry"),
    [
        ("stoya", "assassin", "incapacitated", "Stoya", "stunner", 29),
        ("last-stand", "osric", "dead", "The spearman", "spear", 39),
        ("overcast", "crane", "unconscious", "Vesper", "manabolt", 32),
        ("black-ic", "ic", "crashed", "Glitch", "attack", 28),
    ],
)
def test_a_combatant_who_went_down_is_listed_with_the_action_the_weapon_and_the_entry(
    name, who, condition, by, using, entry
):
    (drop,) = recap(_played(name).log, runs=0).drops

    assert (who, condition, entry) == (drop.who, drop.condition, drop.entry)
    assert drop.deed is not None
    assert (by, using) == (drop.deed.by, drop.deed.using)


def test_who_put_a_combatant_down_is_one_sentence():
    assert "  Round 2: Vesper put Crane, the company's mage down with manabolt: unconscious. [32]" in _lines(
        _played("overcast")
    )


def test_a_combatant_is_down_by_an_adjustment_too_and_may_get_up_and_go_down_once_more():
    session = attacked()
    for value, why in (("", "a brick"), (None, "smelling salts"), ("", "another brick")):
        session.perform(Adjust("bob", "conditions.unconscious", value, why))
    session.perform(Adjust("bob", "conditions.dead", "", "no more salts"))
    last = session.log.last
    first, second = recap(session.log, runs=0).drops

    assert (first.entry, first.up, first.deed, first.why) == (last - 3, last - 2, None, "a brick")
    assert (second.entry, second.up, second.further) == (last - 1, 0, (FurtherCondition("dead", last),))
    assert second.when == FightTime(1, 1, 1)
    assert f"Round 1: bob went down: unconscious (a brick); up again with entry {last - 2}. [{last - 3}]" in "\n".join(
        _lines(session)
    )
    assert "Still up: ann. Down: bob." in lead(recap(session.log, runs=0))


# ------------------------------------------------------------------------------------------------ turning points


def test_a_turning_point_compares_what_happened_with_the_odds_before_the_first_roll():
    session = _played("overcast")
    point = _recapped("overcast").turning_points[0]
    chances = odds(session.game, session.log.state(30), key="r2/vesper/a1/cast/cast")
    crane = next(each for each in point.combatants if each.who == "crane")
    physical = next(each for each in chances.harm if (each.who, each.what) == ("crane", "physical"))
    unconscious = next(each.chance for each in chances.conditions if each.condition == "unconscious")

    assert chances.exact
    assert (point.entry, point.deed.key) == (33, "r2/vesper/a1/cast")
    assert (crane.condition, crane.gained, crane.chance) == ("unconscious", True, unconscious.chance)
    assert (crane.harm[0].taken, crane.harm[0].expected) == (10, physical.mean)
    assert crane.swing == 1 - unconscious.chance
    assert point.swing == sum(each.swing for each in point.combatants)


def test_an_escape_is_a_turning_point_too():
    found = _recapped("counter")
    point = found.turning_points[0]

    assert (point.outcome, point.combatants[0].name, point.combatants[0].gained) == ("miss", "Rook", False)
    assert point.swing == point.combatants[0].chance > Fraction(3, 10)
    assert "Rook: not incapacitated (32 %), 0 damage (7.5 expected)." in "\n".join(text_lines(found))


def test_damage_that_a_full_track_cannot_hold_is_no_swing():
    point = next(each for each in _recapped("street-fight").turning_points if each.entry == 33)
    (dregs,) = point.combatants
    overflow = next(each for each in dregs.harm if each.track == "overflow")

    assert dregs.swing == max(1 - dregs.chance, *(each.swing for each in dregs.harm))
    assert overflow.expected > 3
    assert overflow.swing < overflow.expected / overflow.capacity, "more than the track holds was expected"


def test_the_largest_swings_come_first_and_few_are_listed():
    points = _recapped("street-fight").turning_points

    assert [each.swing for each in points] == sorted((each.swing for each in points), reverse=True)
    assert len(points) <= turning_points.MOST
    assert all(each.swing >= turning_points.LEAST for each in points)


def test_what_exceeds_the_runs_is_counted_and_those_with_a_drop_are_measured_first():
    log = _played("overcast").log
    none, one, whole = recap(log, runs=0), recap(log, runs=1), _recapped("overcast")

    assert [each.measured.measured for each in (none, one, whole)] == [0, 1, 5]
    assert {each.measured.exchanges for each in (none, one, whole)} == {5}
    assert [each.entry for each in one.turning_points] == [33]
    assert none.turning_points == ()
    assert (none.drops, none.luck, none.corrections) == (whole.drops, whole.luck, whole.corrections)


def test_a_long_exchange_is_sampled_and_the_sentence_says_about():
    found = _recapped("last-stand")

    assert (found.measured.measured, found.measured.sampled) == (3, 3)
    assert {each.samples for each in found.turning_points} == {turning_points.SAMPLES}
    assert "a chance of about" in "\n".join(text_lines(found))
    notes = [part.note for part in sections(found)]
    assert any("all 3 exchanges with dice, 3 of them sampled" in note for note in notes)


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(0), "0 %"),
        (Fraction(1, 400), "less than 1 %"),
        (Fraction(1, 3), "33 %"),
        (Fraction(399, 400), "more than 99 %"),
        (Fraction(1), "100 %"),
    ],
)
def test_a_chance_that_is_not_certain_never_reads_as_certain(chance, words):
    assert percent(chance) == words


# ------------------------------------------------------------------------------------------------ luck


@pytest.mark.parametrize("name", examples())
def test_luck_is_that_of_the_word_luck(name):
    session = _played(name)

    assert recap(session.log, runs=0).luck == session.luck()


def test_each_person_has_a_line_of_dice_and_luck():
    lines = _lines(_played("stray-burst"))

    assert "  kira: 1 of 1 test succeeded, 0.7 more than expected; 3d6 averaging 2.7 (3.5 expected)." in lines


# ------------------------------------------------------------------------------------------------ corrections


def test_an_amended_term_is_worded_with_the_old_one_and_what_was_different():
    session = _played("stoya")
    session.amend("assassin/a2/attack/to-hit", Change(set={"faces": [90]}), why="it was 90", by=MAX)
    found = _corrected(session)

    assert ("corrected", "max", "the assassin's roll (hit with shredder)") == (found.kind, found.by, found.about)
    assert found.changes == ("the dice were 90, not 20",)
    assert "the assassin's attack on Stoya: miss, not hit" in found.effects
    assert "Stoya has 0 damage, not 21" in found.effects
    assert found.when == FightTime(1, 1, 1)
    assert any(
        "Round 1: max corrected the assassin's roll (hit with shredder); the dice" in one for one in _lines(session)
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Change(set={"terms.range": "medium"}), "the range was medium, not short"),
        (Change(set={"terms.modifiers": ["target in major cover"]}), "the modifiers were target in major cover"),
        (Change(dice={"r1/assassin/a1/attack/to-hit": (9,)}), "the dice were 09, not 08"),
        (Change(drop=True), "it did not happen"),
    ],
)
def test_each_kind_of_change_has_words(change, words):
    session = _played("stoya")
    session.amend(8, change, why="a reason")
    found = _corrected(session)

    assert found.changes == (words,)
    assert found.about == "the assassin's attack on Stoya"


def test_counted_dice_are_worded_and_their_exchange_is_measured():
    table = Table(Session.create("memory://", ruleset="gurps_3e"), MAX)
    for line in ("add ann=guard bob=guard", "begin", "bob"):
        assert table.submit(line).refused is None
    while not table.session.rests[0].dice:
        assert table.submit("").refused is None
    thrown = table.session.log.head + 1
    assert table.submit("14").refused is None
    assert recap(table.session.log).measured.exchanges == 1
    for line in (f"{thrown} was 5 5 3 misread", "y"):
        assert table.submit(line).refused is None

    assert ("the dice were 5 5 3, not a total of 14",) == _corrected(table.session).changes


@pytest.mark.parametrize(
    ("command", "change", "words"),
    [
        (_SHOT, {"set": {"at": "cyd", "terms.using": "club"}}, ["the target was Cyd, not Bob", "the weapon was club, not bow"]),
        (_SHOT, {"set": {"terms.cover": None}}, ["the cover was none, not minor"]),
        (_SHOT, {"set": {"terms.aimed_at": "head"}}, ["the aimed at was head"]),
        (_SHOT, {"insert": [{"choose": {"bob": "fray"}}]}, ["before it: (choose (bob fray))"]),
        (Choose("r1/bob/defense", "none"), {"set": {"option": "fray"}}, ["the option was fray, not none"]),
        (Join("bob", {"skills": {"fray": 30}}), {"set": {"skills.fray": 40}}, ["the skills fray was 40, not 30"]),
        (TypeDice("r1/bob/defend", (60,)), {"set": {"faces": [6]}}, ["the dice were 6, not 60"]),
        (_SHOT, {"modify": {"key": "to-hit", "value": -20}}, ["a modifier of -20"]),
        (_SHOT, {"overrule": {"key": "to-hit", "figure": "target", "value": 7}}, ["target was 7"]),
    ],
)  # fmt: skip
def test_a_changed_field_is_worded_by_its_role_or_its_name(command, change, words):
    names = {"bob": "Bob", "cyd": "Cyd"}

    assert list(ChangeWords(command, (), Combat(), names).facts(change)) == words


def test_a_combatant_who_is_no_longer_down_after_a_correction_is_named():
    session = _played("stoya")
    session.modify("stoya/to-hit", -90, why="the lamp went out", by=MAX)
    found = _corrected(session)

    assert (found.kind, found.changes) == ("modified", ("a modifier of -90",))
    assert "the assassin is no longer incapacitated" in found.effects
    assert recap(session.log, runs=0).drops == ()


def test_an_overrule_after_the_roll_names_the_rule_and_what_was_different():
    found = recap(_played("stoya").log, runs=0).corrections[0]

    assert ("overruled", ("dv was 21, where the rule says 26",)) == (found.kind, found.changes)
    assert found.effects == ("Stoya has 21 damage, not 26",)


def test_an_undo_and_a_redo_name_the_actions():
    session = attacked()
    session.undo("exchange", why="wrong target", by=MAX)
    session.redo(why="no, right", by=MAX)
    undone, redone = recap(session.log, runs=0).corrections

    assert (undone.kind, undone.why, undone.effects) == ("took back", "wrong target", ())
    assert "ann's attack on bob" in undone.about
    assert redone.kind == "brought back"
    assert "ann's attack on bob" in redone.about


def test_a_correction_that_was_taken_back_names_the_undo():
    session = _played("stoya")
    session.amend(8, Change(set={"terms.range": "medium"}), why="it was farther")
    entry = session.log.last
    assert _corrected(session).undone == 0
    session.undo(why="it was not")
    corrected = recap(session.log, runs=0).corrections[-2]

    assert session.log.last > entry
    assert corrected.undone == session.log.last
    assert any(f"Taken back with entry {session.log.last}." in line for line in _lines(session))


def test_plain_play_has_no_corrections():
    assert recap(_played("last-stand").log, runs=0).corrections == ()
    assert recap(attacked().log, runs=0).corrections == ()


# ------------------------------------------------------------------------------------------------ any session, any seat


def test_a_session_without_a_fight_and_a_fight_that_goes_on_have_a_recap():
    empty = recap(Session.create("memory://", ruleset="gurps_3e").log)
    assert (empty.rounds, empty.luck, empty.drops, empty.standing) == (0, None, (), ())
    assert lead(empty) == "No round has begun."
    assert list(sections(empty)) == []
    open_ = recap(attacked().log, runs=0)
    assert open_.fighting
    assert lead(open_) == "1 round, and the fight goes on. Still up: ann and bob."


def test_the_fight_is_named_where_there_are_several():
    session = attacked()
    session.perform(Adjust("bob", "conditions.unconscious", "", "a brick"))
    session.perform(EndCombat())
    session.perform(BeginCombat())
    session.perform(Adjust("ann", "conditions.unconscious", "", "a brick"))
    text = "\n".join(_lines(session))

    assert "Combat 1, round 1: bob went down" in text
    assert ": ann went down" in text


def test_a_revealed_seed_changes_nothing():
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for who in ("ann", "bob"):
        session.perform(Join(who, ARMED))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (5,)))
    before = recap(session.log)
    session.perform(Reveal())

    assert recap(session.log) == before


def test_a_game_that_is_not_installed_has_a_recap_without_turning_points(monkeypatch):
    session = _played("stoya")

    def refuse(name):
        raise UnknownRuleset(f"no ruleset {name!r} is installed")

    monkeypatch.setattr(turning_points, "ruleset", refuse)
    found = recap(session.log)

    assert (found.turning_points, found.measured.unknown) == ((), found.measured.exchanges)
    assert len(found.drops) == 1


def test_a_seat_reads_only_what_it_may_see():
    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="In the dark")
    session.perform(Join("ann", ARMED, "Ann", player="kira"))
    session.perform(Join("bob", ARMED, "Bob", sheet_seen_by=()))
    session.perform(Join("ghost", ARMED, "The unseen one", seen_by=()))
    session.perform(BeginCombat())
    session.perform(Adjust("ghost", "conditions.dead", "", "a secret poison", seen_by=()))
    session.perform(Adjust("bob", "conditions.unconscious", "", "a brick"))
    session.perform(Note("the butler did it", seen_by=()))
    session.undo(why="not the butler")
    whole, mine = recap(session.log), recap(session.log, KIRA)

    assert [each.name for each in whole.drops] == ["The unseen one", "Bob"]
    assert [each.name for each in mine.drops] == ["Bob"]
    assert "The unseen one" in whole.down
    assert "unseen" not in str(mine)
    assert "poison" not in str(mine)


def test_a_seat_that_does_not_see_a_sheet_has_no_odds_that_rest_on_it():
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", ARMED, player="kira"))
    session.perform(Join("bob", ARMED, sheet_seen_by=()))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (50,)))
    session.perform(TypeDice("r1/bob/initiative", (5,)))
    option = next(each for each in session.options() if each.command is not None and "bob" in str(each.command))
    assert option.command is not None
    session.perform(option.command)
    while session.rests and session.combat.exchange.frame is not None:
        rest = session.rests[0]
        session.perform(
            TypeDice(rest.key, (50,) if "100" in rest.dice else (5,)) if rest.dice else Choose(rest.key, "fray")
        )
    whole, mine = recap(session.log), recap(session.log, KIRA)

    assert whole.measured.measured == 1
    assert (mine.measured.exchanges, mine.measured.measured, mine.measured.unknown) == (1, 0, 1)
    assert mine.turning_points == ()
