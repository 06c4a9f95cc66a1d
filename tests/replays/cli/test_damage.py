"""Whatever row of a ledger is damaged: each verb that reads ends with an answer, a refusal, or the damage."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest
from damaging import ATTACK, bounded, damages, put, recorded, unprotected

from ledger.chain import Record
from replays.cli.app import run

LIMIT = 30.0
"""Seconds; a call takes some hundredths."""

VERBS = [
    ("sessions",), ("show",), ("show", "--at", "5"), ("log", "--all"), ("replay",), ("why", f"{ATTACK}/damage"),
    ("audit",), ("verify",), ("export",), ("odds",), ("luck",), ("rehearse",), ("report",), ("rulings",), ("disputes",),
]  # fmt: skip


def some() -> Iterator[tuple[str, list[Record], Iterator[tuple[str, ...]]]]:
    """Yields one or more cases of each kind of damage, on rows all over the log, with verbs.

    Where rows are missing or in other places all verbs are tried; where there is other content, each in its turn.
    """
    kinds = defaultdict(list)
    for name, rows in damages(recorded()):
        kinds[re.sub(r"\d+", "#", name)].append((name, rows))
    turns = cycle(VERBS)
    for place, (kind, found) in enumerate(kinds.items()):
        is_moved = re.match(r"# (\w+ )+with|# (line|secret|digest)", kind) is None and "{" not in kind
        name, rows = found[place % len(found)]
        yield name, rows, iter(VERBS) if is_moved else islice(turns, 1)
    yield "an empty entry of a person who joins", with_nothing_in(3), iter(VERBS)


def with_nothing_in(seq: int) -> list[Record]:
    """Returns the fight, with an entry from which nothing followed."""
    return next(rows for name, rows in damages(recorded()) if name == f"{seq} with {{'events': []}}")


@pytest.fixture
def ledger() -> Path:
    """Returns a ledger that can be damaged, in the working directory."""
    unprotected(Path("affray.db").absolute())
    return Path("affray.db")


def check(said, code: int, name: str, verb: tuple[str, ...]) -> None:
    assert code in (0, 1, 2), (name, verb, said.err)
    assert "Traceback" not in said.err, (name, verb)
    assert (code == 0) or re.match(r"[a-z-]+/[a-z-]+: .", said.err.splitlines()[-1]), (name, verb, said.err)


def test_every_verb_that_reads_ends_whatever_row_is_spoiled(ledger, capsys) -> None:
    counted = 0
    for name, rows, verbs in some():
        put(ledger, rows)
        for verb in verbs:
            with bounded(LIMIT):
                code = run(verb)
            check(capsys.readouterr(), code, name, verb)
            counted += 1
    assert counted > 150


@pytest.mark.parametrize("verb", ["odds", "luck"])
def test_rules_that_fail_on_a_record_that_was_altered_are_told_of_as_damage(ledger, capsys, verb) -> None:
    put(ledger, with_nothing_in(3))

    assert run([verb]) == 2

    said = capsys.readouterr().err
    assert said.startswith("store/damaged: ")
    assert "run affray verify" in said
    assert "entry 3 was altered or moved" in said
