"""A webhook, as it is recorded: to where, for which token, and how far it has been delivered."""

import msgspec

from replays.server.callers.tokens import Token

OLD_SECRET = 86_400.0
"""Seconds for which messages are also signed with the secret that was replaced."""
MOST = 10
"""Maximum number of webhooks of one token."""


class Hook(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook."""

    id: str
    session: str
    token: Token
    """The token that has registered it: its seat is the seat of the webhook."""
    voucher: str
    """Proves which key has signed the token; see `Signer.voucher`."""
    address: str
    secret: str
    created: float
    """Seconds since 1970, as the other times here."""
    cursor: int
    """The number of the last entry that was delivered."""
    version: int = 0
    """Counts up with each change by its owner; what was begun before the change ends."""
    failures: int = 0
    """The number of failures in a row."""
    status: int = 0
    """The HTTP status of the last attempt; 0 if there was none."""
    problem: str = ""
    """Why the last attempt failed; empty if it did not."""
    next_attempt: float = 0.0
    """The time before which nothing is sent, after a failure."""
    stopped: str = ""
    """Why nothing is sent any more; empty if it is active."""
    old_secret: str = ""
    old_until: float = 0.0
    """The time until which messages are also signed with the old secret."""

    def secrets(self, now: float) -> tuple[str, ...]:
        """Returns the secrets that sign a message: the current one, and for a while the one before."""
        return (self.secret, self.old_secret) if self.old_secret and now < self.old_until else (self.secret,)

    def __repr__(self) -> str:
        return f"<webhook {self.id}>"  # never a secret, nor the address, which may contain one
