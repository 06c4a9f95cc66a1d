"""Parses an attack that is typed with its target first, such as ``t3 burst 8m cover``.

The weapon may be named by any word of its name. Otherwise it is the one that the combatant used last, with its mode,
or else the first that the rules offer.
"""

from collections.abc import Callable, Sequence

import msgspec

from ledger.commands import Command, Declare
from ledger.events import Json
from projections.combat import Combat
from replays.table.language.declarations import DeclarationParser
from replays.table.language.grammar import Ambiguous, NotUnderstood, plain, rest_of, unquoted, words
from replays.table.language.questions import Question
from replays.table.language.targets import abbreviated, named_briefly, named_exactly
from replays.table.language.term_words import DISTANCE, as_pair


class AttackParser:
    """Parses attacks on the targets of the offers to a combatant.

    Args:
        combat: The state, as the person sees it.
        question: The question that the table asks the person.
        declaring: Parses the terms.
        latest: Returns the terms of a combatant's latest declaration of a kind; empty if there is none.
    """

    def __init__(
        self, combat: Combat, question: Question, declaring: DeclarationParser, latest: Callable[[str, str], Json]
    ) -> None:
        self._combat = combat
        answers = sorted(question.answers, key=lambda each: each.place)
        self._offers = [each.command for each in answers if isinstance(each.command, Declare)]
        self._legal = [each.command for each in question.legal]
        self._declaring = declaring
        self._latest = latest

    def parsed(self, line: str, *, exactly: bool = False) -> Declare | None:
        """Returns the attack that a line means; None if the line begins with no target of an offer.

        Args:
            line: The line; not empty.
            exactly: Whether the target is named by its whole id or name, or else abbreviated.

        Raises:
            Refused: A word is ambiguous or means nothing there, or a value cannot be parsed.
        """
        targets = list(dict.fromkeys(who for offer in self._offers for who in self._targets(offer)))
        tokens = words(line)
        if exactly:
            who, count = named_exactly(tokens, self._combat.roster, targets) or (None, 0)
        else:
            who, count = named_briefly(tokens[0], self._combat.roster, targets), 1
        if who is None:
            return None
        offers = [offer for offer in self._offers if who in self._targets(offer)]
        return self._of_kind(offers, words(rest_of(line, count)))

    def _of_kind(self, offers: Sequence[Declare], tokens: Sequence[str]) -> Declare:
        """Returns the declaration against one target: of the kind that a word names, else an attack.

        A word that an attack does not know may be a value that another kind offers: ``t1 manabolt`` is a spell.

        Raises:
            Refused: A word is ambiguous or means nothing there, or a value cannot be parsed.
        """
        kinds = list(dict.fromkeys(offer.kind for offer in offers))
        every = list(dict.fromkeys(offer.kind for offer in self._offers if self._targets(offer)))
        attack = next((kind for kind in every if self._declaring.roll(kind)), every[0])
        named = next((place for place, token in enumerate(tokens) if plain(token) in kinds), None)
        kind = attack if attack in kinds else kinds[0]
        if named is not None:
            kind, tokens = plain(tokens[named]), [*tokens[:named], *tokens[named + 1 :]]
        alike = [offer for offer in offers if offer.kind == kind]
        try:
            return self._with_weapon(alike, tokens)
        except Ambiguous:
            raise
        except NotUnderstood:
            others = [offer for offer in offers if offer.kind != kind and _offered_in(tokens, offer)]
            if named is not None or len({offer.kind for offer in others}) != 1:
                raise
            return self._with_weapon(others, tokens)

    def _targets(self, offer: Declare) -> list[str]:
        named = (value for value in offer.terms.values() if isinstance(value, str))
        return [value for value in named if value in self._combat.roster]

    def _with_weapon(self, offers: Sequence[Declare], tokens: Sequence[str]) -> Declare:
        """Returns the offer with the weapon that a word names, or that was used last, with the other terms."""
        first, *others = self._declaring.kept(offers[0].kind) or ("",)
        latest = self._latest(offers[0].by, offers[0].kind)
        weapon, typed = self._named_weapon(first, offers, tokens) or (latest.get(first), tokens)
        offer = next((offer for offer in offers if offer.terms.get(first) == weapon), self._at_hand(offers))
        attack = self._declaring.extended(offer, " ".join(typed))
        missing = {field: latest[field] for field in others if field in latest and field not in attack.terms}
        if not missing or latest.get(first) != attack.terms.get(first):
            return attack
        as_before = msgspec.structs.replace(attack, terms={**attack.terms, **missing})
        return self._declaring.first_legal([as_before, attack])

    def _at_hand(self, offers: Sequence[Declare]) -> Declare:
        """Returns the first offer that is legal; the first of all if its distance, which can be changed, is refused."""
        legal = [offer for offer in offers if offer in self._legal]
        return offers[0] if DISTANCE in offers[0].terms or not legal else legal[0]

    def _named_weapon(
        self, field: str, offers: Sequence[Declare], tokens: Sequence[str]
    ) -> tuple[str, list[str]] | None:
        """Returns the weapon that the words name, and the words without its name; None if they name none.

        Raises:
            Ambiguous: A word is in the names of several weapons, and means nothing else.
        """
        weapons = [str(offer.terms[field]) for offer in offers if field in offer.terms]
        whole = named_in(tokens, weapons)
        if whole is not None:
            return whole
        elsewhere = {
            plain(each)
            for name, values in self._declaring.words(offers[0]).items()
            for each in values
            if name != field and each not in weapons
        }
        for place, token in enumerate(tokens):
            typed = plain(token)
            found = [] if typed in elsewhere else [each for each in weapons if _is_within(typed, plain(each))]
            if len(found) > 1:
                raise Ambiguous(token, [as_pair(field, each) for each in found], "terms")
            if found:
                return found[0], [*tokens[:place], *tokens[place + 1 :]]
        return None


def ally_in_brief(combat: Combat, commands: Sequence[Command], line: str) -> str:
    """Returns the question whether an ally is really the target, where a line only begins its name; else empty.

    Args:
        combat: The state, as the person sees it.
        commands: What the line means.
        line: The line.
    """
    first, roster = plain(unquoted(next(iter(words(line)), ""))), combat.roster
    for each in commands:
        if not isinstance(each, Declare) or first == each.kind:
            continue
        for who in (value for value in each.terms.values() if isinstance(value, str) and value in roster.who):
            names = (plain(who), plain(roster.name(who)))
            is_brief = first not in names and bool(abbreviated(first, {who: names}))
            if is_brief and combat.roster.is_among_friends(each.by, [who]):
                return f"{roster.name(who)} is on the side of {roster.name(each.by)}; {each.kind} {who}?"
    return ""


def _offered_in(tokens: Sequence[str], offer: Declare) -> bool:
    """Returns whether any of the words is a value of an offer."""
    values = {plain(value) for value in offer.terms.values() if isinstance(value, str)}
    return any(plain(token) in values for token in tokens)


def named_in(tokens: Sequence[str], names: Sequence[str]) -> tuple[str, list[str]] | None:
    """Returns the longest name that stands in the words, and the words without it; None if there is none."""
    by_name = {plain(name): name for name in names}
    for length in range(len(tokens), 0, -1):
        for start in range(len(tokens) - length + 1):
            name = by_name.get(plain(" ".join(tokens[start : start + length])))
            if name is not None:
                return name, [*tokens[:start], *tokens[start + length :]]
    return None


def _is_within(typed: str, name: str) -> bool:
    """Returns whether the typed word is the beginning of a word of a name."""
    return bool(typed) and f"_{name}".find(f"_{typed}") >= 0
