"""What the table waits for, as one person sees it: the question, its numbered answers, the open rolls."""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Choose, Command, Declare
from ledger.dice import parse
from ledger.entry import Seat, Who
from ledger.key import meant
from machines.contract.refusals import UnknownStep
from machines.engine.options import Possibility, target_of
from projections.combat import Combat
from projections.path import Rest
from projections.views.seen import viewer
from projections.views.stand_ins import PARTLY
from replays.api.session import Session


class Answer(msgspec.Struct, frozen=True):
    """One answer to a choice."""

    word: str
    """The option, or the kind of declaration."""
    says: str
    """What it is, in a few words; of a declaration, what could be typed for it."""
    command: Command
    target: int | None = None
    refused: str = ""
    """Why it cannot be; empty where it can."""


class OpenRoll(msgspec.Struct, frozen=True):
    """A roll that is asked for."""

    key: str
    short: str
    """A shorthand of the key, for typing."""
    by: str
    name: str
    purpose: str
    dice: str
    target: int | None
    lying: tuple[int, ...] = ()
    """Faces that lie already, though not enough of them: an amendment asks for more. Empty where they are hidden."""
    partly: bool = False
    """Is a part of the target hidden, and the target what the other parts come to?"""
    lie: int = 0
    """How many dice lie already, seen or hidden."""

    @property
    def missing(self) -> str:
        """The dice that are still to be thrown."""
        sides = parse(self.dice).sides
        return f"{len(sides) - self.lie}d{sides[0]}" if self.lie else self.dice

    @property
    def against(self) -> str:
        """The target, in words; empty where there is none."""
        if self.target is None:
            return ""
        return f"against {self.target}" + (f" {PARTLY}" if self.partly else "")

    @property
    def words(self) -> str:
        """It, in words."""
        against = f" {self.against}" if self.against else ""
        lying = " ".join(map(str, self.lying)) or f"{self.lie} that are hidden"
        beside = f" more beside {lying}" if self.lie else ""
        return f"{self.name}: {self.purpose}, {self.missing}{beside}{against}"


class Question(msgspec.Struct, frozen=True):
    """What is asked of this person now."""

    rest: Rest | None = None
    """The roll or choice that is answered first; None where they are not asked."""
    answers: tuple[Answer, ...] = ()
    """To that choice, the legal ones first, in the order of their numbers."""
    rolls: tuple[OpenRoll, ...] = ()
    """All that they may answer."""
    others: tuple[Rest, ...] = ()
    """What else the table waits for."""
    kinds: tuple[str, ...] = ()
    """Kinds of declaration that nothing is offered of: their terms must be said."""

    @property
    def legal(self) -> tuple[Answer, ...]:
        """The answers that have a number."""
        return tuple(answer for answer in self.answers if not answer.refused)

    @property
    def default(self) -> Answer | None:
        """What the rules take where nobody says anything."""
        word = self.rest.default if self.rest is not None else None
        return next((answer for answer in self.legal if word is not None and answer.word == word), None)

    @property
    def enter(self) -> Answer | None:
        """What an empty line answers: the default; without one the first option, where nothing can be declared."""
        acts = self.kinds or any(isinstance(answer.command, Declare) for answer in self.answers)
        return self.default or (None if acts else next(iter(self.legal), None))

    @property
    def is_stuck(self) -> bool:
        """Was it begun under other rules, so that nothing can be answered?"""
        return bool(self.answers) and all(answer.refused.startswith(UnknownStep.slug) for answer in self.answers)


def question(session: Session, seen: Combat, who: Who, only: str = "") -> Question:
    """What is asked of a person.

    Args:
        session: The fight.
        seen: What is so, as that person sees it.
        who: The person.
        only: Of this combatant alone.
    """
    theirs = speaks_for(seen, who)
    mine = [rest for rest in seen.rests if rest.by in theirs and only in ("", rest.by)]
    first = mine[0] if mine else None
    answers = tuple(_answers(session, seen, first, who)) if first is not None and first.options else ()
    numbered = {answer.word for answer in answers}
    offered = [option.option for option in first.options] if first is not None else []
    return Question(
        rest=first,
        answers=answers,
        rolls=tuple(_roll(session, seen, rest, eyes_of(session, who)) for rest in mine if rest.dice),
        others=tuple(rest for rest in seen.rests if rest is not first and not (rest in mine and rest.dice)),
        kinds=tuple(word for word in offered if word in session.game.kinds and word not in numbered),
    )


def speaks_for(seen: Combat, who: Who) -> frozenset[str]:
    """The combatants whose rolls and choices are a person's to answer."""
    if who.seat is Seat.GM:
        return frozenset((*seen.roster.who, "gm", *(rest.by for rest in seen.rests)))
    return seen.roster.played_by(who.name) if who.seat is Seat.PLAYER else frozenset()


