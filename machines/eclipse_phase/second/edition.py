"""The differences of the second edition from the first."""

from machines.contract.toolkit import frame
from machines.eclipse_phase.family.damage import BLAST
from machines.eclipse_phase.family.edition import DV, NTH_TARGET, Edition, EditionWords, Printed
from machines.eclipse_phase.second.actions import actions, validation
from machines.eclipse_phase.second.attack import attack, attack_context, grappling, modifiers, outcome
from machines.eclipse_phase.second.care import healing, resting
from machines.eclipse_phase.second.care.recovery import recover
from machines.eclipse_phase.second.harm import damage, explosion, injury
from machines.eclipse_phase.second.harm.harm_dice import harm_dice
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import SHEETS, UNABLE, at_hand, needed, proficiency
from machines.eclipse_phase.second.success_tests import success
from machines.eclipse_phase.second.success_tests.roles import PERCEIVE
from machines.eclipse_phase.second.tables import tables
from machines.eclipse_phase.second.turn import initiative, movement, turn
from machines.eclipse_phase.second.turn.time_passing import time_goes_by

EDITION = Edition(
    printed=Printed(
        aim="EP2 12/04 Aiming",
        area="EP2 12/15 Area-effect Attacks",
        bleeding="EP2 12/16 Bleeding Out",
        fewer_wounds="EP2 12/16 Wound Effects",
        modifiers="EP2 03/01 Modifiers",
        step_of_damage="EP2 12/01 Step 8",
        disarming="EP2 12/15 Disarm",
        modes="EP2 12/04 Firing Modes",
        suppression="EP2 12/04 Suppressive Fire",
        task="EP2 03/03 Task Actions",
        wounds="EP2 12/16 Wound Effects",
    ),
    words=EditionWords(
        acrobatics="athletics",
        pilot=injury.PILOT,
        sneaking="infiltrate",
        perceiving=PERCEIVE,
        moved=movement.MOVED,
        next_moment=attack.NEXT_MOMENT,
        this_moment=actions.THIS_MOMENT,
        second_moment="the second Action Turn",
        moment_to_delay="the combatant's own moment",
        moment_to_act="a combatant's moment",
        nobody_acts="nobody acts now",
        spared="do no damage",
        medicine=healing.MEDICINE,
        surgery=healing.SURGERY,
        hardware=healing.HARDWARE,
        repairable="a shell or a thing",
        blast=BLAST.name,
        revived=injury.BELOW,
    ),
    profile=profile,
    sheets=SHEETS,
    firing_modes=tables.FIRING_MODES,
    suppressing_mode=next(mode for mode in tables.FIRING_MODES.values() if mode.suppresses),
    situations=tables.SITUATIONS,
    called_shots=tables.CALLED_SHOTS,
    attack_kinds=tables.ATTACK_KINDS,
    blasts=("centered", "uniform"),
    experiences=tables.EXPERIENCES,
    spoiled=validation.SPOILED,
    down=UNABLE,
    aiming={True: ("complex",), False: ("quick",)},
    tracks=injury.TRACKS,
    dangers=injury.DANGERS,
    read=success.read,
    needed=needed,
    proficiency=proficiency,
    ignored=success.ignored,
    stat=initiative.stat,
    newcomers=initiative.newcomers,
    rollers=initiative.rollers,
    handicaps=initiative.handicaps,
    in_order=initiative.in_order,
    each_lowers=initiative.each_lowers,
    waiting=turn.waiting,
    what_ends_now=actions.what_ends_now,
    time_goes_by=time_goes_by,
    is_free=actions.is_free,
    pay=modifiers.spend,
    quick_beside=lambda combat: 0 if actions.is_extra(combat) else actions.QUICK_BESIDE,
    quick_left=actions.quick_left,
    acts_again=actions.EXTRA.is_of,
    check_free=validation.may_act,
    check_work=lambda combat, by, terms: validation.may_act(combat, by, mental=terms.mental),
    needs_rounds=actions.needs_rounds,
    attack=attack_context.attack,
    at_hand=at_hand,
    is_on_guard=attack.is_on_guard,
    defenses=attack.defenses,
    is_hit_known=lambda combat, now: outcome.suppressing_roll(combat, now) is not None,
    holder=grappling.held_by,
    begin=attack.begin_defense,
    has_rolled=lambda combat, place: DV.at(combat, f"{place}/damage") > 0,
    blood_lost=injury.blood_lost,
    threats=injury.threats,
    rolled_damage=damage.rolled,
    changes_of_damage=damage.changes,
    harm_dice=harm_dice,
    blast=explosion.declared_blast,
    nth_caught=lambda combat: NTH_TARGET.at(combat, frame(combat).key),
    place_of_caught=lambda key, nth: key if nth == 1 else f"{key}/t{nth}",
    healing_dice=healing.healing_dice,
    rest_dice=lambda combat: len(resting.ticks(combat)),
    recover=recover,
)
"""The second edition."""
