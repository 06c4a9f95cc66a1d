"""The charts of the Combat Turn (steps 1 to 6 of the screen), of an Action Phase, and of a delayed action."""

from machines.contract.action import menu
from machines.contract.chart import Ask, Chart, Do, End, Roll, Run
from machines.shadowrun_4e.actions import actions
from machines.shadowrun_4e.actions.menu import IN_PHASE, ask_action
from machines.shadowrun_4e.success_tests.edge_chart import EDGE
from machines.shadowrun_4e.turn import initiative, surprise, turn

# fmt: off
PHASE = Chart(
    "phase", "Action Phase",
    Ask   ("3",  "Given up for full defense?",            actions.gives_up_phase,           yes="3y", no="3A", see="SR4 151 Full Defense"),
    Do    ("3y", "It went into full defense",             actions.give_up,                  goto="3z", see="SR4 151 Full Defense"),
    *menu ("3A", "Declare actions",                       ask_action, IN_PHASE,            end="3z", see="SR4S Combat Turn Sequence 3A"),
    Do    ("3z", "Their Action Phase is over",            turn.end_phase,                  goto="over", see="SR4S Combat Turn Sequence 3"),
    End   ("over", "Their Action Phase is over"),
    source="SR4S Combat Turn Sequence",
)

TURN = Chart(
    "turn", "Combat Turn Sequence",
    Ask   ("0",  "Surprise?",                             surprise.is_surprise,            yes="0b", no="1", see="SR4 155 Surprise"),
    Do    ("0b", "Reaction + Intuition",                  surprise.prepare_surprise,       goto="0c", see="SR4 155 Surprise"),
    Roll  ("0c", "Who is surprised?",                     ask=surprise.surprise_rolls, read=surprise.read_surprise, goto="0d", see="SR4 155 Surprise"),
    Run   ("0d", "Edge after the roll",                   EDGE,                            goto="0e", see="SR4 67"),
    Do    ("0e", "By each who has more hits",             surprise.spring,                 goto="1", see="SR4 155 Surprise"),
    Do    ("1",  "A Combat Turn begins",                  turn.begin_turn,                 goto="1b", see="SR4S Combat Turn Sequence 6"),
    Do    ("1b", "Initiative attribute",                  initiative.prepare_initiative,   goto="1c",
           see="SR4S Combat Turn Sequence 1, SR4 153 Wound Modifiers"),
    Roll  ("1c", "Roll Initiative",                       ask=initiative.initiative_rolls, read=initiative.read_initiative, goto="1d",
           see="SR4S Combat Turn Sequence 1"),
    Run   ("1d", "Edge after the roll",                   EDGE,                            goto="1e", see="SR4 67"),
    Do    ("1e", "Initiative Score = attribute + hits",   initiative.score,                goto="2",
           see="SR4S Combat Turn Sequence 1, 5, SR4 153 Wound Modifiers"),
    Do    ("2",  "Begin first Initiative Pass",           turn.begin_first_pass,           goto="4", see="SR4S Combat Turn Sequence 2"),
    Do    ("3",  "Begin Action Phase",                    turn.begin_phase,                goto="3b", see="SR4S Combat Turn Sequence 3"),
    Run   ("3b", "Declare and resolve actions",           PHASE,                           goto="4", see="SR4S Combat Turn Sequence"),
    Ask   ("4",  "Actions of the remaining characters",   turn.who_is_next,                someone="3", nobody="5", see="SR4S Combat Turn Sequence 4"),
    Ask   ("5",  "Has a combatant one more pass?",        turn.is_there_another_pass,      yes="5b", no="6", see="SR4S Combat Turn Sequence 5"),
    Do    ("5b", "Begin next Initiative Pass",            turn.begin_next_pass,            goto="4", see="SR4S Combat Turn Sequence 5, SR4 155 Surprise"),
    Ask   ("6",  "Begin new Combat Turn?",                turn.does_it_go_on,              yes="1", no="over", see="SR4S Combat Turn Sequence 6"),
    End   ("over", "No combatant is left"),
    source="SR4S Combat Turn Sequence",
)

ACT = Chart(
    "act", "A delayed action",
    Do    ("1", "Everything else waits",                  turn.act_now,                    goto="2", see="SR4 134 Delayed Actions"),
    Run   ("2", "Declare and resolve actions",            PHASE,                           goto="done", see="SR4 134"),
    End   ("done", "The others go on"),
    source="SR4 134 Delayed Actions",
)
# fmt: on
