"""Parts of a player's own sum are hidden by their source: modifiers, conditions, hits, declarations, feints."""

from collections.abc import Mapping
from typing import Any

import pytest
from secret_fights import (
    BOB,
    GAMES,
    HIDDEN,
    KIRA,
    events,
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
from ledger.audience import EVERYTHING
from ledger.commands import Adjust, ApplyModifier, BeginCombat, Choose, Declare, Join, TypeDice
from ledger.stores.memory import MemoryStore
from replays.api.session import Session

VALUE = {"hidden_parts": "value"}


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
    assert (hers["dice"], hers["hidden"]) == ("5d6", True)
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
    """At most 60 points count: the rules add up the known parts; the hidden ones are not subtracted from the whole sum."""
    sums = set()
    for hidden in (-1, -40):
        session = met("eclipse_phase_1e", None)
        key = strike(session)
        until(session, waits_for(session, "defend"))
        session.perform(ApplyModifier(f"{key}/defend", -50, "mud"))
        session.perform(ApplyModifier(f"{key}/defend", hidden, "a voice whispers", seen_by=HIDDEN))
        (hers,) = (rest for rest in session.state(eyes=eyes(session)).rests if rest["by"] == "bob")
        sums.add((hers["target"], hers["hidden"]))

    assert sums == {(-10, True)}


def test_several_hidden_parts_are_one_line() -> None:
    session = met("eclipse_phase_1e", None, **VALUE)
    key = strike(session)
    until(session, waits_for(session, "defend"))
    session.perform(ApplyModifier(f"{key}/defend", -10, "mud"))
    for value in (-3, -4):
        session.perform(ApplyModifier(f"{key}/defend", value, "a voice whispers", seen_by=HIDDEN))

    assert lines(session.why(f"{key}/defend", eyes(session)))[-2:] == [
        "hidden | -7 | from what is hidden", "target | 23 | 40 -10 -7 hidden",
    ]  # fmt: skip


@pytest.mark.parametrize("policies", [{}, VALUE], ids=["no value", "value"])
def test_a_degree_is_shown_where_the_margin_is(policies: dict[str, str]) -> None:
    session = met("eclipse_phase_1e", None, **policies)
    key = strike(session)
    until(session, waits_for(session, "defend"))
    session.perform(ApplyModifier(f"{key}/defend", -3, "a voice whispers", seen_by=HIDDEN))
    finish(session, key)

    hers = lines(session.why(f"{key}/defend", eyes(session)))

    assert ("degree | Severe Failure | MoF 55" in hers) == bool(policies)
    assert "degree | Severe Failure | MoF 55" in lines(session.why(f"{key}/defend"))


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
"""By game: the combatant and the condition that is set in secret, the attacker, and the part of Bob's sum that results."""


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
"""Bob's roll, by the attacker."""


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
    """Plays to the end that Bob resists a spell of the villain, or haggles with the villain."""
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
    return [event for event in events(session, e.RollRequested) if event.key.startswith(key)]


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


# ------------------------------------------------------------------------------------------------ feints


def feinted(seen_by: tuple[str, ...] | None, sheet: tuple[str, ...] | None, **policies: str) -> Session:
    """Plays a feint of the villain by 6 points, Bob's next turn, and the villain's attack on him."""
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
    margin = -events(session, e.ConditionGained)[-1].level
    hers = session.state(eyes=eyes(session)).rests[0]

    assert {option.get("target") for option in hers["options"]} == {None}
    assert {option["label"] for option in hers["options"]} >= {"Dodge 6", "block 6"}
    assert {option.get("target") for option in session.state().rests[0]["options"]} >= {6 + margin}
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
