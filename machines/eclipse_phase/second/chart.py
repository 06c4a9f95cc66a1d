"""Eclipse Phase, second edition: the attack in nine steps, and the other actions of a moment. Read this first.

Numbers are the printed steps; letters are parts of a step in which play stops more than once or which has several
parts. The attack is EP2 12/01 with what its steps refer to. "end" boxes are results that the book states in words. The
Action Turn is in `turn.turn_chart`. Shared procedures have their own charts: `wounds_chart` (step 9), `pool_chart`
(after each test), `infection_chart` (after psi), `care_chart` (minds, blasts, healing).
"""

from machines.contract.chart import Ask, Chart, Choose, Do, End, Roll, Run
from machines.eclipse_phase.family.actions import suppress, take_aim, wait, work_on
from machines.eclipse_phase.family.attacks import (
    can_defend,
    can_still_attack,
    chosen_defense,
    offer_mercy,
    opposed_rolls,
    perceive_roll,
    read_perceive,
    read_struggle,
    scatter_roll,
    struggle_rolls,
    sum_up,
)
from machines.eclipse_phase.family.damage import read_damage
from machines.eclipse_phase.second.actions import actions
from machines.eclipse_phase.second.attack import attack, grappling, outcome, special_attacks
from machines.eclipse_phase.second.harm import damage
from machines.eclipse_phase.second.harm.effects_chart import EFFECTS
from machines.eclipse_phase.second.harm.infection_chart import INFECTION
from machines.eclipse_phase.second.harm.wounds_chart import WOUNDS
from machines.eclipse_phase.second.success_tests import pools
from machines.eclipse_phase.second.success_tests.pool_chart import POOL
from machines.eclipse_phase.second.turn import movement

