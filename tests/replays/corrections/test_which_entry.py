"""Which entry a number, a key or a shorthand means, and the refusal where it may mean several."""

from typing import Any

import pytest

from ledger.commands import BeginCombat, Choose, Declare, DrawDice, Join, TypeDice
from ledger.errors import NoSuchEntry
from machines.contract.refusals import NoSuchRoll
from replays.api.session import Session
from replays.corrections.change import BadChange
from replays.corrections.which_entry import entry_number

SHEET = {
    "init": 50, "durability": 30, "aptitudes": {"som": 20, "wil": 15}, "skills": {"fray": 40, "clubs": 50},
    "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"}},
}  # fmt: skip


@pytest.fixture
def morgue() -> Session:
    """Bob's stress, five times rolled (entries 4 to 13), then declared alone; and Ann's, once."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", draw=lambda *_: (12,))
    session.perform(Join("ann", SHEET))
    session.perform(Join("bob", SHEET))
    for _ in range(8):
        _sees(session, "bob")
    _sees(session, "ann")
    return session


def _sees(session: Session, who: str) -> None:
    session.perform(Declare("stress", who, {"what": "gruesome murder scene"}))
    for rest in session.rests:
        session.perform(DrawDice(rest.key))


@pytest.fixture
def brawl() -> Session:
    """Both have rolled Initiative (entries 5 and 6), Ann has attacked (7), Bob is to dodge (8)."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", SHEET))
    session.perform(Join("bob", SHEET))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (30,)))
    session.perform(TypeDice("r1/bob/initiative", (20,)))
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}))
    session.perform(Choose("r1/ann/a1/attack/defense", "fray"))
    return session


def refused(session: Session, entry: Any, kind: type[Exception]) -> tuple[str, str, str]:
    with pytest.raises(kind) as refusal:
        entry_number(session.log, entry)
    assert type(refusal.value) is kind
    return str(refusal.value), refusal.value.where, refusal.value.accepts  # type: ignore[attr-defined]


# ------------------------------------------------------------------------------------------------ numbers


def test_an_entry_is_meant_by_its_number_also_as_a_word(brawl: Session) -> None:
    assert [entry_number(brawl.log, each) for each in (5, "5", "005", "0000000000000000005")] == [5, 5, 5, 5]
    for strange in (99, "99", 0, "0"):
        refused(brawl, strange, NoSuchEntry)


@pytest.mark.parametrize("digits", ["0" * 19 + "5", "9" * 5000, "٥", "five"])
def test_digits_beyond_any_entry_s_number_are_a_key_that_nobody_has(brawl: Session, digits: str) -> None:
    _, where, accepts = refused(brawl, digits, NoSuchRoll)

    assert (where, accepts) == ("key", "a roll on record, such as kade/to-hit")


@pytest.mark.parametrize("strange", [True, False, 1.5, None, b"5", ["ann"]])
def test_what_is_neither_a_number_nor_a_word_names_no_entry(brawl: Session, strange: Any) -> None:
    words, where, accepts = refused(brawl, strange, BadChange)

    assert f"{type(strange).__name__} names no entry" in words
    assert (where, accepts) == ("entry", "a number, or a key")


# ------------------------------------------------------------------------------------------------ keys


@pytest.mark.parametrize(
    ("short", "entry"),
    [
        ("r1/ann/a1/attack", 7),
        ("ann/attack", 7),
        ("attack", 7),
        ("ann", 7),
        ("r1/ann/a1/attack/defense", 8),
        ("r1/bob/initiative", 6),
        ("bob/initiative", 6),
        ("bob", 6),
    ],
)
def test_a_key_means_what_was_declared_chosen_or_rolled_under_it(brawl: Session, short: str, entry: int) -> None:
    assert entry_number(brawl.log, short) == entry


@pytest.mark.parametrize("short", ["defense", "ann/defense", "zoe", "zoe/attack", "ann/luck", ""])
def test_a_key_that_nothing_stands_under_is_refused(brawl: Session, short: str) -> None:
    assert refused(brawl, short, NoSuchRoll)[1:] == ("key", "a roll on record, such as kade/to-hit")


def test_of_one_kind_of_one_person_the_latest_is_meant(morgue: Session) -> None:
    assert entry_number(morgue.log, "bob/stress") == 16
    assert entry_number(morgue.log, "a3/stress") == 8
    assert entry_number(morgue.log, "r0/bob/a1/stress") == 4
    assert entry_number(morgue.log, "bob/willpower") == 13
    assert entry_number(morgue.log, "ann/willpower") == 18
    assert entry_number(morgue.log, "r0/bob/a1/stress/willpower") == 5
    assert entry_number(morgue.log, "ann") == 17


def test_of_what_is_rolled_under_one_name_somebody_s_own_roll_is_meant(brawl: Session) -> None:
    """Bob defends himself, and Ann herself later, in an action of Bob's."""
    for command in (
        TypeDice("r1/ann/a1/attack/to-hit", (99,)), TypeDice("r1/ann/a1/attack/defend", (10,)), Declare("end", "ann"),
        Declare("attack", "bob", {"at": "ann", "using": "club"}), Choose("r1/bob/a1/attack/defense", "fray"),
        TypeDice("r1/bob/a1/attack/to-hit", (99,)), TypeDice("r1/bob/a1/attack/defend", (10,)),
    ):  # fmt: skip
        brawl.perform(command)

    assert [entry_number(brawl.log, each) for each in ("bob/defend", "ann/defend")] == [10, 15]


def test_an_id_alone_is_refused_where_its_combatant_has_rolled_more_than_once(brawl: Session) -> None:
    brawl.perform(TypeDice("r1/ann/a1/attack/defend", (10,)))

    accepts = "9 (r1/ann/a1/attack/defend), 6 (r1/bob/initiative)"
    assert refused(brawl, "bob", BadChange)[1:] == ("entry", accepts)


def test_what_may_be_several_is_refused_with_each_the_latest_first(brawl: Session, morgue: Session) -> None:
    assert refused(brawl, "initiative", BadChange) == (
        "amend/change: 'initiative' may be 2 entries (accepted: 6 (r1/bob/initiative), 5 (r1/ann/initiative))",
        "entry",
        "6 (r1/bob/initiative), 5 (r1/ann/initiative)",
    )
    shown = [f"{seq} (r0/bob/a{nth}/stress)" for nth, seq in enumerate((4, 6, 8, 10, 12, 14, 15, 16), 1)]
    assert refused(morgue, "bob", BadChange)[1:] == ("entry", ", ".join(reversed(shown)))
    assert refused(morgue, "willpower", BadChange)[2].startswith("18 (r0/ann/a1/stress/willpower), 13 (r0/bob/a5")


def test_of_more_than_eight_the_latest_eight_are_named(morgue: Session) -> None:
    _sees(morgue, "bob")

    _, _, accepts = refused(morgue, "bob", BadChange)

    assert accepts.startswith("19 (r0/bob/a9/stress), 16 (r0/bob/a8/stress), ")
    assert accepts.endswith(", 6 (r0/bob/a2/stress) …")
    assert accepts.count(",") == 7
