"""The tests of the screen's tables about devices, vehicles, goods and astral perception."""

from collections.abc import Iterable

from ledger.modifier import Modifier
from machines.contract.refusals import Incomplete
from machines.contract.toolkit import check_another, check_here
from machines.shadowrun_4e.sheet.sheet_access import Base, attribute, matrix, needed, sheet
from machines.shadowrun_4e.success_tests import test_terms as t
from machines.shadowrun_4e.success_tests.parts import check_skill, declared, threshold_of, virtual
from machines.shadowrun_4e.success_tests.resolve import Plan
from machines.shadowrun_4e.tables import tables
from projections.combat import Combat


def search(combat: Combat, by: str, terms: t.SearchTerms) -> Plan:
    """Returns a Matrix search: Data Search and the browse program.

    Source: SR4S Matrix Search Table
    """
    line = tables.SEARCH_THRESHOLDS[terms.difficulty]
    browse = matrix(combat, by).programs.get("browse")
    if browse is None:
        raise Incomplete(
            f"{by} has no browse program", where=f"combatants.{by}.sheet", accepts="matrix.programs.browse"
        )
    rated = needed(combat, by, "data search")
    skill = rated.rated or -1
    start = Base(browse + skill, f"browse {browse} {skill:+d} data search", (), rated.rated, rated.skill)
    return Plan(
        start,
        line.source,
        f"search for {terms.what}",
        virtual(combat, by) + declared(terms),
        line.threshold,
        line.name,
        interval=tables.SEARCH_AREAS[terms.area],
        task=terms.what,
        buys=terms.buys,
    )


def availability(combat: Combat, by: str, terms: t.AvailabilityTerms) -> Plan:
    """Returns the test for finding goods; the interval depends on the price.

    Source: SR4S Availability Interval
    """
    rows = tables.AVAILABILITY.values()
    line = next(row for row in rows if not row.upto or terms.cost <= row.upto)
    start = needed(combat, by, "negotiation")
    return Plan(
        start, line.source, f"find {terms.what}", declared(terms), terms.threshold, "Availability", interval=line,
        task=terms.what, buys=terms.buys,
    )  # fmt: skip


def build(combat: Combat, by: str, terms: t.BuildTerms) -> Plan:
    """Returns the test for building or repairing.

    Source: SR4S Build/Repair Table
    """
    line = tables.BUILD_THRESHOLDS[terms.item]
    rows = [tables.BUILD_MODIFIERS[name] for name in dict.fromkeys(terms.modifiers)]
    logic = attribute(combat, by, "logic")
    given = _one_of_each(
        (row.group, Modifier(min(0, logic - 5) if row.rating else row.modifier, row.name, row.source)) for row in rows
    )
    check_skill(terms.skill)
    return Plan(
        needed(combat, by, terms.skill),
        line.source,
        terms.what,
        given + declared(terms),
        threshold_of(line, terms.threshold, "an open-ended item"),
        line.name,
        interval=tables.EXTENDED_INTERVALS[terms.interval],
        task=terms.what,
        buys=terms.buys,
    )


def _one_of_each(rows: Iterable[tuple[str, Modifier]]) -> tuple[Modifier, ...]:
    """Returns the modifiers, of each group only the largest.

    Source: SR4S Build/Repair Table; Ruling: SR4-N25
    """
    found: dict[str, Modifier] = {}
    for group, each in rows:
        if group not in found or abs(each.value) > abs(found[group].value):
            found[group] = each
    return tuple(each for each in found.values() if each.value)


def device(_: Combat, __: str, terms: t.DeviceTerms) -> Plan:
    """Returns the test of a device without a user: twice its rating.

    Source: SR4S Sample Devices
    """
    line, needs = tables.DEVICES[terms.device], tables.DIFFICULTIES[terms.difficulty]
    start = Base(2 * line.rating, f"Device Rating {line.rating} twice")
    return Plan(
        start, line.source, terms.what, declared(terms), needs.threshold, needs.name, buys=terms.buys, ails=False
    )


def sensor(combat: Combat, by: str, terms: t.SensorTerms) -> Plan:
    """Returns a sensor test.

    Source: SR4S Signature Table
    """
    rated = needed(combat, by, "perception")
    skill = rated.rated or -1
    start = Base(terms.sensor + skill, f"Sensor {terms.sensor} {skill:+d} perception", (), rated.rated, rated.skill)
    line = tables.SIGNATURE.get(terms.signature)
    given = (Modifier(line.value, f"signature: {line.name}", line.source),) if line else ()
    source = "SR4S Signature Table"
    if not terms.against:
        return Plan(
            start,
            source,
            "find it with sensors",
            given + declared(terms),
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
        given + declared(terms),
        against=terms.against,
        their=their,
        buys=terms.buys,
    )


def vehicle(combat: Combat, by: str, terms: t.VehicleTerms) -> Plan:
    """Returns a vehicle test: Handling modifies the dice, terrain the threshold.

    Source: SR4S Vehicle Test Threshold Table, Terrain Table, Handling Rating Table
    """
    line = tables.VEHICLE_THRESHOLDS[terms.difficulty]
    check_skill(terms.skill)
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
            start, line.source, "drive", given + declared(terms), against=terms.against, their=their,
            their_modifiers=theirs, buys=terms.buys,
        )  # fmt: skip
    why = f"{line.name} {line.threshold}, {ground.name} terrain {ground.value:+d}"
    return Plan(
        start, line.source, "drive", given + declared(terms), line.threshold + ground.value, why, buys=terms.buys
    )


# ------------------------------------------------------------------------------------------------ magic


def assense(combat: Combat, by: str, terms: t.AssenseTerms) -> Plan:
    """Returns the test for reading an aura.

    Source: SR4S Assensing Table
    """
    if terms.at:
        check_here(combat, terms.at, "at")
    return Plan(
        needed(combat, by, "assensing"),
        "SR4S Assensing Table",
        f"assense {terms.at or terms.what}",
        declared(terms),
        tells=learned,
        buys=terms.buys,
    )


def learned(count: int) -> str:
    """Returns the information that a number of hits reveals about an aura.

    Source: SR4S Assensing Table

    >>> learned(0)
    'nothing'
    """
    rows = [row for row in tables.ASSENSING.values() if row.hits <= count]
    return "; ".join(word for row in rows for word in row.information if row.hits) or "nothing"


def track(combat: Combat, by: str, terms: t.TrackTerms) -> Plan:
    """Returns the test for following an astral link.

    Source: SR4S Astral Tracking Modifiers
    """
    hour, ward = (row for row in tables.TRACKING.values() if not row.group)
    more = hour.value * terms.hours + max(1, ward.value) * terms.barrier
    if terms.spirit:
        more += tables.TRACKING[terms.spirit].value
    why = f"{terms.threshold} {more:+d}" if more else "as declared"
    return Plan(
        needed(combat, by, "assensing"),
        hour.source,
        f"track {terms.what}",
        declared(terms),
        terms.threshold + more,
        why,
        interval=tables.EXTENDED_INTERVALS["long"],
        task=terms.what,
        buys=terms.buys,
    )
