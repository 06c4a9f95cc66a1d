"""Random fights whose history is rewritten in between: undone, redone, corrected, overruled, and asked for nonsense.

They are played like the other random fights (`strategies.Fight`), through a recorder, with more moves.
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
"""All that can be done, answers still the most."""
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
    """A fight that is being played, its history rewritten in between.

    Args:
        draw: Hypothesis's own.
        opening: How its session begins.

    Attributes:
        fault: The law that did not hold while it was played; None where all did.
    """

    def __init__(self, draw: DrawFn, opening: Opening) -> None:
        self.recorder = Recorder(opening, lambda: draw(st.integers(0, 2)) == 2)
        self.fault: LawBroken | None = None
        super().__init__(draw, typing.cast(Session, self.recorder), secrets=draw(st.booleans()))

    def keep(self) -> None:
        """Nothing: the recorder keeps what is so."""

    def perform(self, command: Command, by: Who = GM) -> None:
        """Asks for something; what answers a roll or a choice must be legal, other things may come too late."""
        try:
            super().perform(command, by)
        except Refused:
            if isinstance(command, TypeDice | Choose | Declare):
                raise

    def _asked(self, ask: Callable[[], object]) -> None:
        """Asks for what may be refused."""
        try:
            ask()
        except Refused:
            return

    def _somebody(self) -> dict[str, Who]:
        """Who asks: the gamemaster mostly, sometimes a person whom it does not concern."""
        return {"by": self.draw(people())} if self.draw(st.integers(0, 9)) == 9 else {}

    def move(self, moves: Sequence[str]) -> None:
        """One move more; where the session was closed, which is for good, what is wrong then, too."""
        super().move(moves if self.session.combat.session.is_open else _CLOSED)

    def close(self) -> None:
        """Closes the session at its end, and asks for more than can be: seldom."""
        if self.session.combat.session.is_open and not self.draw(st.integers(0, 3)):
            self._asked(lambda: self.session.perform(CloseSession("late")))
            for _ in range(self.draw(st.integers(1, 5))):
                self.move(_CLOSED)

    # -------------------------------------------------------------------------------------------- history

    def rewind(self) -> None:
        """Goes back, or over to a line that was left."""
        to = self.draw(st.integers(1, self.session.log.last))
        self._asked(lambda: self.session.rewind(to, why="from there", **self._somebody()))

    def undo(self) -> None:
        """Takes one thing or several back, and sometimes some of that again."""
        for span in self.draw(st.lists(st.sampled_from((*SPANS, "step", "step")), min_size=1, max_size=4)):
            self._asked(lambda: self.session.undo(span, **self._somebody()))  # noqa: B023  asked at once
        if self.draw(st.booleans()):
            self.redo()

    def redo(self) -> None:
        """Takes one undo back, or several."""
        for _ in range(self.draw(st.integers(1, 3))):
            self._asked(self.session.redo)

    def amend(self) -> None:
        """Corrects an old entry."""
        found = amendable(self.session)
        if found:
            # Mostly a late one: what is early stands at the beginning of every line.
            entry = self.draw(st.sampled_from(found[-12:] if self.draw(st.integers(0, 2)) else found))
            change = corrections(self.draw, self.session, entry)
            which = entry.seq if self.draw(st.integers(0, 5)) else getattr(entry.command, "key", entry.seq)
            asked: Any = {"why": "it was otherwise", "consent": self.draw(st.booleans()), **self._somebody()}
            self._asked(lambda: self.session.amend(which, change, **asked))

    def look(self) -> None:
        """Looks at what a correction would come to."""
        found = amendable(self.session)
        if found:
            entry = self.draw(st.sampled_from(found))
            change = corrections(self.draw, self.session, entry)
            ask = self.session.whatif if self.draw(st.booleans()) else self.session.preview
            self._asked(lambda: ask(entry.seq, change, **self._somebody()))

    def modify(self) -> None:
        """A modifier on a roll that is open or was thrown, however long ago."""
        session = self.session
        keys = [rest.key for rest in session.rests if rest.dice] + [key for key, _ in rolls(session)]
        if keys:
            key, value = self.draw(st.sampled_from(keys)), self.draw(st.integers(-40, 40))
            self._asked(lambda: session.modify(key, value, why="the light", **self._somebody()))

    # -------------------------------------------------------------------------------------------- what is wrong

    def nonsense(self) -> None:
        """Any command from any person."""
        command, by = self.draw(any_command(self.session)), self.draw(people())
        if isinstance(command, CloseSession) and self.draw(st.integers(0, 9)) < 9:  # nothing comes after it
            return
        self._asked(lambda: self.session.perform_all(command, by=by))

    def misspelled(self) -> None:
        """A command, or an argument, with a value of a wrong kind."""
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
        """A figure as large as may be, or larger."""
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
        """Somebody challenges an entry, a roll or a figure."""
        abouts = [str(self.draw(st.integers(1, self.session.log.last))), f"{self.draw(st.sampled_from(IDS))}.wounds"]
        about = self.draw(st.sampled_from((*abouts, *(key for key, _ in rolls(self.session)))))
        by = self.draw(st.sampled_from((Who("gm"), Who("kira", Seat.PLAYER))))
        self._asked(lambda: self.session.perform(OpenDispute(about, "it cannot be"), by=by))

    def settle(self) -> None:
        """The gamemaster decides one."""
        ruling = self.draw(st.sampled_from(("upheld", "rejected", "dismissed", "maybe")))
        number = self.draw(st.integers(1, 3))
        self._asked(lambda: self.session.perform(SettleDispute(f"d{number}", ruling, "so")))

    def prove(self) -> None:
        """A nonce, a part that is revealed; seldom the seed, for then no die is drawn any more."""
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
)
"""Methods of `Session` with arguments that may be meant."""


@st.composite
def openings(draw: DrawFn, name: str) -> Opening:
    """Beginnings of a session of a ruleset."""
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
    """A history of a fight of two to four.

    Args:
        draw: Hypothesis's own.
        name: Of the ruleset.
        least: Moves at least, after the first roll is asked for.
        most: Moves at most; fewer, where a law did not hold.
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
