"""The audit of a session: is the record whole, are the dice honest, what did people decide beside the rules?"""

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.errors import Broken
from replays.audit import dice as audit_dice
from replays.audit import dice_proof, people
from replays.audit import rolls as audit_rolls
from replays.audit.dice import Draw, Provenance, Share
from replays.audit.disputes.register import Disputed, disputed
from replays.audit.lying_dice import lay_already
from replays.audit.people import Adjustment, Correction, LateModifier, Overruling, Rewinding
from replays.audit.rerolls import SecondThought, second_thoughts
from replays.audit.rolls import Sum
from replays.audit.times import Backwards, backwards
from replays.sessions.log import Log
from replays.views.seat_log import seen_log


class Chain(msgspec.Struct, frozen=True):
    """Does the hash chain hold?"""

    holds: bool
    head: str
    """Of the last entry, in hex."""
    given: str = ""
    """A head that somebody kept, and that must be part of the log."""
    problem: str = ""


class Dice(msgspec.Struct, frozen=True):
    """Where the dice came from."""

    by: tuple[Provenance, ...]
    status: str
    """Of what was drawn: ``not provable``, ``sealed``, ``verified`` or ``broken``."""
    commitment: str
    policy: str
    drawn: int
    """Faces, each once, seen or not."""
    verified: int
    """Faces among them that are what the revealed seed gives."""
    problems: tuple[str, ...]
    draws: tuple[Draw, ...]
    unanswered: tuple[str, ...]
    """The keys of rolls that were asked for, are no longer open, and were never thrown."""
    drawn_rolls: int = 0
    """The rolls in which faces were drawn."""
    on_record: int = 0
    """Drawn faces in all entries, and all of them are checked: where they were performed again, again."""
    shares: tuple[Share, ...] = ()
    """The players' shares in the seed, and who gave each."""

    @property
    def drawn_again(self) -> tuple[Draw, ...]:
        """Draws of a key that had been drawn before."""
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
    dice: Dice
    rolls: tuple[Sum, ...]
    """The rolls that stand, itemized."""
    overrules: tuple[Overruling, ...]
    """The slips, too: each with what the rule says."""
    modifiers: tuple[LateModifier, ...]
    """The gamemaster's, after the dice lay on the table."""
    adjustments: tuple[Adjustment, ...]
    rewinds: tuple[Rewinding, ...]
    amendments: tuple[Correction, ...]
    second_thoughts: tuple[SecondThought, ...]
    """Other declarations, after a die was seen and undone."""
    disputes: tuple[Disputed, ...]
    out_of_sight: int
    """So many of the gamemaster's words whoever asks may not see."""
    backwards: tuple[Backwards, ...] = ()
    """Entries that say they were written before the entry before them. It breaks nothing: clocks are set back."""

    @property
    def is_sound(self) -> bool:
        """Does the chain hold, and is no die broken?"""
        return self.chain.holds and self.dice.status != dice_proof.BROKEN


def audit(log: Log, head: str | None = None, eyes: Viewer = EVERYTHING) -> Audit:
    """Audit a session.

    Args:
        log: The session.
        head: A digest, in hex, from somebody who kept it: it must be part of the log.
        eyes: Who asks; what they may not see is left out. The chain is checked whole.
    """
    seen = seen_log(log, eyes)
    info = seen.combat.session
    return Audit(
        session=log.session,
        title=info.title,
        ruleset=info.ruleset,
        profile=info.profile,
        entries=log.last,
        standing=len(log.timeline.line()),
        chain=_chain(log, head),
        dice=_dice(log, seen, eyes),
        rolls=tuple(audit_rolls.sums(seen)),
        overrules=tuple(people.overrulings(seen)),
        modifiers=tuple(people.late_modifiers(seen)),
        adjustments=tuple(people.adjustments(seen)),
        rewinds=tuple(people.rewindings(seen)),
        amendments=tuple(people.corrections(seen)),
        second_thoughts=tuple(second_thoughts(seen)),
        disputes=tuple(disputed(seen).values()),
        out_of_sight=people.out_of_sight(log, eyes),
        backwards=tuple(backwards(seen)),
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


def _dice(log: Log, seen: Log, eyes: Viewer) -> Dice:
    proof = dice_proof.verify(seen)
    lay = lay_already(log)
    drawn = audit_dice.drawn(seen, proof, lay)
    return Dice(
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
        unanswered=tuple(audit_dice.unanswered(seen)),
        shares=tuple(audit_dice.shares(seen)),
    )
