"""The law: the same lines with the same dice write the same log at a terminal's table and over HTTP, in every game."""

from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from server.processes import Served, Table
from strategies import RULESETS

from ledger.audience import EVERYTHING
from ledger.dice import highest, lowest, parse
from replays.api.session import GM, Session
from replays.exports import documents
from replays.server.http import pages
from replays.table.table import Table as TerminalTable

LINES = 45
"""How many lines of a fight are typed after it has begun."""
BESIDE = (
    "note rain", "undo", "redo", "why", "teapot", "luck", "+10 dark", "ann: end", "9 9 9 9",
    "secret note psst", "defaults auto", "defaults ask", "modify ann/initiative 1 no", "leave nobody", "dispute ann/initiative no",
    "", "~~no", "adjust bob initiative 3 no", "rename Brawl", "disputes", "log 2", "help attack", "? ann", "options",
)  # fmt: skip
"""Other lines than answers; some of them are refused."""


def faces(dice: Random, notation: str) -> str:
    return " ".join(str(dice.randint(lowest(each), highest(each))) for each in parse(notation).sides)


def next_line(dice: Random, table: TerminalTable) -> str:
    """Returns an answer to what the table asks, or another line."""
    combat = table.session.combat
    if not combat.clock.fighting:  # it was ended, or undone
        one, two, *_ = table.game.sheets
        return "begin" if len(combat.roster.here()) > 1 else f"add {one} {two}"
    question, beside = table.question(), dice.choice(BESIDE)
    if dice.random() < 0.2 and (beside or not question.rolls):  # an empty line would draw dice
        return beside
    if question.rolls:
        roll = dice.choice(question.rolls)
        return f"{roll.short} {faces(dice, roll.missing)}"
    attacks = [place for place, each in enumerate(question.legal, 1) if each.against]
    if attacks and dice.random() < 0.7:
        return str(dice.choice(attacks))
    return str(dice.randint(1, len(question.legal))) if question.legal else "end"


class Both:
    """A fight at a terminal's table, and the same fight over HTTP."""

    def __init__(self, game: str, server: Served, client: httpx.Client) -> None:
        self.table = TerminalTable(Session.create("memory://", ruleset=game, title="A brawl"), GM)
        self.there = Table.__new__(Table)
        founded = client.post("/v1/sessions", headers=server.host, json={"ruleset": game, "title": "A brawl"}).json()
        self.there.client, self.there.path = client, f"/v1/sessions/{founded['session']}"
        self.there.issued = {each["seat"]: each for each in founded["tokens"]}

    def type(self, line: str, *answers: str) -> tuple[Any, Any]:
        """Types a line at both; returns what each answers: its refusal, or its lines and what it asks."""
        last = self.table.session.log.last
        results = [self.table.submit(line)]
        for each in answers:
            if results[-1].refused is None and results[-1].done.asks:
                results.append(self.table.submit(each))
        self.table.forget()
        here = results[-1]
        headers = self.there.as_("gm") | {"If-Match": f'"{last}"'}
        body = {"line": line, "answers": answers[: len(results) - 1]}
        answer = self.there.client.post(f"{self.there.path}/lines", headers=headers, json=body).json()
        if here.refused is not None:
            return (here.refused.slug, here.refused.message), (answer.get("slug"), answer.get("detail"))
        found = answer["found"]
        mine = [here.done.asks, [each for each in here.done.lines if not here.done.frames]]
        return mine, [found.get("asks", ""), found.get("lines", []) if not here.done.frames else []]

    def logs(self) -> tuple[list[Any], list[Any]]:
        """Returns the entries of both, without times."""
        session = self.table.session
        stands = pages.standing_entries(session.log.timeline, 0, session.log.head)
        mine = [documents.entry(entry, EVERYTHING, stands=entry.seq in stands) for entry in session.entries()]
        here = msgspec.json.decode(msgspec.json.encode(mine))
        there = self.there.get("entries", limit=1000)
        return [_timeless(each) for each in here[1:]], [_timeless(each) for each in there[1:]]


def _timeless(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in ("at", "by")}


@pytest.fixture(params=RULESETS)
def both(request: pytest.FixtureRequest, server: Served, client: httpx.Client) -> Both:
    return Both(request.param, server, client)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_lines_and_dice_write_the_same_log(both: Both, seed: int) -> None:
    dice, typed = Random(seed), list[str]()
    one, two, *_ = both.table.game.sheets
    for line in (f"add ann={one} bob={two}", "begin"):
        here, there = both.type(line)
        assert here == there
    for _ in range(LINES):
        line = next_line(dice, both.table)
        typed.append(line)
        here, there = both.type(line, "because", "y") if dice.random() < 0.5 else both.type(line, "y")
        assert here == there, typed[-8:]
        question = both.there.get("question")
        assert question["last"] == both.table.session.log.last, typed[-8:]

    here, there = both.logs()
    assert here == there
    assert len(here) > LINES // 2
    assert {"Declare", "TypeDice"} <= {each["command"]["type"] for each in here}
