"""Plays fights of two combatants by choosing from the offered options, with seeded dice."""

from random import Random

from strategies import clock, drawn

from ledger.commands import BeginCombat, Declare, Join, TypeDice
from ledger.dice import highest, lowest, parse
from ledger.events import Audience
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import ruleset
from replays.api.session import Session


def met(game: str, first: int = 0, *, sheet_seen_by: Audience = None) -> Session:
    """Returns a fight between Ann and Bob, who is Kira's; both have sheets that ship with the game.

    Args:
        game: The ruleset.
        first: The index of Ann's sheet; Bob has the next one.
        sheet_seen_by: Who may see Ann's sheet.
    """
    sheets = [dict(sheet) for sheet in ruleset(game).sheets.values()]
    session = Session.create(MemoryStore(), ruleset=game, session="FIGHT", clock=clock, draw=drawn)
    session.perform(Join("ann", sheets[first % len(sheets)], sheet_seen_by=sheet_seen_by))
    session.perform(Join("bob", sheets[(first + 1) % len(sheets)], player="kira"))
    session.perform(BeginCombat())
    return session


def play_on(session: Session, dice: Random, answers: int, *, kind: str = "") -> Session:
    """Answers rests, up to a number of answers; prefers declarations of a kind where one is named."""
    for _ in range(answers):
        if not session.rests:
            break
        rest = session.rests[0]
        if rest.dice:
            faces = tuple(dice.randint(lowest(sides), highest(sides)) for sides in parse(rest.dice).sides)
            lying = session.waiting.known_faces(rest)
            session.perform(TypeDice(rest.key, (*lying, *faces[len(lying) :])))
            continue
        mine = [each for each in session.options() if each.key == rest.key and not each.refused]
        acts = [each for each in mine if isinstance(each.command, Declare) and kind in ("", each.command.kind)]
        command = dice.choice(acts or mine).command
        assert command is not None
        session.perform(command)
    return session
