"""The tracker of the table: what it shows in 80 columns and 24 lines, and when it is printed."""

from io import StringIO

import pytest
from prompt_toolkit.formatted_text import ANSI, fragment_list_to_text, to_formatted_text
from rich.console import Console
from rich.text import Text

from ledger.entry import Who
from ledger.stores.memory import MemoryStore
from projections.views.document import TrackView
from replays.api.session import Session
from replays.cli import board, narration, table_view, tracker
from replays.cli.tracker import pinned
from replays.cli.tracker_rows import CombatantRow, laid_out
from replays.table.table import Table

GOONS = 5
PARTIES = {
    "eclipse_phase_1e": f"add kade=firewall-agent@sam lena=async@lea bolt=soldier@bob doc=street-medic@kim thug:{GOONS}",
    "eclipse_phase_2e": f"add kade=firewall-agent@sam lena=async@lea bolt=reaper@bob doc=medic@kim thug:{GOONS}",
    "gurps_3e": f"add kira=swordsman@sam lena=fencer@lea bolt=archer@bob doc=guard@kim thug=brawler:{GOONS}",
    "shadowrun_4e": f"add kade=street-samurai@sam lena=mage@lea bolt=hacker@bob doc=mage@kim thug=ganger:{GOONS}",
}
"""Four players' characters and five goons of each game."""


def row(
    who: str, *words: str, taken: int = 0, acts: bool = False, spent: tuple[str, ...] = (), stress: int = 0
) -> CombatantRow:
    others = (("stress", TrackView(stress, 40)),) if stress else ()
    return CombatantRow(who, who, acts, "163", ("damage", TrackView(taken, 35)), others, words, spent, ())


def plain(rows: list[CombatantRow], width: int) -> list[str]:
    return [line.plain for lines in laid_out(rows, width) for line in lines]


def played(game: str, lines: list[str], *, is_terminal: bool = True, keeps: bool = True) -> str:
    """Returns what a table prints for lines, all dice drawn, in 80 columns and 24 lines."""
    printed = StringIO()
    console = Console(file=printed, width=80, height=24, force_terminal=is_terminal, color_system=None, emoji=False)
    table = Table(Session.create(MemoryStore(), ruleset=game, session="FIGHT"), Who("ann"), "all")
    typed = iter(lines)

    def read(prompt: str, _: str) -> str:
        line = next(typed, None)
        if line is None:
            raise EOFError
        printed.write(f"{prompt}{line}\n")
        return line

    table_view.play(console, table, read, lambda: keeps)
    return printed.getvalue()


# ---------------------------------------------------------------------------------------- rows


def test_names_give_way_before_any_figure() -> None:
    words = ("4 wounds", "prone", "stunned", "shock 12")
    rows = [row("kade"), row("ultimate-mercenary-captain-12", *words, taken=31, stress=17)]

    for width in (80, 100, 120):
        lines = plain(rows, width)

        assert 2 == len(lines)
        assert all(len(line) <= width for line in lines)
        assert all(figure in lines[1] for figure in (*words, "163", "damage 31/35", "stress 17/40"))
    assert "ultimate-mercenary-captain-12" not in plain(rows, 80)[1]
    assert "-12 " in plain(rows, 80)[1]


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_row_that_is_too_long_is_wrapped_between_conditions_and_not_cut(width: int) -> None:
    words = tuple(f"condition {number}" for number in range(20))
    lines = plain([row("kade", *words, taken=3), row("bob")], width)

    assert all(len(line) <= width for line in lines)
    assert all(any(f"{each}," in line or line.endswith(each) for line in lines) for each in words)


def test_shortened_names_stay_different() -> None:
    words = tuple(f"condition {number}" for number in range(6))
    lines = plain([row("security-guard-12", *words), row("security-synth-12", *words)], 80)
    names = [line.split()[0] for line in lines if "163" in line]

    assert 2 == len(set(names)) == len(names)


def test_what_is_spent_is_dropped_before_any_condition() -> None:
    words = tuple(f"condition {number}" for number in range(3))
    (line,) = plain([row("kade", *words, spent=tuple(f"weapon {number} 9/10" for number in range(5)))], 80)

    assert all(each in line for each in words)
    assert line.endswith(" …")


# ---------------------------------------------------------------------------------------- four games at 80x24


