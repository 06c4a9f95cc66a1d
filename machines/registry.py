"""Finds rulesets by name: those that ship with Affray, and those of installed packages.

A shipped ruleset is found without the metadata of installed packages, which takes long to read. Reading a record
needs the vocabulary of its game alone: charts, tables and rules are not loaded for it.
"""

from functools import lru_cache
from importlib import import_module
from typing import Any

from machines.contract.refusals import UnknownRuleset
from projections.vocabulary import USUAL, Vocabulary

SHIPPED = {
    "eclipse_phase_1e": "machines.eclipse_phase.first",
    "eclipse_phase_2e": "machines.eclipse_phase.second",
    "gurps_3e": "machines.gurps_3e",
    "shadowrun_4e": "machines.shadowrun_4e",
}
"""The package of each ruleset that ships with Affray; ``pyproject.toml`` registers the same ones."""


def installed() -> dict[str, Any]:
    """Returns the entry points of the installed rulesets, by name."""
    from importlib.metadata import entry_points  # noqa: PLC0415  a shipped ruleset is found without it

    return {point.name: point for point in sorted(entry_points(group="affray.rulesets"), key=lambda p: p.name)}


def load(name: str) -> Any:
    """Loads the object of a ruleset.

    Raises:
        UnknownRuleset: No ruleset of that name is installed.
    """
    if name in SHIPPED:
        return import_module(SHIPPED[name]).RULESET
    known = installed()
    if name not in known:
        from machines.contract.documents.nearest import did_you_mean  # noqa: PLC0415  only a wrong name needs it

        problem = f"no ruleset {name!r} is installed{did_you_mean(name, known)}"
        raise UnknownRuleset(problem, where="ruleset", accepts=", ".join(known) or "none")
    return known[name].load()


@lru_cache(maxsize=64)
def vocabulary_of(name: str) -> Vocabulary:
    """Returns the vocabulary of a ruleset; the default one if it is not installed."""
    try:
        found: Vocabulary = import_module(SHIPPED[name]).VOCABULARY if name in SHIPPED else load(name).vocabulary
    except UnknownRuleset:
        return USUAL
    return found
