"""What can be read of a session, through somebody's eyes; nothing here is ever written."""

from collections.abc import Iterator, Mapping

import msgspec

from ledger.asking import check_command
from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Declare
from ledger.entry import Entry, Who
from machines.contract.ruleset import Ruleset
from machines.contract.ruleset import ruleset as rules
from machines.engine.options import Possibility
from projections.combat import Combat
from projections.path import Rest
from projections.views.document import State
from replays.api.consistency import Consistency, consistently
from replays.api.reading_arguments import check_choices, check_eyes, check_number, check_text
from replays.audit.audit import Audit
from replays.audit.audit import audit as audited
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.case import dispute as looked_into
from replays.audit.disputes.register import Disputed, disputed
from replays.audit.why import Why
from replays.audit.why import why as explained
from replays.exports import jsonl
from replays.odds.known_state import possible
from replays.odds.luck import Luck
from replays.odds.luck import luck as measured
from replays.odds.odds import Odds
from replays.odds.odds import odds as reckoned
from replays.sessions.hidden_names import Names
from replays.sessions.log import Log
from replays.sessions.wording import document
from replays.views.view_cache import Seeing

_ENTRY = "the number of an entry"
_SUBJECT = "a key, a shorthand, or who and what, such as 'kira.damage'"
_ANYBODY = Who("anybody")
"""Who asks what may come of a declaration: nothing is written, so the name is on no record."""


class Reading:
    """A session's log, read.

    Args:
        log: The session's.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.consistency = Consistency(log)
        self._seeing = Seeing(log)

    @property
    def id(self) -> str:
        """The session's id."""
        return self.log.session

    @property
    def combat(self) -> Combat:
        """What is so now."""
        return self.log.combat

    @property
    def game(self) -> Ruleset:
        """The rules it is played by."""
        return rules(self.combat.session.ruleset)

    @property
    def rests(self) -> tuple[Rest, ...]:
        """The rolls and choices that the table waits for."""
        return self.combat.rests

    @consistently
    def options(self, eyes: Viewer = EVERYTHING) -> tuple[Possibility, ...]:
        """What is legal now, with the numbers, and why another thing is not.

        Args:
            eyes: Who asks; a player is offered what their combatants can do, as far as they can see.
        """
        return possible(self.game, self.seen(eyes), eyes)

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Returns the entries of the log, standing or not, in order.

        Args:
            after: Only those after this entry.
            upto: Only those up to this entry; left out, to the last.

        Raises:
            BadArgument: A number has a wrong type.
        """
        check_number(after, "after", _ENTRY)
        if upto is not None:
            check_number(upto, "upto", _ENTRY)
        return self.log.entries(after, upto)

    @consistently
    def state(self, at: int | None = None, eyes: Viewer = EVERYTHING) -> State:
        """What is so, as a plain document.

        Args:
            at: As it stood when this entry had been appended; left out, now.
            eyes: Whose view it is.

        Raises:
            NoSuchEntry: There is no entry of that number.
            BadArgument: `eyes` is no `Viewer`.
        """
        check_eyes(eyes)
        if at is not None:
            self.log.check(at)
        head = self.log.head if at is None else self.log.timeline.head_at(at)
        last = self.log.last if at is None else at
        digest = self.log.digest if at is None else next(self.log.store.read(self.id, last - 1, last)).digest
        return document(self.seen(eyes, head), self.id, entries=last, head=head, digest=digest)

    def seen(self, eyes: Viewer, head: int | None = None) -> Combat:
        """What is so as far as these eyes can see; with all that was told since.

        Args:
            eyes: Whose view it is.
            head: The entry that the line ends with; left out, what stands.

        Raises:
            BadArgument: An argument has a wrong type.
        """
        check_eyes(eyes)
        if head is not None:
            check_number(head, "head", _ENTRY)
        return self._seeing.combat(eyes, self.log.head if head is None else head)

    # -------------------------------------------------------------------------------------------- explaining

    @consistently
    def why(self, subject: str, eyes: Viewer = EVERYTHING) -> Why:
        """Explain a roll, an exchange, or a figure of somebody's health, such as ``stoya.damage``.

        Raises:
            NoSuchRoll: No such key stands.
            UnknownCombatant: Nobody of that id.
            NothingThere: That figure never changed.
            BadArgument: An argument has a wrong type.
        """
        check_text(subject, "subject", _SUBJECT)
        return explained(self.log, Names(self.seen(eyes)).key(subject), eyes)

    @consistently
    def odds(
        self,
        key: str | None = None,
        *,
        declare: Declare | None = None,
        choices: Mapping[str, str] | None = None,
        seed: int = 1,
        eyes: Viewer = EVERYTHING,
    ) -> Odds:
        """What may come of an open roll or of a declaration, and how likely each of it is.

        Args:
            key: Of the roll, or a shorthand; left out, what is waited for.
            declare: What is to be declared.
            choices: By key, what is chosen on the way.
            seed: Of the dice, where it has to be sampled.
            eyes: Who asks.

        Raises:
            BadArgument: An argument has a wrong type.
            BadCommand: A field of the declaration is of a wrong type, or beyond its bound.
            Refused: There is no such roll, or it cannot be declared.
        """
        check_number(seed, "seed", "a whole number")
        check_choices(choices or {})
        if key is not None:
            check_text(key, "key", "the key of an open roll, or a shorthand")
        if declare is not None:
            check_command(_ANYBODY, declare)
        seen = self.seen(eyes)
        names = Names(seen)
        if declare is not None:
            declare = msgspec.structs.replace(declare, by=names.of(declare.by), terms=names.plain(declare.terms))
        key = None if key is None else names.key(key)
        chosen = {names.key(each): option for each, option in (choices or {}).items()}
        return reckoned(self.game, seen, declare, key, choices=chosen, eyes=eyes, seed=seed)

    @consistently
    def luck(self, eyes: Viewer = EVERYTHING) -> Luck:
        """What the dice of the session showed beside what was expected of them."""
        check_eyes(eyes)
        return measured(self.log, eyes)

    @consistently
    def audit(self, head: str | None = None, eyes: Viewer = EVERYTHING) -> Audit:
        """Is the record whole, are the dice honest, what did people decide beside the rules?

        Args:
            head: A digest, in hex, from somebody who kept it: it must be part of the log.
            eyes: Who asks.

        Raises:
            BadArgument: An argument has a wrong type.
        """
        check_eyes(eyes)
        if head is not None:
            check_text(head, "head", "a digest in hexadecimal digits")
        return audited(self.log, head, eyes)

    @consistently
    def disputes(self, eyes: Viewer = EVERYTHING) -> tuple[Disputed, ...]:
        """The disputes of the session, open and settled."""
        check_eyes(eyes)
        return tuple(disputed(self.log, eyes).values())

    @consistently
    def dispute(self, dispute: str, eyes: Viewer = EVERYTHING) -> Dispute:
        """One of them, such as ``d1``, with its evidence.

        Raises:
            NoSuchDispute: There is none of that id, or not for these eyes.
        """
        check_eyes(eyes)
        check_text(dispute, "dispute", "the id of a dispute, such as 'd1'")
        return looked_into(self.log, dispute, eyes)

    def export(self, eyes: Viewer = EVERYTHING, seat: str = "gm") -> Iterator[bytes]:
        """The session as JSON lines, without line ends; see `replays.exports.jsonl`."""
        check_eyes(eyes)
        check_text(seat, "seat", "the name of the seat")
        return jsonl.export(self.log, eyes, seat)
