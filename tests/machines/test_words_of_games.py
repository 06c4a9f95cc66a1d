"""No word of a game stands outside its package: the core knows words by what they mean (`Ruleset.vocabulary`)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import ROOT

from machines.contract.ruleset import ruleset
from machines.registry import installed
from projections.vocabulary import USUAL

ROOMS = ("ledger/key.py", "projections", "machines/contract", "machines/engine", "machines/secrecy", "replays")
HOME = "projections/vocabulary.py"
"""The module with the default words, for a game that gives no words to replace them."""


def words() -> frozenset[str]:
    """The words that games have for outcomes, counters, figures of sums and fields of terms; and their kinds."""
    found: set[str] = set()
    for vocabulary in (USUAL, *(ruleset(name).vocabulary for name in installed())):
        sums, terms = vocabulary.sums, vocabulary.terms
        found |= {*vocabulary.words, *vocabulary.counters, *vocabulary.places, *vocabulary.untold}
        found |= {*sums.names, *sums.parts, sums.degree, terms.at, terms.deed, *terms.things, *terms.written}
        found |= {*(vocabulary.endings_told or ())}
    return frozenset(found - {""})


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Strings of a program, in f-strings too, but for docstrings."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def named(literal: str, known: frozenset[str]) -> set[str]:
    """The words of games that a string is, or is made of where it is no sentence; and dice."""
    parts = () if " " in literal else re.findall(r"[a-z][a-z_]*", re.sub(r"\\.", " ", literal))
    return {word for word in (literal, *parts) if word in known} | set(re.findall(r"^\d+d\d+$", literal))


def found_in(path: Path, known: frozenset[str]) -> set[str]:
    tree = ast.parse(path.read_text())
    return {word for _, literal in literals(tree) for word in named(literal, known)}


def modules() -> list[Path]:
    tops = [ROOT / room for room in ROOMS]
    paths = {path for top in tops for path in (top.rglob("*.py") if top.is_dir() else [top])}
    return sorted(path for path in paths if path != ROOT / HOME)


OWN = {"dice"}
"""Words that the core has for itself, too: what is thrown is called dice in every command, document and verb."""
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("projections/combatants/wounds.py", "wounds"): "what is counted where a rule does not say what",
    ("projections/views/document.py", "wounds traumas"): "fields that the state document has always had",
    ("projections/views/document.py", "target"): "a field of the state document's rests",
    ("replays/cli/screen.py", "target"): "the same field, read",
    ("replays/scripts/expectations.py", "target"): "the field of an option in the state document, compared",
    ("projections/rolls.py", "target"): "a field of TestResolved",
    ("projections/views/fiction.py", "base target score what"): "fields of TestResolved, InitiativeScored and Adjusted",
    ("machines/engine/adjustments.py", "what"): "a field of Adjust",
    ("machines/secrecy/visibility.py", "score"): "the figure that InitiativeScored repeats",
    ("replays/odds/engine/tally.py", "wounds target score"): "what chances are counted by",
    ("replays/odds/odds.py", "wounds target"): "the same; `Harm.counted` is wounds for everything but tracks",
    ("replays/exports/report/sums.py", "base target"): "kinds of parts of a report's sums",
    ("replays/exports/report/page.py", "target what"): "kinds of such parts, and a class of the page's style",
    ("replays/audit/why.py", "what"): "a field of a refusal's subject, `who.what`",
    ("replays/audit/people.py", "at"): "when an entry was written",
    ("replays/cli/commands/chances.py", "at"): "the option --at: an entry",
    ("replays/cli/commands/show.py", "at"): "the option --at: an entry",
    ("replays/cli/commands/log.py", "at"): "the same option",
    ("replays/cli/views/heads_view.py", "at"): "when a head was seen",
    ("replays/exports/import_checks.py", "at"): "when an entry was written",
    ("replays/server/http/strict.py", "at"): "the parameter of a query: an entry",
    ("replays/server/routes/common.py", "at"): "the same",
    ("replays/sessions/log.py", "at"): "the same, of a view",
    ("replays/client/synchronous/correcting.py", "what"): "the address of what-if",
    ("replays/client/asynchronous/correcting.py", "what"): "the same",
    ("replays/server/routes/correcting.py", "what"): "the same",
    ("replays/table/language/joining.py", "what"): "the words of a line with which somebody joins",
    ("replays/table/verbs.py", "target"): "a word that is typed at the table",
    ("replays/table/correcting/amending.py", "target"): "the same word",
    ("replays/table/after_words.py", "target"): "the same word",
    ("replays/table/help_texts.py", "target"): "the same word",
    ("replays/table/correcting/change_words.py", "target"): "the same word",
    ("replays/table/language/term_words.py", "target"): "how values begin that describe who is attacked",
    ("replays/examples/discord_bot.py", "target weapon"): "options of its command /attack",
    ("replays/server/http/glossary.py", "at base score traumas"): "explains fields of documents",
    ("replays/server/http/refusal_slugs.py", "what"): "a path of the field that a refusal names",
}
"""By module, words of games that mean something else there, or belong to a shape that other programs read."""


def allowed(path: Path) -> set[str]:
    name = path.relative_to(ROOT).as_posix()
    return OWN | {word for module, words in EXCEPTIONS if module == name for word in words.split()}


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_literal_is_a_word_of_a_game(path: Path) -> None:
    assert found_in(path, words()) - allowed(path) == set()


def test_every_exception_is_needed() -> None:
    known = words()

    assert {
        (module, word)
        for module, some in EXCEPTIONS
        for word in some.split()
        if word not in found_in(ROOT / module, known)
    } == set()


@pytest.mark.parametrize(
    "code",
    [
        'x = "success" in outcome',
        'y = re.compile(r"(.*/target\\d*)")',
        'adjusted = what in ("wounds", "x")',
        'f"{key}/target"',
        'name.startswith("degree:")',
        'dice.startswith("1d100")',
    ],
)
def test_the_scan_finds_words(code: str) -> None:
    known = words()

    assert [word for _, literal in literals(ast.parse(code)) for word in named(literal, known)]


def test_a_sentence_and_a_docstring_are_none() -> None:
    code = 'def f():\n    """base"""\n    return f"{who} cannot attack at the base"'

    assert [word for _, literal in literals(ast.parse(code)) for word in named(literal, words())] == []
