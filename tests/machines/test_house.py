"""House rules that a program can check: sizes, sources, and no comparing by name."""

import ast
import inspect
import re
import types
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import msgspec
import pytest
from places import ROOT, TESTS
from ruleset_packages import folder_of, package_of

import ledger
import machines
import projections
import replays
from machines import gurps_3e, shadowrun_4e
from machines.contract.chart import Chart
from machines.contract.ruleset import ruleset
from machines.eclipse_phase import family, first, second
from machines.registry import installed

PACKAGES = (ledger, projections, machines, replays)
LONGEST = 400


def folder(package: types.ModuleType) -> Path:
    assert package.__file__ is not None
    return Path(package.__file__).parent


def modules(package: types.ModuleType) -> list[Path]:
    return sorted(folder(package).rglob("*.py"))


def name_of(path: Path) -> str:
    return "/".join(path.parts[-3:])


# ------------------------------------------------------------------------------------------------ sizes


@pytest.mark.parametrize("path", [path for package in PACKAGES for path in modules(package)], ids=name_of)
def test_a_module_is_never_over_four_hundred_lines(path: Path) -> None:
    expected = LONGEST

    lines = len(path.read_text().splitlines())

    assert lines <= expected


# ------------------------------------------------------------------------------------------------ no comparing by name


def names(path: Path | None = None) -> set[str]:
    """What no code may compare with: rulesets, profiles, kinds of attack; those of all games, or of the one whose module it is."""
    mine = [name for name in installed() if path is not None and path.is_relative_to(folder_of(name))]
    games = [ruleset(name) for name in mine or installed()]
    return {
        *installed(),
        *(row.name for name in installed() for row in ruleset(name).profiles),
        *(kind for game in games for kind in game.kinds),
        *(row.name for game in games for row in game.tables.get("attack_kinds", ())),
    }


