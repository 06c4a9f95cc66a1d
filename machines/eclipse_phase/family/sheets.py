"""Sheets: derived stats, and access to weapons, traits and aptitudes."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from ledger.text_cache import TextCache
from machines.contract.refusals import Incomplete
from machines.contract.ruleset import TYPED, typed
from machines.contract.sheet_words import armed
from machines.contract.tables import Row, filled
from machines.contract.toolkit import check_has_none_of
from projections.combat import Combat

_SPELLED = str.maketrans({"+": " plus ", "/": " over ", ":": ""})
"""Signs of dice and skills that no condition's name has, in words."""

INIT_OR_APTITUDES: dict[str, Any] = {
    "anyOf": [
        {"required": ["init"], "properties": {"init": {"type": "integer"}}},
        {
            "properties": {
                "aptitudes": {
                    "required": ["int", "ref"],
                    "properties": {"int": {"type": "integer"}, "ref": {"type": "integer"}},
                }
            }
        },
    ]
}
"""JSON Schema of a sheet whose Initiative is stated or can be derived."""


class SheetBody:
    """Stats of a sheet that are derived unless it states them."""

    __slots__ = ()
    crashes: ClassVar[tuple[str, ...]] = ()
    """Kinds of morphs that crash instead of falling."""

    if TYPE_CHECKING:  # fields that the sheet of each edition has

        @property
        def aptitudes(self) -> Any:
            """Aptitudes by name."""

        @property
        def skills(self) -> Mapping[str, int]:
            """Skills by name."""

        @property
        def weapons(self) -> Any:
            """Weapons and rows of the weapons table."""

        @property
        def traits(self) -> tuple[str, ...]:
            """Rows of the traits table."""

        @property
        def armor(self) -> Any:
            """Armor worn."""

        @property
        def morph(self) -> str:
            """Kind of body."""

        @property
        def durability(self) -> int:
            """Damage that the body can take."""

        @property
        def wound_threshold(self) -> int | None:
            """Wound Threshold, if stated."""

        @property
        def death_rating(self) -> int | None:
            """Death Rating, if stated."""

        @property
        def lucidity(self) -> int | None:
            """Lucidity, if stated."""

        @property
        def trauma_threshold(self) -> int | None:
            """Trauma Threshold, if stated."""

        @property
        def insanity_rating(self) -> int | None:
            """Insanity Rating, if stated."""

    @staticmethod
    def rounded(value: int, divisor: int) -> int:
        """Returns the quotient rounded up, the default of the editions."""
        return -(-value // divisor)

    @property
    def piloted(self) -> bool:
        """Whether the body crashes instead of falling.

        Source: EP1 196 Crashing; EP2 12/16 Wound Effects
        """
        return self.morph in self.crashes

    @property
    def synthetic(self) -> bool:
        """Whether the body has neither blood nor nerves.

        Source: EP1 208 Synthmorph and Object Repair; EP2 12/17 Synthmorph/Object Repair
        """
        return self.morph == "synthmorph" or self.piloted

    @property
    def half_machine(self) -> bool:
        """Whether the body is a pod, with a partly artificial brain.

        Source: EP1 222 Morphs and Psi; EP2 14/04 Targeting
        """
        return self.morph == "pod"

    @property
    def shakable(self) -> bool:
        """Whether stress affects its mind.

        Source: EP1 209 Mental Health; EP2 18/05 NPCs/Threats and Stress
        """
        return True

    @property
    def threshold(self) -> int:
        """The Wound Threshold.

        Source: EP1 122 Wound Threshold; EP2 04/01 Derived Stat Formulas; Ruling: EP2-N1
        """
        return self.wound_threshold or max(1, self.rounded(self.durability, 5))

    @property
    def death(self) -> int:
        """The Death Rating.

        Source: EP1 122 Death Rating, 207 Death; EP2 04/01 Derived Stat Formulas
        """
        return self.death_rating or (self.durability * 2 if self.synthetic else self.rounded(self.durability * 3, 2))

    @property
    def lucid(self) -> int:
        """Lucidity; 0 if the sheet has no WIL or stress has no effect.

        Source: EP1 122 Lucidity; EP2 12/18 Lucidity and Stress
        """
        return (self.lucidity or (self.aptitudes.wil or 0) * 2) if self.shakable else 0

    @property
    def trauma(self) -> int:
        """The Trauma Threshold; 0 without Lucidity, or if stress has no effect.

        Source: EP1 122 Trauma Threshold; EP2 04/01 Derived Stat Formulas
        """
        return (self.trauma_threshold or self.rounded(self.lucid, 5)) if self.shakable else 0

    @property
    def insanity(self) -> int:
        """The Insanity Rating; 0 without Lucidity, or if stress has no effect.

        Source: EP1 122 Insanity Rating; EP2 04/01 Derived Stat Formulas
        """
        return (self.insanity_rating or self.lucid * 2) if self.shakable else 0


class Worn(Protocol):
    """Armor of a sheet."""

    @property
    def worn(self) -> tuple[str, ...]:
        """Rows of the armor table."""

    @property
    def layers(self) -> int:
        """Layers beyond the first that the sheet's stated armor values include."""


class Here(Protocol):
    """The situation stated when a fight begins."""

    @property
    def ambushers(self) -> tuple[str, ...]:
        """Combatants who attack out of hiding."""

    @property
    def alert(self) -> tuple[str, ...]:
        """Combatants who expect an ambush."""

    @property
    def gravity(self) -> int:
        """Gravity in percent of Earth's."""

    @property
    def acclimated(self) -> tuple[str, ...]:
        """Combatants used to a higher gravity."""


class Pull(Protocol):
    """A row of the gravity table."""

    @property
    def upto(self) -> int:
        """Upper limit of the row, in percent of Earth's gravity."""


class Used(Protocol):
    """A declaration with a weapon."""

    @property
    def using(self) -> object:
        """The name of a weapon on the sheet, or the figures of another."""


S = TypeVar("S", bound=SheetBody)
W = TypeVar("W", bound=msgspec.Struct)
T = TypeVar("T", bound=Row)
H = TypeVar("H", bound=Here)
P = TypeVar("P", bound=Pull)
K = TypeVar("K", bound=msgspec.Struct)


class Sheets(msgspec.Struct, Generic[S, W, T, H, P], frozen=True, kw_only=True, eq=False):
    """Reads the sheets of an edition and the table rows that they name."""

    kind: type[S]
    weapon: type[W]
    here: type[H]
    weapons: Mapping[str, Row]
    trait_rows: Mapping[str, T]
    gravities: Mapping[str, P]
    unable: tuple[str, ...]
    """Conditions in which a combatant neither acts nor defends."""

    def sheet(self, combat: Combat, who: str) -> S:
        """Returns a combatant's sheet."""
        found: S = TYPED[combat.roster.who[who].sheet, self.kind]
        return found

    def situation(self, combat: Combat) -> H:
        """Returns the situation stated when the fight began."""
        found: H = TYPED[combat.clock.situation, self.here]
        return found

    def arms(self, combat: Combat, who: str) -> Mapping[str, W]:
        """Returns a combatant's weapons by name, with table rows filled in."""
        found: Mapping[str, W] = _ARMS[combat.roster.who[who].sheet, self]
        return found

    def traits(self, combat: Combat, who: str) -> tuple[T, ...]:
        """Returns the rows of a combatant's traits, implants, ware and gear."""
        found: tuple[T, ...] = _TRAITS[combat.roster.who[who].sheet, self]
        return found

    def weapon_of(self, sheet: str, terms: Used) -> tuple[W, str]:
        """Returns the weapon of a declaration and its name.

        Args:
            sheet: The attacker's sheet, as recorded.
            terms: The declaration.

        Raises:
            KeyError: The sheet has no weapon of that name.
        """
        if isinstance(terms.using, self.weapon):
            return terms.using, self.name_of(terms.using)
        name = str(terms.using)
        return _ARMS[sheet, self][name], name

    @staticmethod
    def name_of(weapon: Any) -> str:
        """Returns the name of a weapon that is not on the sheet: its own, or its skill and damage."""
        return str(weapon.name or f"{weapon.skill} {weapon.damage or 'weapon'}".translate(_SPELLED))

    def row_as_weapon(self, name: str) -> W:
        """Returns a row of the weapons table.

        Raises:
            KeyError: The table has no row of that name.
        """
        return filled(self.weapons[name], self.weapon)

    def gravity(self, combat: Combat) -> P:
        """Returns the gravity row of this fight."""
        here = self.situation(combat).gravity
        return next(row for row in sorted(self.gravities.values(), key=lambda row: row.upto) if here <= row.upto)

    def aptitude(self, combat: Combat, who: str, name: str) -> int:
        """Returns an aptitude that the rules require.

        Raises:
            Incomplete: The sheet lacks it.

        Source: EP1 123 Aptitudes; EP2 04/01 Aptitudes
        """
        value: int | None = getattr(self.sheet(combat, who).aptitudes, name)
        if value is None:
            where = f"combatants.{who}.sheet.aptitudes"
            raise Incomplete(f"{who}'s sheet has no {name.upper()}", where=where, accepts=f"aptitudes.{name}")
        return value

    def check_able(self, combat: Combat, by: str, accepts: str) -> None:
        """Rejects a combatant who is unable to act.

        Raises:
            CannotAct: The combatant is incapacitated or dead.
        """
        check_has_none_of(combat, by, self.unable, where="by", accepts=accepts)


def _arms(text: str, sheets: Sheets[Any, Any, Any, Any, Any]) -> Any:
    return armed(typed(text, sheets.kind).weapons, sheets.weapons, sheets.weapon)


def _traits(text: str, sheets: Sheets[Any, Any, Any, Any, Any]) -> Any:
    return tuple(sheets.trait_rows[name] for name in typed(text, sheets.kind).traits)


_ARMS, _TRAITS = TextCache(_arms, 1024), TextCache(_traits, 1024)


class ProfileReader(Generic[K]):
    """Reads the session's profile from the log.

    Args:
        kind: The edition's profile class.
    """

    def __init__(self, kind: type[K]) -> None:
        self._kind = kind

    def __call__(self, combat: Combat) -> K:
        """Returns the session's profile."""
        found: K = TYPED[combat.session.rules, self._kind]
        return found


def layers_beyond_first(worn: Worn, is_layer: Callable[[str], bool]) -> int:
    """Returns the number of armor layers beyond the first.

    Args:
        worn: The armor worn.
        is_layer: Returns whether a piece of armor counts as a layer.

    Source: EP1 195 Layered Armor; EP2 12/11 Layering Armor
    """
    return worn.layers + max(0, sum(map(is_layer, worn.worn)) - 1)
