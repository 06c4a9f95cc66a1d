"""The charts of lesser actions, suppressive fire, summoning, and the tests of the screen's other tables."""

from machines.contract.chart import Ask, Chart, Choose, Do, End, Roll, Run
from machines.shadowrun_4e.actions import actions, alerts
from machines.shadowrun_4e.attack import suppressive_fire
from machines.shadowrun_4e.harm.harm_chart import DRAIN
from machines.shadowrun_4e.magic import drain, summoning
from machines.shadowrun_4e.success_tests import boxes
from machines.shadowrun_4e.success_tests.edge_chart import EDGE

# fmt: off
AIM = Chart("aim", "Taking aim",
    Do    ("aim",    "Take aim",                          actions.take_aim,                 goto="done",
           see="SR4 137 Take Aim, SR4S Ranged Combat Modifiers Table"),
    End   ("done",   "Done"), source="SR4 137 Take Aim")

SIMPLE = Chart("simple", "A Simple Action",
    Do    ("simple", "A Simple Action",                   actions.act_simply,               goto="done", see="SR4S Combat Turn Sequence 3A"),
    End   ("done",   "Done"), source="SR4S Combat Turn Sequence")

COMPLEX = Chart("complex", "A Complex Action",
    Do    ("complex", "A Complex Action",                 actions.act_at_length,            goto="done", see="SR4S Combat Turn Sequence 3A"),
    End   ("done",   "Done"), source="SR4S Combat Turn Sequence")

FREE = Chart("free", "A Free Action",
    Do    ("free",   "A Free Action",                     actions.act_freely,               goto="done", see="SR4S Combat Turn Sequence 3A"),
    End   ("done",   "Done"), source="SR4S Combat Turn Sequence")

MOVE = Chart("move", "Moving",
    Do    ("move",   "Walk or run",                       actions.move,                     goto="done", see="SR4S Movement Rate Table"),
    End   ("done",   "Done"), source="SR4S Movement Rate Table")

RELOAD = Chart("reload", "Reloading",
    Do    ("reload", "A full magazine",                   actions.reload,                   goto="done", see="SR4 136 Reloading"),
    End   ("done",   "Done"), source="SR4 136 Reloading")

SHIFT = Chart("shift", "Going to another plane",
    Do    ("shift",  "There",                             actions.shift,                    goto="done", see="SR4 181 Astral Projection, SR4 Initiative"),
    End   ("done",   "Done"), source="SR4 181 Astral Projection")

DELAY = Chart("delay", "Delaying",
    Do    ("delay",  "Wait",                              actions.wait,                     goto="done", see="SR4 134 Delayed Actions"),
    End   ("done",   "Waiting"), source="SR4 134 Delayed Actions")

FULL_DEFENSE = Chart("full_defense", "Full defense",
    Do    ("defense", "Full defense",                     actions.defend_fully,             goto="done", see="SR4 151 Full Defense, SR4S Combat Sequence 3B"),
    End   ("done",   "Done"), source="SR4 151 Full Defense")

COUNTERSPELL = Chart("counterspell", "Counterspelling",
    Do    ("protect", "Protect",                          summoning.protect,                   goto="done", see="SR4 175 Counterspelling"),
    End   ("done",   "Protected"), source="SR4 175 Counterspelling")

DROP = Chart("drop", "Letting a spell go",
    Do    ("drop",   "Drop it",                           drain.drop_spell,                goto="done", see="SR4 173 Sustained Spells"),
    End   ("done",   "Dropped"), source="SR4 173 Sustained Spells")

SUMMON = Chart(
    "summon", "Summoning",
    Do    ("s1", "Magic + Summoning against Force",       summoning.prepare_summoning,         goto="s2", see="SR4 179 Summoning"),
    Roll  ("s2", "Both roll",                             ask=summoning.summoning_rolls, read=summoning.read_summoning, goto="s3", see="SR4 179 Summoning"),
    Run   ("s3", "Edge after the roll",                   EDGE,                            goto="s4", see="SR4 67"),
    Do    ("s4", "Net hits are services",                 summoning.services,                  goto="s5", see="SR4 179 Summoning"),
    Run   ("s5", "Drain",                                 DRAIN,                           goto="s6", see="SR4 173"),
    Ask   ("s6", "Does it come?",                         summoning.is_spirit_summoned,        yes="comes", no="none", see="SR4 179 Summoning"),
    End   ("none",  "No spirit comes",                    outcome="no spirit"),
    End   ("comes", "It comes",                           outcome="summoned"),
    source="SR4 179 Summoning",
)

SUPPRESS = Chart(
    "suppress", "Suppressive fire",
    Do    ("1", "Twenty rounds over an area",             suppressive_fire.begin_suppression,   goto="2", see="SR4 143 Suppressive Fire"),
    Roll  ("2", "One roll for all of it",                 ask=suppressive_fire.suppression_roll, read=suppressive_fire.read_suppression, goto="3",
           see="SR4 143 Suppressive Fire"),
    Run   ("3", "Edge after the roll",                    EDGE,                            goto="4", see="SR4 67"),
    Do    ("4", "The area is under fire",                 suppressive_fire.suppress,            goto="done", see="SR4 143 Suppressive Fire"),
    End   ("done", "Under fire"),
    source="SR4 143 Suppressive Fire",
)

TEST = Chart(
    "test", "A test",
    Do    ("1", "What is rolled",                         boxes.prepare,                  goto="2", see="SR4 61 Success Tests"),
    Roll  ("2", "The roll",                               ask=boxes.rolls, read=boxes.read, goto="2b", see="SR4 61 Success Tests"),
    Run   ("2b", "Edge after the roll",                   EDGE,                            goto="3", see="SR4 67"),
    Do    ("3", "What came of it",                        boxes.conclude,
           passed="passed", failed="failed", goes_on="4", fighting="goes on", see="SR4 61 Success Tests, 64 Extended Tests"),
    Choose("4", "Another interval?",                      boxes.offer_more,               again="4b", stop="goes on", see="SR4 64 Extended Tests"),
    Do    ("4b", "The next roll",                         boxes.once_more,                goto="1", see="SR4 64 Extended Tests"),
    End   ("passed",  "Passed",                           outcome="success"),
    End   ("failed",  "Failed",                           outcome="failure"),
    End   ("goes on", "It goes on",                       outcome="goes on"),
    source="SR4 61 Success Tests, 63 Opposed Tests, 64 Extended Tests",
)

SIGNAL = Chart(
    "signal", "In range of a signal?",
    Ask   ("1", "Do both signals reach?",                 alerts.is_in_range,               yes="yes", no="no", see="SR4S Signal Rating Table"),
    End   ("yes", "They reach",                           outcome="in range"),
    End   ("no",  "They do not",                          outcome="out of range"),
    source="SR4S Signal Rating Table",
)

ALERT = Chart(
    "alert", "A random response to an alert",
    Roll  ("1", "1D6",                                    ask=alerts.alert_roll, read=alerts.read_alert, goto="done", see="SR4S Random Alert Response"),
    End   ("done", "The system responds"),
    source="SR4S Random Alert Response",
)
# fmt: on
