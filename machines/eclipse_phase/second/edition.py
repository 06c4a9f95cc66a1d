"""What the second edition changes of the rules that both editions have."""

from machines.eclipse_phase.family.edition import Edition, Printed, Words
from machines.eclipse_phase.second.actions.actions import what_ends_now
from machines.eclipse_phase.second.harm import injury
from machines.eclipse_phase.second.profile import profile
from machines.eclipse_phase.second.sheet.sheet_access import SHEETS, needed, proficiency
from machines.eclipse_phase.second.success_tests import success
from machines.eclipse_phase.second.turn import initiative, turn
from machines.eclipse_phase.second.turn.time_passing import time_goes_by

EDITION = Edition(
    printed=Printed(
        bleeding="EP2 12/16 Bleeding Out",
        fewer_wounds="EP2 12/16 Wound Effects",
        modifiers="EP2 03/01 Modifiers",
        step_of_damage="EP2 12/01 Step 8",
        wounds="EP2 12/16 Wound Effects",
    ),
    words=Words(
        pilot="athletics",
        sneaking="infiltrate",
        revived=injury.BELOW,
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
    newcomers=initiative.newcomers,
    rollers=initiative.rollers,
    handicaps=initiative.handicaps,
    in_order=initiative.in_order,
    each_lowers=initiative.each_lowers,
    waiting=turn.waiting,
    what_ends_now=what_ends_now,
    time_goes_by=time_goes_by,
    blood_lost=injury.blood_lost,
    threats=injury.threats,
)
"""The second edition."""
