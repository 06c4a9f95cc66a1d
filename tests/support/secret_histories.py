"""Fights with secrets of every kind, whose history is rewritten in between, under any of the policies about secrets.

Beside the moves of other fights: declarations and choices in secret, disclosures, disputes, corrections and undone
entries with hidden reasons, notes about hidden combatants and for some players.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from histories.corrections import amendable, corrections
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from strategies import MOVES, PLAYERS, RULESETS, Fight, clock, drawn, figures, options, rolls

from ledger.audience import Viewer
from ledger.commands import (
    Adjust,
    ApplyModifier,
    Command,
    Note,
    OpenDispute,
    Overrule,
    Reveal,
    SettleDispute,
)
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import ruleset
from projections.path import Rest
from projections.session import HIDDEN_PARTS, HIDDEN_TURNS, SOMEONE, VALUE
from projections.views.seen import hidden_parts
from replays.api.session import Session

SECRET_MOVES = (
    *MOVES, *("reveal",) * 3, *("dispute",) * 2, "settle", *("amend_in_secret",) * 2, "overrule_in_secret",
    "modify_in_secret", "adjust_in_secret", "undo_in_secret", "undo_in_secret", "note_about", "whisper",
)  # fmt: skip
"""All that can be done, answers mostly."""
POLICIES = ({}, {}, {HIDDEN_PARTS: VALUE}, {HIDDEN_TURNS: SOMEONE}, {HIDDEN_PARTS: VALUE, HIDDEN_TURNS: SOMEONE})
_STRANGER = Viewer(Seat.SPECTATOR)


class SecretHistory(Fight):
    """A fight that is being played with secrets of every kind.

    Args:
        draw: Hypothesis's own.
        session: To play.
    """

    def __init__(self, draw: DrawFn, session: Session) -> None:
        super().__init__(draw, session, secrets=True)

    def _attempted(self, ask: Callable[[], object]) -> None:
        """Asks for what may be refused."""
        try:
            ask()
        except Refused:
            return
        self.keep()

    def _some(self) -> tuple[str, ...]:
        """Returns ids of a combatant in play, hidden or not, or of none."""
        return self.draw(st.sampled_from(((), *((who,) for who in self.session.combat.roster.here()))))

    def _choice(self, rest: Rest, by: Who) -> Command:
        command = super()._choice(rest, by)
        if self.draw(st.integers(0, 4)):
            return command
        secret = msgspec.structs.replace(command, seen_by=self._some())
        return self._if_legal(secret, command)

    # -------------------------------------------------------------------------------------------- disclosures

    def reveal(self) -> None:
        """The gamemaster discloses a hidden combatant, an entry, or a part of one, to all or to some."""
        to = self.draw(st.sampled_from((None, None, self._some())))
        hidden = [*self.session.combat.roster.hidden()]
        if hidden and self.draw(st.booleans()):
            self.attempt(Reveal(who=self.draw(st.sampled_from(hidden)), to=to))
            return
        secret = {
            entry.seq: parts
            for entry in map(self.session.log.disclosures.entry, self.session.entries())
            if (parts := hidden_parts(entry, _STRANGER))
        }
        if secret:
            seq = self.draw(st.sampled_from([*secret]))
            parts = (self.draw(st.sampled_from(secret[seq])),) if self.draw(st.booleans()) else ()
            self.attempt(Reveal(seq, parts, to, seen_by=self.audience() if to is not None else None))

    def whisper(self) -> None:
        """A note for some players."""
        self.attempt(Note("beware", seen_by=self._some()))

    def note_about(self) -> None:
        """A note about a combatant, hidden or not, or about a roll."""
        about = self.draw(st.sampled_from((*self.session.combat.roster.who, *self._keys(), "")))
        self.attempt(Note("remember", about))

    def _keys(self) -> list[str]:
        return [key for key, _ in rolls(self.session)][:6]

    # -------------------------------------------------------------------------------------------- disputes

    def dispute(self) -> None:
        """The gamemaster or a player challenges a roll, an entry, or a figure."""
        figure = f"{self.draw(st.sampled_from([*self.session.combat.roster.who]))}.wounds"
        entry = str(self.draw(st.integers(1, self.session.log.last)))
        about = self.draw(st.sampled_from((*self._keys(), entry, figure)))
        by = self.draw(st.sampled_from((Who("gm"), *(Who(name, Seat.PLAYER) for name in PLAYERS[1:]))))
        command = OpenDispute(about, "it cannot be", "it was 3", seen_by=self.audience())
        self._attempted(lambda: self.session.perform(command, by=by))

    def settle(self) -> None:
        """The gamemaster decides a dispute."""
        open_ = [each.challenge.dispute for each in self.session.disputes() if each.settlement is None]
        if open_:
            ruling = self.draw(st.sampled_from(("upheld", "amended", "overruled")))
            entry = self.draw(st.sampled_from((None, self.session.log.last)))
            self.attempt(SettleDispute(open_[0], ruling, "so", entry, seen_by=self.audience()))

    # -------------------------------------------------------------------------------------------- corrections

    def amend_in_secret(self) -> None:
        """Corrects an old entry, mostly a late one; the reason is hidden or not."""
        found = amendable(self.session)
        if found:
            entry = self.draw(st.sampled_from(found[-12:]))
            change = corrections(self.draw, self.session, entry)
            asked: Any = {"why": "it was otherwise", "consent": self.draw(st.booleans()), "seen_by": self.audience()}
            self._attempted(lambda: self.session.amend(entry.seq, change, **asked))

    def overrule_in_secret(self) -> None:
        """Overrules a figure; the reason is hidden or not."""
        found = figures(self.session)
        if found:
            key, name, value = self.draw(st.sampled_from(found))
            numbers, words = st.integers(-20, 120), st.sampled_from((*self.session.game.outcomes, value))
            other = self.draw(numbers if isinstance(value, int) else words)
            self.attempt(Overrule(key, name, other, "my word", seen_by=self.audience()))

    def modify_in_secret(self) -> None:
        """A modifier on a roll that is open or was thrown; hidden or not."""
        keys = [rest.key for rest in self.session.rests if rest.dice] + self._keys()
        if keys:
            key, value = self.draw(st.sampled_from(keys)), self.draw(st.integers(-40, 40))
            self.attempt(ApplyModifier(key, value, "the dark", seen_by=self.audience()))

    def adjust_in_secret(self) -> None:
        """Something is set without a rule; hidden or not."""
        here = self.session.combat.roster.here()
        if here:
            what = self.draw(st.sampled_from((*self.session.game.vocabulary.counters, "conditions.prone")))
            command = Adjust(self.draw(st.sampled_from(here)), what, self.draw(st.integers(0, 9)), "so be it")
            self.attempt(msgspec.structs.replace(command, seen_by=self._some()))

    def undo_in_secret(self) -> None:
        """Undoes something, or undoes the undoing; the reason is hidden or not."""
        span = self.draw(st.sampled_from(("step", "exchange", "turn", "redo")))
        asked: Any = {"why": "a mistake", "seen_by": self.audience()}
        self._attempted(lambda: self.session.redo(**asked) if span == "redo" else self.session.undo(span, **asked))


@st.composite
def secret_histories(
    draw: DrawFn,
    *,
    least: int = 5,
    most: int = 40,
    games: Sequence[str] = RULESETS,
    moves: Sequence[str] = SECRET_MOVES,
) -> SecretHistory:
    """A fight of two to four with secrets of every kind, so far.

    Args:
        draw: Hypothesis's own.
        least: Moves at least, after the first roll is asked for.
        most: Moves at most.
        games: The rulesets that are played.
        moves: What is done; the more often named, the more often.
    """
    game = ruleset(draw(st.sampled_from(games)))
    session = Session.create(
        MemoryStore(),
        ruleset=game.name,
        profile=draw(st.sampled_from([row.name for row in game.profiles])),
        options=draw(options(game)),
        policies=draw(st.sampled_from(POLICIES)),
        session="FIGHT",
        clock=clock,
        draw=drawn,
    )
    history = SecretHistory(draw, session)
    history.play(moves, least, most)
    return history
