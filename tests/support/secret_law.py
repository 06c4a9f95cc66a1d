"""Checks noninterference: a seat gets the same responses to all of its requests from both logs of a pair."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain

import msgspec
import secret_lines as lines
from secret_pairs import Pair, shown
from set_aside import DONE, digest, of_export, of_page, whether

from ledger.audience import Viewer
from ledger.commands import (
    Adjust,
    Amend,
    AmendSheet,
    ApplyModifier,
    Choose,
    CloseSession,
    Command,
    Declare,
    GiveNonce,
    Join,
    Leave,
    Note,
    OpenDispute,
    Overrule,
    Reveal,
    Rewind,
    SettleDispute,
    TypeDice,
)
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.audit.disputes.precedents import precedents
from replays.exports.narrative import narrate, paths
from replays.exports.report import report
from replays.exports.theatre.saved import saved_page
from replays.table.online.asking import asked
from replays.table.online.sending import sent
from replays.table.online.understanding import understood
from replays.table.table import Table
from replays.views.frames import frames

PEOPLE = [Who("zoe", Seat.SPECTATOR), *(Who(name, Seat.PLAYER) for name in ("kira", "ben", "gm"))]


class About(msgspec.Struct, frozen=True):
    """The subjects of the requests, the same for both logs: they may exist in one or both, hidden or not."""

    keys: list[str]
    who: list[str]
    names: list[str]
    """The names of combatants in either log, as they were typed, hidden or not."""
    last: int

    @property
    def declarations(self) -> list[Declare]:
        """Returns some declarations, legal and illegal."""
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
    names = {name for session in both for each in session.combat.roster.who.values() for name in each.names}
    return About(sorted(keys)[::step], who, sorted(names), pair.one.log.last)


def by_name(what: About) -> Iterator[Command]:
    """Yields commands of every kind about each combatant, by id and by name; most of them are the gamemaster's."""
    for who in (*what.who, *what.names):
        yield from (Join(who, {}), Join("ann", {}, sheet_seen_by=(who,)), Leave(who), AmendSheet(who, {}))
        yield from (Note("x", who), Adjust(who, "wounds", 1, "no"), Reveal(who=who), Reveal(1, to=(who,)))
        yield from (OpenDispute(f"{who}.wounds", "no"), OpenDispute(who, "no"), GiveNonce(who, "f" * 32))
        yield from (Declare("attack", who, {"at": "ann"}), Declare("attack", "ann", {"at": who}))
        yield from (Overrule(f"{who}/to-hit", "target", 1, "no"), ApplyModifier(f"{who}/to-hit", 1, "no"))
        yield from (Amend(2, {"set": {"who": who}}, "no"), TypeDice(f"r1/{who}/initiative", (101,)))


Ask = Callable[[], object]
Asking = Callable[[Session, Viewer, About], Iterator[Ask]]


