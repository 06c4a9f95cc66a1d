"""The charts of the maneuvers other than attacks, and of waking up after a fight."""

from machines.contract.chart import Chart, Do, End, Roll
from machines.gurps_3e.actions import maneuvers, readying
from machines.gurps_3e.attack import aiming
from machines.gurps_3e.harm import dying
from machines.gurps_3e.turn import after_combat

# fmt: off
FEINT = Chart(
    "feint", "Feint",
    Do    ("1", "Weapon skill against weapon skill",       maneuvers.begin_feint,          goto="2", see="B 105 Step and Feint"),
    Roll  ("2", "Both roll",                               ask=maneuvers.feint_rolls, read=maneuvers.read_feint, won="won", lost="lost",
           see="B 105 Step and Feint, 87 Contests of Skill"),
    End   ("won",  "The next defense is worse",            outcome="won"),
    End   ("lost", "Seen through",                         outcome="lost"),
    source="B 105 Step and Feint",
)

ALL_OUT_DEFENSE = Chart(
    "all_out_defense", "All-out defense",
    Do    ("1", "Two defenses against each attack",        maneuvers.defend_all_out,       goto="done", see="B 105 All-Out Defense"),
    End   ("done", "Done"),
    source="B 105 All-Out Defense",
)

AIM = Chart(
    "aim", "Aim",
    Do    ("1", "A turn of aiming",                        aiming.take_aim,                goto="done", see="B 116 Aiming"),
    End   ("done", "Done"),
    source="B 116 Aiming",
)

WAIT = Chart(
    "wait", "Wait",
    Do    ("1", "Watch for a target",                     maneuvers.wait,                 goto="done", see="B 106 Step and Wait, 118 Opportunity Fire"),
    End   ("done", "Done"),
    source="B 106 Step and Wait",
)

POSTURE = Chart(
    "posture", "Change posture",
    Do    ("1", "Another posture",                         maneuvers.change_posture,       goto="done", see="B 203 Positions"),
    End   ("done", "Done"),
    source="B 203 Positions",
)

READY = Chart(
    "ready", "Ready",
    Do    ("1", "A weapon is ready, or jammed",            readying.make_ready,            ready="done", jam="2",
           see="B 104 Ready Weapons, GCT Firearm Critical Miss Table"),
    Roll  ("2", "Clear the jam",                           ask=readying.clear_roll, read=readying.read_clear, cleared="done", stuck="stuck",
           see="GCT Firearm Critical Miss Table"),
    End   ("stuck", "Jammed still"),
    End   ("done", "Done"),
    source="B 104 Ready Weapons",
)

MOVE = Chart(
    "move", "Move",
    Do    ("1", "As far as Move allows",                   maneuvers.move_yards,                   goto="done", see="B 103 Move"),
    End   ("done", "Done"),
    source="B 103 Move",
)

CONCENTRATE = Chart(
    "concentrate", "Concentrate",
    Do    ("1", "Hold it in mind",                         maneuvers.concentrate,          goto="done", see="B 203 Maneuvers"),
    End   ("done", "Done"),
    source="B 203 Maneuvers",
)

COME_ROUND = Chart(
    "come_round", "Coming round",
    Do    ("1", "HT, half an hour later",                  after_combat.prepare_waking,      goto="2", see="GCT Critical Hit Table"),
    Roll  ("2", "Wake up",                                 ask=after_combat.waking_roll, read=after_combat.read_waking, wakes="wakes", sleeps="sleeps",
           see="GCT Critical Hit Table"),
    End   ("wakes",  "Awake",                              outcome="wakes"),
    End   ("sleeps", "Still out",                          outcome="still out"),
    source="GCT Critical Hit Table",
)
SURVIVE = Chart(
    "survive", "Rolls for life",
    Do    ("1", "HT or die, for each threshold reached",   dying.prepare_survival,         goto="2", see="B 126 General Injury"),
    Roll  ("2", "Stay alive",                              ask=dying.survival_rolls, read=dying.read_survival, dead="dead", alive="alive",
           see="B 126 General Injury"),
    End   ("dead",  "Dead",                                outcome="dead"),
    End   ("alive", "Alive",                               outcome="alive"),
    source="B 126 General Injury",
)
# fmt: on
