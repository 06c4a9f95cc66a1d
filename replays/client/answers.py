"""Decodes a server's documents into the types that an embedded session returns: entries, rests, odds."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from ledger import codec
from ledger.commands import AnyCommand, Command
from ledger.entry import Entry, Who
from ledger.errors import Unreadable
from ledger.events import Option
from projections.path import Rest
from replays.campaigns.luck import SessionsLuck
from replays.client.call import decoded
from replays.client.refusals import NotAffray
from replays.corrections.amend import Amendment
from replays.corrections.diff import Report
from replays.exports import documents
from replays.exports.recap.model import Recap
from replays.odds.luck import Luck
from replays.odds.odds import Odds

T = TypeVar("T")


class Hidden(Command, frozen=True):
    """Replaces a command that is hidden from the seat; it cannot be performed."""


class Heard(Entry, frozen=True, gc=False, kw_only=True):
    """An entry as a seat received it from the server; hidden events are omitted."""

    stands: bool
    """Whether it stood when the server sent it."""


# ------------------------------------------------------------------------------------------------ entries


class _Performed(msgspec.Struct):
    entries: list[documents.EntryDocument]


class _Written(msgspec.Struct):
    report: Report
    entries: list[documents.EntryDocument]


def entry_of(document: documents.EntryDocument) -> Heard:
    """Returns the entry of a document.

    Raises:
        NotAffray: The entry has an event that this version does not know.
    """
    command: AnyCommand = Hidden() if document.command is None else document.command
    try:
        events = tuple(map(codec.from_name, document.events))
    except Unreadable as error:
        message = f"entry {document.seq} cannot be read: {error.message}"
        raise NotAffray(message, accepts="a server of this version") from error
    by = Who(document.by.name, document.by.seat)
    return Heard(
        codec.SHAPE, document.seq, document.after, document.at, by, document.rules_version, document.origin, command,
        events, stands=document.stands,
    )  # fmt: skip


def one_entry(body: bytes) -> Heard:
    """Decodes a single entry."""
    return entry_of(decoded(documents.EntryDocument, body))


def entries(body: bytes) -> list[Heard]:
    """Decodes a page of the log."""
    return list(map(entry_of, decoded(list[documents.EntryDocument], body)))


def performed(body: bytes) -> list[Heard]:
    """Decodes the entries that were written for a command; the entry of the command comes first."""
    return list(map(entry_of, decoded(_Performed, body).entries))


def first(body: bytes) -> Heard:
    """Decodes the entry of a command."""
    return performed(body)[0]


def amendment(body: bytes) -> Amendment:
    """Decodes a correction that was written."""
    written = decoded(_Written, body)
    return Amendment(written.report, tuple(map(entry_of, written.entries)))


def lines(body: bytes) -> list[bytes]:
    """Splits an export into lines without line ends."""
    return body.removesuffix(b"\n").split(b"\n")


def nothing(_: bytes) -> None:
    """Ignores an empty body."""


# ------------------------------------------------------------------------------------------------ rests


class _Option(msgspec.Struct):
    option: str
    label: str
    target: int | None = None


class _Rest(msgspec.Struct):
    key: str
    by: str
    purpose: str
    dice: str = ""
    options: list[_Option] = []
    default: str | None = None


def rests(body: bytes) -> tuple[Rest, ...]:
    """Decodes the rolls and choices that the table is waiting for; their `depth` is not transmitted."""
    return tuple(
        Rest(
            rest.key, rest.by, rest.purpose, rest.dice,
            tuple(Option(each.option, each.label, each.target) for each in rest.options), rest.default,
        )
        for rest in decoded(list[_Rest], body)
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ chances


def odds(body: bytes) -> Odds:
    """Decodes odds; exact odds have their exact fractions, sampled odds the transmitted decimals."""
    found = _in_fractions(Odds, body)
    if not found.exact:
        return found
    harm = tuple(
        msgspec.structs.replace(each, mean=sum((int(one.what) * one.chance for one in each.amounts), Fraction(0)))
        for each in found.harm
    )  # only chances are transmitted as fractions, so the mean is computed from them
    return msgspec.structs.replace(found, harm=harm)


def luck(body: bytes) -> Luck:
    """Decodes luck, with the transmitted decimals instead of fractions."""
    return _in_fractions(Luck, body)


def sessions_luck(body: bytes) -> SessionsLuck:
    """Decodes the luck of several sessions, with the transmitted decimals instead of fractions."""
    return _in_fractions(SessionsLuck, body)


def recap(body: bytes) -> Recap:
    """Decodes a recap, with the transmitted decimals instead of fractions."""
    return _in_fractions(Recap, body)


def _in_fractions(kind: type[T], body: bytes) -> T:
    try:
        document = msgspec.json.Decoder(float_hook=Fraction).decode(body)
        return msgspec.convert(_exact(document), kind, dec_hook=_fraction)
    except (msgspec.DecodeError, msgspec.ValidationError, ValueError) as error:
        raise NotAffray(
            f"the server's answer cannot be decoded: {error}", accepts="a server of this version"
        ) from error


def _exact(value: Any) -> Any:
    """Replaces each chance by the exact fraction that accompanies it."""
    if isinstance(value, Mapping):
        found = {name: _exact(each) for name, each in value.items()}
        return {**found, "chance": found["exact"]} if isinstance(found.get("exact"), str) else found
    return [_exact(each) for each in value] if isinstance(value, list) else value


def _fraction(kind: type[Any], value: Any) -> Any:
    if kind is not Fraction:
        raise NotImplementedError(f"the type {kind.__name__} is not transmitted")
    return Fraction(value)