@pytest.fixture(scope="module", params=sorted(PARTIES))
def shown(request: pytest.FixtureRequest) -> list[str]:
    """The last screen of an attack: what is printed since the line before, the prompt, and what stays below."""
    printed = StringIO()
    console = Console(file=printed, width=80, height=24, force_terminal=True, color_system=None, emoji=False)
    table = Table(Session.create(MemoryStore(), ruleset=request.param, session="FIGHT"), Who("ann"), "all")
    for line in ("defaults all", PARTIES[request.param], "begin"):
        assert table.submit(line).refused is None
    for _ in range(20):
        if any(getattr(each.command, "kind", "") == "attack" for each in table.question().legal):
            break
        assert table.submit("").refused is None
    acting = table.seen.turn.who
    target = next(who for who in table.seen.roster.here() if not table.seen.roster.are_allies(who, acting))
    result = table.submit(target)
    while table.seen.exchange.frame is not None:
        result = table.submit("")
    assert result.refused is None
    narration.line_result(console, table, result)
    board.show_question(console, table, table.question())
    below = fragment_list_to_text(to_formatted_text(ANSI(table_view.bottom(table, 80, 24))))
    return [*printed.getvalue().splitlines(), board.prompt(table, table.question()), *below.splitlines()]


def test_nine_combatants_and_the_last_exchange_fit_the_screen(shown: list[str]) -> None:
    assert len(shown) <= 24
    assert all(len(line) <= 80 for line in shown)
    assert 9 == len([line for line in shown[-9:] if "/" in line])
    assert all(any(f"{who} " in line for line in shown[-9:]) for who in ("lena", "bolt", "doc", "thug-1", "thug-5"))


def test_the_outcome_of_the_last_exchange_is_on_the_screen(shown: list[str]) -> None:
    said = " ".join(" ".join(shown).split())

    assert "Outcome: " in said
    assert "acts" in said


# ---------------------------------------------------------------------------------------- when it is printed


def test_at_a_terminal_that_keeps_it_below_the_prompt_it_is_never_printed() -> None:
    said = played("gurps_3e", [PARTIES["gurps_3e"], "begin", "end", "end"])

    assert "Round 1 begins." in said
    assert "hit points" not in said
    assert 9 == played("gurps_3e", [PARTIES["gurps_3e"]], keeps=False).count("hit points lost 0/")


def test_without_a_terminal_only_rows_that_changed_are_printed_within_a_round() -> None:
    lines = [
        PARTIES["gurps_3e"],
        "begin",
        "end",
        "adjust doc tracks.hit_points 3 fell",
        "adjust doc tracks.hit_points 3 x",
    ]
    said = played("gurps_3e", lines, is_terminal=False, keeps=False)
    turn, adjusted, same = said.rpartition("begin\n")[2].split("> ")[1:4]

    assert "acts." in turn
    assert "hit points" not in turn
    assert ["doc"] == [line.split()[0] for line in adjusted.splitlines() if "hit points" in line]
    assert "hit points lost 3/" in adjusted
    assert "hit points" not in same.replace("Adjusted", "")


def test_a_new_round_and_a_correction_print_all_rows() -> None:
    lines = [PARTIES["gurps_3e"], "begin", *["end"] * 9, "adjust doc tracks.hit_points 3 fell", "undo"]
    said = played("gurps_3e", lines, is_terminal=False, keeps=False)
    after_round, undone = said.partition("Round 2 begins.")[2].split("> ")[0], said.rpartition("> undo")[2]

    assert 9 == after_round.count("hit points ")
    assert 9 == undone.count("hit points lost 0/")
    assert "doc: 3 → 0 hit points lost\n" in undone


def test_the_line_about_the_fight_omits_whole_parts_on_a_narrow_screen() -> None:
    table = Table(Session.create(MemoryStore(), ruleset="gurps_3e", session="FIGHT"), Who("ann"), "all")
    wide = table_view.toolbar(table)

    for width in (80, 60, 40):
        about = Text.from_ansi(table_view.bottom(table, width, 24)).plain.splitlines()[0].rstrip()
        assert len(about) <= width
        assert wide == about or wide.startswith(f"{about} · ")


def test_many_combatants_leave_room_for_the_question() -> None:
    table = Table(Session.create(MemoryStore(), ruleset="gurps_3e", session="FIGHT"), Who("ann"), "all")
    assert table.submit("add brawler:30").refused is None
    assert table.submit("adjust brawler-30 tracks.hit_points 5 fell").refused is None
    lines = [line.plain for line in pinned(table, 80, 24)]

    assert len(lines) <= 13
    assert any("brawler-30" in line and "5/" in line for line in lines)
    assert "more without harm" in lines[-1]


def test_many_combatants_are_laid_out_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []

    def counted(rows: list[CombatantRow], width: int) -> list[list[Text]]:
        counts.append(len(rows))
        return laid_out(rows, width)

    monkeypatch.setattr(tracker, "laid_out", counted)
    table = Table(Session.create("memory://", ruleset="gurps_3e"), Who("gm"))
    table.add(("guard:42",))

    lines = pinned(table, 80, 24)

    assert "more without harm" in lines[-1].plain
    assert max(counts) <= 24
    assert len(counts) <= 3
