"""The differences of the first edition from the second."""

from machines.contract.toolkit import frame, thrown
from machines.eclipse_phase.family.damage import DAMAGE
from machines.eclipse_phase.family.edition import DAMAGE_TAKEN, DICE, Edition, EditionWords, Printed
from machines.eclipse_phase.first.actions import actions, validation
from machines.eclipse_phase.first.attack import attack, attack_context
from machines.eclipse_phase.first.care import healing
from machines.eclipse_phase.first.care.recovery import recover
from machines.eclipse_phase.first.harm import damage, explosion, injury
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import DOWN, NEXT_PHASE, SHEETS, needed, proficiency
from machines.eclipse_phase.first.success_tests import success
from machines.eclipse_phase.first.tables import tables
from machines.eclipse_phase.first.turn import initiative, movement, turn
from machines.eclipse_phase.first.turn.time_passing import time_goes_by

EDITION = Edition(
    printed=Printed(
        aim="EP1 193 Aimed Shots",
        area="EP1 193 Area Effect Weapons",
        bleeding="EP1 207 Bleeding",
        fewer_wounds="EP1 188 Initiative and Damage",
        modifiers="EP1 116 Modifiers",
        step_of_damage="EP1 192 Step 7",
        disarming="EP1 196 Called Shots",
        modes="EP1 198 Firing Modes",
        suppression="EP1 204 Suppressive Fire",
        task="EP1 189 Complex Actions",
        wounds="EP1 207 Wounds",
    ),
    words=EditionWords(
        acrobatics="freerunning",
        pilot="pilot",
        sneaking="infiltration",
        perceiving=attack.PERCEPTION,
        moved=movement.MOVED,
        next_moment=NEXT_PHASE,
        this_moment=actions.THIS_PHASE,
        second_moment="the second Action Phase",
        moment_to_delay="an Action Phase",
        moment_to_act="an Action Phase",
        nobody_acts="nobody acts while Initiative is rolled",
        medicine=healing.MEDICINE,
        surgery=healing.MEDICINE,
        hardware=healing.HARDWARE,
        repairable="a synthmorph or a thing",
        blast=DAMAGE,
        revived="healed",
        spared="only hold them",
    ),
    profile=profile,
    sheets=SHEETS,
    firing_modes=tables.FIRING_MODES,
    suppressing_mode=next(mode for mode in tables.FIRING_MODES.values() if mode.suppresses),
    situations=tables.SITUATIONS,
    called_shots=tables.CALLED_SHOTS,
    attack_kinds=tables.ATTACK_KINDS,
    blasts=("blast", "uniform"),
    experiences=tables.EXPERIENCES,
    spoiled=tuple(name for name, row in tables.MISHAPS.items() if row.spoils),
    down=DOWN,
    aiming={True: ("complex",), False: ("quick", "aim")},
    untold="hit",
    tracks=injury.TRACKS,
    dangers=injury.DANGERS,
    read=success.read,
    needed=needed,
    proficiency=proficiency,
    ignored=success.ignored,
    stat=initiative.stat,
    newcomers=initiative.rolling,
    rollers=initiative.rolling,
    handicaps=initiative.handicaps,
    in_order=initiative.in_order,
    each_lowers=initiative.each_lowers,
    waiting=lambda combat: turn.waiting(combat, combat.clock.number),
    what_ends_now=actions.what_ends_now,
    time_goes_by=time_goes_by,
    is_free=actions.is_free,
    pay=actions.pay,
    quick_beside=lambda _: actions.QUICK_BESIDE,
    quick_left=actions.quick_left,
    check_free=validation.free_to_move,
    check_work=lambda combat, by, _: validation.free_to_move(combat, by),
    needs_rounds=actions.needs_rounds,
    attack=attack_context.attack,
    at_hand=attack_context.at_hand,
    is_on_guard=attack.is_on_guard,
    defenses=attack.defenses,
    holder=actions.holder,
    begin=attack.begin_defense,
    has_rolled=DAMAGE_TAKEN.is_at,
    bleeds=injury.bleeds,
    blood_lost=injury.blood_lost,
    threats=injury.threats,
    rolled_damage=damage.rolled,
    changes_of_damage=damage.changes,
    of_hit=damage.of_hit,
    harm_dice=thrown,
    blast=explosion.declared_blast,
    nth_caught=explosion.nth_caught,
    place_of_caught=explosion.place_of,
    healing_dice=lambda _: "1d10",
    rest_dice=lambda combat: DICE.at(combat, frame(combat).key),
    recover=recover,
)
"""The first edition."""
