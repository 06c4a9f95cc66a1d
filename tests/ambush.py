"""An ambush in each game: who joins in secret, acts in secret, is heard, and is revealed; and what each seat sees of it."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from ledger.audience import Viewer
from ledger.commands import BeginCombat, Choose, Declare, DrawDice, Join
from ledger.entry import Entry, Seat, Who
from ledger.events import Json
from machines.ruleset import ruleset
from projections.path import Rest
from projections.views.seen import redacted, viewer
from replays import plain
from replays.frames import frames
from replays.narrate import narrate
from replays.session import Session
from replays.transfer import check, export

GAMES = ("eclipse_phase_1e", "eclipse_phase_2e", "shadowrun_4e", "gurps_3e")
WHO, TYPED, NAME = "unseen-1", "razor", "Razor of the Night Cartel"
KIRA, WATCHER = Who("kira", Seat.PLAYER), Who("wes", Seat.SPECTATOR)
SEATS = (KIRA, WATCHER)
MARK = "a word of the sheet that nobody else has"
"""A weapon of the ambusher's: a sheet that has come through has it."""

_SHEETS = {
    "eclipse_phase_1e": "security-guard", "eclipse_phase_2e": "security-guard", "shadowrun_4e": "ganger", "gurps_3e": "guard",
}  # fmt: skip
_ATTACKS: dict[str, Json] = {
    "eclipse_phase_1e": {"using": "medium pistol"},
    "eclipse_phase_2e": {"using": "medium pistol"},
    "shadowrun_4e": {"using": "colt america l36", "distance": 5},
    "gurps_3e": {"using": "pistol", "distance": 5},
}


def sheet(game: str) -> Json:
    """A shipped sheet of a game."""
    return dict(ruleset(game).sheets[_SHEETS[game]])


def ambush(game: str, policy: str = "", store: str = "memory://", **joining: Any) -> Session:
    """A session with Ann, Kira's Bob and somebody who has joined in secret; the fight has begun."""
    policies = {"hidden_turns": policy} if policy else {}
    session = Session.create(store, ruleset=game, title="An ambush", policies=policies)
    session.perform(Join("ann", sheet(game), "Ann"))
    session.perform(Join("bob", sheet(game), "Bob", "kira"))
    session.perform(Join(TYPED, sheet(game), NAME, **(joining or {"seen_by": ()})))
    session.perform(BeginCombat())
    return session


def without(game: str) -> Session:
    """The same fight, without the ambusher."""
    session = Session.create("memory://", ruleset=game, title="An ambush")
    session.perform(Join("ann", sheet(game), "Ann"))
    session.perform(Join("bob", sheet(game), "Bob", "kira"))
    session.perform(BeginCombat())
    return session


def go_on(session: Session, until: Callable[[Rest], bool], most: int = 80) -> None:
    """Draws dice and passes, until such a rest is open."""
    for _ in range(most):
        found = next((rest for rest in session.rests if until(rest)), None)
        if found is not None:
            return
        rest = session.rests[0]
        if rest.dice:
            session.perform(DrawDice(rest.key))
        else:
            options = [each.option for each in rest.options]
            session.perform(Choose(rest.key, next((o for o in ("pass", "end", "none") if o in options), options[0])))
    raise AssertionError("it never came to that")


def acts(who: str) -> Callable[[Rest], bool]:
    """Is it somebody's moment?"""
    return lambda rest: rest.by == who and any(each.option == "attack" for each in rest.options)


def strike(session: Session, by: str = TYPED, at: str = "bob") -> Entry:
    """An attack is declared."""
    return session.perform(Declare("attack", by, {"at": at, **_ATTACKS[session.game.name]}))


# ------------------------------------------------------------------------------------------------ what a seat sees


def everything(session: Session, who: Who) -> str:
    """All that a seat is shown of a session: state, rests, entries by name, export, sentences."""
    eyes = viewer(who, session.combat)
    return "\n".join([*_documents(session, eyes), *sentences(session, eyes), *_exported(session, eyes, who.seat)])


def _documents(session: Session, eyes: Viewer) -> Iterator[str]:
    yield msgspec.json.encode(session.state(eyes=eyes)).decode()
    for entry in map(session.log.unveiled.entry, session.entries()):
        told = plain.entry(entry, eyes, stands=session.log.timeline.stands(entry.seq))
        yield msgspec.json.encode((told.command, told.events)).decode()


def sentences(session: Session, eyes: Viewer) -> list[str]:
    """What the log says to a seat, in sentences."""
    return [
        each for frame in frames(session.log, eyes=eyes) for each in narrate(redacted(frame.entry, eyes), frame.before)
    ]


def _exported(session: Session, eyes: Viewer, seat: Seat) -> Iterator[str]:
    lines = list(export(session.log, eyes, seat.value))
    assert check(lines).entries == session.log.last
    for line in lines[1:]:
        told = msgspec.json.decode(line)
        yield msgspec.json.encode((told["command"], told["events"])).decode()
