"""The table: a fight, a person at it, and what becomes of each line that they type."""

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Command, Declare, DrawDice
from ledger.entry import Entry, Seat, Who
from ledger.errors import Refused, Stale
from ledger.key import is_meant
from machines.contract.refusals import UnknownCombatant
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold
from projections.views.seen import redacted, shown, viewer
from replays.api.session import Session
from replays.odds.known_state import marked
from replays.sessions import undo
from replays.sessions.provable_dice import can_draw
from replays.sessions.wording import wording
from replays.table import verbs
from replays.table.changing import modify
from replays.table.done import Done
from replays.table.language.answers import answer, nothing
from replays.table.language.declarations import Declaring
from replays.table.language.grammar import LONGEST, NotUnderstood, number, plain, rest_of, words
from replays.table.language.joining import joins
from replays.table.language.names import id_of
from replays.table.language.questions import Question, names_any, question, said, speaks_for
from replays.table.secrets import meant
from replays.table.verbs import VERBS

_MOST_DRAWS = 40
_MOST_TRIES = 20
_TIRED = f"{_MOST_DRAWS} rolls and choices by themselves, and nobody said a word: Enter goes on"


class Reply(msgspec.Struct, frozen=True):
    """What a line came to."""

    entries: tuple[Entry, ...] = ()
    """What was written, by whomever, since the line before."""
    done: Done = Done()
    refused: Refused | None = None
    kept: str = ""
    """The line, where somebody else wrote first: it may be said again."""


