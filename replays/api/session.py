"""Session: one fight's record, to be played, undone and read. The object that other programs embed.

>>> from replays import Session
>>> from ledger.commands import Join, BeginCombat
>>> session = Session.create("memory://", ruleset="eclipse_phase_1e", title="A brawl")
>>> sheet = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
>>> _ = session.perform(Join("ann", sheet)), session.perform(BeginCombat())
>>> [rest.key for rest in session.rests]
['r1/ann/initiative']
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any
from warnings import warn

import msgspec

from ledger import chain
from ledger.commands import Amend, ApplyModifier, Command, OpenSession, Overrule, Rewind
from ledger.draw import commitment
from ledger.entry import Entry, Who
from ledger.events import Audience
from ledger.stores import Store, open_store
from replays.api import repeats
from replays.api.consistency import consistently
from replays.api.request import Request, amending, amending_by, by_hand
from replays.api.rewinding import Rewinds
from replays.corrections.amend import Amendment
from replays.corrections.change import Change
from replays.corrections.diff import Report
from replays.sessions import ports
from replays.sessions.log import Log, sealed
from replays.sessions.lookup import find_session
from replays.sessions.opening import as_dict, opening, session_id
from replays.sessions.permissions import GM
from replays.sessions.provable_dice import SEALED

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

        `perform_all` also returns the entries that are performed again after it.

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
        return self.perform_all(command, by=by, expected=expected, batch=batch)[0]

    def perform_all(
        self,
        command: Command,
        *,
        by: Who = GM,
        expected: int | None = None,
        batch: str | None = None,
        only: Collection[str] | None = None,
    ) -> list[Entry]:
        """Performs a command and returns every entry that was written for it. Refusals are those of `perform`.

        Args:
            command: As for `perform`.
            by: As for `perform`.
            expected: As for `perform`.
            batch: As for `perform`.
            only: The combatants for whom the caller may play; left out, all of the player's.
        """
        command = by_hand(command, by)
        match command:
            case Rewind(to=to, why=why, seen_by=seen_by):
                return [self.rewind(to, why=why, seen_by=seen_by, by=by, expected=expected, batch=batch)]
            case Amend():
                return list(self._amended(amending_by(command, by), expected, batch).entries)
            case _:
                allowed = None if only is None else tuple(only)
                return self._handled(Request(command, by, expected, batch, only=allowed)).entries

    def performed(
        self,
        command: Command,
        *,
        by: Who = GM,
        expected: int | None = None,
        batch: str | None = None,
        only: Collection[str] | None = None,
    ) -> list[Entry]:
        """Deprecated name of `perform_all`."""
        warn("Session.performed is deprecated: use Session.perform_all", DeprecationWarning, stacklevel=2)
        return self.perform_all(command, by=by, expected=expected, batch=batch, only=only)

    # -------------------------------------------------------------------------------------------- the gamemaster's word

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
        command = Overrule(key, figure, value, why, seen_by=seen_by)
        return self.perform_all(command, by=by, expected=expected, batch=batch)

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
        return self.perform_all(command, by=by, expected=expected, batch=batch)

    # -------------------------------------------------------------------------------------------- correcting

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
        request = amending(entry, change, why=why, seen_by=seen_by, by=by)
        return self._amended(request._replace(consent=consent), expected, batch)

    def _amended(self, request: Request, expected: int | None, batch: str | None) -> Amendment:
        request = request._replace(expected=expected, batch=batch)
        handled = self._handled(request)
        report = handled.report or self._reported_then(request, handled.entries)
        return Amendment(msgspec.structs.replace(report, kind="amendment"), tuple(handled.entries))

    @consistently
    def _reported_then(self, request: Request, entries: list[Entry]) -> Report:
        """What was reported of an amendment when it was made, where the request is repeated."""
        then = Session(repeats.store_before(self.log, entries[0]), self.id)
        then._unwritten.draw_again(entries)
        return then._reported(request.on(then.log, request.command), request.by, consent=True)
