"""From typed words to a declaration: which kind, by whom, with which terms.

``attack stoya shredder mode=full``: the kind, words that fit what is offered or what its fields may say, and pairs.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import inspect

from ledger.commands import Declare
from ledger.errors import Refused
from ledger.events import Json
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat
from replays.odds.known_state import STOPPED
from replays.table.language.grammar import (
    NotUnderstood,
    fields,
    flat,
    number,
    one_of,
    pairs,
    plain,
    rest_of,
    typed,
    unquoted,
    value,
)
from replays.table.language.grammar import words as split
from replays.table.language.names import id_of
from replays.table.language.questions import Question, said

_BY = "by"
_MANY = (inspect.VarTupleType, inspect.ListType)


class DeclarationParser:
    """What can be declared now.

    Args:
        game: The rules.
        combat: What is so, as far as whoever is asked can see.
        question: What is asked.
        only: Who declares, where the line said so.
        speaks: Whether whoever is asked speaks for a combatant.
    """

    def __init__(
        self,
        game: Ruleset,
        combat: Combat,
        question: Question,
        only: str,
        speaks: Callable[[str], bool],
    ) -> None:
        self._game = game
        self._combat = combat
        self._question = question
        self._only = only
        self._speaks = speaks

    def of(self, line: str) -> Declare | None:
        """A declaration by the word of its kind; None where the line begins with none.

        Raises:
            Refused: More than one thing is meant, or a value cannot be read.
        """
        first = next(iter(split(line)), "")
        rest = self._question.rest
        offered = [option.option for option in rest.options] if rest is not None else []
        kind = one_of(first, self._game.kinds) or one_of(first, [word for word in offered if word in self._game.kinds])
        if kind is None:
            return None
        tail = rest_of(line, 1)
        bare, given = pairs(split(tail))
        if _BY in given:
            given[_BY] = id_of(self._combat.roster, unquoted(given[_BY]))
        who = self._only
        if not who and _BY in given and given[_BY] in self._combat.roster:
            who = given.pop(_BY)
            tail = " ".join(token for token in split(tail) if not token.startswith(f"{_BY}="))
        return self._first_legal([self._by(kind, one, bare, given, tail) for one in self._who(who, kind)])

    def more(self, base: Declare, tail: str) -> Declare:
        """An offered declaration with what was said behind it.

        Raises:
            Refused: A word means nothing there, or a value cannot be read.
        """
        bare, given = pairs(split(tail))
        return self._with(base, bare, given, tail)

    def words(self, command: Declare) -> Mapping[str, tuple[str, ...]]:
        """Values worth offering for the fields of a declaration's terms."""
        try:
            offered = self._game.offered_words(self._combat, command)
        except Refused:
            return {}
        except STOPPED:  # half a declaration need not make sense, and of a hidden sheet there are no words
            return {}
        known = fields(self._game.kinds[command.kind].terms)
        return {field: offered[field] for field in known if offered.get(field)}

    def offers(self, kind: str, who: str) -> list[Declare]:
        """What is offered of a kind to somebody."""
        shown = [each.command for each in self._question.legal if isinstance(each.command, Declare)]
        mine = [each for each in shown if each.kind == kind and each.by == who]
        if mine or who not in self._combat.roster.here():
            return mine
        with suppress(*STOPPED):
            return [each for each in self._game.offers(self._combat, who) if each.kind == kind]
        return []

    # -------------------------------------------------------------------------------------------- who, and which

    def _who(self, said_: str, kind: str) -> Sequence[str]:
        if said_:
            return [said_]
        rest = self._question.rest
        if rest is not None and any(option.option == kind for option in rest.options):
            return [rest.by]
        waited = [rest.by for rest in self._combat.rests]
        active = [self._combat.turn.who] if self._combat.turn.who else []
        here = self._combat.roster.here()
        alone = [who for who in here if self._speaks(who)]
        found = [who for who in dict.fromkeys((*waited, *active)) if self._speaks(who)]
        return found or (alone if len(alone) == 1 else []) or self._nobody(kind)

    def _nobody(self, kind: str) -> Sequence[str]:
        accepts = ", ".join(f"{who}: {kind}" for who in self._combat.roster.here()) or "add somebody first"
        raise NotUnderstood(f"who declares {kind}?", where="by", accepts=accepts)

    def _first_legal(self, found: Sequence[Declare]) -> Declare:
        """The first that the rules accept; where they accept none, the first."""
        return next((each for each in found if self._is_legal(each)), found[0])

    def _is_legal(self, command: Declare) -> bool:
        try:
            decide(self._game, self._combat, command)
        except Refused:
            return False
        except STOPPED:  # it hangs on something that is hidden from them
            return True
        return True

    def _by(self, kind: str, who: str, bare: Sequence[str], given: Mapping[str, str], tail: str) -> Declare:
        offers = self.offers(kind, who)
        bare = self._named(bare)
        bare = _grouped(bare, [each for offer in offers for each in offer.terms.values()])
        terms = typed(given, self._game.kinds[kind].terms)
        agreeing = [each for each in offers if all(terms.get(field, one) == one for field, one in each.terms.items())]
        left = {index: _left(each, bare) for index, each in enumerate(agreeing)}
        if bare and self._prose(kind, who) and all(left.values()):
            return self._with(Declare(kind, who), bare, given, tail)
        fewest = min(map(len, left.values()), default=0)
        found = [agreeing[index] for index, each in left.items() if len(each) == fewest]
        base = self._single(found, kind, who)
        return self._with(base, _left(base, bare), given, tail)

    def _single(self, found: Sequence[Declare], kind: str, who: str) -> Declare:
        if len(found) > 1:
            accepts = "; ".join(said(each, self._combat) for each in found[:6])
            raise NotUnderstood(f"{kind} may mean {len(found)} things", where="table", accepts=accepts)
        return found[0] if found else Declare(kind, who)

    # -------------------------------------------------------------------------------------------- its terms

    def _with(self, base: Declare, bare: Sequence[str], given: Mapping[str, str], tail: str) -> Declare:
        """More terms: words are looked up among what the fields may say, pairs are read by their field's type."""
        struct = self._game.kinds[base.kind].terms
        terms = {**base.terms, **typed(given, struct)}
        offered = self.words(msgspec.structs.replace(base, terms=terms))
        known, prose = fields(struct), self._prose(base.kind, base.by)
        try:
            for word in _grouped(self._named(bare), [each for words in offered.values() for each in words]):
                field, meant = _meant(word, offered, known, terms, _numbers(struct))
                terms = _add(terms, field, meant, known.get(field))
        except NotUnderstood:
            if not prose or given:
                raise
            terms = {**base.terms, prose: tail}
        exact = msgspec.structs.replace(base, terms=terms)
        widened = {field: self._widened(said, offered.get(field, ())) for field, said in terms.items()}
        return exact if widened == terms else self._first_legal([exact, msgspec.structs.replace(base, terms=widened)])

    def _named(self, bare: Sequence[str]) -> list[str]:
        """With ids in the place of names."""
        roster = self._combat.roster
        names = [one.name for one in roster.who.values() if one.here]
        whole = [" ".join(bare[start:end]) for start in range(len(bare)) for end in range(start + 2, len(bare) + 1)]
        said_ = [name for name in names if name.casefold() in {each.casefold() for each in whole}]
        return [id_of(roster, each) for each in (_grouped(bare, said_) if said_ else bare)]

    def _widened(self, said_: Any, offered: Sequence[str]) -> Any:
        """A value in full, where only its beginning was typed, or a name."""
        if isinstance(said_, list):
            return [self._widened(each, offered) for each in said_]
        if not isinstance(said_, str) or not offered:
            return said_
        return one_of(said_, offered) or one_of(id_of(self._combat.roster, said_), offered) or said_

    def _prose(self, kind: str, who: str) -> str:
        """The field for words of one's own: the first one, where it is a plain text that nothing is offered for."""
        known = fields(self._game.kinds[kind].terms)
        first = next(iter(known), "")
        if not first or not isinstance(known[first], inspect.StrType) or self.words(Declare(kind, who)).get(first):
            return ""
        names_people = any(offer.terms.get(first) in self._combat.roster.who for offer in self.offers(kind, who))
        return "" if names_people else first


