"""Charts of the Action Turn (EP1 188-189): ambush, Initiative, Action Phases, and moments.

Moments are run by the Action Turn and by interruptions.
"""

from machines.contract.action import menu
from machines.contract.chart import Ask, Chart, Do, End, Roll, Run
from machines.eclipse_phase.family.ambush import any_ambusher_left, begin_free_moment, is_ambush, surprise_rolls
from machines.eclipse_phase.family.turn import begin_moment, initiative_rolls, prepare_initiative
from machines.eclipse_phase.first.actions import actions
from machines.eclipse_phase.first.actions.menu import IN_MOMENT, ask_action
from machines.eclipse_phase.first.turn import surprise, turn
from machines.eclipse_phase.first.turn.initiative import read_initiative

# fmt: off
MOMENT = Chart(
    "moment", "Declare and resolve actions",
    *menu ("3a", "Declare an action",                    ask_action, IN_MOMENT,           end="3m", see="EP1 189 Actions"),
    Do    ("3m", "Their moment is over",                 actions.end_moment,               goto="over", see="EP1 188 Action Turns, 190 Aiming"),
    End   ("over", "Their moment is over"),
    source="EP1 188-189 Action Turns, Actions",
)

TURN = Chart(
    "turn", "The Action Turn",
    Ask   ("0",  "An ambush?",                           is_ambush,                       yes="0b", no="1", see="EP1 204 Surprise"),
    Do    ("0b", "Infiltration against Perception",      surprise.prepare_surprise,       goto="0c", see="EP1 204 Surprise"),
    Roll  ("0c", "Who notices?",                         ask=surprise_rolls,          read=surprise.read_surprise,
           surprised="0d", noticed="1", see="EP1 204 Surprise"),
    Ask   ("0d", "An ambusher who has not acted?",       any_ambusher_left,               yes="0e", no="1", see="EP1 204 Surprise"),
    Do    ("0e", "Their moment begins",                  begin_free_moment,               goto="0f", see="EP1 204 Surprise"),
    Run   ("0f", "Declare and resolve actions",          MOMENT,                          goto="0d", see="EP1 204"),
    Do    ("1",  "An Action Turn begins",                turn.begin_turn,                 goto="1b", see="EP1 188 Action Turns, 207 Bleeding"),
    Do    ("1b", "What counts for Initiative",           prepare_initiative,              goto="1c", see="EP1 188 Initiative and Damage, 204 Surprise"),
    Roll  ("1c", "Roll Initiative",                      ask=initiative_rolls, read=read_initiative, goto="2", see="EP1 188 Initiative Order, Simplifying Initiative, Initiative, Moxie and Criticals"),
    Do    ("2",  "An Action Phase begins",               turn.begin_phase,                goto="4", see="EP1 188 Action Turns, 189 Speed, 204 Surprise"),
    Do    ("3",  "Their moment begins",                  begin_moment,                    goto="3b", see="EP1 188 Action Turns, 198 Full Defense, 189 Delayed Actions"),
    Run   ("3b", "Declare and resolve actions",          MOMENT,                          goto="4", see="EP1 188"),
    Ask   ("4",  "Rotate and repeat",                    turn.next_up,
           someone="3", next_phase="2", next_turn="1", nobody="over", see="EP1 188 Action Turns, 189 Speed"),
    End   ("over", "No combatant is left"),
    source="EP1 188-189 Action Turns",
)

ACT = Chart(
    "act", "A delayed action",
    Do    ("1", "Everything else waits",                 turn.act_now,                    goto="2", see="EP1 189 Delayed Actions"),
    Run   ("2", "Declare and resolve actions",           MOMENT,                          goto="done", see="EP1 189"),
    End   ("done", "The others go on"),
    source="EP1 189 Delayed Actions",
)

ACT_FIRST = Chart(
    "act_first", "First by Moxie",
    Do    ("1", "A point of Moxie",                      turn.act_first,                  goto="2", see="EP1 188 Initiative, Moxie and Criticals"),
    Run   ("2", "Declare and resolve actions",           MOMENT,                          goto="done", see="EP1 188"),
    End   ("done", "The others go on"),
    source="EP1 188 Initiative, Moxie and Criticals",
)
# fmt: on
