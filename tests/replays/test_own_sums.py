"""A player sees their own sums: what is hidden of them is one line, and what belongs to somebody else is none."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from secret_fights import (
    BOB,
    GAMES,
    HIDDEN,
    KIRA,
    VILLAIN,
    blow,
    eyes,
    finish,
    is_over,
    lines,
    met,
    strike,
    told,
    until,
    waits_for,
)

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Adjust, ApplyModifier, BeginCombat, Choose, Declare, Join, Reveal, TypeDice
from ledger.entry import Seat
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from replays.rehearse import rehearse
from replays.report.sums import sums
from replays.session import GM, Session
from replays.table.asking import question
from replays.why import Why

DEFENSE = {
    "eclipse_phase_1e": ["base | 40 | fray", "target | 40 | 40", "dice | 92 | typed", "result | failure | 92 against 40"],
    "eclipse_phase_2e": ["base | 60 | fray", "target | 60 | 60", "dice | 92 | typed", "result | failure | 92 against 60"],
    "shadowrun_4e": [
        "base | 8 | reaction 5 + dodge 3", "pool | 8 | 8", "dice | 5 3 3 3 3 3 3 3 | typed",
        "result | failure | 1 against what is hidden",
    ],
    "gurps_3e": [
        "base | 6 | block 6", "target | 6 | 6", "dice | 5 5 5 | typed", "result | failure | 15 against 6, margin -9",
    ],
}  # fmt: skip
ATTACK = {
    "eclipse_phase_1e": [
        "base | 53 | unarmed combat", "target | 53 | 53", "dice | 17 | typed", "result | success | 17 against 53",
        "degree | Excellent Success | margin +36",
    ],
    "eclipse_phase_2e": [
        "base | 50 | melee", "hidden |  | from what is hidden", "target | 50 | 50 and what is hidden",
        "dice | 17 | typed", "result | success | 17 against what is partly hidden",
    ],
    "shadowrun_4e": [
        "base | 9 | agility 5 + blades 4", "hidden |  | from what is hidden", "pool | 9 | 9 and what is hidden",
        "dice | 5 5 5 5 5 3 3 3 | typed", "result | success | 5",
    ],
    "gurps_3e": [
        "base | 14 | spear 14", "hidden |  | from what is hidden", "target | 14 | 14 and what is hidden",
        "dice | 3 3 3 | typed", "result | success | 9 against what is partly hidden",
    ],
}  # fmt: skip
"""Against somebody larger, or with a longer blade, whose sheet is secret."""
WITH_VALUE = {
    "eclipse_phase_1e": ATTACK["eclipse_phase_1e"],
    "eclipse_phase_2e": [
        "base | 50 | melee", "hidden | +10 | from what is hidden", "target | 60 | 50 +10 hidden",
        "dice | 17 | typed", "result | success | 17 against 60",
    ],
    "shadowrun_4e": [
        "base | 9 | agility 5 + blades 4", "hidden | -1 | from what is hidden", "pool | 8 | 9 -1 hidden",
        "dice | 5 5 5 5 5 3 3 3 | typed", "result | success | 5",
    ],
    "gurps_3e": [
        "base | 14 | spear 14", "hidden | +1 | from what is hidden", "target | 15 | 14 +1 hidden",
        "dice | 3 3 3 | typed", "result | success | 9 against 15, margin +6",
    ],
}  # fmt: skip
VALUE = {"hidden_parts": "value"}


# ------------------------------------------------------------------------------------------------ a secret sheet


@pytest.mark.parametrize("game", GAMES)
def test_a_player_sees_the_sum_and_the_result_of_their_own_defense(game: str) -> None:
    session = met(game)

    key = blow(session)

    why = lines(session.why(f"{key}/defend", eyes(session)))
    assert why[: len(DEFENSE[game])] == DEFENSE[game]
    assert session.state(eyes=eyes(session)).outcome == session.state().outcome


@pytest.mark.parametrize("game", GAMES)
def test_what_the_table_waits_for_has_the_players_own_target(game: str) -> None:
    session = met(game)
    strike(session)
    until(session, waits_for(session, "defend"))

    (hers,) = (rest for rest in session.state(eyes=eyes(session)).rests if rest["by"] == "bob")

    assert hers == next(rest for rest in session.state().rests if rest["by"] == "bob")


@pytest.mark.parametrize("game", GAMES)
def test_a_player_sees_with_what_they_may_defend_and_how_well(game: str) -> None:
    session = met(game)
    strike(session)
    until(session, lambda: any(rest.key.endswith("/defense") for rest in session.rests))

    (hers,) = session.state(eyes=eyes(session)).rests

    assert hers == session.state().rests[0]
    assert any(option["target"] for option in hers["options"])


@pytest.mark.parametrize("game", GAMES)
def test_of_an_attack_on_somebody_whose_sheet_is_secret_what_comes_from_it_is_one_line(game: str) -> None:
    session = met(game)

    key = blow(session, "bob")

    assert lines(session.why(f"{key}/to-hit", eyes(session))) == ATTACK[game]


@pytest.mark.parametrize("game", GAMES)
def test_with_its_value_the_target_is_the_true_one(game: str) -> None:
    session = met(game, **VALUE)

    key = blow(session, "bob")

    assert lines(session.why(f"{key}/to-hit", eyes(session))) == WITH_VALUE[game]


@pytest.mark.parametrize("game", GAMES)
def test_the_rests_say_that_a_part_of_the_target_is_hidden(game: str) -> None:
    rests = {}
    for name, policies in (("no value", {}), ("value", VALUE)):
        session = met(game, **policies)
        strike(session, "bob")
        until(session, waits_for(session, "to-hit"))
        rests[name] = next(rest for rest in session.state(eyes=eyes(session)).rests if rest["by"] == "bob")
        assert "hidden" not in next(rest for rest in session.state().rests if rest["by"] == "bob")

    parts = {"eclipse_phase_2e": 10, "shadowrun_4e": -1, "gurps_3e": 1}
    if game in parts:
        assert (rests["no value"]["hidden"], rests["value"]["hidden"]) == (None, parts[game])
    if game in ("eclipse_phase_2e", "gurps_3e"):
        assert rests["value"]["target"] - rests["no value"]["target"] == parts[game]
    if game == "eclipse_phase_1e":
        assert "hidden" not in rests["no value"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("by", ["villain", "bob"])
def test_the_others_sums_stay_hidden(game: str, by: str) -> None:
    session = met(game)
    theirs = {"villain": "to-hit", "bob": "defend"}[by]

    key = blow(session, by, secret=("villain",))

    assert lines(session.why(f"{key}/{theirs}", eyes(session))) == ["dice |  | out of sight"]
    hers = "\n".join(told(session, eyes(session)))
    assert not any(word in hers for word in ("net hits", "AP ", "DR", "penetration", "67", "63", "spear 16"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("policies", [{}, VALUE], ids=["no value", "value"])
@pytest.mark.parametrize("by", ["villain", "bob"])
def test_the_gamemaster_reads_the_whole_sum_and_nothing_twice(game: str, policies: dict[str, str], by: str) -> None:
    key = strike(secret := met(game, **policies), by)
    finish(secret, key, secret=("villain",))
    strike(open_ := met(game, None), by)
    finish(open_, key)

    for role in ("to-hit", "defend", ""):
        subject = f"{key}/{role}".rstrip("/")
        assert _plain(secret, subject) == _plain(open_, subject)
    assert [line for line in told(secret, EVERYTHING) if "hidden" in line or "out of sight" in line] == []


def _plain(session: Session, subject: str) -> list[tuple[str, Any]]:
    return [(part.what, part.value) for part in session.why(subject).parts]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("by", ["villain", "bob"])
def test_the_rules_read_the_true_sum(game: str, by: str) -> None:
    secret, open_ = met(game), met(game, None)

    for session in (secret, open_):
        blow(session, by)
    tests, plain = ([_whole(event) for event in _events(session, e.TestResolved)] for session in (secret, open_))

    assert tests == plain
    assert secret.state().combatants == open_.state().combatants


def _events(session: Session, kind: type) -> list[Any]:
    return [event for entry in session.entries() for event in entry.events if isinstance(event, kind)]


def _whole(event: Any) -> Any:
    return msgspec.structs.replace(event, seen_by=None)


@pytest.mark.parametrize("game", GAMES)
def test_a_fight_with_secrets_is_decided_again_as_it_was(game: str) -> None:
    session = met(game)
    blow(session, "bob", secret=("villain",))

    assert list(rehearse(session.log)) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("by", ["villain", "bob"])
def test_what_is_revealed_is_read_in_the_place_of_what_stood_for_it(game: str, by: str) -> None:
    session = met(game)
    key = blow(session, by)
    for entry in list(session.entries()):
        if any(event.seen_by is not None for event in entry.events):
            session.perform(Reveal(entry.seq))

    for role in ("to-hit", "defend"):
        assert lines(session.why(f"{key}/{role}", eyes(session))) == lines(session.why(f"{key}/{role}"))


MIXED = [
    ("eclipse_phase_1e", "villain", "defend:target defend:result defend:degree bob-takes-damage",
     "to-hit:target to-hit:result armor damage damage:dv wounds"),
    ("eclipse_phase_1e", "bob", "to-hit:target to-hit:result damage:modifier damage:dice:-claws damage:dv",
     "defend:target defend:result armor damage wounds"),
    ("eclipse_phase_2e", "villain", "defend:target defend:result knockdown:target bob-takes-damage",
     "to-hit:modifier to-hit:result superior-successes armor damage damage:dv"),
    ("eclipse_phase_2e", "bob", "to-hit:hidden to-hit:target damage:dice:-knife damage:dv",
     "to-hit:modifier defend:target defend:result armor damage"),
    ("shadowrun_4e", "villain", "defend:pool defend:result resist:pool resist:result bob-takes-physical",
     "to-hit:pool to-hit:result defend:target net-hits dv armor boxes"),
    ("shadowrun_4e", "bob", "to-hit:hidden to-hit:pool to-hit:result villain-takes-physical",
     "to-hit:modifier defend:pool defend:result resist:base resist:pool net-hits dv armor boxes villain's-initiative"),
    ("gurps_3e", "villain", "defend:target defend:result knockdown:result blow:bob-takes-hit_points",
     "to-hit:target to-hit:result blow:basic-damage blow:damage blow:DR blow:penetration blow:injury"),
    ("gurps_3e", "bob", "to-hit:hidden to-hit:target to-hit:result damage:dice blow:villain-takes-hit_points",
     "to-hit:modifier defend:target defend:result knockdown:result blow:basic-damage blow:DR blow:injury"),
]  # fmt: skip
"""The table of `machines.own_sums`: who strikes, what Kira sees of it, and what only the gamemaster does."""


@pytest.mark.parametrize(("game", "by", "shown", "hidden"), MIXED)
def test_a_figure_that_mixes_both_sides_is_shown_as_the_table_says(game: str, by: str, shown: str, hidden: str) -> None:
    session = met(game)
    key = blow(session, by, secret=("villain",))

    hers, whole = (_named(session.why(key, who), key) for who in (eyes(session), EVERYTHING))

    assert set(shown.split()) <= hers
    assert not set(hidden.split()) & hers
    assert set(hidden.split()) <= whole
    assert session.state(eyes=eyes(session)).outcome == session.state().outcome != ""


def _named(why: Why, key: str) -> set[str]:
    """Every part of an explanation, by the last word of its roll and its name."""
    place = why.subject.removeprefix(key).strip("/")
    mine = {":".join(filter(None, (place, part.what))).replace(" ", "-") for part in why.parts}
    return mine.union(*(_named(one, key) for one in why.leads_to))


# ------------------------------------------------------------------------------------------------ a secret roll


@pytest.mark.parametrize("game", GAMES)
def test_of_a_secret_roll_with_an_open_sheet_the_sum_is_shown_and_neither_dice_nor_result(game: str) -> None:
    session = met(game, None)

    key = blow(session, secret=("villain",))

    theirs = [part.what for part in session.why(f"{key}/to-hit", eyes(session)).parts]
    assert set(theirs) >= {"base", "dice"}
    assert not {"result", "degree"} & set(theirs)
    assert lines(session.why(f"{key}/defend", eyes(session)))[: len(DEFENSE[game])] == DEFENSE[game]


@pytest.mark.parametrize("game", GAMES)
def test_a_secret_initiative_hides_nothing_of_what_others_do(game: str) -> None:
    session = met(game, None)
    until(session, lambda: session.combat.turn.who is not None, secret=("villain",))

    key = blow(session, "bob")

    assert lines(session.why(key, eyes(session))) == lines(session.why(key))


# ------------------------------------------------------------------------------------------------ a secret modifier


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("policies", [{}, VALUE], ids=["no value", "value"])
def test_a_modifier_that_is_given_in_secret_is_a_hidden_line_of_the_roll(game: str, policies: dict[str, str]) -> None:
    session = met(game, None, **policies)
    key = strike(session)
    until(session, waits_for(session, "defend"))
    roll, before = f"{key}/defend", _sum(session, f"{key}/defend")

    session.perform(ApplyModifier(roll, -3, "a voice whispers", seen_by=HIDDEN))
    finish(session, key)

    hers = lines(session.why(roll, eyes(session)))
    name = "pool" if game == "shadowrun_4e" else "target"
    shown, why = (before, f"{before} and what is hidden") if not policies else (before - 3, f"{before} -3 hidden")
    assert f"{name} | {shown} | {why}" in hers
    assert f"hidden | {'-3' if policies else ''} | from what is hidden" in hers
    assert not any("whispers" in line for line in (*hers, *told(session, eyes(session))))
    assert "modifier | -3 | a voice whispers" in lines(session.why(roll))
    assert f"{name} | {before - 3} | {before} -3" in lines(session.why(roll))
    assert not any(line.startswith("hidden") for line in lines(session.why(roll)))


def _sum(session: Session, key: str) -> int:
    return session.combat.figures.number(key, "target") or session.combat.figures.number(key, "pool")


def test_a_secret_modifier_of_a_pool_is_told_by_the_number_of_dice_that_are_asked_for() -> None:
    session = met("shadowrun_4e", None)
    strike(session)
    until(session, waits_for(session, "defend"))
    (roll,) = (rest.key for rest in session.rests)

    session.perform(ApplyModifier(roll, -3, "a voice whispers", seen_by=HIDDEN))

    (hers,) = session.state(eyes=eyes(session)).rests
    assert (hers["dice"], hers["hidden"]) == ("5d6", None)
    session.perform(TypeDice(roll, (5, 5, 5, 5, 5)), by=KIRA)


@pytest.mark.parametrize(("face", "outcome"), [(36, "success"), (38, "failure")])
def test_how_a_roll_ended_is_shown_though_the_known_sum_would_say_otherwise(face: int, outcome: str) -> None:
    session = met("eclipse_phase_1e", None)
    key = strike(session)
    until(session, waits_for(session, "defend"))
    session.perform(ApplyModifier(f"{key}/defend", -3, "a voice whispers", seen_by=HIDDEN))
    until(session, is_over(session, key), {"to-hit": (30,), "defend": (face,)})

    assert f"result | {outcome} | {face} against what is partly hidden" in lines(
        session.why(f"{key}/defend", eyes(session))
    )


def test_modifiers_beyond_what_counts_tell_nothing_of_hidden_ones() -> None:
    """At most 60 count: what is known is added up by the rules, and not what is hidden taken away from the whole."""
    sums = set()
    for hidden in (-1, -40):
        session = met("eclipse_phase_1e", None)
        key = strike(session)
        until(session, waits_for(session, "defend"))
        session.perform(ApplyModifier(f"{key}/defend", -50, "mud"))
        session.perform(ApplyModifier(f"{key}/defend", hidden, "a voice whispers", seen_by=HIDDEN))
        (hers,) = (rest for rest in session.state(eyes=eyes(session)).rests if rest["by"] == "bob")
        sums.add((hers["target"], hers["hidden"]))

    assert sums == {(-10, None)}


def test_several_hidden_parts_are_one_line() -> None:
    session = met("eclipse_phase_1e", None, **VALUE)
    key = strike(session)
    until(session, waits_for(session, "defend"))
    for value in (-3, -4):
        session.perform(ApplyModifier(f"{key}/defend", value, "a voice whispers", seen_by=HIDDEN))

    assert lines(session.why(f"{key}/defend", eyes(session)))[-2:] == [
        "hidden | -7 | from what is hidden", "target | 33 | 40 -7 hidden",
    ]  # fmt: skip


def test_whoever_a_modifier_is_told_sees_the_whole_sum() -> None:
    session = met("eclipse_phase_1e", None)
    key = strike(session)
    until(session, waits_for(session, "defend"))

    session.perform(ApplyModifier(f"{key}/defend", -3, "a voice whispers", seen_by=("bob",)))

    (hers,) = (rest for rest in session.state(eyes=eyes(session)).rests if rest["by"] == "bob")
    assert hers == next(rest for rest in session.state().rests if rest["by"] == "bob")
    assert hers["target"] == 37


# ------------------------------------------------------------------------------------------------ hidden conditions


STATES = [
    ("eclipse_phase_1e", "bob", "conditions.shocked", 20, "villain", "shocked"),
    ("eclipse_phase_1e", "bob", "conditions.full_defense", 1, "villain", "full defense"),
    ("eclipse_phase_1e", "bob", "conditions.running", 1, "bob", "running in melee"),
    ("eclipse_phase_1e", "bob", "wounds", 2, "villain", "2 wounds"),
    ("eclipse_phase_1e", "bob", "traumas", 1, "bob", "1 trauma"),
    ("eclipse_phase_2e", "bob", "conditions.impaired", 20, "villain", "impaired"),
    ("eclipse_phase_2e", "bob", "conditions.blinded", 1, "villain", "blinded"),
    ("eclipse_phase_2e", "bob", "conditions.next_test", -10, "villain", "after a critical"),
    ("eclipse_phase_2e", "bob", "conditions.next_test", -10, "bob", "after a critical"),
    ("eclipse_phase_2e", "bob", "conditions.full_defense", 1, "villain", "full defense"),
    ("eclipse_phase_2e", "bob", "conditions.aggressive", 1, "villain", "aggressive before"),
    ("eclipse_phase_2e", "bob", "conditions.on_the_move", 1, "bob", "charging"),
    ("eclipse_phase_2e", "villain", "conditions.prone", 1, "villain", "prone attacker"),
    ("eclipse_phase_2e", "villain", "conditions.prone", 1, "bob", "prone opponent"),
    ("eclipse_phase_2e", "bob", "wounds", 1, "bob", "1 wound"),
    ("shadowrun_4e", "bob", "conditions.shocked", 1, "villain", "shocked"),
    ("shadowrun_4e", "bob", "conditions.prone", 1, "villain", "defender prone"),
    ("shadowrun_4e", "bob", "conditions.full_defense", 1, "villain", "full defense: dodge"),
    ("shadowrun_4e", "villain", "conditions.prone", 1, "villain", "opponent prone"),
    ("shadowrun_4e", "villain", "conditions.prone", 1, "bob", "opponent prone"),
    ("shadowrun_4e", "bob", "conditions.sustaining_light", 1, "bob", "sustaining"),
    ("shadowrun_4e", "bob", "wounds", 1, "bob", "wound modifier"),
    ("gurps_3e", "bob", "conditions.stunned", 1, "villain", "stunned"),
    ("gurps_3e", "bob", "conditions.off_balance", 1, "villain", "off balance"),
    ("gurps_3e", "bob", "conditions.kneeling", 1, "villain", "kneeling"),
    ("gurps_3e", "bob", "conditions.kneeling", 1, "bob", "kneeling"),
    ("gurps_3e", "bob", "conditions.dx_reduced", 2, "bob", "less DX"),
]
"""By game: whose state is set to what in secret, who strikes then, and the part of Bob's sum that comes from it."""


