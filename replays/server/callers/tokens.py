"""Signed tokens: each has the rights of one seat at one session until it is revoked or expires.

A token holds the session, the seat, the person's name and, for a player, the combatants it is for; it cannot be forged
without the server's key. Issued and revoked tokens are recorded in sealed records beside the session's log, so that
every process that shares the ledger knows them at once. A token that expires can be renewed: the renewed one
has the same id and a later expiry, so revoking one revokes both, and whatever is limited by token counts them as one.
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
from replays.sessions import ports

_CROCKFORD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHJKMNPQRSTVWXYZ")
_ISSUED, REVOKED = "token/", "revoked/"
_REMEMBERED = 4096
"""Maximum number of tokens whose checked signatures are cached."""


class NoToken(Refused):
    """The request has no token."""

    slug = "token/missing"


class BadToken(Refused):
    """This server has not signed the token."""

    slug = "token/invalid"


class Revoked(Refused):
    """The token was revoked."""

    slug = "token/revoked"


def revoked_token() -> Revoked:
    """Returns the refusal of a token that was revoked."""
    return Revoked("this token was revoked", where="Authorization", accepts="a new one from the gamemaster")


class Expired(Refused):
    """The token has expired."""

    slug = "token/expired"


class NeverExpires(Refused):
    """The token does not expire, so it cannot be renewed."""

    slug = "token/lasting"


class OtherSession(Refused):
    """The token is for another session, or for no session."""

    slug = "token/other-session"


class NoSuchToken(Refused):
    """No token of that id was issued for this session."""

    slug = "token/unknown"


class NoSuchSeat(Refused):
    """No session has such a seat, or the name does not fit it."""

    slug = "token/seat"


class Scope(StrEnum):
    """What a token is for: a seat at one session, or what the host does, such as creating sessions."""

    HOST = "host"
    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"


def check_seat(seat: Scope, name: str) -> None:
    """Rejects a seat that no session has, and a name that does not fit the seat.

    Raises:
        NoSuchSeat: The seat or the name is not accepted.
    """
    if seat is Scope.HOST:
        raise NoSuchSeat("a session has no seat for the host", where="seat", accepts="gm, player, spectator")
    if not name.isprintable() or name != name.strip():
        raise NoSuchSeat(f"{name!r} is not a name", where="name", accepts="visible characters, no blanks at the ends")
    if seat is not Scope.GM and unicodedata.normalize("NFKC", name).casefold() == "gm":
        raise NoSuchSeat(f"the name {name!r} is reserved for the gamemaster", where="name", accepts="another name")


class Token(msgspec.Struct, frozen=True):
    """The content of a token, without its signature."""

    id: str
    seat: Scope
    session: str = ""
    """The session's id; empty for the host."""
    name: str = ""
    combatants: tuple[str, ...] | None = None
    """Limits a player to these combatants; None for all that the log gives to the player."""
    expires: int | None = None
    """When it expires, in seconds since 1970; None if it does not."""
    lifetime: int = 0
    """The seconds from its issue to its expiry; 0 if it does not expire."""

    @property
    def expiry(self) -> str | None:
        """When it expires, as RFC 3339 in UTC; None if it does not."""
        return None if self.expires is None else ports.moment(self.expires, "seconds")

    @property
    def who(self) -> Who:
        """The person and the seat, as the log records them."""
        return Who(self.name, Seat(self.seat.value))


class Issued(msgspec.Struct, frozen=True):
    """A newly issued token; it is shown only this once."""

    id: str
    seat: Scope
    name: str
    combatants: tuple[str, ...] | None
    token: str
    """The signed text, to be sent as ``Authorization: Bearer …``."""
    expires: str | None = None
    """When it expires, as RFC 3339 in UTC; None if it does not."""


