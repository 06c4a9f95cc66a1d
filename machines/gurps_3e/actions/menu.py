"""The maneuvers of a turn: an `Action` each, with its line in the menu, chart, terms, check and offers."""

from collections.abc import Callable, Iterable, Iterator

from ledger.commands import Declare
from ledger.events import ChoiceRequested, Json, Option
from machines.contract.action import Action, Actions, Line, once
from machines.contract.assumptions import assuming
from machines.contract.offering import Words, next_action, others
from machines.gurps_3e import chart
from machines.gurps_3e.actions import assumptions, maneuver_chart, validation
from machines.gurps_3e.actions import terms as t
from machines.gurps_3e.attack import targeting
from machines.gurps_3e.attack.attack_context import TO_HIT
from machines.gurps_3e.attack.critical import ONLY_DEFENDS
from machines.gurps_3e.attack.firing import GROUP
from machines.gurps_3e.attack.spending import MANEUVER, attacks_left
from machines.gurps_3e.attack.targeting import aims_at
from machines.gurps_3e.sheet.sheet import Weapon
from machines.gurps_3e.sheet.sheet_access import IDLE, STANDING, UNABLE, is_natural, kind_of, posture, weapons_of
from machines.gurps_3e.tables import tables
from projections.combat import Combat

Possible = Callable[[Combat, str], bool]


def ask_maneuver(combat: Combat, options: Iterable[Option]) -> ChoiceRequested:
    """Asks for a maneuver, or for a further attack of one that was begun; the default is to do nothing."""
    return next_action(combat, () if combat.conditions.has(combat.turn.who or "", *IDLE) else options)


# ------------------------------------------------------------------------------------------------ what is possible


def defensively(combat: Combat, who: str) -> bool:
    """Returns whether the maneuver is unused; a combatant who may only defend may choose it as well."""
    return not attacks_left(combat, who) and not combat.turn.spent.get(MANEUVER)


def freely(combat: Combat, who: str) -> bool:
    """Returns whether the maneuver is unused and the combatant may do more than defend."""
    return defensively(combat, who) and not combat.conditions.has(who, ONLY_DEFENDS)


def again(combat: Combat, who: str) -> str | bool:
    """Returns the label of a further attack, or whether a first one is possible."""
    left = attacks_left(combat, who)
    return f"attack again ({left} left)" if left else freely(combat, who)


# ------------------------------------------------------------------------------------------------ what is offered


def _attacks(combat: Combat, who: str) -> Iterator[Json]:
    for at in others(combat, who, *UNABLE):
        yield from attacks_on(combat, who, at)


def attacks_on(combat: Combat, who: str, at: str) -> Iterator[Json]:
    """Yields an attack with each weapon, the best at hand first; a ranged one at a distance that may be changed."""
    for name, weapon in sorted(weapons_of(combat, who).items(), key=lambda each: _at_hand(each[1])):
        distance = {"distance": min(DISTANCE, weapon.max or DISTANCE)} if kind_of(weapon).ranged else {}
        yield {"at": at, "using": name, **distance}


def _at_hand(weapon: Weapon) -> tuple[bool, bool, bool]:
    """Returns the place among the weapons: those that shoot come first, natural ones and those that are thrown last."""
    kind = kind_of(weapon)
    return is_natural(weapon), kind.leaves_hand, not kind.ranged


DISTANCE = 10
"""The yards that are offered for a ranged attack: there is no map, and the attacker declares the distance."""


def _at_others(combat: Combat, who: str, *, ranged: bool) -> Iterator[Json]:
    """Yields each ranged weapon, or each melee weapon, with each other combatant as the target."""
    for at in others(combat, who, *UNABLE):
        for name, weapon in weapons_of(combat, who).items():
            if kind_of(weapon).ranged == ranged:
                yield {"at": at, "using": name}


def _rising(combat: Combat, who: str) -> Iterator[Json]:
    here = posture(combat, who)
    return iter(()) if here.name == STANDING else ({"to": name} for name in here.to[:2])


def _repairs(combat: Combat, who: str) -> Iterator[Json]:
    return ({"repair": condition} for condition in validation.repairs(combat, who))


def _readying(combat: Combat, who: str) -> Iterator[Json]:
    yield from ({"reload": name} for name in validation.reloads(combat, who))
    yield {"what": "readies something"}


# ------------------------------------------------------------------------------------------------ words


