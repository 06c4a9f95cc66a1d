"""Parses typed words into a declaration: its kind, its combatant and its terms.

``attack stoya shredder mode=full`` has the kind, words that match an offer or a value of a field, and pairs.
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
from replays.table.language.questions import Question, as_typed

_BY = "by"
_MANY = (inspect.VarTupleType, inspect.ListType)


class DeclarationParser:
    """Parses declarations that could be made now.

    Args:
        game: The ruleset.
        combat: The state, as the person sees it.
        question: The question that the table asks the person.
        only: The combatant who declares, if the line names one; else empty.
        speaks: Returns whether the person speaks for a combatant.
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

    def parsed(self, line: str) -> Declare | None:
        """Returns the declaration of a line; None if the line does not begin with a kind.

        Raises:
            Refused: The line is ambiguous, or a value cannot be parsed.
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
        return self._first_legal([self._by(kind, each, bare, given, tail) for each in self._who(who, kind)])

    def extended(self, base: Declare, tail: str) -> Declare:
        """Returns an offered declaration with the terms that were typed after it.

        Raises:
            Refused: A word means nothing there, or a value cannot be parsed.
        """
        bare, given = pairs(split(tail))
        return self._with(base, bare, given, tail)

    def words(self, command: Declare) -> Mapping[str, tuple[str, ...]]:
        """Returns suggested values for the fields of a declaration's terms."""
        try:
            offered = self._game.offered_words(self._combat, command)
        except Refused:
            return {}
        except STOPPED:  # the declaration may be incomplete, or depend on a hidden sheet
            return {}
        known = fields(self._game.kinds[command.kind].terms)
        return {field: offered[field] for field in known if offered.get(field)}

    def offers(self, kind: str, who: str) -> list[Declare]:
        """Returns the offers of a kind to a combatant."""
        shown = [each.command for each in self._question.legal if isinstance(each.command, Declare)]
        mine = [each for each in shown if each.kind == kind and each.by == who]
        if mine or who not in self._combat.roster.here():
            return mine
        with suppress(*STOPPED):
            return [each for each in self._game.offers(self._combat, who) if each.kind == kind]
        return []

    # -------------------------------------------------------------------------------------------- combatant and kind

    def _who(self, given: str, kind: str) -> Sequence[str]:
        """Returns the combatants who may be meant as the one who declares."""
        if given:
            return [given]
        rest = self._question.rest
        if rest is not None and any(option.option == kind for option in rest.options):
            return [rest.by]
        waited = [rest.by for rest in self._combat.rests]
        active = [self._combat.turn.who] if self._combat.turn.who else []
        here = self._combat.roster.here()
        alone = [who for who in here if self._speaks(who)]
        found = [who for who in dict.fromkeys((*waited, *active)) if self._speaks(who)]
        return found or (alone if len(alone) == 1 else []) or self._unknown(kind)

    def _unknown(self, kind: str) -> Sequence[str]:
        accepts = ", ".join(f"{who}: {kind}" for who in self._combat.roster.here()) or "add a combatant first"
        raise NotUnderstood(f"the line does not name the combatant who declares {kind}", where="by", accepts=accepts)

    def _first_legal(self, found: Sequence[Declare]) -> Declare:
        """Returns the first declaration that the rules accept; the first of all if they accept none."""
        return next((each for each in found if self._is_legal(each)), found[0])

    def _is_legal(self, command: Declare) -> bool:
        try:
            decide(self._game, self._combat, command)
        except Refused:
            return False
        except STOPPED:  # the decision depends on something that is hidden from the person
            return True
        return True

    def _by(self, kind: str, who: str, bare: Sequence[str], given: Mapping[str, str], tail: str) -> Declare:
        offers = self.offers(kind, who)
        bare = self._named(bare)
        bare = _grouped(bare, [each for offer in offers for each in offer.terms.values()])
        terms = typed(given, self._game.kinds[kind].terms)
        agreeing = [
            each for each in offers if all(terms.get(field, term) == term for field, term in each.terms.items())
        ]
        left = {index: _left(each, bare) for index, each in enumerate(agreeing)}
        if bare and self._prose(kind, who) and all(left.values()):
            return self._with(Declare(kind, who), bare, given, tail)
        fewest = min(map(len, left.values()), default=0)
        found = [agreeing[index] for index, each in left.items() if len(each) == fewest]
        base = self._single(found, kind, who)
        return self._with(base, _left(base, bare), given, tail)

    def _single(self, found: Sequence[Declare], kind: str, who: str) -> Declare:
        if len(found) > 1:
            accepts = "; ".join(as_typed(each, self._combat) for each in found[:6])
            message = f"{kind} is ambiguous: it may mean {len(found)} things"
            raise NotUnderstood(message, where="table", accepts=accepts)
        return found[0] if found else Declare(kind, who)

    # -------------------------------------------------------------------------------------------- its terms

    def _with(self, base: Declare, bare: Sequence[str], given: Mapping[str, str], tail: str) -> Declare:
        """Adds terms: looks words up among the values of the fields, and parses pairs by the type of their field."""
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
        widened = {field: self._widened(term, offered.get(field, ())) for field, term in terms.items()}
        return exact if widened == terms else self._first_legal([exact, msgspec.structs.replace(base, terms=widened)])

    def _named(self, bare: Sequence[str]) -> list[str]:
        """Returns the words with names of combatants replaced by ids."""
        roster = self._combat.roster
        names = [combatant.name for combatant in roster.who.values() if combatant.here]
        whole = [" ".join(bare[start:end]) for start in range(len(bare)) for end in range(start + 2, len(bare) + 1)]
        mentioned = [name for name in names if name.casefold() in {each.casefold() for each in whole}]
        return [id_of(roster, each) for each in (_grouped(bare, mentioned) if mentioned else bare)]

    def _widened(self, term: Any, offered: Sequence[str]) -> Any:
        """Returns the full value of a term of which only the beginning, or a name, was typed."""
        if isinstance(term, list):
            return [self._widened(each, offered) for each in term]
        if not isinstance(term, str) or not offered:
            return term
        return one_of(term, offered) or one_of(id_of(self._combat.roster, term), offered) or term

    def _prose(self, kind: str, who: str) -> str:
        """Returns the field for free text: the first field, if it is text without suggested values; else empty."""
        known = fields(self._game.kinds[kind].terms)
        first = next(iter(known), "")
        if not first or not isinstance(known[first], inspect.StrType) or self.words(Declare(kind, who)).get(first):
            return ""
        names_people = any(offer.terms.get(first) in self._combat.roster.who for offer in self.offers(kind, who))
        return "" if names_people else first


