"""Draws provable dice: from a seed that was sealed and committed to before play began.

The seed is stored beside the log, not in it, until it is revealed. Draws, nonces and revealings count in the whole log,
standing or not: undoing a draw does not hide the faces that were seen.
"""

from collections.abc import Mapping

import msgspec

from ledger import draw
from ledger.commands import Command, GiveNonce, Reveal
from ledger.dice import parse
from ledger.stores import Store
from machines.contract.refusals import NonceGivenBefore, NoSeed, NotProvable, SeedIsOut, TooLate
from replays.sessions.log import Log
from replays.sessions.ports import Drawer
from replays.sessions.record import bindings

SEALED = bindings.SEED


def kept_beside(store: Store, session: str) -> dict[str, bytes]:
    """Returns what moves together with a session's log from one store of ours into another."""
    sealed = {name: store.unseal(session, name) for name in (bindings.SEED, bindings.ELSEWHERE)}
    return {name: secret for name, secret in sealed.items() if secret is not None}


def can_draw(log: Log) -> bool:
    """Returns whether dice can be drawn in this session here and now."""
    return not log.draws.commitment or (not log.draws.is_revealed and _unsealed(log) is not None)


def _unsealed(log: Log) -> bytes | None:
    """Returns the seed that the session has committed to; None where it is in another ledger."""
    seed = log.store.unseal(log.session, SEALED)
    return seed if seed is not None and draw.commitment(seed) == log.draws.commitment else None


class ProvableDice:
    """The dice of one session.

    Args:
        log: The session's log.
        otherwise: Draws them where the session has committed to no seed.
    """

    def __init__(self, log: Log, otherwise: Drawer) -> None:
        self._log = log
        self._otherwise = otherwise
        self.known: Mapping[str, tuple[int, ...]] = {}
        """Faces by key that were drawn before for the same request: they are repeated, whatever the seed."""

    def draw(self, key: str, dice: str) -> tuple[int, ...]:
        """Returns the faces of a roll.

        Raises:
            SeedIsOut: The seed is revealed, so that draws are predictable.
            NoSeed: The sealed seed is in another ledger.
        """
        draws = self._log.draws
        if key in self.known:
            return self.known[key]
        if not draws.commitment:
            return self._otherwise(key, dice)
        if draws.is_revealed:
            raise SeedIsOut("the seed is revealed, so nothing is drawn any more", where=key, accepts="typed dice")
        return draw.faces(self._seed(), draws.nonces, key, parse(dice).sides, draws.time(key))

    def filled(self, command: Command) -> Command:
        """Completes a revealing of the seed with the seed; rejects nonces that come too late.

        Raises:
            TooLate: Dice were drawn before the nonce, even if they were undone.
            NonceGivenBefore: The player has given a nonce, even if it was undone.
            NotProvable: There is no seed to reveal.
            NoSeed: The seed is in another ledger.
        """
        draws = self._log.draws
        match command:
            case GiveNonce() if draws.has_drawn:
                raise TooLate("dice were already drawn", where="nonce", accepts="a nonce before the first draw")
            case GiveNonce(player=player) if any(player == given for given, _ in draws.nonces):
                raise NonceGivenBefore(f"{player} has given a nonce", where="player", accepts="one nonce a player")
            case Reveal(entry=None, who="") if not draws.commitment:
                accepts = "a session that begins with a commitment"
                raise NotProvable("this session has no seed", where="session", accepts=accepts)
            case Reveal(entry=None, who=""):
                return msgspec.structs.replace(command, seed=self._seed().hex())
            case _:
                return command

    def _seed(self) -> bytes:
        seed = _unsealed(self._log)
        if seed is None:
            accepts = "typed dice, or the ledger in which the session began"
            raise NoSeed("the seed of this session's dice is not in this ledger", where="ledger", accepts=accepts)
        return seed
