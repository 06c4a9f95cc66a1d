"""The charts of the turn: which combatant acts, and what they can choose."""

from machines.contract.action import menu
from machines.contract.chart import Ask, Chart, Do, End, Roll, Run
from machines.gurps_3e.actions.menu import IN_TURN, ask_maneuver
from machines.gurps_3e.turn import turn

# fmt: off
MANEUVER = Chart(
    "maneuver", "A combatant's turn",
    Do    ("m1", "At 0 hit points or less?",               turn.is_at_nothing,             yes="m1b", no="m2", see="B 126 General Injury"),
    Roll  ("m1b", "Stay conscious",                        ask=turn.consciousness_roll, read=turn.read_consciousness, acts="m2", out="m4",
           see="B 126 General Injury"),
    Do    ("m2", "Stunned?",                               turn.is_stunned,                yes="m2b", no="m3", see="B 127 Stunning"),
    Roll  ("m2b", "Recover",                               ask=turn.recovery_roll, read=turn.read_recovery, acts="m3", stunned="m4", see="B 127 Stunning"),
    *menu("m3", "Choose a maneuver", ask_maneuver, IN_TURN, end="m4", see="B 203 Maneuvers"),
    Do    ("m4", "Their turn is over",                     turn.end_turn,                  goto="over", see="B 95 Turn Sequence, 126 Shock, 116 Aiming"),
    End   ("over", "Their turn is over"),
    source="B 95 Turn Sequence",
)

TURN = Chart(
    "turn", "The combat turn",
    Do    ("t1", "A turn begins, in order of Move",        turn.begin_round,               goto="t2", see="B 95 Turn Sequence"),
    Ask   ("t2", "Whose turn is it?",                      turn.who_is_next,               someone="t3", next_turn="t1", nobody="over",
           see="B 95 Turn Sequence"),
    Do    ("t3", "Their turn begins",                      turn.begin_turn,                goto="t4", see="B 95 Turn Sequence, 126 Shock"),
    Run   ("t4", "Their turn",                             MANEUVER,                       goto="t2", see="B 203"),
    End   ("over", "No combatant can act any more"),
    source="B 95 Turn Sequence",
)
# fmt: on
