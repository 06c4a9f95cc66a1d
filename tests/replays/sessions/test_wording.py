"""Explanations, logs, audits and reports use the game's own words beside numbers."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from io import StringIO

import pytest
from places import TESTS
from rich.console import Console

from ledger import events as e
from ledger.entry import Who
from ledger.stores.memory import MemoryStore
from machines.registry import installed
from projections.session import SessionInfo
from replays.api.run_script import perform
from replays.api.session import Session
from replays.audit.audit import audit
from replays.audit.event_index import facts
from replays.audit.explain import parts
from replays.cli.views.audit_view import report as audit_report
from replays.exports.narrative import narrate
from replays.exports.report import report as page
from replays.scripts.format import examples, read
from replays.sessions.wording import wording
from replays.table.table import Table

SCENARIOS = TESTS / "scenarios"


def explained(session: Session) -> Iterator[str]:
    known = facts(session.log)
    for part in parts(known.all, known.wording):
        yield f"{part.what} {part.value} {part.why}"


def narrated(session: Session) -> Iterator[str]:
    for entry in session.entries():
        yield from narrate(entry, session.log.state(entry.after))


def audited(session: Session) -> Iterator[str]:
    written = Console(file=StringIO(), width=2000)
    audit_report(written, audit(session.log))
    yield from written.file.getvalue().splitlines()  # type: ignore[attr-defined]


def reported(session: Session) -> Iterator[str]:
    body = page(session.log).partition("<body>")[2]
    yield from re.sub(r"<(?!li|p|h\d)[^>]*>", "", body).split("<")


TELLERS = (explained, narrated, audited, reported)


@pytest.mark.parametrize(
    ("ruleset", "margin", "says"),
    [
        ("eclipse_phase_1e", 38, "MoS 38"), ("eclipse_phase_1e", -3, "MoF 3"),
        ("eclipse_phase_2e", 2, "2 superior successes"), ("eclipse_phase_2e", 1, "1 superior success"),
        ("eclipse_phase_2e", -1, "1 superior failure"), ("eclipse_phase_2e", -2, "2 superior failures"),
        ("gurps_3e", 4, "margin 4"), ("gurps_3e", -4, "margin -4"),
        ("shadowrun_4e", 2, "2 net hits"), ("shadowrun_4e", 1, "1 net hit"), ("shadowrun_4e", -3, "3 hits short"),
        ("not installed", 4, "margin +4"), ("eclipse_phase_2e", 0, ""), ("not installed", 0, ""),
    ],
)  # fmt: skip
def test_by_how_much_is_said_in_the_games_words(ruleset: str, margin: int, says: str) -> None:
    test = e.TestResolved("k", 10, 9, 3, margin, "success", "")

    assert wording(SessionInfo(ruleset=ruleset)).margin(test) == says


@pytest.mark.parametrize(
    ("ruleset", "target", "rolled", "margin", "says"),
    [
        ("shadowrun_4e", 0, 3, 3, "3 hits"), ("shadowrun_4e", 0, 0, 0, "0 hits"), ("shadowrun_4e", 2, 1, -1, "1 hit against 2"),
        ("eclipse_phase_1e", 0, 0, 0, "00 against 0"), ("gurps_3e", 12, 9, 3, "09 against 12"), ("not installed", 0, 3, 3, "03"),
    ],
)  # fmt: skip
def test_what_dice_came_to_is_counted_as_the_game_counts(
    ruleset: str, target: int, rolled: int, margin: int, says: str
) -> None:
    test = e.TestResolved("k", 10, target, rolled, margin, "success", "")

    assert wording(SessionInfo(ruleset=ruleset)).against(test, lambda number: f"{number:02d}") == says


@pytest.mark.parametrize(
    ("target", "pool", "says"), [(2, 12, "4 hits of 12 dice against 2"), (0, 1, "4 hits of 1 die"), (0, 0, "4 hits")]
)
def test_hits_are_said_with_the_pool_where_it_is_known(target: int, pool: int, says: str) -> None:
    test = e.TestResolved("k", 10, target, 4, 2, "success", "")

    assert wording(SessionInfo(ruleset="shadowrun_4e")).against(test, pool=pool) == says


def test_a_figure_of_a_game_that_is_not_installed_says_what_is_recorded() -> None:
    found = e.FigureFound("k", "damage", 11, "basic 5, x 3", "", "exchange", "")

    assert wording(SessionInfo(ruleset="not installed")).why(found) == "basic 5, x 3"


FOREIGN = {
    "eclipse_phase_1e": ("net hit", "hits short", "superior success", "superior failure"),
    "eclipse_phase_2e": ("margin", "MoS", "MoF", "net hit", "hits short"),
    "gurps_3e": ("superior success", "superior failure", "MoS", "MoF", "net hit", "hits short"),
    "shadowrun_4e": ("margin", "MoS", "MoF", "superior success", "superior failure"),
}
"""By game: words of other games."""


@cache
def of_a_game(ruleset: str) -> list[Session]:
    """The shipped fights, and some of the scenarios."""
    shipped = [path for path in examples().values() if f'"{ruleset}"' in path.read_text()]
    paths = [*shipped, *sorted((SCENARIOS / ruleset).glob("*.toml"))[::8]]
    return [perform(read(path.read_bytes(), path.name)) for path in paths]


@pytest.mark.parametrize("ruleset", sorted(installed()))
@pytest.mark.parametrize("told", TELLERS, ids=lambda teller: teller.__name__)
def test_no_game_speaks_in_the_words_of_another(ruleset: str, told: Callable[[Session], Iterator[str]]) -> None:
    sessions = of_a_game(ruleset)
    some = sessions[:: 3 if told is reported else 1]  # a report takes a second
    lines = [line for session in some for line in told(session)]

    assert lines
    assert [line for line in lines if any(word in line for word in FOREIGN[ruleset])] == []


@pytest.mark.parametrize("told", [narrated, audited], ids=lambda teller: teller.__name__)
def test_superior_results_are_said_once_of_each_test(told: Callable[[Session], Iterator[str]]) -> None:
    (jinx,) = (
        session for session in of_a_game("eclipse_phase_2e") if session.combat.session.title == "Jinx and the exhuman"
    )

    said = [line for line in told(jinx) if re.search(r"\d superior (success|failure)", line)]

    assert said
    assert all(len(re.findall(r"superior (?:success|failure)", line)) == 1 for line in said)


@pytest.mark.parametrize("told", [explained, audited, reported], ids=lambda teller: teller.__name__)
def test_a_target_that_is_not_the_sum_of_its_parts_says_why(told: Callable[[Session], Iterator[str]]) -> None:
    path = SCENARIOS / "eclipse_phase_2e" / "all-modifiers-together-count-for-sixty-at-the-most.toml"

    lines = list(told(perform(read(path.read_bytes(), path.name))))

    assert any("of which -60 counts" in line for line in lines)


@pytest.mark.parametrize("told", [explained, narrated, reported], ids=lambda teller: teller.__name__)
def test_damage_whose_dice_alone_are_multiplied_says_what_was(told: Callable[[Session], Iterator[str]]) -> None:
    path = SCENARIOS / "gurps_3e" / "a-critical-hit-multiplies-only-the-dice-at-other-tables.toml"

    lines = list(told(perform(read(path.read_bytes(), path.name))))

    assert any("1 on the dice, x 3 +2 of 1d6+2" in line for line in lines)
    assert not any("basic 3, x 3" in line for line in lines)


def test_dice_of_edge_are_dice_of_the_pool() -> None:
    table = Table(Session.create(MemoryStore(), ruleset="shadowrun_4e", session="FIGHT"), Who("ann"))
    lines = (
        "add kade=street-samurai@ann thug=ganger",
        "begin",
        "~",
        "pass",
        "attack thug mode=burst distance=8 using='ingram smartgun x'",
    )
    for line in (*lines, "5 5 5 5 1 1 2 2 3 3 4 4", "add"):
        assert table.submit(line).refused is None, line

    added = table.submit("5 1 2")

    last = added.entries[-1]
    assert "To-hit: 5 hits of 15 dice, success." in list(narrate(last, table.state_at(last.after)))
