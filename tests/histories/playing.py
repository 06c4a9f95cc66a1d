"""Plays random fights whose history is rewritten meanwhile: undos, redos, corrections, overrules, and invalid requests.

They are like other random fights (`strategies.Fight`), with more moves, and played through a recorder.
"""

import typing
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from histories.corrections import amendable, corrections
from histories.recorder import Recorder
from histories.steps import LawBroken, Opening
from hostile import FIELDS, WRONG, plain_command
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException
from hypothesis.strategies import DrawFn
from strategies import IDS, MOVES, PLAYERS, Fight, any_command, figures, options, people, rolls

from ledger.commands import (
    Adjust,
    ApplyModifier,
    Choose,
    CloseSession,
    Command,
    Declare,
    GiveNonce,
    OpenDispute,
    PassTime,
    Reveal,
    SettleDispute,
    TypeDice,
)
from ledger.entry import Seat, Who
from ledger.errors import Refused
from machines.contract.ruleset import ruleset
from replays.api.session import GM, Session

HISTORY = (
    *MOVES, *MOVES, *("amend",) * 16, "look", "look", *("undo",) * 4, "redo", *("rewind",) * 3, *("overrule",) * 3, "modify",
    *("nonsense",) * 6, *("misspelled",) * 3, "huge", "huge", "dispute", "settle", "prove",
)  # fmt: skip
"""All moves, mostly answers."""
_CLOSED = (
    "nonsense",
    "undo",
    "redo",
    "amend",
    "overrule",
    "look",
    "modify",
    "rewind",
    "huge",
    "dispute",
    "settle",
    "prove",
)
SPANS = ("step", "exchange", "turn", "round")
_HUGE = (10**5, -(10**5), 10**5 - 1, 10**6, 2**31, 2**63, 10**9, -(10**9), 10**30)