class Signer:
    """Signs tokens and verifies signatures.

    Args:
        keys: The last one signs; a signature of any of them is accepted.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        self._signer = _signer(keys)
        self._keys = tuple(key.encode() for key in keys)
        self._read: dict[str, Token] = {}

    def host(self, lifetime: int | None = None) -> str:
        """Returns a token for the operator of the server; changing the keys revokes it.

        Args:
            lifetime: The seconds until it expires; None if it does not.
        """
        return self.sign(lasting(Token(_new_id(), Scope.HOST, name="host"), lifetime))

    def sign(self, token: Token) -> str:
        """Returns the signed text of a token, as its holder sends it."""
        signed = self._signer.dumps(msgspec.to_builtins(token))
        return signed if isinstance(signed, str) else signed.decode()

    def read(self, text: str) -> Token:
        """Returns the content of a token after verifying its signature; does not check whether it was revoked.

        Raises:
            BadToken: This server has not signed the token.
            Expired: It has expired.
        """
        token = self._read.get(text) or self._verified(text)
        check_time(token)
        return token

    def _verified(self, text: str) -> Token:
        try:
            token = msgspec.convert(self._signer.loads(text), Token)
        except (BadData, msgspec.ValidationError, ValueError) as error:
            message = "this token was not signed by this server"
            raise BadToken(message, where="Authorization", accepts="a token that this server has issued") from error
        if len(self._read) >= _REMEMBERED:
            self._read.clear()
        self._read[text] = token
        return token

    def voucher(self, text: str, name: str) -> str:
        """Returns a proof that the key of a token has vouched for a name; it is void once that key is removed.

        Args:
            text: The signed text of the token; its signature was checked.
            name: What to vouch for, such as the id of a webhook.
        """
        key = next(key for key in reversed(self._keys) if _signer([key.decode()]).loads_unsafe(text)[0])
        return _vouched(key, name)

    def has_vouched(self, voucher: str, name: str) -> bool:
        """Returns whether any of the keys has vouched for a name; see `voucher`."""
        return any(hmac.compare_digest(voucher, _vouched(key, name)) for key in self._keys)

    def sessions_for(self, key: str) -> tuple[str, ...]:
        """Returns the ids that a session created under an idempotency key may have; a new session gets the first.

        The other ids were derived from older signing keys.
        """
        named = b"affray session\0" + key.encode()
        digests = (hmac.digest(each, named, "sha256") for each in reversed(self._keys))
        return tuple(base64.b32encode(digest).decode().translate(_CROCKFORD)[:26] for digest in digests)


def _signer(keys: Sequence[str]) -> URLSafeSerializer:
    signed = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(list(keys), salt="affray seat", signer_kwargs=signed)


def _vouched(key: bytes, name: str) -> str:
    return hmac.digest(key, b"affray voucher\0" + name.encode(), "sha256").hex()


def lasting(token: Token, lifetime: int | None) -> Token:
    """Returns a token that expires after some seconds from now; after None never."""
    if lifetime is None:
        return token
    return msgspec.structs.replace(token, expires=int(ports.seconds()) + lifetime, lifetime=lifetime)


def check_time(token: Token) -> None:
    """Rejects a token that has expired.

    Raises:
        Expired: It has expired.
    """
    if token.expires is not None and ports.seconds() >= token.expires:
        message = f"this token expired at {token.expiry}"
        raise Expired(message, where="Authorization", accepts="a token that is renewed before it expires, or a new one")


def check(store: Store, token: Token) -> None:
    """Rejects a revoked or expired token.

    Args:
        store: The store of the sessions.
        token: A token whose signature was checked.

    Raises:
        Expired: The token has expired.
        Revoked: The token was revoked.
        NoSuchSession: There is no such session.
    """
    check_time(token)
    if token.session and store.unseal(token.session, REVOKED + token.id) is not None:
        raise revoked_token()


class Tokens:
    """Issues, lists and revokes the tokens of a ledger's sessions.

    Args:
        signer: Signs the tokens.
        store: The store of the sessions; it also records which tokens were issued and revoked.
    """

    def __init__(self, signer: Signer, store: Store) -> None:
        self.signer = signer
        self._store = store

    def issue(
        self,
        session: str,
        seat: Scope,
        name: str,
        combatants: tuple[str, ...] | None = None,
        lifetime: int | None = None,
    ) -> Issued:
        """Issues a token for a session's seat.

        Args:
            session: The session's id.
            seat: The seat.
            name: The person's name.
            combatants: Limits a player to these combatants; None for all that the log gives to the player.
            lifetime: The seconds until it expires; None if it does not.

        Raises:
            NoSuchSession: There is no session of that id.
            NoSuchSeat: The seat or the name is not accepted.
        """
        check_seat(seat, name)
        token = lasting(Token(_new_id(), seat, session, name, combatants), lifetime)
        self._store.seal(session, _ISSUED + token.id, msgspec.json.encode(token))
        return self._signed(token)

    def renew(self, token: Token) -> Issued:
        """Returns a token with the same id and rights that expires as long after now as the given one after its issue.

        The given one remains valid until it expires.

        Raises:
            NeverExpires: The token does not expire.
            Expired: It has expired.
            Revoked: It was revoked.
            BadToken: It was signed, but never issued for this session.
        """
        self.check(token)
        if token.expires is None:
            raise NeverExpires("this token does not expire", where="Authorization", accepts="a token that expires")
        if self._store.unseal(token.session, _ISSUED + token.id) is None:
            raise BadToken("this token was never issued", where="Authorization", accepts="a token that was issued")
        return self._signed(lasting(token, token.lifetime))

    def _signed(self, token: Token) -> Issued:
        return Issued(token.id, token.seat, token.name, token.combatants, self.signer.sign(token), token.expiry)

    def check(self, token: Token) -> None:
        """Rejects a revoked or expired token; see the function `check`."""
        check(self._store, token)

    def revoked(self, session: str) -> frozenset[str]:
        """Returns the ids of a session's revoked tokens."""
        names = self._store.seals(session)
        return frozenset(name.removeprefix(REVOKED) for name in names if name.startswith(REVOKED))

    def revoke(self, session: str, token: str) -> None:
        """Revokes a token permanently, also where it was renewed; idempotent.

        Raises:
            NoSuchToken: No token of that id was issued.
        """
        if self._store.unseal(session, _ISSUED + token) is None:
            message = f"no token with the id {token!r} was issued for this session"
            raise NoSuchToken(message, where="token", accepts="an id of the list of tokens")
        try:
            self._store.seal(session, REVOKED + token, b"")
        except Sealed:
            return

    def issued(self, session: str) -> Iterator[tuple[Token, bool]]:
        """Yields the tokens that were issued for a session, each with whether it was revoked."""
        names = self._store.seals(session)
        revoked = self.revoked(session)
        for name in names:
            if name.startswith(_ISSUED):
                record = self._store.unseal(session, name) or b""
                token = _decoded(record, name.removeprefix(_ISSUED), session)
                yield token, token.id in revoked


def _decoded(record: bytes, token_id: str, session: str) -> Token:
    """Decodes the record of an issued token.

    Raises:
        Damaged: It is not readable.
    """
    try:
        return msgspec.json.decode(record, type=Token)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"the record of the token {token_id} is not readable", where=session) from error


def _new_id() -> str:
    return secrets.token_hex(8)