def compared(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Words that a program compares something with: ==, !=, in, not in, is, and the cases of a match."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        else:
            continue
        for part in parts:
            for inner in ast.walk(part):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield inner.lineno, inner.value


@pytest.mark.parametrize("path", modules(machines), ids=name_of)
def test_no_rule_compares_a_ruleset_a_printing_or_a_kind_by_name(path: Path) -> None:
    expected: list[tuple[int, str]] = []
    forbidden = names(path)

    found = [(line, word) for line, word in compared(ast.parse(path.read_text())) if word in forbidden]

    assert expected == found


@pytest.mark.parametrize(
    "code",
    [
        'if kind == "melee": pass',
        'x = "attack" in kinds',
        'match k:\n    case "ranged": pass',
        'kind in ("melee", "x")',
    ],
)
def test_the_check_for_names_finds_them(code: str) -> None:
    expected = names()

    found = {word for _, word in compared(ast.parse(code))}

    assert found & expected


# ------------------------------------------------------------------------------------------------ sources


def charts() -> list[Chart]:
    return [chart for game in installed() for chart in ruleset(game).charts.values()]


def box_functions() -> dict[str, Callable[..., object]]:
    """The functions that the boxes of the charts hold, by their full names."""
    found: dict[str, Callable[..., object]] = {}
    for chart in charts():
        for box in chart.boxes.values():
            found |= {f"{each.__module__}.{each.__qualname__}": each for each in box.functions}
    return found


@cache
def cited_by_rows() -> dict[Callable[..., object], tuple[str, ...]]:
    """What the rows cite that hold a function."""
    rows = [(each, box.see) for chart in charts() for box in chart.boxes.values() for each in box.functions]
    return {each: tuple(see for one, see in rows if one is each) for each, _ in rows}


def sources(function: Callable[..., object]) -> str:
    """Where a function's rule is printed: by the rows that hold it, or else by its docstring."""
    return "; ".join(cited_by_rows().get(function, ())) or (inspect.getdoc(function) or "").partition("Source:")[2]


def functions(package: types.ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    """Public functions and properties that a package defines."""
    for info in walk_packages(package.__path__, package.__name__ + "."):
        module = import_module(info.name)
        for name, value in vars(module).items():
            if name.startswith("_") or getattr(value, "__module__", None) != info.name:
                continue
            if inspect.isfunction(value):
                yield f"{info.name}.{name}", value
            elif inspect.isclass(value) and not is_protocol(value):
                for attribute, member in vars(value).items():
                    if isinstance(member, property) and not attribute.startswith("_") and member.fget is not None:
                        yield f"{info.name}.{name}.{attribute}", member.fget


def is_protocol(value: type) -> bool:
    """Does it only name what others must have, and state no rule?"""
    return getattr(value, "_is_protocol", False)


def is_arithmetic(function: Callable[..., object]) -> bool:
    """Does it return a number?"""
    return bool(re.search(r"\bint\b", str(inspect.signature(function).return_annotation)))


@pytest.mark.parametrize(("name", "function"), sorted(box_functions().items()), ids=sorted(box_functions()))
def test_a_rows_function_is_cited_by_the_row_and_not_once_more_by_itself(
    name: str, function: Callable[..., object]
) -> None:
    expected = "Source:"

    found = inspect.getdoc(function) or ""

    assert expected not in found
    assert sources(function)


GAMES = (family, first, second, gurps_3e)
ARITHMETIC = dict(sorted((name, each) for game in GAMES for name, each in functions(game) if is_arithmetic(each)))


@pytest.mark.parametrize(("name", "function"), ARITHMETIC.items(), ids=list(ARITHMETIC))
def test_arithmetic_says_where_it_is_printed(name: str, function: Callable[..., object]) -> None:
    assert sources(function)


OF_NO_RULE = "machines.eclipse_phase.family.edition."
"""Begins the name of what finds the edition, and decides nothing."""
COMMON = dict(sorted((name, each) for name, each in functions(family) if not name.startswith(OF_NO_RULE)))


@pytest.mark.parametrize(("name", "function"), COMMON.items(), ids=list(COMMON))
def test_what_both_editions_share_cites_both(name: str, function: Callable[..., object]) -> None:
    expected = {"EP1", "EP2"}

    source = sources(function)

    assert expected == {book for book in expected if f"{book} " in source}


def test_there_is_arithmetic_to_check() -> None:
    expected = {
        "machines.eclipse_phase.first.attack.outcome.excellent",
        "machines.eclipse_phase.family.sheets.SheetBody.threshold",
        "machines.eclipse_phase.second.success_tests.success.superior",
    }

    assert expected <= set(ARITHMETIC)


def users_of_here() -> Iterator[str]:
    """The functions that leave the source of an event to the row of their box."""
    for package in (family, first, second, gurps_3e, shadowrun_4e):
        for path in modules(package):
            name = ".".join(path.relative_to(Path(machines.__path__[0]).parent).with_suffix("").parts)
            for node in ast.walk(ast.parse(path.read_text())):
                uses = (each for each in ast.walk(node) if isinstance(each, ast.Name) and each.id == "HERE")
                if isinstance(node, ast.FunctionDef) and any(uses):
                    yield f"{name}.{node.name}"


def test_only_functions_of_rows_leave_the_source_of_an_event_to_the_row() -> None:
    expected = set(box_functions())

    found = set(users_of_here())

    assert found
    assert found <= expected


# ------------------------------------------------------------------------------------------------ words


@pytest.mark.parametrize("game", sorted(installed()))
def test_every_field_of_a_profile_is_read_by_some_rule(game: str) -> None:
    """A field that no rule reads would have no effect."""
    package = package_of(game)
    shared = modules(family) if package in (first, second) else []
    text = "\n".join(path.read_text() for path in (*modules(package), *shared) if path.name != "profile.py")
    tables = "\n".join(path.read_text() for path in sorted(folder(package).rglob("tables/*.toml")))
    fields = {field.name for field in msgspec.structs.fields(ruleset(game).profile)}
    expected = fields - {"name", "source", "confidence", "ruling"}

    read = {field for field in expected if f".{field}" in text or f'"{field}"' in tables}

    assert expected == read


def test_ruleset_packages_never_import_one_another() -> None:
    """Found by their books, so that a new one is covered without being named."""
    root = Path(machines.__path__[0])
    packages = {
        ".".join(("machines", *path.parent.relative_to(root).parts)): path.parent for path in root.rglob("books.toml")
    }
    imported = [
        (path, other)
        for package, home in packages.items()
        for path in home.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom | ast.Import)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names])
        for other in packages.keys() - {package}
        if name == other or name.startswith(f"{other}.")
    ]

    assert packages
    assert not imported


