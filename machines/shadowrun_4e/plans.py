"""The tests of the screen's tables: what each rolls, against what, and what it tells."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ledger.events import ConditionLost
from ledger.modifier import Modifier
from machines import refusals as no
from machines.boxes import Telling, check_another, check_here, check_quiet, frame, one_of
from machines.ruleset import typed
from machines.shadowrun_4e import tables
from machines.shadowrun_4e import terms as t
from machines.shadowrun_4e.injury import heal
from machines.shadowrun_4e.pools import DICE_FOR_A_HIT
from machines.shadowrun_4e.reading import Base, attribute, both, check_able, matrix, needed, plane, sheet, situation
from machines.shadowrun_4e.rows import Interval, Threshold
from machines.shadowrun_4e.testing import Plan
from projections.combat import Combat

_SKILLS = "SR4S Skills And Linked Attributes"


def _given(terms: t.TestTerms) -> tuple[Modifier, ...]:
    return (Modifier(terms.modifier, "as declared", _SKILLS),) if terms.modifier else ()


def _row(rows: Mapping[str, Threshold], name: str, where: str) -> Threshold:
    one_of(name, tuple(rows), where)
    return rows[name]


def _interval(rows: Mapping[str, Interval], name: str, where: str) -> Interval:
    one_of(name, tuple(rows), where)
    return rows[name]


def _virtual(combat: Combat, who: str) -> tuple[Modifier, ...]:
    """What hot sim adds to Matrix tests."""
    here = plane(combat, who)
    return (Modifier(here.dice, here.name, here.source),) if here.dice else ()


# ------------------------------------------------------------------------------------------------ any test


def success(combat: Combat, by: str, terms: t.SuccessTerms) -> Plan:
    """A success test by skill and attribute, or by two attributes; against a difficulty, or somebody.

    Source: SR4S Difficulty Table, Skills And Linked Attributes, SR4 63 Opposed Tests
    """
    start = _start(combat, by, terms.skill, terms.attribute, terms.second)
    threshold, why = terms.threshold or 0, "as declared"
    if terms.difficulty:
        line = _row(tables.DIFFICULTIES, terms.difficulty, "difficulty")
        threshold, why = line.threshold, line.name
    source = "SR4S Difficulty Table" if terms.difficulty else _SKILLS
    if not terms.against:
        return Plan(start, source, terms.what, _given(terms), threshold, why, buys=terms.buys)
    check_another(combat, by, terms.against)
    their = _start(
        combat,
        terms.against,
        terms.their_skill or terms.skill,
        terms.their_attribute or ("" if terms.their_skill else terms.attribute),
        terms.second,
    )
    return Plan(
        start, "SR4 63 Opposed Tests", terms.what, _given(terms), against=terms.against, their=their, buys=terms.buys
    )


def _start(combat: Combat, who: str, skill: str, linked: str, second: str) -> Base:
    if skill:
        _check_skill(skill)
        _check_attribute(linked, "attribute", "")
        return needed(combat, who, skill, linked)
    _check_attribute(linked, "attribute")
    _check_attribute(second, "second", "")
    return both(combat, who, linked, second or linked)


def _check_skill(name: str) -> None:
    one_of(name.partition(":")[0], tuple(tables.SKILLS), "skill")


_NAMES = (
    "body", "agility", "reaction", "strength", "charisma", "intuition", "logic", "willpower", "edge", "magic",
    "resonance", "force", "response", "system", "firewall", "signal",
)  # fmt: skip


def _check_attribute(name: str, where: str, *also: str) -> None:
    one_of(name, (*also, *_NAMES), where)


def extended(combat: Combat, by: str, terms: t.ExtendedTerms) -> Plan:
    """An extended test.

    Source: SR4S Extended Test Difficulties
    """
    threshold, why = terms.threshold or 0, "as declared"
    if terms.difficulty:
        line = _row(tables.EXTENDED_THRESHOLDS, terms.difficulty, "difficulty")
        threshold, why = max(line.threshold, threshold if line.more else 0), line.name
    if not threshold:
        raise no.BadTerms("an extended test needs a threshold", where="threshold", accepts="threshold or difficulty")
    return Plan(
        _start(combat, by, terms.skill, terms.attribute, ""),
        "SR4S Extended Test Difficulties",
        terms.what,
        _given(terms),
        threshold,
        why,
        interval=_interval(tables.EXTENDED_INTERVALS, terms.interval, "interval"),
        task=terms.what,
        buys=terms.buys,
    )


# ------------------------------------------------------------------------------------------------ senses, people


def perception(combat: Combat, by: str, terms: t.PerceptionTerms) -> Plan:
    """Noticing something.

    Source: SR4S Perception Test Thresholds, Perception Test Modifiers
    """
    line = _row(tables.PERCEPTION_THRESHOLDS, terms.noticing, "noticing")
    for name in terms.modifiers:
        one_of(name, tuple(tables.PERCEPTION_MODIFIERS), "modifiers")
    rows = [tables.PERCEPTION_MODIFIERS[name] for name in dict.fromkeys(terms.modifiers)]
    given = tuple(Modifier(terms.rating if each.rating else each.modifier, each.name, each.source) for each in rows)
    seen = _seen(combat, by, terms.visibility)
    start = needed(combat, by, "perception")
    return Plan(
        start,
        line.source,
        f"notice {terms.what}",
        given + seen + _given(terms),
        line.threshold,
        line.name,
        buys=terms.buys,
    )


def _seen(combat: Combat, who: str, said: str) -> tuple[Modifier, ...]:
    one_of(said, ("", *tables.VISIBILITY), "visibility")
    name = said or situation(combat).visibility
    if not name:
        return ()
    line = tables.VISIBILITY[name]
    best = max(getattr(line, sense.replace("-", "_")) for sense in sheet(combat, who).vision)
    return (Modifier(best, f"visibility: {name}", line.source),) if best else ()


def social(combat: Combat, by: str, terms: t.SocialTerms) -> Plan:
    """One of the Charisma-linked tests; the target's best skill counts.

    Source: SR4S Charisma-Linked Opposed Tests
    """
    check_another(combat, by, terms.at)
    one_of(terms.test, tuple(tables.SOCIAL), "test")
    line = tables.SOCIAL[terms.test]
    theirs = [needed(combat, terms.at, name, line.target_attribute) for name in line.target_skills]
    their = max(theirs, key=lambda base: base.value)
    start = needed(combat, by, line.skill, line.attribute)
    return Plan(start, line.source, line.name, _given(terms), against=terms.at, their=their, buys=terms.buys)


def conceal(combat: Combat, by: str, terms: t.ConcealTerms) -> Plan:
    """Finding what somebody hides: Perception, changed by what it is, against Palming.

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
        start, line.source, f"find {terms.item}", given + _given(terms), against=terms.at, their=their, buys=terms.buys
    )


