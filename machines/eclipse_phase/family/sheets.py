"""Sheets: stats that follow from others, and access to what a sheet says."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from ledger.remembering import remembered
from machines.contract.refusals import Incomplete
from machines.contract.ruleset import typed
from machines.contract.sheet_words import armed
from machines.contract.tables import Row, filled
from machines.contract.toolkit import check_has_none_of
from projections.combat import Combat


class Body:
    """The stats of a sheet that follow from others, where it does not state them."""

    __slots__ = ()
    crashes: ClassVar[tuple[str, ...]] = ()
    """Kinds of morphs that crash where others fall."""

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
            """What is worn."""

        @property
        def morph(self) -> str:
            """The kind of body."""

        @property
        def durability(self) -> int:
            """How much damage it takes."""

        @property
        def wound_threshold(self) -> int | None:
            """As stated."""

        @property
        def death_rating(self) -> int | None:
            """As stated."""

        @property
        def lucidity(self) -> int | None:
            """As stated."""

        @property
        def trauma_threshold(self) -> int | None:
            """As stated."""

        @property
        def insanity_rating(self) -> int | None:
            """As stated."""

    @staticmethod
    def rounded(value: int, divisor: int) -> int:
        """Divided and rounded up, where the edition says nothing else."""
        return -(-value // divisor)

    @property
    def piloted(self) -> bool:
        """Does it crash where others would fall?

        Source: EP1 196 Crashing; EP2 12/16 Wound Effects
        """
        return self.morph in self.crashes

    @property
    def synthetic(self) -> bool:
        """Has it neither blood nor nerves?

        Source: EP1 208 Synthmorph and Object Repair; EP2 12/17 Synthmorph/Object Repair
        """
        return self.morph == "synthmorph" or self.piloted

    @property
    def half_machine(self) -> bool:
        """Is it a pod, whose brain is only half alive?

        Source: EP1 222 Morphs and Psi; EP2 14/04 Targeting
        """
        return self.morph == "pod"

    @property
    def shakable(self) -> bool:
        """Has it a mind that stress does something to?

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
        """Lucidity; 0 where the sheet has no WIL, or stress does nothing.

        Source: EP1 122 Lucidity; EP2 12/18 Lucidity and Stress
        """
        return (self.lucidity or (self.aptitudes.wil or 0) * 2) if self.shakable else 0

    @property
    def trauma(self) -> int:
        """The Trauma Threshold; 0 without Lucidity.

        Source: EP1 122 Trauma Threshold; EP2 04/01 Derived Stat Formulas
        """
        return self.trauma_threshold or self.rounded(self.lucid, 5)

    @property
    def insanity(self) -> int:
        """The Insanity Rating; 0 without Lucidity.

        Source: EP1 122 Insanity Rating; EP2 04/01 Derived Stat Formulas
        """
        return self.insanity_rating or self.lucid * 2


class Worn(Protocol):
    """Armor as a sheet has it."""

    @property
    def worn(self) -> tuple[str, ...]:
        """Rows of the armor table."""

    @property
    def layers(self) -> int:
        """Layers beyond the first that the sheet's own figures stand for."""


class Here(Protocol):
    """What was said when a fight began."""

    @property
    def ambushers(self) -> tuple[str, ...]:
        """Who attacks out of hiding."""

    @property
    def alert(self) -> tuple[str, ...]:
        """Who expects an ambush."""

    @property
    def gravity(self) -> int:
        """In percent of Earth's."""

    @property
    def acclimated(self) -> tuple[str, ...]:
        """Who is used to a higher gravity."""


class Pull(Protocol):
    """A row of the gravity table."""

    @property
    def upto(self) -> int:
        """Percent of Earth's gravity, up to which the row holds."""


class Used(Protocol):
    """A declaration that means a weapon."""

    @property
    def using(self) -> object:
        """One's own by name, or another with its figures."""


S = TypeVar("S", bound=Body)
W = TypeVar("W", bound=msgspec.Struct)
T = TypeVar("T", bound=Row)
H = TypeVar("H", bound=Here)
P = TypeVar("P", bound=Pull)
K = TypeVar("K", bound=msgspec.Struct)