@pytest.mark.parametrize(("game", "who", "what", "value", "by", "part"), STATES)
def test_a_part_from_a_state_that_is_hidden_is_a_hidden_part(
    game: str, who: str, what: str, value: int, by: str, part: str
) -> None:
    read = {}
    for seen_by in (None, HIDDEN):
        session = met(game, None)
        until(session, lambda session=session: session.combat.turn.who == by)
        session.perform(Adjust(who, what, value, "what nobody sees", seen_by=seen_by))
        roll = f"{strike(session, by)}/{ROLLS[by]}"
        until(session, waits_for(session, ROLLS[by]))
        read[seen_by] = lines(session.why(roll, eyes(session))), lines(session.why(roll))

    (open_, whole), (hers, gm) = read[None], read[HIDDEN]
    assert open_ == whole == gm
    assert any(part in line for line in whole)
    assert not any(part in line for line in hers)
    assert "hidden |  | from what is hidden" in hers


ROLLS = {"villain": "defend", "bob": "to-hit"}
"""Bob's roll, by who strikes."""


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e", "shadowrun_4e"])
def test_wounds_that_are_told_again_hide_nothing(game: str) -> None:
    session = met(game, None)
    session.perform(Adjust("bob", "wounds", 2, "a slow poison", seen_by=HIDDEN))
    session.perform(Adjust("bob", "wounds", 1, "he has noticed"))

    roll = f"{strike(session)}/defend"
    until(session, waits_for(session, "defend"))

    assert lines(session.why(roll, eyes(session))) == lines(session.why(roll))