class History(Fight):
    """A fight that is being played, and whose history is rewritten meanwhile.

    Args:
        draw: Hypothesis's draw function.
        opening: The opening of its session.

    Attributes:
        fault: The law that was broken while it was played; None where all were kept.
    """

    def __init__(self, draw: DrawFn, opening: Opening) -> None:
        self.recorder = Recorder(opening, lambda: draw(st.integers(0, 2)) == 2)
        self.fault: LawBroken | None = None
        super().__init__(draw, typing.cast(Session, self.recorder), secrets=draw(st.booleans()))

    def keep(self) -> None:
        """Does nothing: the recorder stores the states."""

    def perform(self, command: Command, by: Who = GM) -> None:
        """Performs a command; answers to rolls and choices must be legal, other commands may be refused."""
        try:
            super().perform(command, by)
        except Refused:
            if isinstance(command, TypeDice | Choose | Declare):
                raise

    def _asked(self, ask: Callable[[], object]) -> None:
        """Makes a request that may be refused."""
        try:
            ask()
        except Refused:
            return

    def _caller(self) -> dict[str, Who]:
        """Draws the caller: mostly the gamemaster, sometimes an uninvolved person."""
        return {"by": self.draw(people())} if self.draw(st.integers(0, 9)) == 9 else {}

    def move(self, moves: Sequence[str]) -> None:
        """Makes one move; in a closed session also moves that are refused there."""
        super().move(moves if self.session.combat.session.is_open else _CLOSED)

    def close(self) -> None:
        """Closes the session in few fights, and then makes requests that must be refused."""
        if self.session.combat.session.is_open and not self.draw(st.integers(0, 3)):
            self._asked(lambda: self.session.perform(CloseSession("late")))
            for _ in range(self.draw(st.integers(1, 5))):
                self.move(_CLOSED)

    # -------------------------------------------------------------------------------------------- history

    def rewind(self) -> None:
        """Rewinds to an earlier entry, or to a line that was left."""
        to = self.draw(st.integers(1, self.session.log.last))
        self._asked(lambda: self.session.rewind(to, why="from there", **self._caller()))

    def undo(self) -> None:
        """Undoes one or several steps, and sometimes redoes some of them."""
        for span in self.draw(st.lists(st.sampled_from((*SPANS, "step", "step")), min_size=1, max_size=4)):
            self._asked(lambda: self.session.undo(span, **self._caller()))  # noqa: B023  called at once
        if self.draw(st.booleans()):
            self.redo()

    def redo(self) -> None:
        """Redoes one or several undos."""
        for _ in range(self.draw(st.integers(1, 3))):
            self._asked(self.session.redo)

    def amend(self) -> None:
        """Corrects an old entry."""
        found = amendable(self.session)
        if found:
            # Mostly a late entry: early ones are common to all lines.
            entry = self.draw(st.sampled_from(found[-12:] if self.draw(st.integers(0, 2)) else found))
            change = corrections(self.draw, self.session, entry)
            which = entry.seq if self.draw(st.integers(0, 5)) else getattr(entry.command, "key", entry.seq)
            asked: Any = {"why": "it was otherwise", "consent": self.draw(st.booleans()), **self._caller()}
            self._asked(lambda: self.session.amend(which, change, **asked))

    def look(self) -> None:
        """Previews a correction."""
        found = amendable(self.session)
        if found:
            entry = self.draw(st.sampled_from(found))
            change = corrections(self.draw, self.session, entry)
            ask = self.session.whatif if self.draw(st.booleans()) else self.session.preview
            self._asked(lambda: ask(entry.seq, change, **self._caller()))

    def modify(self) -> None:
        """Applies a modifier to a roll that is open or was thrown at any time."""
        session = self.session
        keys = [rest.key for rest in session.rests if rest.dice] + [key for key, _ in rolls(session)]
        if keys:
            key, value = self.draw(st.sampled_from(keys)), self.draw(st.integers(-40, 40))
            self._asked(lambda: session.modify(key, value, why="the light", **self._caller()))

    # -------------------------------------------------------------------------------------------- what is wrong

    def nonsense(self) -> None:
        """Performs any command as any person."""
        command, by = self.draw(any_command(self.session)), self.draw(people())
        if (
            isinstance(command, CloseSession) and self.draw(st.integers(0, 9)) < 9
        ):  # no other command is accepted after it
            return
        self._asked(lambda: self.session.perform_all(command, by=by))

    def misspelled(self) -> None:
        """Makes a request with a command or an argument of a wrong type."""
        value = self.draw(st.sampled_from(WRONG))
        if self.draw(st.booleans()):
            kind, field = self.draw(st.sampled_from(FIELDS))
            fit = [each.command for each in self.session.options() if isinstance(each.command, kind)]
            command = self.draw(st.sampled_from(fit)) if fit else plain_command(kind)
            self._asked(lambda: self.session.perform_all(msgspec.structs.replace(command, **{field: value})))
            return
        method, given, named = self.draw(st.sampled_from(_CALLS))
        place = self.draw(st.sampled_from((*range(len(given)), *named)))
        given = tuple(value if each == place else right for each, right in enumerate(given))
        named = {name: value if name == place else right for name, right in named.items()}
        self._asked(lambda: getattr(self.session, method)(*given, **named))

    def huge(self) -> None:
        """Sets a number at its bound, or beyond it."""
        value, who = self.draw(st.sampled_from(_HUGE)), self.draw(st.sampled_from(IDS))
        combat, keys = self.session.combat, [rest.key for rest in self.session.rests if rest.dice]
        named = [f"tracks.{name}" for name in combat.health.tracks.get(who, {})]
        named += [f"resources.{name}" for name in combat.resources.having.get(who, {})]
        asked: list[Command] = [Adjust(who, what, value, "so be it") for what in ("wounds", "initiative", *named)]
        asked += [ApplyModifier(key, value, "the light") for key in keys]
        asked += [PassTime(value, unit) for unit in ("seconds", "years")]
        command = self.draw(st.sampled_from(asked))
        found = figures(self.session)
        if found and self.draw(st.booleans()):
            key, name, _ = self.draw(st.sampled_from(found))
            self._asked(lambda: self.session.overrule(key, name, value, why="my word"))
        else:
            self._asked(lambda: self.session.perform(command))

    # -------------------------------------------------------------------------------------------- disputes, proof

    def dispute(self) -> None:
        """Opens a dispute about an entry, a roll or a figure."""
        abouts = [str(self.draw(st.integers(1, self.session.log.last))), f"{self.draw(st.sampled_from(IDS))}.wounds"]
        about = self.draw(st.sampled_from((*abouts, *(key for key, _ in rolls(self.session)))))
        by = self.draw(st.sampled_from((Who("gm"), Who("kira", Seat.PLAYER))))
        self._asked(lambda: self.session.perform(OpenDispute(about, "it cannot be"), by=by))

    def settle(self) -> None:
        """Settles a dispute."""
        ruling = self.draw(st.sampled_from(("upheld", "rejected", "dismissed", "maybe")))
        number = self.draw(st.integers(1, 3))
        self._asked(lambda: self.session.perform(SettleDispute(f"d{number}", ruling, "so")))

    def prove(self) -> None:
        """Gives a nonce or reveals a part; seldom the seed, because no dice are drawn after that."""
        player, entry = self.draw(st.sampled_from(PLAYERS)), self.draw(st.integers(1, self.session.log.last))
        seed = [Reveal()] if self.draw(st.integers(0, 9)) == 9 else []
        asked = [GiveNonce(player, "f" * 32), Reveal(entry), Reveal(entry, (0, 1)), Reveal(entry, (), (IDS[0],)), *seed]
        command = self.draw(st.sampled_from(asked))
        self._asked(lambda: self.session.perform(command))


_CALLS: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("rewind", (3,), {"why": "so"}),
    ("undo", ("step",), {"why": "so", "by": Who("gm"), "expected": None}),
    ("redo", (), {"why": "so", "by": Who("gm")}),
    ("overrule", ("initiative", "target", 3), {"why": "so"}),
    ("modify", ("initiative", 3), {"why": "so"}),
    ("amend", (5, None), {"why": "so"}),
    ("preview", (5, None), {"why": "so"}),
    ("whatif", (5, None), {}),
    ("branch", ((),), {"upto": 5, "since": 4}),
)
"""Methods of `Session` with plausible arguments."""


@st.composite
def openings(draw: DrawFn, name: str) -> Opening:
    """Draws the opening of a session of a ruleset."""
    game = ruleset(name)
    return Opening(
        game.name,
        draw(st.sampled_from([row.name for row in game.profiles])),
        draw(options(game)),
        draw(st.sampled_from(({}, {"dice": "sticky"}, {"dice": "fresh"}))),
        draw(st.booleans()),
    )


@st.composite
def histories(draw: DrawFn, name: str, *, least: int = 10, most: int = 60) -> History:
    """Draws a history of a fight of two to four combatants.

    Args:
        draw: Hypothesis's draw function.
        name: The name of the ruleset.
        least: The minimum number of moves after the first roll was requested.
        most: The maximum number of moves; fewer are made where a law is broken.
    """
    history = History(draw, draw(openings(name)))
    try:
        history.play(HISTORY, least, most)
        history.close()
    except LawBroken as broken:
        history.fault = broken
    except HypothesisException:
        raise
    except Exception as error:
        history.fault = LawBroken(
            "a fight can be played on with what it offers", f"{type(error).__name__}: {error!s:.300}"
        )
        history.fault.__cause__ = error
    return history
