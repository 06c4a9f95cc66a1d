"""Eclipse Phase, 1st edition. Read `chart` first. The ruleset is loaded when it is first used."""

from ledger.on_first_use import loaded_on_first_use

__all__ = ("RULESET", "VOCABULARY")

__getattr__ = loaded_on_first_use(
    __name__, {"RULESET": "machines.eclipse_phase.first.ruleset", "VOCABULARY": "machines.eclipse_phase.family.d100"}
)
