"""What the first edition changes of the rules that both editions have."""

from machines.eclipse_phase.family.edition import Edition, Printed, Words
from machines.eclipse_phase.first.actions.actions import what_ends_now
from machines.eclipse_phase.first.harm import injury
from machines.eclipse_phase.first.profile import profile
from machines.eclipse_phase.first.sheet.sheet_access import SHEETS, needed, proficiency
from machines.eclipse_phase.first.success_tests import success
from machines.eclipse_phase.first.turn import initiative, turn
from machines.eclipse_phase.first.turn.time_passing import time_goes_by

EDITION = Edition(
    printed=Printed(
        bleeding="EP1 207 Bleeding",
        fewer_wounds="EP1 188 Initiative and Damage",
        modifiers="EP1 116 Modifiers",
        step_of_damage="EP1 192 Step 7",
        wounds="EP1 207 Wounds",
    ),
    words=Words(
        pilot="pilot",
        sneaking="infiltration",
        revived="healed",
    ),
    profile=profile,
    sheets=SHEETS,
    tracks=injury.TRACKS,
    dangers=injury.DANGERS,
    resolve=success.resolve,
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
    what_ends_now=what_ends_now,
    time_goes_by=time_goes_by,
    bleeds=injury.bleeds,
    blood_lost=injury.blood_lost,
    threats=injury.threats,
)
"""The first edition."""
