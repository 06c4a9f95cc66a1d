"""Effects of weapons beside damage: run for each target or victim."""

from machines.contract.chart import Chart, Do, End, Roll, Run
from machines.eclipse_phase.second.harm import effects
from machines.eclipse_phase.second.success_tests.pool_chart import POOL

# fmt: off
EFFECTS = Chart(
    "effects", "What the weapon does beside damage",
    Do    ("e1", "The next of its effects",              effects.next_effect,             check="e2", certain="e4", over="done",
           see="EP2 12/12 Weapon/Gear Traits, 12/01 Step 6"),
    Roll  ("e2", "The check",                            ask=effects.effect_roll, read=effects.read_effect, goto="e3",
           see="EP2 12/12 Weapon/Gear Traits, 12/01 Step 6"),
    Run   ("e3", "A pool after the roll",                POOL,                            goto="e4", see="EP2 03/05"),
    Do    ("e4", "What follows",                         effects.take_effect,             goto="e1", see="EP2 12/12 Weapon/Gear Traits, 12/15 Shock Attacks"),
    End   ("done", "Nothing more"),
    source="EP2 12/12 Weapon/Gear Traits",
)
# fmt: on
