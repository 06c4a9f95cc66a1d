"""Called shots, grapples, further targets, scatter."""

from collections.abc import Callable, Iterator, Mapping

from ledger.events import ChoiceRequested, ConditionGained, Event, Option
from ledger.key import role
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import emit
from machines.eclipse_phase.family.attacks import SPOT, hit_spot, spoiled
from machines.eclipse_phase.family.d100 import CRITICAL_FAILURE, CRITICAL_SUCCESS
from machines.eclipse_phase.family.edition import CALLED_SHOT, NTH_TARGET, SCATTER
from machines.eclipse_phase.family.success import passed
from machines.eclipse_phase.second.attack.attack import CHANCE, IN_VAIN, attack_skill
from machines.eclipse_phase.second.attack.attack_context import Attack, attack
from machines.eclipse_phase.second.attack.grappling import hold
from machines.eclipse_phase.second.attack.outcome import SUPERIORS
from machines.eclipse_phase.second.figure_names import HARDER, REDIRECTED, RULING, SNATCHED
from machines.eclipse_phase.second.harm.damage import BYPASSED, HALVED, SPENT_SUPERIOR, WHOLE
from machines.eclipse_phase.second.harm.effects import CALLS_FOR, FOOTING, GRIP
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.success_tests.roles import TO_HIT
from projections.combat import Combat

_CALLED = "EP2 12/15 Called Shots"
HURTS = FigureName("hurts, too", str)
PUSHED = 2
"""Meters that a target is redirected (EP2 12/15 Redirect)."""


# ------------------------------------------------------------------------------------------------ called shots


def do_as_called(combat: Combat) -> Deed:
    """Applies a called shot with a superior success, which then adds no damage.

    Ruling: EP2-N7
    """
    now = attack(combat)
    called = now.called
    assert called is not None, "nothing was called"
    why = f"{called.name}, a superior success"
    combat = yield CALLED_SHOT.found(now.place, called.name, why, called.source, who=now.at)
    combat = yield SPENT_SUPERIOR.found(now.place, 1, why, called.source)
    combat = yield from emit(combat, DOES[called.does](combat, now))
    if SUPERIORS.at(combat, now.place) >= 2 and called.further:
        return "further"
    return what_is_left(combat, now)


def what_is_left(combat: Combat, now: Attack) -> str:
    """Returns what follows a called shot: damage, a spot, or nothing more."""
    if SPOT.is_at(combat, now.place):
        return "spot"
    if now.called is None or not now.called.spares or HURTS.is_at(combat, now.place):
        return "hurts"
    critical = combat.rolls[now.hit].outcome == CRITICAL_SUCCESS
    return "mercy" if now.called.only and critical else "spares"


def _bypass(_: Combat, now: Attack) -> Iterator[Event]:
    yield BYPASSED.found(now.place, "yes", "a weak point", _CALLED, who=now.at)


def _disarm(_: Combat, now: Attack) -> Iterator[Event]:
    yield HALVED.found(now.place, "yes", "meant to disarm", _CALLED, who=now.at)
    yield CALLS_FOR[GRIP].found(now.place, "yes", "", _CALLED, who=now.at)


def _floor(_: Combat, now: Attack) -> Iterator[Event]:
    yield ConditionGained(now.at, "prone", None, "standing up", now.key, "knocked down", _CALLED)


def _push(_: Combat, now: Attack) -> Iterator[Event]:
    yield REDIRECTED.found(now.place, PUSHED, "as was called", _CALLED, who=now.at)
    if now.terms.perilous:
        yield CALLS_FOR[FOOTING].found(now.place, "yes", "", _CALLED, who=now.at)


def _spot(_: Combat, now: Attack) -> Iterator[Event]:
    yield hit_spot(now, _CALLED)


def _grapple(combat: Combat, now: Attack) -> Iterator[Event]:
    yield from hold(combat, now.by, now.at, now.key)


DOES: Mapping[str, Callable[[Combat, Attack], Iterator[Event]]] = {
    "bypass": _bypass,
    "disarm": _disarm,
    "floor": _floor,
    "push": _push,
    "spot": _spot,
    "grapple": _grapple,
}
"""Effects of a successful called shot, by the column of its table."""


def offer_further(combat: Combat) -> ChoiceRequested:
    """Asks what a further superior success does: more damage, or more of the called effect."""
    now = attack(combat)
    called = now.called
    fits = tuple(word for word in (called.further if called else ()) if FITS[word](combat, now))
    usual = () if called and called.spares else (Option("damage", "one die more of damage"),)
    options = (*usual, *(Option(word, FURTHER[word]) for word in fits))
    return ChoiceRequested(
        now.role("further"), now.by, options, options[0].option, "what the further superior success does"
    )


FURTHER: Mapping[str, str] = {
    "harder": "twice the modifier to their check",
    "full": "the whole damage",
    "snatch": "snatch the weapon",
    "hurt": "hurt them, too",
}
"""Uses of a further superior success other than damage."""

FITS: Mapping[str, Callable[[Combat, Attack], bool]] = {
    "harder": lambda _, now: now.called is not None and (not now.called.spares or now.terms.perilous),
    "full": lambda *_: True,
    "snatch": lambda combat, now: now.kind.strikes or SNATCHES[profile(combat).snatching],
    "hurt": lambda *_: True,
}
"""Whether a use is possible."""

