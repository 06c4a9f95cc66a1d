"""Noninterference: logs that are released alike to a seat, and differ in anything else, are the same for that seat."""

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from secret_pairs import Pair, changed, played_otherwise, replayed, shown
from set_aside import DONE, ROWS, digest, of_export, whether
from strategies import MOVES, RULESETS, clock, drawn, fights

from ledger.audience import Viewer
from ledger.commands import BeginCombat, Choose, Command, Declare, Join, OpenDispute, TypeDice
from ledger.dice import highest, lowest, parse
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from machines.ruleset import ruleset
from projections.views.released import SET_ASIDE
from projections.views.seen import viewer
from replays.frames import frames
from replays.narrate import narrate, paths
from replays.precedents import precedents
from replays.reading import Reading
from replays.report import report
from replays.session import Session
from replays.table.table import Table

PEOPLE = [Who("zoe", Seat.SPECTATOR), *(Who(name, Seat.PLAYER) for name in ("kira", "ben", "gm"))]


class About(msgspec.Struct, frozen=True):
    """What is asked about: the same of both logs, whether it is there in one, in both, or hidden."""

    keys: list[str]
    who: list[str]
    last: int

    @property
    def declarations(self) -> list[Declare]:
        """Some, sensible and not."""
        return [
            Declare("attack", by, {"at": at, "using": using})
            for by in self.who
            for at in (*self.who, "nobody")
            for using in ("knife", "gun")
            if by != at
        ]


