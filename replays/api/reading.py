"""Reads a session as a viewer may see it; writes nothing."""

from collections.abc import Iterator, Mapping

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Declare
from ledger.entry import Who
from ledger.requests.command_checks import check_command
from machines.contract.ruleset import Ruleset
from machines.contract.ruleset import ruleset as rules
from machines.engine.options import Possibility
from replays.api.consistency import consistently
from replays.api.reading_arguments import check_choices, check_eyes, check_number, check_text
from replays.api.viewing import SessionView
from replays.audit.audit import Audit
from replays.audit.audit import audit as audited
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.case import dispute as looked_into
from replays.audit.disputes.register import Disputed, disputed
from replays.audit.why import Why
from replays.audit.why import why as explained
from replays.exports import jsonl
from replays.exports.recap import Recap
from replays.exports.recap import recap as recapped
from replays.odds.known_state import possible
from replays.odds.luck import Luck
from replays.odds.luck import luck as measured
from replays.odds.odds import Odds
from replays.odds.odds import odds as reckoned
from replays.sessions.hidden_names import Names

_ENTRY = "the number of an entry"
_SUBJECT = "a key, a shorthand, or who and what, such as 'kira.damage'"
_ANONYMOUS = Who("anybody")
"""Placeholder caller for odds of a declaration; it is never recorded."""


class SessionReader(SessionView):
    """Reads a session's log: what its rules allow, explain and expect."""

    @property
    def game(self) -> Ruleset:
        """The ruleset of the session."""
        return rules(self.combat.session.ruleset)

    @consistently
    def options(self, eyes: Viewer = EVERYTHING) -> tuple[Possibility, ...]:
        """Returns what is legal now, with its figures, and why other options are not.

        Args:
            eyes: The viewer; a player gets the options of their combatants, from what they can see.
        """
        return possible(self.game, self.seen(eyes), eyes)

    # -------------------------------------------------------------------------------------------- explaining

    @consistently
    def why(self, subject: str, eyes: Viewer = EVERYTHING) -> Why:
        """Explains a roll, an exchange, or a figure of a combatant's health such as ``stoya.damage``.

        Raises:
            NoSuchRoll: No such key stands.
            UnknownCombatant: There is no combatant of that id.
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
        """Returns the possible results of an open roll or a declaration, with their probabilities.

        Args:
            key: The key of the roll, or a shorthand; by default the open one.
            declare: The declaration.
            choices: The options chosen on the way, by key.
            seed: The seed for sampling, where sampling is necessary.
            eyes: The viewer.

        Raises:
            BadArgument: An argument has a wrong type.
            BadCommand: A field of the declaration is of a wrong type, or beyond its bound.
            Refused: There is no such roll, or the declaration is illegal.
        """
        check_number(seed, "seed", "a whole number")
        check_choices(choices or {})
        if key is not None:
            check_text(key, "key", "the key of an open roll, or a shorthand")
        if declare is not None:
            check_command(_ANONYMOUS, declare)
        seen = self.seen(eyes)
        names = Names(seen)
        if declare is not None:
            declare = msgspec.structs.replace(declare, by=names.of(declare.by), terms=names.plain(declare.terms))
        key = None if key is None else names.key(key)
        chosen = {names.key(each): option for each, option in (choices or {}).items()}
        return reckoned(self.game, seen, declare, key, choices=chosen, eyes=eyes, seed=seed)

    @consistently
    def luck(self, eyes: Viewer = EVERYTHING) -> Luck:
        """Returns the results of the session's dice beside their expectation."""
        check_eyes(eyes)
        return measured(self.log, eyes)

    @consistently
    def recap(self, eyes: Viewer = EVERYTHING) -> Recap:
        """Returns who put which combatant down, the turning points, luck, and corrections in words."""
        check_eyes(eyes)
        return recapped(self.log, eyes)

    @consistently
    def audit(self, head: str | None = None, eyes: Viewer = EVERYTHING) -> Audit:
        """Audits the record: its integrity, the provenance of its dice, and the decisions that overrode rules.

        Args:
            head: A digest, in hex, that a client kept; it must be part of the log.
            eyes: The viewer.

        Raises:
            BadArgument: An argument has a wrong type.
        """
        check_eyes(eyes)
        if head is not None:
            check_text(head, "head", "a digest in hexadecimal digits")
        return audited(self.log, head, eyes)

    @consistently
    def disputes(self, eyes: Viewer = EVERYTHING) -> tuple[Disputed, ...]:
        """Returns the disputes of the session, open and settled."""
        check_eyes(eyes)
        return tuple(disputed(self.log, eyes).values())

    @consistently
    def dispute(self, dispute: str, eyes: Viewer = EVERYTHING) -> Dispute:
        """Returns one dispute, such as ``d1``, with its evidence.

        Raises:
            NoSuchDispute: There is none of that id, or not for these eyes.
        """
        check_eyes(eyes)
        check_text(dispute, "dispute", "the id of a dispute, such as 'd1'")
        return looked_into(self.log, dispute, eyes)

    def export(self, eyes: Viewer = EVERYTHING, seat: str = "gm") -> Iterator[bytes]:
        """Yields the session as JSON lines, without line ends; see `replays.exports.jsonl`."""
        check_eyes(eyes)
        check_text(seat, "seat", "the name of the seat")
        return jsonl.export(self.log, eyes, seat)
