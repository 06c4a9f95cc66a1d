"""Audits rolls: the sum behind each standing roll, with the page of every part."""

from collections.abc import Iterator, Sequence

import msgspec

from ledger import events as e
from ledger.entry import Provenance
from ledger.modifier import Modifier
from projections.views.stand_ins import HIDDEN, RESULT
from replays.audit.event_index import EventIndex, IndexedEvent, person


class Figure(msgspec.Struct, frozen=True):
    """A further figure of a roll."""

    name: str
    value: int | str
    why: str
    source: str


class Sum(msgspec.Struct, frozen=True):
    """One roll, itemized."""

    key: str
    by: str
    """The combatant."""
    purpose: str
    dice: str
    faces: tuple[int, ...]
    """Empty where they are hidden from the viewer."""
    provenance: tuple[str, ...]
    person: str
    """The person who threw them."""
    entry: int
    base: int | str | None
    base_why: str
    base_source: str
    modifiers: tuple[Modifier, ...]
    pool: int | str | None
    """The sum, where it is not the target: a pool, a bonus."""
    sum_why: str
    """What was added up, where that is more than the base and modifiers: dice bought with Edge."""
    target: int | str | None
    rolled: int | None
    margin: int
    outcome: str
    """Empty where it is not a test."""
    source: str
    figures: tuple[Figure, ...] = ()
    """Further figures: a damage value, a degree."""
    overruled: tuple[str, ...] = ()
    """The overrules of its figures, in words."""
    by_how_much: str = ""
    """The margin in the game's words; empty where there is none, or where a figure already states it."""
    counts: dict[str, int] = {}
    """The counts or the total that a person gave in place of the faces."""


def sums(known: EventIndex) -> Iterator[Sum]:
    """Yields the rolls that stand and were thrown, in the order in which they were requested.

    Args:
        known: The events of the session's line, as the viewer may see them.
    """
    for key, asked in known.asked.items():
        if isinstance(asked, e.RollRequested):
            thrown = [fact for fact in known.of(key) if isinstance(fact.event, e.DiceRolled | e.DiceTold)]
            if thrown:
                yield _sum(known, asked, max(thrown, key=_most_known))


def _most_known(fact: IndexedEvent) -> int:
    """Returns how many faces or counts an event has; a stand-in for hidden dice has none."""
    event = fact.event
    return len(event.faces) if isinstance(event, e.DiceRolled) else len(getattr(event, "counts", ()))


def _sum(known: EventIndex, asked: e.RollRequested, thrown: IndexedEvent) -> Sum:
    told = [fact.event for fact in known.of(asked.key)]
    figures = {event.name: event for event in told if isinstance(event, e.FigureFound)}
    tests = [event for event in told if isinstance(event, e.TestResolved)]
    words = known.wording.vocabulary.sums
    test, base = tests[-1] if tests else None, figures.get(words.start)
    aim, result = figures.get(words.against), figures.get(RESULT)
    pool = figures.get(words.total) if words.total != words.against else None
    dice = thrown.event
    return Sum(
        key=asked.key,
        by=asked.by,
        purpose=asked.purpose,
        dice=asked.dice,
        faces=dice.faces if isinstance(dice, e.DiceRolled) else (),
        provenance=dice.provenance if isinstance(dice, e.DiceRolled) else (Provenance.TOLD.value,),
        counts=dice.counts if isinstance(dice, e.DiceTold) else {},
        person=person(thrown.first),
        entry=thrown.entry.seq,
        base=base.value if base is not None else None,
        base_why=base.why if base is not None else "",
        base_source=base.source if base is not None else "",
        modifiers=tuple(event.modifier for event in told if isinstance(event, e.ModifierApplied)),
        pool=pool.value if pool is not None else None,
        sum_why=pool.why if pool is not None else aim.why if aim is not None else "",
        target=aim.value if aim is not None else test.target if test is not None else None,
        rolled=test.rolled if test is not None else None,
        margin=test.margin if test is not None else 0,
        by_how_much=known.wording.margin(test) if test is not None and words.degree not in figures else "",
        outcome=test.outcome if test is not None else str(result.value) if result is not None else "",
        source=test.source if test is not None else aim.source if aim is not None else "",
        figures=tuple(_further(known, told)),
        overruled=tuple(
            f"{known.wording.figure(event)}: the rule says {event.rule_says}, the gamemaster {event.gm_says}"
            for event in told
            if isinstance(event, e.Overruled)
        ),
    )


def _further(known: EventIndex, told: Sequence[e.Event]) -> Iterator[Figure]:
    """Yields the figures of a roll that are not part of its sum."""
    sums = known.wording.vocabulary.sums
    for event in told:
        if not isinstance(event, e.FigureFound) or not event.why or event.name in (HIDDEN, RESULT):
            continue
        if not sums.is_of_one(event.name):
            yield Figure(event.name, event.value, known.wording.why(event), event.source)
