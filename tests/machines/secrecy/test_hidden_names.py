"""Hidden combatants that a command, a key or a text names, and the audience that follows from them."""

from typing import Any

import msgspec
import pytest

from ledger import commands as c
from ledger import events as e
from ledger.commands import Command, Reveal
from ledger.events import Audience
from machines.secrecy.hidden_names import (
    mentioned,
    named,
    of_all,
    of_declaration,
    owners,
    secrecy,
    with_own_secrecy,
    without,
)
from projections.combat import Combat, fold

ONE, TWO, TEN = "unseen-1", "unseen-2", "unseen-10"
HIDDEN: dict[str, Audience] = {ONE: ("ann", "bob"), TWO: ("bob",)}
JOINED = (
    e.CombatantJoined("ann", "Ann", "gm", False), e.CombatantJoined("bob", "Bob", "kira", False),
    *(e.CombatantJoined(who, who, "gm", False, seen_by=seen_by) for who, seen_by in HIDDEN.items()),
)  # fmt: skip
THEIRS, HERS = f"r1/{ONE}/a1/attack", "r1/ann/a1/attack"
OPTIONS = (e.Option("dodge", "dodge"),)


def so(*events: e.Event) -> Combat:
    return fold((*JOINED, *events))


def roll(key: str, by: str) -> e.Event:
    return e.RollRequested(key, by, "1d100", "", "")


def choice(key: str, by: str) -> e.Event:
    return e.ChoiceRequested(key, by, OPTIONS, None, "how?")


# ------------------------------------------------------------------------------------------------ texts and keys


@pytest.mark.parametrize(
    ("value", "who"),
    [
        (ONE, [ONE]),
        (f"{TWO} and {ONE}", [ONE, TWO]),
        (f"feinted_by_{ONE}", [ONE]),
        (TEN, []),
        (f"{TEN} {ONE}", [ONE]),
        ("ann", []),
        ({"at": ONE}, [ONE]),
        ({TWO: 1}, [TWO]),
        ({"at": [{"x": (TWO,)}, "ann"]}, [TWO]),
        ([ONE, TWO], [ONE, TWO]),
        ((TWO, 7, None), [TWO]),
        (7, []),
    ],
)
def test_a_hidden_name_is_found_in_any_text_of_a_plain_value(value: Any, who: list[str]) -> None:
    assert list(mentioned(value, HIDDEN)) == who


@pytest.mark.parametrize(
    ("value", "left"),
    [
        (ONE, ""),
        ("ann", "ann"),
        (7, 7),
        ({"at": ONE, TWO: 1, "by": "ann"}, {"at": "", "by": "ann"}),
        ([ONE, "ann", [TWO, "bob"]], ["ann", ["bob"]]),
        ((ONE, "ann"), ["ann"]),
        ({"of": [{"who": TWO}, {"who": TEN}]}, {"of": [{"who": ""}, {"who": TEN}]}),
    ],
)
def test_a_plain_value_is_told_without_the_hidden_names(value: Any, left: Any) -> None:
    assert without(value, HIDDEN) == left


@pytest.mark.parametrize(
    ("key", "who"),
    [
        (f"r1/{ONE}/a1", ONE), (f"{TWO}.damage", TWO), (f"r1/{TEN}/a1", ""), (f"feinted_by_{ONE}", ""), ("", ""),
        (f"{ONE}/{TWO}", ONE),
    ],
)  # fmt: skip
def test_a_key_names_whoever_is_a_whole_part_of_it(key: str, who: str) -> None:
    assert named(key, HIDDEN) == who


def test_who_knows_of_several_knows_of_each() -> None:
    assert of_all(iter((ONE, TWO)), HIDDEN) == ("bob",)
    assert of_all(iter((ONE,)), HIDDEN) == ("ann", "bob")
    assert of_all(iter(()), HIDDEN) is None


def test_a_declaration_is_seen_by_whoever_declares_it_and_those_who_know_of_all_whom_it_names() -> None:
    assert of_declaration(ONE, {"at": TWO}, HIDDEN) == ("ann", "bob")
    assert of_declaration("ann", {"at": TWO}, HIDDEN) == ("bob", "ann")
    assert of_declaration("ann", {"at": [ONE, TWO]}, HIDDEN) == ("bob", "ann")
    assert of_declaration("ann", {"at": "bob"}, HIDDEN) is None


def test_a_roll_is_of_whoever_throws_it_and_of_whoever_is_asked_now() -> None:
    combat = so(roll("k1", "ann"), roll("k2", "ann"), choice("k3", "bob"))

    assert owners(combat) == {"k1": "ann", "k2": "ann", "k3": "bob"}


# ------------------------------------------------------------------------------------------------ commands


DEED = e.Declared(THEIRS, "attack", ONE, {})
SECRETLY = e.Declared(HERS, "attack", "ann", {}, seen_by=("ann",))
OPENLY = e.Declared(HERS, "attack", "ann", {})


@pytest.mark.parametrize(
    ("command", "seen_by"),
    [
        (c.Declare("attack", ONE, {"at": "bob"}), ("ann", "bob")),
        (c.Declare("attack", "ann", {"at": TWO}), ("ann", "bob")),
        (c.Declare("attack", "ann", {"at": "bob"}), None),
        (c.BeginCombat({"ambushers": [TWO]}), ("bob",)),
        (c.BeginCombat({"ambushers": ["ann"]}), None),
        (c.Adjust(TWO, "wounds", 1, "a fall"), ("bob",)),
        (c.Adjust("ann", "wounds", 1, "a fall"), None),
        (c.Leave(TWO), ("bob",)),
        (c.AmendSheet(TWO, {}), ("bob",)),
        (c.OpenDispute(f"{TWO}.damage", "how?"), ("bob",)),
        (c.OpenDispute("ann.damage", "how?"), None),
        (c.Note(f"{TWO} is here"), None),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Command) else "",
)  # fmt: skip
def test_a_command_is_as_secret_as_whom_it_is_about(command: Command, seen_by: Audience) -> None:
    assert secrecy(command, so()) == seen_by