# ------------------------------------------------------------------------------------------------ against hits


MAGE: Mapping[str, Any] = {
    **BOB["shadowrun_4e"], "magic": 5, "tradition": "hermetic", "skills": {"spellcasting": 4, "negotiation": 3},
    "spells": ["manabolt"],
}  # fmt: skip


def opposed(kind: str, secret: tuple[str, ...], sheet: tuple[str, ...] | None) -> tuple[Session, str]:
    """Bob resists a spell of the villain's, or haggles with them; the table waits for nothing more of it."""
    session = Session.create(MemoryStore(), ruleset="shadowrun_4e")
    session.perform(Join("villain", dict(MAGE), sheet_seen_by=sheet))
    session.perform(Join("bob", dict(MAGE), player="kira"))
    if kind == "cast":
        session.perform(BeginCombat())
        until(session, lambda: session.combat.turn.who == "villain")
        session.perform(Declare("cast", "villain", {"spell": "manabolt", "force": 5, "at": "bob"}))
        key, role = session.combat.exchange.frames[-1].key, "resist-spell"
    else:
        session.perform(Declare("social", "bob", {"at": "villain", "test": "negotiation"}))
        key, role = session.combat.exchange.frames[-1].key, "test"
    until(session, is_over(session, key), {"cast": (5, 5, 5), "oppose": (5, 5), role: (5,)}, secret)
    return session, next(one for one in _keys(session, key) if one.by == "bob" and one.key.endswith(role)).key