def knowledge(combat: Combat, by: str, terms: t.KnowledgeTerms) -> Plan:
    """Knowing something.

    Source: SR4S Knowledge Skill Table
    """
    line = _row(tables.KNOWLEDGE, terms.knowledge, "knowledge")
    _check_skill(terms.skill)
    start = needed(combat, by, terms.skill)
    return Plan(start, line.source, f"know {terms.what}", _given(terms), line.threshold, line.name, buys=terms.buys)


# ------------------------------------------------------------------------------------------------ things


def search(combat: Combat, by: str, terms: t.SearchTerms) -> Plan:
    """Looking for data: Data Search and the browse program.

    Source: SR4S Matrix Search Table
    """
    line = _row(tables.SEARCH_THRESHOLDS, terms.difficulty, "difficulty")
    area = _interval(tables.SEARCH_AREAS, terms.area, "area")
    browse = matrix(combat, by).programs.get("browse")
    if browse is None:
        raise no.Incomplete(
            f"{by} has no browse program", where=f"combatants.{by}.sheet", accepts="matrix.programs.browse"
        )
    rated = needed(combat, by, "data search")
    skill = rated.rated or -1
    start = Base(browse + skill, f"browse {browse} {skill:+d} data search", (), rated.rated)
    return Plan(
        start,
        line.source,
        f"search for {terms.what}",
        _virtual(combat, by) + _given(terms),
        line.threshold,
        line.name,
        interval=area,
        task=terms.what,
        buys=terms.buys,
    )


def availability(combat: Combat, by: str, terms: t.AvailabilityTerms) -> Plan:
    """Finding something to buy, an interval by its cost.

    Source: SR4S Availability Interval
    """
    rows = tables.AVAILABILITY.values()
    line = next(row for row in rows if not row.upto or terms.cost <= row.upto)
    start = needed(combat, by, "negotiation")
    return Plan(
        start, line.source, f"find {terms.what}", _given(terms), terms.threshold, "Availability", interval=line,
        task=terms.what, buys=terms.buys,
    )  # fmt: skip


