"""The question that the table asks a person: the open choice with numbered answers, and the open rolls."""

from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Choose, Command, Declare
from ledger.dice import parse
from ledger.entry import Seat, Who
from ledger.key import meant
from machines.contract.dice_reading import summary_of
from machines.contract.refusals import UnknownStep
from machines.engine.options import Possibility, best_first, target_of
from projections.combat import Combat
from projections.path import Rest
from projections.views.seen import viewer
from projections.views.stand_ins import PARTLY
from replays.api.session import Session


class AnswerOption(msgspec.Struct, frozen=True):
    """A possible answer to a choice."""

    word: str
    """The word of the option, or the kind of declaration."""
    label: str
    """A short description; of a declaration, a line that could be typed for it."""
    command: Command
    target: int | None = None
    refused: str = ""
    """The reason why it is not allowed; empty if it is."""
    against: str = ""
    """The combatant that a declaration names first, as it could be typed; empty if it names none."""
    matters: bool = True
    """Whether the choice can change anything."""
    standing: str = ""
    """How the roll stands that the choice is about."""
    is_ahead: bool = False
    """Whether the combatant prevails as it is, so that another option could only do more."""
    place: int = 0
    """Its place among all that the rules offer, allowed or not: the best weapon against a foe comes first."""


class OpenRoll(msgspec.Struct, frozen=True):
    """A roll that the table is waiting for."""

    key: str
    short: str
    """A shorthand of the key, for typing."""
    by: str
    name: str
    purpose: str
    dice: str
    target: int | None
    known_faces: tuple[int, ...] = ()
    """Faces that are known already, if an amendment asks for more dice; empty if they are hidden."""
    is_target_partial: bool = False
    """Whether a part of the target is hidden, so that `target` is the sum of the visible parts."""
    known_count: int = 0
    """Number of dice with faces, visible or hidden."""
    counts: tuple[str, ...] = ()
    """The counts that may be typed in place of the faces, such as ``hits``; see `machines.contract.dice_reading`."""

    @property
    def missing(self) -> str:
        """The dice that are still to be thrown."""
        sides = parse(self.dice).sides
        return f"{len(sides) - self.known_count}d{sides[0]}" if self.known_count else self.dice

    @property
    def against(self) -> str:
        """The target in words; empty if there is none."""
        if self.target is None:
            return ""
        return f"against {self.target}" + (f" {PARTLY}" if self.is_target_partial else "")

    @property
    def words(self) -> str:
        """The roll in words."""
        against = f" {self.against}" if self.against else ""
        lying = " ".join(map(str, self.known_faces)) or f"{self.known_count} that are hidden"
        beside = f" more beside {lying}" if self.known_count else ""
        return f"{self.name}: {self.purpose}, {self.missing}{beside}{against}"


class Question(msgspec.Struct, frozen=True):
    """What the table asks a person now."""

    rest: Rest | None = None
    """The roll or choice to be answered first; None if this person is not asked."""
    answers: tuple[AnswerOption, ...] = ()
    """The answers to that choice; the legal ones come first, in the order of their numbers."""
    rolls: tuple[OpenRoll, ...] = ()
    """All rolls that this person may answer."""
    others: tuple[Rest, ...] = ()
    """The other rolls and choices that the table is waiting for."""
    kinds: tuple[str, ...] = ()
    """Kinds of declaration without offers: their terms must be typed."""

    @property
    def legal(self) -> tuple[AnswerOption, ...]:
        """The answers that have a number."""
        return tuple(answer for answer in self.answers if not answer.refused)

    @property
    def default(self) -> AnswerOption | None:
        """The default answer of the rules; None if there is none."""
        word = self.rest.default if self.rest is not None else None
        return next((answer for answer in self.legal if word is not None and answer.word == word), None)

    @property
    def enter(self) -> AnswerOption | None:
        """The answer of an empty line: the default of the rules; without one the best defense, or the first option.

        None if a declaration is asked for.
        """
        if self.default is not None or self.rest is None:
            return self.default
        acts = self.kinds or any(isinstance(answer.command, Declare) for answer in self.answers)
        legal = {} if acts else {answer.word: answer for answer in self.legal}
        return next((legal[word] for word in best_first(self.rest) if word in legal), None)

    @property
    def matters(self) -> bool:
        """Whether the choice can change anything; True for a roll."""
        return not self.answers or any(answer.matters for answer in self.answers)

    @property
    def is_ahead(self) -> bool:
        """Whether the combatant who chooses prevails already; False if the rules do not know."""
        return any(answer.is_ahead for answer in self.answers)

    @property
    def standing(self) -> str:
        """How the roll stands that the choice is about; empty if the rules do not know."""
        return next((answer.standing for answer in self.answers), "")

    @property
    def is_stuck(self) -> bool:
        """Whether no answer is possible, because the fight was begun under other rules."""
        return bool(self.answers) and all(answer.refused.startswith(UnknownStep.slug) for answer in self.answers)


