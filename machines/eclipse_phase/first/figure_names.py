"""Names of figures that several rooms use."""

from machines.contract.figure_names import FigureName

ARMOR_DEFEATED = FigureName("armor defeated", str)
ATTACKS_LEFT = FigureName("attacks left", int, scope="phase")
ATTACKS_WITH = FigureName("attacks with", str, scope="phase")
BEAM_KEPT_ON = FigureName("beam kept on", str)
BENEFIT = FigureName("benefit", str)
DAMAGE_DOUBLED = FigureName("damage doubled", str)
DAMAGE_HALVED = FigureName("damage halved", str)
HANDS = FigureName("hands", int, scope="phase")
HELD_BY = FigureName("held by", str, scope="combatant")
HOURS_FOR_A_DIE = FigureName("hours for 1d10", int)
LEVEL = FigureName("level", str)
MISHAP = FigureName("mishap", str)
SHOT_AT = FigureName("shot at", str, scope="phase")
STAGE = FigureName("stage", str)
SWEEPS = FigureName("sweeps onto", str, scope="phase")
