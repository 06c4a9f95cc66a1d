"""Charts outside the attack: stress, blasts, healing, and pools.

The book prints these procedures as prose; the boxes follow its order.
"""

from machines.contract.chart import Ask, Chart, Do, End, Roll, Run
from machines.eclipse_phase.family.care import care_roll, healing_roll, pass_the_time, read_care, rest_roll, restore
from machines.eclipse_phase.family.damage import blast_roll, can_wound, take_blast
from machines.eclipse_phase.family.harm import read_willpower, take_stress, willpower_roll
from machines.eclipse_phase.second.care import healing, resting, waking
from machines.eclipse_phase.second.harm import explosion, stress
from machines.eclipse_phase.second.harm.effects_chart import EFFECTS
from machines.eclipse_phase.second.harm.wounds_chart import WOUNDS
from machines.eclipse_phase.second.success_tests import recharging
from machines.eclipse_phase.second.success_tests.pool_chart import POOL

# fmt: off
STRESS = Chart(
    "stress", "Stress tests",
    Ask   ("1",  "Hardened to it?",                 stress.is_hardened,             yes="hardened", no="2", see="EP2 12/23 Hardening, 12/18 Stress Categories"),
    Do    ("2",  "A WIL Check",                     stress.prepare_willpower,       goto="3", see="EP2 12/23 Willpower Stress Tests"),
    Roll  ("3",  "Willpower",                       ask=willpower_roll,        read=read_willpower,        goto="3b", see="EP2 12/23 Willpower Stress Tests"),
    Run   ("3b", "A pool after the roll",           POOL,                           goto="4", see="EP2 03/05"),
    Ask   ("4",  "Do they cope?",                   stress.copes,                   shaken="5", even_so="5", copes="resisted", see="EP2 12/18 Stress Value"),
    Roll  ("5",  "Stress Value",                    ask=stress.stress_roll, read=stress.read_stress, goto="6",
           see="EP2 12/23 Stressful Experiences, 12/18 Stress Value"),
    Do    ("6",  "Stress is taken",                 take_stress,                    harmed="7", unharmed="stressed",
           see="EP2 12/18 Stress Points, Lucidity and Stress"),
    Run   ("7",  "Traumas",                         WOUNDS,                         goto="8", see="EP2 12/18"),
    Do    ("8",  "One gets used to it",             stress.count_trauma,            goto="stressed", see="EP2 12/23 Hardening"),
    End   ("hardened", "It has no effect any more"),
    End   ("resisted", "Shaken, but unaffected"),
    End   ("stressed", "Stress is taken"),
    source="EP2 12/18 Mental Health, 12/23 Stressful Situations",
)

EXPLOSION = Chart(
    "explosion", "Harm without an attacker",
    Roll  ("1",  "Damage",                          ask=blast_roll,           read=explosion.read_blast, goto="2",
           see="EP2 12/15 Area-effect Attacks, 12/28 Falling, 12/16 Damage Value"),
    Do    ("2",  "Who is caught?",                  explosion.next_caught,          someone="2b", nobody="done", see="EP2 12/15 Area-effect Attacks"),
    Ask   ("2b", "A blast that can be dodged?",     explosion.can_dodge,            yes="2c", no="3", see="EP2 12/15 Area-effect Attacks, Scatter"),
    Do    ("2c", "Half of Fray",                    explosion.prepare_dodge,        goto="2d", see="EP2 12/15 Area-effect Attacks, 12/01 Step 2"),
    Roll  ("2d", "Dodge it",                        ask=explosion.dodge_roll, read=explosion.read_dodge, goto="2e", see="EP2 12/15 Area-effect Attacks"),
    Run   ("2e", "A pool after the roll",           POOL,                           goto="3", see="EP2 03/05"),
    Do    ("3",  "How far from the center?",        explosion.lose_force,           effects="4", plain="5", clear="2",
           see="EP2 12/15 Area-effect Attacks, Centered Blast, Uniform Blast"),
    Run   ("4",  "What it does beside",             EFFECTS,                        goto="5", see="EP2 12/12"),
    Do    ("5",  "Apply armor",                     explosion.apply_armor,          goto="6", see="EP2 12/01 Step 7, 12/12 Armor-Piercing, 12/28 Falling"),
    Do    ("6",  "What armor does not stop",        take_blast,                     harmed="7", unharmed="2", see="EP2 12/01 Step 8"),
    Ask   ("7",  "Can it wound?",                   can_wound,                      yes="8", no="2", see="EP2 12/01 Step 9, 12/28 Asphyxiation"),
    Run   ("8",  "Wounds",                          WOUNDS,                         goto="2", see="EP2 12/16"),
    End   ("done", "All have taken theirs"),
    source="EP2 12/15 Area-effect Attacks, 12/28 Environmental Factors",
)

