"""Attacks: targets, keys, applicable modifiers, and how the target's defense begins."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import msgspec

from ledger.events import ChoiceRequested, ConditionLost, Event, Option, RollRequested
from machines.contract.assumptions import assume
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import Incomplete
from machines.contract.toolkit import Telling, frame, key_of
from machines.eclipse_phase.family.d100 import CRITICAL_SUCCESS
from machines.eclipse_phase.family.edition import BASE, DAMAGE_TAKEN, NTH_TARGET, OUTCOME, TARGET, edition
from machines.eclipse_phase.family.success import d100_request
from projections.combat import Combat
from projections.exchange import Frame

TO_HIT, DEFEND = "to-hit", "defend"
SUPPRESSED = "suppressed"
"""The kind of declaration of a shot by suppressive fire."""
SUPPRESSES = FigureName("suppresses with", str, scope="combatant")


class AttackRow(Protocol):
    """The part of a modifiers row by which an attack selects it."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of attack to which the row applies."""


R = TypeVar("R", bound=AttackRow)


class Aimed:
    """Base of the attack of each edition: the weapon, how it is used, and its targets."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields and properties that the attack of each edition has

        @property
        def key(self) -> str:
            """Key of the exchange."""

        @property
        def by(self) -> str:
            """The attacker."""

        @property
        def terms(self) -> Any:
            """Terms as declared."""

        @property
        def weapon(self) -> Any:
            """The weapon used."""

        @property
        def name(self) -> str:
            """Name of the weapon."""

        @property
        def targets(self) -> tuple[str, ...]:
            """The targets of the attack, then others who are caught in the blast."""

        @property
        def at(self) -> str:
            """The target being resolved."""

        @property
        def place(self) -> str:
            """Key prefix of this target's rolls and figures."""

        @property
        def hit(self) -> str:
            """Key of the roll to hit."""

        @property
        def nth(self) -> int:
            """Number of the target being resolved, from 1."""

        @property
        def kind(self) -> Any:
            """Row in the table of attack kinds."""

        @property
        def mode(self) -> Any:
            """Firing mode, if the weapon has any."""

        @property
        def called(self) -> Any:
            """The called shot, if any."""

        @property
        def suppressing(self) -> bool:
            """Whether it is an attack by suppressive fire."""

        @property
        def shared(self) -> bool:
            """Whether one roll to hit counts for all targets."""

    @property
    def aimed(self) -> int:
        """Number of targets aimed at.

        Source: EP1 202 Multiple Targets; EP2 12/02 Multiple Targets, 12/04 Firing Modes
        """
        return 1 if isinstance(self.terms.at, str) else len(self.terms.at)

    @property
    def meters(self) -> int:
        """Distance in meters from the center of a blast to the target being resolved.

        Source: EP1 193 Area Effect Weapons; EP2 12/15 Area-effect Attacks
        """
        found: int = self.terms.caught.get(self.at, 0)
        return found

    @property
    def used(self) -> str:
        """What the attack hits with, in words.

        Source: EP1 192 Step 4; EP2 12/01 Step 4
        """
        return self.name

    @property
    def way(self) -> str:
        """The weapon and its firing mode, in words.

        Source: EP1 198 Firing Modes; EP2 12/04 Firing Modes
        """
        return f"{self.name}, {self.mode.name}" if self.mode else self.name

    def fitting(self, own: Iterable[str], rows: Mapping[str, R]) -> tuple[R, ...]:
        """Returns the modifier rows that apply: the weapon's, then the declared ones, each once."""
        names = dict.fromkeys((*own, *self.terms.modifiers))
        return tuple(rows[name] for name in names if self.kind.name in rows[name].kinds)

    def dealing_with(self, nth: int) -> Self:
        """Returns this attack with another target being resolved.

        Args:
            nth: The number of the target, from 1.

        Source: EP1 202 Multiple Targets; EP2 12/02 Multiple Targets
        """
        place = self.key if nth == 1 else f"{self.key}/t{nth}"
        hit = self.hit if self.shared else f"{place}/{TO_HIT}"
        changes = {"nth": nth, "at": self.targets[nth - 1], "place": place, "hit": hit}
        return msgspec.structs.replace(self, **changes)  # type: ignore[type-var]  # an edition's attack is a Struct

    def role(self, name: str) -> str:
        """Returns the key of a roll or choice about this target."""
        return f"{self.place}/{name}"


A = TypeVar("A", bound=Aimed)


