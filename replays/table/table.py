"""The table of one person at a session: executes typed lines and returns what they wrote."""

from collections.abc import Iterable
from contextlib import suppress

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Command, Declare, Join, Note
from ledger.entry import Entry, Seat, Who
from ledger.errors import Refused, Stale
from machines.contract.refusals import UnknownCombatant
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat, fold
from projections.views.seen import redacted, shown, viewer
from replays.api.batches import MOST
from replays.api.session import Session
from replays.odds.known_state import marked
from replays.table import settings
from replays.table.attached_modifiers import AttachedModifiers, kept_modifiers
from replays.table.correcting import own_lines
from replays.table.correcting.amending import misread
from replays.table.correcting.changing import modify
from replays.table.done import FirstOdds, LineResult, VerbResult, after_yes, which_meaning
from replays.table.language.answers import Meaning, answer, empty_answer
from replays.table.language.attacks import AttackParser, ally_in_brief
from replays.table.language.declarations import DeclarationParser
from replays.table.language.foreseen import after
from replays.table.language.grammar import LONGEST, Ambiguous, NotUnderstood, number, rest_of, words
from replays.table.language.joining import joins
from replays.table.language.known_sheets import KnownSheets
from replays.table.language.modifiers import with_reason_of_last
from replays.table.language.questions import Question, combatants_of, interrupts_of, question_for
from replays.table.language.sides import with_sides
from replays.table.language.targets import id_meant, id_of
from replays.table.playing_on import drawn_on, played_on
from replays.table.recent_events import RecentEvents
from replays.table.secrets import with_visibility
from replays.table.verbs import VERBS, Verb

_MOST_TRIES = 20


