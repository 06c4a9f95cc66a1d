"""Step 8 for all harm: wounds or traumas, and their immediate consequences."""

from machines.contract.chart import Chart, Do, End, Roll, Run
from machines.eclipse_phase.family.harm import fall, read_wounds, wound_rolls
from machines.eclipse_phase.first.harm import injury
from machines.eclipse_phase.first.harm.derangement_chart import DERANGEMENT
from machines.eclipse_phase.first.success_tests.moxie_chart import MOXIE

# fmt: off
WOUNDS = Chart(
    "wounds", "Wounds and traumas",
    Do    ("w1", "Determine wounds",                 injury.determine_wounds,        wounds="w2", traumas="w6", unwounded="done",
           see="EP1 207 Wounds, 192 Step 8, 209 Trauma"),
    Do    ("w2", "SOM x 3, wounds counted",          injury.prepare_wound_tests,     goto="w3", see="EP1 207 Wound Effects, 196 Crashing"),
    Roll  ("w3", "Knockdown and consciousness",      ask=wound_rolls,        read=read_wounds,             goto="w4", see="EP1 207 Wound Effects"),
    Run   ("w4", "Moxie after the roll",             MOXIE,                          goto="w5", see="EP1 122"),
    Do    ("w5", "They stand, or fall",              fall,                           goto="done", see="EP1 207 Wound Effects"),
    Do    ("w6", "WIL x 3, traumas counted",         injury.prepare_disorientation,  goto="w7", see="EP1 209 Trauma Effects"),
    Roll  ("w7", "Disorientation",                   ask=injury.disorientation_roll, read=injury.read_disorientation, goto="w8",
           see="EP1 209 Trauma Effects"),
    Run   ("w8", "Moxie after the roll",             MOXIE,                          goto="w9", see="EP1 122"),
    Do    ("w9", "Wits are kept, or lost",           injury.lose_wits,               goto="w10", see="EP1 209 Trauma Effects"),
    Run   ("w10", "A derangement",                   DERANGEMENT,                    goto="done", see="EP1 209"),
    End   ("done", "Wounds are counted"),
    source="EP1 207-209 Wounds, Trauma",
)
# fmt: on