def being_resolved(combat: Combat, declared: Callable[[Frame, str, str], A]) -> A:
    """Returns the attack being resolved, at its present target.

    Args:
        combat: The state.
        declared: (frame, sheet, using): the attack of a declaration at its first target, from the attacker's recorded
            sheet and the weapon of suppressive fire.

    Source: EP1 202 Multiple Targets; EP2 12/02 Multiple Targets
    """
    now = frame(combat)
    using = SUPPRESSES.of(combat, now.by) if now.kind == SUPPRESSED else ""
    found = declared(now, combat.roster.who[now.by].sheet, using)
    nth = NTH_TARGET.at(combat, now.key, 1)
    return found if nth == 1 else found.dealing_with(nth)


def targets_of(terms: Any) -> tuple[str, ...]:
    """Returns the targets of an attack, then others who are caught in the blast.

    Source: EP1 193 Area Effect Weapons, 202 Multiple Targets; EP2 12/15 Area-effect Attacks, 12/02 Multiple Targets
    """
    aimed = (terms.at,) if isinstance(terms.at, str) else terms.at
    if not terms.caught:
        return (*aimed,)
    return (*aimed, *(who for who in terms.caught if who not in aimed))


def assumed_use(combat: Combat, now: Aimed) -> Iterator[Event]:
    """Yields what is assumed if one of several firing modes, or the weapon to be struck away, was not declared.

    Source: EP1 198 Firing Modes, 196 Called Shots; EP2 12/04 Firing Modes, 12/15 Disarm
    """
    here = edition(combat)
    if now.mode is not None and not now.suppressing and not now.terms.mode and len(now.weapon.modes) > 1:
        yield assume(now.key, "mode", now.mode.name, here.printed.modes)
    if now.called is not None and now.called.does == "disarm" and not now.terms.spot:
        held = (here.at_hand(combat, who)[0] for who in now.targets[: now.aimed])
        yield assume(now.key, "spot", ", ".join(held), here.printed.disarming)


# ------------------------------------------------------------------------------------------------ defense


def can_defend(combat: Combat) -> bool:
    """Returns whether the target can defend: neither surprised nor incapacitated.

    Ruling: EP1-N10
    """
    here = edition(combat)
    return here.is_on_guard(combat, here.attack(combat))


def can_still_attack(combat: Combat) -> bool:
    """Returns whether the attacker is still able to attack after the defense was considered.

    Ruling: EP1-N11, EP2-N5
    """
    here = edition(combat)
    return not combat.conditions.has(here.attack(combat).by, *here.sheets.unable)


def chosen_defense(combat: Combat) -> Deed:
    """Begins the defense that the target chose."""
    here = edition(combat)
    now = here.attack(combat)
    chosen = here.defenses(combat, now).get(combat.exchange.chosen[now.role("defense")])
    if chosen is not None:
        yield from here.begin(combat, now.role(DEFEND), now.at, chosen)
    return None


def dodges(combat: Combat, who: str) -> tuple[str, ...]:
    """Returns the skills that can dodge: Fray and, on full defense, the skill of acrobatics.

    Source: EP1 191 Step 2, 198 Full Defense; EP2 12/01 Step 2, 12/21 Full Defense
    """
    if not combat.conditions.has(who, "full_defense"):
        return ("fray",)
    here = edition(combat)
    other = here.words.acrobatics
    return ("fray", other) if other in here.sheets.sheet(combat, who).skills else ("fray",)


def check_defense(combat: Combat, now: Aimed) -> None:
    """Rejects an attack on a target who may defend but whose sheet has no skill or aptitude for it.

    Raises:
        Incomplete: The target's sheet lacks them.

    Source: EP1 191 Step 2; EP2 12/01 Step 2
    """
    here = edition(combat)
    if here.is_on_guard(combat, now) and not here.defenses(combat, now):
        where, accepts = f"combatants.{now.at}.sheet", "skills.fray or aptitudes.ref"
        raise Incomplete(f"{now.at}'s sheet has nothing to defend with", where=where, accepts=accepts)


# ------------------------------------------------------------------------------------------------ the opposed test