def question_for(session: Session, seen: Combat, who: Who, only: str = "") -> Question:
    """Returns what the table asks a person.

    Args:
        session: The session.
        seen: The state, as that person sees it.
        who: The person.
        only: Limits the question to this combatant; empty for all.
    """
    played = combatants_of(seen, who)
    mine = [rest for rest in seen.rests if rest.by in played and only in ("", rest.by)]
    first = mine[0] if mine else None
    answers = tuple(_answers(session, seen, first, who)) if first is not None and first.options else ()
    numbered = {answer.word for answer in answers}
    offered = [option.option for option in first.options] if first is not None else []
    return Question(
        rest=first,
        answers=answers,
        rolls=tuple(open_roll(session, seen, rest, eyes_of(session, who)) for rest in mine if rest.dice),
        others=tuple(rest for rest in seen.rests if rest is not first and not (rest in mine and rest.dice)),
        kinds=tuple(word for word in offered if word in session.game.kinds and word not in numbered),
    )


def combatants_of(seen: Combat, who: Who) -> frozenset[str]:
    """Returns the combatants whose rolls and choices a person may answer."""
    if who.seat is Seat.GM:
        return frozenset((*seen.roster.who, "gm", *(rest.by for rest in seen.rests)))
    return seen.roster.played_by(who.name) if who.seat is Seat.PLAYER else frozenset()


def open_roll(session: Session, seen: Combat, rest: Rest, eyes: Viewer) -> OpenRoll:
    """Returns a roll that is asked for in a state, as a person sees it."""
    game, waiting = session.game, session.waiting
    name, target = seen.roster.name(rest.by), target_of(game, seen, rest.key)
    partly = seen.figures.partly(rest.key, game.vocabulary.sums.goals) == ""
    lying, lie = waiting.known_faces(rest, eyes), waiting.count(rest)
    counts = () if lie else tuple(each.name for each in summary_of(rest.dice, game.reading(seen, rest.key)))
    short = shortened(seen, rest)
    return OpenRoll(rest.key, short, rest.by, name, rest.purpose, rest.dice, target, lying, partly, lie, counts)


def shortened(seen: Combat, rest: Rest) -> str:
    """Returns the shortest shorthand that means only this roll or choice."""
    alike = [(each.key, each.by) for each in seen.rests if bool(each.dice) == bool(rest.dice)]
    tails = rest.key.split("/")
    shorts = [rest.by, *(f"{rest.by}/{'/'.join(tails[-n:])}" for n in (1, 2, 3))]
    return next((short for short in shorts if meant(short, alike) == [rest.key]), rest.key)


# ------------------------------------------------------------------------------------------------ answers


def _answers(session: Session, seen: Combat, rest: Rest, who: Who) -> Iterator[AnswerOption]:
    """Yields the answers to a choice: legal ones first, actions against foes before those on friends."""
    mine = [each for each in session.options(eyes_of(session, who)) if each.key == rest.key]
    foes, friends = _foes_before_friends(seen, [each for each in mine if isinstance(each.command, Declare)])
    found = [*foes, *(each for each in mine if not isinstance(each.command, Declare)), *friends]
    for place, possibility in sorted(enumerate(found), key=lambda each: bool(each[1].refused)):
        yield msgspec.structs.replace(_answer(rest, possibility, seen), place=place)


