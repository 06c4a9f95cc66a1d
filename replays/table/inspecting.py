"""The words that compute something of the session: odds, luck, what-ifs, audits, disputes, rulings, exports."""

from itertools import takewhile

from ledger.commands import Amend, Choose, Command, OpenDispute, Overrule, Reveal, SettleDispute
from machines.engine.dispute_rules import AMENDED, RULINGS, UPHELD
from replays.audit.disputes.register import opened_in
from replays.table.at_table import TableContext
from replays.table.correcting.amending import correction
from replays.table.done import DisputeList, OutputFile, RuleTable, RulingList, VerbResult, after_yes, with_reason
from replays.table.language.grammar import NotUnderstood, number, one_of, rest_of, unquoted, words
from replays.table.rule_tables import rows_of

WHATIF = "whatif ENTRY WORDS | FIELD=VALUE … | was FACES | drop"
DISPUTE = "dispute ROLL|ENTRY|WHO.WHAT WHY"
SETTLE = f"settle DISPUTE {'|'.join(RULINGS)} [ENTRY] WHY"


def odds(table: TableContext, tail: str) -> VerbResult:
    """Computes the odds of the open roll, of another open roll, or of a declaration as it would be typed.

    At a choice they are the odds as if Enter were typed.
    """
    declared, question = table.declaration(tail) if tail else None, table.question()
    target = next((each.against for each in question.legal if each.against), "")
    if not tail and target:
        raise NotUnderstood("no roll is open", where="odds", accepts=f"an attack, such as ? {target}")
    key = tail if tail and declared is None else None
    taken = question.enter.command if question.enter is not None else None
    choices = {taken.key: taken.option} if isinstance(taken, Choose) else {}
    found = table.session.odds(key, declare=declared, choices=choices, eyes=table.eyes, first=table.first_odds)
    return VerbResult(found=found)


def luck(table: TableContext, _: str) -> VerbResult:
    """Compares the dice with chance."""
    return VerbResult(found=table.session.luck(table.eyes))


def audit(table: TableContext, _: str) -> VerbResult:
    """Audits the record."""
    return VerbResult(found=table.session.audit(eyes=table.eyes))


def whatif(table: TableContext, tail: str) -> VerbResult:
    """Shows what a correction would change, without asking to write it.

    Raises:
        NotUnderstood: The line names no entry, or nothing to change in it.
    """
    found = correction(table, tail, WHATIF)
    return VerbResult(report=table.session.whatif(found.entry, found.change, by=table.who))


def dispute(table: TableContext, tail: str) -> VerbResult:
    """Challenges a roll, a figure or an entry, and shows the evidence.

    Raises:
        NotUnderstood: The line names nothing.
    """
    about = unquoted(next(iter(words(tail)), ""))
    if not about:
        raise NotUnderstood("dispute needs what is challenged", where="dispute", accepts=DISPUTE)

    def opened(why: str) -> VerbResult:
        table.perform(OpenDispute(about, why))
        entry = table.session.log.entry(table.session.log.last)
        return VerbResult(found=table.session.dispute(opened_in(entry.events), table.eyes))

    return with_reason(rest_of(tail, 1), opened)


def settle(table: TableContext, tail: str) -> VerbResult:
    """Decides a dispute.

    Raises:
        NotUnderstood: The line names no dispute or no ruling.
    """
    given = words(tail)
    ruling = one_of(given[1], RULINGS) if len(given) > 1 else None
    if ruling is None:
        raise NotUnderstood("settle needs a dispute and a ruling", where="settle", accepts=SETTLE)
    opened = table.session.dispute(given[0], table.eyes).challenge.entry
    entry = number(given[2]) if len(given) > 2 else None
    reason = rest_of(tail, 2 if entry is None else 3)
    if entry is None and ruling != UPHELD:
        entry = _corrected_since(table, opened, Amend if ruling == AMENDED else Overrule)

    def settled(why: str) -> VerbResult:
        table.perform(SettleDispute(given[0], ruling, why, entry=entry if ruling != UPHELD else None))
        return VerbResult(found=DisputeList(table.session.disputes(table.eyes)))

    return with_reason(reason, settled)


def _corrected_since(table: TableContext, opened: int, how: type[Command]) -> int:
    """Returns the latest entry that amended or overruled something since a dispute was opened.

    Raises:
        NotUnderstood: There is none.
    """
    since = takewhile(lambda each: each.seq > opened, table.session.log.newest_first())
    found = next((each.seq for each in since if isinstance(each.command, how)), None)
    if found is None:
        problem = "nothing was amended or overruled since the dispute was opened"
        raise NotUnderstood(
            problem, where="settle", accepts="correct the log first; or name the entry: settle d1 amended 45 WHY"
        )
    return found


def disputes(table: TableContext, tail: str) -> VerbResult:
    """Lists the disputes, or shows one with its evidence."""
    if tail:
        return VerbResult(found=table.session.dispute(tail, table.eyes))
    return VerbResult(found=DisputeList(table.session.disputes(table.eyes)))


def rulings(table: TableContext, tail: str) -> VerbResult:
    """Searches the rulings of this session."""
    from replays.audit.disputes.precedents import search  # noqa: PLC0415  a fight is played without it

    log = table.session.log
    found = tuple(search(log.store, words(tail), [log.session], table.who))
    return VerbResult(found=RulingList(found, bool(tail)))


def rules(table: TableContext, tail: str) -> VerbResult:
    """Lists the tables of the game, or shows one.

    Raises:
        BadTable: There is no table of that name.
    """
    name = unquoted(tail)
    if name:
        rows_of(table.game, name)
    return VerbResult(found=RuleTable(table.game, name))


def export(table: TableContext, tail: str) -> VerbResult:
    """Writes the session as JSON lines to a file."""
    from replays.exports import jsonl  # noqa: PLC0415  most fights are not exported at the table

    lines = jsonl.export(table.session.log, table.eyes, table.who.seat.value)
    return VerbResult(file=OutputFile(_file(table, tail, "export"), (line + b"\n" for line in lines)))


def report(table: TableContext, tail: str) -> VerbResult:
    """Writes the fight as a printable page to a file; shows its recap where no file is named."""
    from replays.exports.recap.sentences import text_lines  # noqa: PLC0415  most fights are not reported at the table
    from replays.exports.report import report as page  # noqa: PLC0415

    if not tail:
        return VerbResult(tuple(text_lines(table.session.recap(table.eyes))))
    text = page(table.session.log, table.eyes, table.who.seat.value)
    return VerbResult(file=OutputFile(_file(table, tail, "report"), [text.encode()]))


def unseal(table: TableContext, _: str) -> VerbResult:
    """Opens the seed of the dice after a yes; no dice can be drawn in the session afterwards."""
    table.session.check_allowed(Reveal(), by=table.who)

    def opened() -> VerbResult:
        table.perform(Reveal())
        return VerbResult()

    return after_yes("open the seed of the dice? no dice can be drawn in this session afterwards:", opened)


def _file(table: TableContext, tail: str, word: str) -> str:
    if not table.files:
        raise NotUnderstood(f"{word} writes no file from here", where=word, accepts="the page's Save, or an export")
    name = unquoted(tail)
    if not name or number(name) is not None:
        raise NotUnderstood(f"{word} needs the name of a file", where=word, accepts=f"{word} FILE")
    return name