def _keys(session: Session, key: str) -> list[Any]:
    return [event for event in _events(session, e.RollRequested) if event.key.startswith(key)]


@pytest.mark.parametrize("kind", ["cast", "social"])
@pytest.mark.parametrize(("secret", "sheet"), [(("villain",), None), ((), HIDDEN), (("villain",), HIDDEN)])
def test_the_hits_that_a_test_has_to_beat_are_as_secret_as_the_other_test(kind: str, secret: Any, sheet: Any) -> None:
    session, key = opposed(kind, secret, sheet)

    hers = lines(session.why(key, eyes(session)))

    (result,) = (line for line in hers if line.startswith("result"))
    assert result.endswith("against what is hidden")
    assert not any(line.startswith("target") for line in hers)
    assert any(line.startswith("target") for line in lines(session.why(key)))


@pytest.mark.parametrize("kind", ["cast", "social"])
def test_open_hits_are_shown(kind: str) -> None:
    session, key = opposed(kind, (), None)

    assert lines(session.why(key, eyes(session))) == lines(session.why(key))


# ------------------------------------------------------------------------------------------------ whose sheet it is


@pytest.mark.parametrize("game", GAMES)
def test_a_player_sees_their_own_sum_though_their_sheet_is_hidden_from_others(game: str) -> None:
    session = Session.create(MemoryStore(), ruleset=game)
    session.perform(Join("villain", dict(VILLAIN[game]), sheet_seen_by=HIDDEN))
    session.perform(Join("bob", dict(BOB[game]), player="kira", sheet_seen_by=("bob",)))
    session.perform(BeginCombat())

    key = blow(session, "bob")

    assert lines(session.why(f"{key}/to-hit", eyes(session))) == ATTACK[game]
    assert [line.split(" |")[0] for line in lines(session.why(f"{key}/to-hit", Viewer(Seat.SPECTATOR)))] == ["dice"]


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e", "shadowrun_4e"])
def test_a_player_sees_how_their_own_initiative_comes_about(game: str) -> None:
    session = met(game)
    until(session, lambda: session.combat.turn.who is not None)

    score = [event for event in _events(session, e.FigureFound) if event.name == "score" and "bob" in event.key]

    assert [event.seen_by for event in score] == [None]


