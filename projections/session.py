"""The session: its rules, policies, dice proof, and whether it is open."""

import msgspec

from ledger.codec import canonical
from ledger.events import CampaignNamed, NonceGiven, SeedRevealed, SessionClosed, SessionOpened, SessionRenamed
from projections.fold import Routes

HIDDEN_TURNS = "hidden_turns"
"""The policy for what a seat sees of the turn of a combatant who is hidden from it."""
NOTHING, SOMEONE = "nothing", "someone"
"""Its values: nothing, which is the default; or that someone acts, without the score."""
HIDDEN_PARTS = "hidden_parts"
"""The policy for how a player sees the hidden parts of the sum of their combatant's roll."""
NO_VALUE, VALUE = "no value", "value"
"""Its values: only that there are hidden parts, which is the default; or their total."""


class SessionInfo(msgspec.Struct, frozen=True):
    """The session, as `SessionOpened` and later events describe it."""

    title: str = ""
    ruleset: str = ""
    profile: str = ""
    rules: str = "{}"
    """The row of the profile, as canonical JSON; typed by the ruleset."""
    policies: dict[str, str] = {}
    dice_commitment: str = ""
    nonces: tuple[tuple[str, str], ...] = ()
    """Pairs of (player, nonce), in the order in which they were given."""
    seed: str = ""
    """The dice's seed; empty until it is revealed."""
    campaign: str = ""
    is_open: bool = False


def _opened(_: SessionInfo, event: SessionOpened) -> SessionInfo:
    rules = canonical(event.rules).decode()
    return SessionInfo(
        event.title, event.ruleset, event.profile, rules, event.policies, event.dice_commitment, is_open=True
    )


def _named(session: SessionInfo, event: CampaignNamed) -> SessionInfo:
    return msgspec.structs.replace(session, campaign=event.campaign)


def _renamed(session: SessionInfo, event: SessionRenamed) -> SessionInfo:
    return msgspec.structs.replace(session, title=event.title)


def _closed(session: SessionInfo, _: SessionClosed) -> SessionInfo:
    return msgspec.structs.replace(session, is_open=False)


def _given(session: SessionInfo, event: NonceGiven) -> SessionInfo:
    return msgspec.structs.replace(session, nonces=(*session.nonces, (event.player, event.nonce)))


def _revealed(session: SessionInfo, event: SeedRevealed) -> SessionInfo:
    return msgspec.structs.replace(session, seed=event.seed)


ROUTES: Routes = {
    SessionOpened: _opened, CampaignNamed: _named, SessionRenamed: _renamed, SessionClosed: _closed,
    NonceGiven: _given, SeedRevealed: _revealed,
}  # fmt: skip
