"""The words ``modify`` and ``overrule``: find the roll, preview what changes, ask for confirmation, then write."""

from collections.abc import Callable

from ledger.commands import ApplyModifier, Overrule
from machines.contract.refusals import NoSuchRoll
from replays.corrections.diff import RollReport
from replays.table.at_table import TableContext
from replays.table.correcting import which_roll
from replays.table.correcting.which_roll import Candidate, choose_roll, nearest, rolls_of
from replays.table.done import VerbResult, after_confirmation, with_reason
from replays.table.language.grammar import NotUnderstood, number, number_or_word, rest_of, unquoted, words

MODIFY, OVERRULE = "modify [KEY] VALUE WHY", "overrule KEY FIGURE VALUE WHY"


def modify(table: TableContext, tail: str, only: str = "") -> VerbResult:
    """Applies a modifier to a roll, open or thrown; without a key, to a roll of the latest attack.

    Args:
        table: The table.
        tail: The line after the word.
        only: The combatant whose rolls are meant; empty for all.

    Raises:
        NotUnderstood: There is no value, or its reason is only numbers.
        NoSuchRoll: No such roll stands.
    """
    first = unquoted(next(iter(words(tail)), ""))
    keyed = number(first) is None
    rest = rest_of(tail, 1) if keyed else tail
    amount = number(next(iter(words(rest)), ""))
    if amount is None:
        raise NotUnderstood(f"the modifier on {first or 'a roll'} needs a value", where="value", accepts=MODIFY)
    value, reason = amount, rest_of(rest, 1)
    if not keyed and reason and all(number(word) is not None for word in words(reason)):
        problem = f"{tail!r} is neither faces nor a modifier: faces have no sign, and a modifier has a reason in words"
        raise NotUnderstood(problem, where="dice", accepts=f"the faces, or {first} WHY")
    table.session.check_allowed(ApplyModifier(first, value, reason), by=table.who)

    def do(roll: Candidate) -> VerbResult:
        line = f"{value:+d} on {roll.short}: {roll.words}"
        return with_reason(reason, lambda given: _changed(table, ApplyModifier(roll.key, value, given), lambda _: line))

    return choose_roll(_meant(table, first if keyed else "", only), do)


def overrule(table: TableContext, tail: str) -> VerbResult:
    """Replaces a figure of the rules with the gamemaster's value.

    Raises:
        NotUnderstood: There is no key, no figure or no value.
        NoSuchFigure: There is no figure of that name under that key.
    """
    given = words(tail)
    if len(given) < 3:
        raise NotUnderstood("overrule needs a key, a figure and a value", where="overrule", accepts=OVERRULE)
    short, figure, value = unquoted(given[0]), given[1], number_or_word(given[2])
    table.session.check_allowed(Overrule(short, figure, value, ""), by=table.who)

    def do(key: str) -> VerbResult:
        return with_reason(rest_of(tail, 3), lambda why: _changed(table, Overrule(key, figure, value, why), _of_figure))

    found = nearest(which_roll.with_figure(table, figure), which_roll.named(table, short))
    return choose_roll(found, lambda roll: do(roll.key)) if found else do(short)


def _meant(table: TableContext, short: str, only: str) -> list[Candidate]:
    candidates = rolls_of(which_roll.rolls(table), only)
    found = nearest(candidates, which_roll.named(table, short))
    if not found:
        accepts = ", ".join(dict.fromkeys(each.short for each in reversed(candidates[-8:])))
        raise NoSuchRoll(f"no roll {short!r} stands", where="key", accepts=accepts)
    return found


def _of_figure(report: RollReport | None) -> str:
    assert report is not None, "an overruled figure exists"
    change = report.change["overrule"]
    return f"{change['figure']} {change['value']} of {report.key}: {report.by}, {report.purpose} (entry {report.entry})"


def _changed(
    table: TableContext, command: ApplyModifier | Overrule, line: Callable[[RollReport | None], str]
) -> VerbResult:
    """Writes a command at once if no later entry changes; otherwise previews the changes and asks for confirmation."""
    report = table.session.preview_roll(command, by=table.who)
    last = table.session.log.last

    def write() -> VerbResult:
        if table.session.log.last != last:
            return _changed(table, command, line)
        table.perform(command)
        return VerbResult((line(report),))

    if report is None or not report.reaches:
        return write()
    return after_confirmation(report, "change it?", write)
