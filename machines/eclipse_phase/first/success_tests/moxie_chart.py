"""Moxie after a roll: run after every test of an exchange."""

from machines.contract.chart import Ask, Chart, Choose, Do, End
from machines.eclipse_phase.first.success_tests import moxie

# fmt: off
MOXIE = Chart(
    "moxie", "Moxie after the roll",
    Ask   ("m1", "Can a combatant spend a point?", moxie.can_spend,    yes="m2", no="done", see="EP1 122 Moxie"),
    Choose("m2", "A point of Moxie?",             moxie.offer_moxie,  goto="m3", see="EP1 122 Moxie"),
    Do    ("m3", "The roll is read anew",         moxie.spend,        goto="m1", see="EP1 122 Moxie"),
    End   ("done", "The roll stands"),
    source="EP1 122 Moxie",
)
# fmt: on