def test_what_is_declared_in_secret_is_a_hidden_part_of_the_sum_of_whoever_it_is_declared_against() -> None:
    session = met("gurps_3e", None)
    declared = {"at": "bob", "using": "spear", "theirs": ["from the side"]}
    session.perform(Declare("attack", "villain", declared, seen_by=HIDDEN))
    key = session.combat.exchange.frames[-1].key
    finish(session, key)

    hers = lines(session.why(f"{key}/defend", eyes(session)))

    assert hers[:3] == ["base | 6 | block 6", "hidden |  | from what is hidden", "target | 6 | 6 and what is hidden"]
    assert any("from the side" in line for line in lines(session.why(f"{key}/defend")))


# ------------------------------------------------------------------------------------------------ feints


def feinted(seen_by: tuple[str, ...] | None, sheet: tuple[str, ...] | None, **policies: str) -> Session:
    """The villain has feinted at Bob by 6 points, who has had his turn since; the villain strikes at him."""
    session = met("gurps_3e", sheet, **policies)
    session.perform(Declare("feint", "villain", {"at": "bob", "using": "spear"}, seen_by=seen_by))
    secret = ("villain", "bob") if seen_by is not None else ()
    until(
        session, lambda: session.combat.exchange.frame is None, {"feint": (3, 3, 3), "see-through": (4, 4, 3)}, secret
    )
    until(session, lambda: session.combat.turn.who == "bob")
    until(session, lambda: session.combat.turn.who == "villain")
    strike(session)
    until(session, lambda: any(rest.key.endswith("/defense") for rest in session.rests), {"to-hit": (3, 3, 3)})
    return session


