"""The session object that other programs embed: plays, undoes, corrects and reads one fight.

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
from ledger.commands import Amend, ApplyModifier, Command, Note, OpenSession, Overrule, Rewind
from ledger.draw import commitment
from ledger.entry import Entry, Who
from ledger.events import Audience
from ledger.stores import Store, open_store
from replays.api import repeats
from replays.api.consistency import consistently
from replays.api.request import Request, amendment_request, amendment_request_of, by_hand, limited_to
from replays.api.rewinding import Rewinds
from replays.corrections.amend import Amendment
from replays.corrections.change import Change
from replays.corrections.diff import Report
from replays.sessions import ports
from replays.sessions.find_session import find_session
from replays.sessions.log import Log, sealed
from replays.sessions.opening import as_dict, opening, session_id
from replays.sessions.permissions import GM
from replays.sessions.provable_dice import SEALED

UNTITLED = "A fight"
"""The title of a session that was created without one."""


class Session(Rewinds):
    """A session's log, with everything that can be done with it."""

    def __init__(
        self, store: Store, session: str, *, draw: ports.Drawer | None = None, clock: Callable[[], str] = ports.now
    ) -> None:
        """Opens an existing session.

        Args:
            store: The store of the session.
            session: Its id.
            draw: Draws dice for `DrawDice`, where the session has committed to no seed.
            clock: Returns the time at which entries are appended.

        Raises:
            NoSuchSession: There is no session of that id.
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
        """Opens a session at a store's address.

        Args:
            url: Such as ``sqlite:///affray.db``.
            session: An id, or a unique beginning of one; by default the session created last.
            draw: Draws dice for `DrawDice`, where the session has committed to no seed.
            clock: Returns the time at which entries are appended.

        Raises:
            NoSuchSession: There is no such session, or several ids begin so.
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
        """Creates a new session.

        Args:
            url: A store, or its address.
            ruleset: Such as ``eclipse_phase_1e``.
            title: The title.
            profile: The printing; by default the ruleset's own default.
            options: Profile fields that differ in this session.
            policies: The table's agreements.
            source: Where the fight is printed, if it is.
            campaign: The campaign that the session belongs to.
            by: The creator.
            session: The new session's id; by default a generated one.
            draw: Draws dice for `DrawDice`; by default they are drawn from a seed that is sealed and committed to.
            clock: Returns the time at which entries are appended.

        Raises:
            Refused: No such ruleset, profile or option, or a value of a wrong type or beyond its bound. Nothing was
                created.
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
        """Closes the store."""
        self.log.store.close()

    # -------------------------------------------------------------------------------------------- playing

    def perform(
        self, command: Command, *, by: Who = GM, expected: int | None = None, batch: str | None = None
    ) -> Entry:
        """Performs a command: decides it, appends it durably, and returns its entry with all events that followed.

        `perform_all` also returns the entries that are performed again after it.

        Args:
            command: The command. `DrawDice` gets its faces here.
            by: The caller and their seat.
            expected: The number of the last entry that the caller knew; by default it does not matter.
            batch: An idempotency key, 1 to 255 visible characters: the same command under it is performed once.

        Raises:
            Refused: The command is refused; nothing was written.
            Stale: Another request was written after `expected`.
            KeyReused: The key belongs to another command.
        """
        return self.perform_all(command, by=by, expected=expected, batch=batch)[0]

    def perform_all(
        self,
        command: Command | list[Command] | tuple[Command, ...],
        *,
        by: Who = GM,
        expected: int | None = None,
        batch: str | None = None,
        only: Collection[str] | None = None,
    ) -> list[Entry]:
        """Performs a command and returns every entry that was written for it. Refusals are those of `perform`.

        Several commands are performed one after the other, all or none, in one commit and under one idempotency key;
        `undo` takes them back together. A batch takes no amendment and no rewind.

        Args:
            command: As for `perform`; or several commands, in order.
            by: As for `perform`.
            expected: As for `perform`.
            batch: As for `perform`.
            only: The combatants that the caller is limited to; by default all of the player's.
        """
        allowed = limited_to(only)
        if isinstance(command, list | tuple):
            commands = [by_hand(each, by) for each in command]
            whole = Request(Note(""), by, expected, batch, binds=("batch", *commands), only=allowed)
            return self._together(commands, whole)
        command = by_hand(command, by)
        match command:
            case Rewind(to=to, why=why, seen_by=seen_by):
                return [self.rewind(to, why=why, seen_by=seen_by, by=by, expected=expected, batch=batch)]
            case Amend():
                return list(self._amended(amendment_request_of(command, by), expected, batch).entries)
            case _:
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

    # -------------------------------------------------------------------------------------------- overriding the rules

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
        """Replaces a figure by the gamemaster's value, and decides again what followed, with the same dice.

        Args:
            key: The key of the roll or exchange that the figure belongs to, or a shorthand.
            figure: The figure's name, such as ``dv`` or ``outcome``.
            value: The new value.
            why: The reason, for the record.
            seen_by: Who may see the reason; by default those who may see the figure.
            by: The gamemaster.
            expected: As for `perform`.
            batch: The idempotency key.

        Returns:
            The entry of the overrule, and those that were performed again.

        Raises:
            NoSuchFigure: No figure of that name stands under that key.
            ImpossibleFigure: The figure cannot have that value.
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
        """Applies a gamemaster's modifier to a roll, open or already thrown; the dice stay as they lie.

        Args:
            key: The key of the roll, or a shorthand.
            value: The signed modifier.
            why: The reason, for the record.
            seen_by: Who may see it; by default those who may see the roll.
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
        """Corrects an old entry; every die stays as it lies, and all that followed is decided again.

        Args:
            entry: Its number; or the key of a roll or an exchange, or a shorthand of one.
            change: The correction.
            why: The reason, for the record.
            seen_by: Who may see the amendment; by default those who may see what is corrected.
            by: The gamemaster.
            consent: Whether today's rules may decide what followed, even where they decide it differently than before.
            expected: As for `perform`.
            batch: The idempotency key.

        Raises:
            BadChange: The change is empty, or cannot be applied to this entry.
            Drifted: Today's rules differ from the record, and consent is not given.
        """
        request = amendment_request(entry, change, why=why, seen_by=seen_by, by=by)
        return self._amended(request._replace(consent=consent), expected, batch)

    def _amended(self, request: Request, expected: int | None, batch: str | None) -> Amendment:
        request = request._replace(expected=expected, batch=batch)
        handled = self._handled(request)
        report = handled.report or self._reported_then(request, handled.entries)
        return Amendment(msgspec.structs.replace(report, kind="amendment"), tuple(handled.entries))

    @consistently
    def _reported_then(self, request: Request, entries: list[Entry]) -> Report:
        """Returns the report that an amendment had when it was made, for a repeated request."""
        then = Session(repeats.store_before(self.log, entries[0]), self.id)
        then._unwritten.draw_again(entries)
        return then._reported(request.on(then.log, request.command), request.by, consent=True)
