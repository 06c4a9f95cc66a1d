"""Describes what a line means before it is sent: one sentence for each command, and the words that may follow."""

from collections.abc import Iterator, Mapping

from ledger.commands import Choose, Command, Declare, DrawDice, TellDice, TypeDice
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Declared
from machines.engine.decide import decide
from replays.exports.narrative import narrate
from replays.odds.known_state import STOPPED, marked
from replays.table.completion import completions
from replays.table.language.attack_line import attack_line
from replays.table.language.grammar import Ambiguous, as_words, number
from replays.table.language.questions import OpenRoll, as_typed
from replays.table.online.documents import TableCompletion, Understood
from replays.table.playing_on import OUT
from replays.table.table import Table

MOST = 40
"""Maximum number of completions."""


def understood(table: Table, line: str) -> Understood:
    """Returns what a line would do now, and the words that may stand at its end; nothing is written."""
    found = completions(table, line)[:MOST]
    offered = tuple(TableCompletion(each.text, each.about, each.back) for each in found)
    verb = table.verb(line.strip())
    if verb is not None:
        said, word = f"{verb.usage}: {verb.about}", verb.usage.split()[0]
        return Understood((said,), offered, word=word, stands_alone=verb.may_repeat)
    try:
        return Understood(tuple(_sentences(table, line.strip())), offered)
    except Ambiguous as ambiguous:
        which = ", ".join(as_words(ambiguous.candidates))
        return Understood((f"{ambiguous.word}: which one? {which}",), offered)
    except Refused as refusal:
        return Understood((), offered, str(refusal))


def _sentences(table: Table, line: str) -> Iterator[str]:
    if line == OUT:
        yield "plays on to the end of the exchange: draws its dice, and passes its choices"
        return
    if line[:1] in ("+", "-") and number(line.split(maxsplit=1)[0]) is not None:
        yield f"modifies the roll by {line}"
        return
    meaning = table.meaning(line)
    rolls = {roll.key: roll for roll in table.question().rolls}
    for command in meaning.commands:
        yield _sentence(table, command, rolls)
    yield from (f"{each.value:+d} {each.why or ''}".strip() for each in meaning.modifiers)
    yield from meaning.wrong


def _sentence(table: Table, command: Command, rolls: Mapping[str, OpenRoll]) -> str:
    """Returns what a command would do, in words."""
    match command:
        case Declare():
            return _declared(table, command)
        case Choose(key=key, option=option):
            rest = next((each for each in table.seen.rests if each.key == key), None)
            labels = {each.option: each.label for each in rest.options} if rest is not None else {}
            who = table.seen.roster.name(rest.by) if rest is not None else ""
            return f"{who}: {labels.get(option, option)}"
        case TypeDice(key=key, faces=faces) if key in rolls:
            return f"{_of(rolls[key])}: {' '.join(map(str, faces))}"
        case TellDice(key=key) if key in rolls:
            counts = ", ".join(f"{count} {name}" for name, count in command.counts.items())
            return f"{_of(rolls[key])}: {counts}"
        case DrawDice(key=key) if key in rolls:
            return f"draws {rolls[key].words}"
        case _:
            return type(command).__name__


def _of(roll: OpenRoll) -> str:
    return f"{roll.name}, {roll.purpose}" + (f" {roll.against}" if roll.against else "")


def _declared(table: Table, command: Declare) -> str:
    """Returns a declaration as the log will have it; as it was typed, where the rules need what is hidden."""
    seen = table.seen
    fallback = f"{seen.roster.name(command.by)}: {as_typed(command, seen)}"
    try:
        events = decide(table.game, marked(seen), command)
    except STOPPED:
        return fallback
    entry = Entry(
        1, 0, 0, "", table.who, 0, None, command, tuple(each for each in events if isinstance(each, Declared))
    )
    attack = attack_line(table.game, entry, seen)
    return attack.text if attack is not None else " ".join(narrate(entry, seen)) or fallback