def keyed(key: str) -> list[Command]:
    """Returns one command of each kind that answers a key."""
    return [
        c.TypeDice(key, (1,)), c.DrawDice(key), c.TellDice(key, 1), c.Choose(key, "dodge"),
        c.ApplyModifier(key, 1, "so"), c.Overrule(key, "target", 1, "so"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "before", "seen_by"),
    [
        # a roll of a hidden combatant
        (f"{THEIRS}/to-hit", (DEED, roll(f"{THEIRS}/to-hit", ONE)), ("ann", "bob")),
        # what a victim does is public
        (f"{THEIRS}/defend", (DEED, roll(f"{THEIRS}/defend", "bob")), None),
        # figures of an action, and the gamemaster's choices in it, belong to the actor
        (f"{THEIRS}/damage", (DEED,), ("ann", "bob")),
        (f"{THEIRS}/ruling", (DEED, choice(f"{THEIRS}/ruling", "gm")), ("ann", "bob")),
        ("a/b/ruling", (e.Declared("a/b", "attack", TWO, {}), choice("a/b/ruling", "gm")), ("bob",)),
        # a key without an owner, or of the gamemaster: the hidden combatant that it names
        (f"r1/{TWO}/ruling", (choice(f"r1/{TWO}/ruling", "gm"),), ("bob",)),
        (f"r1/{TWO}/initiative", (), ("bob",)),
        (f"r1/{TWO}/initiative", (roll(f"r1/{TWO}/initiative", "ann"),), None),
        # in a secret declaration the actor's own rolls have its audience
        (f"{HERS}/to-hit", (SECRETLY, roll(f"{HERS}/to-hit", "ann")), ("ann",)),
        (f"{HERS}/defend", (SECRETLY, roll(f"{HERS}/defend", "bob")), None),
        (f"{HERS}/ruling", (SECRETLY, choice(f"{HERS}/ruling", "gm")), ("ann",)),
        (f"{HERS}/damage", (SECRETLY,), ("ann",)),
        (HERS, (SECRETLY,), ("ann",)),
        (f"{HERS}2/damage", (SECRETLY,), None),
        (f"{HERS}/to-hit", (OPENLY, roll(f"{HERS}/to-hit", "ann")), None),
        ("r1/ann/initiative", (roll("r1/ann/initiative", "ann"),), None),
        # of several open actions the innermost counts
        (f"{HERS}/x/damage", (OPENLY, e.Declared(f"{HERS}/x", "parry", "bob", {}, seen_by=("bob",))), ("bob",)),
        (f"{HERS}/damage", (SECRETLY, e.Declared("r1/bob/a1/x", "x", "bob", {})), ("ann",)),
    ],
)
def test_an_answer_is_as_secret_as_who_acts(key: str, before: tuple[e.Event, ...], seen_by: Audience) -> None:
    for command in keyed(key):
        if not (isinstance(command, c.Choose) and key.endswith("ruling")):
            assert secrecy(command, so(*before)) == seen_by


def test_an_answer_in_a_secret_declaration_is_secret_where_no_combatant_is_hidden() -> None:
    joined = (e.CombatantJoined("ann", "Ann", "gm", False), e.CombatantJoined("bob", "Bob", "kira", False))
    before = fold((*joined, SECRETLY, roll(f"{HERS}/to-hit", "ann")))

    assert [secrecy(command, before) for command in keyed(f"{HERS}/to-hit")] == [("ann",)] * 6
    assert secrecy(c.Note("ann aims"), before) is None
    assert secrecy(c.Declare("attack", "ann", {"at": "bob"}), before) is None


def test_a_choice_is_as_secret_as_the_roll_that_it_is_about_or_that_led_to_it() -> None:
    thrown = e.DiceRolled(f"{HERS}/to-hit", (1,), ("typed",), seen_by=("bob", "cem"))
    before = so(
        OPENLY, roll(thrown.key, "ann"), thrown, choice(f"{HERS}/ruling", "gm"), choice(f"{thrown.key}/moxie", "ann")
    )

    assert secrecy(c.Choose(f"{HERS}/ruling", "dodge"), before) == ("bob", "cem")
    assert secrecy(c.Choose(f"{thrown.key}/moxie", "dodge"), before) == ("bob", "cem")
    assert secrecy(c.ApplyModifier(f"{HERS}/ruling", 1, "so"), before) is None


# ------------------------------------------------------------------------------------------------ as it was asked


@pytest.mark.parametrize(
    ("command", "counts"),
    [
        (c.Adjust(ONE, "wounds", 1, "", seen_by=None), None),
        (c.Adjust(ONE, "wounds", 1, "", seen_by=("ann", "bob")), None),
        (c.Adjust(ONE, "wounds", 1, "", seen_by=("ann", "bob", "cem")), None),
        (c.Adjust(ONE, "wounds", 1, "", seen_by=("ann",)), ("ann",)),
        (c.Adjust("ann", "wounds", 1, "", seen_by=("ann",)), ("ann",)),
        (Reveal(2, who=ONE, seen_by=()), None),
        (Reveal(2, seen_by=()), ()),
    ],
)
def test_what_is_no_more_secret_than_whom_it_is_about_is_not_hidden_once_more(
    command: Command, counts: Audience
) -> None:
    assert with_own_secrecy(command, so()) == msgspec.structs.replace(command, seen_by=counts)
