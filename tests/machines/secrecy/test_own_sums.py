"""A player sees their own sums: the hidden parts are one line, and parts of another's sum are not shown."""

from typing import Any

import msgspec
import pytest
from secret_fights import (
    BOB,
    GAMES,
    HIDDEN,
    VILLAIN,
    blow,
    events,
    eyes,
    finish,
    lines,
    met,
    strike,
    told,
    until,
    waits_for,
)

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Adjust, BeginCombat, Choose, Declare, Join, Reveal
from ledger.entry import Seat
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.audit.why import Why
from replays.corrections.redecide import rehearse

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
        "degree | Excellent Success | MoS 36",
    ],
    "eclipse_phase_2e": [
        "base | 50 | melee", "hidden |  | from what is hidden", "target | 50 | 50 and what is hidden",
        "dice | 17 | typed", "result | success | 17 against what is partly hidden",
    ],
    "shadowrun_4e": [
        "base | 9 | agility 5 + blades 4", "hidden |  | from what is hidden", "pool | 9 | 9 and what is hidden",
        "dice | 5 5 5 5 5 3 3 3 | typed", "result | success | 5 hits",
    ],
    "gurps_3e": [
        "base | 14 | spear 14", "hidden |  | from what is hidden", "target | 14 | 14 and what is hidden",
        "dice | 3 3 3 | typed", "result | success | 9 against what is partly hidden",
    ],
}  # fmt: skip
"""The hidden part of an attack on a larger combatant, or one with a longer blade, whose sheet is secret."""
WITH_VALUE = {
    "eclipse_phase_1e": ATTACK["eclipse_phase_1e"],
    "eclipse_phase_2e": [
        "base | 50 | melee", "hidden | +10 | from what is hidden", "target | 60 | 50 +10 hidden",
        "dice | 17 | typed", "result | success | 17 against 60",
    ],
    "shadowrun_4e": [
        "base | 9 | agility 5 + blades 4", "hidden | -1 | from what is hidden", "pool | 8 | 9 -1 hidden",
        "dice | 5 5 5 5 5 3 3 3 | typed", "result | success | 5 hits",
    ],
    "gurps_3e": [
        "base | 14 | spear 14", "hidden | +1 | from what is hidden", "target | 15 | 14 +1 hidden",
        "dice | 3 3 3 | typed", "result | success | 9 against 15, margin 6",
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
        assert (rests["no value"]["hidden"], rests["value"]["hidden"]) == (True, parts[game])
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
    tests, plain = ([_whole(event) for event in events(session, e.TestResolved)] for session in (secret, open_))

    assert tests == plain
    assert secret.state().combatants == open_.state().combatants


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
"""The table of `machines.secrecy.own_sums`: the attacker, what Kira sees, and what only the gamemaster sees."""


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
    """Returns every part of an explanation, by the last word of its roll's key and its name."""
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

    score = [event for event in events(session, e.FigureFound) if event.name == "score" and "bob" in event.key]

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


ARMORED = {
    "armor": {"torso": {"pd": 2}, "head": {"pd": 4}}, "shield": {"kind": "buckler", "pd": 1},
}  # fmt: skip
AT_THE_TORSO, AT_THE_SKULL = {"location": "torso"}, {"location": "brain"}


def defended(terms: dict[str, Any], how: str, condition: str = "", **more: Any) -> tuple[Session, str]:
    """Plays a defense of Bob, in armor, against an attack that was declared in secret."""
    session = met("gurps_3e", None, bob=ARMORED, **more)
    until(session, lambda: session.combat.turn.who == "villain")
    if condition:
        session.perform(Adjust("bob", f"conditions.{condition}", 1, "he slipped"))
    session.perform(Declare("attack", "villain", {"at": "bob", "using": "spear", **terms}, seen_by=HIDDEN))
    key = session.combat.exchange.frames[-1].key
    until(session, lambda: any(rest.key == f"{key}/defense" for rest in session.rests), {"to-hit": (3, 3, 3)})
    session.perform(Choose(f"{key}/defense", how))
    finish(session, key)
    return session, f"{key}/defend"


@pytest.mark.parametrize(
    ("how", "condition", "parts"),
    [
        ("block", "", ["base | 6 | block 6", "modifier | +3 | passive defense", "target | 9 | 6 +3"]),
        ("none", "", ["base | 3 | passive defense 3", "target | 3 | 3"]),
        ("block and retreat", "", ["modifier | +3 | retreat", "target | 12 | 6 +3 +3"]),
        ("block", "stunned", ["modifier | -4 | stunned", "target | 5 | 6 +3 -4"]),
        ("block", "off_balance", ["modifier | -2 | off balance", "target | 7 | 6 +3 -2"]),
        ("block", "kneeling", ["modifier | -2 | kneeling", "target | 7 | 6 +3 -2"]),
    ],
)
def test_a_player_sees_what_their_own_armor_posture_and_step_add_to_a_defense_against_a_secret_attack(
    how: str, condition: str, parts: list[str]
) -> None:
    session, key = defended(AT_THE_TORSO, how, condition)

    hers = lines(session.why(key, eyes(session)))

    assert set(parts) <= set(hers)
    assert not [line for line in hers if "hidden" in line]


@pytest.mark.parametrize("how", ["block", "none"])
def test_own_armor_tells_nothing_of_the_place_that_somebody_aims_at_in_secret(how: str) -> None:
    torso, skull = (defended(terms, how) for terms in (AT_THE_TORSO, AT_THE_SKULL))
    shown, aimed = (lines(session.why(key, eyes(session))) for session, key in (torso, skull))

    assert [line for line in aimed if line.startswith(("base", "modifier"))] == [
        line for line in shown if line.startswith(("base", "modifier"))
    ]
    assert "hidden |  | from what is hidden" in aimed
    whole = lines(skull[0].why(skull[1]))
    assert "modifier | +2 | passive defense of the brain" in whole
    assert {line for line in whole if line.startswith("target")} == {
        "target | 11 | 6 +3 +2" if how == "block" else "target | 5 | 3 +2"
    }


@pytest.mark.parametrize(("terms", "shown"), [(AT_THE_TORSO, 9), (AT_THE_SKULL, None)])
def test_the_ways_to_defend_show_their_numbers_where_only_what_is_ones_own_goes_into_them(
    terms: dict[str, Any], shown: int | None
) -> None:
    session = met("gurps_3e", None, bob=ARMORED)
    until(session, lambda: session.combat.turn.who == "villain")
    session.perform(Declare("attack", "villain", {"at": "bob", "using": "spear", **terms}, seen_by=HIDDEN))
    until(session, lambda: session.rests[0].key.endswith("/defense"), {"to-hit": (3, 3, 3)})

    (rest,) = session.state(eyes=eyes(session)).rests

    assert {option["option"]: option.get("target") for option in rest["options"]}["block"] == shown


# ------------------------------------------------------------------------------------------------ not in secret


@pytest.mark.parametrize("game", GAMES)
def test_where_nothing_is_secret_nothing_stands_for_anything(game: str) -> None:
    session = met(game, None)

    blow(session, "bob")

    assert {event.seen_by for entry in session.entries() for event in entry.events} == {None}
    assert not {"hidden", "result"} & {event.name for event in events(session, e.FigureFound) if "/" in event.key}


def test_a_table_cannot_agree_on_another_way_to_show_hidden_parts() -> None:
    with pytest.raises(Refused) as refusal:
        met("gurps_3e", hidden_parts="half")

    assert (refusal.value.slug, refusal.value.where) == ("policy/unknown", "policies.hidden_parts")
    assert refusal.value.accepts == "no value, value"


def test_the_sheets_are_of_every_game() -> None:
    assert set(GAMES) == set(BOB)