def words_of_attack(combat: Combat, declared: Declare) -> Words:
    """Returns the words that fit the fields of an attack with the declared weapon."""
    targets = others(combat, declared.by, *UNABLE)
    mine = weapons_of(combat, declared.by) if declared.by in combat.roster else {}
    weapon = mine.get(str(declared.terms.get("using", "")))
    ranged = weapon is not None and kind_of(weapon).ranged
    places = tuple(name for name, row in tables.HIT_LOCATIONS.items() if weapon is None or aims_at(weapon, row))
    lines = tables.ATTACK_MODIFIERS.items()
    return {
        "location": places,
        "all_out": ("to_hit", "damage") if ranged else ("to_hit", "damage", "two_attacks"),
        "modifiers": tuple(name for name, row in lines if not (row.melee if ranged else row.ranged)),
        "rounds": tuple(map(str, range(1, GROUP + 1))) if weapon is not None and weapon.automatic else (),
        **dict.fromkeys(("behind", "near", "melee"), targets),
    }


def _words_of_ready(combat: Combat, declared: Declare) -> Words:
    if declared.by not in combat.roster:
        return {}
    return {"repair": validation.repairs(combat, declared.by), "reload": validation.reloads(combat, declared.by)}


def _postures(combat: Combat, declared: Declare) -> Words:
    return {"to": posture(combat, declared.by).to} if declared.by in combat.roster else {}


IN_TURN: Actions = {
    "attack": Action(
        title="attack",
        chart=chart.ATTACK,
        terms=t.AttackTerms,
        check=validation.moving("attack", targeting.check_attack, "all-out attack"),
        assumes=assumptions.of_attack,
        offers=_attacks,
        kept=("using",),
        roll=TO_HIT,
        words=words_of_attack,
        line=Line(number="m3b", title="Attack, or all-out attack", see="CII 48-51 Flowchart", possible=again),
    ),
    "feint": Action(
        title="feint",
        chart=maneuver_chart.FEINT,
        terms=t.FeintTerms,
        check=validation.moving("feint", validation.check_feint, "all-out attack"),
        offers=lambda combat, who: _at_others(combat, who, ranged=False),
        line=Line(number="m3c", title="Feint", see="B 105", possible=freely),
    ),
    "all_out_defense": Action(
        title="all-out defense",
        chart=maneuver_chart.ALL_OUT_DEFENSE,
        terms=t.StepTerms,
        check=validation.moving("all-out defense", validation.check_plain),
        offers=once(),
        line=Line(number="m3d", title="All-out defense", see="B 105", possible=defensively),
    ),
    "aim": Action(
        title="aim",
        chart=maneuver_chart.AIM,
        terms=t.AimTerms,
        check=validation.moving("aim", validation.check_aim),
        offers=lambda combat, who: _at_others(combat, who, ranged=True),
        line=Line(number="m3e", title="Aim", see="B 116", possible=freely),
    ),
    "wait": Action(
        title="wait",
        chart=maneuver_chart.WAIT,
        terms=t.WaitTerms,
        check=validation.moving("wait", validation.check_plain),
        assumes=assuming(t.WaitTerms, "B 118 Opportunity Fire", "watching"),
        offers=once(),
        words=lambda *_: {"watching": ("1", "2", "3", "line")},
        line=Line(number="m3f", title="Wait", see="B 106", possible=freely),
    ),
    "posture": Action(
        title="change posture",
        chart=maneuver_chart.POSTURE,
        terms=t.PostureTerms,
        check=validation.moving("change posture", validation.check_posture),
        urgent=_rising,
        words=_postures,
        line=Line(number="m3g", title="Change posture", see="B 203", possible=defensively),
    ),
    "ready": Action(
        title="ready",
        chart=maneuver_chart.READY,
        terms=t.ReadyTerms,
        check=validation.moving("ready", validation.check_ready),
        urgent=_repairs,
        offers=_readying,
        words=_words_of_ready,
        line=Line(number="m3h", title="Ready", see="B 104", possible=freely),
    ),
    "move": Action(
        title="move",
        chart=maneuver_chart.MOVE,
        terms=t.MoveTerms,
        check=validation.check_move,
        offers=once(),
        line=Line(number="m3i", title="Move", see="B 103", possible=defensively),
    ),
    "concentrate": Action(
        title="concentrate",
        chart=maneuver_chart.CONCENTRATE,
        terms=t.ConcentrateTerms,
        check=validation.moving("concentrate", validation.check_plain),
        offers=once(),
        line=Line(number="m3j", title="Concentrate", see="B 203", possible=freely),
    ),
}
"""The maneuvers, in the order in which they are listed."""
