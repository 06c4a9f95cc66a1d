"""Ambushes in each game: a combatant joins and acts in secret, and is revealed; and what each seat sees of it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import BeginCombat, Choose, Declare, DrawDice, Join, TypeDice
from ledger.dice import parse
from ledger.entry import Entry, Seat, Who
from ledger.events import Json
from machines.contract.ruleset import ruleset
from projections.path import Rest
from projections.views.seen import redacted, viewer
from replays.api.session import Session
from replays.exports import documents
from replays.exports.jsonl import check, export
from replays.exports.narrative import narrate
from replays.views.frames import frames

GAMES = ("eclipse_phase_1e", "eclipse_phase_2e", "shadowrun_4e", "gurps_3e")
WHO, TYPED, NAME = "unseen-1", "razor", "Razor of the Night Cartel"
KIRA, WATCHER = Who("kira", Seat.PLAYER), Who("wes", Seat.SPECTATOR)
SEATS = (KIRA, WATCHER)
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
    """Returns a sheet that ships with a game."""
    return dict(ruleset(game).sheets[_SHEETS[game]])


def ambush(
    game: str,
    policy: str = "",
    *,
    begins: bool = True,
    theirs: Json | None = None,
    others: Json | None = None,
    **joining: Any,
) -> Session:
    """Returns a session with Ann, Kira's Bob and an ambusher who has joined in secret; the fight has begun.

    Args:
        game: The ruleset.
        policy: The agreed policy for hidden turns; empty for none.
        begins: Has it?
        theirs: What the sheet of the ambusher has otherwise.
        others: What those of Ann and Bob have otherwise.
        joining: How the ambusher joins; by default visible to the gamemaster alone.
    """
    policies = {"hidden_turns": policy} if policy else {}
    session = Session.create("memory://", ruleset=game, title="An ambush", policies=policies, draw=low)
    session.perform(Join("ann", {**sheet(game), **(others or {})}, "Ann"))
    session.perform(Join("bob", {**sheet(game), **(others or {})}, "Bob", "kira"))
    session.perform(Join(TYPED, {**sheet(game), **(theirs or {})}, NAME, **(joining or {"seen_by": ()})))
    if begins:
        session.perform(BeginCombat())
    return session


def without(game: str) -> Session:
    """Returns the same fight without the ambusher."""
    session = Session.create("memory://", ruleset=game, title="An ambush", draw=low)
    session.perform(Join("ann", sheet(game), "Ann"))
    session.perform(Join("bob", sheet(game), "Bob", "kira"))
    session.perform(BeginCombat())
    return session


def low(_: str, dice: str) -> tuple[int, ...]:
    """Returns faces that are neither good nor bad."""
    return tuple(3 if sides < 20 else min(sides, 42) for sides in parse(dice).sides)


def go_on(session: Session, until: Callable[[Rest], bool], faces: Mapping[str, int] = {}, most: int = 80) -> None:
    """Answers rests with drawn dice and passes until a certain rest is open.

    Args:
        session: The fight.
        until: Returns whether a rest is the awaited one.
        faces: The face of every die, by combatant; dice of other combatants are drawn.
        most: The maximum number of answers.
    """
    for _ in range(most):
        if any(map(until, session.rests)):
            return
        rest = session.rests[0]
        if rest.dice and rest.by in faces:
            sides = parse(rest.dice).sides
            session.perform(TypeDice(rest.key, tuple(min(each, faces[rest.by]) for each in sides)))
        elif rest.dice:
            session.perform(DrawDice(rest.key))
        else:
            options = [each.option for each in rest.options]
            session.perform(Choose(rest.key, next((o for o in ("pass", "end", "none") if o in options), options[0])))
    raise AssertionError("the awaited rest never opened")


def acts(who: str) -> Callable[[Rest], bool]:
    """Returns a function that returns whether a rest asks a combatant for an action."""
    return lambda rest: rest.by == who and any(each.option == "attack" for each in rest.options)


def harmed(game: str, policy: str) -> Session:
    """Returns a session in which the ambusher has attacked and harmed Bob; the attack is over."""
    session = ambush(game, policy)
    go_on(session, acts(WHO))
    strike(session)
    well, badly = {"gurps_3e": (2, 6), "shadowrun_4e": (5, 2)}.get(game, (11, 98))
    until = f"{WHO}/a1/attack"
    for _ in range(30):
        rest = next((rest for rest in session.rests if until in rest.key), None)
        if rest is None:
            break
        if rest.dice:
            sides = parse(rest.dice).sides
            face = 9 if "damage" in rest.key else well if rest.by == WHO else badly
            session.perform(TypeDice(rest.key, tuple(min(each, face) for each in sides)))
        else:
            options = [each.option for each in rest.options]
            session.perform(Choose(rest.key, next((o for o in ("pass", "none") if o in options), options[0])))
    return session


def strike(
    session: Session, by: str = TYPED, at: str = "bob", *, seen_by: tuple[str, ...] | None = None, **terms: Any
) -> Entry:
    """Declares an attack."""
    return session.perform(Declare("attack", by, {"at": at, **_ATTACKS[session.game.name], **terms}, seen_by=seen_by))


# ------------------------------------------------------------------------------------------------ what a seat sees


def everything(session: Session, who: Who) -> str:
    """Returns all that a seat sees of a session: state, rests, entry documents, export, sentences."""
    eyes = viewer(who, session.combat)
    return "\n".join([*_documents(session, eyes), *sentences(session, eyes), *_exported(session, eyes, who.seat)])


def _documents(session: Session, eyes: Viewer) -> Iterator[str]:
    yield msgspec.json.encode(session.state(eyes=eyes)).decode()
    for entry in map(session.log.disclosures.entry, session.entries()):
        told = documents.entry(entry, eyes, stands=session.log.timeline.stands(entry.seq))
        yield msgspec.json.encode((told.command, told.events)).decode()


def sentences(session: Session, eyes: Viewer) -> list[str]:
    """Returns the narration of the log for a seat."""
    return [
        each for frame in frames(session.log, eyes=eyes) for each in narrate(redacted(frame.entry, eyes), frame.before)
    ]


def flow(session: Session, who: Who | None, but: Collection[str] = ()) -> Iterator[str]:
    """Returns the events that a seat sees, in order, as text; for the gamemaster where `who` is None."""
    eyes = EVERYTHING if who is None else viewer(who, session.combat)
    for entry in map(session.log.disclosures.entry, session.log.entries_of(session.log.timeline.line())):
        for event in redacted(entry, eyes).events:
            if type(event).__name__ not in but:
                yield str(event)


def ids(pairs: Iterable[Sequence[Any]]) -> list[Any]:
    """Returns the first element of each pair."""
    return [each[0] for each in pairs]


def exported(session: Session, who: Who) -> list[bytes]:
    """Returns the export for a seat, after verifying it."""
    lines = list(export(session.log, viewer(who, session.combat), who.seat.value))
    assert check(lines).entries == session.log.last
    return lines


def _exported(session: Session, eyes: Viewer, seat: Seat) -> Iterator[str]:
    lines = list(export(session.log, eyes, seat.value))
    assert check(lines).entries == session.log.last
    for line in lines[1:]:
        told = msgspec.json.decode(line)
        yield msgspec.json.encode((told["command"], told["events"])).decode()
