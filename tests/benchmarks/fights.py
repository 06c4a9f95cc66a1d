"""Real fights of any length: Stoya and the assassin fight many times in one session, with other dice each time.

Everything is decided by the engine, as at a table: actions, defenses, dice, jammed weapons, overruled damage, undone exchanges. Between
two fights the wounded are healed.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from random import Random

from ledger.chain import Record
from ledger.codec import decode
from ledger.commands import Adjust, BeginCombat, Choose, Command, Declare, DrawDice, EndCombat, TypeDice
from ledger.dice import highest, lowest, parse
from ledger.entry import Entry
from ledger.events import ExchangeEnded
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from ledger.stores.sqlite import SqliteStore
from projections.combat import Combat
from projections.path import Rest
from replays import Session
from replays.scripts.format import find_script, read
from replays.scripts.scripted_answers import join

SESSION = "BENCH"
_WEAPONS = {"assassin": ("stoya", "shredder"), "stoya": ("assassin", "stunner")}
_DOWN = ("incapacitated", "unconscious", "dead")
_LONGEST = 6
"""Rounds in one fight."""


class Fighters:
    """Chooses the next command; it depends only on the seed and the state."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._dice = Random(seed)

    def command(self, combat: Combat) -> Command:
        if not combat.clock.fighting:
            return next(_healing(combat), BeginCombat({"place": "a micro-gravity part of the habitat"}))
        if combat.clock.round > _LONGEST or any(combat.conditions.has(who, *_DOWN) for who in _WEAPONS):
            return EndCombat("a fighter is out of it")
        return next(_repairs(combat), None) or self._answer(combat.rests[0])

    def draw(self, _: str, dice: str) -> tuple[int, ...]:
        """Draws the engine's dice, from a separate generator, so that the next command does not depend on who rolls."""
        return _thrown(self._dice, dice)

    def _answer(self, rest: Rest) -> Command:
        if rest.dice:
            return TypeDice(rest.key, _thrown(self._random, rest.dice)) if rest.by == "stoya" else DrawDice(rest.key)
        options = [each.option for each in rest.options]
        if "quick" in options and self._random.random() < 0.2:
            return Declare("quick", rest.by, {"what": "looks around"})
        if "attack" in options:
            at, weapon = _WEAPONS[rest.by]
            distance = self._random.choice(("point-blank", "short", "medium"))
            return Declare("attack", rest.by, {"at": at, "using": weapon, "range": distance})
        return Choose(rest.key, "end" if "end" in options else self._random.choice(options))


def _thrown(random: Random, dice: str) -> tuple[int, ...]:
    return tuple(random.randint(lowest(sides), highest(sides)) for sides in parse(dice).sides)


def _healing(combat: Combat) -> Iterator[Command]:
    for who in _WEAPONS:
        yield from (Adjust(who, f"conditions.{name}", None, "healed") for name in combat.conditions.of(who))
        if combat.health.track(who, "damage").taken:
            yield Adjust(who, "tracks.damage", 0, "healed")
        if combat.wounds.count(who):
            yield Adjust(who, "wounds", 0, "healed")


def _repairs(combat: Combat) -> Iterator[Command]:
    for who, (_, weapon) in _WEAPONS.items():
        for name in combat.conditions.of(who):
            if name.startswith(weapon):
                yield Adjust(who, f"conditions.{name}", None, "put right")


def play(session: Session, fighters: Fighters, upto: int) -> None:
    """Plays until the log has that many entries, with occasional undos and overrulings."""
    chance = Random(upto)
    while session.log.last < upto:
        entry = session.perform(fighters.command(session.combat))
        key = getattr(entry.command, "key", "")
        if key.endswith("/damage") and chance.random() < 0.1:
            session.overrule(key, "dv", chance.randrange(30), why="the barrel was bent")
        elif key.endswith("/defend") and chance.random() < 0.05:
            session.undo("exchange", why="it was not her turn")


def begun(fighters: Fighters) -> Session:
    """Returns a new session in memory, which both have joined."""
    script = read(find_script("stoya")[1])
    session = Session.create(
        MemoryStore(), ruleset=script.ruleset, title=script.title, profile=script.profile, source=script.source,
        session=SESSION, draw=fighters.draw,
    )  # fmt: skip
    for who, one in script.combatants.items():
        session.perform(join(who, one))
    return session


def write(path: str, count: int) -> None:
    """Writes the first entries of the long session to a file; every prefix of it is a valid session."""
    fighters = Fighters(seed=1)
    session = begun(fighters)
    play(session, fighters, count)
    with closing(SqliteStore(path)) as store:
        keep(store, list(session.log.store.read(SESSION, upto=count)))


def some_records(folder: Path, count: int) -> Sequence[Record]:
    """Returns such entries, played by another process, so that the memory of this one stays clean."""
    path = str(folder / "fights.db")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
        other.submit(write, path, count).result()
    with closing(SqliteStore(path)) as store:
        return list(store.read(SESSION))


def between_fights(records: Sequence[Record], upto: int) -> Sequence[Record]:
    """Returns the longest prefix of at most `upto` entries after which a fight begins."""
    for place in range(upto, 0, -1):
        entry = decode(records[place].line)
        if isinstance(entry.command, BeginCombat) and entry.after == place:
            return records[:place]
    raise AssertionError("no fight begins there")


def with_events(records: Sequence[Record], count: int) -> Sequence[Record]:
    """Returns the shortest prefix with at least that many events."""
    for place, record in enumerate(records, 1):
        count -= len(decode(record.line).events)
        if count <= 0:
            return records[:place]
    raise AssertionError("there are fewer events")


def keep(store: Store, records: Sequence[Record]) -> Store:
    """Appends a whole session to a store at once."""
    store.create(SESSION)
    store.append(SESSION, records, expected=0)
    return store


def after_an_exchange(store: Store, records: Sequence[Record], upto: int) -> Session:
    """Returns a live session of about so many entries, in which an attack was just resolved."""
    fighters = Fighters(seed=7)
    session = Session(keep(store, between_fights(records, upto)), SESSION, draw=fighters.draw)
    while True:
        entry = session.perform(fighters.command(session.combat))
        if any(isinstance(event, ExchangeEnded) and "/attack" in event.key for event in entry.events):
            return session


def next_commands(records: Sequence[Record], count: int, seed: int) -> Sequence[Command]:
    """Returns the commands that would come next, played on a copy in memory."""
    fighters = Fighters(seed)
    session = Session(keep(MemoryStore(), records), SESSION, draw=fighters.draw)
    commands: list[Command] = []
    for _ in range(count):
        commands.append(fighters.command(session.combat))
        session.perform(commands[-1])
    return commands


def entries_of(records: Sequence[Record]) -> Sequence[Entry]:
    return [decode(record.line) for record in records]
