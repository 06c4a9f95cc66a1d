"""The texts of the word ``help``: an example of every word of the table, and the overview."""

from collections.abc import Iterator, Mapping
from textwrap import wrap

EXAMPLES: Mapping[str, str] = {
    "add": 'add guard:3 kade=kade.toml@kira · add like swordsman st=13 as kira · add 4 thug pistol="ares predator iv"',
    "hide": "hide sniper=guard",
    "sheets": "sheets",
    "begin": "begin",
    "leave": "leave t3 he runs",
    "end": "end they give up",
    "undo": "undo · undo 2 · undo exchange",
    "redo": "redo",
    "rewind": "rewind 20 too late",
    "why": "why kade/to-hit · why kade.wounds",
    "odds": "? · odds t3 burst",
    "luck": "luck",
    "log": "log 20",
    "modify": "modify kade/to-hit -10 smoke",
    "overrule": "overrule kade/to-hit outcome miss",
    "amend": "amend 20 cover minor · amend 20 t2",
    "remove": "remove 20 he never shot",
    "insert": "insert 20 t1: full_defense",
    "reroll": "reroll 20 = 06 · 20 was 60",
    "target": "target t2",
    "missed": "missed: fray · missed: t2: fray",
    "whatif": "whatif 20 was 60 · whatif target t2",
    "adjust": "adjust kade wounds 1 a fall",
    "note": "note the door opens",
    "rename": "rename The dock at night",
    "whisper": "whisper kade,bolt you hear steps",
    "secret": "secret 3 4 5 · secret kade: stealth",
    "time": "time 10 minutes they rest",
    "nonce": "nonce kira correct horse",
    "reveal": "reveal sniper · reveal 20 to kade",
    "unseal": "unseal",
    "dispute": "dispute kade/to-hit it was dark",
    "settle": "settle d1 upheld there was light",
    "disputes": "disputes · disputes d1",
    "rulings": "rulings cover",
    "rules": "rules · rules rulings",
    "audit": "audit",
    "report": "report fight.html",
    "export": "export fight.jsonl",
    "show": "show",
    "options": "options",
    "dice": "dice auto",
    "defaults": "defaults auto",
    "help": "help undo · help attack",
    "quit": "quit",
}
"""What can be typed, by word; several examples are separated by a dot."""

_LINES = (
    "a choice    2 · its word or the beginning of it · Enter takes the default · words after it are recorded",
    "a roll      Enter draws · ~ draws all · 23, 345 or 3 4 5 are faces · ann 23 bob 27 · -10 smoke modifies it",
    "both        45 or ~ at a choice takes its default first · ~~ draws and takes defaults to the end of the attack",
    "an attack   t3 burst 8m -2 dark alley · the target first, then any words, and a modifier with its reason",
    "a deed      1 full range=long · KIND word … field=value … · WHO: KIND … for a combatant who is not asked",
    "a mark      ◌ marks what is hidden from some: hide, secret, whisper; reveal shows it to them",
    "a mistake   20 was 60 · amend 20 cover minor · target t2 · missed: fray · undo · a preview or a question is first",
)
_MORE = (
    "sheets", "luck", "rewind", "remove", "insert", "reroll", "target", "missed", "dispute", "settle", "disputes",
    "rulings", "rules", "audit", "report", "export", "time", "nonce", "unseal",
)  # fmt: skip
"""The words of which the overview shows only an example."""
_COLUMN, _INDENT, _WIDE = 36, 12, 78
_UNBROKEN = "\N{NO-BREAK SPACE}"


def overview(about: Mapping[str, str]) -> Iterator[str]:
    """Yields the lines of `help`.

    Args:
        about: What each word does.
    """
    yield from _LINES
    yield from (f"{_brief(EXAMPLES[word]):<{_COLUMN}}{text}" for word, text in about.items() if word not in _MORE)
    shown = " · ".join(EXAMPLES[word].partition(" · ")[0].replace(" ", _UNBROKEN) for word in _MORE)
    lines = wrap(f"{shown}: help WORD", _WIDE, initial_indent="more".ljust(_INDENT), subsequent_indent=" " * _INDENT)
    yield from (line.replace(_UNBROKEN, " ") for line in lines)


def _brief(examples: str) -> str:
    """Returns examples, as many as fit the column of `help`."""
    first = examples.partition(" · ")[0]
    return examples if len(examples) < _COLUMN else first