@pytest.mark.parametrize(("seen_by", "sheet"), [(HIDDEN, None), (HIDDEN, HIDDEN), (None, HIDDEN)])
def test_a_hidden_feint_is_read_off_no_option_and_is_a_hidden_part_of_the_defense(seen_by: Any, sheet: Any) -> None:
    session = feinted(seen_by, sheet)
    margin = -_events(session, e.ConditionGained)[-1].level
    hers = session.state(eyes=eyes(session)).rests[0]

    assert {option["target"] for option in hers["options"]} == {None}
    assert {option["label"] for option in hers["options"]} >= {"Dodge 6", "block 6"}
    assert {option["target"] for option in session.state().rests[0]["options"]} >= {6 + margin}
    key = session.combat.exchange.frames[-1].key
    session.perform(Choose(hers["key"], "block"))
    finish(session, key)
    why = lines(session.why(f"{key}/defend", eyes(session)))
    assert why[1:3] == ["hidden |  | from what is hidden", "target | 6 | 6 and what is hidden"]
    assert f"modifier | {margin:+d} | feinted" in lines(session.why(f"{key}/defend"))


def test_by_how_much_somebody_was_fooled_is_as_secret_as_the_sheet_of_whoever_feints() -> None:
    session = feinted(None, HIDDEN)

    (hers,) = session.state(eyes=eyes(session)).combatants["bob"].conditions
    (whole,) = session.state().combatants["bob"].conditions

    assert (hers.name, hers.level) == ("feinted_by_villain", None)
    assert whole.level
    assert [line for line in told(session, eyes(session)) if "feinted" in line] == [
        "Bob is feinted by villain until the end of villain's next turn."
    ]
    assert len([line for line in told(session, EVERYTHING) if "feinted by villain" in line]) == 1


