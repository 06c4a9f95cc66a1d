"""Audits a session: the integrity of the record, its dice, and decisions of people that override the rules."""

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.errors import Broken
from replays.audit import dice as audit_dice
from replays.audit import dice_proof, people
from replays.audit import rolls as audit_rolls
from replays.audit.dice import Draw, ProvenanceCount, Share
from replays.audit.disputes.register import Disputed, disputed
from replays.audit.event_index import EventIndex, facts
from replays.audit.lying_dice import lay_already
from replays.audit.people import Adjustment, Correction, LateModifier, Overruling, Rewinding
from replays.audit.rerolls import SecondThought, second_thoughts
from replays.audit.rolls import Sum
from replays.audit.times import TimeReversal, time_reversals
from replays.sessions.log import Log
from replays.views.kept_log import KeptLog
from replays.views.seat_log import seen_log


class Chain(msgspec.Struct, frozen=True):
    """The state of the hash chain."""

    holds: bool
    head: str
    """The digest of the last entry, in hex."""
    given: str = ""
    """A digest that a client kept, and that must be part of the log."""
    problem: str = ""


class DiceAudit(msgspec.Struct, frozen=True):
    """The provenance of the dice."""

    by: tuple[ProvenanceCount, ...]
    status: str
    """The status of drawn dice: ``not provable``, ``sealed``, ``verified`` or ``broken``."""
    commitment: str
    policy: str
    drawn: int
    """Drawn faces, each once, visible or not."""
    verified: int
    """Those of them that the revealed seed confirms."""
    problems: tuple[str, ...]
    draws: tuple[Draw, ...]
    unanswered: tuple[str, ...]
    """The keys of rolls that were requested, are no longer open, and were never thrown."""
    drawn_rolls: int = 0
    """The rolls in which faces were drawn."""
    on_record: int = 0
    """Drawn faces in all entries, repetitions included; all of them are checked."""
    shares: tuple[Share, ...] = ()
    """The players' nonces in the seed, and who gave each."""

    @property
    def drawn_again(self) -> tuple[Draw, ...]:
        """The draws of a key that had been drawn before."""
        return tuple(draw for draw in self.draws if draw.before)


class Audit(msgspec.Struct, frozen=True):
    """The audit of a session."""

    session: str
    title: str
    ruleset: str
    profile: str
    entries: int
    standing: int
    chain: Chain
    dice: DiceAudit
    rolls: tuple[Sum, ...]
    """The rolls that stand, itemized."""
    overrules: tuple[Overruling, ...]
    """The overrules, each with the rule's value."""
    modifiers: tuple[LateModifier, ...]
    """The gamemaster's modifiers on dice that lay on the table already."""
    adjustments: tuple[Adjustment, ...]
    rewinds: tuple[Rewinding, ...]
    amendments: tuple[Correction, ...]
    second_thoughts: tuple[SecondThought, ...]
    """Different declarations after a die was seen and undone."""
    disputes: tuple[Disputed, ...]
    out_of_sight: int
    """The number of the gamemaster's decisions that are hidden from the viewer."""
    backwards: tuple[TimeReversal, ...] = ()
    """Entries with an earlier time than the entry before them. It breaks nothing: clocks are set back."""

    @property
    def is_sound(self) -> bool:
        """Whether the chain holds and no die is broken."""
        return self.chain.holds and self.dice.status != dice_proof.BROKEN


class AuditInBrief(msgspec.Struct, frozen=True):
    """What an audit has found, as one line about one of many sessions states it."""

    title: str
    ruleset: str
    entries: int
    is_sound: bool
    chain_problem: str
    """Why the chain does not hold; empty where it does."""
    dice_problems: tuple[str, ...]
    counts: dict[str, int]
    """The number of rolls, overrules, adjustments, amendments, second thoughts and disputes."""


def in_brief(found: Audit) -> AuditInBrief:
    """Returns an audit in brief."""
    counted = {
        "roll": found.rolls, "overrule": found.overrules, "adjustment": found.adjustments,
        "amendment": found.amendments, "second thought": found.second_thoughts, "dispute": found.disputes,
    }  # fmt: skip
    counts = {what: len(each) for what, each in counted.items()}
    problem = "" if found.chain.holds else found.chain.problem
    return AuditInBrief(found.title, found.ruleset, found.entries, found.is_sound, problem, found.dice.problems, counts)


def audit(log: Log, head: str | None = None, eyes: Viewer = EVERYTHING) -> Audit:
    """Audits a session.

    Args:
        log: The session's log.
        head: A digest, in hex, that a client kept; it must be part of the log.
        eyes: The viewer; what is hidden from them is omitted. The whole chain is checked.
    """
    log = KeptLog(log)
    seen = log if eyes == EVERYTHING else KeptLog(seen_log(log, eyes))
    known, info = facts(seen), seen.combat.session
    return Audit(
        session=log.session,
        title=info.title,
        ruleset=info.ruleset,
        profile=info.profile,
        entries=log.last,
        standing=len(log.timeline.line()),
        chain=_chain(log, head),
        dice=_dice(log, seen, known, eyes),
        rolls=tuple(audit_rolls.sums(known)),
        overrules=tuple(people.overrulings(seen)),
        modifiers=tuple(people.late_modifiers(seen)),
        adjustments=tuple(people.adjustments(seen)),
        rewinds=tuple(people.rewindings(seen)),
        amendments=tuple(people.corrections(seen)),
        second_thoughts=tuple(second_thoughts(seen)),
        disputes=tuple(disputed(seen).values()),
        out_of_sight=people.out_of_sight(log, eyes),
        backwards=tuple(time_reversals(seen)),
    )


def _chain(log: Log, head: str | None) -> Chain:
    given = (head or "").lower()
    try:
        found = log.verify(given or None)
    except Broken as broken:
        return Chain(False, log.digest.hex(), given, broken.message)
    if found.digest != log.digest:
        return Chain(False, found.digest.hex(), given, "the log is not what was read a moment ago")
    return Chain(True, found.digest.hex(), given)


def _dice(log: Log, seen: Log, known: EventIndex, eyes: Viewer) -> DiceAudit:
    proof = dice_proof.verify(seen)
    lay = lay_already(log)
    drawn = audit_dice.drawn(seen, proof, lay)
    return DiceAudit(
        by=tuple(audit_dice.provenances(seen, lay)),
        status=proof.status,
        commitment=proof.commitment,
        policy=proof.policy,
        drawn=drawn.faces,
        drawn_rolls=drawn.rolls,
        verified=drawn.verified,
        on_record=proof.drawn,
        problems=(*proof.problems, *(str(wrong) for wrong in proof.wrong)),
        draws=tuple(audit_dice.draws(log, seen, proof, eyes, lay)),
        unanswered=tuple(audit_dice.unanswered(seen, known)),
        shares=tuple(audit_dice.shares(seen)),
    )