def eyes_of(session: Session, who: Who) -> Viewer:
    """Returns a person at the table as a viewer."""
    return EVERYTHING if who.seat is Seat.GM else viewer(who, session.combat)


def _answer(rest: Rest, possibility: Possibility, seen: Combat) -> AnswerOption:
    """Returns one possible answer with the words for it."""
    command, refused = possibility.command, possibility.refused
    if isinstance(command, Declare):
        named = [str(value) for value in command.terms.values() if isinstance(value, str) and value in seen.roster]
        against = str(with_typed_name(named[0], seen)) if named else ""
        return AnswerOption(command.kind, as_typed(command, seen), command, possibility.target, refused, against)
    assert isinstance(command, Choose)
    option = next((each for each in rest.options if each.option == command.option), None)
    target = option.target if option is not None else None
    label = (option.label if option is not None else possibility.label).removesuffix(f" {target}")
    return AnswerOption(
        command.option, label or command.option, command, target, refused,
        matters=possibility.matters, standing=possibility.standing, is_ahead=possibility.is_ahead,
    )  # fmt: skip


def _foes_before_friends(seen: Combat, acts: Sequence[Possibility]) -> tuple[list[Possibility], list[Possibility]]:
    """Returns what can be done to foes and what can be done to friends.

    The first possibility for each foe comes first, with those that name no combatant; then the second for each, and so
    on.
    """
    counts: dict[tuple[str, ...], int] = {}
    ranked: list[tuple[bool, int, Possibility]] = []
    for act in acts:
        assert isinstance(act.command, Declare)
        named = tuple(value for value in act.command.terms.values() if isinstance(value, str) and value in seen.roster)
        rank = counts.get((act.command.kind, *named), 0) if named else 0
        counts[act.command.kind, *named] = rank + 1
        ranked.append((seen.roster.is_among_friends(act.command.by, named), rank, act))
    ranked.sort(key=lambda each: each[:2])
    return [act for friend, _, act in ranked if not friend], [act for friend, _, act in ranked if friend]


def interrupts_of(question: Question, options: Iterable[Possibility], seen: Combat) -> list[str]:
    """Returns interrupts as they could be typed: declarations of combatants who are asked, and against them."""
    people = {*(roll.by for roll in question.rolls), *([question.rest.by] if question.rest else [])}
    found = [option.command for option in options if not option.key]
    acts = [each for each in found if isinstance(each, Declare)]
    own = [each for each in acts if each.by in people]
    others = [each for each in acts if each.by not in people and names_any(each, people)]
    return [f"{each.by}: {as_typed(each, seen)}" for each in [*own, *others]]


def names_any(command: Command | None, people: Collection[str]) -> bool:
    """Returns whether a declaration names any of these combatants."""
    terms = command.terms.values() if isinstance(command, Declare) else ()
    return any(isinstance(value, str) and value in people for value in terms)


def as_typed(command: Declare, seen: Combat) -> str:
    """Returns a line that could be typed for a declaration; hidden combatants have the names that were typed."""
    terms = ((field, with_typed_name(value, seen)) for field, value in command.terms.items())
    return " ".join([command.kind, *(_term_as_typed(field, value) for field, value in terms)])


def with_typed_name(value: object, seen: Combat) -> object:
    """Returns the name that was typed for a hidden combatant; any other value unchanged."""
    known = seen.roster.who.get(value) if isinstance(value, str) else None
    return next((name for name in known.names if name not in seen.roster), value) if known is not None else value


def _term_as_typed(field: str, value: object) -> str:
    """Returns a term as it could be typed."""
    if value is True:
        return field
    if isinstance(value, str) and value and not any(letter in "=\"'[]{}," for letter in value):
        return value
    if isinstance(value, list | tuple) and all(isinstance(each, str) and each.isidentifier() for each in value):
        return f"{field}={','.join(value)}"
    return f"{field}={msgspec.json.encode(value).decode()}"
