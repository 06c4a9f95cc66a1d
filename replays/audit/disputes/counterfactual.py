"""Computes the effects of a claim: decides the fight again as claimed, and writes nothing."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ledger import events as e
from ledger.commands import Amend, Overrule
from ledger.errors import Refused
from ledger.events import Event, Json
from machines.contract.refusals import NoSuchFigure
from projections.combat import Combat, fold
from projections.views.document import State
from replays.audit.event_index import EventIndex, facts
from replays.corrections import diff as flips
from replays.corrections.amend import Amending
from replays.corrections.change import Change
from replays.corrections.diff import Flip, Needed, Shift
from replays.corrections.thrown_rolls import RollCorrections
from replays.corrections.which_entry import entry_number
from replays.scripts.toml_value import table_of, value_of
from replays.sessions.drafts import Drafting
from replays.sessions.log import Log
from replays.sessions.permissions import GM
from replays.views.state_document import document

_FIGURE = re.compile(r"figure\s+(?P<name>\S.*?)\s*=\s*(?P<value>\S.*)")


class Claim(msgspec.Struct, frozen=True):
    """The part of a claim that can be computed."""

    figure: str = ""
    """The figure that should have another value."""
    value: int | str = 0
    set: dict[str, Any] = {}
    """Claimed values by path in a command."""
    drop: bool = False
    """Whether the entry should never have happened."""


class Alternative(msgspec.Struct, frozen=True):
    """The effects of a claim."""

    what: str
    """The claim in words."""
    flips: tuple[Flip, ...] = ()
    shifts: tuple[Shift, ...] = ()
    needs_a_person: tuple[Needed, ...] = ()
    refused: str = ""
    """Why the rules refuse it; empty where they do not."""

    @property
    def changes_nothing(self) -> bool:
        """Whether the claim has no effect."""
        return not (self.refused or self.flips or self.shifts or self.needs_a_person)


def claimed(text: str) -> Claim | None:
    """Parses a claim: ``figure dv = 21``, TOML such as ``terms.range = "short"``, or ``drop``.

    Returns:
        The claim; None where it is only text.
    """
    figure = _FIGURE.fullmatch(text.strip())
    if figure is not None:
        value = value_of(figure["value"])
        return Claim(figure["name"], value) if isinstance(value, int | str) else None
    if text.strip() == "drop":
        return Claim(drop=True)
    said = table_of(text)
    return Claim(set=dict(_paths(said))) if said else None


def _paths(said: Json, within: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in said.items():
        if isinstance(value, dict) and value:
            yield from _paths(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", value


def alternative(log: Log, about: str, claim: Claim) -> Alternative:
    """Returns the effects of a claim, compared with the standing entries.

    Args:
        log: The session's log.
        about: A key, an entry's number, or ``who.what``.
        claim: The claim.
    """
    known = facts(log)
    key = _cause(known, about)
    try:
        if claim.figure:
            return _of_figure(log, *_found(known, key, claim.figure), claim)
        return _of_change(log, _entry(log, known, key, claim), claim)
    except Refused as refusal:
        return Alternative(_words(claim), refused=str(refusal))


def _words(claim: Claim) -> str:
    if claim.figure:
        return f"{claim.figure} is {claim.value}"
    return "it never happened" if claim.drop else ", ".join(f"{path} is {value}" for path, value in claim.set.items())


def _cause(known: EventIndex, about: str) -> str:
    """Returns the key or number of a claim's subject; for health, the latest exchange that changed it."""
    if about.isdecimal() or "." not in about or "/" in about:
        return about
    who, _, what = about.partition(".")
    for fact in reversed(known.all):
        event = fact.event
        if getattr(event, "who", None) == who and what in (getattr(event, name, "") for name in _NAMES):
            key = str(getattr(event, "key", ""))
            return known.exchange_of(key) or key
    return about


_NAMES = ("track", "kind", "condition", "resource")


# ------------------------------------------------------------------------------------------------ a figure


def _found(known: EventIndex, key: str, figure: str) -> tuple[str, str]:
    """Returns the key under which a figure was found: the claimed one, or a part of the same exchange."""
    keys = (key, known.exchange_of(key)) if not key.isdecimal() else ()
    for fact in reversed(known.all):
        event = fact.event
        if not isinstance(event, e.FigureFound | e.TestResolved):
            continue
        names = (event.name,) if isinstance(event, e.FigureFound) else known.wording.test_figures
        mine = fact.entry.seq == int(key) if key.isdecimal() else event.key in keys
        if figure in names and (mine or any(one and event.key.startswith(one + "/") for one in keys)):
            return event.key, figure
    raise NoSuchFigure(f"no figure {figure!r} stands under {key}", where="claim", accepts="a figure that `why` shows")


def _of_figure(log: Log, key: str, figure: str, claim: Claim) -> Alternative:
    thrown = RollCorrections(log, Drafting(log, None))
    drafts = thrown.overruling(Overrule(key, figure, claim.value, "claimed"), GM)
    before = drafts[0].after
    combat = fold((event for draft in drafts for event in draft.events), log.state(before))
    told = [(entry.seq, event) for entry in log.entries_of(log.timeline.line(since=before)) for event in entry.events]
    now: list[tuple[int, Event]] = [(0, event) for draft in drafts for event in draft.events]
    return Alternative(
        f"{key} {figure} is {claim.value}",
        tuple(flips.flips(told, now)),
        tuple(flips.shifts(_document(log, log.combat), _document(log, combat))),
        tuple(flips.needed(log.combat, combat, {})),
    )


def _document(log: Log, combat: Combat) -> State:
    return document(combat, log.session, entries=log.last, head=log.head, digest=log.digest)


# ------------------------------------------------------------------------------------------------ a change


def _entry(log: Log, known: EventIndex, key: str, claim: Claim) -> int:
    """Returns the number of the entry whose command has the claimed field."""
    if key.isdecimal():
        return int(key)
    of_a_declaration = claim.drop or any(path.split(".")[0] in ("terms", "kind") for path in claim.set)
    return entry_number(log, known.exchange_of(key) or key if of_a_declaration else key)


def _of_change(log: Log, entry: int, claim: Claim) -> Alternative:
    change = Change(set=claim.set, drop=claim.drop)
    asked = Amend(entry, msgspec.to_builtins(change), "claimed")
    amending = Amending(log, Drafting(log, None))
    report = amending.correction(asked, GM, consent=True).report
    return Alternative(f"entry {entry}: {_words(claim)}", report.flips, report.shifts, report.needs_a_person)