# fmt: off
ATTACK = Chart(
    "attack", "Resolving combat",
    Do    ("1",  "Declare attack",                       attack.declare_attack,           goto="1b",
           see="EP2 12/01 Step 1, 12/04 Ammunition and Reloading, Firing Modes"),
    Ask   ("1b", "A blind attack?",                      attack.is_blind,                 yes="1c", no="2", see="EP2 12/15 Blind Attacks, 12/21 Conditions"),
    Do    ("1c", "Another sense",                        attack.prepare_perceive,         goto="1d", see="EP2 12/15 Blind Attacks"),
    Roll  ("1d", "Perceive the target",                  ask=perceive_roll,        read=read_perceive,        goto="1e", see="EP2 12/15 Blind Attacks"),
    Run   ("1e", "A pool after the roll",                POOL,                            goto="1f", see="EP2 03/05"),
    Do    ("1f", "Found, or left to chance",             attack.find_target,              found="2", lost="1g",
           see="EP2 12/15 Blind Attacks, 12/01 Combat Modifiers"),
    Roll  ("1g", "A chance of 50 %",                     ask=attack.chance_roll, read=attack.read_chance, goto="2", see="EP2 12/15 Blind Attacks"),
    Ask   ("2",  "Can the target defend?",               can_defend,                      yes="2b", no="3", see="EP2 12/01 Step 2"),
    Choose("2b", "Declare defense",                      attack.offer_defense,            goto="2c", see="EP2 12/01 Step 2"),
    Do    ("2c", "Defense skill",                        chosen_defense,                  goto="2d", see="EP2 12/01 Step 2"),
    Ask   ("2d", "Can the attacker go on?",              can_still_attack,                yes="3", no="lost", see="EP2 03/04 Delaying Actions"),
    Do    ("3",  "Apply modifiers",                      outcome.apply_modifiers,         goto="4", see="EP2 12/01 Step 3, Combat Modifiers"),
    Roll  ("4",  "Make opposed test",                    ask=opposed_rolls,         read=outcome.read_opposed, goto="4b",
           see="EP2 12/01 Step 4, 12/04 Suppressive Fire"),
    Run   ("4b", "A pool after the roll",                POOL,                            goto="5", see="EP2 03/05"),
    Do    ("5",  "Determine result",                     outcome.determine_result,        hit="5b", miss="5k",
           see="EP2 12/01 Step 5, 12/15 Area-effect Attacks"),
    Do    ("5b", "Superior successes, a critical",       outcome.solid_hit,
           plain="6", critical="5e", weigh="5c", meant="5d", short="9c", mercy="5j", see="EP2 12/01 Step 5, 12/15 Called Shots"),
    Choose("5c", "What the critical does",               outcome.offer_critical,          double="5e", called="5d", see="EP2 12/15 Called Shots, 12/01 Step 5"),
    Do    ("5d", "As it was called",                     special_attacks.do_as_called,
           hurts="6", further="5f", spot="5h", spares="9b", mercy="5j", see="EP2 12/15 Called Shots, 12/02 Grappling"),
    Do    ("5e", "The damage is doubled",                outcome.double_damage,           goto="6", see="EP2 12/01 Step 5"),
    Choose("5f", "A further superior success",           special_attacks.offer_further,           goto="5g", see="EP2 12/15 Called Shots"),
    Do    ("5g", "It is used",                           special_attacks.use_further,             hurts="6", spares="9b", see="EP2 12/15 Called Shots"),
    Choose("5h", "What hitting that spot does",          special_attacks.offer_spot,              goto="5i", see="EP2 12/15 Specific Target"),
    Do    ("5i", "It happens",                           special_attacks.suffer_spot,             goto="6", see="EP2 12/15 Specific Target"),
    Choose("5j", "Hurt the held combatant, too?",        offer_mercy,                             hurt="6", spare="9b", see="EP2 12/02 Grappling"),
    Do    ("5k", "Missed; a critical?",                  outcome.miss,                    critical="5l", near="5n", plain="9c",
           see="EP2 12/01 Step 5, 12/05 Sweeping Fire, 12/12 Fragile"),
    Choose("5l", "What the critical leads to",           outcome.offer_ruling,            goto="5m", see="EP2 12/01 Step 5, 03/01 Criticals"),
    Do    ("5m", "It happens",                           outcome.suffer_ruling,           near="5n", plain="9c", see="EP2 03/01 Criticals, 12/01 Step 5"),
    Roll  ("5n", "A round explodes beside the target",   ask=outcome.near_roll, read=outcome.read_near, goto="7", see="EP2 12/09 Proximity"),
    Do    ("6",  "What the damage is made of",           damage.gather_damage,            damage="6b", none="6c",
           see="EP2 12/01 Step 6, 12/02 Touch-only Attacks"),
    Roll  ("6b", "Roll damage",                          ask=damage.damage_roll, read=read_damage,        goto="6c",
           see="EP2 12/01 Step 6, 12/04 Range, 12/15 Area-effect Attacks, 12/16 Damage Value"),
    Run   ("6c", "What the weapon does beside",          EFFECTS,                         goto="7", see="EP2 12/12"),
    Do    ("7",  "Apply armor",                          damage.apply_armor,              goto="8",
           see="EP2 12/01 Step 7, 12/11 Armor Value, 12/12 Armor-Piercing, 12/15 Bypass Armor"),
    Do    ("8",  "Apply damage",                         damage.take_damage,              harmed="9", unharmed="9b",
           see="EP2 12/01 Step 8, 12/16 Damage Points, 12/26 Ranged Attacks, 18/05 Minimum Damage"),
    Run   ("9",  "Determine wounds",                     WOUNDS,                          goto="9b", see="EP2 12/01"),
    Run   ("9b", "What was called calls for",            EFFECTS,                         goto="9c", see="EP2 12/15"),
    Do    ("9c", "Another target?",                      special_attacks.next_target,             someone="2", nobody="9d",
           see="EP2 12/15 Area-effect Attacks, 12/02 Multiple Targets, 12/04 Firing Modes"),
    Do    ("9d", "A blast that missed, a sleight?",      special_attacks.aftermath,               scatters="9e", stirs="9f", over="9g",
           see="EP2 12/15 Scatter, 14/04 Infection Test"),
    Roll  ("9e", "Scatter",                              ask=scatter_roll,                 read=special_attacks.read_scatter, goto="9g",
           see="EP2 12/15 Scatter"),
    Run   ("9f", "What the sleight costs",               INFECTION,                       goto="9g", see="EP2 14/04"),
    Do    ("9g", "How it ended",                         sum_up,                                  hit="hit", stopped="stopped", missed="missed",
           see="EP2 12/01 Resolving Combat"),
    End   ("missed",  "The attack misses",               outcome="miss"),
    End   ("stopped", "Armor stops it",                  outcome="hit without damage"),
    End   ("hit",     "The attack is resolved",          outcome="hit"),
    End   ("lost",    "The attacker cannot go on",       outcome="interrupted"),
    source="EP2 12/01 Resolving Combat",
)

QUICK = Chart(
    "quick", "A Quick Action",
    Do    ("quick", "A Quick Action",                    actions.act_quickly,              goto="done", see="EP2 03/03 Quick Actions, 12/24 Standing Up"),
    End   ("done",  "Done"),
    source="EP2 03/03 Quick Actions",
)

COMPLEX = Chart(
    "complex", "Another Complex Action",
    Do    ("complex", "A Complex Action",                actions.act_at_length,            goto="done", see="EP2 03/03 Complex Actions, 12/18 Trauma Effects"),
    End   ("done",  "Done"),
    source="EP2 03/03 Complex Actions",
)

TASK = Chart(
    "task", "A Task Action",
    Do    ("task", "An Action Turn of it",               work_on,                          done="done", goes_on="on", see="EP2 03/03 Task Actions"),
    End   ("on",   "It goes on"),
    End   ("done", "It is done"),
    source="EP2 03/03 Task Actions",
)

