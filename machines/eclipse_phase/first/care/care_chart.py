"""Charts outside the attack: stress, blasts, and how bodies, shells and minds heal.

The book prints these procedures as prose; the boxes follow its order.
"""

from machines.contract.chart import Ask, Chart, Do, End, Roll, Run
from machines.eclipse_phase.family.care import care_roll, healing_roll, pass_the_time, read_care, rest_roll, restore
from machines.eclipse_phase.family.damage import blast_roll, can_wound, take_blast
from machines.eclipse_phase.family.harm import read_willpower, take_stress, willpower_roll
from machines.eclipse_phase.first.care import healing, resting, therapy
from machines.eclipse_phase.first.harm import explosion, stress
from machines.eclipse_phase.first.harm.wounds_chart import WOUNDS
from machines.eclipse_phase.first.success_tests.moxie_chart import MOXIE

# fmt: off
STRESS = Chart(
    "stress", "Stress tests",
    Ask   ("1",  "Hardened to it?",                 stress.is_hardened,               yes="hardened", no="2",
           see="EP1 214 Hardening"),
    Do    ("2",  "WIL x 3",                         stress.prepare_willpower,         goto="3", see="EP1 214 Willpower Stress Tests"),
    Roll  ("3",  "Willpower Test",                  ask=willpower_roll,        read=read_willpower,        goto="3b",
           see="EP1 214 Willpower Stress Tests"),
    Run   ("3b", "Moxie after the roll",            MOXIE,                          goto="4", see="EP1 122"),
    Ask   ("4",  "Do they cope?",                   stress.copes,                     yes="5", no="6", see="EP1 214 Willpower Stress Tests"),
    Do    ("5",  "It is taken note of",             stress.count_exposure,            goto="5b", see="EP1 214 Hardening"),
    Ask   ("5b", "Five times?",                     stress.is_enough,                 yes="5c", no="resisted",
           see="EP1 214 Hardening"),
    Do    ("5c", "Hardened",                        stress.harden,                    goto="resisted", see="EP1 214 Hardening"),
    Roll  ("6",  "Stress Value",                    ask=stress.stress_roll, read=stress.read_stress, goto="7",
           see="EP1 215 Stressful Experiences, 209 Stress Value"),
    Do    ("7",  "Stress is taken",                 take_stress,                      harmed="8", unharmed="stressed",
           see="EP1 209 Stress Points, Lucidity and Stress"),
    Run   ("8",  "Traumas",                         WOUNDS,                         goto="stressed", see="EP1 209"),
    End   ("hardened", "It has no effect any more"),
    End   ("resisted", "Shaken, but unaffected"),
    End   ("stressed", "Stress is taken"),
    source="EP1 209-215 Mental Health",
)

EXPLOSION = Chart(
    "explosion", "Harm without an attacker",
    Roll  ("1",  "Damage",                          ask=blast_roll,           read=explosion.read_blast, goto="2",
           see="EP1 193 Area Effect Weapons, 197 Falling Damage, 207 Damage Value"),
    Do    ("2",  "Who is caught?",                  explosion.next_caught,          someone="3", nobody="done",
           see="EP1 193 Area Effect Weapons"),
    Do    ("3",  "Modify armor",                    explosion.modify_armor,         goto="4", see="EP1 192 Step 6, 195 Armor Penetration, 197 Falling Damage"),
    Do    ("4",  "How far from the center?",        explosion.lose_force,           goto="5", see="EP1 193 Area Effect Weapons"),
    Do    ("5",  "What armor does not stop",        take_blast,                     harmed="6", unharmed="2",
           see="EP1 192 Step 7, 207 Durability and Health"),
    Ask   ("6",  "Can it wound?",                   can_wound,                      yes="7", no="2", see="EP1 192 Step 8, 207 Wounds"),
    Run   ("7",  "Wounds",                          WOUNDS,                         goto="2", see="EP1 207"),
    End   ("done", "All have taken theirs"),
    source="EP1 193 Area Effect Weapons",
)

