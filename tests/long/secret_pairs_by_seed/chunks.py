"""A chunk of pairs of logs: so many fights of one game from one seed, each held to the law of noninterference."""

import faulthandler
import traceback
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec
import secret_http_law as http
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from long.random_fights.chunks import Chunk
from secret_histories import secret_histories
from secret_law import PEOPLE, check
from secret_pairs import Pair, changed, replayed
from strategies import RULESETS, Fight

from ledger.audience import Viewer
from ledger.entry import Who
from projections.views.seen import viewer
from replays.api.session import Session
from replays.exports.jsonl import export

FIGHTS = 6
"""In a chunk."""
COUNTING = frozenset({"die", "sheet", "modifier"})
PAIRS = (changed, replayed)
"""How a second log is made: changed where it lies, or one command given otherwise."""
OVER_HTTP = 4
"""Of so many pairs of a chunk, one is compared over HTTP as well, which takes some ten times as long."""
_LONGEST = 480.0
"""Seconds after which a chunk hangs."""
_SHOWN_LETTERS, _SHOWN_FRAMES = 1500, 4


def generator_of(number: int) -> str:
    """Returns the game and the kind of a chunk's pairs."""
    return f"{_game(number)}, {_kind(number).__name__}"


def _game(number: int) -> str:
    return RULESETS[number // len(PAIRS) % len(RULESETS)]


def _kind(number: int) -> Callable[[Random, Session, Viewer], Pair | None]:
    return PAIRS[number % len(PAIRS)]


def run_chunk(number: int, of: int, kept: Path) -> Chunk:
    """Makes a chunk of pairs, and asks both of each the same.

    Args:
        number: Of the chunk, from 0 on.
        of: The seed of all chunks.
        kept: The folder for a pair that can be distinguished, as two exports.

    Returns:
        What came of it; the same for the same number and seed.
    """
    faulthandler.dump_traceback_later(_LONGEST, exit=True)
    chunk, last = Chunk(number, generator_of(number)), list[Pair]()

    @seed(int.from_bytes(sha256(f"{of} {number}".encode()).digest()[:8], "big"))
    @settings(
        max_examples=FIGHTS, database=None, deadline=None, derandomize=False, print_blob=False,
        phases=(Phase.generate,), suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(
        st.integers(0, 2**32),
        secret_histories(games=(_game(number),)),
        st.sampled_from(PEOPLE),
    )
    def hold(drawn: int, fight: Fight, who: Who) -> None:
        pair = _kind(number)(Random(drawn), fight.session, viewer(who, fight.session.combat))
        last[:] = [pair] if pair is not None else []
        if pair is None:
            return
        check(pair, who)
        if who in http.PEOPLE and sum(chunk.fights.values()) % OVER_HTTP == number // len(PAIRS) % OVER_HTTP:
            with http.serving() as server:
                http.check(server, pair, who)
            chunk.kinds["over HTTP"] += 1
            chunk.kinds["over HTTP with a hidden combatant"] += pair.has_hidden
            chunk.kinds["over HTTP with another die, sheet or modifier"] += bool(pair.what & COUNTING)
        _count(chunk, fight, pair)

    try:
        hold()
    except BaseException as error:
        chunk.failure = _told(error, number, of, last, kept)
    finally:
        faulthandler.cancel_dump_traceback_later()
    return chunk


def _count(chunk: Chunk, fight: Fight, pair: Pair) -> None:
    chunk.count(fight)
    chunk.kinds[chunk.generator] += 1
    chunk.kinds.update(pair.what)
    chunk.kinds["hidden combatant"] += pair.has_hidden
    chunk.kinds["another die, sheet or modifier"] += bool(pair.what & COUNTING)


def _told(error: BaseException, number: int, of: int, last: list[Pair], kept: Path) -> str:
    """Describes a pair that can be distinguished, and keeps both logs."""
    lines = [f"{generator_of(number)}: {type(error).__name__}: {error}"[:_SHOWN_LETTERS]]
    for frame in traceback.extract_tb(error.__traceback__)[-_SHOWN_FRAMES:]:
        lines.append(f"  {frame.filename}:{frame.lineno} {frame.name}: {frame.line}")
    lines.append(f"again: .ci/long secrets --seed {of} --secret-chunk {number}")
    for pair in last:
        lines.append(f"told apart by: {msgspec.to_builtins(pair.eyes)}; they differ in {sorted(pair.what)}")
        for name, session in (("one", pair.one), ("other", pair.other)):
            path = kept / f"secrets-{of}-{number}-{name}.jsonl"
            path.write_bytes(b"\n".join([*export(session.log), b""]))
            lines.append(f"kept: {path}")
    return "\n".join(lines)