FULL_DEFENSE = Chart(
    "full_defense", "Full defense",
    Do    ("defense", "Full defense",                    actions.defend_fully,             goto="done", see="EP2 12/21 Full Defense, 14/04 Psi Full Defense"),
    End   ("done",  "Done"),
    source="EP2 12/21 Full Defense",
)

AIM = Chart(
    "aim", "Aiming",
    Do    ("aim",   "Aim",                               take_aim,                         goto="done", see="EP2 12/04 Aiming"),
    End   ("done",  "Done"),
    source="EP2 12/04 Aiming",
)

RELOAD = Chart(
    "reload", "Reloading",
    Do    ("reload", "A full magazine",                  actions.reload,                   goto="done", see="EP2 12/04 Ammunition and Reloading"),
    End   ("done",  "Done"),
    source="EP2 12/04 Ammunition and Reloading",
)

MOVE = Chart(
    "move", "Moving",
    Do    ("move",  "Base move, full move or rush",      movement.begin_move,             moved="done", stumbles="feet", rushes="rush",
           see="EP2 12/24 Movement Actions"),
    Roll  ("rush",  "Rush",                              ask=movement.rush_roll, read=movement.read_rush, goto="pool", see="EP2 12/24 Rushing"),
    Run   ("pool",  "A pool after the roll",             POOL,                            goto="how far", see="EP2 03/05"),
    Do    ("how far", "How far",                         movement.rush,                   goto="done", see="EP2 12/24 Rushing"),
    Roll  ("feet",  "Running without seeing",            ask=movement.feet_roll, read=movement.read_feet, goto="feet2", see="EP2 12/21 Conditions"),
    Run   ("feet2", "A pool after the roll",             POOL,                            goto="feet3", see="EP2 03/05"),
    Do    ("feet3", "They keep their feet, or fall",     movement.trip,                   goto="done", see="EP2 12/21 Conditions"),
    End   ("done",  "Done"),
    source="EP2 12/24 Movement",
)

SUPPRESS = Chart(
    "suppress", "Suppressive fire",
    Do    ("suppress", "Fire over an area",              suppress,                         goto="done", see="EP2 12/04 Suppressive Fire"),
    End   ("done",  "Done"),
    source="EP2 12/04 Suppressive Fire",
)

HOLD = Chart(
    "hold", "Keeping hold",
    Do    ("1",  "The hold goes on",                     grappling.keep_hold,
           only="done", move="done", choke="2", knockdown="2", damage="3", see="EP2 12/02 Grappling"),
    Roll  ("2",  "To withstand it",                      ask=grappling.choke_roll, read=grappling.read_choke, goto="2b", see="EP2 12/02 Grappling"),
    Run   ("2b", "A pool after the roll",                POOL,                            goto="2c", see="EP2 03/05"),
    Do    ("2c", "They withstand, or give way",          grappling.give_way,              goto="done", see="EP2 12/02 Grappling"),
    Roll  ("3",  "Damage in the hold",                   ask=grappling.squeeze_roll, read=grappling.squeeze, harmed="3b", unharmed="done",
           see="EP2 12/02 Grappling, 12/01 Step 7, 12/21 Size"),
    Run   ("3b", "Wounds",                               WOUNDS,                          goto="done", see="EP2 12/16"),
    End   ("done", "Held"),
    source="EP2 12/02 Grappling",
)

BREAK_FREE = Chart(
    "break_free", "Breaking free",
    Do    ("1",  "Against the hold",                     grappling.prepare_struggle,      goto="2", see="EP2 12/02 Grappling, 12/12 Entangling, 12/06 Freezer"),
    Roll  ("2",  "Opposed test",                         ask=struggle_rolls,           read=read_struggle,           goto="3", see="EP2 12/02 Grappling"),
    Run   ("3",  "A pool after the roll",                POOL,                            goto="4", see="EP2 03/05"),
    Do    ("4",  "Free, or held",                        grappling.struggle,              free="free", held="held", turns="5", see="EP2 12/02 Grappling"),
    Choose("5",  "Turn the tables?",                     grappling.offer_turning,         free="free", grapple="6", see="EP2 12/02 Grappling"),
    Do    ("6",  "The holder is held",                   grappling.turn_tables,           goto="free", see="EP2 12/02 Grappling"),
    End   ("free", "Free"),
    End   ("held", "Held"),
    source="EP2 12/02 Grappling",
)

DELAY = Chart(
    "delay", "Delaying",
    Do    ("delay", "Wait",                              wait,                             goto="done", see="EP2 03/04 Delaying Actions"),
    End   ("done",  "Waiting"),
    source="EP2 03/04 Delaying Actions",
)

BEFORE = Chart(
    "before", "A pool before the roll",
    Do    ("pool", "The target changes",                 pools.before_roll,               goto="done", see="EP2 03/05 Using Pools"),
    End   ("done", "The roll is still to come"),
    source="EP2 03/05 Using Pools",
)
# fmt: on
