"""What an edition changes of the rules that both have: `Edition`, and how a rule of the family finds it.

Each edition fills one `Edition` in its module `edition.py`. The family never asks which edition it is.
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


class Profile(Protocol):
    """Fields that the profiles of both editions have."""

    @property
    def initiative_dice(self) -> str:
        """The dice for Initiative."""

    @property
    def initiative_per_wound(self) -> int:
        """What a wound takes from Initiative."""

    @property
    def initiative_per_trauma(self) -> int:
        """What a trauma takes from Initiative."""

    @property
    def double_critical(self) -> str:
        """Which of two equal critical successes wins."""

    @property
    def incapacitated_at(self) -> str:
        """When damage reaches Durability, or only when it exceeds it."""


class Track(msgspec.Struct, frozen=True):
    """What a track of harm leads to."""

    wounds: str
    """The word for what a lot of it at once is."""
    threshold: Callable[[Combat, str], int]
    outcomes: Callable[[Combat, str], Iterator[tuple[int, str, str]]]
    """(combat, who): limits that may be reached, with the condition and what ends it, the worst last."""
    source: str
    value: str
    """The book's letters for how much of it there is."""
    bleeds: bool = False
    """Does blood flow where a lot of it is?"""


class Danger(msgspec.Struct, frozen=True):
    """What wounds threaten somebody with."""

    purpose: str
    condition: str
    until: str


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """Where the book has the rules whose events name it."""

    aim: str
    area: str
    """Blasts."""
    bleeding: str
    fewer_wounds: str
    """What wounds take from Initiative."""
    modifiers: str
    step_of_damage: str
    """Damage is taken."""
    suppression: str
    task: str
    wounds: str


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The edition's own words: skills, and what is recorded or told."""

    acrobatics: str
    """The skill that also dodges on full defense."""
    pilot: str
    """The skill that keeps a vehicle from crashing."""
    sneaking: str
    """The skill of whoever lies in ambush."""
    perceiving: str
    """The role of finding a target that is not seen."""
    moved: FigureName[int]
    """The figure with the meters that somebody has moved, as long as they count."""
    next_moment: str
    """What ends a full defense, a delay, suppressive fire."""
    this_moment: str
    """What ends an aim."""
    second_moment: str
    """When whoever was surprised acts."""
    moment_to_delay: str
    moment_to_act: str
    """When a delayed action can be taken."""
    nobody_acts: str
    """Why it cannot be taken now."""
    medicine: str
    surgery: str
    hardware: str
    """Skills of care, where nothing else is said."""
    repairable: str
    """What can be repaired."""
    blast: str
    """The role of a blast's dice."""
    revived: str
    """What ends being incapacitated."""
    spared: str
    """What an attacker chooses who does not hurt whom they hold."""


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """What an edition changes."""

    printed: Printed
    words: Words
    profile: Callable[[Combat], Profile]
    sheets: Sheets[Any, Any, Any, Any, Any]
    firing_modes: Mapping[str, Any]
    suppressing_mode: Any
    """The row of the firing modes that is fired over an area."""
    situations: Mapping[str, Any]
    called_shots: Mapping[str, Any]
    attack_kinds: Mapping[str, Any]
    blasts: tuple[str, ...]
    """Areas in which a blast catches others."""
    experiences: Mapping[str, Any]
    spoiled: tuple[str, ...]
    """What may have become of a weapon, so that it cannot be used."""
    down: tuple[str, ...]
    """Conditions of those who are offered last."""
    aiming: Mapping[bool, tuple[str, ...]]
    """By whether it takes a Complex Action: the actions that aiming spends."""
    untold: str = ""
    """How an attack ended at somebody of whom no outcome is recorded."""
    tracks: Mapping[str, Track]
    """By name: bodies take damage and wounds, minds stress and traumas."""
    dangers: Mapping[str, Danger]
    """By role: what wounds threaten with."""

    # ---------------------------------------------------------------------------------------- tests
    read: Callable[[Combat, str], Telling]
    """(combat, key): reads a d100 against its target, with what follows from how well or badly it went."""
    needed: Callable[..., Any]
    """(combat, who, skill, *fields): what a test of a skill starts from, refused where the sheet has neither."""
    proficiency: Callable[[Combat, str, str], int]
    """(combat, who, skill): how good somebody is at it; 0 where they cannot do it."""
    ignored: Callable[[Combat, str, str], int]
    """(combat, who, wounds or traumas): how many somebody ignores, where it is not more than may be."""

    # ---------------------------------------------------------------------------------------- the turn
    stat: Callable[[Combat, str], int]
    newcomers: Callable[[Combat], Iterable[str]]
    """Who gets an Initiative score now."""
    rollers: Callable[[Combat], Iterable[str]]
    """Those of them who roll for it."""
    handicaps: Callable[[Combat, str], Iterator[Event]]
    """(combat, who): what lowers the score to come."""
    in_order: Callable[[Combat], Iterator[Event]]
    """The order of acting by the scores as they are."""
    each_lowers: Callable[[Combat, str], int]
    """(combat, wounds or traumas): what one takes from Initiative."""
    waiting: Callable[[Combat], tuple[str, ...]]
    """Those who still have their moment, in order."""
    what_ends_now: Callable[[Combat, str], Iterator[Event]]
    """(combat, who): what ends when somebody's moment begins."""
    time_goes_by: Callable[[Combat, int], Telling]
    """(combat, seconds): what time does outside a fight."""

    # ---------------------------------------------------------------------------------------- actions
    is_free: Callable[[Combat, str], bool]
    """(combat, who): can they do something with their body?"""
    pay: Callable[[Combat, str, str, str], Telling]
    """(combat, who, action, key): spends an action."""
    quick_beside: Callable[[Combat], int]
    """Quick Actions beside a Complex one."""
    quick_left: Callable[[Combat], int]
    acts_again: Callable[[Combat, str], bool] = lambda *_: False
    """(combat, who): is it an extra action that they take?"""
    check_free: Callable[[Combat, str], None]
    """(combat, who): refuses whoever cannot act with their body now."""
    check_work: Callable[[Combat, str, Any], None]
    """(combat, who, terms): refuses whoever cannot work on a task now."""
    needs_rounds: Callable[[Combat, str, str, Any], bool]
    """(combat, who, name, weapon): is it not full?"""

    # ---------------------------------------------------------------------------------------- attacks
    attack: Callable[[Combat], Any]
    """The attack being resolved."""
    is_on_guard: Callable[[Combat, Any], bool]
    defenses: Callable[[Combat, Any], Mapping[str, Any]]
    """(combat, attack): what the target may defend with."""
    is_hit_known: Callable[[Combat, Any], bool] = lambda *_: False
    """(combat, attack): was it rolled with another target already?"""
    holder: Callable[[Combat, str], str]
    """(combat, who): who holds somebody."""
    begin: Callable[[Combat, str, str, Any], Telling]
    """(combat, key, who, one of the defenses): what a defense starts from."""
    has_rolled: Callable[[Combat, str], bool]
    """(combat, place): was damage rolled for this target?"""

    # ---------------------------------------------------------------------------------------- harm
    bleeds: Callable[[Combat, str, str, str], Iterator[Event]] = lambda *_: iter(())
    """(combat, who, track, place): begins to bleed because of a limit that was reached."""
    blood_lost: Callable[[Combat, str], int]
    """(combat, who): damage from bleeding in an Action Turn."""
    threats: Callable[[Combat, Any], tuple[tuple[str, ...], tuple[str, ...]]]
    """(combat, harm done): what must be rolled because of wounds, and what happens without a roll."""
    rolled_damage: Callable[[Combat, Any], tuple[int, str]]
    """(combat, attack): what the dice of a hit come to, and how."""
    changes_of_damage: Callable[[Combat, Any, int], Iterator[tuple[int, str]]]
    """(combat, attack, damage): what multiplies or lessens the whole."""
    of_hit: Callable[[Combat, Any, FigureFound], Iterator[Event]] = lambda _, __, found: iter((found,))
    """(combat, attack, figure): marks what comes from the roll to hit."""
    harm_dice: Callable[[Combat, str, str, str, str], Iterator[RollRequested]]
    """(combat, key, who, dice, purpose): dice of harm."""
    blast: Callable[[Any], Any]
    """(terms): what a blast does that nobody aims."""
    nth_caught: Callable[[Combat], int]
    """Which of those whom a blast catches is dealt with."""
    place_of_caught: Callable[[str, int], str]
    """(key, nth): under which figures of a victim are kept."""

    # ---------------------------------------------------------------------------------------- care
    healing_dice: Callable[[Combat], str]
    rest_dice: Callable[[Combat], int]
    recover: Callable[[Combat, str], Telling]
    """(combat, who): what ends with harm that is healed."""


class EclipsePhase(Ruleset, frozen=True, kw_only=True, dict=True):
    """An edition of Eclipse Phase as a ruleset."""

    edition: Edition


def edition(combat: Combat) -> Edition:
    """What the edition of this session changes."""
    game = ruleset(combat.session.ruleset)
    assert isinstance(game, EclipsePhase), f"{game.name} is no edition of Eclipse Phase"
    return game.edition


def declared(combat: Combat) -> Any:
    """What was declared of what is being resolved, as the edition's own terms."""
    now = frame(combat)
    return typed(now.terms, ruleset(combat.session.ruleset).kinds[now.kind].terms)


def where(combat: Combat) -> str:
    """The key under which is resolved what is on the table, or what the Action Turn itself does."""
    now = combat.exchange.frame
    return now.key if now else combat.clock.period
