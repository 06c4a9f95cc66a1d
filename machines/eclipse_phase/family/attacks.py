"""An attack: who is aimed at, which keys and situations it has, and what the target's defense begins with."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import msgspec

from ledger.events import ChoiceRequested, ConditionLost, Event, Option, RollRequested
from ledger.key import role
from machines.contract import refusals as no
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, frame, key_of
from machines.eclipse_phase.family.d100 import CRITICAL_SUCCESS
from machines.eclipse_phase.family.edition import edition
from machines.eclipse_phase.family.figure_names import BASE, DAMAGE_TAKEN, OUTCOME, TARGET
from machines.eclipse_phase.family.success import asked
from projections.combat import Combat

TO_HIT, DEFEND = "to-hit", "defend"


class Row(Protocol):
    """A row of the modifiers table, as far as an attack chooses by it."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of attack that it is for."""


R = TypeVar("R", bound=Row)


class Aimed:
    """What the attack of each edition is: the weapon, how it is used, at whom."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields and properties that the attack of each edition has

        @property
        def key(self) -> str:
            """Of the exchange."""

        @property
        def by(self) -> str:
            """The attacker."""

        @property
        def terms(self) -> Any:
            """As declared."""

        @property
        def weapon(self) -> Any:
            """What it is done with."""

        @property
        def name(self) -> str:
            """The weapon's."""

        @property
        def nth(self) -> int:
            """Which of the targets is dealt with."""

        @property
        def kind(self) -> Any:
            """Its row in the table of kinds."""

        @property
        def mode(self) -> Any:
            """How it is fired, if it is."""

        @property
        def shared(self) -> bool:
            """Does one roll to hit hold for all targets?"""

    @property
    def targets(self) -> tuple[str, ...]:
        """Whom it is aimed at, and then who else is caught.

        Source: EP1 193 Area Effect Weapons, 202 Multiple Targets; EP2 12/15 Area-effect Attacks, 12/02 Multiple Targets
        """
        aimed = (self.terms.at,) if isinstance(self.terms.at, str) else self.terms.at
        return (*aimed, *(who for who in self.terms.caught if who not in aimed))

    @property
    def at(self) -> str:
        """The target that is dealt with.

        Source: EP1 202 Multiple Targets; EP2 12/02 Multiple Targets
        """
        return self.targets[self.nth - 1]

    @property
    def aimed(self) -> int:
        """How many it is aimed at.

        Source: EP1 202 Multiple Targets; EP2 12/02 Multiple Targets, 12/04 Firing Modes
        """
        return 1 if isinstance(self.terms.at, str) else len(self.terms.at)

    @property
    def meters(self) -> int:
        """From the center of a blast to whom is dealt with.

        Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
        """
        found: int = self.terms.caught.get(self.at, 0)
        return found

    @property
    def place(self) -> str:
        """Under which the rolls and figures of this target are kept.

        Source: EP1 202 Multiple Targets; EP2 12/02 Multiple Targets
        """
        return self.key if self.nth == 1 else f"{self.key}/t{self.nth}"

    @property
    def hit(self) -> str:
        """The key of the roll to hit.

        Source: EP1 192 Step 4; EP2 12/01 Step 4
        """
        return role(self.key if self.shared else self.place, TO_HIT)

    @property
    def used(self) -> str:
        """What it hits with, in words.

        Source: EP1 192 Step 4; EP2 12/01 Step 4
        """
        return self.name

    @property
    def way(self) -> str:
        """The weapon and how it is fired.

        Source: EP1 198 Firing Modes; EP2 12/04 Firing Modes
        """
        return f"{self.name}, {self.mode.name}" if self.mode else self.name

    def fitting(self, own: Iterable[str], rows: Mapping[str, R]) -> tuple[R, ...]:
        """The rows of the modifiers table that hold: the weapon's own, then the declared ones, each once."""
        names = dict.fromkeys((*own, *self.terms.modifiers))
        return tuple(rows[name] for name in names if self.kind.name in rows[name].kinds)

    def dealing_with(self, nth: int) -> Self:
        """The same, with another of its targets."""
        return msgspec.structs.replace(self, nth=nth)  # type: ignore[type-var]  # the attack of an edition is a Struct

    def role(self, name: str) -> str:
        """The key of one of the rolls or choices about this target."""
        return role(self.place, name)


# ------------------------------------------------------------------------------------------------ defense


def can_defend(combat: Combat) -> bool:
    """Is the target neither surprised nor in a state in which nobody defends?

    Ruling: EP1-N10
    """
    return edition(combat).is_on_guard(combat, edition(combat).attack(combat))


def can_still_attack(combat: Combat) -> bool:
    """Has nobody stopped the attacker while the defense was considered?

    Ruling: EP1-N11, EP2-N5
    """
    here = edition(combat)
    return not combat.conditions.has(here.attack(combat).by, *here.sheets.unable)


def chosen_defense(combat: Combat) -> Deed:
    """What the target defends with."""
    here, now = edition(combat), edition(combat).attack(combat)
    chosen = here.defenses(combat, now).get(combat.exchange.chosen[now.role("defense")])
    if chosen is not None:
        yield from here.begin(combat, now.role(DEFEND), now.at, chosen)
    return None


def dodges(combat: Combat, who: str) -> tuple[str, ...]:
    """Fray; on full defense also the skill of acrobatics.

    Source: EP1 191 Step 2, 198 Full Defense; EP2 12/01 Step 2, 12/21 Full Defense
    """
    other, owner = edition(combat).words.acrobatics, edition(combat).sheets.sheet(combat, who)
    acrobatic = combat.conditions.has(who, "full_defense") and other in owner.skills
    return ("fray", other) if acrobatic else ("fray",)


