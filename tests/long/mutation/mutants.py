"""The mutants of a module."""

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.mutating import mutate_code
from long.mutation.modules import Change
from long.mutation.operators import SELECTED, Span, operator


@dataclass(frozen=True, order=True)
class Mutant:
    """A module with one change.

    Attributes:
        change: What it changes.
        line: Where, from 1 on.
        operator: The name of the operator that makes it.
        occurrence: At which of its positions in the module, from 0 on.
        span: From where to where.
    """

    change: Change
    line: int
    operator: str
    occurrence: int
    span: Span


def mutants_of(root: Path, path: str) -> list[Mutant]:
    """Returns all mutants of a module, in the order of its lines.

    Omitted are those that cannot be compiled, those that change what has no effect on what the program does, and those
    that another operator makes as well.

    Args:
        root: The project's.
        path: The module's, from there.
    """
    source = (root / path).read_text()
    unheeded, seen = list(_unheeded(source)), {source}
    found: list[Mutant] = []
    for name, occurrence, span, function in _positions(source):
        if any(begin <= span[0] and span[1] <= end for begin, end in unheeded):
            continue
        mutated = mutate_code(source, operator(name), occurrence)
        if mutated is None or mutated in seen or not _compiles(mutated):
            continue
        seen.add(mutated)
        was, becomes = _changed(source, mutated)
        found.append(Mutant(Change(path, function, was, becomes), span[0][0], name, occurrence, span))
    return sorted(found, key=lambda each: (each.line, each))


def _positions(source: str) -> Iterator[tuple[str, int, Span, str]]:
    """Yields operator, occurrence, place and function."""
    nodes = list(ast_nodes(get_ast(source)))
    for name in SELECTED:
        made, occurrence = operator(name), 0
        for node in nodes:
            for span in made.mutation_positions(node):
                yield name, occurrence, span, ASTQuery(node).get_definition_name() or ""
                occurrence += 1


def _unheeded(source: str) -> Iterator[Span]:
    """Yields where nothing depends on what stands: annotations, and whether the garbage collector knows a struct."""
    for node in ast.walk(ast.parse(source)):
        parts = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        parts += [node.value] if isinstance(node, ast.keyword) and node.arg == "gc" else []
        for each in parts:
            if each is not None:
                yield (each.lineno, each.col_offset), (each.end_lineno, each.end_col_offset)


def _compiles(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _changed(source: str, mutated: str) -> tuple[str, str]:
    """Returns the lines that differ, before and after."""
    lines = list(difflib.ndiff(source.splitlines(), mutated.splitlines()))
    return _told(lines, "- "), _told(lines, "+ ")


def _told(lines: list[str], sign: str) -> str:
    return " ⏎ ".join(line[2:].strip() for line in lines if line.startswith(sign))