def test_an_open_feint_of_an_open_sheet_is_told_as_it_is() -> None:
    session = feinted(None, None)

    assert session.state(eyes=eyes(session)).rests == session.state().rests


def test_with_its_value_a_hidden_feint_is_told_by_nothing_but_its_number() -> None:
    session = feinted(HIDDEN, HIDDEN, **VALUE)
    key = session.combat.exchange.frames[-1].key
    session.perform(Choose(session.rests[0].key, "block"))

    hers = lines(session.why(f"{key}/defend", eyes(session)))

    assert hers[1].startswith("hidden | -")
    assert not any("feint" in line for line in hers)


# ------------------------------------------------------------------------------------------------ elsewhere


def partly_hidden(**policies: str) -> tuple[Session, str]:
    """Kira's attack on somebody larger, whose sheet is secret, with a target of 60 where she knows of 50."""
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
    assert [one.tests for one in shown.luck(eyes(shown)).successes] == [1]


@pytest.mark.parametrize(
    ("policies", "result"),
    [({}, "17 against what is partly hidden"), (VALUE, "17 against 60")],
    ids=["no value", "value"],
)
def test_the_report_has_one_line_for_what_is_hidden(policies: dict[str, str], result: str) -> None:
    session, key = partly_hidden(**policies)

    hers = sums(session.log.entries(), eyes(session))[key]

    assert [(part.kind, part.value) for part in hers.parts] == [
        ("base", "50"), ("modifier", "+10" if policies else ""), ("target", "60" if policies else "50"),
        ("dice", "17"), ("result", "success"),
    ]  # fmt: skip
    assert hers.parts[1].why == "hidden"
    assert hers.parts[-1].why == result
    assert [part.why for part in sums(session.log.entries(), EVERYTHING)[key].parts][1] == "large target"


