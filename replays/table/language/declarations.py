"""Parses typed words into a declaration: its kind, its combatant and its terms.

``attack stoya shredder mode=full`` has the kind, words that match an offer or a value of a field, and pairs.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import inspect

from ledger.commands import Declare
from ledger.errors import Refused
from machines.contract.documents.nearest import nearest
from machines.contract.row_fields import mark_of, typed_fields
from machines.contract.ruleset import Ruleset
from machines.engine.decide import decide
from projections.combat import Combat
from replays.odds.known_state import STOPPED
from replays.table.language.grammar import (
    Ambiguous,
    NotUnderstood,
    fields,
    one_of,
    pairs,
    plain,
    rest_of,
    typed,
    unquoted,
)
from replays.table.language.grammar import words as split
from replays.table.language.questions import Question, as_typed
from replays.table.language.targets import combatant_named, id_of, is_numbered
from replays.table.language.term_words import (
    DISTANCE,
    Offered,
    TermFields,
    grouped,
    required_numbers,
    unmatched,
    with_distance,
)

_BY = "by"
_SHORT = 3
"""A word that is no longer is not looked for among the values of every kind."""


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

    def is_kind(self, word: str) -> bool:
        """Returns whether a word is the whole name of a kind of declaration."""
        return plain(word) in map(plain, self._game.kinds)

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
        return self.first_legal([self._by(kind, each, bare, given, tail) for each in self._who(who, kind)])

    def of_value(self, line: str) -> Declare | None:
        """Returns the declaration that is possible at any time and has the line as its only term; None if none has.

        ``kade: infiltration`` is a test of that skill, in a game with such tests. The line must name the combatant.
        """
        for kind in self._game.kinds if self._only else ():
            offered = self.words(Declare(kind, self._only)) if self._game.kinds[kind].anytime else {}
            for field, values in offered.items():
                found = one_of(line, [each for each in values if len(plain(line)) > _SHORT])
                declared = Declare(kind, self._only, {field: found})
                if found is not None and self._is_legal(declared):
                    return declared
        return None

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

    def kept(self, kind: str) -> tuple[str, ...]:
        """Returns the fields that the next declaration of a kind takes over; the weapon comes first."""
        return self._game.kinds[kind].kept

    def roll(self, kind: str) -> str:
        """Returns the last word of the key of the roll that an attack of a kind is about; empty for other kinds."""
        return self._game.kinds[kind].roll

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

    def first_legal(self, found: Sequence[Declare]) -> Declare:
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
        bare = grouped(bare, [each for offer in offers for each in offer.terms.values()])
        terms = typed(given, self._game.kinds[kind].terms)
        agreeing = [
            each for each in offers if all(terms.get(field, term) == term for field, term in each.terms.items())
        ]
        left = {index: unmatched(each.terms, bare) for index, each in enumerate(agreeing)}
        if bare and self._prose(kind, who) and all(left.values()):
            return self._with(Declare(kind, who), bare, given, tail)
        fewest = min(map(len, left.values()), default=0)
        found = [agreeing[index] for index, each in left.items() if len(each) == fewest]
        base = self._single(self._refused(kind, who, bare, found) if fewest and len(found) > 1 else found, kind, who)
        return self._with(base, unmatched(base.terms, bare), given, tail)

    def _refused(self, kind: str, who: str, bare: Sequence[str], found: Sequence[Declare]) -> Sequence[Declare]:
        """Returns the only offer that all words fit, if the rules refuse it: their reason is what people need."""
        answers = [each.command for each in self._question.answers if each.refused]
        refused = [each for each in answers if isinstance(each, Declare) and (each.kind, each.by) == (kind, who)]
        fitting = [each for each in refused if not unmatched(each.terms, bare)]
        return fitting if len(fitting) == 1 else found

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
        known, prose = fields(struct), self._prose(base.kind, base.by)
        term_fields = TermFields(known, required_numbers(struct), base.kind)
        bare, given = with_distance(bare, given) if DISTANCE in known else (bare, given)
        command = msgspec.structs.replace(base, terms={**base.terms, **typed(given, struct)})
        try:
            command = self._with_words(command, self._named(bare), term_fields)
        except NotUnderstood:
            if not prose or given:
                raise
            command = msgspec.structs.replace(base, terms={**base.terms, prose: tail})
        offered = self.words(command)
        widened = {field: self._widened(term, offered.get(field, ())) for field, term in command.terms.items()}
        if widened == command.terms:
            return command
        return self.first_legal([command, msgspec.structs.replace(base, terms=widened)])

    def _with_words(self, command: Declare, bare: Sequence[str], known: TermFields) -> Declare:
        """Adds the terms that bare words mean, in any order: a word may fit only with the weapon of a later one.

        Raises:
            NotUnderstood: A word means nothing, or is ambiguous.
        """
        offered = self.words(command)
        left, problem = [], None
        for word in grouped(bare, [each for words in offered.values() for each in words]):
            try:
                command = msgspec.structs.replace(command, terms=known.with_word(word, command.terms, offered))
            except NotUnderstood as refused:
                left.append(word)
                problem = problem or refused
        if problem is not None and len(left) == len(bare):
            raise problem if isinstance(problem, Ambiguous) else self._of_others(command, left[0], offered) or problem
        return self._with_words(command, left, known) if left else command

    def _of_others(self, command: Declare, word: str, offered: Offered) -> NotUnderstood | None:
        """Returns the refusal of a word that is a mode of other weapons, or is like a known word; None for another."""
        for field in typed_fields(self._game.kinds[command.kind].terms):
            mark, name = mark_of(field.hint), field.encoded
            if mark is None or not any(plain(row).startswith(plain(word)) for row in mark.names(self._game.tables)):
                continue
            weapon = next((command.terms[each] for each in self.kept(command.kind)[:1] if each in command.terms), None)
            problem = f"no {name} {word}" + (f" with {weapon}" if weapon and name != self.kept(command.kind)[0] else "")
            accepts = f"{name}s: {', '.join(offered[name])}" if offered.get(name) else f"no {name}"
            return NotUnderstood(problem, where=name, accepts=accepts)
        meant = nearest(word, [*self._game.kinds, *(str(each) for values in offered.values() for each in values)])
        problem = f"{word!r} is not understood here; did you mean {meant!r}?"
        return NotUnderstood(problem, where="terms", accepts=meant) if meant else None

    def _named(self, bare: Sequence[str]) -> list[str]:
        """Returns the words with names of combatants replaced by ids."""
        roster = self._combat.roster
        names = [combatant.name for combatant in roster.who.values() if combatant.here]
        line = f" {' '.join(bare)} ".casefold()
        mentioned = [name for name in names if " " in name and f" {name.casefold()} " in line]
        whole_names = [id_of(roster, each) for each in (grouped(bare, mentioned) if mentioned else bare)]
        return [(is_numbered(each) and combatant_named(each, roster)) or each for each in whole_names]

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
