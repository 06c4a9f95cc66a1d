"""The two editions share their common code: no function of one is duplicated in the other."""

import ast
import io
import tokenize
from collections.abc import Iterator
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest
from twins import REASONS, SHORT

from machines import eclipse_phase

ROOT = Path(eclipse_phase.__path__[0])
ALIKE = 0.8
"""From this similarity on, two functions are twins."""
FEW = 60
"""Tokens, at the most, of a function that is one call or one expression long."""
LAYOUT = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def tokens(function: ast.FunctionDef) -> tuple[str, ...]:
    """Returns the tokens of a function without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    bare = ast.FunctionDef(
        function.name, function.args, body or [ast.Pass()], function.decorator_list, function.returns, lineno=1
    )
    text = ast.unparse(bare)
    found = tokenize.generate_tokens(io.StringIO(text).readline)
    return tuple(token.string for token in found if token.type not in LAYOUT)


def functions(body: list[ast.stmt], place: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the functions and methods of a module, each with its place and its tokens."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield f"{place}{node.name}", tokens(node)
        elif isinstance(node, ast.ClassDef):
            yield from functions(node.body, f"{place}{node.name}.")


def of_edition(name: str) -> dict[str, tuple[str, ...]]:
    home = ROOT / name
    return {
        place: found
        for path in sorted(home.rglob("*.py"))
        for place, found in functions(
            ast.parse(path.read_text()).body, ".".join(path.relative_to(home).with_suffix("").parts) + ":"
        )
    }


def ratio(matcher: SequenceMatcher[str]) -> float:
    """Returns the similarity of two sequences; 0 as soon as it is below the limit."""
    if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:
        return 0.0
    return matcher.ratio()


def twins(first: dict[str, tuple[str, ...]], second: dict[str, tuple[str, ...]]) -> dict[tuple[str, str], float]:
    """Yields pairs of similar functions, with their similarity."""
    found: dict[tuple[str, str], float] = {}
    for theirs, later in second.items():
        matcher = SequenceMatcher(None, "", later, autojunk=False)
        for mine, earlier in first.items():
            matcher.set_seq1(earlier)
            if (alike := ratio(matcher)) >= ALIKE:
                found[mine, theirs] = alike
    return found


@cache
def all_twins() -> dict[tuple[str, str], float]:
    return twins(of_edition("first"), of_edition("second"))


def is_excused(pair: tuple[str, str], patterns: tuple[str, str]) -> bool:
    return all(fnmatchcase(place, pattern) for place, pattern in zip(pair, patterns, strict=True))


def test_no_function_is_duplicated_between_editions_without_a_reason() -> None:
    excused = [patterns for pairs in REASONS.values() for patterns in pairs]

    found = {
        pair: f"{alike:.2f}"
        for pair, alike in all_twins().items()
        if not any(is_excused(pair, patterns) for patterns in excused)
    }

    assert not found


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_still_needed(reason: str) -> None:
    left = [patterns for patterns in REASONS[reason] if not any(is_excused(pair, patterns) for pair in all_twins())]

    assert len(reason.split()) > 5, "a reason is a sentence"
    assert not left


@pytest.mark.parametrize("reason", [reason for reason in REASONS if any(word in reason for word in SHORT)])
def test_a_function_that_is_excused_as_short_is_short(reason: str) -> None:
    editions = of_edition("first"), of_edition("second")

    excused = [pair for pair in all_twins() if any(is_excused(pair, patterns) for patterns in REASONS[reason])]
    long = [place for pair in excused for place, known in zip(pair, editions, strict=True) if len(known[place]) > FEW]

    assert not long


def test_functions_that_differ_in_a_word_are_found() -> None:
    code = 'def fall(combat):\n    """{}"""\n    for name in due(combat, {}):\n        yield name'
    first = dict(functions(ast.parse(code.format("EP1", "now")).body, "a:"))
    second = dict(functions(ast.parse(code.format("Other words entirely", "then")).body, "b:"))

    found = twins(first, second)

    assert set(found) == {("a:fall", "b:fall")}


def test_functions_with_different_content_are_not_found() -> None:
    first = {"a:x": tokens(_only("def x(a: int) -> int:\n    return a + 1"))}
    second = {
        "b:x": tokens(_only("def x(a: int) -> str:\n    for b in range(a):\n        print(b)\n    return 'done'"))
    }

    assert not twins(first, second)


def _only(code: str) -> ast.FunctionDef:
    node = ast.parse(code).body[0]
    assert isinstance(node, ast.FunctionDef)
    return node
