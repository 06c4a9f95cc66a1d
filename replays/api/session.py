"""Session: one fight's record, to be played, undone and read. The object that other programs embed.

>>> from replays import Session
>>> from ledger.commands import Join, BeginCombat
>>> session = Session.create("memory://", ruleset="eclipse_phase_1e", title="A brawl")
>>> sheet = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
>>> _ = session.perform(Join("ann", sheet)), session.perform(BeginCombat())
>>> [rest.key for rest in session.rests]
['r1/ann/initiative']
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ledger import chain, codec
from ledger.commands import Amend, ApplyModifier, Command, OpenSession, Overrule, Rewind
from ledger.draw import commitment
from ledger.entry import Entry, Who
from ledger.events import Audience
from ledger.stores import Store, open_store
from machines.engine.framing import check_open
from replays.api import old_repeats
from replays.api.consistency import consistently
from replays.api.rewinding import Rewinds
from replays.api.seat_refusals import as_far_as_seen, check_asked
from replays.corrections.amend import Amending, Amendment, Correction
from replays.corrections.change import Change, change_of, checked, plain
from replays.corrections.thrown_rolls import Thrown
from replays.corrections.waiting import Waiting
from replays.corrections.which_entry import meant
from replays.sessions import permissions, ports, stored_records
from replays.sessions.asked import Asked, by_hand, plainly
from replays.sessions.log import Draft, Log, sealed
from replays.sessions.lookup import find_session, open_key
from replays.sessions.opening import as_dict, opening, session_id
from replays.sessions.permissions import GM
from replays.sessions.provable_dice import SEALED
from replays.sessions.writer import ANYWHERE, secretly

UNTITLED = "A fight"
"""What a session is called that nobody has given a title."""


class Session(Rewinds):
    """A session's log, and what can be done with it."""

    def __init__(
        self, store: Store, session: str, *, draw: ports.Drawer | None = None, clock: Callable[[], str] = ports.now
    ) -> None:
        """Open a session that is there.

        Args:
            store: Where it is kept.
            session: Its id.
            draw: Throws dice for `DrawDice`, where the session has committed to no seed.
            clock: Says when entries are appended.

        Raises:
            NoSuchSession: There is none of that id.
        """
        super().__init__(Log(store, session), draw or ports.draw, clock)
        self._amending = Amending(self.log, self._drafting)
        self._thrown = Thrown(self.log, self._drafting)
        self.waiting = Waiting(self.log, self._drafting)

    @classmethod
    def open(
        cls,
        url: str,
        session: str | None = None,
        *,
        draw: ports.Drawer | None = None,
        clock: Callable[[], str] = ports.now,
    ) -> "Session":
        """Open a session at a store's address.

        Args:
            url: Such as ``sqlite:///affray.db``.
            session: An id or a unique beginning of one; left out, the one created last.
            draw: Throws dice for `DrawDice`, where the session has committed to no seed.
            clock: Says when entries are appended.

        Raises:
            NoSuchSession: There is none, or more than one begins so.
        """
        store = open_store(url)
        return cls(store, find_session(store, session), draw=draw, clock=clock)

    @classmethod
    def create(
        cls,
        url: str | Store,
        *,
        ruleset: str,
        title: str = "",
        profile: str = "",
        options: Mapping[str, Any] | None = None,
        policies: Mapping[str, str] | None = None,
        source: str = "",
        campaign: str = "",
        by: Who = GM,
        session: str | None = None,
        draw: ports.Drawer | None = None,
        clock: Callable[[], str] = ports.now,
    ) -> "Session":
        """Begin a new session.

        Args:
            url: A store, or its address.
            ruleset: Such as ``eclipse_phase_1e``.
            title: What people call it.
            profile: The printing; left out, the ruleset's default.
            options: Profile fields set differently for this session.
            policies: What the table agreed on.
            source: Where the fight comes from, if it is printed somewhere.
            campaign: The campaign that the session belongs to.
            by: Who opens it.
            session: An id to give it; left out, a new one.
            draw: Throws dice for `DrawDice`; left out, they are drawn from a seed that is sealed and committed to.
            clock: Says when entries are appended.

        Raises:
            Refused: No such ruleset, profile or option, a wrong type, too long; then nothing was created.
        """
        name = session_id(session)
        seed = ports.new_seed() if draw is None else b""
        promise = commitment(seed) if seed else ""
        agreed = as_dict(options), as_dict(policies)
        command = OpenSession(title or UNTITLED, ruleset, profile, *agreed, promise, source, campaign)
        draft = opening(command, by)
        store = open_store(url) if isinstance(url, str) else url
        records, _ = sealed([draft], clock(), [ports.new_secret()], chain.genesis(name))
        store.create(name, records, sealed={SEALED: seed} if seed else {})
        return cls(store, name, draw=draw, clock=clock)

    def close(self) -> None:
        """Let go of the store."""
        self.log.store.close()

    # -------------------------------------------------------------------------------------------- playing

    def perform(
        self, command: Command, *, by: Who = GM, expected: int | None = None, batch: str | None = None
    ) -> Entry:
        """Ask for something. It is decided, written down durably, and returned with all that followed.

        What is performed again behind it, after a correction or an overruling, is in `performed`.

        Args:
            command: What is wanted. `DrawDice` gets its faces here.
            by: Who wants it, and from which seat.
            expected: The number of the last entry that the caller knew; left out, whatever is there.
            batch: An idempotency key, 1 to 255 visible characters: the same command under it is performed once.

        Raises:
            Refused: It cannot be; nothing was written.
            Stale: Somebody else wrote after `expected`.
            KeyReused: The key belongs to another command.
        """
        return self.performed(command, by=by, expected=expected, batch=batch)[0]

    @consistently
    def performed(
        self, command: Command, *, by: Who = GM, expected: int | None = None, batch: str | None = None
    ) -> list[Entry]:
        """The same with every entry that was written for it. Arguments and refusals are those of `perform`."""
        codec.check_command(by, command)
        command = by_hand(command)
        asked: dict[str, Any] = {"by": by, "expected": expected, "batch": batch}
        match command:
            case Rewind():
                return [self.rewind(command.to, why=command.why, seen_by=command.seen_by, **asked)]
            case Overrule():
                return self._overruled(command, **asked)
            case ApplyModifier() if not any(rest.key == command.key for rest in self.rests):
                return self._modified(command, **asked)
            case Amend():
                asked |= {"why": command.why, "seen_by": command.seen_by}
                return list(self.amend(command.entry, change_of(command.change), **asked).entries)
            case _:
                return self._writer.write(lambda: self._plain(plainly(command, by)), command, by, expected, batch)

    def _plain(self, asked: Asked) -> list[Draft]:
        """A command, and what an amendment has waiting behind it."""
        waiting = self.waiting
        return as_far_as_seen(
            self, asked, lambda: waiting.continued(self._drafts(waiting.completed(asked).command, asked.by))
        )

    # -------------------------------------------------------------------------------------------- the gamemaster's word

    @consistently
    def overrule(
        self,
        key: str,
        figure: str,
        value: int | str,
        *,
        why: str,
        seen_by: Audience = None,
        by: Who = GM,
        expected: int | None = None,
        batch: str | None = None,
    ) -> list[Entry]:
        """Put the gamemaster's word in the place of a figure; what followed is decided again with the same dice.

        Args:
            key: Of the roll or exchange that the figure belongs to; a shorthand will do.
            figure: Its name, such as ``dv`` or ``outcome``.
            value: What it is to be.
            why: The reason, for the record.
            seen_by: Who may see the reason; left out, who may see the figure.
            by: The gamemaster.
            expected: As for `perform`.
            batch: The idempotency key.

        Returns:
            The overruling and the entries that were performed again.

        Raises:
            NoSuchFigure: Nothing of that name was found under that key.
            ImpossibleFigure: It cannot be that.
        """
        return self._overruled(Overrule(key, figure, value, why, seen_by=seen_by), by, expected, batch)

    def _overruled(self, command: Overrule, by: Who, expected: int | None, batch: str | None) -> list[Entry]:
        check_asked(self.combat, by, command)

        def drafts() -> list[Draft]:
            check_open(self.combat)
            return self._thrown.overruling(command, by)

        return self._writer.write(drafts, command, by, expected, batch)

    @consistently
    def modify(
        self,
        key: str,
        value: int,
        *,
        why: str,
        seen_by: Audience = None,
        by: Who = GM,
        expected: int | None = None,
        batch: str | None = None,
    ) -> list[Entry]:
        """Apply a gamemaster's modifier to a roll, open or already thrown; the dice stay as they lie.

        Args:
            key: Of the roll; a shorthand will do.
            value: Signed.
            why: The reason, for the record.
            seen_by: Who may see it; left out, who may see the roll.
            by: The gamemaster.
            expected: As for `perform`.
            batch: The idempotency key.

        Raises:
            NoSuchRoll: There is no roll of that key.
        """
        command = ApplyModifier(key, value, why, seen_by=seen_by)
        check_asked(self.combat, by, command)
        return self._modified(command, by, expected, batch)

    def _modified(self, asked: ApplyModifier, by: Who, expected: int | None, batch: str | None) -> list[Entry]:
        known = self._writer.known(asked, by, batch)
        if known:
            return known
        command = msgspec.structs.replace(asked, given_at=None)
        waiting = open_key(self.combat, asked.key)
        if waiting:
            resolved = msgspec.structs.replace(asked, key=waiting)
            return self._writer.write(
                lambda: self._plain(plainly(resolved, by)), resolved, by, expected, batch, asked=(asked,)
            )

        def drafts() -> list[Draft]:
            check_open(self.combat)
            return self._thrown.modifying(command, by)

        return self._writer.write(drafts, command, by, expected, batch, asked=(asked,))

    # -------------------------------------------------------------------------------------------- correcting

    @consistently
    def amend(
        self,
        entry: int | str,
        change: Change,
        *,
        why: str,
        seen_by: Audience = None,
        by: Who = GM,
        consent: bool = False,
        expected: int | None = None,
        batch: str | None = None,
    ) -> Amendment:
        """Correct an old entry; every die stays as it lies, and all that followed is decided again.

        Args:
            entry: Its number; or the key of a roll or an exchange, or a shorthand of one.
            change: What was otherwise.
            why: The reason, for the record.
            seen_by: Who may see what is said of it; left out, who may see what is corrected.
            by: The gamemaster.
            consent: May today's rules decide what followed, even where they decide it otherwise than then?
            expected: As for `perform`.
            batch: The idempotency key.

        Raises:
            BadChange: There is nothing to change, or not so.
            Drifted: Today's rules differ from the record, and nobody has consented.
        """
        change = checked(change)
        permissions.check(self.combat, by, Amend(ANYWHERE, {}, why))
        request = ("amend", entry, plain(change), why, *secretly(seen_by))
        before = self._amended_before(request, change, by, batch)
        if before is not None:
            return before
        command = Amend(meant(self.log, entry), plain(change), why, seen_by=seen_by)
        codec.check_command(by, command)
        made: list[Correction] = []

        def drafts() -> list[Draft]:
            check_open(self.combat)
            made.append(self._amending.correction(command, change, by, consent=consent))
            return made[-1].drafts

        entries = self._writer.write(drafts, command, by, expected, batch, asked=request)
        return Amendment(msgspec.structs.replace(made[-1].report, kind="amendment"), tuple(entries))

    def _amended_before(self, request: tuple[Any, ...], change: Change, by: Who, batch: str | None) -> Amendment | None:
        """What was written under a key before, told again as it was told then."""
        records = self.log.answered(batch)
        if not records:
            return None
        _, entry, _, why, *_ = request
        then = Session(old_repeats.store_as_of(self.log, records[0].seq - 1), self.id)
        was_amended = isinstance(stored_records.entry(records[0]).command, Amend)
        number = meant(then.log, entry) if was_amended else ANYWHERE
        entries = self._writer.known(Amend(number, plain(change), why), by, batch, request)
        then._unwritten.draw_again(entries)
        report = then._reported(Amend(number, plain(change), why), change, by, consent=True)
        return Amendment(msgspec.structs.replace(report, kind="amendment"), tuple(entries))