# ------------------------------------------------------------------------------------------------ rooms

MOST_MODULES = 16
"""In a room."""
RULESETS = [folder_of(name) for name in installed()]


def rooms() -> list[Path]:
    """Every folder of modules."""
    return sorted({path.parent for package in PACKAGES for path in modules(package)})


def modules_in(room: Path) -> set[str]:
    return {path.name for path in room.glob("*.py")} - {"__init__.py"}


def in_ruleset(room: Path) -> bool:
    return any(room != home and room.is_relative_to(home) for home in RULESETS)


def described(text: str) -> set[str]:
    """The modules that stand in the table of a README."""
    rows = "\n".join(line for line in text.splitlines() if line.startswith("|"))
    return set(re.findall(r"`([a-z_0-9]+\.py)`", rows))


@pytest.mark.parametrize("room", [room for room in rooms() if not in_ruleset(room)], ids=name_of)
def test_a_room_says_what_lives_in_it(room: Path) -> None:
    text = (room / "README.md").read_text()

    named = set(re.findall(r"`([a-z_0-9]+\.py)`", text)) | {
        f"{name}.py" for name in re.findall(r"`([a-z_0-9]+)`", text)
    }

    assert modules_in(room) <= named


@pytest.mark.parametrize("room", [room for room in rooms() if in_ruleset(room)], ids=name_of)
def test_a_room_of_a_ruleset_says_what_each_module_does(room: Path) -> None:
    expected = modules_in(room)

    assert expected == described((room / "README.md").read_text())


def test_a_module_beside_the_table_of_a_readme_is_not_described() -> None:
    text = "| `sheet.py`, `rows_2.py` | what `tables` says |\n\n**Start reading:** `turn.py`"

    assert described(text) == {"sheet.py", "rows_2.py"}


@pytest.mark.parametrize("home", RULESETS, ids=name_of)
def test_a_ruleset_says_what_lives_in_its_rooms(home: Path) -> None:
    expected = {path.name for path in home.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    text = (home / "README.md").read_text()

    named = set(re.findall(r"`([a-z_]+)/`", text))

    assert expected <= named


@pytest.mark.parametrize("room", rooms(), ids=name_of)
def test_a_room_is_small(room: Path) -> None:
    assert len(modules_in(room)) <= MOST_MODULES


def test_a_folder_of_tests_is_named_as_the_room_whose_modules_it_tests() -> None:
    folders = {path.parent.relative_to(TESTS) for top in PACKAGES for path in (TESTS / top.__name__).rglob("test_*.py")}
    packages = {room.relative_to(ROOT) for room in rooms()}

    assert folders - packages == set()


# ------------------------------------------------------------------------------------------------ the order of events


def walked(tree: ast.AST) -> Iterator[ast.expr]:
    """What loops and comprehensions go through."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension):
            yield node.iter


def is_set(node: ast.expr) -> bool:
    """Is it written as a set, or as one without another?"""
    if isinstance(node, ast.BinOp):
        return is_set(node.left) or is_set(node.right)
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
    return named or isinstance(node, ast.Set | ast.SetComp)


@pytest.mark.parametrize("path", modules(machines), ids=name_of)
def test_no_rule_goes_through_a_set(path: Path) -> None:
    """Its order is another one in each process, and with it that of the events, and what is refused first."""
    assert [each.lineno for each in walked(ast.parse(path.read_text())) if is_set(each)] == []


def test_the_check_for_sets_finds_them() -> None:
    code = "for x in {1, *y}: pass\n[x for x in {z for z in y} - {0}]\n{x for x in y}\nfor x in sorted({1}): pass\nfor x in set(y): pass"

    assert sorted(each.lineno for each in walked(ast.parse(code)) if is_set(each)) == [1, 2, 5]
