"""A player's view of the sum of their combatant's roll does not depend on its hidden parts."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from secret_fights import BAD, GAMES, HIDDEN, HIT, eyes, is_over, lines, met, strike, until, waits_for

from ledger import events as e
from ledger.commands import Adjust, ApplyModifier
from ledger.key import role
from replays.api.session import Session

SHEETS: dict[str, Any] = {
    "eclipse_phase_1e": st.fixed_dictionaries(
        {
            "durability": st.integers(20, 60),
            "aptitudes": st.fixed_dictionaries({"som": st.integers(1, 30)}),
            "skills": st.fixed_dictionaries({"fray": st.integers(1, 98), "unarmed combat": st.integers(18, 98)}),
            "weapons": st.fixed_dictionaries(
                {
                    "claws": st.fixed_dictionaries(
                        {"kind": st.just("melee"), "skill": st.just("unarmed combat"), "damage": st.just("1d10"),
                         "ap": st.integers(-9, 0)}
                    )
                }
            ),
            "armor": st.fixed_dictionaries({"worn": st.sampled_from([[], ["armor vest"]])}),
        }
    ),
    "eclipse_phase_2e": st.fixed_dictionaries(
        {
            "durability": st.integers(20, 60), "size": st.just("large"),
            "skills": st.fixed_dictionaries({"fray": st.integers(1, 98), "melee": st.integers(18, 98)}),
        }
    ),
    "shadowrun_4e": st.fixed_dictionaries(
        {
            "body": st.integers(1, 9), "willpower": st.integers(1, 9), "strength": st.integers(1, 9),
            "armor": st.fixed_dictionaries({"ballistic": st.integers(0, 9), "impact": st.integers(0, 9)}),
            "weapons": st.sampled_from([["katana"], ["katana", "combat axe"]]),
        }
    ),
    "gurps_3e": st.fixed_dictionaries(
        {
            "st": st.integers(9, 15), "ht": st.integers(9, 15), "size": st.integers(1, 6),
            "skills": st.fixed_dictionaries({"spear": st.integers(12, 20), "shield": st.integers(8, 20)}),
        }
    ),
}  # fmt: skip
"""Numbers of the villain's sheet that the number of rolled dice does not disclose."""
SUMS = ("base", "modifier", "hidden", "target", "pool", "dice")


def own_sum(session: Session, key: str, name: str) -> list[str]:
    """Returns what Kira sees of the sum of one of Bob's rolls."""
    return [line for line in lines(session.why(role(key, name), eyes(session))) if line.split(" ")[0] in SUMS]


def struck(session: Session, by: str) -> str:
    """Plays a blow with faces that depend on no sheet."""
    game = session.combat.session.ruleset
    key = strike(session, by)
    until(session, waits_for(session, "defend"), {"to-hit": HIT[game]}, ("villain",))
    until(session, lambda: not waits_for(session, "defend")(), {"to-hit": HIT[game], "defend": BAD[game]}, ("villain",))
    return key


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_no_number_of_a_secret_sheet_changes_it(game: str, data: st.DataObject) -> None:
    one, other = (data.draw(SHEETS[game]) for _ in range(2))

    for by, name in (("villain", "defend"), ("bob", "to-hit")):
        seen = []
        for sheet in (one, other):
            session = met(game, villain=sheet)
            key = struck(session, by)
            seen.append(own_sum(session, key, name))
        if game == "shadowrun_4e" and name == "to-hit":  # the number of requested dice discloses the reach
            seen = [[line for line in lines_ if not line.startswith("dice")] for lines_ in seen]

        assert seen[0] == seen[1]
        assert seen[0]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8, deadline=None)
@given(hidden=st.tuples(st.integers(-90, 40), st.integers(-90, 40)), shown=st.integers(-90, 90))
def test_no_modifier_that_was_given_in_secret_changes_it(game: str, hidden: tuple[int, int], shown: int) -> None:
    seen = []
    for value in hidden:
        session = met(game, None)
        key = strike(session)
        until(session, waits_for(session, "defend"))
        if game != "shadowrun_4e":  # an empty pool is not thrown
            session.perform(ApplyModifier(f"{key}/defend", shown, "seen by all"))
        session.perform(ApplyModifier(f"{key}/defend", value, "a voice whispers", seen_by=HIDDEN))
        seen.append((own_sum(session, key, "defend"), _target(session)))

    assert seen[0][0] == seen[1][0]
    if game != "shadowrun_4e":
        assert seen[0][1] == seen[1][1]


def _target(session: Session) -> list[Any]:
    """Returns the open rests, as Kira sees them."""
    return [rest for rest in session.state(eyes=eyes(session)).rests if rest["by"] == "bob"]


@settings(max_examples=10, deadline=None)
@given(levels=st.tuples(st.integers(1, 60), st.integers(1, 60)))
def test_no_level_of_a_hidden_condition_changes_it(levels: tuple[int, int]) -> None:
    for game, condition in (("eclipse_phase_1e", "shocked"), ("eclipse_phase_2e", "impaired")):
        seen = []
        for level in levels:
            session = met(game, None)
            until(session, lambda session=session: session.combat.turn.who is not None)
            session.perform(Adjust("bob", f"conditions.{condition}", level, "a slow poison", seen_by=HIDDEN))
            key = strike(session)
            until(session, waits_for(session, "defend"))
            seen.append((own_sum(session, key, "defend"), _target(session)))

        assert seen[0] == seen[1]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("by", ["villain", "bob"])
def test_every_own_event_with_hidden_parts_is_hidden_from_exactly_those_seats(game: str, by: str) -> None:
    """Only events of Bob's rolls with a hidden part are hidden, and these from everyone."""
    session = met(game)
    key = strike(session, by)
    until(session, is_over(session, key), {"to-hit": HIT[game], "defend": BAD[game]}, ("villain",))
    open_ = met(game, None)
    strike(open_, by)
    until(open_, is_over(open_, key), {"to-hit": HIT[game], "defend": BAD[game]})
    mine = {"villain": "defend", "bob": "to-hit"}[by]

    hidden = [
        event
        for entry in session.entries()
        for event in entry.events
        if isinstance(event, e.FigureFound | e.ModifierApplied | e.TestResolved)
        and event.key == f"{key}/{mine}"
        and event.seen_by is not None
        and getattr(event, "why", "?")
    ]

    said = {getattr(event, "why", "test") for event in hidden}
    assert said <= HIDDEN_PARTS[game, by]
    assert msgspec.to_builtins(session.state().combatants) == msgspec.to_builtins(open_.state().combatants)


HIDDEN_PARTS: dict[tuple[str, str], set[str]] = {
    ("eclipse_phase_1e", "villain"): set(),
    ("eclipse_phase_1e", "bob"): set(),
    ("eclipse_phase_2e", "villain"): set(),
    ("eclipse_phase_2e", "bob"): {"large target", "50 +10", "test"},
    ("shadowrun_4e", "villain"): {"the attacker's hits", "test"},
    ("shadowrun_4e", "bob"): {"opponent has longer reach", "9 -1"},
    ("gurps_3e", "villain"): set(),
    ("gurps_3e", "bob"): {"size", "14 +1", "test"},
}
"""The hidden parts of Bob's own roll: parts by reason, the sums that contain them, and the test."""
