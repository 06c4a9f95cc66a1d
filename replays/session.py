"""Session: one fight's record, to be played, undone and read. The object that other programs embed.

>>> from replays import Session
>>> from ledger.commands import Join, BeginCombat
>>> session = Session.create("memory://", ruleset="eclipse_phase_1e", title="A brawl")
>>> sheet = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
>>> _ = session.perform(Join("ann", sheet)), session.perform(BeginCombat())
>>> [rest.key for rest in session.rests]
['r1/ann/initiative']
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from ledger import chain, codec
from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Amend, ApplyModifier, Command, DrawDice, OpenSession, Overrule, Rewind, TypeDice
from ledger.draw import commitment
from ledger.entry import Entry, Who
from ledger.stores import Store, open_store
from machines.decider import decide
from machines.options import Possibility, options
from machines.ruleset import Ruleset
from machines.ruleset import ruleset as rules
from projections.combat import Combat, fold
from projections.path import Rest
from projections.views.document import State, document
from projections.views.seen import shown
from replays import doors, rewinding, seats
from replays.amending import Amending, Amendment, Correction, meant
from replays.changes import Change, change_of
from replays.drafting import Drafting
from replays.fair import SEALED
from replays.finding import find_session, open_key
from replays.flips import Report
from replays.log import Draft, Log, sealed
from replays.run import Asked, plainly
from replays.waiting import Waiting
from replays.writing import Writer

GM = Who("gm")
_RETRIES = 1000
_BY_HAND = {"typed", "scripted"}
"""What faces that a person gives may be said to be."""


class Session:
    """A session's log, and what can be done with it."""

    def __init__(
        self, store: Store, session: str, *, draw: doors.Drawer | None = None, clock: Callable[[], str] = doors.now
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
        self.log = Log(store, session)
        self._drafting = Drafting(self.log, draw or doors.draw)
        self._amending = Amending(self.log, self._drafting)
        self.waiting = Waiting(self.log, self._drafting)
        self._writer = Writer(self.log, clock)

    @classmethod
    def open(
        cls,
        url: str,
        session: str | None = None,
        *,
        draw: doors.Drawer | None = None,
        clock: Callable[[], str] = doors.now,
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
        by: Who = GM,
        session: str | None = None,
        draw: doors.Drawer | None = None,
        clock: Callable[[], str] = doors.now,
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
            by: Who opens it.
            session: An id to give it; left out, a new one.
            draw: Throws dice for `DrawDice`; left out, they are drawn from a seed that is sealed and committed to.
            clock: Says when entries are appended.

        Raises:
            Refused: No such ruleset, profile or option; then nothing was created.
        """
        store = open_store(url) if isinstance(url, str) else url
        seed = doors.new_seed() if draw is None else b""
        promise = commitment(seed) if seed else ""
        command = OpenSession(
            title or "A fight", ruleset, profile, dict(options or {}), dict(policies or {}), promise, source
        )
        seats.check(Combat(), by, command)
        game = rules(command.ruleset)
        draft = Draft(command, decide(game, Combat(), command), by, 0, game.version)
        name = session or doors.new_session_id()
        records, _ = sealed([draft], clock(), [doors.new_secret()], chain.genesis(name))
        store.create(name, records, sealed={SEALED: seed} if seed else {})
        return cls(store, name, draw=draw, clock=clock)

    # -------------------------------------------------------------------------------------------- reading

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

    def options(self) -> tuple[Possibility, ...]:
        """What is legal now, with the numbers, and why another thing is not."""
        return options(self.game, self.combat)

    def entries(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """The entries of the log, standing or not, in order."""
        return self.log.entries(after, upto)

    def state(self, at: int | None = None, eyes: Viewer = EVERYTHING) -> State:
        """What is so, as a plain document.

        Args:
            at: As it stood when this entry had been appended; left out, now.
            eyes: Whose view it is.

        Raises:
            NoSuchEntry: There is no entry of that number.
        """
        if at is not None:
            self.log.check(at)
        head = self.log.head if at is None else self.log.timeline.head_at(at)
        combat = self.log.state(head)
        if eyes is not EVERYTHING and eyes != EVERYTHING:
            line = map(self.log.unveiled.entry, self.log.entries_of(self.log.timeline.line(head)))
            combat = fold(shown(line, eyes))
        last = self.log.last if at is None else at
        digest = self.log.digest if at is None else next(self.log.store.read(self.id, last - 1, last)).digest
        return document(combat, self.id, entries=last, head=head, digest=digest)

    def close(self) -> None:
        """Let go of the store."""
        self.log.store.close()

    # -------------------------------------------------------------------------------------------- playing

    def perform(
        self, command: Command, *, by: Who = GM, expected: int | None = None, batch: str | None = None
    ) -> Entry:
        """Ask for something. It is decided, written down durably, and returned with all that followed.

        Args:
            command: What is wanted. `DrawDice` gets its faces here.
            by: Who wants it, and from which seat.
            expected: The number of the last entry that the caller knew; left out, whatever is there.
            batch: An idempotency key: the same command under the same key is performed once.

        Raises:
            Refused: It cannot be; nothing was written.
            Stale: Somebody else wrote after `expected`.
            KeyReused: The key belongs to another command.
        """
        codec.check_command(by, command)
        match command:
            case DrawDice():
                command = DrawDice(command.key, seen_by=command.seen_by)  # the door draws, nobody else
            case TypeDice(provenance=provenance) if not {*provenance} <= _BY_HAND:
                command = msgspec.structs.replace(command, provenance=())
        match command:
            case Rewind():
                return self.rewind(command.to, why=command.why, by=by, expected=expected, batch=batch)
            case Overrule():
                return self.overrule(
                    command.key, command.figure, command.value, why=command.why, by=by, expected=expected, batch=batch
                )[0]
            case ApplyModifier() if not any(rest.key == command.key for rest in self.rests):
                return self.modify(command.key, command.value, why=command.why, by=by, expected=expected, batch=batch)[
                    0
                ]
            case Amend(entry=entry, why=why):
                change = change_of(command.change)
                return self.amend(entry, change, why=why, by=by, expected=expected, batch=batch).entries[0]
            case _:
                return self._writer.write(lambda: self._plain(plainly(command, by)), command, by, expected, batch)[0]

    def _plain(self, asked: Asked) -> list[Draft]:
        """A command, and what an amendment has waiting behind it."""
        return self.waiting.continued(self._drafting.plain(self.waiting.completed(asked)))

    def rewind(
        self, to: int, *, why: str = "", by: Who = GM, expected: int | None = None, batch: str | None = None
    ) -> Entry:
        """Make entry `to` the last that stands: undo, redo and the undo of a correction."""
        codec.check_command(by, Rewind(to, why))

        def drafts() -> list[Draft]:
            self.log.check(to)
            command = Rewind(self.log.timeline.head_at(to), why)
            return self._drafting.plain(plainly(command, by))

        return self._writer.write(drafts, Rewind(to, why), by, expected, batch)[0]

    def undo(self, span: str = "step", *, why: str = "", by: Who = GM) -> Entry:
        """Take the latest back.

        Args:
            span: ``step``, ``exchange``, ``turn`` or ``round``.
            why: The reason, for the record.
            by: Who takes it back.

        Raises:
            NothingToUndo: There is nothing of that kind.
        """
        return self.rewind(rewinding.target(self.log, span), why=why, by=by)

    def redo(self, *, why: str = "", by: Who = GM) -> Entry:
        """Take the latest undo back, while nothing new was decided.

        Raises:
            NothingToRedo: Nothing was undone, or something new was decided since.
        """
        return self.rewind(rewinding.redone(self.log), why=why, by=by)

    # -------------------------------------------------------------------------------------------- the gamemaster's word

    def overrule(
        self,
        key: str,
        figure: str,
        value: int | str,
        *,
        why: str,
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
            by: The gamemaster.
            expected: As for `perform`.
            batch: The idempotency key.

        Returns:
            The overruling and the entries that were performed again.

        Raises:
            NoSuchFigure: Nothing of that name was found under that key.
            ImpossibleFigure: It cannot be that.
        """
        command = Overrule(key, figure, value, why)
        codec.check_command(by, command)
        return self._writer.write(lambda: self._drafting.overruling(command, by), command, by, expected, batch)

    def modify(
        self,
        key: str,
        value: int,
        *,
        why: str,
        by: Who = GM,
        expected: int | None = None,
        batch: str | None = None,
    ) -> list[Entry]:
        """Apply a gamemaster's modifier to a roll, open or already thrown; the dice stay as they lie.

        Args:
            key: Of the roll; a shorthand will do.
            value: Signed.
            why: The reason, for the record.
            by: The gamemaster.
            expected: As for `perform`.
            batch: The idempotency key.

        Raises:
            NoSuchRoll: There is no roll of that key.
        """
        command = ApplyModifier(key, value, why)
        codec.check_command(by, command)
        known = self._writer.known(command, by, batch)
        if known:
            return known
        waiting = open_key(self.combat, key)
        if waiting:
            return [self.perform(ApplyModifier(waiting, value, why), by=by, expected=expected, batch=batch)]
        return self._writer.write(lambda: self._drafting.modifying(command, by), command, by, expected, batch)

    # -------------------------------------------------------------------------------------------- correcting

    def amend(
        self,
        entry: int | str,
        change: Change,
        *,
        why: str,
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
            by: The gamemaster.
            consent: May today's rules decide what followed, even where they decide it otherwise than then?
            expected: As for `perform`.
            batch: The idempotency key.

        Raises:
            BadChange: There is nothing to change, or not so.
            Drifted: Today's rules differ from the record, and nobody has consented.
        """
        command = Amend(meant(self.log, entry), msgspec.to_builtins(change), why)
        codec.check_command(by, command)
        made: list[Correction] = []

        def drafts() -> list[Draft]:
            made.append(self._amending.correction(command, change, by, consent=consent))
            return made[-1].drafts

        entries = self._writer.write(drafts, command, by, expected, batch)
        report = made[-1].report if made else self.preview(command.entry, change, why=why, by=by, consent=True)
        return Amendment(msgspec.structs.replace(report, kind="amendment"), tuple(entries))

    def preview(
        self, entry: int | str, change: Change, *, why: str = "", by: Who = GM, consent: bool = False
    ) -> Report:
        """What an amendment would come to; nothing is written. Arguments and refusals are those of `amend`."""
        command = Amend(meant(self.log, entry), msgspec.to_builtins(change), why)
        codec.check_command(by, command)
        return self._amending.correction(command, change, by, consent=consent).report

    def whatif(self, entry: int | str, change: Change, *, by: Who = GM) -> Report:
        """What would have come of something else: a preview that nobody can mistake for the record."""
        report = self.preview(entry, change, why="what if", by=by, consent=True)
        return msgspec.structs.replace(report, kind="what if")