def _grouped(bare: Sequence[str], values: Iterable[Any]) -> list[str]:
    """Joins words that together are the beginning of one value."""
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
    """Returns the words that match nothing in an offer."""
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
    """Returns the required fields that are numbers."""
    known = fields(struct)
    needed = [field.encode_name for field in msgspec.structs.fields(struct) if field.required]
    return [name for name in needed if any(isinstance(part, inspect.IntType) for part in flat(known[name]))]


def _meant(
    word: str, offered: Mapping[str, Sequence[str]], known: Mapping[str, Any], terms: Json, required: Sequence[str]
) -> tuple[str, Any]:
    """Returns the field and the value that a bare word means; a number may mean the first of `required`.

    Raises:
        NotUnderstood: The word means nothing, or is ambiguous.
    """
    flags = [field for field, kind in known.items() if isinstance(kind, inspect.BoolType)]
    exact = [(field, each) for field, words in offered.items() for each in words if plain(each) == plain(word)]
    begun = [(field, each) for field, words in offered.items() for each in words if plain(each).startswith(plain(word))]
    found: list[tuple[str, Any]] = exact or [(field, True) for field in flags if plain(field) == plain(word)] or begun
    missing = [each for each in found if each[0] not in terms]
    single = [each for each in missing or found if not isinstance(known[each[0]], _MANY)]
    found = found if len(found) == 1 else single or missing or found  # missing fields with a single value come first
    if len(found) == 1:
        return found[0]
    if found:
        accepts = ", ".join(f"{field}={each}" for field, each in found[:8])
        message = f"{word!r} is ambiguous: it may mean {len(found)} things"
        raise NotUnderstood(message, where="terms", accepts=accepts)
    wanted = next((field for field in required if field not in terms), None) if number(word) is not None else None
    if wanted is not None:
        return wanted, word
    accepts = ", ".join(f"{field}=" for field in known) or "no terms"
    raise NotUnderstood(f"{word!r} is not a value of any field of this declaration", where="terms", accepts=accepts)


def _add(terms: Json, field: str, term: Any, kind: Any) -> Json:
    """Returns the terms with one more value; a field with several values keeps the others."""
    if isinstance(kind, _MANY):
        before = tuple(terms.get(field) or ())
        return {**terms, field: [*before, *(each for each in (term,) if each not in before)]}
    return {**terms, field: value(term, kind) if term is not True and number(term) is not None else term}