class Table:
    """A fight, and a person at it.

    Args:
        session: The fight.
        who: The person, and the seat they speak from.
        dice: Who rolls; a word of `verbs.DICE`.
    """

    def __init__(self, session: Session, who: Who, dice: str = "ask") -> None:
        self.session = session
        self.who = who
        self.dice = dice
        self.defaults = verbs.ASKED
        self.seen_by: tuple[str, ...] | None = None  # who sees what a line does: all, but while it is said in secret
        self.asks = ""
        """What the next line is to say, where it answers no rest."""
        self._then = Done().then
        self._lines: list[tuple[int, int]] = []
        self._waits = False
        self._word = self._asker = ""
        self._seen: tuple[int, Viewer, Combat] | None = None

    # -------------------------------------------------------------------------------------------- reading

    @property
    def game(self) -> Ruleset:
        """The rules it is played by."""
        return self.session.game

    @property
    def eyes(self) -> Viewer:
        """What this person may see."""
        return EVERYTHING if self.who.seat is Seat.GM else viewer(self.who, self.session.combat)

    @property
    def seen(self) -> Combat:
        """What is so, as this person sees it."""
        seq, eyes = self.session.log.head, self.eyes
        if self._seen is None or self._seen[:2] != (seq, eyes):
            self._seen = seq, eyes, self.before(seq)
        return self._seen[2]

    def before(self, seq: int) -> Combat:
        """What was so on the line that ends with an entry, as this person sees it."""
        log, eyes = self.session.log, self.eyes
        if eyes == EVERYTHING:
            return log.state(seq)
        return fold(shown(map(log.disclosures.entry, log.entries_of(log.timeline.line(seq))), eyes))

    def question(self, only: str = "") -> Question:
        """What is asked of this person now, or of one combatant of theirs."""
        return question(self.session, self.seen, self.who, only)

    def declaring(self, asked: Question, only: str = "") -> Declaring:
        """What they can declare now."""
        seen = self.seen
        return Declaring(self.game, marked(seen), asked, only, speaks_for(seen, self.who).__contains__)

    @property
    def may_begin(self) -> bool:
        """Is everything set up for a first fight?"""
        combat = self.session.combat
        gm = self.who.seat is Seat.GM
        return gm and not combat.clock.fighting and not combat.clock.round and len(combat.roster.here()) > 1

    def interrupts(self, asked: Question) -> list[str]:
        """What those who are asked could declare beside that, and others against them, as it could be typed."""
        people = {*(roll.by for roll in asked.rolls), *([asked.rest.by] if asked.rest else [])}
        found = [one.command for one in self.session.options(self.eyes) if not one.key]
        acts = [each for each in found if isinstance(each, Declare)]
        own = [each for each in acts if each.by in people]
        others = [each for each in acts if each.by not in people and names_any(each, people)]
        return [f"{each.by}: {said(each, self.seen)}" for each in [*own, *others]]

    @property
    def is_behind(self) -> bool:
        """Has somebody else written meanwhile?"""
        return self.session.log.store.head(self.session.id).seq > self.session.log.last

    def news(self) -> tuple[Entry, ...]:
        """What others have written since the last line."""
        before = self.session.log.last
        return self._entries(before) if self.session.log.refresh() else ()

    def _entries(self, after: int) -> tuple[Entry, ...]:
        entries = map(self.session.log.disclosures.entry, self.session.entries(after=after))
        return tuple(redacted(entry, self.eyes) for entry in entries)

    def latest_key(self) -> str:
        """The key of the latest roll that was thrown."""
        return verbs.latest(self._upwards(), (e.DiceRolled,))

    def latest_keys(self, most: int) -> list[tuple[str, str]]:
        """The latest rolls and declarations that stand, the latest first: a shorthand, and what it was."""
        found: dict[str, str] = {}
        for event in islice(self._upwards(), 100 * most):
            if isinstance(event, e.RollRequested | e.Declared) and len(found) < most:
                role = event.key.rpartition("/")[2]
                short = f"{event.by}/{role}"
                found.setdefault(short if short not in found else event.key, event.key)
        return list(found.items())

    def figures_of(self, short: str) -> list[str]:
        """The names of the figures that stand under a key."""
        found: dict[str, None] = {}
        for event in islice(self._upwards(), 5_000):
            if isinstance(event, e.FigureFound) and is_meant(short, event.key, event.who):
                found[event.name] = None
            if isinstance(event, e.TestResolved) and is_meant(short, event.key, ""):
                found.update(dict.fromkeys(wording(self.session.combat.session).test_figures))
        return list(found)

    def _upwards(self) -> Iterator[e.Event]:
        for entry in self.session.log.newest_first():
            yield from (event for event in reversed(entry.events) if self.eyes.may_see(event.seen_by))

    def terms_of(self, kind: str) -> Iterator[str]:
        """What a declaration of a kind takes, a line a field."""
        yield f"{kind}: {self.game.kinds[kind].title}"
        yield from (f"  {said_}" for _, said_ in self._fields_of(kind))

    def words_of(self, field: str) -> Iterator[str]:
        """What a field may say, a line a kind of declaration that has it."""
        for kind in self.game.kinds:
            yield from (f"{kind}: {said_}" for name, said_ in self._fields_of(kind) if name == plain(field))

    def _fields_of(self, kind: str) -> Iterator[tuple[str, str]]:
        asked = self.question()
        by = asked.rest.by if asked.rest is not None else ""
        offers = [one.command for one in asked.legal if isinstance(one.command, Declare) and one.command.kind == kind]
        offered = self.declaring(asked).words(next(iter(offers), Declare(kind, by)))
        for field in msgspec.structs.fields(self.game.kinds[kind].terms):
            name, needed = field.encode_name, "" if field.required else "?"
            yield name, f"{name}{needed}  {', '.join(offered.get(name, ()))}".rstrip()

    # -------------------------------------------------------------------------------------------- a line

    def say(self, line: str) -> Reply:
        """What becomes of a line. It is refused or done, and never raises what the rules refuse."""
        before = self.session.log.last
        try:
            done = self._in_time(line.strip(), before)
        except Refused as refusal:
            self.session.log.refresh()
            return Reply(self._entries(before), refused=refusal, kept=line if isinstance(refusal, Stale) else "")
        self.asks, self._then, self._asker = done.asks, done.then, self._word
        return Reply(self._entries(before), done)

    def _in_time(self, line: str, before: int) -> Done:
        """Somebody else may have written while this was typed: what it answers may be something else by now."""
        others, anyhow = self.session.log.refresh(), self._stands_alone(line)
        if others and not line:
            return Done(asks=self.asks, then=self._then)
        if others and not anyhow:
            raise Stale(before, self.session.log.last)
        for _ in range(_MOST_TRIES if anyhow else 0):
            asked = self.asks, self._then
            try:
                return self._said(line)
            except Stale:
                self.session.log.refresh()
                self.asks, self._then = asked
        return self._said(line)

    def _stands_alone(self, line: str) -> bool:
        """Does it mean the same whatever else was written?"""
        word = self._asker if self._then is not None else self._verb_of(line)
        return bool(word) and (VERBS[word].stands_alone or not VERBS[word].writes)

    def do(self, line: str) -> Done:
        """What a line does: a word of the table, or an answer."""
        return self._verb(line) or self._answered(line)

    def forget(self) -> None:
        """The line is taken back before it was said: nothing is asked beside what the rules ask."""
        self.asks, self._then = "", None

    def _said(self, line: str) -> Done:
        if len(line) > LONGEST:
            raise NotUnderstood("the line is too long", where="table", accepts=f"{LONGEST} characters")
        head, last, waits = self.session.log.head, self.session.log.last, self._waits
        then, (self.asks, self._then) = self._then, ("", None)
        done = then(line) if then is not None else self.do(line)
        if done.asks or (then is not None and self.session.log.last == last):  # nothing is drawn beside a question
            self._waits = waits
        elif not self._waits and not self._draw_on_in_time():
            self._waits, done = True, msgspec.structs.replace(done, lines=(*done.lines, _TIRED))
        if head < self.session.log.head == self.session.log.last:  # a redo decides nothing
            self._lines.append((head, self.session.log.head))
        return done

    def _verb(self, line: str) -> Done | None:
        self._word = word = self._verb_of(line)
        if not word:
            return None
        verb = VERBS[word]
        if verb.writes:
            self._waits = False
        slashed = verb.slashed if line.startswith("/") else None
        return (slashed or verb.do)(self, rest_of(line, 1))

    def _verb_of(self, line: str) -> str:
        """The word of the table that a line begins with; empty where it begins with none."""
        first = next(iter(words(line)), "")
        word = first.removeprefix("/")
        return "" if word not in VERBS or (first == word and self._is_option(word)) else word

    def _is_option(self, word: str) -> bool:
        rest = self.question().rest
        return rest is not None and any(option.option == word for option in rest.options)

    def _answered(self, line: str) -> Done:
        self._waits = False
        only, line = self._whom(line)
        asked = self.question(only)
        first = next(iter(words(line)), "")
        if first[:1] in ("+", "-") and number(first) is not None:
            return modify(self, line, only)
        if not line and self._draws_nothing(asked):
            raise NotUnderstood("faces are needed", where="dice", accepts="the faces, or * to draw")
        if not line and asked.rest is None and self.may_begin:
            return VERBS["begin"].do(self, "")
        if not line and asked.rest is None:
            return Done()
        self.perform(*(answer(asked, line, self.declaring(asked, only)) if line else nothing(asked)))
        return Done()

    def _draws_nothing(self, asked: Question) -> bool:
        return asked.rest is not None and bool(asked.rest.dice) and self.dice == "typed"

    def _whom(self, line: str) -> tuple[str, str]:
        """``WHO: what they say``."""
        said_, colon, tail = line.partition(":")
        who = id_of(self.seen.roster, said_)
        if not colon or not who or any(letter.isspace() or letter in "='\"" for letter in who):
            return "", line
        if who not in self.seen.roster and not any(rest.by == who for rest in self.seen.rests):
            raise UnknownCombatant(f"there is no {who!r}", where="who", accepts=", ".join(self.seen.roster.here()))
        return who, tail.strip()

    # -------------------------------------------------------------------------------------------- doing

    def check(self, command: Command) -> None:
        """Refuse what could not be performed now.

        Raises:
            Refused: It cannot be.
        """
        command = meant(self, command)
        self.session.check_allowed(command, by=self.who)
        decide(self.game, self.session.combat, command)

    def add(self, texts: Iterable[str]) -> None:
        """Bring combatants in, all or none; see `joining`.

        Raises:
            Refused: One of them cannot be.
        """
        self.perform(*joins(self.game, texts, self.session.combat.roster.who))

    def perform(self, *commands: Command) -> None:
        """Perform commands, each on what the one before made; a refusal of any of them comes before all is written.

        Raises:
            Refused: One of them cannot be.
        """
        commands = tuple(meant(self, command) for command in commands)
        self._rehearse(commands)
        for command in commands:
            self._perform(command)

    def _rehearse(self, commands: tuple[Command, ...]) -> None:
        if len(commands) < 2:
            return
        combat = self.session.combat
        for command in commands:
            if not isinstance(command, DrawDice):
                combat = fold(decide(self.game, combat, command), combat)

    def _perform(self, command: Command) -> None:
        self._waits = False
        self.session.perform(command, by=self.who, expected=self.session.log.last)

    def _draw_on_in_time(self) -> bool:
        """Where somebody else writes first, what was said is done; the rest is left to the next line."""
        try:
            return self._draw_on()
        except Stale:
            self.session.log.refresh()
            return True

    def _draw_on(self) -> bool:
        """Draw what is drawn without asking, and take the defaults that are taken so; False: there is more."""
        for _ in range(_MOST_DRAWS):
            asked = self.question()
            rolls = [roll for roll in asked.rolls if self._at_once(self.dice, roll.by)]
            if rolls and can_draw(self.session.log):
                self._perform(DrawDice(rolls[0].key))
            elif asked.default is not None and self._is_taken(asked):
                self._perform(asked.default.command)
            else:
                return True
        return False

    def _is_taken(self, asked: Question) -> bool:
        """Is this a choice that need not be put? What somebody does in their own moment is always asked."""
        rest = asked.rest
        acts = rest is None or any(option.option in self.game.kinds for option in rest.options)
        return rest is not None and not acts and self._at_once(self.defaults, rest.by)

    def _at_once(self, setting: str, who: str) -> bool:
        return setting == verbs.EVERYBODY or (setting == verbs.GAMEMASTERS and self._is_the_gamemasters(who))

    def _is_the_gamemasters(self, who: str) -> bool:
        roster = self.session.combat.roster
        return who not in roster or roster[who].player == "gm"

    # -------------------------------------------------------------------------------------------- back and forth

    def before_lines(self, count: int) -> int:
        """The entry that stood before the last lines of this table; beyond those, entry by entry.

        Raises:
            NothingToUndo: There were not so many.
        """
        if count < 1:
            raise NotUnderstood(f"{count} cannot be taken back", where="undo", accepts="1 or more")
        seq, lines = self.session.log.head, list(self._lines)
        for _ in range(count):
            while lines and lines[-1][1] > seq:
                lines.pop()
            seq = lines[-1][0] if lines and lines[-1][1] == seq else undo.target(self.session.log, "step", seq)
        return seq

    def back(self, to: int, why: str) -> None:
        """Take everything after an entry back; what was drawn without asking is not drawn again until the next line."""
        self.session.rewind(to, why=why, seen_by=self.seen_by, by=self.who, expected=self.session.log.last)
        self._waits = True

    def forward(self, why: str) -> None:
        """Take the latest undo back."""
        self.session.redo(why=why, seen_by=self.seen_by, by=self.who)
        self._waits = True
