"""Rules: printed procedures as charts, and deciding by them. Imports the ledger and the projections."""

SHIPPED = {
    "eclipse_phase_1e": "machines.eclipse_phase.first",
    "eclipse_phase_2e": "machines.eclipse_phase.second",
    "gurps_3e": "machines.gurps_3e",
    "shadowrun_4e": "machines.shadowrun_4e",
}
"""The package of each ruleset that ships with Affray; ``pyproject.toml`` registers the same ones."""