FIRST_AID = Chart(
    "first_aid", "Medical care",
    Do    ("1",  "Medicine",                        healing.prepare_care,           goto="2", see="EP1 208 Medical Care"),
    Roll  ("2",  "Medicine Test",                   ask=care_roll,         read=read_care,         goto="2b",
           see="EP1 208 Healing and Repair"),
    Run   ("2b", "Moxie after the roll",            MOXIE,                          goto="3", see="EP1 122"),
    Ask   ("3",  "Does it help?",                   healing.helps,                  yes="4", no="6", see="EP1 208 Healing and Repair"),
    Roll  ("4",  "How much?",                       ask=healing_roll,         read=healing.read_healing, goto="5",
           see="EP1 208 Medical Care, Surgery"),
    Do    ("5",  "Damage and a wound are healed",   healing.heal,                   goto="5b", see="EP1 208 Medical Care, Surgery, 207 Bleeding"),
    Do    ("5b", "This injury is treated",          healing.remember,               goto="helped", see="EP1 208 Medical Care"),
    Do    ("6",  "This injury is treated",          healing.remember,               goto="in vain", see="EP1 208 Medical Care"),
    End   ("helped",  "It helped"),
    End   ("in vain", "It was in vain"),
    source="EP1 208 Medical Care",
)

SURGERY = Chart(
    "surgery", "Surgery",
    Do    ("1",  "Medicine",                        healing.prepare_surgery,        goto="2", see="EP1 208 Surgery"),
    Roll  ("2",  "Medicine Test",                   ask=care_roll,         read=read_care,         goto="2b",
           see="EP1 208 Healing and Repair"),
    Run   ("2b", "Moxie after the roll",            MOXIE,                          goto="3", see="EP1 122"),
    Ask   ("3",  "Does it help?",                   healing.helps,                  yes="4", no="6", see="EP1 208 Healing and Repair"),
    Roll  ("4",  "How much?",                       ask=healing_roll,         read=healing.read_healing, goto="5",
           see="EP1 208 Medical Care, Surgery"),
    Do    ("5",  "Damage and a wound are healed",   healing.heal,                   goto="5b", see="EP1 208 Medical Care, Surgery, 207 Bleeding"),
    Do    ("5b", "Hours pass",                      healing.work,                   goto="helped", see="EP1 120 Task Actions"),
    Do    ("6",  "Hours pass",                      healing.work,                   goto="in vain", see="EP1 120 Task Actions"),
    End   ("helped",  "It helped"),
    End   ("in vain", "It was in vain"),
    source="EP1 208 Surgery",
)

REPAIR = Chart(
    "repair", "Physical repairs",
    Do    ("1",  "Hardware, and how long",          healing.prepare_repair,         goto="2", see="EP1 208 Physical Repairs"),
    Roll  ("2",  "Hardware Test",                   ask=care_roll,         read=read_care,         goto="2b",
           see="EP1 208 Healing and Repair"),
    Run   ("2b", "Moxie after the roll",            MOXIE,                          goto="3", see="EP1 122"),
    Ask   ("3",  "Does it work?",                   healing.helps,                  yes="4", no="5", see="EP1 208 Healing and Repair"),
    Do    ("4",  "Damage and wounds are repaired",  restore,                        goto="4b", see="EP1 208 Physical Repairs"),
    Do    ("4b", "Hours pass",                      healing.work,                   goto="helped", see="EP1 120 Task Actions"),
    Do    ("5",  "Hours pass",                      healing.work,                   goto="in vain", see="EP1 120 Task Actions"),
    End   ("helped",  "It is whole again"),
    End   ("in vain", "It was in vain"),
    source="EP1 208 Physical Repairs",
)

REST = Chart(
    "rest", "Natural healing",
    Do    ("1",  "How fast?",                       resting.find_rate,              goto="2", see="EP1 208 Healing"),
    Roll  ("2",  "How much?",                       ask=rest_roll,         read=resting.read_rest, goto="3",
           see="EP1 208 Healing, Natural Healing"),
    Do    ("3",  "Damage is healed",                resting.heal_in_time,           goto="4", see="EP1 208 Natural Healing, 207 Durability and Health"),
    Ask   ("4",  "Is there time for wounds?",       resting.is_time_for_wounds,     yes="5", no="6", see="EP1 208 Natural Healing"),
    Do    ("5",  "Wounds are healed",               resting.mend_in_time,           goto="6", see="EP1 208 Natural Healing"),
    Do    ("6",  "The hours pass",                  pass_the_time,                  goto="rested", see="EP1 208 Natural Healing"),
    End   ("rested", "Rested"),
    source="EP1 208 Natural Healing",
)

