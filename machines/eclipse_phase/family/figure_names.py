"""Names of figures that several rooms use."""

from machines.contract.figure_names import FigureName

ARMOR = FigureName("armor", int)
BASE = FigureName("base", int)
CALLED_SHOT = FigureName("called shot", str)
DAMAGE_TAKEN = FigureName("damage", int)
DEGREE = FigureName("degree", str)
DICE = FigureName("dice", int)
DV = FigureName("dv", int)
HAND = FigureName("hand", int)
HEALED = FigureName("healed", int)
HOURS = FigureName("hours", int)
KNOCKBACK = FigureName("knockback", int)
METERS = FigureName("meters", int)
MINUTES = FigureName("minutes", int)
NTH_TARGET = FigureName("nth target", int)
OUTCOME = FigureName("outcome", str)
SCATTER = FigureName("scatter", int)
SCORE = FigureName("score", int)
SV = FigureName("sv", int)
TARGET = FigureName("target", int)
WOUNDS_TAKEN = FigureName("wounds", int)
