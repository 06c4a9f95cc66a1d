"""Eclipse Phase, 1st edition: the attack of eight steps, and the Action Turn around it. Read this first.

Numbers are the printed steps'; letters are halves of one step, where the table stops twice or a step names several things in a row.
The attack is EP1 191-192 with what its step 8 refers to on 204 (shock) and 207 (wounds); the Action Turn is EP1 188-189. Every exit
by a number is printed; "end" boxes stand for "misses completely", "fails to injure" and the end of step 8, which the page says in words.
"""

from machines.chart import Ask, Chart, Choose, Do, End, Roll, Run
from machines.eclipse_phase_1e import attack, damage, turn, wounds

# fmt: off
ATTACK = Chart(
    "attack", "Resolving an attack",
    Do    ("1",  "Declare attack",                       attack.declare_attack,           goto="2", see="EP1 191"),
    Ask   ("2",  "Can the target defend?",               attack.can_defend,               yes="2b", no="3", see="EP1 191"),
    Choose("2b", "Declare defense",                      attack.offer_defense,            goto="2c", see="EP1 191"),
    Do    ("2c", "Defense skill",                        attack.chosen_defense,           goto="3", see="EP1 191"),
    Do    ("3",  "Apply modifiers",                      attack.apply_modifiers,          goto="4", see="EP1 192"),
    Roll  ("4",  "Make the opposed test",                ask=attack.opposed_rolls, read=attack.read_opposed, goto="5",
           see="EP1 192"),
    Do    ("5",  "Determine outcome",                    attack.determine_outcome,        hit="5b", miss="5c", see="EP1 192"),
    Do    ("5b", "Excellent Success, critical success",  attack.solid_hit,                goto="6", see="EP1 192"),
    Ask   ("5c", "Critical defense?",                    attack.defender_scored_critical, yes="5d", no="missed", see="EP1 192"),
    Choose("5d", "What the critical defense leads to",   attack.offer_consequence,        goto="5e", see="EP1 192"),
    Do    ("5e", "It happens",                           attack.suffer_consequence,       goto="missed", see="EP1 192"),
    Do    ("6",  "Modify armor",                         damage.modify_armor,             goto="7", see="EP1 192"),
    Roll  ("7",  "Determine damage",                     ask=damage.damage_roll, read=damage.read_damage, goto="7b",
           see="EP1 192"),
    Ask   ("7b", "A shock weapon?",                      damage.is_shocking,              yes="7c", no="7e", see="EP1 204"),
    Do    ("7c", "Durability and energy armor",          damage.prepare_shock,            goto="7d", see="EP1 204"),
    Roll  ("7d", "Resist the shock",                     ask=damage.shock_roll, read=damage.read_shock, goto="7e",
           see="EP1 204"),
    Do    ("7e", "What armor does not stop is taken",    damage.take_damage,              harmed="8", unharmed="stopped",
           see="EP1 192"),
    Do    ("8",  "Determine wounds",                     wounds.determine_wounds,         wounded="8b", unwounded="hit",
           see="EP1 192"),
    Do    ("8b", "SOM x 3, wounds counted",              wounds.prepare_wound_tests,      goto="8c", see="EP1 207"),
    Roll  ("8c", "Knockdown and consciousness",          ask=wounds.wound_rolls, read=wounds.read_wound_tests, goto="hit",
           see="EP1 207"),
    End   ("missed",  "The attack misses",               outcome="miss"),
    End   ("stopped", "Armor stops it",                  outcome="hit without damage"),
    End   ("hit",     "The attack is resolved",          outcome="hit"),
    source="EP1 191-192 Resolving Combat",
)

QUICK = Chart(
    "quick", "A Quick Action",
    Do    ("quick", "A Quick Action",                    turn.act_quickly,                goto="done", see="EP1 189"),
    End   ("done",  "Done"),
    source="EP1 189 Quick Actions",
)

COMPLEX = Chart(
    "complex", "Another Complex Action",
    Do    ("complex", "A Complex Action",                turn.act_at_length,              goto="done", see="EP1 189"),
    End   ("done",  "Done"),
    source="EP1 189 Complex Actions",
)

FULL_DEFENSE = Chart(
    "full_defense", "Full defense",
    Do    ("defense", "Full defense",                    turn.defend_fully,               goto="done", see="EP1 198"),
    End   ("done",  "Done"),
    source="EP1 198 Full Defense",
)

TURN = Chart(
    "turn", "The Action Turn",
    Do    ("1",  "An Action Turn begins",                turn.begin_turn,                 goto="1b", see="EP1 188"),
    Roll  ("1b", "Roll Initiative",                      ask=turn.initiative_rolls, read=turn.read_initiative, goto="2",
           see="EP1 188"),
    Do    ("2",  "An Action Phase begins",               turn.begin_phase,                goto="3", see="EP1 188"),
    Ask   ("3",  "Who is left to act?",                  turn.next_up,
           someone="3b", next_phase="2", next_turn="1", nobody="4", see="EP1 188"),
    Do    ("3b", "Their moment begins",                  turn.begin_action_phase,         goto="3c", see="EP1 188"),
    Choose("3c", "Declare an action",                    turn.offer_actions,
           attack="3d", quick="3e", complex="3f", full_defense="3g", end="3h", see="EP1 189"),
    Run   ("3d", "Attack",                               ATTACK,                          goto="3c", see="EP1 191"),
    Run   ("3e", "Quick Action",                         QUICK,                           goto="3c", see="EP1 189"),
    Run   ("3f", "Complex Action",                       COMPLEX,                         goto="3c", see="EP1 189"),
    Run   ("3g", "Full defense",                         FULL_DEFENSE,                    goto="3c", see="EP1 198"),
    Do    ("3h", "Their moment is over",                 turn.end_action_phase,           goto="3", see="EP1 188"),
    End   ("4",  "Nobody is left"),
    source="EP1 188-189 Action Turns",
)
# fmt: on