THERAPY = Chart(
    "therapy", "Psychotherapy",
    Do    ("1",  "What ails them?",                 therapy.find_ailment,           goto="2", see="EP1 214 Psychotherapy Care"),
    Do    ("2",  "The therapist's skill",           therapy.prepare_therapy,        goto="3", see="EP1 214 Psychotherapy Care"),
    Roll  ("3",  "Was the session successful?",     ask=therapy.therapy_roll, read=read_care,         goto="3b",
           see="EP1 214 Psychotherapy Care, 208 Healing and Repair"),
    Run   ("3b", "Moxie after the roll",            MOXIE,                          goto="4", see="EP1 122"),
    Ask   ("4",  "Does it help?",                   healing.helps,                  yes="5", no="7", see="EP1 214 Psychotherapy Care, 208 Healing and Repair"),
    Ask   ("5",  "With what?",                      therapy.what_ails,
           stress="5b", trauma="5c", disorder="5d", see="EP1 214 Psychotherapy Care"),
    Do    ("5b", "All stress is healed",            therapy.ease_stress,            goto="6", see="EP1 214 Psychotherapy Care"),
    Do    ("5c", "A trauma is healed",              therapy.heal_trauma,            goto="6", see="EP1 214 Psychotherapy Care"),
    Do    ("5d", "A disorder is healed",            therapy.heal_disorder,          goto="6", see="EP1 214 Psychotherapy Care"),
    Do    ("6",  "Hours pass",                      healing.work,                   goto="helped", see="EP1 120 Task Actions"),
    Do    ("7",  "Hours pass",                      healing.work,                   goto="in vain", see="EP1 120 Task Actions"),
    End   ("helped",  "It helped"),
    End   ("in vain", "It was in vain"),
    source="EP1 214 Psychotherapy Care",
)

REFLECT = Chart(
    "reflect", "A month without new stress",
    Do    ("1",  "WIL x 3",                         therapy.prepare_reflection,     goto="2", see="EP1 215 Natural Healing"),
    Roll  ("2",  "Is it got over?",                 ask=therapy.reflection_roll, read=read_care,         goto="2b",
           see="EP1 215 Natural Healing, 208 Healing and Repair"),
    Run   ("2b", "Moxie after the roll",            MOXIE,                          goto="3", see="EP1 122"),
    Ask   ("3",  "Does it help?",                   healing.helps,                  yes="4", no="7", see="EP1 215 Natural Healing, 208 Healing and Repair"),
    Ask   ("4",  "With what?",                      therapy.what_heals,             stress="5", trauma="5c", disorder="5d",
           see="EP1 215 Natural Healing"),
    Roll  ("5",  "How much?",                       ask=therapy.relief_roll, read=therapy.read_relief, goto="5b",
           see="EP1 215 Natural Healing"),
    Do    ("5b", "Stress is healed",                therapy.get_over_stress,        goto="6", see="EP1 215 Natural Healing"),
    Do    ("5c", "A trauma is healed",              therapy.get_over_trauma,        goto="6", see="EP1 215 Natural Healing"),
    Do    ("5d", "A disorder is healed",            therapy.get_over_disorder,      goto="6", see="EP1 215 Natural Healing"),
    Do    ("6",  "The month passes",                therapy.pass_a_month,           goto="helped", see="EP1 215 Natural Healing"),
    Do    ("7",  "The month passes",                therapy.pass_a_month,           goto="in vain", see="EP1 215 Natural Healing"),
    End   ("helped",  "It is better"),
    End   ("in vain", "It is no better"),
    source="EP1 215 Natural Healing",
)
# fmt: on
