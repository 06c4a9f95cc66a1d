"""Parts that several plans of tests share."""

from ledger.modifier import Modifier
from machines.contract.toolkit import one_of
from machines.shadowrun_4e.sheet.sheet_access import Base, both, needed, plane
from machines.shadowrun_4e.success_tests import test_terms as t
from machines.shadowrun_4e.tables import tables
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
    """Rejects an unknown skill.

    Source: SR4S Skills And Linked Attributes
    """
    one_of(name.partition(":")[0], tuple(tables.SKILLS), "skill")


_NAMES = (
    "body", "agility", "reaction", "strength", "charisma", "intuition", "logic", "willpower", "edge", "magic",
    "resonance", "force", "response", "system", "firewall", "signal",
)  # fmt: skip


def check_attribute(name: str, where: str, *also: str) -> None:
    """Rejects an unknown attribute.

    Source: SR4S Skills And Linked Attributes
    """
    one_of(name, (*also, *_NAMES), where)
