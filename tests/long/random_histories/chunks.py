"""A chunk of rewritten histories: so many of one game from one seed; the first that breaks a law is made small."""

import faulthandler
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from histories import history_laws, recorder, steps
from histories.playing import histories
from histories.shrinking import Smallest, first_fault
from hypothesis import HealthCheck, Phase, seed, settings
from long.random_fights.chunks import Chunk
from strategies import RULESETS

from replays.exports.jsonl import export
from replays.sessions.log import Log

HISTORIES = 25
"""In a chunk."""
LAWS = len(history_laws.LAWS) + len(recorder.Law)
_LONGEST = 480.0
"""Seconds after which a chunk hangs; making a fault small may take 300."""


def game_of(number: int) -> str:
    """Returns the ruleset of a chunk's histories."""
    return RULESETS[number % len(RULESETS)]


def run_chunk(number: int, of: int, kept: Path) -> Chunk:
    """Plays a chunk of histories.

    Args:
        number: Of the chunk, from 0 on.
        of: The seed of all chunks.
        kept: Where the smallest history in which a law breaks is written: its steps, and its log as an export.

    Returns:
        What came of it; the same for the same number and seed.
    """
    faulthandler.dump_traceback_later(_LONGEST, exit=True)
    chunk = Chunk(number, game_of(number))
    try:
        fault = first_fault(histories(game_of(number)), _settings(number, of), chunk.count)
        chunk.failure = _told(fault, number, of, kept) if fault is not None else ""
    except Exception as error:
        chunk.failure = f"chunk {number} of seed {of}: {type(error).__name__}: {error}"
    finally:
        faulthandler.cancel_dump_traceback_later()
    return chunk


def _settings(number: int, of: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def how(hold: Callable[..., None]) -> Any:
        drawn = int.from_bytes(sha256(f"{of} {number}".encode()).digest()[:8], "big")
        chosen = settings(
            max_examples=HISTORIES, database=None, deadline=None, derandomize=False, print_blob=False,
            phases=(Phase.generate,), suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        return seed(drawn)(chosen(hold))

    return how


def _told(fault: Smallest, number: int, of: int, kept: Path) -> str:
    """Describes a fault by its steps, and keeps the log in which it shows."""
    name = f"history-{of}-{number}"
    (kept / f"{name}.jsonl").write_bytes(b"\n".join([*export(Log(fault.taken.store, steps.NAME)), b""]))
    (kept / f"{name}.txt").write_text(f"{fault}\n")
    return f"{fault}\nagain: .ci/long histories --seed {of} --history-chunk {number}\nkept: {kept / name}.txt, .jsonl"
