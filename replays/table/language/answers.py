"""Parses a typed answer into commands: options, dice, declarations.

A choice is answered by a number, or by an option's word or its beginning; a roll by faces, or by nothing or ``~`` to
draw it; a declaration is given by its number or kind, followed by words and ``field=value`` pairs.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from ledger import dice
from ledger.commands import Choose, Command, Declare, DrawDice, TellDice
from ledger.errors import Refused
from ledger.key import meant
from machines.contract.refusals import ImpossibleCount, NotAskedFor, NotOffered
from projections.path import Rest
from projections.rolls import TOTAL
from replays.table.language.attacks import AttackParser
from replays.table.language.declarations import DeclarationParser
from replays.table.language.dice_words import counts_in, forms, is_faces, numbers, thrown, typed
from replays.table.language.grammar import NotUnderstood, number, one_of, plain, rest_of, unquoted, words
from replays.table.language.modifiers import TypedModifier, split_modifiers
from replays.table.language.questions import AnswerOption, OpenRoll, Question
from replays.table.language.targets import abbreviated, is_numbered

ALL = ("~", "*", "all")
DRAW = ("draw", "d", "roll")
DRAWN = (*ALL, *DRAW)
_ANSWER = r"([^\s=]+)\s*(?:=\s*|\s+)(.*?)"


class Meaning(NamedTuple):
    """What a line means."""

    commands: list[Command]
    modifiers: tuple[TypedModifier, ...] = ()
    """The modifiers of the roll of the declaration, which is the only command."""
    wrong: tuple[str, ...] = ()
    """The answers of a line with several that mean nothing, each with the reason."""


def answer(question: Question, line: str, declaring: DeclarationParser, attacks: AttackParser) -> Meaning:
    """Returns the commands that a line means.

    Args:
        question: The question that the line answers.
        line: The line as it was typed; not empty.
        declaring: Parses declarations.
        attacks: Parses attacks that are typed with the target first.

    Raises:
        Refused: The line means nothing here, is ambiguous, or is not allowed.
    """
    rolls = _dice(question, line) if question.rolls else Meaning([])
    if rolls.commands:
        return rolls
    bare, modifiers = split_modifiers(line)
    meant = _answered(question, bare, declaring, attacks) if modifiers else None
    if isinstance(meant, Declare) and declaring.roll(meant.kind):
        return Meaning([meant], modifiers)
    return Meaning([_answered(question, line, declaring, attacks)])


def _answered(question: Question, line: str, declaring: DeclarationParser, attacks: AttackParser) -> Command:
    """Returns the choice or the declaration that a line means."""
    if question.rest is not None and question.rest.options:
        return _choice(question, line, declaring, attacks)
    declared = declaring.parsed(line) or declaring.of_value(line)
    if declared is not None:
        return declared
    several = _several(question.rolls, words(line)) if question.rolls else []
    if len(several) > 1:
        problem = f"none of {', '.join(name for name, _ in several)} has an open roll"
        raise NotUnderstood(problem, where="dice", accepts=", ".join(roll.short for roll in question.rolls))
    raise NotUnderstood(f"{line!r} is not an answer here", where="table", accepts=_accepted(question))


def empty_answer(question: Question) -> list[Command]:
    """Returns the commands that an empty line means: drawing the first open roll, or choosing the default.

    Raises:
        NotUnderstood: There is no open roll and no default.
    """
    if question.rest is not None and question.rest.dice:
        return [DrawDice(question.rest.key)]
    if question.enter is not None:
        return [question.enter.command]
    accepts = _accepted(question)
    raise NotUnderstood(
        "an answer is needed" if question.rest else "no answer is expected", where="table", accepts=accepts
    )


def _accepted(question: Question) -> str:
    if question.rest is None:
        awaited = ", ".join(dict.fromkeys(rest.by for rest in question.others))
        return f"nothing: {awaited} must answer" if awaited else "add, begin, help"
    return (
        "faces, Enter to draw, ~ to draw all"
        if question.rest.dice
        else f"{_numbered(len(question.legal))}, or its word"
    )


def _numbered(count: int) -> str:
    """Returns the numbers of options in words."""
    return "1" if count == 1 else f"1 to {count}"


# ------------------------------------------------------------------------------------------------ dice


def dice_answers(rolls: Sequence[OpenRoll], line: str) -> Meaning:
    """Returns the commands that answer rolls if they are open; none if the line is no such answer.

    Args:
        rolls: The rolls, one or more.
        line: The line.

    Raises:
        Refused: The dice cannot show it, or it reads several ways.
    """
    first = Rest(rolls[0].key, by=rolls[0].by, purpose=rolls[0].purpose, dice=rolls[0].dice)
    return _dice(Question(first, rolls=tuple(rolls)), line)


def _dice(question: Question, line: str) -> Meaning:
    """Returns the commands that answer open rolls; none if the line is no such answer."""
    rolls = question.rolls
    if line in ALL or (question.rest is not None and question.rest.dice and line in DRAW):
        return Meaning([DrawDice(roll.key) for roll in (rolls if line in ALL else rolls[:1])])
    if question.rest is not None and question.rest.dice and is_faces(line):
        return Meaning(_faces(rolls, line))
    counted = thrown(rolls[0], line) if not _means(rolls, words(line)[0]) else None
    if counted is not None and question.rest is not None and question.rest.dice:
        return Meaning([counted])
    several = _several(rolls, words(line))
    if len(several) > 1 and any(_means(rolls, name) for name, _ in several):
        return _each(rolls, several)
    return Meaning([_roll_answer(roll, text) for roll, text in _by_key(rolls, line)])


def _several(rolls: Sequence[OpenRoll], tokens: Sequence[str]) -> list[tuple[str, str]]:
    """Splits ``lena 45 thug 3 22`` into names with faces; empty if the words are no such list.

    What follows the whole name of a roller is its answer, even if no dice can show it, so that it can be named.
    """
    found: list[tuple[list[str], list[str]]] = []
    for token in tokens:
        name = " ".join(found[-1][0]) if found and not found[-1][1] else ""
        is_longer = bool(name) and not _means(rolls, name) and bool(_means(rolls, f"{name} {token}"))
        is_face = token in DRAWN or is_faces(token) or _is_count(token, rolls)
        is_answer = bool(found) and not is_longer and (is_face or bool(name and _means(rolls, name)))
        if is_answer:
            found[-1][1].append(token)
        elif name:
            found[-1][0].append(token)
        elif not is_face:
            found.append(([token], []))
    several = [(" ".join(names), " ".join(faces)) for names, faces in found]
    is_list = all(faces and "=" not in name for name, faces in several) and not is_faces(tokens[0])
    return several if is_list else []


def _is_count(token: str, rolls: Sequence[OpenRoll]) -> bool:
    """Returns whether a word counts dice, such as ``4h2``, even if none of the rolls can show it."""
    try:
        return any(counts_in(token, roll.counts) for roll in rolls)
    except Refused:
        return True


def _each(rolls: Sequence[OpenRoll], several: Sequence[tuple[str, str]]) -> Meaning:
    """Returns the commands of the answers that are right, and what is wrong with the others.

    Raises:
        Refused: None of them is right, or a roll is answered twice.
    """
    commands: dict[str, Command] = {}
    wrong: list[str] = []
    problem: Refused = NotUnderstood("the same roll is answered twice", where="dice", accepts="each once")
    for name, faces in several:
        try:
            roll = _meant(rolls, name)
            given = _roll_answer(roll, faces)
        except Refused as refused:
            wrong.append(f"{name} {faces}: {refused}")
            problem = refused
            continue
        if roll.key in commands:
            raise NotUnderstood("the same roll is answered twice", where="dice", accepts="each once")
        commands[roll.key] = given
    if not commands:
        raise problem
    return Meaning(list(commands.values()), wrong=tuple(wrong))


def _faces(rolls: Sequence[OpenRoll], line: str) -> list[Command]:
    """Returns the commands that answer the first roll, or give faces to all rolls one after the other."""
    faces = numbers(line, dice.parse(rolls[0].missing).sides)
    counts = [len(dice.parse(roll.missing).sides) for roll in rolls]
    if len(faces) != counts[0] and len(faces) == sum(counts):
        starts = [sum(counts[:index]) for index in range(len(counts))]
        parts = [faces[start : start + count] for start, count in zip(starts, counts, strict=True)]
        return [typed(roll, each) for roll, each in zip(rolls, parts, strict=True)]
    return [_roll_answer(rolls[0], line)]


def _by_key(rolls: Sequence[OpenRoll], line: str) -> list[tuple[OpenRoll, str]]:
    """Returns the rolls that a line names, each with its answer: ``stoya 28``, ``stoya/defend=28 assassin=3,4``.

    Raises:
        NotAskedFor: A later shorthand means no open roll.
        NotUnderstood: A roll is answered twice.
    """
    tokens = words(line)
    name = next((end for end in range(len(tokens), 0, -1) if _named(rolls, " ".join(tokens[:end]))), 0)
    if name:
        given = [[" ".join(tokens[:name]), " ".join(tokens[name:])]]
    elif len(tokens) > 1 and all("=" in token for token in tokens):
        given = [token.split("=", 1) for token in tokens]
    else:
        match = re.fullmatch(_ANSWER, line) or re.fullmatch(r"([^\s=]+)()", line)
        given = [[match[1], match[2]]] if match is not None else []
    if not given or not _means(rolls, given[0][0]):
        return []
    found = [(_meant(rolls, short), faces) for short, faces in given]
    if len({roll.key for roll, _ in found}) < len(found):
        raise NotUnderstood("the same roll is answered twice", where="dice", accepts="each once")
    return found


def _means(rolls: Sequence[OpenRoll], short: str) -> list[str]:
    keys = [(roll.key, roll.by) for roll in rolls]
    return meant(_named(rolls, short) or short, keys) or meant(short.lower(), keys)


def _named(rolls: Sequence[OpenRoll], name: str) -> str:
    """Returns the roller of that name, or of those initials with a number; empty if none or several fit."""
    named = {roll.by for roll in rolls if roll.name.casefold() == unquoted(name).casefold()}
    if not named and is_numbered(name) and not _is_count(name, rolls):
        named = {*abbreviated(plain(name), {roll.by: (plain(roll.by), plain(roll.name)) for roll in rolls})}
    return named.pop() if len(named) == 1 else ""


def _meant(rolls: Sequence[OpenRoll], short: str) -> OpenRoll:
    keys = _means(rolls, short)
    if not keys:
        accepts = ", ".join(roll.short for roll in rolls)
        raise NotAskedFor(f"{short!r} means no open roll", where="dice", accepts=accepts)
    return next(roll for roll in rolls if roll.key == keys[0])  # the first if there are several


def _roll_answer(roll: OpenRoll, text: str) -> Command:
    if not text or text in DRAWN:
        return DrawDice(roll.key)
    answered = thrown(roll, text)
    if answered is None:
        message = f"{text!r} is not what these dice show"
        raise NotUnderstood(message, where="dice", accepts=f"{forms(roll)}, or draw")
    if isinstance(answered, TellDice):
        _check_counts(roll, answered.counts)
    return answered


def _check_counts(roll: OpenRoll, counts: Mapping[str, int]) -> None:
    """Rejects a count that is higher than the number of dice, so that only this answer of a line is refused."""
    most = len(dice.parse(roll.missing).sides)
    for name, count in counts.items():
        if name != TOTAL and count > most:
            problem = f"{most} dice cannot show {count} {name}"
            raise ImpossibleCount(problem, where=f"counts.{name}", accepts=f"0 to {most}")


# ------------------------------------------------------------------------------------------------ choices


def _choice(question: Question, line: str, declaring: DeclarationParser, attacks: AttackParser) -> Command:
    first = words(line)[0]
    tail = rest_of(line, 1)
    attack = None if _is_offered(question, first) else attacks.parsed(line, exactly=True)
    if attack is not None:
        return attack
    chosen = _chosen(question, first)
    if chosen is not None and isinstance(chosen.command, Choose):
        return msgspec.structs.replace(chosen.command, words=tail)
    if chosen is not None and isinstance(chosen.command, Declare):
        return declaring.extended(chosen.command, tail)
    parsers = [declaring.parsed, attacks.parsed]
    if _offered_word(question, first) is None and not declaring.is_kind(first):
        parsers.reverse()  # `b` is Bolt rather than the beginning of an action that is not offered
    declared = next(filter(None, (parse(line) for parse in parsers)), None) or declaring.of_value(line)
    if declared is not None:
        return declared
    targets = dict.fromkeys(answer.against for answer in question.answers if answer.against)
    if is_numbered(first) and targets:
        raise NotOffered(f"{first!r} names no target", where="table", accepts=", ".join(targets))
    raise NotOffered(f"{first!r} is not offered", where="table", accepts=_offered(question))


def _is_offered(question: Question, first: str) -> bool:
    """Returns whether a word is a number, or the whole word of an option or a kind of declaration."""
    offered = (*(answer.word for answer in question.answers), *question.kinds)
    return first.isdecimal() or plain(first) in map(plain, offered)


def _chosen(question: Question, first: str) -> AnswerOption | None:
    """Returns the answer that a number or an option's word means; None for the word of a kind of declaration."""
    which = number(first) if first.isdecimal() else None
    if which is not None:
        if not 1 <= which <= len(question.legal):
            raise NotOffered(f"there is no option {which}", where="table", accepts=_offered(question))
        return question.legal[which - 1]
    options = {answer.word: answer for answer in question.answers if isinstance(answer.command, Choose)}
    word = _offered_word(question, first)
    return options.get(word) if word is not None else None


def _offered_word(question: Question, first: str) -> str | None:
    """Returns the word of an option or an offered kind of declaration that a word means; None if it means none."""
    return one_of(first, dict.fromkeys((*(answer.word for answer in question.answers), *question.kinds)))


def _offered(question: Question) -> str:
    offered = [_numbered(len(question.legal))] if question.legal else []
    return ", ".join([*offered, *dict.fromkeys(answer.word for answer in question.answers if not answer.refused)])
