"""The commands of a fight are decided from the state alone, so the writer thread commits those of many sessions together."""

import asyncio
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from ledger.chain import Record
from ledger.commands import (
    Adjust,
    BeginCombat,
    Choose,
    Command,
    Declare,
    DrawDice,
    EndCombat,
    Note,
    Overrule,
    PassTime,
    TypeDice,
)
from ledger.dice import lowest, parse
from ledger.entry import Who
from ledger.stores.memory import MemoryStore
from replays import Session
from replays.scripts.format import find_script, read
from replays.scripts.scripted_answers import join
from replays.server.callers.tokens import Scope, Token
from replays.server.routes.performing import perform_command

QUICK: list[Command] = [
    BeginCombat({}),
    Declare("quick", "stoya", {"what": "looks around"}),
    Choose("r1/p1/stoya/1/act", "end"),
    DrawDice("r1/p1/stoya/1/hit"),
    TypeDice("r1/p1/stoya/1/hit", (42,)),
    Adjust("stoya", "wounds", 0, "healed"),
    PassTime(1, "hours"),
    EndCombat("all are down"),
]


class Caller:
    """A gamemaster whose work is not done; records whether it was quick."""

    who = Who("gm")
    token = Token("0", Scope.GM, "S", "gm")

    def __init__(self) -> None:
        self.was_quick: bool | None = None

    async def run(self, work: Callable[[Session], Any], *, quickly: bool = False) -> None:
        self.was_quick = quickly


def is_quick(command: Command | list[Command]) -> bool | None:
    caller = Caller()
    asyncio.run(perform_command(caller, command, None, None))  # type: ignore[arg-type]
    return caller.was_quick


@pytest.mark.parametrize("command", QUICK, ids=lambda command: type(command).__name__)
def test_a_command_of_a_fight_is_quick(command: Command) -> None:
    assert is_quick(command) is True


@pytest.mark.parametrize("command", [Note("so"), Overrule("k", "dv", 1, "no"), [QUICK[0], QUICK[0]]])
def test_what_may_search_the_log_or_is_several_commands_is_not(command: Command | list[Command]) -> None:
    assert is_quick(command) is False


class Unread(MemoryStore):
    """A store of whose entries none may be read again once it is closed to readers."""

    is_closed = False

    def read(self, session: str, after: int = 0, upto: int | None = None) -> Iterator[Record]:
        assert not self.is_closed or after >= self.head(session).seq, "it searches the log"
        return super().read(session, after, upto)


def lowest_of(dice: str) -> tuple[int, ...]:
    return tuple(map(lowest, parse(dice).sides))


def test_a_whole_fight_reads_no_earlier_entry() -> None:
    store, script, chance = Unread(), read(find_script("stoya")[1]), Random(5)
    session = Session.create(store, ruleset=script.ruleset, profile=script.profile)
    for who, one in script.combatants.items():
        session.perform(join(who, one))
    store.is_closed = True
    kinds = set[type[Command]]()

    def perform(command: Command) -> None:
        kinds.add(type(command))
        session.perform(command)

    perform(BeginCombat({"place": "a micro-gravity part of the habitat"}))
    for _ in range(60):
        rest = session.combat.rests[0]
        if rest.dice:
            perform(DrawDice(rest.key) if chance.random() < 0.5 else TypeDice(rest.key, lowest_of(rest.dice)))
            continue
        names = [each.option for each in rest.options]
        if "quick" in names and chance.random() < 0.5:
            perform(Declare("quick", rest.by, {"what": "looks around"}))
        else:
            perform(Choose(rest.key, "end" if "end" in names else chance.choice(names)))
    who = next(iter(script.combatants))
    perform(Adjust(who, "wounds", 1, "she fell"))
    perform(EndCombat("all are down"))
    perform(PassTime(1, "hours"))
    assert kinds == set(map(type, QUICK))
