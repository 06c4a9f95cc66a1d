"""The differences between the editions: `Edition`, and how a shared rule finds it.

Each edition fills one `Edition` in its module `edition.py`. Shared rules never compare the edition's name.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from ledger.events import Event, FigureFound, RollRequested
from machines.contract.figure_names import FigureName
from machines.contract.ruleset import Ruleset, ruleset, typed
from machines.contract.toolkit import Telling, frame
from machines.eclipse_phase.family.sheets import Sheets
from projections.combat import Combat

ARMOR = FigureName("armor", int)
BASE = FigureName("base", int)
CALLED_SHOT = FigureName("called shot", str)
DAMAGE_TAKEN = FigureName("damage", int)
DEGREE = FigureName("degree", str)
DICE = FigureName("dice", int)
DV = FigureName("dv", int)
HAND = FigureName("hand", int)
HEALED = FigureName("healed", int)
HOURS = FigureName("hours", int)
KNOCKBACK = FigureName("knockback", int)
MARGIN = FigureName("margin", int)
METERS = FigureName("meters", int)
MINUTES = FigureName("minutes", int)
NTH_TARGET = FigureName("nth target", int)
OUTCOME = FigureName("outcome", str)
SCATTER = FigureName("scatter", int)
SCORE = FigureName("score", int)
SV = FigureName("sv", int)
TARGET = FigureName("target", int)
WOUNDS_TAKEN = FigureName("wounds", int)
"""Names of figures that several modules and both editions use."""


class Profile(Protocol):
    """Fields of both editions' profiles."""

    @property
    def initiative_dice(self) -> str:
        """Dice for Initiative."""

    @property
    def initiative_per_wound(self) -> int:
        """Initiative lost for each wound."""

    @property
    def initiative_per_trauma(self) -> int:
        """Initiative lost for each trauma."""

    @property
    def double_critical(self) -> str:
        """How two equal critical successes are decided."""

    @property
    def incapacitated_at(self) -> str:
        """Whether damage incapacitates when it reaches Durability or only when it exceeds it."""


class HarmTrack(msgspec.Struct, frozen=True):
    """A track of harm and its limits."""

    wounds: str
    """Name of the injury that much harm at once causes: wounds or traumas."""
    threshold: Callable[[Combat, str], int]
    outcomes: Callable[[Combat, str], Iterator[tuple[int, str, str]]]
    """(combat, who): limits of the track, with the condition each causes and what ends it, the worst last."""
    source: str
    value: str
    """The book's abbreviation of the amount: DV or SV."""
    bleeds: bool = False
    """Whether harm on this track can cause bleeding."""


class Danger(msgspec.Struct, frozen=True):
    """A consequence that wounds may have: the test's purpose, the condition, and what ends it."""

    purpose: str
    condition: str
    until: str


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """Citations of the rules that events refer to."""

    aim: str
    area: str
    """Citation of blasts."""
    bleeding: str
    disarming: str
    fewer_wounds: str
    """Citation of Initiative lost to wounds."""
    modes: str
    """Citation of firing modes."""
    modifiers: str
    step_of_damage: str
    """Citation of the step in which damage is taken."""
    suppression: str
    task: str
    wounds: str


