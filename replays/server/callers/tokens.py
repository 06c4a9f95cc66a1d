"""Seats as signed tokens: who holds one may do what its seat may, in its session, until it is revoked.

A token tells the session, the seat, the person's name and, for a player, the combatants it is for; nobody can make one
without the server's key. What was handed out and what was revoked is sealed beside the session's log, so every process
that shares the ledger knows it at once.
"""

import base64
import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Iterator, Sequence
from enum import StrEnum

import msgspec
from itsdangerous import BadData, URLSafeSerializer

from ledger.entry import Seat, Who
from ledger.errors import Damaged, Refused, Sealed
from ledger.stores import Store

_CROCKFORD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHJKMNPQRSTVWXYZ")
_ISSUED, REVOKED = "token/", "revoked/"
_REMEMBERED = 4096
"""So many tokens are known by their text, and not reckoned again."""


class NoToken(Refused):
    """Nobody says who asks."""

    slug = "token/missing"


class BadToken(Refused):
    """Not a token that this server has signed."""

    slug = "token/invalid"


class Revoked(Refused):
    """The token was good until somebody revoked it."""

    slug = "token/revoked"


class OtherSession(Refused):
    """The token is for another session, or for none."""

    slug = "token/other-session"


class NoSuchToken(Refused):
    """No token of that id was handed out for this session."""

    slug = "token/unknown"


class NoSuchSeat(Refused):
    """A token for a seat that no session has."""

    slug = "token/seat"


class Scope(StrEnum):
    """What a token is for: a seat at one session, or to found and list sessions."""

    HOST = "host"
    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


def check_seat(seat: Scope, name: str) -> None:
    """Refuse a token for a seat that no session has, or that is not for that name.

    Raises:
        NoSuchSeat: There is no such seat.
    """
    if seat is Scope.HOST:
        raise NoSuchSeat("no session has a host's seat", where="seat", accepts="gm, player, spectator")
    if not name.isprintable() or name != name.strip():
        raise NoSuchSeat(f"{name!r} is no name", where="name", accepts="letters that can be seen")
    if seat is not Scope.GM and unicodedata.normalize("NFKC", name).casefold() == "gm":
        raise NoSuchSeat(f"{name!r} is the gamemaster's", where="name", accepts="another name")


class Token(msgspec.Struct, frozen=True):
    """What a token says; its signature is apart."""

    id: str
    seat: Scope
    session: str = ""
    """Empty for the host's."""
    name: str = ""
    combatants: tuple[str, ...] | None = None
    """Of the player's combatants only these; None: all that the log gives them."""

    @property
    def who(self) -> Who:
        """The person and the seat, as the log has them."""
        return Who(self.name, Seat(self.seat.value))


class Issued(msgspec.Struct, frozen=True):
    """A token as it is handed out: the only time that it is shown."""

    id: str
    seat: Scope
    name: str
    combatants: tuple[str, ...] | None
    token: str
    """To be sent as ``Authorization: Bearer …``."""


class Signer:
    """Signs tokens and knows its own.

    Args:
        keys: The last one signs, any of them is believed.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        signed = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        self._signer = URLSafeSerializer(list(keys), salt="affray seat", signer_kwargs=signed)
        self._keys = tuple(key.encode() for key in keys)
        self._read: dict[str, Token] = {}

    def host(self) -> str:
        """A token for whoever runs the server; it is revoked by changing the keys."""
        return self.sign(Token(_new_id(), Scope.HOST, name="host"))

    def sign(self, token: Token) -> str:
        """A token as its holder sends it."""
        signed = self._signer.dumps(msgspec.to_builtins(token))
        return signed if isinstance(signed, str) else signed.decode()

    def read(self, text: str) -> Token:
        """What a token says, if this server has signed it; whether it was revoked is asked apart.

        Raises:
            BadToken: It has not.
        """
        known = self._read.get(text)
        if known is not None:
            return known
        try:
            token = msgspec.convert(self._signer.loads(text), Token)
        except (BadData, msgspec.ValidationError, ValueError) as error:
            raise BadToken("this token was not signed by this server", where="Authorization") from error
        if len(self._read) >= _REMEMBERED:
            self._read.clear()
        self._read[text] = token
        return token

    def sessions_for(self, key: str) -> tuple[str, ...]:
        """Returns the ids that a session begun under an idempotency key may have: a new one gets the first.

        The others are those that it was given while an older key signed.
        """
        named = b"affray session\0" + key.encode()
        digests = (hmac.digest(each, named, "sha256") for each in reversed(self._keys))
        return tuple(base64.b32encode(digest).decode().translate(_CROCKFORD)[:26] for digest in digests)


def check(store: Store, token: Token) -> None:
    """Rejects a token that was revoked.

    Args:
        store: Where the sessions are.
        token: As it was read.

    Raises:
        Revoked: It was.
        NoSuchSession: There is no such session.
    """
    if token.session and store.unseal(token.session, REVOKED + token.id) is not None:
        raise Revoked("this token was revoked", where="Authorization", accepts="a new one from the gamemaster")


class Tokens:
    """The tokens of a ledger's sessions: handed out, listed, revoked.

    Args:
        signer: Signs them.
        store: Where the sessions are, and beside them what was handed out and revoked.
    """

    def __init__(self, signer: Signer, store: Store) -> None:
        self.signer = signer
        self._store = store

    def issue(self, session: str, seat: Scope, name: str, combatants: tuple[str, ...] | None = None) -> Issued:
        """Hand out a token for a session's seat.

        Raises:
            NoSuchSession: There is none of that id.
            NoSuchSeat: A session has no such seat, or it is not for that name.
        """
        check_seat(seat, name)
        token = Token(_new_id(), seat, session, name, combatants)
        self._store.seal(session, _ISSUED + token.id, msgspec.json.encode(token))
        return Issued(token.id, seat, name, combatants, self.signer.sign(token))

    def check(self, token: Token) -> None:
        """Refuse a token that was revoked; see the function of that name."""
        check(self._store, token)

    def revoked(self, session: str) -> frozenset[str]:
        """The ids of a session's tokens that were revoked."""
        names = self._store.seals(session)
        return frozenset(name.removeprefix(REVOKED) for name in names if name.startswith(REVOKED))

    def revoke(self, session: str, token: str) -> None:
        """Revoke a token, for good; a second time changes nothing.

        Raises:
            NoSuchToken: None of that id was handed out.
        """
        if self._store.unseal(session, _ISSUED + token) is None:
            raise NoSuchToken(f"no token {token!r} was handed out", where="token", accepts="an id that is listed")
        try:
            self._store.seal(session, REVOKED + token, b"")
        except Sealed:
            return

    def issued(self, session: str) -> Iterator[tuple[Token, bool]]:
        """What was handed out for a session, each with whether it was revoked since."""
        names = self._store.seals(session)
        revoked = self.revoked(session)
        for name in names:
            if name.startswith(_ISSUED):
                try:
                    token = msgspec.json.decode(self._store.unseal(session, name) or b"", type=Token)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    raise Damaged(f"the token {name.removeprefix(_ISSUED)} is not readable", where=session) from error
                yield token, token.id in revoked


def _new_id() -> str:
    return secrets.token_hex(8)