class Table:
    """A session and a person at its table.

    Args:
        session: The session.
        who: The person, with the seat.
        dice: Which rolls are drawn without asking; a word of `settings.DICE`. By default the one that the person keeps
            with the session.
        defaults: Which choices are passed without asking; a word of `settings.DEFAULTS`. By default likewise.
        files: Whether lines may name files of this machine: not if the person is at another one.
    """

    def __init__(self, session: Session, who: Who, dice: str = "", defaults: str = "", *, files: bool = True) -> None:
        self.session, self.who, self.files = session, who, files
        self.first_odds: FirstOdds = None
        kept = settings.kept(session.log, who) if not (dice and defaults) else ("", "")
        self.dice, self.defaults = dice or kept[0], defaults or kept[1]
        self.seen_by: tuple[str, ...] | None = None  # who sees what a line writes: all, except in secret
        self.asks = ""
        """A question of a word that the next line answers; empty if there is none."""
        self._then = VerbResult().then
        self.attached = AttachedModifiers(session.combat, kept_modifiers(session.log, who))
        self._lines: list[tuple[int, int]] = []
        """The head before and after each line that wrote something; for undo."""
        self._noted = 0
        """The entry by which the current line recorded a setting, as part of the line before it; 0 for none."""
        self.is_paused = False
        """Whether nothing is drawn without asking until the next line."""
        self._word = self._asker = ""
        """The word of the current line, and the word that question `asks`."""
        self._seen: tuple[int, Viewer, Combat] | None = None
        """The state that this person sees, with the head and the viewer that it was made for."""

    # -------------------------------------------------------------------------------------------- reading

    @property
    def game(self) -> Ruleset:
        """The ruleset of the session."""
        return self.session.game

    @property
    def eyes(self) -> Viewer:
        """This person as a viewer."""
        return EVERYTHING if self.who.seat is Seat.GM else viewer(self.who, self.session.combat)

    @property
    def seen(self) -> Combat:
        """The state, as this person sees it."""
        seq, eyes = self.session.log.head, self.eyes
        if self._seen is None or self._seen[:2] != (seq, eyes):
            self._seen = seq, eyes, self.session.seen(eyes, seq)
        return self._seen[2]

    def state_at(self, seq: int) -> Combat:
        """Returns the state after an entry, as this person sees it."""
        log, eyes = self.session.log, self.eyes
        if eyes == EVERYTHING:
            return log.state(seq)
        return fold(shown(map(log.disclosures.entry, log.entries_of(log.timeline.line(seq))), eyes))

    def question(self, only: str = "") -> Question:
        """Returns what the table asks this person now; with `only`, what it asks this combatant."""
        return question_for(self.session, self.seen, self.who, only)

    def declaration_parser(self, question: Question, only: str = "") -> DeclarationParser:
        """Returns the parser of what this person could declare now."""
        seen = self.seen
        return DeclarationParser(self.game, marked(seen), question, only, combatants_of(seen, self.who).__contains__)

    def declaration(self, line: str) -> Declare | None:
        """Returns the declaration that a line means now; None if it means none.

        Raises:
            Refused: The line is ambiguous, or a value cannot be parsed.
        """
        declaring, attacks = self._parsers(self.question())
        return attacks.parsed(line) or declaring.parsed(line)

    def verb(self, line: str) -> Verb | None:
        """Returns the word of the table that a line begins with; None if it begins with another word."""
        return VERBS.get(self._verb_of(line))

    def meaning(self, line: str) -> Meaning:
        """Returns the commands that an answer or a declaration means now; for a line that begins with another word.

        Raises:
            Refused: The line means nothing here, or is ambiguous.
        """
        only, line = self._addressee(line)
        return self._meaning(self.question(only), only, line)

    def _meaning(self, question: Question, only: str, line: str) -> Meaning:
        return answer(question, line, *self._parsers(question, only)) if line else Meaning(empty_answer(question))

    def _parsers(self, question: Question, only: str = "") -> tuple[DeclarationParser, AttackParser]:
        """Returns the parsers of what could be declared now, and of attacks that are typed with the target first."""
        declaring = self.declaration_parser(question, only)
        return declaring, AttackParser(self.seen, question, declaring, self.recent.terms)

    @property
    def may_begin(self) -> bool:
        """Whether the first fight can begin: this is the gamemaster, and there are two combatants or more."""
        combat = self.session.combat
        return (
            self.who.seat is Seat.GM
            and not combat.clock.fighting
            and not combat.clock.round
            and len(combat.roster.here()) > 1
        )

    def interrupts(self, question: Question) -> list[str]:
        """Returns interrupts as they could be typed: declarations of combatants who are asked, and against them."""
        return interrupts_of(question, self.session.options(self.eyes), self.seen)

    @property
    def is_behind(self) -> bool:
        """Whether others have written since the log was read."""
        return self.session.log.store.head(self.session.id).seq > self.session.log.last

    def news(self) -> tuple[Entry, ...]:
        """Returns what others have written since the last line."""
        before = self.session.log.last
        if self.session.log.refresh():
            self.apply_attached()
        return self._entries(before)

    def _entries(self, after: int) -> tuple[Entry, ...]:
        entries = map(self.session.log.disclosures.entry, self.session.entries(after=after))
        return tuple(redacted(entry, self.eyes) for entry in entries)

    @property
    def recent(self) -> RecentEvents:
        """The latest events that stand, as this person sees them."""
        return RecentEvents(self.session.log, self.eyes)

    # -------------------------------------------------------------------------------------------- a line

    def submit(self, line: str) -> LineResult:
        """Executes a line; a refusal is part of the result and not raised."""
        before = self.session.log.last
        try:
            done = self._unless_stale(line.strip(), before)
        except Refused as refusal:
            self.session.log.refresh()
            return LineResult(self._entries(before), refused=refusal, kept=line if isinstance(refusal, Stale) else "")
        self.asks, self._then, self._asker = done.asks, done.then, self._word
        return LineResult(self._entries(before), done)

    def _unless_stale(self, line: str, before: int) -> VerbResult:
        """Executes a line, unless others wrote while it was typed: it may answer another question by now.

        Raises:
            Stale: Others have written, and the line depends on the state.
        """
        others, anyhow = self.session.log.refresh(), self._stands_alone(line)
        if others and not line:
            return VerbResult(asks=self.asks, then=self._then)
        if others and not anyhow:
            raise Stale(before, self.session.log.last)
        for _ in range(_MOST_TRIES if anyhow else 0):
            pending = self.asks, self._then
            try:
                return self._executed(line)
            except Stale:
                self.session.log.refresh()
                self.asks, self._then = pending
        return self._executed(line)

    def _stands_alone(self, line: str) -> bool:
        """Returns whether a line may be executed even if others have written since it was typed."""
        word = self._asker if self._then is not None else self._verb_of(line)
        return bool(word) and VERBS[word].may_repeat

    def do(self, line: str) -> VerbResult:
        """Executes a line: a word of the table, or an answer."""
        return self._verb(line) or misread(self, line) or self._answered(line)

    def forget(self) -> None:
        """Drops the pending question of a word, because its line was cancelled."""
        self.asks, self._then = "", None

    def _executed(self, line: str) -> VerbResult:
        if len(line) > LONGEST:
            raise NotUnderstood("the line is too long", where="table", accepts=f"{LONGEST} characters")
        head, last, paused, self._noted = self.session.log.head, self.session.log.last, self.is_paused, 0
        then, (self.asks, self._then) = self._then if line != "quit" else None, ("", None)
        done = then(line) if then is not None else self.do(line)
        if done.asks or (then is not None and self.session.log.last == last):  # nothing is drawn beside a question
            self.is_paused = paused
        elif not self.is_paused and (stopped := drawn_on(self)):
            self.is_paused, done = True, msgspec.structs.replace(done, lines=(*done.lines, stopped))
        head = max(head, self._noted)
        if head < self.session.log.head == self.session.log.last:  # a redo decides nothing
            self._lines.append((head, self.session.log.head))
        return done

    def _verb(self, line: str) -> VerbResult | None:
        self._word = self._verb_of(line)
        if (verb := VERBS.get(self._word)) is None:
            return None
        if verb.writes:
            self.is_paused = False
        slashed = verb.slashed if line.startswith("/") else None
        return (slashed or verb.do)(self, rest_of(line, 1))

    def _verb_of(self, line: str) -> str:
        """Returns the word of the table that a line begins with; empty if it begins with another word."""
        first = next(iter(words(line)), "")
        word = first.removeprefix("/") if first != "?" else "odds"
        word = word if id_of(self.seen.roster, word.removesuffix(":")) in self.seen.roster else word.removesuffix(":")
        return "" if word not in VERBS or (first == word and self._is_option(word)) else word

    def _is_option(self, word: str) -> bool:
        rest = self.question().rest
        return rest is not None and any(option.option == word for option in rest.options)

    def _answered(self, line: str) -> VerbResult:
        self.is_paused = False
        whole, (only, line) = line, self._addressee(line)
        question = self.question(only)
        first = next(iter(words(line)), "")
        if first[:1] in ("+", "-") and number(first) is not None:
            return modify(self, line, only)
        if not line and question.rest is not None and question.rest.dice and self.dice == "typed":
            raise NotUnderstood("the roll needs faces", where="dice", accepts="the faces, or ~ to draw")
        if not line and question.rest is None:
            return VERBS["begin"].do(self, "") if self.may_begin else VerbResult()
        if (result := played_on(self, question, line)) is not None:
            return result
        try:
            meaning = self._meaning(question, only, line)
        except Ambiguous as ambiguous:
            return which_meaning(ambiguous, whole, self._answered)
        if any(each.why is None for each in meaning.modifiers):
            return VerbResult(asks="why", then=lambda why: self._answered(with_reason_of_last(whole, why)))
        doubt = ally_in_brief(self.seen, meaning.commands, line)
        return after_yes(doubt, lambda: self._written(meaning)) if doubt else self._written(meaning)

    def _written(self, meaning: Meaning) -> VerbResult:
        """Performs what a line means; returns what is wrong with some of its answers."""
        self.attached.attach(self, meaning.commands, meaning.modifiers)
        self.perform(*meaning.commands)
        return VerbResult(tuple(f"✗ {each}" for each in meaning.wrong))

    def _addressee(self, line: str) -> tuple[str, str]:
        """Splits ``WHO: LINE`` into the combatant and the line; the combatant is empty if there is none.

        Raises:
            UnknownCombatant: There is no such combatant.
        """
        name, colon, tail = line.partition(":")
        who = id_meant(self.seen.roster, name) if colon else ""
        if not who or any(letter.isspace() or letter in "='\"" for letter in who):
            return "", line
        if who not in self.seen.roster and not any(rest.by == who for rest in self.seen.rests):
            accepts = ", ".join(self.seen.roster.here())
            raise UnknownCombatant(f"there is no combatant {who!r}", where="who", accepts=accepts)
        return who, tail.strip()

    # -------------------------------------------------------------------------------------------- commands

    def check(self, command: Command) -> None:
        """Refuses a command that could not be performed now; a player's, only what the seat may never do.

        Raises:
            Refused: The command could not be performed.
        """
        command = with_visibility(self, command)
        self.session.check_allowed(command, by=self.who)
        if self.who.seat is Seat.GM:
            decide(self.game, self.session.combat, command)

    def add(self, texts: Iterable[str], sides: Iterable[str] = ()) -> None:
        """Adds combatants, all or none; see `joining` and `sides`.

        Raises:
            Refused: One of them cannot be added, or this person may add none.
        """
        texts = tuple(texts)
        if texts:  # a player who resumes a fight adds none
            self.session.check_allowed(Join("anybody", {}), by=self.who)
        sheets = KnownSheets(self.game, files=self.files)
        self.perform(*with_sides(joins(sheets, texts, self.session.combat.roster.who, VERBS), tuple(sides)))

    def perform(self, *commands: Command) -> None:
        """Performs commands one after the other, all or none.

        Raises:
            Refused: One of them cannot be performed; then none is written.
        """
        commands = tuple(with_visibility(self, command) for command in commands)
        is_together = len(commands) > 1
        if is_together and self.who.seat is Seat.GM:  # a player's refusal must depend on what that person sees
            after(self.game, self.session.combat, commands)
            is_together = len(commands) <= MOST and not self.attached.waiting(self.session.combat)
        if is_together:
            self.is_paused = False
            self.session.perform_all(commands, by=self.who, expected=self.session.log.last)
            return
        for command in commands:
            self._perform(command)

    def keep(self, *, dice: str = "", defaults: str = "") -> None:
        """Changes settings of this table and records them; `undo` takes the note back with the line before it.

        Raises:
            Refused: A changed setting cannot be recorded.
        """
        for note in settings.notes_of(self, dice, defaults):
            self._record(note)
        self.dice, self.defaults = dice or self.dice, defaults or self.defaults

    def _record(self, note: Note) -> None:
        """Writes a note about this table, as a part of the line before it."""
        before = self.session.log.head
        self.session.perform(note, by=self.who)
        if self._lines and self._lines[-1][1] == before:
            self._noted = self.session.log.head
            self._lines[-1] = self._lines[-1][0], self._noted

    def _perform(self, command: Command) -> None:
        self.is_paused = False
        self.session.perform(command, by=self.who, expected=self.session.log.last)
        self.apply_attached()

    def apply_attached(self) -> None:
        """Applies modifiers that were typed in a declaration, if its roll is asked for by now."""
        with suppress(Stale):
            for each in self.attached.due(self.session.combat):
                self.attached.applied(self.session.perform(each, by=self.who, expected=self.session.log.last).seq, each)

    def leave(self) -> None:
        """Records the modifiers that wait for a roll, so that they still wait when the session is resumed.

        Raises:
            Refused: They cannot be recorded.
        """
        for note in self.attached.notes(self.session.combat):
            self._record(note)
        self.attached.keep(self.session.combat)

    def before_lines(self, count: int) -> int:
        """Returns the entry that stood before the last lines of this table; see `own_lines.before`."""
        return own_lines.before(self.session.log, self._lines, count)

    def rewind(self, to: int, why: str) -> None:
        """Undoes all that follows an entry; automatic rolls are drawn only after the next line."""
        self.session.rewind(to, why=why, seen_by=self.seen_by, by=self.who, expected=self.session.log.last)
        self.attached.rewound(to)
        self.is_paused = True

    def redo(self, why: str) -> None:
        """Reverts the latest undo; automatic rolls are drawn only after the next line."""
        self.session.redo(why=why, seen_by=self.seen_by, by=self.who)
        self.is_paused = True