def about(pair: Pair) -> About:
    both = (pair.one, pair.other)
    entries = [entry for session in both for entry in session.entries()]
    keys = {str(getattr(event, "key", "")) for entry in entries for event in entry.events} - {""}
    who = sorted({who for session in both for who in session.combat.roster.who})
    step = max(1, len(keys) // 12)
    return About(sorted(keys)[::step], who, pair.one.log.last)


Ask = Callable[[], object]
Asking = Callable[[Session, Viewer, About], Iterator[Ask]]


def _why(session: Session, eyes: Viewer, what: About) -> Iterator[Ask]:
    health = [f"{who}.{name}" for who in what.who for name in ("damage", "physical", "hit_points", "wounds", "prone")]
    yield from (partial(session.why, of, eyes) for of in (*what.keys, *health))


def _odds(session: Session, eyes: Viewer, what: About) -> Iterator[Ask]:
    yield from (partial(session.odds, key, eyes=eyes) for key in (None, *what.keys[:3]))
    yield from (partial(session.odds, declare=one, eyes=eyes) for one in what.declarations[:3])


ASKED: Mapping[str, Asking] = {
    "options": lambda session, eyes, _: iter([partial(session.options, eyes)]),
    "state": lambda session, eyes, what: (partial(session.state, at, eyes) for at in (None, *range(1, what.last, 3))),
    "seen": lambda session, eyes, _: iter([partial(session.seen, eyes)]),
    "why": _why,
    "odds": _odds,
    "luck": lambda session, eyes, _: iter([partial(session.luck, eyes)]),
    "audit": lambda session, eyes, _: iter([partial(session.audit, eyes=eyes)]),
    "disputes": lambda session, eyes, _: iter([partial(session.disputes, eyes)]),
    "dispute": lambda session, eyes, _: (partial(session.dispute, f"d{n}", eyes) for n in range(1, 4)),
    "export": lambda session, eyes, _: iter([lambda: of_export(session.export(eyes, "a seat"))]),
}
"""How each way of reading a session is asked, by its name."""


def _told(session: Session, eyes: Viewer) -> Iterator[Ask]:
    """What is told of a session beside its methods."""
    yield partial(report, session.log, eyes)
    yield partial(_narrated, session, eyes, everything=False)
    yield partial(_narrated, session, eyes, everything=True)
    yield partial(precedents, session.log, eyes)


def _narrated(session: Session, eyes: Viewer, *, everything: bool) -> object:
    told = frames(session.log, everything=everything, eyes=eyes)
    return [(one, list(narrate(one.entry, one.before)), list(paths(one.entry, one.before))) for one in told]


def _at_the_table(session: Session, who: Who) -> Iterator[Ask]:
    table = Table(session, who)
    yield lambda: msgspec.to_builtins(table.question())
    yield lambda: table.interrupts(table.question())
    yield lambda: table.latest_keys(20)
    for kind in session.game.kinds:
        yield partial(_words, table, kind)


def _words(table: Table, kind: str) -> object:
    declaring = table.declaring(table.question())
    return declaring.words(Declare(kind, "ann")), declaring.offers(kind, "bob"), declaring.of(f"{kind} ann by=bob")


def _refused(session: Session, who: Who, what: About) -> Iterator[Ask]:
    """Commands from their seat, each in a session of its own: nothing else hears of it."""
    asked: list[Command] = what.declarations[:6]
    asked += [TypeDice(key, (101,)) for key in what.keys] + [Choose(key, "nothing") for key in what.keys]
    asked += [OpenDispute(f"{key}?", "no") for key in what.keys]
    yield from (partial(_performed, session, command, who) for command in asked)


def _performed(session: Session, command: Command, who: Who) -> object:
    store = MemoryStore()
    store.create(session.id, list(session.log.store.read(session.id)))
    Session(store, session.id).perform(command, by=who)
    return DONE


def answer(ask: Ask) -> object:
    try:
        found = ask()
    except Refused as refusal:
        return digest(f"{refusal}, {refusal.where}, {refusal.accepts}")
    return found if found is DONE else digest(repr(found))


def answers(session: Session, eyes: Viewer, who: Who, what: About) -> Iterator[tuple[str, object]]:
    ways = {name: ask(session, eyes, what) for name, ask in ASKED.items()}
    ways |= {
        "told": _told(session, eyes),
        "table": _at_the_table(session, who),
        "refused": _refused(session, who, what),
    }
    for name, asks in ways.items():
        for nth, ask in enumerate(asks):
            yield f"{name} {nth} {getattr(ask, 'args', '')}", answer(ask)


def check(pair: Pair, who: Who) -> None:
    assert shown(pair.one, pair.eyes) == shown(pair.other, pair.eyes)
    what = about(pair)
    mine, theirs = (answers(session, pair.eyes, who, what) for session in (pair.one, pair.other))
    for (way, one), (_, other) in zip(mine, theirs, strict=True):
        assert whether(one, other), (way, one, other)


def test_nothing_is_set_aside_but_what_is_listed() -> None:
    assert ROWS.keys() == SET_ASIDE.keys()


def test_every_way_of_reading_that_takes_eyes_is_asked() -> None:
    found = {
        name
        for name, method in inspect.getmembers(Reading, inspect.isfunction)
        if "eyes" in inspect.signature(method).parameters
    }
    assert found == set(ASKED)


def _run(pairs: Callable[..., Pair | None], examples: int) -> Counter[str]:
    counted: Counter[str] = Counter()

    @settings(max_examples=examples)
    @given(st.integers(0, 2**32), fights(secrets=True, moves=MOVES, least=5, most=25), st.sampled_from(PEOPLE))
    def run(seed: int, fight: Any, who: Who) -> None:
        eyes = viewer(who, fight.session.combat)
        pair = pairs(Random(seed), fight.session, eyes)
        if pair is None:
            counted["none"] += 1
            return
        counted["pairs"] += 1
        counted["counting"] += bool(pair.what & {"die", "sheet", "modifier"})
        counted["hidden combatants"] += pair.has_hidden
        counted.update(pair.what)
        counted[fight.session.game.name] += 1
        check(pair, who)

    run()
    return counted


@pytest.mark.parametrize(("pairs", "examples"), [(changed, 8), (replayed, 12)], ids=["changed", "replayed"])
def test_what_a_seat_may_not_know_changes_nothing_that_it_is_told(
    pairs: Callable[..., Pair | None], examples: int
) -> None:
    counted = _run(pairs, examples)

    assert counted["pairs"] >= examples // 5, counted
    assert counted["counting"] * 2 >= counted["pairs"], counted
    assert counted["hidden combatants"] * 3 >= counted["pairs"], counted


# ------------------------------------------------------------------------------------------------ each number


def _duel(game: str) -> Session:
    """A player against somebody whose sheet is the gamemaster's alone, both with all that a sheet may have; 40 answers."""
    sheets = list(ruleset(game).sheets.values())
    session = Session.create(MemoryStore(), ruleset=game, session="FIGHT", clock=clock, draw=drawn)
    session.perform(Join("ann", sheets[0], sheet_seen_by=()))
    session.perform(Join("bob", sheets[1 % len(sheets)], player="kira"))
    session.perform(BeginCombat())
    dice = Random(game)
    for _ in range(40):
        if not session.rests:
            break
        rest = session.rests[0]
        mine = [each for each in session.options() if each.key == rest.key and not each.refused]
        acts = [each for each in mine if isinstance(each.command, Declare) and each.command.kind == "attack"]
        if rest.dice:
            faces = tuple(dice.randint(lowest(sides), highest(sides)) for sides in parse(rest.dice).sides)
            session.perform(TypeDice(rest.key, faces))
        else:
            command = dice.choice(acts or mine).command
            assert command is not None
            session.perform(command)
    return session


def _numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to every number of a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if type(value) is int:
        yield path
    for name, each in inner:
        yield from _numbers(each, (*path, name))


def _one_more(value: Any, path: Sequence[Any], more: int) -> Any:
    """A document with one of its numbers otherwise."""
    if not path:
        return value + more
    if isinstance(value, list):
        return [_one_more(each, path[1:], more) if at == path[0] else each for at, each in enumerate(value)]
    return {name: _one_more(each, path[1:], more) if name == path[0] else each for name, each in value.items()}


@pytest.mark.parametrize("game", RULESETS)
def test_no_number_of_a_secret_sheet_is_released_where_the_same_comes_of_it(game: str) -> None:
    session = _duel(game)
    joined = session.log.entry(2).command
    assert isinstance(joined, Join)
    exchanges = 0
    for path in _numbers(joined.sheet):
        for more in (-1, 1):
            other = msgspec.structs.replace(joined, sheet=_one_more(joined.sheet, path, more))
            for who in PEOPLE[:2]:
                pair = played_otherwise(session, 1, other, viewer(who, session.combat), {"sheet"})
                assert shown(pair.one, pair.eyes) == shown(pair.other, pair.eyes), path
                ended = [event for entry in pair.one.entries() for event in entry.events]
                exchanges += any(type(event).__name__ == "ExchangeEnded" for event in ended)
    assert exchanges > 10
