"""The charts of Edge: after every roll, before a roll, bought hits, passes, burning."""

from machines.contract.chart import Ask, Chart, Choose, Do, End, Roll
from machines.shadowrun_4e.success_tests import edge, edge_uses, mishaps

# fmt: off
EDGE = Chart(
    "edge", "After the roll",
    Ask   ("e1", "Sixes to be rolled again?",     edge.any_sixes,      yes="e2", no="e3", see="SR4 67 The Rule of Six"),
    Roll  ("e2", "Sixes are rolled again",        ask=edge.sixes_rolls, read=edge.read_sixes, goto="e1", see="SR4 67 The Rule of Six"),
    Ask   ("e3", "Can a combatant spend Edge?",   edge.can_spend,      yes="e4", no="e7", see="SR4 67 Edge"),
    Choose("e4", "A point of Edge?",              edge.offer_edge,     goto="e5", see="SR4 67 Edge"),
    Do    ("e5", "It is spent",                   edge.spend,          dice="e6", done="e3", see="SR4 67 Edge"),
    Roll  ("e6", "Dice for the point",            ask=edge.edge_rolls, read=edge.read_edge, goto="e1", see="SR4 67 Edge, The Rule of Six"),
    Do    ("e7", "The roll stands",               mishaps.close,       done="done", mishap="e8", see="SR4 67 Edge"),
    Choose("e8", "What the glitch leads to",      mishaps.offer_mishap, goto="e9", see="SR4 62 Glitches"),
    Do    ("e9", "It happens",                    mishaps.suffer_mishap, goto="e7", see="SR4 62 Glitches"),
    End   ("done", "The roll stands"),
    source="SR4 67 Edge",
)

BEFORE = Chart(
    "edge_before", "Edge before a roll",
    Do    ("edge", "Edge dice are added",         edge_uses.before_roll,    goto="done", see="SR4 67 Edge, The Rule of Six"),
    End   ("done", "The roll is still to come"),
    source="SR4 67 Edge",
)

BUY = Chart(
    "buy", "Buying hits",
    Do    ("buy",  "One hit for four dice",       edge_uses.buy,            goto="done", see="SR4S Buying Hits"),
    End   ("done", "Nothing is rolled"),
    source="SR4S Buying Hits",
)

EXTRA_PASS = Chart(
    "extra_pass", "Edge for a further pass",
    Do    ("pass", "One Initiative Pass more",    edge_uses.extra_pass,     goto="done", see="SR4 67 Edge"),
    End   ("done", "In this Combat Turn"),
    source="SR4 67 Edge",
)

GO_FIRST = Chart(
    "go_first", "Edge to act first",
    Do    ("first", "First in this pass",         edge_uses.go_first,       goto="done", see="SR4 67 Edge"),
    End   ("done", "In this Initiative Pass"),
    source="SR4 67 Edge",
)

BURN = Chart(
    "burn", "Burning Edge",
    Do    ("burn", "A point of Edge is gone for good", edge_uses.burn,      goto="done", see="SR4 68 Burning Edge"),
    End   ("done", "Burned"),
    source="SR4 68 Burning Edge",
)
# fmt: on
