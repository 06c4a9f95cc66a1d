"""Audits dice: the provenance of faces, and every draw, numbered so that none can be hidden."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import GiveNonce
from ledger.dice import NO_DICE, parse
from ledger.entry import Entry, Provenance
from replays.audit.dice_proof import DrawnRoll, Proof
from replays.audit.event_index import EventIndex, person
from replays.audit.lying_dice import NONE, Lay
from replays.sessions.log import Log
from replays.sessions.undo import rewound_to


class ProvenanceCount(msgspec.Struct, frozen=True):
    """Faces of one provenance, given by one person."""

    provenance: str
    by: str
    faces: int
    rolls: int
    undone: int
    """Those of the faces that no longer stand."""


class Count(msgspec.Struct, frozen=True):
    """Faces that the engine drew; a repetition of an entry does not count again."""

    faces: int = 0
    rolls: int = 0
    verified: int = 0
    """Faces that the revealed seed confirms."""


class Draw(msgspec.Struct, frozen=True):
    """One draw of the engine."""

    nth: int
    """Its number among the session's draws, from 1, standing or not, without a gap."""
    key: str
    """Empty where the request for the roll is hidden from the viewer: a hidden combatant threw it."""
    dice: str
    faces: tuple[int, ...]
    """Empty where they are hidden from the viewer."""
    entry: int
    by: str
    stands: bool
    proof: str
    """``verified`` or ``broken`` where the seed is revealed; else empty."""
    before: int | None = None
    """The entry in which this key was drawn before."""
    why: str = ""
    """Why it was drawn again."""
    is_other: bool = False
    """Whether the faces differ from those drawn before."""


class Share(msgspec.Struct, frozen=True):
    """A player's nonce in the seed of the dice, and who gave it."""

    player: str
    nonce: str
    entry: int
    by: str
    is_their_own: bool
    """Whether the player gave it."""
    is_agreed: bool
    """Where another person gave it: whether that person stated that the table had agreed."""


def shares(log: Log) -> Iterator[Share]:
    """Yields the players' nonces, each with who gave it."""
    for entry in log.entries():
        command = entry.command
        if isinstance(command, GiveNonce) and entry.origin is None:
            own = entry.by.name == command.player
            yield Share(command.player, command.nonce, entry.seq, person(entry), own, command.agreed)


def provenances(log: Log, lay: Lay) -> Iterator[ProvenanceCount]:
    """Yields faces by provenance and person; dice that were performed again, or lay already, count once.

    Dice of which only counts were given count as dice of the provenance ``told``.
    """
    standing = _standing_origins(log, lay)
    faces, rolls, undone = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for entry, event in _rolled(log):
        thrown = event.provenance[lay.get(entry.seq, NONE).count :]
        for provenance, count in Counter(thrown or ("out of sight",)).items():
            what = provenance, person(entry)
            many = count if event.faces else 0
            faces[what] += many
            rolls[what] += 1
            undone[what] += 0 if entry.seq in standing else many
    for entry, counted in _counted(log):
        what, many = (counted.provenance, person(entry)), len(parse(counted.dice).sides)
        faces[what] += many
        rolls[what] += 1
        undone[what] += 0 if entry.seq in standing else many
    for what in faces:
        yield ProvenanceCount(*what, faces[what], rolls[what], undone[what])


def drawn(log: Log, proof: Proof, lay: Lay) -> Count:
    """Counts the faces that were drawn, visible or not.

    Args:
        log: The session's log.
        proof: The proof of its dice.
        lay: The dice that lay already.
    """
    proven = {(each.seq, each.key): each for each in proof.draws}
    found = [
        (known, lay.get(entry.seq, NONE).count)
        for entry in log.entries()
        for event in entry.events
        if isinstance(event, e.DiceRolled)
        and (known := proven.get((entry.seq, event.key))) is not None
        and known.provenance == event.provenance
        and not _is_again(log, entry, event)
    ]
    counts = [
        (count, sum(place > lying for place in known.wrong) if known.expected else count)
        for known, lying in found
        if (count := known.provenance[lying:].count(Provenance.DRAWN.value))
    ]
    return Count(sum(count for count, _ in counts), len(counts), sum(count - wrong for count, wrong in counts))


def _rolled(log: Log) -> Iterator[tuple[Entry, e.DiceRolled]]:
    """Yields thrown dice, once each; of a secret roll, the stand-in without faces where the roll is hidden."""
    for entry in log.entries():
        told = [event for event in entry.events if isinstance(event, e.DiceRolled)]
        seen = {event.key for event in told if event.faces}
        for event in told:
            if (event.faces or event.key not in seen) and not _is_again(log, entry, event):
                yield entry, event