class EditionWords(msgspec.Struct, frozen=True, kw_only=True):
    """Words that differ between the editions: skills, recorded roles and figures, phrases."""

    acrobatics: str
    """Skill that also dodges on full defense."""
    pilot: str
    """Skill that keeps a vehicle from crashing."""
    sneaking: str
    """Skill of an ambusher."""
    perceiving: str
    """Role of the test to find an unseen target."""
    moved: FigureName[int]
    """Figure of the meters that a combatant has moved, as long as they count."""
    next_moment: str
    """What ends a full defense, a delay and suppressive fire."""
    this_moment: str
    """What ends an aim."""
    second_moment: str
    """When a surprised combatant acts."""
    moment_to_delay: str
    moment_to_act: str
    """When a delayed action can be taken."""
    nobody_acts: str
    """Reason for refusing a delayed action now."""
    medicine: str
    surgery: str
    hardware: str
    """Default skills of care."""
    repairable: str
    """What can be repaired."""
    blast: str
    """Role of a blast's dice."""
    revived: str
    """What ends being incapacitated."""
    spared: str
    """Label of the option not to hurt a held target."""


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """The values and functions in which an edition differs."""

    printed: Printed
    words: EditionWords
    profile: Callable[[Combat], Profile]
    sheets: Sheets[Any, Any, Any, Any, Any]
    firing_modes: Mapping[str, Any]
    suppressing_mode: Any
    """Row of the firing modes for suppressive fire."""
    situations: Mapping[str, Any]
    called_shots: Mapping[str, Any]
    attack_kinds: Mapping[str, Any]
    blasts: tuple[str, ...]
    """Kinds of blast that catch further combatants."""
    experiences: Mapping[str, Any]
    spoiled: tuple[str, ...]
    """What can make a weapon unusable."""
    down: tuple[str, ...]
    """Conditions whose holders are offered last as targets."""
    aiming: Mapping[bool, tuple[str, ...]]
    """Actions that aiming spends, by whether it is Complex."""
    untold: str = ""
    """Outcome of an attack against a target with no recorded outcome."""
    tracks: Mapping[str, HarmTrack]
    """Tracks by name: bodies take damage and wounds, minds stress and traumas."""
    dangers: Mapping[str, Danger]
    """Consequences of wounds, by the role of their test."""

    # ---------------------------------------------------------------------------------------- tests
    read: Callable[[Combat, str], Telling]
    """(combat, key): reads a d100 against its target, with what follows from its margin."""
    needed: Callable[..., Any]
    """(combat, who, skill, *fields): the base of a skill test; rejects a sheet with neither skill nor aptitude."""
    proficiency: Callable[[Combat, str, str], int]
    """(combat, who, skill): the rating of a skill; 0 if it cannot be used."""
    ignored: Callable[[Combat, str, str], int]
    """(combat, who, "wounds" or "traumas"): the number ignored, if within the limit."""

    # ---------------------------------------------------------------------------------------- the turn
    stat: Callable[[Combat, str], int]
    newcomers: Callable[[Combat], Iterable[str]]
    """Combatants who get an Initiative score now."""
    rollers: Callable[[Combat], Iterable[str]]
    """The newcomers who roll for it."""
    handicaps: Callable[[Combat, str], Iterator[Event]]
    """(combat, who): what lowers the coming score."""
    in_order: Callable[[Combat], Iterator[Event]]
    """The order of acting by the present scores."""
    each_lowers: Callable[[Combat, str], int]
    """(combat, "wounds" or "traumas"): Initiative lost for each."""
    waiting: Callable[[Combat], tuple[str, ...]]
    """Combatants whose moment is still to come, in order."""
    what_ends_now: Callable[[Combat, str], Iterator[Event]]
    """(combat, who): what ends when the combatant's moment begins."""
    time_goes_by: Callable[[Combat, int], Telling]
    """(combat, seconds): effects of time outside a fight."""

    # ---------------------------------------------------------------------------------------- actions
    is_free: Callable[[Combat, str], bool]
    """(combat, who): whether the combatant can use their body."""
    pay: Callable[[Combat, str, str, str], Telling]
    """(combat, who, action, key): spends an action."""
    quick_beside: Callable[[Combat], int]
    """Quick Actions allowed beside a Complex one."""
    quick_left: Callable[[Combat], int]
    acts_again: Callable[[Combat, str], bool] = lambda *_: False
    """(combat, who): whether this is an extra action."""
    check_free: Callable[[Combat, str], None]
    """(combat, who): rejects a combatant who cannot use their body now."""
    check_work: Callable[[Combat, str, Any], None]
    """(combat, who, terms): rejects a combatant who cannot work on a task now."""
    needs_rounds: Callable[[Combat, str, str, Any], bool]
    """(combat, who, name, weapon): whether the weapon is not fully loaded."""

    # ---------------------------------------------------------------------------------------- attacks
    attack: Callable[[Combat], Any]
    """The attack being resolved."""
    at_hand: Callable[[Combat, str], tuple[str, ...]]
    """The weapons of which a combatant can be disarmed."""
    is_on_guard: Callable[[Combat, Any], bool]
    defenses: Callable[[Combat, Any], Mapping[str, Any]]
    """(combat, attack): the target's possible defenses."""
    is_hit_known: Callable[[Combat, Any], bool] = lambda *_: False
    """(combat, attack): whether the roll to hit was already made for another target."""
    holder: Callable[[Combat, str], str]
    """(combat, who): the combatant who holds this one."""
    begin: Callable[[Combat, str, str, Any], Telling]
    """(combat, key, who, defense): begins a defense."""
    has_rolled: Callable[[Combat, str], bool]
    """(combat, place): whether damage was rolled for this target."""

    # ---------------------------------------------------------------------------------------- harm
    bleeds: Callable[[Combat, str, str, str], Iterator[Event]] = lambda *_: iter(())
    """(combat, who, track, place): begins bleeding if a limit was reached."""
    blood_lost: Callable[[Combat, str], int]
    """(combat, who): bleeding damage in an Action Turn."""
    threats: Callable[[Combat, Any], tuple[tuple[str, ...], tuple[str, ...]]]
    """(combat, harm): tests required by wounds, and consequences without a test."""
    rolled_damage: Callable[[Combat, Any], tuple[int, str]]
    """(combat, attack): the total of the damage dice, and its derivation."""
    changes_of_damage: Callable[[Combat, Any, int], Iterator[tuple[int, str]]]
    """(combat, attack, damage): the total after each multiplication or reduction, and the reason."""
    of_hit: Callable[[Combat, Any, FigureFound], Iterator[Event]] = lambda _, __, found: iter((found,))
    """(combat, attack, figure): the figure, with a mark if it comes from the roll to hit."""
    harm_dice: Callable[[Combat, str, str, str, str], Iterator[RollRequested]]
    """(combat, key, who, dice, purpose): requests dice of harm."""
    blast: Callable[[Any], Any]
    """(terms): the effect of a blast without an attack."""
    nth_caught: Callable[[Combat], int]
    """Number of the blast's victim being resolved, from 1."""
    place_of_caught: Callable[[str, int], str]
    """(key, number): key prefix of a victim's figures."""

    # ---------------------------------------------------------------------------------------- care
    healing_dice: Callable[[Combat], str]
    rest_dice: Callable[[Combat], int]
    recover: Callable[[Combat, str], Telling]
    """(combat, who): conditions that end when harm is healed."""


class EclipsePhase(Ruleset, frozen=True, kw_only=True, dict=True):
    """A ruleset that is an edition of Eclipse Phase."""

    edition: Edition


def edition(combat: Combat) -> Edition:
    """Returns the edition of this session."""
    game = ruleset(combat.session.ruleset)
    assert isinstance(game, EclipsePhase), f"{game.name} is no edition of Eclipse Phase"
    return game.edition


def declared(combat: Combat) -> Any:
    """Returns the terms of the declaration being resolved, as the edition's Struct."""
    now = frame(combat)
    return typed(now.terms, ruleset(combat.session.ruleset).kinds[now.kind].terms)


def where(combat: Combat) -> str:
    """Returns the key of the exchange being resolved, or the period if there is none."""
    now = combat.exchange.frame
    return now.key if now else combat.clock.period
