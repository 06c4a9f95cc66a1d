"""Shows one dispute: the challenge, the evidence, and the effects of the claim."""

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.errors import Refused
from replays.audit.disputes.counterfactual import Alternative, alternative, claimed
from replays.audit.disputes.register import Challenge, Disputed, Settlement, disputed, find
from replays.audit.event_index import EventIndex, facts, key_of, person
from replays.audit.explain import ExplanationStep, parts
from replays.audit.why import Why, why
from replays.sessions.log import Log
from replays.views.seat_log import seen_log

__all__ = ("Dispute", "Disputed", "dispute", "disputed")


class Die(msgspec.Struct, frozen=True):
    """Dice that the disputed subject depends on."""

    key: str
    faces: tuple[int, ...]
    """Empty where they are hidden from the viewer."""
    provenance: tuple[str, ...]
    by: str
    entry: int
    stands: bool


class Evidence(msgspec.Struct, frozen=True):
    """The record of the disputed subject, as it stood when it was challenged."""

    explained: tuple[Why, ...]
    said: tuple[ExplanationStep, ...]
    """The declarations and choices, each with its person."""
    dice: tuple[Die, ...]
    entries: tuple[int, ...]


class Dispute(msgspec.Struct, frozen=True):
    """A dispute."""

    challenge: Challenge
    settlement: Settlement | None
    """None while it is open."""
    evidence: Evidence
    alternative: Alternative | None
    """The effects of the claim, where it is a change, the dispute is open, and nothing is hidden from the viewer."""


def dispute(log: Log, id: str, eyes: Viewer = EVERYTHING) -> Dispute:  # noqa: A002  it is its id
    """Returns a dispute with its evidence.

    Args:
        log: The session's log.
        id: The dispute's id, such as ``d1``.
        eyes: The viewer.

    Raises:
        NoSuchDispute: There is no dispute of that id, or it is hidden from the viewer.
    """
    seen = seen_log(log, eyes)
    found = find(seen, id)
    challenge = found.challenge
    claim = claimed(challenge.claim) if found.settlement is None and _sees_all(log, eyes) else None
    return Dispute(
        challenge,
        found.settlement,
        _evidence(seen, challenge),
        alternative(log, challenge.about, claim) if claim is not None else None,
    )


def _sees_all(log: Log, eyes: Viewer) -> bool:
    """Returns whether nothing is hidden from a viewer; otherwise the effects of a claim could reveal it."""
    return eyes == EVERYTHING or all(eyes.may_see(event.seen_by) for entry in log.entries() for event in entry.events)


# ------------------------------------------------------------------------------------------------ evidence


def _evidence(log: Log, challenge: Challenge) -> Evidence:
    head = log.timeline.after(challenge.entry)
    if challenge.about.isdecimal() and not log.timeline.stands(int(challenge.about), head):
        head = int(challenge.about)
    known = facts(log, head=head)
    explained = tuple(_explained(log, challenge.about, head))
    keys = tuple(dict.fromkeys(key for each in explained for key in _subjects(each)))
    mine = [fact for key in keys for fact in known.of_roll(key)]
    numbers = {part.entry for each in explained for part in _all_parts(each)}
    own = {int(challenge.about)} if challenge.about.isdecimal() else set()
    return Evidence(
        explained,
        tuple(parts([fact for fact in mine if isinstance(fact.event, e.Declared | e.Chosen)], known.wording)),
        tuple(_dice(log, known, keys)),
        tuple(sorted(numbers | own | _origins(explained))),
    )


def _explained(log: Log, about: str, head: int) -> Iterator[Why]:
    """Yields explanations of a key, of a combatant's health, or of all that an entry rolled, chose and declared."""
    keys = [about]
    if about.isdecimal():
        entry = log.entry(int(about))
        told = [event for event in entry.events if _is_subject(event)]
        keys = list(dict.fromkeys(key_of(event) for event in told))
    for key in keys:
        with suppress(Refused):  # hidden from the viewer, or gone with its subject
            yield why(log, key, head=head)


def _is_subject(event: e.Event) -> bool:
    """Returns whether an event is its entry's subject, not a consequence; a modifier without a page is a person's."""
    return isinstance(event, _SUBJECTS) or (isinstance(event, e.ModifierApplied) and not event.source)


_SUBJECTS = (e.Declared, e.DiceRolled, e.DiceTold, e.Chosen, e.Overruled, e.TestResolved)


def _subjects(explained: Why) -> Iterator[str]:
    yield explained.subject
    for inner in explained.leads_to:
        yield from _subjects(inner)


def _all_parts(explained: Why) -> Iterator[ExplanationStep]:
    yield from explained.parts
    for inner in explained.leads_to:
        yield from _all_parts(inner)


def _origins(explained: tuple[Why, ...]) -> set[int]:
    return {part.origin for each in explained for part in _all_parts(each) if part.origin is not None}


def _dice(log: Log, known: EventIndex, keys: tuple[str, ...]) -> Iterator[Die]:
    standing = frozenset(log.timeline.line())
    seen: set[int] = set()
    for key in keys:
        thrown = [(fact, fact.event) for fact in known.of_roll(key) if isinstance(fact.event, e.DiceRolled)]
        told = {fact.entry.seq for fact, event in thrown if event.faces}
        for fact, event in thrown:
            if fact.place not in seen and (event.faces or fact.entry.seq not in told):
                seen.add(fact.place)
                yield Die(
                    event.key, event.faces, event.provenance, person(fact.first), fact.entry.seq,
                    fact.entry.seq in standing,
                )  # fmt: skip
