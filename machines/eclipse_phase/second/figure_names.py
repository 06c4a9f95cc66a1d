"""Names of figures that several rooms use."""

from machines.contract.figure_names import FigureName

BLIND = FigureName("blind", str)
HARDER = FigureName("harder", str)
POINTS = FigureName("points", int)
REDIRECTED = FigureName("redirected", int)
ROLL_OFFS = FigureName("roll-offs", int, scope="round")
RULED = FigureName("ruled", str)
RULING = FigureName("ruling", str)
SNATCHED = FigureName("snatched", str)
STRAINS = FigureName("strains", int)
TIMEFRAME = FigureName("timeframe", int)
