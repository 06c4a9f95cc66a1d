"""Under which rules this session is played, and whether it is open."""

import msgspec

from ledger.codec import canonical
from ledger.events import CampaignNamed, NonceGiven, SeedRevealed, SessionClosed, SessionOpened
from projections.fold import Routes

HIDDEN_TURNS = "hidden_turns"
"""The policy that says what a seat sees of the turn of a combatant who is hidden from it."""
NOTHING, SOMEONE = "nothing", "someone"
"""Its values: nothing at all, which is the default; or that someone acts, without score."""
HIDDEN_PARTS = "hidden_parts"
"""The policy that says how the hidden parts of a player's own sum are shown."""
NO_VALUE, VALUE = "no value", "value"
"""Its values: only that there are some, which is the default; or what they come to."""


class SessionInfo(msgspec.Struct, frozen=True):
    """What `SessionOpened` said."""

    title: str = ""
    ruleset: str = ""
    profile: str = ""
    rules: str = "{}"
    """The profile's whole row, as canonical JSON; typed by the ruleset."""
    policies: dict[str, str] = {}
    dice_commitment: str = ""
    nonces: tuple[tuple[str, str], ...] = ()
    """Pairs of (player, nonce), in the order in which they were given."""
    seed: str = ""
    """The dice's seed, once revealed."""
    campaign: str = ""
    is_open: bool = False


def _opened(_: SessionInfo, event: SessionOpened) -> SessionInfo:
    rules = canonical(event.rules).decode()
    return SessionInfo(
        event.title, event.ruleset, event.profile, rules, event.policies, event.dice_commitment, is_open=True
    )


def _named(session: SessionInfo, event: CampaignNamed) -> SessionInfo:
    return msgspec.structs.replace(session, campaign=event.campaign)


def _closed(session: SessionInfo, _: SessionClosed) -> SessionInfo:
    return msgspec.structs.replace(session, is_open=False)


def _given(session: SessionInfo, event: NonceGiven) -> SessionInfo:
    return msgspec.structs.replace(session, nonces=(*session.nonces, (event.player, event.nonce)))


def _revealed(session: SessionInfo, event: SeedRevealed) -> SessionInfo:
    return msgspec.structs.replace(session, seed=event.seed)


ROUTES: Routes = {
    SessionOpened: _opened, CampaignNamed: _named, SessionClosed: _closed, NonceGiven: _given, SeedRevealed: _revealed,
}  # fmt: skip
