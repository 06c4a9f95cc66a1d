"""Eclipse Phase, 1st edition: the attack in eight steps, and the other actions of a moment. Read this first.

Numbers are the printed steps; letters are parts of a step in which play stops more than once or which has several
parts. The attack is EP1 191-192 with the pages 193-207 that its steps refer to. "end" boxes are results that the book
states in words. The Action Turn is in `turn.turn_chart`. Shared procedures have their own charts: `wounds_chart`
(step 8), `moxie_chart` (after each test), `care_chart` (minds, blasts, healing).
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
from machines.eclipse_phase.first.actions import actions
from machines.eclipse_phase.first.attack import attack, outcome, psi, special_attacks
from machines.eclipse_phase.first.harm import damage, shock
from machines.eclipse_phase.first.harm.wounds_chart import WOUNDS
from machines.eclipse_phase.first.success_tests import moxie
from machines.eclipse_phase.first.success_tests.moxie_chart import MOXIE
from machines.eclipse_phase.first.turn import movement

# fmt: off
ATTACK = Chart(
    "attack", "Resolving an attack",
    Do    ("1",  "Declare attack",                       attack.declare_attack,           goto="1b", see="EP1 191 Step 1, 194 Ammunition, 198 Firing Modes"),
    Ask   ("1b", "A blind attack?",                      attack.is_blind,                 yes="1c", no="2", see="EP1 195 Blind Attacks"),
    Do    ("1c", "Another sense",                        attack.prepare_perception,       goto="1d", see="EP1 195 Blind Attacks"),
    Roll  ("1d", "Perceive the target",                  ask=perceive_roll,          read=read_perceive,          goto="1e", see="EP1 195 Blind Attacks"),
    Run   ("1e", "Moxie after the roll",                 MOXIE,                           goto="1f", see="EP1 122"),
    Do    ("1f", "Found, or left to chance",             attack.find_target,              goto="2", see="EP1 195 Blind Attacks"),
    Ask   ("2",  "Can the target defend?",               can_defend,                      yes="2b", no="3", see="EP1 191 Step 2"),
    Choose("2b", "Declare defense",                      attack.offer_defense,            goto="2c", see="EP1 191 Step 2"),
    Do    ("2c", "Defense skill",                        chosen_defense,                  goto="2d", see="EP1 191 Step 2"),
    Ask   ("2d", "Can the attacker go on?",              can_still_attack,                yes="3", no="lost", see="EP1 189 Delayed Actions"),
    Do    ("3",  "Apply modifiers",                      outcome.apply_modifiers,         goto="4", see="EP1 192 Step 3, 193 Combat Modifiers"),
    Roll  ("4",  "Make the opposed test",                ask=opposed_rolls,         read=outcome.read_opposed, goto="4b", see="EP1 192 Step 4"),
    Run   ("4b", "Moxie after the roll",                 MOXIE,                           goto="5", see="EP1 122"),
    Do    ("5",  "Determine outcome",                    outcome.determine_outcome,       hit="5a", hit_critical="5o", miss="5h", see="EP1 192 Step 5"),
    Ask   ("5a", "Only the touch that a sleight needs?", outcome.was_a_touch,             yes="5b", no="5c", see="EP1 222 Psi Combat"),
    Do    ("5b", "Touched: mind against mind",           outcome.go_on_from_touch,        goto="2", see="EP1 222 Psi Combat"),
    Do    ("5c", "Excellent Success, critical success",  outcome.solid_hit,               plain="5d", open="5l", see="EP1 192 Step 5"),
    Do    ("5d", "A called shot, a hold?",               special_attacks.what_is_called,          hurts="5f", spot="5e", spares="5n", harmless="9",
           see="EP1 196 Called Shots, 202 Knockdown and Knockback, 204 Subdual"),
    Choose("5e", "What hitting that spot does",          special_attacks.offer_spot,              goto="5f", see="EP1 196 Called Shots"),
    Ask   ("5f", "A beam that can be kept on?",          special_attacks.can_keep_beam_on,        yes="5g", no="6", see="EP1 195 Concentrated Fire"),
    Choose("5g", "Fire again, or keep it on?",           special_attacks.offer_beam,              fire_again="6", keep_on="5k",
           see="EP1 195 Concentrated Fire"),
    Do    ("5h", "Missed; a critical defense?",          outcome.miss,                    critical="5i", plain="9", see="EP1 192 Step 5, 195 Sweeping Fire"),
    Choose("5i", "What the critical defense leads to",   outcome.offer_consequence,       goto="5j", see="EP1 192 Step 5"),
    Do    ("5j", "It happens",                           outcome.suffer_consequence,      goto="9", see="EP1 192 Step 5"),
    Do    ("5k", "The beam is kept on",                  special_attacks.keep_beam_on,            goto="6", see="EP1 195 Concentrated Fire"),
    Choose("5l", "What an open mind suffers",            psi.offer_breach,                goto="5m", see="EP1 222 Psi Combat"),
    Do    ("5m", "It happens",                           psi.breach,                      goto="5d", see="EP1 222 Psi Combat"),
    Choose("5n", "Hurt the held combatant, too?",        offer_mercy,                             hurt="5f", spare="9", see="EP1 204 Subdual"),
    Choose("5o", "What the critical defense leads to",   outcome.offer_consequence,       goto="5p", see="EP1 192 Step 5"),
    Do    ("5p", "It happens, and the attack hits",      outcome.suffer_consequence,      goto="5a", see="EP1 192 Step 5"),
    Do    ("6",  "Modify armor",                         damage.modify_armor,             goto="7",
           see="EP1 192 Step 6, 195 Armor Penetration, 225 Mental Armor"),
    Roll  ("7",  "Determine damage",                     ask=damage.damage_roll, read=read_damage,        goto="7b",
           see="EP1 192 Step 7, 193 Area Effect Weapons"),
    Ask   ("7b", "A shock weapon?",                      shock.is_shocking,               yes="7c", no="7g", see="EP1 204 Shock Attacks"),
    Do    ("7c", "Durability and energy armor",          shock.prepare_shock,             goto="7d", see="EP1 204 Shock Attacks"),
    Roll  ("7d", "Resist the shock",                     ask=shock.shock_roll, read=shock.read_shock, goto="7e", see="EP1 204 Shock Attacks"),
    Run   ("7e", "Moxie after the roll",                 MOXIE,                           goto="7f", see="EP1 122"),
    Do    ("7f", "Stunned, or shaken",                   shock.be_shocked,                goto="7g", see="EP1 204 Shock Attacks"),
    Do    ("7g", "What armor does not stop is taken",    damage.take_damage,              harmed="8", unharmed="8b",
           see="EP1 192 Step 7, 207 Durability and Health"),
    Run   ("8",  "Determine wounds",                     WOUNDS,                          goto="8b", see="EP1 192"),
    Ask   ("8b", "Hit so as to be disarmed?",            special_attacks.must_hold_weapon,        yes="8c", no="9", see="EP1 196 Called Shots"),
    Do    ("8c", "SOM x 3, -30",                         special_attacks.prepare_grip,            goto="8d", see="EP1 196 Called Shots"),
    Roll  ("8d", "Keep hold of the weapon",              ask=special_attacks.grip_roll, read=special_attacks.read_grip, goto="8e", see="EP1 196 Called Shots"),
    Run   ("8e", "Moxie after the roll",                 MOXIE,                           goto="8f", see="EP1 122"),
    Do    ("8f", "Held, or dropped",                     special_attacks.lose_weapon,             goto="9", see="EP1 196 Called Shots"),
    Do    ("9",  "Another target?",                      special_attacks.next_target,             aimed="2", caught="6", nobody="9b",
           see="EP1 202 Multiple Targets, 193 Area Effect Weapons"),
    Do    ("9b", "A blast that missed, a strain?",       special_attacks.aftermath,               scatters="9c", strains="9d", over="9g",
           see="EP1 204 Scatter, 222 Strain"),
    Roll  ("9c", "Scatter",                              ask=scatter_roll,                 read=special_attacks.read_scatter, goto="9g", see="EP1 204 Scatter"),
    Roll  ("9d", "Strain",                               ask=special_attacks.strain_roll, read=special_attacks.take_strain, harmed="9e", unharmed="9g",
           see="EP1 222 Strain, Morphs and Psi"),
    Run   ("9e", "Wounds of the strain",                 WOUNDS,                          goto="9g", see="EP1 222"),
    Do    ("9g", "How it ended",                         sum_up,                                  hit="hit", stopped="stopped", missed="missed",
           see="EP1 192 Resolving Combat"),
    End   ("missed",  "The attack misses",               outcome="miss"),
    End   ("stopped", "Armor stops it",                  outcome="hit without damage"),
    End   ("hit",     "The attack is resolved",          outcome="hit"),
    End   ("lost",    "The attacker cannot go on",       outcome="interrupted"),
    source="EP1 191-192 Resolving Combat",
)

QUICK = Chart(
    "quick", "A Quick Action",
    Do    ("quick", "A Quick Action",                    actions.act_quickly,              goto="done", see="EP1 189 Quick Actions"),
    End   ("done",  "Done"),
    source="EP1 189 Quick Actions",
)

COMPLEX = Chart(
    "complex", "Another Complex Action",
    Do    ("complex", "A Complex Action",                actions.act_at_length,            goto="done", see="EP1 189 Complex Actions, 209 Trauma Effects"),
    End   ("done",  "Done"),
    source="EP1 189 Complex Actions",
)

TASK = Chart(
    "task", "A Task Action",
    Do    ("task", "An Action Phase of it",              work_on,                          done="done", goes_on="on", see="EP1 189 Task Actions"),
    End   ("on",   "It goes on"),
    End   ("done", "It is done"),
    source="EP1 189 Task Actions",
)

FULL_DEFENSE = Chart(
    "full_defense", "Full defense",
    Do    ("defense", "Full defense",                    actions.defend_fully,             goto="done", see="EP1 198 Full Defense, 191 Step 2"),
    End   ("done",  "Done"),
    source="EP1 198 Full Defense",
)

AIM = Chart(
    "aim", "Aiming",
    Do    ("aim",   "Aim",                               take_aim,                         goto="done", see="EP1 190 Aiming, 193 Aimed Shots"),
    End   ("done",  "Done"),
    source="EP1 190 Aiming",
)

RELOAD = Chart(
    "reload", "Reloading",
    Do    ("reload", "A full magazine",                  actions.reload,                   goto="done", see="EP1 194 Ammunition and Reloading"),
    End   ("done",  "Done"),
    source="EP1 194 Ammunition and Reloading",
)

MOVE = Chart(
    "move", "Moving",
    Do    ("move",   "Walk, run or sprint",              movement.begin_move,             moved="done", sprints="sprint",
           see="EP1 190 Movement, 191 Sprinting"),
    Roll  ("sprint", "Sprint",                           ask=movement.sprint_roll, read=movement.read_sprint, goto="moxie",
           see="EP1 191 Sprinting, 198 Microgravity"),
    Run   ("moxie",  "Moxie after the roll",             MOXIE,                           goto="how far", see="EP1 122"),
    Do    ("how far", "How far",                         movement.sprint,                 goto="done", see="EP1 191 Sprinting"),
    End   ("done",  "Done"),
    source="EP1 190-191 Movement",
)

SUPPRESS = Chart(
    "suppress", "Suppressive fire",
    Do    ("suppress", "Fire over an area",              suppress,                         goto="done", see="EP1 204 Suppressive Fire"),
    End   ("done",  "Done"),
    source="EP1 204 Suppressive Fire",
)

BREAK_FREE = Chart(
    "break_free", "Breaking free",
    Do    ("1", "Against the hold",                      movement.prepare_struggle,       goto="2", see="EP1 204 Subdual"),
    Roll  ("2", "Opposed test",                          ask=struggle_rolls,          read=read_struggle,          goto="3", see="EP1 204 Subdual"),
    Run   ("3", "Moxie after the roll",                  MOXIE,                           goto="4", see="EP1 122"),
    Do    ("4", "Free, or held",                         movement.struggle,               free="free", held="held", see="EP1 204 Subdual"),
    End   ("free", "Free"),
    End   ("held", "Held"),
    source="EP1 204 Subdual",
)

DELAY = Chart(
    "delay", "Delaying",
    Do    ("delay", "Wait",                              wait,                             goto="done", see="EP1 189 Delayed Actions"),
    End   ("done",  "Waiting"),
    source="EP1 189 Delayed Actions",
)

BEFORE = Chart(
    "before", "Moxie before the roll",
    Do    ("moxie", "Modifiers are set aside",           moxie.ignore_modifiers,          goto="done", see="EP1 122 Moxie"),
    End   ("done", "The roll is still to come"),
    source="EP1 122 Moxie",
)
# fmt: on
