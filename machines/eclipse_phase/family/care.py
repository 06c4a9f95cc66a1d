"""Care: who may be treated, the test, what is healed, and the time it takes."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from ledger.events import DamageHealed, RollRequested, WoundHealed
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
from machines.contract.refusals import CannotAct
from machines.contract.toolkit import (
    Telling,
    check_here,
    check_not_lost,
    check_quiet,
    frame,
    key_of,
    thrown,
)
from machines.eclipse_phase.family.edition import declared, edition
from machines.eclipse_phase.family.success import d100_request
from machines.eclipse_phase.family.turn import spend_time
from projections.combat import Combat


class Treating(Protocol):
    """Terms of a declaration of care."""

    @property
    def who(self) -> str:
        """The patient."""

    @property
    def skill(self) -> str:
        """Skill that is rolled; empty for the usual one."""


TREATMENT, HEALING = "treatment", "healing"
"""Roles of the test and of the dice for the damage healed."""


def patient(combat: Combat) -> str:
    """Returns the patient.

    Source: EP1 208 Healing and Repair; EP2 12/17 Healing and Repair
    """
    return str(declared(combat).who)


TREATED_DAMAGE = FigureName("treated damage", int, scope="combatant")
TREATED_WOUNDS = FigureName("treated wounds", int, scope="combatant")
"""What care has left of a combatant's injuries."""


def harm(combat: Combat, who: str) -> Mapping[FigureName[int], int]:
    """Returns a combatant's damage and wounds, by the figure that records what remained after care.

    Source: EP1 208 Medical Care; EP2 12/17 First Aid
    """
    return {
        TREATED_DAMAGE: combat.health.track(who, "damage").taken,
        TREATED_WOUNDS: combat.wounds.count(who),
    }


def is_hurt(combat: Combat, who: str) -> bool:
    """Returns whether there is anything to heal.

    Source: EP1 208 Medical Care; EP2 12/17 First Aid
    """
    return any(harm(combat, who).values())


def is_untreated(combat: Combat, who: str) -> bool:
    """Returns whether a combatant has more harm than the last care left.

    Source: EP1 208 Medical Care; EP2 12/17 First Aid; Ruling: EP1-N34, EP2-N26
    """
    return any(value > name.of(combat, who) for name, value in harm(combat, who).items())


def is_shell(combat: Combat, who: str) -> bool:
    """Returns whether a combatant is a synthetic body or an object, which is repaired and does not heal.

    Source: EP1 208 Synthmorph and Object Repair; EP2 12/17 Synthmorph/Object Repair
    """
    return combat.roster[who].thing or bool(edition(combat).sheets.sheet(combat, who).synthetic)


# ------------------------------------------------------------------------------------------------ checks


def check_care(combat: Combat, by: str, who: str) -> None:
    """Rejects care by a combatant who cannot act, and for one who is absent or dead.

    Source: EP1 208 Healing and Repair; EP2 12/17 Healing and Repair
    """
    edition(combat).sheets.check_able(combat, by, "a combatant who can act")
    check_here(combat, who, "who")
    check_not_lost(combat, who, "dead")


def _check_flesh(combat: Combat, by: str, who: str, skill: str) -> None:
    check_quiet(combat)
    check_care(combat, by, who)
    if is_shell(combat, who):
        raise CannotAct(f"{who} does not heal", where="who", accepts="repair")
    edition(combat).needed(combat, by, skill)


def check_first_aid(combat: Combat, by: str, terms: Treating) -> None:
    """Rejects medical care for synthetic bodies, the dead, and injuries that were already treated.

    Source: EP1 208 Medical Care; EP2 12/17 First Aid
    """
    who = terms.who
    _check_flesh(combat, by, who, terms.skill or edition(combat).words.medicine)
    if not is_untreated(combat, who):
        accepts = "a new injury, surgery or rest" if is_hurt(combat, who) else "a combatant who is hurt"
        raise CannotAct(f"{who} has no injury that was not treated already", where="who", accepts=accepts)


def check_surgery(combat: Combat, by: str, terms: Treating) -> None:
    """Rejects surgery on synthetic bodies, the dead and the unhurt.

    Source: EP1 208 Surgery; EP2 12/17 Critical Care
    """
    _check_flesh(combat, by, terms.who, terms.skill or edition(combat).words.surgery)
    if not is_hurt(combat, terms.who):
        raise CannotAct(f"{terms.who} is not hurt", where="who", accepts="a combatant who is")


def check_repair(combat: Combat, by: str, terms: Treating) -> None:
    """Rejects the repair of living bodies, of what is destroyed, and of what is undamaged.

    Source: EP1 208 Physical Repairs; EP2 12/17 Physical Repair
    """
    words, who = edition(combat).words, terms.who
    check_quiet(combat)
    check_care(combat, by, who)
    if not is_shell(combat, who):
        raise CannotAct(f"{who} cannot be repaired", where="who", accepts=words.repairable)
    if not is_hurt(combat, who):
        raise CannotAct(f"{who} is undamaged", where="who", accepts="something that is damaged")
    edition(combat).needed(combat, by, terms.skill or words.hardware)


# ------------------------------------------------------------------------------------------------ the test


def care_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the test of the combatant who treats or repairs."""
    now = frame(combat)
    yield d100_request(combat, key_of(combat, TREATMENT), now.by, f"{now.kind.replace('_', ' ')}: {patient(combat)}")


def read_care(combat: Combat) -> Deed:
    """Reads the test of care against its target."""
    yield from edition(combat).read(combat, key_of(combat, TREATMENT))
    return None


# ------------------------------------------------------------------------------------------------ what it does


def healing_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests the dice for the damage healed."""
    dice = edition(combat).healing_dice(combat)
    yield from thrown(combat, key_of(combat, HEALING), frame(combat).by, dice, "damage healed")


def rest_roll(combat: Combat) -> Iterator[RollRequested]:
    """Requests 1d10 for each healing period of the rest, in one roll."""
    count = edition(combat).rest_dice(combat)
    if count > 0:
        yield from thrown(combat, key_of(combat, HEALING), frame(combat).by, f"{count}d10", "damage healed")


def mend(combat: Combat, who: str, damage: int, wounds: int, source: str, track: str = "damage") -> Telling:  # noqa: PLR0917
    """Heals damage and wounds, or stress and traumas.

    Source: EP1 208 Healing and Repair; EP2 12/17 Healing and Repair
    """
    now = frame(combat)
    why = now.kind.replace("_", " ")
    if damage > 0:
        combat = yield DamageHealed(who, track, damage, now.key, why, source)
    if wounds > 0:
        kind = edition(combat).tracks[track].wounds
        combat = yield WoundHealed(who, track, wounds, kind, now.key, why, source)
    return combat


def restore(combat: Combat) -> Deed:
    """Heals all damage and wounds of a repaired combatant."""
    who = patient(combat)
    damage, wounds = combat.health.track(who, "damage").taken, combat.wounds.count(who)
    combat = yield from mend(combat, who, damage, wounds, HERE)
    yield from edition(combat).recover(combat, who)
    return None


def pass_the_time(combat: Combat) -> Deed:
    """Passes the hours of the care for all combatants."""
    yield from spend_time(combat, declared(combat).hours * 60)
    return None