def build(combat: Combat, by: str, terms: t.BuildTerms) -> Plan:
    """Building or repairing.

    Source: SR4S Build/Repair Table
    """
    line = _row(tables.BUILD_THRESHOLDS, terms.item, "item")
    for name in terms.modifiers:
        one_of(name, tuple(tables.BUILD_MODIFIERS), "modifiers")
    rows = [tables.BUILD_MODIFIERS[name] for name in dict.fromkeys(terms.modifiers)]
    logic = attribute(combat, by, "logic")
    given = _one_of_each(
        (row.group, Modifier(min(0, logic - 5) if row.rating else row.modifier, row.name, row.source)) for row in rows
    )
    _check_skill(terms.skill)
    threshold = max(line.threshold, terms.threshold or 0) if line.more else line.threshold
    return Plan(
        needed(combat, by, terms.skill),
        line.source,
        terms.what,
        given + _given(terms),
        threshold,
        line.name,
        interval=_interval(tables.EXTENDED_INTERVALS, terms.interval, "interval"),
        task=terms.what,
        buys=terms.buys,
    )


def _one_of_each(rows: Iterable[tuple[str, Modifier]]) -> tuple[Modifier, ...]:
    """Of the lines of one group only that which changes most counts.

    Source: SR4S Build/Repair Table; Ruling: SR4-N25
    """
    found: dict[str, Modifier] = {}
    for group, each in rows:
        if group not in found or abs(each.value) > abs(found[group].value):
            found[group] = each
    return tuple(each for each in found.values() if each.value)


def device(_: Combat, __: str, terms: t.DeviceTerms) -> Plan:
    """What a device does by itself: twice its rating.

    Source: SR4S Sample Devices
    """
    one_of(terms.device, tuple(tables.DEVICES), "device")
    line, needs = tables.DEVICES[terms.device], _row(tables.DIFFICULTIES, terms.difficulty, "difficulty")
    start = Base(2 * line.rating, f"Device Rating {line.rating} twice")
    return Plan(start, line.source, terms.what, _given(terms), needs.threshold, needs.name, buys=terms.buys, ails=False)


def sensor(combat: Combat, by: str, terms: t.SensorTerms) -> Plan:
    """Finding something with sensors.

    Source: SR4S Signature Table
    """
    one_of(terms.signature, ("", *tables.SIGNATURE), "signature")
    rated = needed(combat, by, "perception")
    skill = rated.rated or -1
    start = Base(terms.sensor + skill, f"Sensor {terms.sensor} {skill:+d} perception", (), rated.rated)
    line = tables.SIGNATURE.get(terms.signature)
    given = (Modifier(line.value, f"signature: {line.name}", line.source),) if line else ()
    source = "SR4S Signature Table"
    if not terms.against:
        return Plan(
            start,
            source,
            "find it with sensors",
            given + _given(terms),
            terms.threshold,
            "as declared",
            buys=terms.buys,
        )
    check_another(combat, by, terms.against)
    their = needed(combat, terms.against, "infiltration")
    return Plan(
        start,
        source,
        "find it with sensors",
        given + _given(terms),
        against=terms.against,
        their=their,
        buys=terms.buys,
    )


def vehicle(combat: Combat, by: str, terms: t.VehicleTerms) -> Plan:
    """A vehicle test: handling adds dice, terrain hits that are needed.

    Source: SR4S Vehicle Test Threshold Table, Terrain Table, Handling Rating Table
    """
    line = _row(tables.VEHICLE_THRESHOLDS, terms.difficulty, "difficulty")
    one_of(terms.terrain, tuple(tables.TERRAIN), "terrain")
    one_of(terms.vehicle, ("", *tables.HANDLING), "vehicle")
    _check_skill(terms.skill)
    ground = tables.TERRAIN[terms.terrain]
    own = terms.handling or sheet(combat, by).handling
    handling = tables.HANDLING[terms.vehicle].value if terms.vehicle else own
    given = (Modifier(handling, "handling", "SR4S Handling Rating Table"),) if handling else ()
    start = needed(combat, by, terms.skill, "reaction")
    if terms.against:
        check_another(combat, by, terms.against)
        their, other = needed(combat, terms.against, terms.skill, "reaction"), sheet(combat, terms.against).handling
        theirs = (Modifier(other, "handling", "SR4S Handling Rating Table"),) if other else ()
        return Plan(
            start, line.source, "drive", given + _given(terms), against=terms.against, their=their,
            their_modifiers=theirs, buys=terms.buys,
        )  # fmt: skip
    why = f"{line.name} {line.threshold}, {ground.name} terrain {ground.value:+d}"
    return Plan(start, line.source, "drive", given + _given(terms), line.threshold + ground.value, why, buys=terms.buys)


