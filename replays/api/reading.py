"""Reads a session as a viewer may see it; writes nothing."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Declare
from ledger.entry import Who
from ledger.requests.command_checks import check_command
from machines.contract.ruleset import Ruleset
from machines.contract.ruleset import ruleset as rules
from machines.engine.options import Possibility
from replays.api.consistency import consistently
from replays.api.reading_arguments import BadArgument, check_choices, check_eyes, check_number, check_text
from replays.api.viewing import SessionView
from replays.audit.disputes.register import Disputed, disputed
from replays.audit.why import Why
from replays.audit.why import why as explained
from replays.odds.fight.limits import MOST_SAMPLES, SAMPLES
from replays.odds.known_state import possible
from replays.sessions.hidden_names import Names
from replays.views.frames import MOST_STEPS

if TYPE_CHECKING:
    from replays.audit.audit import Audit
    from replays.audit.disputes.case import Dispute
    from replays.exports.recap import Recap
    from replays.exports.theatre.model import Outline, ReplaySteps
    from replays.odds.fight.chances import FightChances
    from replays.odds.luck import Luck
    from replays.odds.odds import Odds

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
    def why(self, subject: str, eyes: Viewer = EVERYTHING, *, at: int | None = None) -> Why:
        """Explains a roll, an exchange, or a figure of a combatant's health such as ``stoya.damage``.

        Args:
            subject: A key, a shorthand of one, or who and what.
            eyes: The viewer.
            at: Explains it as of when this entry had been appended, also if it was undone since; by default as of now.

        Raises:
            NoSuchEntry: There is no entry of that number.
            NoSuchRoll: No such key stands.
            UnknownCombatant: There is no combatant of that id.
            NothingThere: That figure never changed.
            BadArgument: An argument has a wrong type.
        """
        check_text(subject, "subject", _SUBJECT)
        if at is not None:
            self.log.check(at)
        head = None if at is None else self.log.timeline.head_at(at)
        return explained(self.log, Names(self.seen(eyes, head)).key(subject), eyes, head)

    # -------------------------------------------------------------------------------------------- replaying

    @consistently
    def outline(self, eyes: Viewer = EVERYTHING) -> "Outline":
        """Returns the record as a whole: where rounds, turns and exchanges begin, what was undone, health over time."""
        from replays.exports.theatre.outline import outline  # noqa: PLC0415  a fight is played without it

        check_eyes(eyes)
        return outline(self._seen_logs.of(eyes), eyes)

    @consistently
    def steps(
        self, after: int = 0, limit: int = MOST_STEPS, eyes: Viewer = EVERYTHING, *, size: int | None = None
    ) -> "ReplaySteps":
        """Returns entries, each in sentences and with what it changes of the state.

        Args:
            after: The number of the entry before them.
            limit: At most so many.
            eyes: The viewer.
            size: The bytes of JSON after which there are no further steps; None for no such bound.

        Raises:
            NoSuchEntry: There is no entry of that number.
            BadArgument: An argument has a wrong type, or the limit is not positive.
        """
        from replays.exports.theatre.steps import steps  # noqa: PLC0415  a fight is played without it

        check_eyes(eyes)
        check_number(after, "after", _ENTRY)
        check_number(limit, "limit", "a positive number")
        if after:
            self.log.check(after)
        if limit < 1:
            raise BadArgument(f"{limit} is no limit", where="limit", accepts="a positive number")
        return steps(self._seen_logs.of(eyes), after, limit, eyes, size)

    @consistently
    def replay_page(self, eyes: Viewer = EVERYTHING, seat: str = "gm", name: str = "") -> bytes:
        """Returns the record as one HTML file that replays it in a browser, without a server.

        Args:
            eyes: The viewer.
            seat: The seat's name in the file.
            name: The player's name in the file; empty for other seats.
        """
        from replays.exports.theatre.saved import saved_page  # noqa: PLC0415  a fight is played without it

        check_eyes(eyes)
        check_text(seat, "seat", "the name of the seat")
        check_text(name, "name", "the player's name")
        return saved_page(self.log, eyes, seat, name=name)

    @consistently
    def odds(
        self,
        key: str | None = None,
        *,
        declare: Declare | None = None,
        choices: Mapping[str, str] | None = None,
        seed: int = 1,
        eyes: Viewer = EVERYTHING,
        first: "Callable[[Odds], None] | None" = None,
    ) -> "Odds":
        """Returns the possible results of an open roll or a declaration, with their probabilities.

        Args:
            key: The key of the roll, or a shorthand; by default the open one.
            declare: The declaration.
            choices: The options chosen on the way, by key.
            seed: The seed for sampling, where sampling is necessary.
            eyes: The viewer.
            first: Receives a sampled answer with its errors within 0.2 seconds, if the final answer takes longer.

        Raises:
            BadArgument: An argument has a wrong type.
            BadCommand: A field of the declaration is of a wrong type, or beyond its bound.
            Refused: There is no such roll, or the declaration is illegal.
        """
        from replays.odds.odds import odds as reckoned  # noqa: PLC0415  a fight is played without it

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
        return reckoned(self.game, seen, declare, key, choices=chosen, eyes=eyes, seed=seed, first=first)

    @consistently
    def chances(
        self, at: int | None = None, eyes: Viewer = EVERYTHING, *, samples: int = SAMPLES, seed: int = 1
    ) -> "FightChances":
        """Returns the chances that the combatants are standing at the end of the fight, with their 90 % intervals.

        Args:
            at: As of when this entry had been appended, also if it was undone since; by default as of now.
            eyes: The viewer.
            samples: How many times the fight is played, at most; long fights are played less often.
            seed: The seed of the dice.

        Raises:
            NoSuchEntry: There is no entry of that number.
            NotFighting: No fight has begun by then.
            BadArgument: An argument has a wrong type, or the number of samples is out of bounds.
            Refused: Too much is hidden from the viewer, or the fight is too long.
        """
        from replays.odds.fight.chances import fight_chances  # noqa: PLC0415  a fight is played without it

        check_eyes(eyes)
        check_number(samples, "samples", "a positive number")
        check_number(seed, "seed", "a whole number")
        if not 1 <= samples <= MOST_SAMPLES:
            raise BadArgument(f"{samples} cannot be sampled", where="samples", accepts=f"1 to {MOST_SAMPLES}")
        entry, head, digest = self._as_of(at)
        found = fight_chances(self.game, self.seen(eyes, head), eyes=eyes, seed=seed, samples=samples)
        return msgspec.structs.replace(found, entry=entry, digest=digest.hex())

    @consistently
    def luck(self, eyes: Viewer = EVERYTHING) -> "Luck":
        """Returns the results of the session's dice beside their expectation."""
        from replays.odds.luck import luck  # noqa: PLC0415  a fight is played without it

        check_eyes(eyes)
        return luck(self.log, eyes)

    @consistently
    def recap(self, eyes: Viewer = EVERYTHING) -> "Recap":
        """Returns who put which combatant down, the turning points, luck, and corrections in words."""
        from replays.exports.recap import recap  # noqa: PLC0415  a fight is played without it

        check_eyes(eyes)
        return recap(self.log, eyes)

    @consistently
    def audit(self, head: str | None = None, eyes: Viewer = EVERYTHING) -> "Audit":
        """Audits the record: its integrity, the provenance of its dice, and the decisions that overrode rules.

        Args:
            head: A digest, in hex, that a client kept; it must be part of the log.
            eyes: The viewer.

        Raises:
            BadArgument: An argument has a wrong type.
        """
        from replays.audit.audit import audit  # noqa: PLC0415  a fight is played without it

        check_eyes(eyes)
        if head is not None:
            check_text(head, "head", "a digest in hexadecimal digits")
        return audit(self.log, head, eyes)

    @consistently
    def disputes(self, eyes: Viewer = EVERYTHING) -> tuple[Disputed, ...]:
        """Returns the disputes of the session, open and settled."""
        check_eyes(eyes)
        return tuple(disputed(self.log, eyes).values())

    @consistently
    def dispute(self, dispute: str, eyes: Viewer = EVERYTHING) -> "Dispute":
        """Returns one dispute, such as ``d1``, with its evidence.

        Raises:
            NoSuchDispute: There is none of that id, or not for these eyes.
        """
        from replays.audit.disputes.case import dispute as case  # noqa: PLC0415  a fight is played without it

        check_eyes(eyes)
        check_text(dispute, "dispute", "the id of a dispute, such as 'd1'")
        return case(self.log, dispute, eyes)

    def export(self, eyes: Viewer = EVERYTHING, seat: str = "gm") -> Iterator[bytes]:
        """Yields the session as JSON lines, without line ends; see `replays.exports.jsonl`."""
        from replays.exports import jsonl  # noqa: PLC0415  a fight is played without it

        check_eyes(eyes)
        check_text(seat, "seat", "the name of the seat")
        return jsonl.export(self.log, eyes, seat)
