"""Step 9 for all harm: wounds or traumas, and their immediate consequences."""

from machines.contract.chart import Ask, Chart, Choose, Do, End, Roll, Run
from machines.eclipse_phase.family.harm import fall, read_wounds, wound_rolls
from machines.eclipse_phase.second.harm import bleeding, injury, trauma
from machines.eclipse_phase.second.success_tests.pool_chart import POOL

# fmt: off
WOUNDS = Chart(
    "wounds", "Wounds and traumas",
    Do    ("w1", "Determine wounds",                   injury.determine_wounds,       wounds="w2", traumas="w10", unwounded="w6",
           see="EP2 12/01 Step 9, 12/16 Wounds, 12/18 Trauma"),
    Do    ("w2", "A SOM Check, wounds counted",        injury.prepare_wound_checks,   goto="w3", see="EP2 12/16 Wound Effects"),
    Roll  ("w3", "Knockdown, or consciousness",        ask=wound_rolls,        read=read_wounds,              goto="w4",
           see="EP2 12/16 Wound Effects"),
    Run   ("w4", "A pool after the roll",              POOL,                          goto="w5", see="EP2 03/05"),
    Do    ("w5", "They stand, or fall",                fall,                          goto="w6", see="EP2 12/16 Wound Effects"),
    Ask   ("w6", "Wounded, and at Durability?",        bleeding.may_bleed_out,          yes="w6b", no="w14", see="EP2 12/16 Bleeding Out"),
    Ask   ("w6b", "Medichines?",                       bleeding.is_stabilized,          yes="w9", no="w7", see="EP2 12/16 Bleeding Out"),
    Do    ("w7", "A SOM Check to stop bleeding",       bleeding.prepare_stabilizing,    goto="w7b", see="EP2 12/16 Bleeding Out"),
    Roll  ("w7b", "Does it stop?",                     ask=bleeding.stabilizing_roll, read=bleeding.read_stabilizing, goto="w7c",
           see="EP2 12/16 Bleeding Out"),
    Run   ("w7c", "A pool after the roll",             POOL,                          goto="w8", see="EP2 03/05"),
    Ask   ("w8", "Stable?",                            bleeding.stops_bleeding,         yes="w9", no="w8b", see="EP2 12/16 Bleeding Out"),
    Do    ("w8b", "Bleeding out",                      bleeding.bleed,                  goto="done", see="EP2 12/16 Bleeding Out"),
    Do    ("w9", "Stable",                             bleeding.be_stable,              goto="done", see="EP2 12/16 Bleeding Out"),
    Do    ("w10", "A WIL Check, traumas counted",      trauma.prepare_wits,           goto="w10b", see="EP2 12/18 Trauma Effects"),
    Roll  ("w10b", "Disorientation",                   ask=trauma.wits_roll, read=trauma.read_wits, goto="w10c", see="EP2 12/18 Trauma Effects"),
    Run   ("w10c", "A pool after the roll",            POOL,                          goto="w11", see="EP2 03/05"),
    Do    ("w11", "Wits are kept, or lost",            trauma.lose_wits,              kept="w14", acute="w12", see="EP2 12/18 Trauma Effects"),
    Choose("w12", "Acute stress",                      trauma.offer_response,         roll="w12b", fight="w13", flight="w13",
           detachment="w13", see="EP2 12/18 Acute Stress Responses"),
    Roll  ("w12b", "Fight, flight, detachment",        ask=trauma.response_roll, read=trauma.respond, goto="w14", see="EP2 12/18 Acute Stress Responses"),
    Do    ("w13", "What the mind does",                trauma.respond,                goto="w14", see="EP2 12/18 Acute Stress Responses"),
    Ask   ("w14", "Has stress reached Lucidity?",      trauma.is_broken,              yes="w14b", no="done", see="EP2 12/18 Lucidity and Stress"),
    Roll  ("w14b", "How long is the breakdown?",       ask=trauma.breakdown_roll, read=trauma.break_down, goto="done",
           see="EP2 12/18 Lucidity and Stress"),
    End   ("done", "Wounds are counted"),
    source="EP2 12/16 Wounds, 12/18 Trauma",
)
# fmt: on
