"""Reissues recorded commands as answers, found by key.

A recorded command that answers a rest is used when a rest of its key is open, the latest standing answer first. One
that answers no rest (a note, a gamemaster's modifier) is performed again at the rest where it was given. Answers that
are not reached wait, and stay unused if their rest never opens.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import msgspec

from ledger.commands import Choose, Command, Declare, DrawDice, Overrule, TellDice, TypeDice
from ledger.dice import parse
from ledger.entry import Entry
from ledger.errors import Refused
from ledger.events import Chosen, Declared, DiceTold
from ledger.key import moment_of_acting
from machines.contract.refusals import TooManyEvents
from machines.contract.ruleset import Ruleset
from machines.engine.decide import Decision, decision
from projections.combat import Combat
from projections.path import Rest
from replays.corrections.answer_index import AnswerIndex, RecordedAnswer
from replays.sessions.hidden_names import rests_visible_to
from replays.sessions.intent import Intent
from replays.sessions.log import Log

ROLLS = (TypeDice, DrawDice)
"""Commands that answer a roll with faces."""
ANY_ROLL = (*ROLLS, TellDice)
"""Commands that answer a roll."""


def underlying(entry: Entry, of: Callable[[int], Entry]) -> tuple[Command, tuple[Overrule, ...]]:
    """Returns the command that the rules decided for an entry, and the overrules of its figures.

    Args:
        entry: An entry.
        of: Finds an entry by its number.
    """
    overrules: list[Overrule] = []
    while isinstance(entry.command, Overrule):
        overrules.append(entry.command)
        assert entry.origin is not None, "an overrule performs an entry again"
        entry = of(entry.origin)
    newest: dict[tuple[str, str], Overrule] = {}
    for each in reversed(overrules):
        newest[each.key, each.figure] = each
    return entry.command, tuple(newest.values())


def overruled_entry(entry: Entry, of: Callable[[int], Entry]) -> Entry:
    """Returns the entry that an overrule decides again; the entry itself, where it is not an overrule.

    Args:
        entry: An entry.
        of: Finds an entry by its number.
    """
    while isinstance(entry.command, Overrule) and entry.origin is not None:
        entry = of(entry.origin)
    return entry


def entry_in_its_place(log: Log, seq: int, line: Sequence[int]) -> int | None:
    """Returns the number of the entry on a line that is this entry or an overrule of it; None where neither is there.

    Args:
        log: The session's log.
        seq: The number of an entry.
        line: The numbers of the entries of the line.
    """
    if seq in line:
        return seq
    later = log.entries_of([each for each in line if each > seq])
    words = (entry for entry in later if isinstance(entry.command, Overrule))
    return next((entry.seq for entry in words if overruled_entry(entry, log.entry).seq == seq), None)


def reissue(entry: Entry, of: Callable[[int], Entry]) -> Intent:
    """Returns an entry's command, to be performed again."""
    decided, overrules = underlying(entry, of)
    return Intent(entry.command, entry.by, decided, overrules, entry.seq)


def recorded_answer(entry: Entry, of: Callable[[int], Entry]) -> RecordedAnswer:
    """Returns an entry as a recorded answer."""
    intent = reissue(entry, of)
    command = intent.decided
    if isinstance(command, Choose):
        return RecordedAnswer(intent, command.key, moment_of_acting(command.key))
    if not isinstance(command, Declare):
        counted = next((event.dice for event in entry.events if isinstance(event, DiceTold)), "")
        return RecordedAnswer(intent, command.key if isinstance(command, ANY_ROLL) else "", dice=counted)
    chosen = next((event.key for event in entry.events if isinstance(event, Chosen)), "")
    declared = next((event.key for event in entry.events if isinstance(event, Declared)), "")
    moment = "" if command.given_at is not None else moment_of_acting(chosen)
    return RecordedAnswer(intent, declared, moment, declared.partition("/")[0])