class Sheets(msgspec.Struct, Generic[S, W, T, H, P], frozen=True, kw_only=True):
    """The sheets of an edition, with the tables whose rows they name."""

    kind: type[S]
    weapon: type[W]
    here: type[H]
    weapons: Mapping[str, Row]
    trait_rows: Mapping[str, T]
    gravities: Mapping[str, P]
    unable: tuple[str, ...]
    """Conditions in which nobody acts or defends."""

    def sheet(self, combat: Combat, who: str) -> S:
        """Somebody's sheet."""
        return typed(combat.roster[who].sheet, self.kind)

    def situation(self, combat: Combat) -> H:
        """What was said when the fight began."""
        return typed(combat.clock.situation, self.here)

    def arms(self, combat: Combat, who: str) -> Mapping[str, W]:
        """Somebody's weapons by name; rows of the table filled in."""
        found: Mapping[str, W] = _arms(combat.roster[who].sheet, self)
        return found

    def traits(self, combat: Combat, who: str) -> tuple[T, ...]:
        """The rows of somebody's traits, implants, ware and gear."""
        found: tuple[T, ...] = _traits(combat.roster[who].sheet, self)
        return found

    def weapon_of(self, combat: Combat, by: str, terms: Used) -> tuple[W, str]:
        """The weapon that a declaration means, and its name.

        Raises:
            KeyError: The sheet has none of that name.
        """
        if isinstance(terms.using, self.weapon):
            return terms.using, "weapon"
        name = str(terms.using)
        return self.arms(combat, by)[name], name

    def row_as_weapon(self, name: str) -> W:
        """A row of the weapons table.

        Raises:
            KeyError: There is none of that name.
        """
        return filled(self.weapons[name], self.weapon)

    def gravity(self, combat: Combat) -> P:
        """The row for this fight's gravity."""
        here = self.situation(combat).gravity
        return next(row for row in sorted(self.gravities.values(), key=lambda row: row.upto) if here <= row.upto)

    def aptitude(self, combat: Combat, who: str, name: str) -> int:
        """An aptitude that somebody must have.

        Raises:
            Incomplete: The sheet has none.

        Source: EP1 123 Aptitudes; EP2 04/01 Aptitudes
        """
        value: int | None = getattr(self.sheet(combat, who).aptitudes, name)
        if value is None:
            where = f"combatants.{who}.sheet.aptitudes"
            raise Incomplete(f"{who}'s sheet has no {name.upper()}", where=where, accepts=f"aptitudes.{name}")
        return value

    def check_able(self, combat: Combat, by: str, accepts: str) -> None:
        """Refuse what somebody is in no state to do.

        Raises:
            CannotAct: They are out, or dead.
        """
        check_has_none_of(combat, by, self.unable, where="by", accepts=accepts)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


@remembered(1024)
def _arms(text: str, sheets: Sheets[Any, Any, Any, Any, Any]) -> Any:
    return armed(typed(text, sheets.kind).weapons, sheets.weapons, sheets.weapon)


@remembered(1024)
def _traits(text: str, sheets: Sheets[Any, Any, Any, Any, Any]) -> Any:
    return tuple(sheets.trait_rows[name] for name in typed(text, sheets.kind).traits)


class Recorded(Generic[K]):
    """Reads a session's profile, as the log has it.

    Args:
        kind: The edition's.
    """

    def __init__(self, kind: type[K]) -> None:
        self._kind = kind

    def __call__(self, combat: Combat) -> K:
        """The session's profile."""
        return typed(combat.session.rules, self._kind)


def layers_beyond_first(worn: Worn, is_layer: Callable[[str], bool]) -> int:
    """Layers beyond the first.

    Args:
        worn: What somebody wears.
        is_layer: Of a piece of armor: is it a layer?

    Source: EP1 195 Layered Armor; EP2 12/11 Layering Armor
    """
    return worn.layers + max(0, sum(map(is_layer, worn.worn)) - 1)