def _roll(session: Session, seen: Combat, rest: Rest, eyes: Viewer) -> OpenRoll:
    game, waiting = session.game, session.waiting
    name, target = seen.roster.name(rest.by), target_of(game, seen, rest.key)
    partly = seen.figures.partly(rest.key, game.vocabulary.sums.goals) == ""
    lying, lie = waiting.known_faces(rest, eyes), waiting.count(rest)
    return OpenRoll(rest.key, shortened(seen, rest), rest.by, name, rest.purpose, rest.dice, target, lying, partly, lie)


def shortened(seen: Combat, rest: Rest) -> str:
    """The shortest shorthand that means this roll or choice alone."""
    alike = [(each.key, each.by) for each in seen.rests if bool(each.dice) == bool(rest.dice)]
    tails = rest.key.split("/")
    shorts = [rest.by, *(f"{rest.by}/{'/'.join(tails[-n:])}" for n in (1, 2, 3))]
    return next((short for short in shorts if meant(short, alike) == [rest.key]), rest.key)


# ------------------------------------------------------------------------------------------------ answers


def _answers(session: Session, seen: Combat, rest: Rest, who: Who) -> Iterator[Answer]:
    mine = [one for one in session.options(eyes_of(session, who)) if one.key == rest.key]
    foes, friends = _in_order(seen, [one for one in mine if isinstance(one.command, Declare)])
    found = [*foes, *(one for one in mine if not isinstance(one.command, Declare)), *friends]
    for one in sorted(found, key=lambda one: bool(one.refused)):
        yield _answer(rest, one, seen)


def eyes_of(session: Session, who: Who) -> Viewer:
    """What a person at the table may see."""
    return EVERYTHING if who.seat is Seat.GM else viewer(who, session.combat)


def _answer(rest: Rest, one: Possibility, seen: Combat) -> Answer:
    command = one.command
    if isinstance(command, Declare):
        return Answer(command.kind, said(command, seen), command, one.target, one.refused)
    assert isinstance(command, Choose)
    option = next((each for each in rest.options if each.option == command.option), None)
    target = option.target if option is not None else None
    label = (option.label if option is not None else one.label).removesuffix(f" {target}")
    return Answer(command.option, label or command.option, command, target, one.refused)


def _in_order(seen: Combat, acts: Sequence[Possibility]) -> tuple[list[Possibility], list[Possibility]]:
    """The first thing that may be done to each foe, and what names nobody; then the second things. And to friends."""
    counts: dict[tuple[str, ...], int] = {}
    ranked: list[tuple[bool, int, Possibility]] = []
    for one in acts:
        assert isinstance(one.command, Declare)
        named = tuple(value for value in one.command.terms.values() if isinstance(value, str) and value in seen.roster)
        rank = counts.get((one.command.kind, *named), 0) if named else 0
        counts[one.command.kind, *named] = rank + 1
        ranked.append((_is_among_friends(seen, one.command.by, named), rank, one))
    ranked.sort(key=lambda each: each[:2])
    return [one for friend, _, one in ranked if not friend], [one for friend, _, one in ranked if friend]


def names_any(command: Command | None, people: Collection[str]) -> bool:
    """Does a declaration name any of these?"""
    terms = command.terms.values() if isinstance(command, Declare) else ()
    return any(isinstance(value, str) and value in people for value in terms)


def _is_among_friends(seen: Combat, by: str, named: Collection[str]) -> bool:
    """Are only combatants of the same player named? Those are seldom meant."""
    player = seen.roster[by].player if by in seen.roster else ""
    foes = any(seen.roster[who].player != player for who in seen.roster.here())
    return foes and bool(named) and all(seen.roster[name].player == player for name in named)


def said(command: Declare, seen: Combat) -> str:
    """A declaration in few words, which could be typed; who joined in secret is named as they were typed."""
    terms = ((field, _named(value, seen)) for field, value in command.terms.items())
    return " ".join([command.kind, *(_term(field, value) for field, value in terms)])


def _named(value: object, seen: Combat) -> object:
    one = seen.roster.who.get(value) if isinstance(value, str) else None
    return next((name for name in one.names if name not in seen.roster), value) if one is not None else value


def _term(field: str, value: object) -> str:
    if value is True:
        return field
    if isinstance(value, str) and value and not any(letter in "=\"'[]{}," for letter in value):
        return value
    if isinstance(value, list | tuple) and all(isinstance(each, str) and each.isidentifier() for each in value):
        return f"{field}={','.join(value)}"
    return f"{field}={msgspec.json.encode(value).decode()}"