SNATCHES: Mapping[str, bool] = {"any": True, "melee": False}
"""Whether a weapon can be snatched at range, by the profile's field."""


def use_further(combat: Combat) -> Deed:
    """Applies the use of a further superior success."""
    now = attack(combat)
    word = combat.exchange.chosen[now.role("further")]
    if word in FURTHER:
        why = FURTHER[word]
        combat = yield SPENT_SUPERIOR.found(now.place, 2, why, HERE)
        combat = yield from emit(combat, USES[word](now))
    return what_is_left(combat, now)


def _harder(now: Attack) -> Iterator[Event]:
    yield HARDER.found(now.place, "yes", FURTHER["harder"], _CALLED)


def _full(now: Attack) -> Iterator[Event]:
    yield WHOLE.found(now.place, "yes", FURTHER["full"], _CALLED)


def _snatch(now: Attack) -> Iterator[Event]:
    yield SNATCHED.found(now.place, "yes", FURTHER["snatch"], _CALLED)


def _hurt(now: Attack) -> Iterator[Event]:
    yield HURTS.found(now.place, "yes", FURTHER["hurt"], _CALLED)


USES: Mapping[str, Callable[[Attack], Iterator[Event]]] = {
    "harder": _harder,
    "full": _full,
    "snatch": _snatch,
    "hurt": _hurt,
}
"""Functions of the uses, by name."""


def offer_spot(combat: Combat) -> ChoiceRequested:
    """Asks the gamemaster what hitting the spot does, in words."""
    now = attack(combat)
    options = (
        Option("nothing", "nothing more than a hit"),
        Option("blinded", "blinded"),
        Option("dazed", "dazed"),
        Option("effect", "it has an effect of its own"),
    )
    spot = SPOT.at(combat, now.place)
    return ChoiceRequested(now.role("spot"), "gm", options, "nothing", f"what hitting {spot} does")


def suffer_spot(combat: Combat) -> Deed:
    """Applies the condition that the gamemaster chose for the spot, if any."""
    now = attack(combat)
    chosen = combat.exchange.chosen[now.role("spot")]
    if chosen in ("blinded", "dazed"):
        spot = SPOT.at(combat, now.place)
        yield ConditionGained(now.at, chosen, None, combat.clock.ahead(1), now.key, f"hit at {spot}", _CALLED)
    return None


# ------------------------------------------------------------------------------------------------ further targets


def next_target(combat: Combat) -> Deed:
    """Continues with the next target or victim of the blast."""
    now = attack(combat)
    if now.nth < now.aimed and STOPS[profile(combat).spoiled_weapon](combat, now):
        return "nobody"
    if now.nth >= (len(now.targets) if has_landed(combat, now) else now.aimed):
        return "nobody"
    combat = yield NTH_TARGET.found(now.key, now.nth + 1, "", "EP2 12/02 Multiple Targets")
    now = attack(combat)
    if not now.shared:
        yield from attack_skill(combat, now)
    return "someone"


def _cannot_go_on(combat: Combat, now: Attack) -> bool:
    ruled = RULING.at(combat, now.place)
    return ruled == WIPES_OUT or any(combat.conditions.has(now.by, spoiled(now.name, word)) for word in BROKEN)


WIPES_OUT, BROKEN = "wipes_out", ("broken", "dropped")
"""Ruling on a critical by which the attacker goes down, and what makes a weapon unusable during its attack."""
STOPS: Mapping[str, Callable[[Combat, Attack], bool]] = {"goes_on": lambda *_: False, "stops": _cannot_go_on}
"""Whether an attack ends before its next target, by the profile's field."""


def aftermath(combat: Combat) -> Deed:
    """Returns what follows the attack: a missed blast scatters, a sleight affects the infection."""
    now = attack(combat)
    yield from ()
    if now.kind.scatters and now.weapon.area in SCATTERS and not has_landed(combat, now):
        return "scatters"
    return "stirs" if now.kind.minds else "over"


SCATTERS = ("centered", "uniform")
"""Areas that scatter after a miss; a cone begins at the weapon."""


def has_landed(combat: Combat, now: Attack) -> bool:
    """Returns whether the roll to hit succeeded, so that the attack landed where it was aimed.

    Source: EP2 12/15 Scatter
    """
    return passed(combat, role(now.key, TO_HIT)) and CHANCE.at(combat, now.key) != IN_VAIN


def read_scatter(combat: Combat) -> Deed:
    """Computes the scatter: the die in meters, doubled for each superior failure.

    Ruling: EP2-C17
    """
    now = attack(combat)
    key = f"{now.key}/scatter"
    hit = combat.rolls[role(now.key, TO_HIT)]
    die, times = combat.rolls[key].faces[0], scattered(hit.margin)
    critical = ", a critical failure" if hit.outcome == CRITICAL_FAILURE else ""
    why = f"{die} x {times}{critical}; the way the die points: declare an explosion for whoever is there"
    yield SCATTER.found(key, die * times, why, HERE)
    return None


def scattered(margin: int) -> int:
    """Returns the factor for the distance of a scattered blast.

    Source: EP2 12/15 Scatter; Ruling: EP2-C17

    >>> scattered(0), scattered(-1), scattered(-2)
    (1, 2, 4)
    """
    return int(2 ** max(0, -margin))