def _why(session: Session, eyes: Viewer, what: About) -> Iterator[Ask]:
    figures = ("damage", "physical", "hit_points", "wounds", "prone")
    health = [f"{who}.{name}" for who in (*what.who, *what.names) for name in figures]
    yield from (partial(session.why, of, eyes) for of in (*what.keys, *health))
    yield from (partial(session.why, of, eyes, at=what.last // 2) for of in what.keys[:5])


def _odds(session: Session, eyes: Viewer, what: About) -> Iterator[Ask]:
    yield from (partial(session.odds, key, eyes=eyes) for key in (None, *what.keys[:3], *what.names))
    yield from (partial(session.odds, declare=one, eyes=eyes) for one in what.declarations[:3])


ASKED: Mapping[str, Asking] = {
    "options": lambda session, eyes, _: iter([partial(session.options, eyes)]),
    "state": lambda session, eyes, what: (partial(session.state, at, eyes) for at in (None, *range(1, what.last, 3))),
    "seen": lambda session, eyes, _: iter([partial(session.seen, eyes)]),
    "step": lambda session, eyes, what: (partial(session.step, at - 1, at, eyes) for at in range(2, what.last, 3)),
    "why": _why,
    "odds": _odds,
    "outline": lambda session, eyes, _: iter([partial(session.outline, eyes)]),
    "replay_page": lambda session, eyes, _: iter([lambda: of_page(saved_page(session.log, eyes, "a seat", runs=0))]),
    "steps": lambda session, eyes, what: (partial(session.steps, at, 3, eyes) for at in range(0, what.last, 3)),
    "chances": lambda session, eyes, what: (
        partial(session.chances, at, eyes, samples=2) for at in (None, *range(2, what.last, 9))
    ),
    "luck": lambda session, eyes, _: iter([partial(session.luck, eyes)]),
    "recap": lambda session, eyes, _: iter([partial(session.recap, eyes)]),
    "audit": lambda session, eyes, _: iter([partial(session.audit, eyes=eyes)]),
    "disputes": lambda session, eyes, _: iter([partial(session.disputes, eyes)]),
    "dispute": lambda session, eyes, _: (partial(session.dispute, f"d{n}", eyes) for n in range(1, 4)),
    "export": lambda session, eyes, _: iter([lambda: of_export(session.export(eyes, "a seat"))]),
}
"""The requests for each method that reads a session, by its name."""


def _told(session: Session, eyes: Viewer) -> Iterator[Ask]:
    """Yields the requests that no method of a session answers: reports, narration, precedents."""
    yield partial(report, session.log, eyes, runs=0)  # the recap is another request
    yield partial(_narrated, session, eyes, everything=False)
    yield partial(_narrated, session, eyes, everything=True)
    yield partial(precedents, session.log, eyes)


def _narrated(session: Session, eyes: Viewer, *, everything: bool) -> object:
    told = frames(session.log, everything=everything, eyes=eyes)
    return [(one, list(narrate(one.entry, one.before)), list(paths(one.entry, one.before))) for one in told]


def _at_the_table(session: Session, who: Who, what: About) -> Iterator[Ask]:
    table = Table(session, who, files=False)
    names, typed = (*what.who, *what.names), (lines.reading, lines.beginnings)
    denied = lines.denied(what.keys[:4], names, next(iter(session.game.sheets)))
    yield lambda: asked(table)
    for line in (*chain.from_iterable(each(what.keys[:4], names) for each in typed), *denied, *lines.deeds(names)):
        yield partial(understood, table, line)
        yield partial(_sent, session, who, line)
    yield lambda: msgspec.to_builtins(table.question())
    yield lambda: table.interrupts(table.question())
    yield lambda: table.recent.keys(20)
    yield lambda: [table.recent.terms(by, kind) for by in table.seen.roster.who for kind in session.game.kinds]
    for kind in session.game.kinds:
        yield partial(_words, table, kind)


def _sent(session: Session, who: Who, line: str) -> object:
    """Sends a line, with two answers to what it may ask, to a separate copy of the session."""
    alone = _copied(session)
    for answers in ((), ("because",), ("because", "y")):
        found, written = sent(Table(alone, who, files=False), line, answers)
        if written:
            return DONE
        if not found.asks:
            break
    return found


def _words(table: Table, kind: str) -> object:
    declaring = table.declaration_parser(table.question())
    return declaring.words(Declare(kind, "ann")), declaring.offers(kind, "bob"), declaring.parsed(f"{kind} ann by=bob")


def _refused(session: Session, who: Who, what: About) -> Iterator[Ask]:
    """Yields commands of the person, each performed in a separate copy of the session."""
    asked: list[Command] = what.declarations[:6]
    asked += [TypeDice(key, (101,)) for key in what.keys] + [Choose(key, "nothing") for key in what.keys]
    asked += [OpenDispute(f"{key}?", "no") for key in what.keys]
    asked += [Rewind(1, "no"), CloseSession(), SettleDispute("d1", "upheld", "no"), *by_name(what)]
    yield from (partial(_performed, session, command, who) for command in asked)


def _performed(session: Session, command: Command, who: Who) -> object:
    _copied(session).perform_all(command, by=who)
    return DONE


def _copied(session: Session) -> Session:
    store = MemoryStore()
    store.create(session.id, list(session.log.store.read(session.id)))
    return Session(store, session.id)


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
        "table": _at_the_table(session, who, what),
        "refused": _refused(session, who, what),
    }
    for name, asks in ways.items():
        for nth, ask in enumerate(asks):
            yield f"{name} {nth} {getattr(ask, 'args', '')}", answer(ask)


def unnamed(pair: Pair) -> list[str]:
    """Returns the names of hidden combatants that occur nowhere in what is released to a viewer."""
    roster, released = pair.one.combat.roster, repr(shown(pair.one, pair.eyes))
    hidden = [who for who, known_to in roster.hidden().items() if not pair.eyes.may_see(known_to)]
    return [name for who in hidden for name in roster[who].names if " " in name and name not in released]


def check(pair: Pair, who: Who) -> None:
    assert shown(pair.one, pair.eyes) == shown(pair.other, pair.eyes)
    what, names = about(pair), unnamed(pair)
    mine, theirs = (answers(session, pair.eyes, who, what) for session in (pair.one, pair.other))
    for (way, one), (_, other) in zip(mine, theirs, strict=True):
        assert whether(one, other), (way, one, other)
        assert not [name for name in names if name in str(one) and name not in way], (way, one)
