"""A server's documents as what a session on this side would have answered: entries, rests, odds."""

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
from replays.client.call import as_
from replays.client.refusals import NotAffray
from replays.corrections.amend import Amendment
from replays.corrections.diff import Report
from replays.exports import documents
from replays.odds.luck import Luck
from replays.odds.odds import Odds

T = TypeVar("T")


class Hidden(Command, frozen=True):
    """In the place of a command that the seat may not see. It is none that could be asked for."""


class Heard(Entry, frozen=True, gc=False, kw_only=True):
    """An entry as the server told it to a seat; events that the seat may not see are left out."""

    stands: bool
    """Did it stand when it was told?"""


# ------------------------------------------------------------------------------------------------ entries


class _Performed(msgspec.Struct):
    entries: list[documents.Told]


class _Written(msgspec.Struct):
    report: Report
    entries: list[documents.Told]


def heard(told: documents.Told) -> Heard:
    """An entry that was told by name.

    Raises:
        NotAffray: It has an event that this Affray does not know.
    """
    command: AnyCommand = Hidden() if told.command is None else told.command
    try:
        events = tuple(map(codec.from_name, told.events))
    except Unreadable as error:
        raise NotAffray(
            f"entry {told.seq} cannot be read: {error.message}", accepts="a server as old as this"
        ) from error
    by = Who(told.by.name, told.by.seat)
    return Heard(
        codec.SHAPE, told.seq, told.after, told.at, by, told.rules_version, told.origin, command, events,
        stands=told.stands,
    )  # fmt: skip


def one_entry(body: bytes) -> Heard:
    """A single entry."""
    return heard(as_(documents.Told, body))


def entries(body: bytes) -> list[Heard]:
    """A page of the log."""
    return list(map(heard, as_(list[documents.Told], body)))


def performed(body: bytes) -> list[Heard]:
    """What was written for a command: its own entry first."""
    return list(map(heard, as_(_Performed, body).entries))


def first(body: bytes) -> Heard:
    """The command's own entry."""
    return performed(body)[0]


def amendment(body: bytes) -> Amendment:
    """A correction that was written."""
    written = as_(_Written, body)
    return Amendment(written.report, tuple(map(heard, written.entries)))


def lines(body: bytes) -> list[bytes]:
    """An export's lines, without line ends."""
    return body.removesuffix(b"\n").split(b"\n")


def nothing(_: bytes) -> None:
    """No answer but that it is done."""


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
    """What the table waits for; how many exchanges were open then (`depth`) is not told."""
    return tuple(
        Rest(
            rest.key, rest.by, rest.purpose, rest.dice,
            tuple(Option(each.option, each.label, each.target) for each in rest.options), rest.default,
        )
        for rest in as_(list[_Rest], body)
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ chances


def odds(body: bytes) -> Odds:
    """Odds with their exact fractions; where they were sampled, with the decimals that were told."""
    told = _in_fractions(Odds, body)
    if not told.exact:
        return told
    harm = tuple(
        msgspec.structs.replace(each, mean=sum((int(one.what) * one.chance for one in each.amounts), Fraction(0)))
        for each in told.harm
    )  # only chances are told as fractions; the mean is what they come to
    return msgspec.structs.replace(told, harm=harm)


def luck(body: bytes) -> Luck:
    """Luck, with the decimals that were told in the place of its fractions."""
    return _in_fractions(Luck, body)


def _in_fractions(kind: type[T], body: bytes) -> T:
    try:
        plain_ = msgspec.json.Decoder(float_hook=Fraction).decode(body)
        return msgspec.convert(_exact(plain_), kind, dec_hook=_fraction)
    except (msgspec.DecodeError, msgspec.ValidationError, ValueError) as error:
        raise NotAffray(f"the answer cannot be read: {error}", accepts="a server of this version") from error


def _exact(told: Any) -> Any:
    """Wherever a chance has its exact fraction beside it, that one."""
    if isinstance(told, Mapping):
        found = {name: _exact(each) for name, each in told.items()}
        return {**found, "chance": found["exact"]} if isinstance(found.get("exact"), str) else found
    return [_exact(each) for each in told] if isinstance(told, list) else told


def _fraction(kind: type[Any], told: Any) -> Any:
    if kind is not Fraction:
        raise NotImplementedError(f"no {kind.__name__} is told")
    return Fraction(told)
