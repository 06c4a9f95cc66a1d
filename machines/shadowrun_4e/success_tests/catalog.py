"""The tests of the screen's tables: each function returns the `Plan` of one test."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ledger.events import ConditionLost, Event
from ledger.modifier import Modifier
from machines.contract.assumptions import assume
from machines.contract.refusals import BadTerms, CannotAct
from machines.contract.ruleset import typed
from machines.contract.toolkit import Telling, check_another, check_quiet, frame, one_of
from machines.shadowrun_4e.actions.assumptions import assumed, check_terms
from machines.shadowrun_4e.attack.modifiers import sight
from machines.shadowrun_4e.harm.injury import heal
from machines.shadowrun_4e.sheet.sheet_access import both, check_able, needed, sheet
from machines.shadowrun_4e.sheet.specializations import SPECIALIZATION
from machines.shadowrun_4e.success_tests import test_terms as t
from machines.shadowrun_4e.success_tests.devices import (
    assense,
    availability,
    build,
    device,
    search,
    sensor,
    track,
    vehicle,
)
from machines.shadowrun_4e.success_tests.foresight import after, check_purchase
from machines.shadowrun_4e.success_tests.parts import (
    LISTED,
    check_skill,
    declared,
    start_of,
    threshold_of,
)
from machines.shadowrun_4e.success_tests.resolve import Plan, pool_of
from machines.shadowrun_4e.tables import tables
from projections.combat import Combat

# ------------------------------------------------------------------------------------------------ any test


def success(combat: Combat, by: str, terms: t.SuccessTerms) -> Plan:
    """Returns a success or opposed test by skill and attribute, or by two attributes.

    Source: SR4S Difficulty Table, Skills And Linked Attributes, SR4 63 Opposed Tests
    """
    start = start_of(combat, by, terms.skill, terms.attribute, terms.second)
    threshold, why = terms.threshold or 0, "as declared"
    if terms.difficulty:
        line = tables.DIFFICULTIES[terms.difficulty]
        threshold, why = line.threshold, line.name
    source = "SR4S Difficulty Table" if terms.difficulty else LISTED
    if not terms.against:
        return Plan(start, source, terms.what, declared(terms), threshold, why, buys=terms.buys)
    check_another(combat, by, terms.against)
    their = start_of(
        combat,
        terms.against,
        terms.their_skill or terms.skill,
        terms.their_attribute or ("" if terms.their_skill else terms.attribute),
        terms.second,
    )
    return Plan(
        start, "SR4 63 Opposed Tests", terms.what, declared(terms), against=terms.against, their=their, buys=terms.buys
    )


def extended(combat: Combat, by: str, terms: t.ExtendedTerms) -> Plan:
    """Returns an extended test.

    Source: SR4S Extended Test Difficulties
    """
    threshold, why = terms.threshold or 0, "as declared"
    if terms.difficulty:
        line = tables.EXTENDED_THRESHOLDS[terms.difficulty]
        threshold, why = threshold_of(line, terms.threshold, "threshold, or difficulty"), line.name
    if not threshold:
        raise BadTerms("an extended test needs a threshold", where="threshold", accepts="threshold or difficulty")
    return Plan(
        start_of(combat, by, terms.skill, terms.attribute, ""),
        "SR4S Extended Test Difficulties",
        terms.what,
        declared(terms),
        threshold,
        why,
        interval=tables.EXTENDED_INTERVALS[terms.interval],
        task=terms.what,
        buys=terms.buys,
    )


# ------------------------------------------------------------------------------------------------ senses, people


def perception(combat: Combat, by: str, terms: t.PerceptionTerms) -> Plan:
    """Returns a Perception test.

    Source: SR4S Perception Test Thresholds, Perception Test Modifiers
    """
    line = tables.PERCEPTION_THRESHOLDS[terms.noticing]
    rows = [tables.PERCEPTION_MODIFIERS[name] for name in dict.fromkeys(terms.modifiers)]
    given = tuple(Modifier(terms.rating if each.rating else each.modifier, each.name, each.source) for each in rows)
    seen = sight(combat, by, terms.visibility)
    start = needed(combat, by, "perception")
    return Plan(
        start,
        line.source,
        f"notice {terms.what}",
        given + seen + declared(terms),
        line.threshold,
        line.name,
        buys=terms.buys,
    )


def social(combat: Combat, by: str, terms: t.SocialTerms) -> Plan:
    """Returns one of the Charisma-linked tests; the target's best skill counts.

    Source: SR4S Charisma-Linked Opposed Tests
    """
    check_another(combat, by, terms.at)
    line = tables.SOCIAL[terms.test]
    theirs = [needed(combat, terms.at, name, line.target_attribute) for name in line.target_skills]
    their = max(theirs, key=lambda base: base.value)
    start = needed(combat, by, line.skill, line.attribute)
    return Plan(start, line.source, line.name, declared(terms), against=terms.at, their=their, buys=terms.buys)


def conceal(combat: Combat, by: str, terms: t.ConcealTerms) -> Plan:
    """Returns the test for a hidden item: Perception, modified by its concealability, against Palming.

    Source: SR4S Concealability Table
    """
    check_another(combat, by, terms.at)
    rows = tables.CONCEALABILITY.values()
    words = tuple(word for row in rows for word in (row.name, *row.examples))
    one_of(terms.item, words, "item")
    line = next(row for row in rows if terms.item in (row.name, *row.examples))
    given = (Modifier(line.modifier, f"concealability of {terms.item}", line.source),)
    their = needed(combat, terms.at, "palming")
    start = needed(combat, by, "perception")
    return Plan(
        start,
        line.source,
        f"find {terms.item}",
        given + declared(terms),
        against=terms.at,
        their=their,
        buys=terms.buys,
    )


def knowledge(combat: Combat, by: str, terms: t.KnowledgeTerms) -> Plan:
    """Returns a knowledge test.

    Source: SR4S Knowledge Skill Table
    """
    line = tables.KNOWLEDGE[terms.knowledge]
    check_skill(terms.skill)
    start = needed(combat, by, terms.skill)
    return Plan(start, line.source, f"know {terms.what}", declared(terms), line.threshold, line.name, buys=terms.buys)


# ------------------------------------------------------------------------------------------------ care


def stabilize(combat: Combat, by: str, terms: t.StabilizeTerms) -> Plan:
    """Returns the test that stabilizes a dying combatant.

    Source: SR4 244 Stabilization; Ruling: SR4-N18
    """
    check_another(combat, by, terms.who)
    if not combat.conditions.has(terms.who, "dying") or combat.conditions.has(terms.who, "dead"):
        raise CannotAct(f"{terms.who} is not dying", where="who", accepts="a combatant with boxes of overflow")
    given = (Modifier(terms.modifier, "as declared", "SR4 244 Stabilization"),) if terms.modifier else ()

    def stop(now: Combat, _: int) -> Telling:
        return (yield ConditionLost(terms.who, "dying", "stabilized")) if now else now

    start, source = needed(combat, by, "first aid"), "SR4 244 Stabilization"
    return Plan(start, source, f"stabilize {terms.who}", given, 2, "to stabilize", does=stop)


def rest(combat: Combat, by: str, terms: t.RestTerms) -> Plan:
    """Returns the test for rest: an hour for Stun, a day for Physical, one box for each hit.

    Source: SR4 242 Healing; Ruling: SR4-N18
    """
    if combat.clock.fighting:
        check_quiet(combat)
    given = (Modifier(terms.modifier, "as declared", "SR4 242 Healing"),) if terms.modifier else ()
    first, second, interval = RESTS[terms.track]
    start = both(combat, by, first, second)
    name = terms.track

    def mend(now: Combat, count: int) -> Telling:
        return (yield from heal(now, by, name, count, frame(now).key, "rest"))

    return Plan(
        start, "SR4 242 Healing", f"rest: {name}", given, 1, "a box for each hit",
        interval=tables.EXTENDED_INTERVALS[interval], task=f"rest ({name})", does=mend, ails=False,
    )  # fmt: skip


RESTS: Mapping[str, tuple[str, str, str]] = {
    "stun": ("body", "willpower", "long"),
    "physical": ("body", "body", "consuming"),
}
"""By track: the two attributes and the interval (SR4 242 Healing)."""

# ------------------------------------------------------------------------------------------------ by kind

PLANS: Mapping[str, tuple[type[Any], Callable[[Combat, str, Any], Plan]]] = {
    "test": (t.SuccessTerms, success),
    "extended": (t.ExtendedTerms, extended),
    "perception": (t.PerceptionTerms, perception),
    "social": (t.SocialTerms, social),
    "conceal": (t.ConcealTerms, conceal),
    "knowledge": (t.KnowledgeTerms, knowledge),
    "search": (t.SearchTerms, search),
    "availability": (t.AvailabilityTerms, availability),
    "build": (t.BuildTerms, build),
    "device": (t.DeviceTerms, device),
    "sensor": (t.SensorTerms, sensor),
    "drive": (t.VehicleTerms, vehicle),
    "assense": (t.AssenseTerms, assense),
    "track": (t.TrackTerms, track),
    "stabilize": (t.StabilizeTerms, stabilize),
    "rest": (t.RestTerms, rest),
}
"""By kind of declaration: its terms, and the function that returns its plan."""


def plan(combat: Combat) -> Plan:
    """Returns the plan of the test being resolved."""
    now = frame(combat)
    terms = typed(now.terms, PLANS[now.kind][0])
    return plan_of(combat, now.kind, now.by, terms)


def plan_of(combat: Combat, kind: str, by: str, terms: Any) -> Plan:
    """Returns the plan of a test, with the roller's specialization if it is declared to count.

    Raises:
        BadTerms: The roller has no specialization in the skill.

    Source: SR4 108 Using Skills; Ruling: SR4-N46
    """
    found = PLANS[kind][1](combat, by, terms)
    if not getattr(terms, "specialized", False):
        return found
    own = sheet(combat, by).specializations
    skill = found.start.skill
    if skill not in own:
        accepts = ", ".join(own) or "false"
        raise BadTerms(f"{by} has no specialization in {skill or 'this test'}", where="specialized", accepts=accepts)
    more = Modifier(SPECIALIZATION, f"specialization: {own[skill]}", "SR4 108 Using Skills")
    return found._replace(modifiers=(*found.modifiers, more))


_CHECKED = "checked"
"""The key of a test that is only checked."""


def assumptions(combat: Combat) -> Iterator[Event]:
    """Yields what is assumed for omitted terms of the test being resolved."""
    now = frame(combat)
    terms, source = typed(now.terms, PLANS[now.kind][0]), plan(combat).source
    yield from assumed(now, terms, source)
    if isinstance(terms, t.SuccessTerms) and terms.against and terms.skill and not terms.their_skill:
        yield assume(now.key, "their_skill", terms.skill, source)
    if isinstance(terms, t.VehicleTerms) and not (terms.vehicle or terms.handling or sheet(combat, now.by).handling):
        yield assume(now.key, "handling", "0", source)


def checked(kind: str, *, awake: bool = True) -> Callable[[Combat, str, Any], None]:
    """Returns the check of a kind of test: unknown words, missing figures, rollers who cannot act."""

    def check(combat: Combat, by: str, terms: Any) -> None:
        check_terms(kind, terms)
        if awake:
            check_able(combat, by, "when they are up again")
        found = plan_of(combat, kind, by, terms)
        if found.buys:
            check_purchase(after(combat, pool_of(combat, _CHECKED, by, found)), by, [_CHECKED])

    return check