class RecordedAnswers:
    """Answers from a stretch of the log.

    Args:
        entries: The stretch, in order.
        of: Finds an entry by its number.
        older: Returns superseded answers to rolls and choices, by key. They are used where the stretch has no answer.
        resting: Keys that are open despite an older answer: no older answer is used for them.
        decided: Returns the decision that was made for an entry already, if any; none is made twice on the same state.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        of: Callable[[int], Entry],
        older: Callable[[], Mapping[str, Entry]] = dict,
        resting: frozenset[str] = frozenset(),
        decided: Callable[[int], Decision | None] = lambda _: None,
    ) -> None:
        self.left = AnswerIndex(recorded_answer(entry, of) for entry in entries)
        """Answers not used yet, in the order of the log."""
        self.faces = {
            each.intent.origin: each.intent.decided.faces
            for each in self.left.answers.values()
            if isinstance(each.intent.decided, ROLLS)
        }
        """All faces that were thrown, by entry."""
        self._of, self._older, self._resting, self._decided = of, older, resting, decided
        self._decision: Decision | None = None

    @cached_property
    def _superseded(self) -> dict[str, RecordedAnswer]:
        """The older answers, which are read from the log only where one may be needed."""
        return {key: recorded_answer(entry, self._of) for key, entry in self._older().items()}

    def correct(self, right: Callable[[Intent], Intent]) -> None:
        """Replaces recorded commands by corrected ones."""
        self.left = AnswerIndex(_corrected(each, right(each.intent)) for each in self.left)

    def next(self, game: Ruleset | None, combat: Combat) -> Intent | None:
        """Returns the first recorded command that answers an open rest or is due without one."""
        assert game is not None
        for place in self.left.candidates(combat):
            intent = matched(self.left.answers[place], combat)
            if intent is not None and self._is_legal(game, combat, intent):
                self.left.take(place)
                return intent
        return self._from_older(game, combat)

    def _from_older(self, game: Ruleset, combat: Combat) -> Intent | None:
        for rest in combat.rests:
            recorded = None if rest.key in self._resting else self._superseded.get(rest.key)
            intent = matched(recorded, combat) if recorded is not None else None
            if intent is not None and self._is_legal(game, combat, intent):
                del self._superseded[rest.key]
                return intent
        return None

    def decision(self) -> Decision | None:
        """Returns the decision of the command that `next` returned last; None if it returned none yet."""
        return self._decision

    def _is_legal(self, game: Ruleset, combat: Combat, intent: Intent) -> bool:
        """Returns whether a recorded command is possible on a state; its decision is kept."""
        known = self._decided(intent.origin or 0)
        if known is not None and known.is_of(combat, intent.decided, intent.overrules):
            self._decision = known
            return True
        try:
            self._decision = decision(game, combat, intent.decided, intent.overrules)
        except TooManyEvents:
            raise  # no later state could answer it either
        except Refused:
            return False
        return True

    def known(self, rest: Rest) -> TypeDice | DrawDice | None:
        """Returns the recorded dice of an open roll that needs more dice than were thrown."""
        recorded = (*(each.intent.decided for each in self.left), *self._older_roll(rest.key))
        rolls = (each for each in recorded if isinstance(each, ROLLS))
        found = next((each for each in rolls if each.key == rest.key), None)
        sides = parse(rest.dice).sides if rest.dice else ()
        return found if found is not None and len(found.faces) < len(sides) and len(set(sides)) == 1 else None

    def _older_roll(self, key: str) -> tuple[Command, ...]:
        if key in self._resting or key not in self._superseded:
            return ()
        return (self._superseded[key].intent.decided,)


def _corrected(recorded: RecordedAnswer, intent: Intent) -> RecordedAnswer:
    """Returns an answer with a corrected command; counts that a person corrects are of the dice of the open roll."""
    if intent is recorded.intent:
        return recorded
    return msgspec.structs.replace(recorded, intent=intent, dice="")


def matched(recorded: RecordedAnswer, combat: Combat) -> Intent | None:
    """Returns a recorded command as an answer to an open rest; None where no open rest fits."""
    intent = recorded.intent
    command = intent.decided
    match command:
        case TypeDice() | DrawDice():
            dice = _open_dice(combat, command.key)
            return _with_decided(intent, _trimmed(command, dice)) if dice else None
        case TellDice():
            dice = _open_dice(combat, command.key)
            return intent if dice and recorded.dice in ("", dice) else None
        case Choose():
            return _match_choice(recorded, command, combat)
        case Declare() if recorded.moment:
            asked = (rest.key for rest in combat.path.rests if rest.by == command.by and rest.options)
            return intent if recorded.moment in map(moment_of_acting, asked) else None
        case Declare() if recorded.period and recorded.period != combat.clock.period:
            return None
        case _:
            if command.given_at is None or not combat.rests:
                return intent
            visible = rests_visible_to(combat, command.seen_by)
            return intent if any(rest.key == command.given_at for rest in (*combat.rests, *visible)) else None


def _match_choice(recorded: RecordedAnswer, command: Choose, combat: Combat) -> Intent | None:
    """Matches a choice to its own rest; a choice of an action, to any later rest of the same moment.

    Under another key the record shows the choice with that key, even where an overrule stood in its place: the entry
    that the overrule performs again has the old key.
    """
    later = None
    for rest in combat.path.rests:
        if rest.key == command.key and rest.options:
            return recorded.intent
        if later is None and recorded.moment and rest.options and moment_of_acting(rest.key) == recorded.moment:
            later = rest
    if later is None:
        return None
    anew = msgspec.structs.replace(command, key=later.key)
    return msgspec.structs.replace(recorded.intent, command=anew, decided=anew)


def _with_decided(intent: Intent, decided: Command) -> Intent:
    """Returns the same intent with another command to decide."""
    if decided is intent.decided:
        return intent
    command = decided if intent.command is intent.decided else intent.command
    return Intent(command, intent.by, decided, intent.overrules, intent.origin)


def trim_faces(command: Command, combat: Combat) -> Command:
    """Returns dice without the faces that a smaller pool does not use."""
    dice = _open_dice(combat, command.key) if isinstance(command, ROLLS) else ""
    return _trimmed(command, dice) if isinstance(command, ROLLS) and dice else command


def _open_dice(combat: Combat, key: str) -> str:
    """Returns the dice of an open roll; empty where no roll of that key is open."""
    for rest in combat.path.rests:
        if rest.key == key:
            return rest.dice
    return ""


def _trimmed(command: TypeDice | DrawDice, dice: str) -> TypeDice | DrawDice:
    """Returns faces without those that these dice do not use."""
    sides, faces = parse(dice).sides, len(command.faces)
    if len(sides) >= faces or len(set(sides)) != 1:
        return command
    return msgspec.structs.replace(
        command, faces=command.faces[: len(sides)], provenance=command.provenance[: len(sides)]
    )


def older_answers(log: Log, line: Iterable[Entry], changed: Entry) -> dict[str, Entry]:
    """Returns the latest superseded answers to rolls and choices, by key, except choices of actions.

    Args:
        log: The session's log.
        line: The entries that stand.
        changed: The corrected entry: only answers since it was first performed count.
    """
    standing, since = {entry.seq for entry in line}, log.timeline.after(log.original(changed).seq)
    found: dict[str, Entry] = {}
    for entry in log.entries_of([seq for seq in range(since + 1, log.last + 1) if seq not in standing]):
        command = entry.command
        if isinstance(command, Choose | TypeDice | DrawDice | TellDice) and not moment_of_acting(command.key):
            found[command.key] = entry
    return found
