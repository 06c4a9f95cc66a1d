"""Chart of the cost of a psi sleight (strain and infection), which runs after every mental attack."""

from machines.contract.chart import Ask, Chart, Choose, Do, End, Roll, Run
from machines.eclipse_phase.second.harm import infection
from machines.eclipse_phase.second.harm.wounds_chart import WOUNDS

# fmt: off
INFECTION = Chart(
    "infection", "What a sleight costs",
    Ask   ("i1", "Can Moxie control it?",            infection.can_control,            yes="i1b", no="i2",
           see="EP2 03/05 Moxie, 14/04 Infection Test, Pushing Sleights"),
    Choose("i1b", "Control it by Moxie?",            infection.offer_control,          test="i2", control="i1c", negate="i1c",
           see="EP2 14/04 Infection Test, Pushing Sleights, 03/05 Moxie"),
    Do    ("i1c", "It is controlled",                infection.control,                goto="i2", see="EP2 14/04 Pushing Sleights, 03/05 Moxie"),
    Ask   ("i2", "A critical failure, or a push?",   infection.is_strain_due,          yes="i2b", no="i3",
           see="EP2 14/04 Opposed Tests, Pushing Sleights, 12/16 Wounds"),
    Roll  ("i2b", "Physical strain",                 ask=infection.strain_roll, read=infection.take_strain, harmed="i2c", unharmed="i2",
           see="EP2 14/04 Opposed Tests, Pushing Sleights, 12/16 Wounds"),
    Run   ("i2c", "Wounds of the strain",            WOUNDS,                           goto="i2", see="EP2 14/04"),
    Do    ("i3", "The Infection Rating rises",       infection.raise_rating,           quiet="done", test="i4",
           see="EP2 14/04 Infection Modifiers, Pushing Sleights"),
    Do    ("i4", "Infection Test",                   infection.prepare_test,           goto="i4b", see="EP2 14/04 Infection Test"),
    Roll  ("i4b", "Does it take hold?",              ask=infection.infection_roll, read=infection.read_infection,
           takes_hold="i5", chosen="i6", quiet="done", see="EP2 14/04 Infection Test"),
    Roll  ("i5", "Which influence?",                 ask=infection.influence_roll, read=infection.read_influence, goto="i6",
           see="EP2 14/04 The Infection's Influence, Infection Test"),
    Choose("i6", "What it does",                     infection.offer_influence,        urge="i7", damage="i8",
           see="EP2 14/05 Influence Effects, 14/04 The Infection's Influence"),
    Do    ("i7", "It has its way",                   infection.be_influenced,          goto="done",
           see="EP2 14/04 The Infection's Influence, Easing the Infection"),
    Roll  ("i8", "Hemorrhage",                       ask=infection.influence_damage_roll, read=infection.bleed_inside,
           harmed="i8b", unharmed="done", see="EP2 14/04 The Infection's Influence"),
    Run   ("i8b", "Its wounds",                      WOUNDS,                           goto="done", see="EP2 14/04"),
    End   ("done", "The sleight is paid for"),
    source="EP2 14/04 Using Psi",
)
# fmt: on