FIRST_AID = Chart(
    "first_aid", "First aid",
    Do    ("1",  "Medicine, and how long",          healing.prepare_aid,            goto="2", see="EP2 12/17 First Aid"),
    Roll  ("2",  "Medicine Test",                   ask=care_roll,         read=read_care,         goto="2b", see="EP2 12/17 Healing and Repair"),
    Run   ("2b", "A pool after the roll",           POOL,                           goto="3", see="EP2 03/05"),
    Ask   ("3",  "Does it help?",                   healing.helps,                  helps="4", fails="6", harms="5", see="EP2 12/17 First Aid"),
    Roll  ("4",  "Damage and a wound are healed",   ask=healing_roll,         read=healing.heal, goto="4b", see="EP2 12/17 First Aid"),
    Do    ("4b", "The time passes",                 healing.work_in_full,           goto="helped",
           see="EP2 03/03 Task Actions, 12/17 First Aid, 03/01 Superior Results"),
    Roll  ("5",  "It does harm",                    ask=healing.harm_roll, read=healing.do_harm, harmed="5b", unharmed="6", see="EP2 12/17 First Aid"),
    Run   ("5b", "Wounds",                          WOUNDS,                         goto="6", see="EP2 12/16"),
    Do    ("6",  "The time passes",                 healing.work,                   goto="in vain", see="EP2 03/03 Task Actions, 03/01 Superior Results"),
    End   ("helped",  "It helped"),
    End   ("in vain", "It was in vain"),
    source="EP2 12/17 First Aid",
)

STABILIZE = Chart(
    "stabilize", "Stopping the blood",
    Do    ("1",  "Medicine, wounds counted",        healing.prepare_stopping,       goto="2", see="EP2 12/16 Bleeding Out"),
    Roll  ("2",  "Medicine Test",                   ask=care_roll,         read=read_care,         goto="2b",
           see="EP2 12/16 Bleeding Out, 12/17 Healing and Repair"),
    Run   ("2b", "A pool after the roll",           POOL,                           goto="3", see="EP2 03/05"),
    Ask   ("3",  "Does it help?",                   healing.helps,                  helps="4", fails="5", harms="5",
           see="EP2 12/16 Bleeding Out, 12/17 First Aid"),
    Do    ("4",  "The blood is stopped",            healing.stanch,                 goto="4b", see="EP2 12/16 Bleeding Out"),
    Do    ("4b", "It takes an action",              healing.work_fast,              goto="helped", see="EP2 03/03 Task Actions, 12/16 Bleeding Out"),
    Do    ("5",  "It takes an action",              healing.work_fast,              goto="in vain", see="EP2 03/03 Task Actions, 12/16 Bleeding Out"),
    End   ("helped",  "It helped"),
    End   ("in vain", "It was in vain"),
    source="EP2 12/16 Bleeding Out",
)

WAKE = Chart(
    "wake", "Waking a combatant",
    Do    ("1",  "Shaken, or given a stimulant",    waking.try_to_wake,             check="2", wakes="4", see="EP2 12/21 Conditions"),
    Roll  ("2",  "An INT Check, -30",               ask=waking.waking_roll, read=waking.read_waking, goto="2b", see="EP2 12/21 Conditions"),
    Run   ("2b", "A pool after the roll",           POOL,                           goto="3", see="EP2 03/05"),
    Ask   ("3",  "Do they wake?",                   waking.wakes,                   yes="4", no="in vain", see="EP2 12/21 Conditions"),
    Do    ("4",  "They come to",                    waking.wake,                    goto="helped", see="EP2 12/21 Conditions"),
    End   ("helped",  "They are awake"),
    End   ("in vain", "It was in vain"),
    source="EP2 12/21 Conditions",
)