def _counted(log: Log) -> Iterator[tuple[Entry, e.DiceTold]]:
    """Yields dice of which only counts were given, once each."""
    for entry in log.entries():
        for event in entry.events:
            if isinstance(event, e.DiceTold) and not _is_counted_again(log, entry, event):
                yield entry, event


def _is_counted_again(log: Log, entry: Entry, event: e.DiceTold) -> bool:
    """Returns whether the entry that is performed again has the same counts."""
    while entry.origin is not None:
        entry = log.entry(entry.origin)
        before = (each for each in entry.events if isinstance(each, e.DiceTold))
        if any((each.key, each.counts) == (event.key, event.counts) for each in before):
            return True
    return False


def _is_again(log: Log, entry: Entry, event: e.DiceRolled) -> bool:
    """Returns whether the same faces were thrown in the entry that is performed again."""
    while entry.origin is not None:
        entry = log.entry(entry.origin)
        for each in entry.events:
            if isinstance(each, e.DiceRolled) and each.key == event.key:
                return each.faces[: len(event.faces)] == event.faces
    return False


def _standing_origins(log: Log, lay: Lay) -> frozenset[int]:
    """Returns the standing entries, those that are performed again in them, and those whose dice lay there for them."""
    found: set[int] = set()
    left = log.timeline.line()
    while left:
        seqs = {seq for entry in log.entries_of(left) for seq in (entry.seq, log.original(entry).seq)}
        left = sorted({lay[seq].entry for seq in seqs if seq in lay} - found - seqs)
        found |= seqs
    return frozenset(found)


# ------------------------------------------------------------------------------------------------ draws


def draws(log: Log, seen: Log, proof: Proof, eyes: Viewer, lay: Lay) -> Iterator[Draw]:
    """Yields every draw of a session in order, numbered without a gap.

    Args:
        log: The whole log.
        seen: The log as the viewer may see it.
        proof: The proof of the dice that the viewer may see.
        eyes: The viewer; a draw that is hidden from them is counted all the same.
        lay: The dice that lay already.
    """
    standing = _standing_origins(log, lay)
    shown_keys = {str(getattr(event, "key", "")) for entry in seen.entries() for event in entry.events}
    proven = {(each.seq, each.key): each for each in proof.draws}
    last: dict[str, Draw] = {}
    nth = 0
    for entry in log.entries():
        for event in entry.events:
            if not isinstance(event, e.DiceRolled):
                continue
            lying = lay.get(entry.seq, NONE).count
            if Provenance.DRAWN.value not in event.provenance[lying:]:
                continue
            if _is_again(log, entry, event):
                continue
            nth += 1
            known = proven.get((entry.seq, event.key))
            shown = event.faces if eyes.may_see(event.seen_by) else ()
            before = last.get(event.key)
            draw = Draw(
                nth, event.key if event.key in shown_keys else "", known.dice if known and shown else "", shown,
                entry.seq, person(entry),
                entry.seq in standing,
                _proven(known), before.entry if before else None, _why_again(log, seen, before, entry),
                before is not None and before.faces != (shown[:lying] if lying else shown),
            )  # fmt: skip
            last[event.key] = draw
            yield draw


def _proven(known: DrawnRoll | None) -> str:
    if known is None or not known.expected:
        return ""
    return "broken" if known.wrong else "verified"


def _why_again(log: Log, seen: Log, before: Draw | None, entry: Entry) -> str:
    """Returns what undid an earlier draw, with the reason where the viewer may see it."""
    if before is None:
        return ""
    for each in log.entries(before.entry, entry.seq):
        to = rewound_to(each)
        if to is not None and not log.timeline.stands(before.entry, to):
            why = getattr(seen.entry(each.seq).command, "why", "")
            reason = f": {why}" if why else ""
            return f"undone by entry {each.seq}, {person(each)}{reason}"
    again = next((each for each in log.entries(before.entry, entry.seq) if each.origin is not None), None)
    return f"corrected from entry {again.seq} on, {person(again)}" if again is not None else "for no reason on record"


def unanswered(log: Log, known: EventIndex) -> Iterator[str]:
    """Yields the keys of rolls that were requested, are no longer open, and were never thrown.

    Args:
        log: The session's log, as the viewer may see it.
        known: The events of its line.
    """
    open_now = {rest.key for rest in log.combat.rests}
    for key, asked in known.asked.items():
        thrown = any(
            isinstance(fact.event, e.DiceRolled | e.DiceTold)
            or (isinstance(fact.event, e.Chosen) and fact.event.option in (NO_DICE, ""))
            for fact in known.of(key)
        )
        if isinstance(asked, e.RollRequested) and not thrown and key not in open_now:
            yield key
