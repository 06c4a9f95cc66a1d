"""The words ``modify`` and ``overrule``: they say which roll they mean, and ask before what followed is changed."""

from collections.abc import Callable

from ledger.commands import ApplyModifier, Overrule
from machines.contract.refusals import NoSuchRoll
from replays.corrections.diff import RollReport
from replays.table import which_roll
from replays.table.at_table import AtTable
from replays.table.done import Done, agreed, because
from replays.table.language.grammar import NotUnderstood, number, number_or_word, rest_of, unquoted, words
from replays.table.which_roll import Candidate, nearest, of_whom, one_of_them

MODIFY, OVERRULE = "modify [KEY] VALUE WHY", "overrule KEY FIGURE VALUE WHY"


def modify(table: AtTable, tail: str, only: str = "") -> Done:
    """A modifier on a roll, open or thrown; without a key, on one of the latest attack.

    Args:
        table: The table.
        tail: What was said behind the word.
        only: The combatant whose rolls are meant; empty for anybody's.

    Raises:
        NotUnderstood: It says no value.
        NoSuchRoll: No such roll stands.
    """
    first = unquoted(next(iter(words(tail)), ""))
    keyed = number(first) is None
    said = rest_of(tail, 1) if keyed else tail
    amount = number(next(iter(words(said)), ""))
    if amount is None:
        raise NotUnderstood(f"modify {first} by how much?", where="value", accepts=MODIFY)
    value, reason = amount, rest_of(said, 1)
    table.session.check_allowed(ApplyModifier(first, value, reason), by=table.who)

    def do(roll: Candidate) -> Done:
        line = f"{value:+d} on {roll.short}: {roll.words}"
        return because(reason, lambda given: _changed(table, ApplyModifier(roll.key, value, given), lambda _: line))

    return one_of_them(_meant(table, first if keyed else "", only), do)


def overrule(table: AtTable, tail: str) -> Done:
    """The gamemaster's word in the place of a figure.

    Raises:
        NotUnderstood: It says no value.
        NoSuchFigure: Nothing of that name was found under that key.
    """
    said = words(tail)
    if len(said) < 3:
        raise NotUnderstood("overrule what?", where="overrule", accepts=OVERRULE)
    short, figure, value = unquoted(said[0]), said[1], number_or_word(said[2])
    table.session.check_allowed(Overrule(short, figure, value, ""), by=table.who)

    def do(key: str) -> Done:
        return because(rest_of(tail, 3), lambda why: _changed(table, Overrule(key, figure, value, why), _of_figure))

    found = nearest(which_roll.with_figure(table, figure), which_roll.named(table, short))
    return one_of_them(found, lambda one: do(one.key)) if found else do(short)


def _meant(table: AtTable, short: str, only: str) -> list[Candidate]:
    candidates = of_whom(which_roll.rolls(table), only)
    found = nearest(candidates, which_roll.named(table, short))
    if not found:
        accepts = ", ".join(dict.fromkeys(one.short for one in reversed(candidates[-8:])))
        raise NoSuchRoll(f"no roll {short!r} stands", where="key", accepts=accepts)
    return found


def _of_figure(report: RollReport | None) -> str:
    assert report is not None, "a figure that is overruled was found"
    said = report.change["overrule"]
    return f"{said['figure']} {said['value']} of {report.key}: {report.by}, {report.purpose} (entry {report.entry})"


def _changed(table: AtTable, command: ApplyModifier | Overrule, line: Callable[[RollReport | None], str]) -> Done:
    """Writes it at once where nothing that followed changes; else shows first what does, and asks."""
    report = table.session.preview_roll(command, by=table.who)
    last = table.session.log.last

    def write() -> Done:
        if table.session.log.last != last:
            return _changed(table, command, line)
        table.perform(command)
        return Done((line(report),))

    if report is None or not report.reaches:
        return write()
    return agreed(report, "change it so?", write)
