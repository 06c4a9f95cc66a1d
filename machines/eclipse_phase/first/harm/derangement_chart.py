"""Derangements and disorders that a trauma causes beside disorientation."""

from machines.contract.chart import Ask, Chart, Choose, Do, End, Roll
from machines.eclipse_phase.first.harm import stress

# fmt: off
DERANGEMENT = Chart(
    "derangement", "Derangements and disorders",
    Do    ("d1", "How many traumas are there?",   stress.how_bad,               goto="d2", see="EP1 209 Trauma Effects"),
    Choose("d2", "Which derangement?",            stress.offer_derangement,     goto="d3", see="EP1 210 Derangements, 209 Trauma Effects"),
    Ask   ("d3", "A disorder?",                   stress.lasts,                 yes="d5", no="d4", see="EP1 211 Disorders"),
    Roll  ("d4", "For how long?",                 ask=stress.duration_roll, read=stress.read_duration, goto="d5",
           see="EP1 210 Derangements"),
    Do    ("d5", "It befalls them",               stress.be_deranged,           goto="done", see="EP1 210 Derangements, 209 Trauma Effects"),
    End   ("done", "They are deranged"),
    source="EP1 209-213 Trauma Effects, Derangements, Disorders",
)
# fmt: on
