"""A point of a pool after a roll: run after every test."""

from machines.contract.chart import Ask, Chart, Choose, Do, End
from machines.eclipse_phase.second.success_tests import pools

# fmt: off
POOL = Chart(
    "pool", "A pool after the roll",
    Ask   ("p1", "Can a combatant spend a point?", pools.can_spend,    yes="p2", no="done", see="EP2 03/05 Using Pools"),
    Choose("p2", "A point of a pool?",            pools.offer_pool,   goto="p3", see="EP2 03/05 Using Pools"),
    Do    ("p3", "The roll is read anew",         pools.spend,        goto="p1", see="EP2 03/05 Using Pools"),
    End   ("done", "The roll stands"),
    source="EP2 03/05 Using Pools",
)
# fmt: on
