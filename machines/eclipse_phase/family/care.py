"""Care: whom it may help, the test, what is healed, and the time that it takes."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from ledger.events import DamageHealed, RollRequested, WoundHealed
from machines.contract import refusals as no
from machines.contract.chart import HERE, Deed
from machines.contract.figure_names import FigureName
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
from machines.eclipse_phase.family.success import asked
from machines.eclipse_phase.family.turn import spend
from projections.combat import Combat


class Treating(Protocol):
    """A declaration of care."""

    @property
    def who(self) -> str:
        """The patient."""

    @property
    def skill(self) -> str:
        """What is rolled; empty where nothing is said."""


TREATMENT, HEALING = "treatment", "healing"
"""The roles of the test, and of the dice that say how much is healed."""


def patient(combat: Combat) -> str:
    """Who is cared for.

    Source: EP1 208 Healing and Repair; EP2 12/17 Healing and Repair
    """
    return str(declared(combat).who)


TREATED_DAMAGE = FigureName("treated damage", int, scope="combatant")
TREATED_WOUNDS = FigureName("treated wounds", int, scope="combatant")
"""What care has left of somebody's injuries."""


def harm(combat: Combat, who: str) -> Mapping[FigureName[int], int]:
    """What is wrong with somebody, by the name of the figure that remembers what care has left of it.

    Source: EP1 208 Medical Care; EP2 12/17 First Aid
    """
    return {
        TREATED_DAMAGE: combat.health.track(who, "damage").taken,
        TREATED_WOUNDS: combat.wounds.count(who),
    }


def is_hurt(combat: Combat, who: str) -> bool:
    """Is there anything to heal?

    Source: EP1 208 Medical Care; EP2 12/17 First Aid
    """
    return any(harm(combat, who).values())


def is_untreated(combat: Combat, who: str) -> bool:
    """Is there more than care has left?

    Source: EP1 208 Medical Care; EP2 12/17 First Aid; Ruling: EP1-N34, EP2-N26
    """
    return any(value > name.of(combat, who) for name, value in harm(combat, who).items())


def is_shell(combat: Combat, who: str) -> bool:
    """Is it a synthetic body, or a thing, that is repaired and does not heal?

    Source: EP1 208 Synthmorph and Object Repair; EP2 12/17 Synthmorph/Object Repair
    """
    return combat.roster[who].thing or bool(edition(combat).sheets.sheet(combat, who).synthetic)


# ------------------------------------------------------------------------------------------------ what may be declared


def check_care(combat: Combat, by: str, who: str) -> None:
    """Refuse care by whoever cannot act, and for whoever is not here, or dead.

    Source: EP1 208 Healing and Repair; EP2 12/17 Healing and Repair
    """
    edition(combat).sheets.check_able(combat, by, "somebody who can act")
    check_here(combat, who, "who")
    check_not_lost(combat, who, "dead")


def _check_flesh(combat: Combat, by: str, who: str, skill: str) -> None:
    check_quiet(combat)
    check_care(combat, by, who)
    if is_shell(combat, who):
        raise no.CannotAct(f"{who} does not heal", where="who", accepts="repair")
    edition(combat).needed(combat, by, skill)


def check_first_aid(combat: Combat, by: str, terms: Treating) -> None:
    """Refuse medical care for what has no flesh, for the dead, and for injuries that were treated already.

    Source: EP1 208 Medical Care; EP2 12/17 First Aid
    """
    who = terms.who
    _check_flesh(combat, by, who, terms.skill or edition(combat).words.medicine)
    if not is_untreated(combat, who):
        accepts = "a new injury, surgery or rest" if is_hurt(combat, who) else "somebody who is hurt"
        raise no.CannotAct(f"{who} has no injury that was not treated already", where="who", accepts=accepts)


def check_surgery(combat: Combat, by: str, terms: Treating) -> None:
    """Refuse surgery on what has no flesh, on the dead, and on the healthy.

    Source: EP1 208 Surgery; EP2 12/17 Critical Care
    """
    _check_flesh(combat, by, terms.who, terms.skill or edition(combat).words.surgery)
    if not is_hurt(combat, terms.who):
        raise no.CannotAct(f"{terms.who} is not hurt", where="who", accepts="somebody who is")


def check_repair(combat: Combat, by: str, terms: Treating) -> None:
    """Refuse the repair of flesh, of what is beyond repair, and of what is whole.

    Source: EP1 208 Physical Repairs; EP2 12/17 Physical Repair
    """
    words, who = edition(combat).words, terms.who
    check_quiet(combat)
    check_care(combat, by, who)
    if not is_shell(combat, who):
        raise no.CannotAct(f"{who} cannot be repaired", where="who", accepts=words.repairable)
    if not is_hurt(combat, who):
        raise no.CannotAct(f"{who} is whole", where="who", accepts="something that is not")
    edition(combat).needed(combat, by, terms.skill or words.hardware)


# ------------------------------------------------------------------------------------------------ the test


def care_roll(combat: Combat) -> Iterator[RollRequested]:
    """Whoever treats or repairs rolls."""
    now = frame(combat)
    yield asked(combat, key_of(combat, TREATMENT), now.by, f"{now.kind.replace('_', ' ')}: {patient(combat)}")


def read_care(combat: Combat) -> Deed:
    """Against its target."""
    yield from edition(combat).read(combat, key_of(combat, TREATMENT))
    return None


# ------------------------------------------------------------------------------------------------ what it does


def healing_roll(combat: Combat) -> Iterator[RollRequested]:
    """The points of damage that are healed."""
    dice = edition(combat).healing_dice(combat)
    yield from thrown(combat, key_of(combat, HEALING), frame(combat).by, dice, "damage healed")


def rest_roll(combat: Combat) -> Iterator[RollRequested]:
    """1d10 for each time in which damage heals, all at once."""
    count = edition(combat).rest_dice(combat)
    if count > 0:
        yield from thrown(combat, key_of(combat, HEALING), frame(combat).by, f"{count}d10", "damage healed")


def mend(combat: Combat, who: str, damage: int, wounds: int, source: str, track: str = "damage") -> Telling:  # noqa: PLR0917
    """Points and wounds, or stress and traumas, are gone.

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
    """Everything that was broken is put right."""
    who = patient(combat)
    damage, wounds = combat.health.track(who, "damage").taken, combat.wounds.count(who)
    combat = yield from mend(combat, who, damage, wounds, HERE)
    yield from edition(combat).recover(combat, who)
    return None


def pass_the_time(combat: Combat) -> Deed:
    """The hours pass, for everybody."""
    yield from spend(combat, declared(combat).hours * 60)
    return None