def test_at_the_table_a_target_says_that_it_is_not_the_whole() -> None:
    session = met("eclipse_phase_2e")
    strike(session, "bob")
    until(session, waits_for(session, "to-hit"))

    (roll,) = question(session, session.seen(eyes(session)), KIRA).rolls

    assert roll.words == "bob: hit with knife, 1d100 against 50 and what is hidden"
    (whole, *_) = question(session, session.combat, GM).rolls
    assert whole.words == "bob: hit with knife, 1d100 against 60"


def test_a_player_cannot_reckon_the_odds_of_what_is_partly_hidden() -> None:
    session = met("eclipse_phase_2e")
    strike(session, "bob")
    until(session, waits_for(session, "to-hit"))

    with pytest.raises(Refused) as refusal:
        session.odds("to-hit", eyes=eyes(session))

    assert refusal.value.slug == "odds/secret"
    assert session.odds("to-hit").outcome


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


# ------------------------------------------------------------------------------------------------ not in secret


@pytest.mark.parametrize("game", GAMES)
def test_where_nothing_is_secret_nothing_stands_for_anything(game: str) -> None:
    session = met(game, None)

    blow(session, "bob")

    assert {event.seen_by for entry in session.entries() for event in entry.events} == {None}
    assert not {"hidden", "result"} & {event.name for event in _events(session, e.FigureFound) if "/" in event.key}


def test_a_table_cannot_agree_on_another_way_to_show_hidden_parts() -> None:
    with pytest.raises(Refused) as refusal:
        met("gurps_3e", hidden_parts="half")

    assert (refusal.value.slug, refusal.value.where) == ("policy/unknown", "policies.hidden_parts")
    assert refusal.value.accepts == "no value, value"


def test_the_sheets_are_of_every_game() -> None:
    assert set(GAMES) == set(BOB)
