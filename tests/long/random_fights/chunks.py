"""A chunk of random fights: so many from one seed, each held to every law; what breaks one is made small."""

import faulthandler
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from long.random_fights.fight_laws import LAWS
from long.random_fights.generators import GENERATORS
from strategies import Fight

from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from replays.exports.jsonl import export
from replays.sessions.log import Log

FIGHTS = 40
"""In a chunk."""
_SHOWN_FRAMES, _SHOWN_ENTRIES, _SHOWN_LETTERS = 4, 25, 800
_LAW = "the law that breaks: "
_LONGEST = 480.0
"""Seconds after which a chunk hangs; making a fault small may take 300."""


@dataclass
class Chunk:
    """What came of a chunk.

    Attributes:
        number: Of the chunk.
        generator: The name of what made its fights.
        fights: How many, by ruleset.
        entries: Of all of them.
        events: Likewise.
        kinds: Whatever else is counted, by its name.
        failure: What went wrong, with the smallest fight in which it does; empty where nothing did.
    """

    number: int
    generator: str
    fights: Counter[str] = field(default_factory=Counter)
    entries: int = 0
    events: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failure: str = ""

    def count(self, fight: Fight) -> None:
        """Counts one fight more."""
        self.fights[fight.session.game.name] += 1
        self.entries += fight.session.log.last
        self.events += sum(len(entry.events) for entry in fight.session.entries())


def generator_of(number: int) -> str:
    """Returns the name of the generator that a chunk's fights come from."""
    return [*GENERATORS][number % len(GENERATORS)]


def run_chunk(number: int, of: int, kept: Path) -> Chunk:
    """Plays a chunk of fights.

    Args:
        number: Of the chunk, from 0 on.
        of: The seed of all chunks.
        kept: Where the smallest fight in which a law breaks is written, as an export.

    Returns:
        What came of it; the same for the same number and seed.
    """
    faulthandler.dump_traceback_later(_LONGEST, exit=True)
    chunk, stores = Chunk(number, generator_of(number)), list[MemoryStore]()

    def new_store() -> MemoryStore:
        stores[:] = [MemoryStore()]
        return stores[0]

    @seed(int.from_bytes(sha256(f"{of} {number}".encode()).digest()[:8], "big"))
    @settings(
        max_examples=FIGHTS, database=None, deadline=None, derandomize=False, print_blob=False,
        report_multiple_bugs=False, phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(GENERATORS[chunk.generator](new_store), st.data())
    def hold(fight: Fight, data: st.DataObject) -> None:
        for name, law in LAWS.items():
            try:
                law(fight, data)
            except Exception as error:
                error.add_note(f"{_LAW}{name}")
                raise
        chunk.count(fight)

    try:
        hold()
    except BaseException as error:
        chunk.failure = _told(error, number, of, stores, kept)
    finally:
        faulthandler.cancel_dump_traceback_later()
    return chunk


def _told(error: BaseException, number: int, of: int, stores: list[MemoryStore], kept: Path) -> str:
    """Describes a fault by the smallest fight that has it: the last that was played."""
    lines = [*_words(error), f"again: .ci/long fights --seed {of} --chunk {number}"]
    try:
        log = Log(stores[0], stores[0].sessions()[0])
        path = kept / f"fight-{of}-{number}.jsonl"
        path.write_bytes(b"\n".join([*export(log), b""]))
        lines.append(f"the smallest fight in which it happens, {log.last} entries, is exported to {path}; it ends:")
        last = log.entries(after=max(0, log.last - _SHOWN_ENTRIES))
        lines += [f"  {entry.seq}: {msgspec.to_builtins(entry.command)}" for entry in last]
    except (Refused, LookupError, OSError) as refusal:
        lines.append(f"the fight cannot be exported: {refusal}")
    return "\n".join(lines)


def _words(error: BaseException) -> Iterator[str]:
    """Yields what was raised, where, and which law it broke; of several errors those of each."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _words(each)
        return
    yield f"{type(error).__name__}: {error}"[:_SHOWN_LETTERS]
    yield from (note for note in getattr(error, "__notes__", ()) if note.startswith(_LAW))
    for frame in traceback.extract_tb(error.__traceback__)[-_SHOWN_FRAMES:]:
        yield f"  {frame.filename}:{frame.lineno} {frame.name}: {frame.line}"
