"""A command is never more public than the roll or choice that it answers, nor than the event that repeats it."""

from collections.abc import Iterator
from random import Random

from ambush import GAMES, KIRA, TYPED, WATCHER, ambush
from counting import counted
from hypothesis import given
from hypothesis import strategies as st

from ledger.audience import Audience, Viewer, includes
from ledger.commands import ApplyModifier, Choose, Command, Declare, DrawDice, Overrule, TellDice, TypeDice
from ledger.dice import parse
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import (
    ChoiceRequested,
    Chosen,
    Declared,
    DiceRolled,
    DiceTold,
    Event,
    ModifierApplied,
    Overruled,
    RollRequested,
)
from projections.path import Rest
from projections.views.seen import viewer
from replays.api.session import Session
from replays.corrections.redecide import rehearse

REPEATED = {
    TypeDice: DiceRolled, DrawDice: DiceRolled, TellDice: DiceTold, Choose: Chosen, Declare: Declared, ApplyModifier: ModifierApplied,
    Overrule: Overruled,
}  # fmt: skip
"""The event that repeats the contents of a command, by the type of the command."""
ANSWERS = (TypeDice, DrawDice, TellDice, ApplyModifier)
"""Answers that are as secret as their request; a choice is only as secret as its event."""
AUDIENCES: tuple[Audience, ...] = (None, None, None, (), ("bob",))


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_no_command_discloses_more_than_its_events(game: str, seed: int) -> None:
    session = played(game, Random(seed))

    requests = dict[str, Event]()
    for entry in session.entries():
        answered = requests.get(getattr(entry.command, "key", ""))
        for event in (answered if isinstance(entry.command, ANSWERS) else None, *repeats(entry)):
            if event is not None:
                assert includes(event.seen_by, entry.command.seen_by), (entry.command, event)
        # of a request with a public twin, the twin comes first
        asked = [each for each in entry.events if isinstance(each, RollRequested | ChoiceRequested)]
        requests |= {each.key: each for each in reversed(asked)}
    assert list(rehearse(session.log)) == []


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_a_hidden_roll_has_a_hidden_answer(game: str, seed: int) -> None:
    session = played(game, Random(seed))

    for who in (KIRA, WATCHER):
        eyes = viewer(who, session.combat)
        for entry in session.entries():
            if isinstance(entry.command, ANSWERS):
                asked = any(rest.key == entry.command.key for rest in rests(session, entry, eyes))
                assert asked or not eyes.may_see(entry.command.seen_by), entry.command


def rests(session: Session, entry: Entry, eyes: Viewer) -> tuple[Rest, ...]:
    return session.seen(eyes, entry.after).rests


def repeats(entry: Entry) -> Iterator[Event]:
    """Returns the events of an entry that repeat the whole contents of its command."""
    command = entry.command
    for event in entry.events:
        if isinstance(event, REPEATED.get(type(command), ())) and _is_whole(command, event):
            yield event


def _is_whole(command: Command, event: Event) -> bool:
    match command, event:
        case Declare(), Declared():
            return (command.kind, command.by) == (event.kind, event.by)
        case TypeDice() | DrawDice(), DiceRolled():
            return (command.key, command.faces) == (event.key, event.faces)
        case TellDice(), DiceTold():
            return (command.key, command.counts) == (event.key, event.counts)
        case Choose(), Chosen():
            return (command.key, command.option) == (event.key, event.option)
        case _:
            return bool(command.key == event.key)


def played(game: str, dice: Random) -> Session:
    """Returns a fight with a possibly hidden combatant, and possibly secret declarations, rolls, choices and modifiers."""
    known = dice.choice([(), ("bob",), None])
    session = ambush(game, dice.choice(["", "someone"]), seen_by=known)
    if known is None:
        assert TYPED in session.combat.roster
    for _ in range(dice.randint(10, 40)):
        try:
            session.perform(_next(session, dice))
        except Refused:
            continue
    return session


def _next(session: Session, dice: Random) -> Command:
    seen_by = dice.choice(AUDIENCES)
    rest = dice.choice(session.rests)
    if rest.dice and not dice.randrange(8):
        return ApplyModifier(rest.key, dice.choice([-10, 10]), "dust", seen_by=seen_by)
    if rest.dice and dice.randrange(3):
        faces = tuple(dice.randint(1, min(each, 50)) for each in parse(rest.dice).sides)
        if not dice.randrange(3):
            return counted(session.game, session.combat, rest, faces, seen_by)
        return TypeDice(rest.key, faces, seen_by=seen_by)
    if rest.dice:
        return DrawDice(rest.key, seen_by=seen_by)
    offered = [each.command for each in session.options() if each.key == rest.key and each.command and not each.refused]
    deeds = [each for each in offered if isinstance(each, Declare) and each.kind == "attack"]
    command = dice.choice(deeds if deeds and dice.randrange(3) else offered)
    return type(command)(*_fields(command), seen_by=seen_by)


def _fields(command: Command) -> list[object]:
    return [getattr(command, name) for name in command.__struct_fields__ if name not in ("seen_by", "given_at")]