def _grouped(bare: Sequence[str], values: Iterable[Any]) -> list[str]:
    """Words that together are the beginning of one value, as one."""
    known = [plain(each) for each in values if isinstance(each, str)]
    found, start = [], 0
    while start < len(bare):
        ends = range(len(bare), start, -1)
        runs = ((" ".join(bare[start:end]), end) for end in ends)
        word, start = next(
            (run for run in runs if any(each.startswith(plain(run[0])) for each in known)), (bare[start], start + 1)
        )
        found.append(word)
    return found


def _left(offer: Declare, bare: Iterable[str]) -> list[str]:
    """The words that an offer does not account for."""
    values = [each for each in offer.terms.values() if isinstance(each, str)]
    values += [field for field, each in offer.terms.items() if each is True]
    left = []
    for word in bare:
        fitting = next((each for each in values if plain(each).startswith(plain(word))), None)
        if fitting is None:
            left.append(word)
        else:
            values.remove(fitting)
    return left


def _numbers(struct: type[msgspec.Struct]) -> list[str]:
    """The fields that must be said and are numbers."""
    known = fields(struct)
    needed = [field.encode_name for field in msgspec.structs.fields(struct) if field.required]
    return [name for name in needed if any(isinstance(part, inspect.IntType) for part in flat(known[name]))]


def _meant(
    word: str, offered: Mapping[str, Sequence[str]], known: Mapping[str, Any], terms: Json, required: Sequence[str]
) -> tuple[str, Any]:
    """The field, and its value, that a bare word means; a number may mean the first of `required`."""
    flags = [field for field, kind in known.items() if isinstance(kind, inspect.BoolType)]
    exact = [(field, each) for field, words in offered.items() for each in words if plain(each) == plain(word)]
    begun = [(field, each) for field, words in offered.items() for each in words if plain(each).startswith(plain(word))]
    found: list[tuple[str, Any]] = exact or [(field, True) for field in flags if plain(field) == plain(word)] or begun
    unsaid = [each for each in found if each[0] not in terms]
    single = [each for each in unsaid or found if not isinstance(known[each[0]], _MANY)]
    found = found if len(found) == 1 else single or unsaid or found  # what is not said yet, and can be said once
    if len(found) == 1:
        return found[0]
    if found:
        accepts = ", ".join(f"{field}={each}" for field, each in found[:8])
        raise NotUnderstood(f"{word!r} may mean {len(found)} things", where="terms", accepts=accepts)
    wanted = next((field for field in required if field not in terms), None) if number(word) is not None else None
    if wanted is not None:
        return wanted, word
    accepts = ", ".join(f"{field}=" for field in known) or "no terms"
    raise NotUnderstood(f"{word!r} says nothing about it", where="terms", accepts=accepts)


def _add(terms: Json, field: str, said_: Any, kind: Any) -> Json:
    """One value more; a field that takes several has it beside the others."""
    if isinstance(kind, _MANY):
        before = tuple(terms.get(field) or ())
        return {**terms, field: [*before, *(each for each in (said_,) if each not in before)]}
    return {**terms, field: value(said_, kind) if said_ is not True and number(said_) is not None else said_}