SURGERY = Chart(
    "surgery", "Surgery",
    Do    ("1",  "Medicine",                        healing.prepare_surgery,        goto="2", see="EP2 12/17 Critical Care"),
    Roll  ("2",  "Medicine Test",                   ask=care_roll,         read=read_care,         goto="2b", see="EP2 12/17 Healing and Repair"),
    Run   ("2b", "A pool after the roll",           POOL,                           goto="3", see="EP2 03/05"),
    Ask   ("3",  "Does it help?",                   healing.helps,                  helps="4", fails="5", harms="5", see="EP2 12/17 First Aid"),
    Do    ("4",  "What kept it from healing",       healing.operate,                goto="4b", see="EP2 12/17 Critical Care"),
    Do    ("4b", "The time passes",                 healing.work,                   goto="helped", see="EP2 03/03 Task Actions, 03/01 Superior Results"),
    Do    ("5",  "The time passes",                 healing.work,                   goto="in vain", see="EP2 03/03 Task Actions, 03/01 Superior Results"),
    End   ("helped",  "It helped"),
    End   ("in vain", "It was in vain"),
    source="EP2 12/17 Critical Care",
)

REPAIR = Chart(
    "repair", "Physical repair",
    Do    ("1",  "Hardware, and how long",          healing.prepare_repair,         goto="2", see="EP2 12/17 Physical Repair"),
    Roll  ("2",  "Hardware Test",                   ask=care_roll,         read=read_care,         goto="2b", see="EP2 12/17 Healing and Repair"),
    Run   ("2b", "A pool after the roll",           POOL,                           goto="3", see="EP2 03/05"),
    Ask   ("3",  "Does it work?",                   healing.helps,                  helps="4", fails="5", harms="5", see="EP2 12/17 First Aid"),
    Do    ("4",  "It is whole again",               restore,                        goto="4b", see="EP2 12/17 Physical Repair"),
    Do    ("4b", "The time passes",                 healing.work,                   goto="helped", see="EP2 03/03 Task Actions, 03/01 Superior Results"),
    Do    ("5",  "The time passes",                 healing.work,                   goto="in vain", see="EP2 03/03 Task Actions, 03/01 Superior Results"),
    End   ("helped",  "It is whole again"),
    End   ("in vain", "It was in vain"),
    source="EP2 12/17 Physical Repair",
)

REST = Chart(
    "rest", "Recovery",
    Do    ("1",  "How fast?",                       resting.find_rates,             goto="2", see="EP2 12/17 Recovery"),
    Roll  ("2",  "Damage, then wounds, are healed", ask=rest_roll,         read=resting.heal_in_time, goto="3", see="EP2 12/17 Recovery"),
    Do    ("3",  "The hours pass",                  pass_the_time,                  goto="rested", see="EP2 12/17 Recovery"),
    End   ("rested", "Rested"),
    source="EP2 12/17 Recovery",
)

RECHARGE = Chart(
    "recharge", "Recharging pools",
    Ask   ("1",  "A long one?",                     recharging.is_long,             yes="3", no="2", see="EP2 03/05 Recharging Pools"),
    Roll  ("2",  "A short recharge",                ask=recharging.recharge_roll, read=recharging.recharge_short, goto="done",
           see="EP2 03/05 Recharging Pools, 14/04 Easing the Infection"),
    Do    ("3",  "A long recharge",                 recharging.recharge_long,       goto="done", see="EP2 03/05 Recharging Pools, 14/04 Easing the Infection"),
    End   ("done", "Recharged"),
    source="EP2 03/05 Recharging Pools",
)

ONGOING = Chart(
    "ongoing", "A pool for all skills of an aptitude",
    Do    ("1",  "The points are spent",            recharging.boost,               goto="done", see="EP2 03/05 Using Pools"),
    End   ("done", "Until the next recharge"),
    source="EP2 03/05 Using Pools",
)

IGNORE = Chart(
    "ignore", "A wound or trauma ignored",
    Do    ("1",  "The point is spent",              recharging.ignore,              goto="done", see="EP2 03/05 Moxie, Vigor"),
    End   ("done", "Until the next recharge"),
    source="EP2 03/05 Moxie, Vigor",
)
# fmt: on
