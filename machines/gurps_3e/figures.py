"""The values that each figure may have where the gamemaster overrules it."""

from collections.abc import Mapping

from machines.contract.figures import COUNT, MODIFIED, PERSON, YES, Bounds, Number, Settled, Words
from machines.gurps_3e.attack.attack_context import FACTORS
from machines.gurps_3e.tables.tables import HIT_LOCATIONS

_LOOKED_UP = Settled("a modifier on the roll on the table")

FIGURES: Mapping[str, Bounds] = {
    # Rolls
    "base": MODIFIED, "target": MODIFIED, "margin": MODIFIED, "no roll": Settled("another target of the roll"),
    # Blows
    "foe": PERSON, "fumbler": PERSON, "location": Words(tuple(HIT_LOCATIONS)), "second defense": YES,
    "critical round": _LOOKED_UP, "critical miss": _LOOKED_UP, "factor": Words(FACTORS), "fixed damage": Number(),
    "armor ignored": YES, "maximum damage": YES, "feint": COUNT, "flies": COUNT, "hours of repair": Number(),
    "rounds": Number(), "rounds left": Number(), "yards": Number(),
    # Damage
    "basic damage": Number(), "damage": Number(), "DR": Number(), "penetration": MODIFIED, "injury": Number(),
    "after blow-through": Number(), "knockback": Number(), "hits to the shield": Number(),
    "death rolls due": Settled("the hit points"),
    "assumed": Settled("swung or thrust on the sheet"), "assumed *": Settled("another declaration: amend it"),
}  # fmt: skip
