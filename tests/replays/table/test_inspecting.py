"""The words of the table that compute something or write a file: what each returns, and that it writes no entry."""

from collections.abc import Iterable

import pytest
from nine_combatants import FIVE, FOUR, NINE, go_on, nine
from strategies import attacked

from ledger.commands import Reveal
from ledger.entry import Seat, Who
from replays.api.run_script import perform
from replays.api.session import Session
from replays.audit.audit import Audit
from replays.audit.disputes.case import Dispute
from replays.exports import jsonl
from replays.exports.recap.sentences import text_lines
from replays.exports.report import report
from replays.odds import odds
from replays.odds.luck import Luck
from replays.odds.odds import Odds
from replays.scripts.format import examples, read
from replays.table.done import DisputeList, LineResult, RulingList
from replays.table.table import Table

ANN, KIRA = Who("ann"), Who("kira", Seat.PLAYER)
SHOT = "r1/razor/a1/attack/to-hit"


def fight(plays: int) -> Session:
    """Returns the beginning of the fight `street-fight`."""
    path = examples()["street-fight"]
    script = read(path.read_bytes(), path.name)
    session = perform(script)
    session.rewind(plays, why="earlier")
    return session


@pytest.fixture
def session() -> Session:
    """Razor's burst at Dregs: the roll to hit is open."""
    return fight(10)


def submitted(table: Table, line: str) -> LineResult:
    reply = table.submit(line)
    assert reply.refused is None, f"{line}: {reply.refused}"
    return reply


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("luck", Luck),
        ("audit", Audit),
        ("disputes", DisputeList),
        ("rulings", RulingList),
        ("rulings cover", RulingList),
    ],
)
@pytest.mark.parametrize("who", [ANN, KIRA])
def test_a_word_that_reads_returns_what_was_computed_and_writes_nothing(
    session: Session, line: str, kind: type, who: Who
) -> None:
    before = session.log.digest
    assert isinstance(submitted(Table(session, who), line).done.found, kind)
    assert session.log.digest == before


@pytest.mark.parametrize("who", [ANN, KIRA])
def test_a_report_without_a_file_is_the_recap_in_lines(who: Who) -> None:
    session = fight(43)
    before, table = session.log.digest, Table(session, who)
    lines = submitted(table, "report").done.lines

    assert lines == tuple(text_lines(session.recap(table.eyes)))
    assert "  Round 1: Razor put Dregs down with smg: unconscious. [33]" in lines
    assert session.log.digest == before


def test_the_odds_of_the_open_roll() -> None:
    session = attacked()
    table = Table(session, ANN)
    submitted(table, "none")
    before = session.log.digest
    keys = [submitted(table, line).done.found for line in ("?", "odds", "odds ann/to-hit")]
    assert [found.key for found in keys if isinstance(found, Odds)] == ["r1/ann/a1/attack/to-hit"] * 3
    assert session.log.digest == before


def test_the_odds_of_a_deed_as_it_would_be_typed() -> None:
    session = attacked()
    session.undo("exchange")
    table = Table(session, ANN)
    found = submitted(table, "odds bob club").done.found
    assert isinstance(found, Odds)
    assert found == submitted(table, "odds attack bob club").done.found


def test_odds_that_take_long_are_sampled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    table, early = Table(attacked(), ANN), list[Odds]()
    submitted(table, "none")
    table.first_odds = early.append
    monkeypatch.setattr(odds, "_PATIENCE", 3_600.0)
    final = submitted(table, "?").done.found
    assert not early
    monkeypatch.setattr(odds, "_PATIENCE", -1.0)
    assert submitted(table, "?").done.found == final
    [first] = early
    assert isinstance(final, Odds)
    assert (first.exact, final.exact, first.key) == (False, True, final.key)
    assert first.samples > 0