def opposed_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Requests the d100 of attacker and defender.

    A target without defense does not roll, and one roll to hit may count for several targets.
    """
    here = edition(combat)
    now = here.attack(combat)
    if not combat.rolls[now.hit].faces and not here.is_hit_known(combat, now):
        yield d100_request(combat, now.hit, now.by, f"hit with {now.used}")
    if TARGET.is_at(combat, now.role(DEFEND)):
        yield d100_request(combat, now.role(DEFEND), now.at, "defend")


def stop_aiming(combat: Combat, who: str) -> Telling:
    """Ends the attacker's aim.

    Source: EP1 190 Aiming; EP2 12/04 Aiming
    """
    if combat.conditions.has(who, "aiming"):
        combat = yield ConditionLost(who, "aiming", "attacks")
    return combat


# ------------------------------------------------------------------------------------------------ what it leads to


def by_skill(combat: Combat, now: Aimed) -> bool:
    """Returns whether the attacker wins two equal critical successes by the higher skill, if the profile has that rule.

    Source: EP1 192 Step 5; EP2 12/01 Step 5
    """
    hit, defense = combat.rolls[now.hit], combat.rolls[now.role(DEFEND)]
    equal = hit.outcome == defense.outcome == CRITICAL_SUCCESS and hit.rolled == defense.rolled
    mine, theirs = (BASE.at(combat, key) for key in (now.hit, now.role(DEFEND)))
    return equal and mine > theirs and BY_SKILL[edition(combat).profile(combat).double_critical]


BY_SKILL: Mapping[str, bool] = {"higher_roll": False, "higher_skill": True}
"""Whether the higher skill wins two equal critical successes, by the value of the profile's field."""


def spoiled(weapon: str, what: str) -> str:
    """Returns the condition of a weapon's owner for what happened to it: ``heavy_pistol_broken``.

    Source: EP1 192 Step 5; EP2 12/12 Fragile
    """
    return f"{weapon}_{what}".replace(" ", "_")


def locked_out(mind: str) -> str:
    """Returns the condition of a combatant who can no longer reach a mind: ``locked_out_of_jinx``.

    Source: EP1 222 Psi Combat; EP2 14/04 Opposed Tests
    """
    return f"locked_out_of_{mind}"


def offer_mercy(combat: Combat) -> ChoiceRequested:
    """Asks the attacker whether a critical success hurts a target who was only to be held."""
    now = edition(combat).attack(combat)
    options = (Option("hurt", "apply the damage"), Option("spare", edition(combat).words.spared))
    return ChoiceRequested(now.role("mercy"), now.by, options, "hurt", "hurt them, too?")


SPOT = FigureName("specific target", str)


def hit_spot(now: Aimed, source: str) -> Event:
    """Returns the figure for a called shot that hits its spot.

    Source: EP1 196 Called Shots; EP2 12/15 Called Shots
    """
    return SPOT.found(now.place, now.terms.spot or "a certain spot", "hit where it was meant to", source, who=now.at)


def scatter_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the die for where a blast lands."""
    now = edition(combat).attack(combat)
    yield RollRequested(f"{now.key}/scatter", now.by, "1d10", "where it lands", now.key)


def sum_up(combat: Combat) -> Deed:
    """Ends the attack: a target was hit, armor stopped all damage, or it missed every target."""
    yield from ()
    here = edition(combat)
    now = here.attack(combat)
    places = [now.dealing_with(nth).place for nth in range(1, now.nth + 1)]
    hits = [place for place in places if OUTCOME.at(combat, place, here.untold) == "hit"]
    if not hits:
        return "missed"
    harmless = not any(DAMAGE_TAKEN.at(combat, place) > 0 for place in hits)
    return "stopped" if harmless and any(here.has_rolled(combat, place) for place in hits) else "hit"


# ------------------------------------------------------------------------------------------------ blind, and held


def perceive_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the test to find a target by other senses than sight."""
    here = edition(combat)
    now = here.attack(combat)
    yield d100_request(combat, now.role(here.words.perceiving), now.by, "find the target by another sense")


def read_perceive(combat: Combat) -> Deed:
    """Reads the test to find a target by other senses."""
    here = edition(combat)
    now = here.attack(combat)
    yield from here.read(combat, now.role(here.words.perceiving))
    return None


STRUGGLE, HOLD = "struggle", "hold"


def struggle_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Requests the d100 of the held combatant and of the holder."""
    by = frame(combat).by
    yield d100_request(combat, key_of(combat, STRUGGLE), by, "break free")
    if TARGET.is_at(combat, key_of(combat, HOLD)):
        yield d100_request(combat, key_of(combat, HOLD), edition(combat).holder(combat, by), "keep hold")


def read_struggle(combat: Combat) -> Deed:
    """Reads both tests of the struggle, each against its target."""
    for key in (key_of(combat, STRUGGLE), key_of(combat, HOLD)):
        if combat.rolls[key].faces:
            combat = yield from edition(combat).read(combat, key)
    return None
