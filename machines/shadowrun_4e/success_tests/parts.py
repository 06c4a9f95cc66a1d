"""What the plans of tests are made of."""

from ledger.modifier import Modifier
from machines.contract.toolkit import one_of
from machines.shadowrun_4e.sheet.sheet_access import Base, both, needed, plane
from machines.shadowrun_4e.success_tests import test_terms as t
from machines.shadowrun_4e.tables import tables
from projections.combat import Combat

LISTED = "SR4S Skills And Linked Attributes"


def declared(terms: t.TestTerms) -> tuple[Modifier, ...]:
    """What a declaration adds of its own.

    Source: SR4S Skills And Linked Attributes
    """
    return (Modifier(terms.modifier, "as declared", LISTED),) if terms.modifier else ()


def virtual(combat: Combat, who: str) -> tuple[Modifier, ...]:
    """What hot sim adds to Matrix tests.

    Source: SR4 Initiative
    """
    here = plane(combat, who)
    return (Modifier(here.dice, here.name, here.source),) if here.dice else ()


def start_of(combat: Combat, who: str, skill: str, linked: str, second: str) -> Base:
    """Skill and attribute, or two attributes, as the declaration says.

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
    """Refuse a skill that the list does not have.

    Source: SR4S Skills And Linked Attributes
    """
    one_of(name.partition(":")[0], tuple(tables.SKILLS), "skill")


_NAMES = (
    "body", "agility", "reaction", "strength", "charisma", "intuition", "logic", "willpower", "edge", "magic",
    "resonance", "force", "response", "system", "firewall", "signal",
)  # fmt: skip


def check_attribute(name: str, where: str, *also: str) -> None:
    """Refuse an attribute that there is not.

    Source: SR4S Skills And Linked Attributes
    """
    one_of(name, (*also, *_NAMES), where)
