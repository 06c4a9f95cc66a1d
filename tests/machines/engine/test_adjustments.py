"""Adjustments by the gamemaster: the value before is recorded, and a value that a combatant lacks is refused."""

import pytest

from ledger.commands import Adjust, BeginCombat, EndCombat, Join, Leave, TypeDice
from ledger.events import Adjusted, ConditionGained, Event, OrderFixed
from machines.contract.refusals import CannotAdjust, UnknownCombatant
from machines.contract.ruleset import ruleset
from machines.engine.adjustments import check_known, free_condition
from projections.combat import Combat
from replays.api.session import Session

SHEET = {"init": 50, "durability": 30, "aptitudes": {"som": 20, "wil": 15}, "skills": {"fray": 40}, "moxie": 2}


@pytest.fixture
def street() -> Session:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", SHEET))
    session.perform(Join("bob", SHEET))
    return session


def begun(session: Session) -> Session:
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (30,)))
    session.perform(TypeDice("r1/bob/initiative", (20,)))
    return session


def adjusted(session: Session, what: str, value: int | str | None, who: str = "ann") -> tuple[Event, ...]:
    return session.perform(Adjust(who, what, value, "so it is")).events


@pytest.mark.parametrize("what", ["wounds", "traumas", "resources.moxie", "tracks.stress", "conditions.prone"])
def test_what_was_there_before_is_recorded_beside_what_is_there_now(street: Session, what: str) -> None:
    first = 2 if what == "resources.moxie" else None if what == "conditions.prone" else 0

    assert adjusted(street, what, 1) == (Adjusted("ann", what, first, 1, "so it is"),)
    assert adjusted(street, what, 0) == (Adjusted("ann", what, 1, 0, "so it is"),)


def test_of_a_condition_the_level_is_recorded_else_when_it_ends_else_nothing(street: Session) -> None:
    values: tuple[int | str | None, ...] = ("the end of round 3", 2, None, "dawn")

    before = [event.before for value in values for event in adjusted(street, "conditions.prone", value)]  # type: ignore[attr-defined]

    assert before == [None, "the end of round 3", 2, None]


def test_initiative_is_set_below_nothing_too_and_orders_a_fight_anew(street: Session) -> None:
    assert adjusted(street, "initiative", -3) == (Adjusted("ann", "initiative", None, -3, "so it is"),)

    begun(street)

    assert adjusted(street, "wounds", 0) == (Adjusted("ann", "wounds", 0, 0, "so it is"),)
    assert adjusted(street, "initiative", -1) == (
        Adjusted("ann", "initiative", 80, -1, "so it is"), OrderFixed((("bob", 70), ("ann", -1))),
    )  # fmt: skip
    street.perform(EndCombat())
    assert [type(event) for event in adjusted(street, "initiative", 5)] == [Adjusted]


def test_only_what_happens_to_a_track_has_what_follows_by_rule() -> None:
    session = Session.create("memory://", ruleset="gurps_3e")
    session.perform(Join("ann", {"st": 10, "dx": 10, "iq": 10, "ht": 10}))
    track = next(iter(session.combat.health.tracks["ann"]))

    assert [type(event) for event in adjusted(session, "conditions.prone", 1)] == [Adjusted]
    recorded, *followed = adjusted(session, f"tracks.{track}", 100)
    assert type(recorded) is Adjusted
    assert "dead" in [event.condition for event in followed if isinstance(event, ConditionGained)]


@pytest.mark.parametrize(
    ("what", "value", "where", "accepts"),
    [
        ("conditions.Prone", 1, "what", "lower-case letters, digits, - and _"),
        ("conditions.on fire", None, "what", "lower-case letters, digits, - and _"),
        ("wounds", -1, "value", "0 or more"),
        ("wounds", "many", "value", "0 or more"),
        ("resources.moxie", -1, "value", "0 or more"),
        ("initiative", "first", "value", "0 or more"),
        ("initiative", None, "value", "0 or more"),
        *(
            (
                what,
                1,
                "what",
                "tracks.damage, tracks.stress, resources.moxie, wounds, traumas, initiative, conditions.NAME",
            )
            for what in ("luck", "conditions", "conditions.", "tracks.luck", "resources.luck")
        ),
    ],
)
def test_what_nobody_has_or_what_it_cannot_be_is_refused_with_what_can(
    street: Session, what: str, value: int | str | None, where: str, accepts: str
) -> None:
    with pytest.raises(CannotAdjust) as refusal:
        adjusted(street, what, value)

    assert (refusal.value.where, refusal.value.accepts) == (where, accepts)


def test_who_is_not_here_is_refused_with_who_is(street: Session) -> None:
    street.perform(Leave("bob"))

    for who in ("bob", "zoe"):
        with pytest.raises(UnknownCombatant, match=f"there is no '{who}' here") as refusal:
            adjusted(street, "wounds", 1, who)
        assert (refusal.value.where, refusal.value.accepts) == ("who", "ann")
    with pytest.raises(UnknownCombatant) as nobody:
        check_known(Combat(), "ann")
    assert nobody.value.accepts == "nobody has joined"


def test_a_condition_that_no_rule_knows_is_told_of_with_the_nearest() -> None:
    game = ruleset("eclipse_phase_1e")

    assert free_condition(game, "conditions.pron") == "pron is free: no rule knows it; did you mean prone?"
    assert free_condition(game, "conditions.xyzzy") == "xyzzy is free: no rule knows it"
    assert [free_condition(game, what) for what in ("conditions.prone", "tracks.pron", "wounds")] == ["", "", ""]
    assert free_condition(game, "conditions.mental_defence").endswith(
        "; did you mean mental_defense?"
    )  # nor full_defense
    assert free_condition(game, "conditions.rifle_jammed") == ""  # of a form: *_jammed