# ------------------------------------------------------------------------------------------------ magic


def assense(combat: Combat, by: str, terms: t.AssenseTerms) -> Plan:
    """Reading an aura: the more hits, the more it tells.

    Source: SR4S Assensing Table
    """
    if terms.at:
        check_here(combat, terms.at, "at")
    return Plan(
        needed(combat, by, "assensing"),
        "SR4S Assensing Table",
        f"assense {terms.at or terms.what}",
        _given(terms),
        tells=learned,
        buys=terms.buys,
    )


def learned(count: int) -> str:
    """What so many hits tell of an aura.

    Source: SR4S Assensing Table

    >>> learned(0)
    'nothing'
    """
    rows = [row for row in tables.ASSENSING.values() if row.hits <= count]
    return "; ".join(word for row in rows for word in row.information if row.hits) or "nothing"


def track(combat: Combat, by: str, terms: t.TrackTerms) -> Plan:
    """Following an astral link.

    Source: SR4S Astral Tracking Modifiers
    """
    spirits = tuple(row.name for row in tables.TRACKING.values() if row.group)
    one_of(terms.spirit, ("", *spirits), "spirit")
    hour, ward = (row for row in tables.TRACKING.values() if not row.group)
    more = hour.value * terms.hours + max(1, ward.value) * terms.barrier
    if terms.spirit:
        more += tables.TRACKING[terms.spirit].value
    why = f"{terms.threshold} {more:+d}" if more else "as declared"
    return Plan(
        needed(combat, by, "assensing"),
        hour.source,
        f"track {terms.what}",
        _given(terms),
        terms.threshold + more,
        why,
        interval=tables.EXTENDED_INTERVALS["long"],
        task=terms.what,
        buys=terms.buys,
    )


# ------------------------------------------------------------------------------------------------ care


def stabilize(combat: Combat, by: str, terms: t.StabilizeTerms) -> Plan:
    """Stopping the bleeding of somebody dying.

    Source: SR4 244 Stabilization; Ruling: SR4-N18
    """
    check_another(combat, by, terms.who)
    if not combat.conditions.has(terms.who, "dying") or combat.conditions.has(terms.who, "dead"):
        raise no.CannotAct(f"{terms.who} is not dying", where="who", accepts="somebody whose overflow has boxes")
    given = (Modifier(terms.modifier, "as declared", "SR4 244 Stabilization"),) if terms.modifier else ()

    def stop(now: Combat, _: int) -> Telling:
        return (yield ConditionLost(terms.who, "dying", "stabilized")) if now else now

    start, source = needed(combat, by, "first aid"), "SR4 244 Stabilization"
    return Plan(start, source, f"stabilize {terms.who}", given, 2, "to stabilize", does=stop)


def rest(combat: Combat, by: str, terms: t.RestTerms) -> Plan:
    """An hour's rest for Stun, a day's for Physical: a box for each hit.

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
"""By track: the two attributes, and the interval (SR4 242 Healing)."""

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
    "vehicle": (t.VehicleTerms, vehicle),
    "assense": (t.AssenseTerms, assense),
    "track": (t.TrackTerms, track),
    "stabilize": (t.StabilizeTerms, stabilize),
    "rest": (t.RestTerms, rest),
}
"""By kind of declaration: its terms, and what it rolls."""


def plan(combat: Combat) -> Plan:
    """The test on the table."""
    now = frame(combat)
    kind, planner = PLANS[now.kind]
    return planner(combat, now.by, typed(now.terms, kind))


def checked(kind: str, *, awake: bool = True) -> Callable[[Combat, str, Any], None]:
    """What refuses a kind of test: words that no table has, sheets that lack what is rolled, whoever is out."""

    def check(combat: Combat, by: str, terms: Any) -> None:
        if awake:
            check_able(combat, by, "when they are up again")
        found = PLANS[kind][1](combat, by, terms)
        dice = found.start.value + sum(each.value for each in found.modifiers)
        if found.buys and dice < DICE_FOR_A_HIT:
            raise no.CannotAct(f"{by} has too few dice to buy hits", where="buys", accepts="four dice or more")

    return check
