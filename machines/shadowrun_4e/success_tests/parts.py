"""Parts that several plans of tests share."""

from ledger.modifier import Modifier
from machines.contract.refusals import BadTerms
from machines.contract.toolkit import one_of
from machines.shadowrun_4e.sheet.sheet_access import Base, both, needed, plane
from machines.shadowrun_4e.success_tests import test_terms as t
from machines.shadowrun_4e.tables import tables
from machines.shadowrun_4e.tables.test_rows import Threshold
from projections.combat import Combat

LISTED = "SR4S Skills And Linked Attributes"


def declared(terms: t.TestTerms) -> tuple[Modifier, ...]:
    """Returns the declared modifier.

    Source: SR4S Skills And Linked Attributes
    """
    return (Modifier(terms.modifier, "as declared", LISTED),) if terms.modifier else ()


def virtual(combat: Combat, who: str) -> tuple[Modifier, ...]:
    """Returns the bonus of hot sim in Matrix tests.

    Source: SR4 Initiative
    """
    here = plane(combat, who)
    return (Modifier(here.dice, here.name, here.source),) if here.dice else ()


def start_of(combat: Combat, who: str, skill: str, linked: str, second: str) -> Base:
    """Returns skill + attribute, or two attributes, as declared.

    Source: SR4S Skills And Linked Attributes
    """
    if skill:
        check_skill(skill)
        check_attribute(linked, "attribute", "")
        return needed(combat, who, skill, linked)
    check_attribute(linked, "attribute")
    check_attribute(second, "second", "")
    return both(combat, who, linked, second or linked)


def check_skill(name: str) -> None:
    """Rejects an unknown skill, and a field such as ``street knowledge: gangs`` of a skill that has none.

    Source: SR4S Skills And Linked Attributes
    """
    row = tables.SKILLS.get(name.partition(":")[0])
    if row is None or not row.specific:
        one_of(name, tuple(tables.SKILLS), "skill")


def threshold_of(line: Threshold, declared: int | None, accepts: str) -> int:
    """Returns the threshold of a row; of an open-ended row, the declared one if it is higher.

    Raises:
        BadTerms: A threshold is declared that would be ignored.

    Source: SR4S Extended Test Difficulties, Build/Repair Table
    """
    if declared and not line.more:
        why = f"{line.name} has a threshold of {line.threshold}: threshold would be ignored"
        raise BadTerms(why, where="threshold", accepts=accepts)
    if declared and declared < line.threshold:
        why = f"{line.name} has a threshold of {line.threshold} or more"
        raise BadTerms(why, where="threshold", accepts=f"{line.threshold} or more")
    return declared or line.threshold


_NAMES = (
    "body", "agility", "reaction", "strength", "charisma", "intuition", "logic", "willpower", "edge", "magic",
    "resonance", "force", "response", "system", "firewall", "signal",
)  # fmt: skip


def check_attribute(name: str, where: str, *also: str) -> None:
    """Rejects an unknown attribute.

    Source: SR4S Skills And Linked Attributes
    """
    one_of(name, (*also, *_NAMES), where)
