"""A fight as a program plays it, written once for the protocol `Playing`."""

from server.processes import SHEET, Served

from ledger.commands import BeginCombat, Choose, Declare, Join, Note, TypeDice
from replays.client import AsyncRemoteSession, Playing

BLOW = Declare("attack", "ann", {"at": "bob", "using": "fist"})


def begun(session: Playing) -> None:
    """Adds Ann, played by the gamemaster, and Bob, played by Kira; it is Ann's turn."""
    for who, player in (("ann", "gm"), ("bob", "kira")):
        session.perform(Join(who, dict(SHEET), player=player))
    session.perform(BeginCombat())
    for who, face in (("ann", 87), ("bob", 12)):
        session.perform(TypeDice(f"r1/{who}/initiative", (face,)))


def blow(session: Playing, *faces: int) -> None:
    """Makes Ann hit Bob; other choices until then take their default."""
    session.perform(BLOW)
    thrown = iter(faces)
    while session.rests and session.rests[0].key.startswith("r1/ann/a1"):
        rest = session.rests[0]
        if rest.dice:
            session.perform(TypeDice(rest.key, (next(thrown),)))
        else:
            session.perform(Choose(rest.key, rest.default if rest.default is not None else rest.options[0].option))


def fight(session: Playing) -> None:
    """Plays the whole fight: a blow, an undone blow, an overrule and a modifier, an amendment."""
    begun(session)
    blow(session, 33, 88, 7, 40)
    session.undo("exchange", why="that was a parry")
    session.redo(why="no, it was not")
    session.perform(Note("what a blow"))


async def the_same(session: AsyncRemoteSession) -> None:
    """Does the same as `fight`, for asyncio."""
    for who, player in (("ann", "gm"), ("bob", "kira")):
        await session.perform(Join(who, dict(SHEET), player=player))
    await session.perform(BeginCombat())
    for who, face in (("ann", 87), ("bob", 12)):
        await session.perform(TypeDice(f"r1/{who}/initiative", (face,)))
    await session.perform(BLOW)
    thrown = iter((33, 88, 7, 40))
    while (rests := await session.rests()) and rests[0].key.startswith("r1/ann/a1"):
        rest = rests[0]
        if rest.dice:
            await session.perform(TypeDice(rest.key, (next(thrown),)))
        else:
            option = rest.default if rest.default is not None else rest.options[0].option
            await session.perform(Choose(rest.key, option))
    await session.undo("exchange", why="that was a parry")
    await session.redo(why="no, it was not")
    await session.perform(Note("what a blow"))


def host_token(server: Served) -> str:
    """Returns the host's token, as `affray token` prints it."""
    return server.host["Authorization"].removeprefix("Bearer ")
