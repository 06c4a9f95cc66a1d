"""The proof of the dice, as far as it is a matter of rules: nonces, the revealing of the seed, and what may be agreed.

Drawing itself is a door's business (`replays.sessions.provable_dice`); so is what must hold for the whole log, standing
or not.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ledger import draw
from ledger.commands import Command, GiveNonce, Reveal
from ledger.events import NameGiven, NonceGiven, OrderFixed, SecretRevealed, SeedRevealed
from machines.contract import refusals as no
from machines.contract.ruleset import Ruleset
from machines.engine.walk import Walk
from projections.history.draws import FRESH, STICKY
from projections.session import HIDDEN_PARTS, HIDDEN_TURNS, NO_VALUE, NOTHING, SOMEONE, VALUE, SessionInfo

LONGEST = 128
"""Characters of a nonce, and of the name of who gives it."""
POLICIES: Mapping[str, tuple[str, ...]] = {
    "dice": (STICKY, FRESH), HIDDEN_TURNS: (NOTHING, SOMEONE), HIDDEN_PARTS: (NO_VALUE, VALUE),
}  # fmt: skip
"""What a table may agree on, and how."""


def agreed(policies: dict[str, str]) -> dict[str, str]:
    """What a table has agreed on; refused is what none can.

    Raises:
        UnknownPolicy: There is no such policy, or it has no such value.
    """
    for name, value in policies.items():
        if name not in POLICIES:
            raise no.UnknownPolicy(f"{name!r} is no policy", where="policies", accepts=", ".join(POLICIES))
        if value not in POLICIES[name]:
            accepts = ", ".join(POLICIES[name])
            raise no.UnknownPolicy(f"{name} cannot be {value!r}", where=f"policies.{name}", accepts=accepts)
    return policies


def _give_nonce(_: Ruleset, walk: Walk, command: GiveNonce) -> None:
    session = walk.combat.session
    _check_open(session, command)
    for where, words in (("player", command.player), ("nonce", command.nonce)):
        if not (1 <= len(words) <= LONGEST and words.isprintable()):
            raise no.BadNonce(f"{words!r} is no {where}", where=where, accepts=f"1 to {LONGEST} printable characters")
    if any(player == command.player for player, _ in session.nonces):
        raise no.NonceGivenBefore(f"{command.player} has given a nonce", where="player", accepts="one of each player")
    walk.tell(NonceGiven(command.player, command.nonce))


def _reveal(_: Ruleset, walk: Walk, command: Reveal) -> None:
    session = walk.combat.session
    if command.entry is not None:
        walk.tell(SecretRevealed(command.entry, command.parts, command.to, seen_by=command.seen_by))
        if command.who:
            _make_known(walk, command)
        return
    if command.to is not None or command.parts:
        accepts = "the entry that hides it; nothing at all opens the seed"
        raise no.Unsupported("only what an entry hides is shown to somebody", where="entry", accepts=accepts)
    _check_open(session, command)
    if not _is_the_seed(command.seed, session.dice_commitment):
        raise no.WrongSeed("this is not the seed that was committed to", where="seed", accepts="the door's own")
    walk.tell(SeedRevealed(command.seed))


def _make_known(walk: Walk, command: Reveal) -> None:
    """Somebody who joined in secret is known from now on, with their place in the order."""
    roster, order = walk.combat.roster, walk.combat.initiative.order
    if command.who not in roster.hidden():
        accepts = ", ".join(roster.hidden()) or "somebody who joined in secret"
        raise no.Unsupported(f"{command.who!r} is not hidden", where="who", accepts=accepts)
    walk.tell(NameGiven(command.who, roster.name(command.who), seen_by=command.to))
    if walk.combat.clock.fighting and any(who == command.who for who, _ in order):
        walk.tell(OrderFixed(order))


def _check_open(session: SessionInfo, command: Command) -> None:
    if not session.dice_commitment:
        accepts = "a session that begins with a commitment"
        raise no.NotProvable("the dice of this session cannot be proven", where="session", accepts=accepts)
    if session.seed:
        raise no.SeedIsOut("the seed is revealed already", where="session", accepts="typed dice")
    if command.seen_by is not None:
        raise no.NotInSecret("what the dice hang on is for everybody", where="seen_by", accepts="everyone")


def _is_the_seed(text: str, commitment: str) -> bool:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        return False
    return text == seed.hex() and draw.commitment(seed) == commitment


HANDLERS: Mapping[type[Command], Callable[[Ruleset, Walk, Any], None]] = {GiveNonce: _give_nonce, Reveal: _reveal}