def check_defense(combat: Combat, now: Aimed) -> None:
    """Refuse an attack on somebody who could defend, and whose sheet has nothing to do so with.

    Raises:
        Incomplete: It has nothing.

    Source: EP1 191 Step 2; EP2 12/01 Step 2
    """
    if edition(combat).is_on_guard(combat, now) and not edition(combat).defenses(combat, now):
        where, accepts = f"combatants.{now.at}.sheet", "skills.fray or aptitudes.ref"
        raise no.Incomplete(f"{now.at}'s sheet has nothing to defend with", where=where, accepts=accepts)


# ------------------------------------------------------------------------------------------------ the opposed test


def opposed_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Both sides roll d100; a target without defense does not, and one roll to hit may be for several targets."""
    here, now = edition(combat), edition(combat).attack(combat)
    if not combat.rolls[now.hit].faces and not here.is_hit_known(combat, now):
        yield asked(combat, now.hit, now.by, f"hit with {now.used}")
    if TARGET.is_at(combat, now.role(DEFEND)):
        yield asked(combat, now.role(DEFEND), now.at, "defend")


def stop_aiming(combat: Combat, who: str) -> Telling:
    """The aim is used up by an attack.

    Source: EP1 190 Aiming; EP2 12/04 Aiming
    """
    if combat.conditions.has(who, "aiming"):
        combat = yield ConditionLost(who, "aiming", "attacks")
    return combat


# ------------------------------------------------------------------------------------------------ what it leads to


def by_skill(combat: Combat, now: Aimed) -> bool:
    """Of two equal criticals the higher skill wins, where the table says so.

    Source: EP1 192 Step 5; EP2 12/01 Step 5
    """
    hit, defense = combat.rolls[now.hit], combat.rolls[now.role(DEFEND)]
    equal = hit.outcome == defense.outcome == CRITICAL_SUCCESS and hit.rolled == defense.rolled
    mine, theirs = (BASE.at(combat, key) for key in (now.hit, now.role(DEFEND)))
    return equal and mine > theirs and BY_SKILL[edition(combat).profile(combat).double_critical]


BY_SKILL: Mapping[str, bool] = {"higher_roll": False, "higher_skill": True}
"""Does the higher skill win of two equal criticals, by the profile's field?"""


def spoiled(weapon: str, what: str) -> str:
    """The condition of somebody whose weapon has met with this: ``heavy_pistol_broken``.

    Source: EP1 192 Step 5; EP2 12/12 Fragile
    """
    return f"{weapon}_{what}".replace(" ", "_")


def locked_out(mind: str) -> str:
    """The condition of whoever can no longer reach a mind: ``locked_out_of_jinx``.

    Source: EP1 222 Psi Combat; EP2 14/04 Opposed Tests
    """
    return f"locked_out_of_{mind}"


def offer_mercy(combat: Combat) -> ChoiceRequested:
    """A critical success would hurt whoever was only to be held: the attacker may choose not to."""
    now = edition(combat).attack(combat)
    options = (Option("hurt", "apply the damage"), Option("spare", edition(combat).words.spared))
    return ChoiceRequested(now.role("mercy"), now.by, options, "hurt", "hurt them, too?")


SPOT = FigureName("specific target", str)


def hit_spot(now: Aimed, source: str) -> Event:
    """A called shot hits where it was meant to.

    Source: EP1 196 Called Shots; EP2 12/15 Called Shots
    """
    return SPOT.found(now.place, now.terms.spot or "a certain spot", "hit where it was meant to", source, who=now.at)


def scatter_roll(combat: Combat) -> Iterator[RollRequested]:
    """A die for where the blast lands."""
    now = edition(combat).attack(combat)
    yield RollRequested(f"{now.key}/scatter", now.by, "1d10", "where it lands", now.key)


def sum_up(combat: Combat) -> Deed:
    """How the whole attack ended: somebody was hurt or hit, armor stopped it all, or it missed everybody."""
    yield from ()
    here, now = edition(combat), edition(combat).attack(combat)
    places = [now.dealing_with(nth).place for nth in range(1, now.nth + 1)]
    hits = [place for place in places if OUTCOME.at(combat, place, here.untold) == "hit"]
    if not hits:
        return "missed"
    harmless = not any(DAMAGE_TAKEN.at(combat, place) > 0 for place in hits)
    return "stopped" if harmless and any(here.has_rolled(combat, place) for place in hits) else "hit"


# ------------------------------------------------------------------------------------------------ blind, and held


def perceive_roll(combat: Combat) -> Iterator[RollRequested]:
    """The attacker listens, feels, smells."""
    here, now = edition(combat), edition(combat).attack(combat)
    yield asked(combat, now.role(here.words.perceiving), now.by, "find the target by another sense")


def read_perceive(combat: Combat) -> Deed:
    """Found, or left to chance."""
    here, now = edition(combat), edition(combat).attack(combat)
    yield from here.read(combat, now.role(here.words.perceiving))
    return None


STRUGGLE, HOLD = "struggle", "hold"


def struggle_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Held and holder roll."""
    by = frame(combat).by
    yield asked(combat, key_of(combat, STRUGGLE), by, "break free")
    if TARGET.is_at(combat, key_of(combat, HOLD)):
        yield asked(combat, key_of(combat, HOLD), edition(combat).holder(combat, by), "keep hold")


def read_struggle(combat: Combat) -> Deed:
    """Each against their own target."""
    for key in (key_of(combat, STRUGGLE), key_of(combat, HOLD)):
        if combat.rolls[key].faces:
            combat = yield from edition(combat).read(combat, key)
    return None
