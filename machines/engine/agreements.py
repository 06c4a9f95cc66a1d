"""Decides `GiveNonce` and `Reveal`, and checks the policies of a session.

Dice are drawn in `replays.sessions.provable_dice`, which also makes the checks that need the whole log with all its
branches.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ledger import draw
from ledger.commands import Command, GiveNonce, Reveal
from ledger.events import NameGiven, NonceGiven, OrderFixed, SecretRevealed, SeedRevealed
from machines.contract.refusals import (
    BadNonce,
    NonceGivenBefore,
    NotInSecret,
    NotProvable,
    SeedIsOut,
    UnknownPolicy,
    Unsupported,
    WrongSeed,
)
from machines.contract.ruleset import Ruleset
from machines.engine.walk import Walk
from projections.history.draws import FRESH, STICKY
from projections.session import HIDDEN_PARTS, HIDDEN_TURNS, NO_VALUE, NOTHING, SOMEONE, VALUE, SessionInfo

LONGEST = 128
"""The maximum length in characters of a nonce, and of the name of its player."""
POLICIES: Mapping[str, tuple[str, ...]] = {
    "dice": (STICKY, FRESH), HIDDEN_TURNS: (NOTHING, SOMEONE), HIDDEN_PARTS: (NO_VALUE, VALUE),
}  # fmt: skip
"""The policies, each with its values."""


def agreed(policies: dict[str, str]) -> dict[str, str]:
    """Checks the policies of a session and returns them.

    Raises:
        UnknownPolicy: There is no such policy, or it cannot have that value.
    """
    for name, value in policies.items():
        if name not in POLICIES:
            raise UnknownPolicy(f"there is no policy {name!r}", where="policies", accepts=", ".join(POLICIES))
        if value not in POLICIES[name]:
            accepts = ", ".join(POLICIES[name])
            raise UnknownPolicy(f"{name} cannot be {value!r}", where=f"policies.{name}", accepts=accepts)
    return policies


def _give_nonce(_: Ruleset, walk: Walk, command: GiveNonce) -> None:
    session = walk.combat.session
    _check_open(session, command)
    for where, words in (("player", command.player), ("nonce", command.nonce)):
        if not (1 <= len(words) <= LONGEST and words.isprintable()):
            raise BadNonce(
                f"{words!r} is not a valid {where}", where=where, accepts=f"1 to {LONGEST} printable characters"
            )
    if any(player == command.player for player, _ in session.nonces):
        problem = f"{command.player} has given a nonce already"
        raise NonceGivenBefore(problem, where="player", accepts="one nonce from each player")
    walk.tell(NonceGiven(command.player, command.nonce))


def _reveal(_: Ruleset, walk: Walk, command: Reveal) -> None:
    session = walk.combat.session
    if command.entry is not None:
        walk.tell(SecretRevealed(command.entry, command.parts, command.to, seen_by=command.seen_by))
        if command.who:
            _make_known(walk, command)
        return
    if command.to is not None or command.parts:
        accepts = "the entry that hides them; or no parts and no audience, to reveal the seed"
        raise Unsupported("parts can only be revealed of an entry", where="entry", accepts=accepts)
    _check_open(session, command)
    if not _is_the_seed(command.seed, session.dice_commitment):
        raise WrongSeed("this is not the seed that the session committed to", where="seed", accepts="the sealed seed")
    walk.tell(SeedRevealed(command.seed))


def _make_known(walk: Walk, command: Reveal) -> None:
    """Discloses the name of a combatant who joined in secret, and their place in the acting order."""
    roster, order = walk.combat.roster, walk.combat.initiative.order
    if command.who not in roster.hidden():
        accepts = ", ".join(roster.hidden()) or "a combatant who joined in secret"
        raise Unsupported(f"{command.who!r} is not hidden", where="who", accepts=accepts)
    walk.tell(NameGiven(command.who, roster.name(command.who), seen_by=command.to))
    if walk.combat.clock.fighting and any(who == command.who for who, _ in order):
        walk.tell(OrderFixed(order))


def _check_open(session: SessionInfo, command: Command) -> None:
    if not session.dice_commitment:
        accepts = "a session that begins with a commitment"
        raise NotProvable("the dice of this session cannot be proven", where="session", accepts=accepts)
    if session.seed:
        raise SeedIsOut("the seed is revealed already", where="session", accepts="typed dice")
    if command.seen_by is not None:
        raise NotInSecret("the proof of the dice cannot be hidden", where="seen_by", accepts="everyone")


def _is_the_seed(text: str, commitment: str) -> bool:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        return False
    return text == seed.hex() and draw.commitment(seed) == commitment


HANDLERS: Mapping[type[Command], Callable[[Ruleset, Walk, Any], None]] = {GiveNonce: _give_nonce, Reveal: _reveal}