def test_a_what_if_is_shown_and_asks_nothing(session: Session) -> None:
    table = Table(fight(14), ANN)
    done = submitted(table, "whatif 11 faces=1,1,2,2,3,3,4,4,1,2,3").done
    assert done.report is not None
    assert (done.report.kind, done.asks) == ("what if", "")
    done = submitted(table, "whatif 10 cover partial").done
    assert done.report is not None
    assert done.report.change["set"] == {"terms.modifiers": ["target has partial cover"]}


def test_a_dispute_is_opened_and_settled(session: Session) -> None:
    table = Table(fight(14), ANN)
    assert submitted(table, f"dispute {SHOT}").done.asks == "why"
    opened = submitted(table, "the smartlink was off").done.found
    assert isinstance(opened, Dispute)
    assert (opened.challenge.about, opened.challenge.why) == (SHOT, "the smartlink was off")

    settled = submitted(table, "settle d1 upheld he had it on").done.found
    assert isinstance(settled, DisputeList)
    assert [each.settlement is not None for each in settled.disputes] == [True]
    shown = submitted(table, "disputes d1").done.found
    assert isinstance(shown, Dispute)
    rulings = submitted(table, "rulings smartlink").done.found
    assert isinstance(rulings, RulingList)
    assert [each.why for each in rulings.rulings] == ["he had it on"]


def test_files_have_the_contents_of_the_verbs_of_the_command_line(session: Session) -> None:
    for who, seat in ((ANN, "gm"), (KIRA, "player")):
        table = Table(session, who)
        exported, page = (
            submitted(table, "export fight.jsonl").done.file,
            submitted(table, "report a page.html").done.file,
        )
        assert exported is not None
        assert page is not None
        assert (exported.name, _whole(exported.lines)) == (
            "fight.jsonl", b"".join(line + b"\n" for line in jsonl.export(session.log, table.eyes, seat))
        )  # fmt: skip
        assert (page.name, _whole(page.lines)) == ("a page.html", report(session.log, table.eyes, seat).encode())


def _whole(lines: Iterable[bytes]) -> bytes:
    return b"".join(lines)


def test_the_seed_is_opened_only_after_a_yes() -> None:
    session = Session.create("memory://", ruleset="shadowrun_4e")
    table = Table(session, ANN)
    assert submitted(table, "unseal").done.asks.startswith("open the seed of the dice? no dice can be drawn")
    assert not submitted(table, "n").entries
    submitted(table, "unseal")
    (entry,) = submitted(table, "y").entries
    assert isinstance(entry.command, Reveal)


@pytest.mark.parametrize(
    ("line", "slug"),
    [
        ("odds nothing/such", "odds/unknown-key"),
        ("whatif", "table/not-understood"),
        ("whatif 99 drop", "entry/unknown"),
        ("dispute", "table/not-understood"),
        ("settle d1", "table/not-understood"),
        ("settle d1 maybe", "table/not-understood"),
        ("settle d9 upheld x", "dispute/unknown"),
        ("disputes d9", "dispute/unknown"),
        ("export", "table/not-understood"),
        ("report 3", "table/not-understood"),
        ("reveal", "table/not-understood"),
    ],
)
def test_a_refused_word_writes_nothing(session: Session, line: str, slug: str) -> None:
    before = session.log.digest
    refused = Table(session, ANN).submit(line).refused
    assert refused is not None
    assert (refused.slug, session.log.digest) == (slug, before)


@pytest.mark.parametrize("game", NINE)
def test_a_question_mark_at_a_choice_shows_the_odds_as_if_enter_were_typed(game: str) -> None:
    at = nine(game)
    submitted(at, FIVE[0] if go_on(at) in FOUR else FOUR[0])
    while at.question().rest.dice:
        submitted(at, "~")
    enter, rest = at.question().enter, at.question().rest
    found = submitted(at, "?").done.found

    assert isinstance(found, Odds)
    assert found.outcome
    assert (rest.key, enter.word) in {(each.key, each.option) for each in found.assumed}
