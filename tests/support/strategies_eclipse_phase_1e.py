"""Hypothesis strategies for Eclipse Phase, 1st edition: sheets, declarations, situations."""

from collections.abc import Mapping
from typing import Any

from drawing import STRANGER, one_of, some, words
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ledger.commands import Declare
from ledger.events import Json
from projections.combat import Combat


def _weapons() -> SearchStrategy[Json]:
    from machines.eclipse_phase.first.tables.tables import FIRING_MODES, SKILLS, WEAPON_RANGES

    more = {
        "ap": st.integers(-15, 0), "armor": one_of(("kinetic", "energy", "mental", "none")),
        "harms": one_of(("damage", "stress")),
        "modes": st.lists(one_of(name for name, row in FIRING_MODES.items() if not row.suppresses), max_size=3, unique=True),
        "ammo": st.integers(1, 60), "range_class": one_of(WEAPON_RANGES), "smartlink": st.booleans(),
        "cone": st.booleans(), "area": one_of(("blast", "uniform")), "radius": st.integers(0, 10), "beam": st.booleans(),
        "shock": st.booleans(), "touch": st.booleans(), "strain": st.integers(-3, 3), "two_handed": st.booleans(),
        "reach": st.booleans(), "no_som": st.booleans(),
    }  # fmt: skip
    return some(
        more,
        kind=one_of(("melee", "ranged", "thrown", "psi")),
        skill=one_of(name for name, row in SKILLS.items() if row.attacks),
        damage=one_of(("2d10+5", "1d10/2", "3d10", "1d10+1d6-2", "2d6", "3d10+12", "4")),
    )


def sheets() -> SearchStrategy[Json]:
    from machines.eclipse_phase.first.tables.tables import ARMOR, SHEETS, SKILLS, TRAITS, WEAPONS

    aptitude, skill, armor, points = st.integers(1, 50), st.integers(0, 99), st.integers(0, 15), st.integers(1, 30)
    six = dict.fromkeys(("cog", "coo", "int", "ref", "sav", "wil"), aptitude)
    known = one_of((*SKILLS, "fray", "fray", "infiltration", "perception", "medicine", "hardware", "psychology"))
    row, own = one_of(WEAPONS), _weapons()
    named = st.dictionaries(one_of(("knife", "gun", "stunner")), own | own | row, min_size=1, max_size=3)
    more = {
        "wound_threshold": st.integers(1, 15), "death_rating": st.integers(1, 90), "lucidity": points,
        "trauma_threshold": st.integers(1, 10), "insanity_rating": points, "speed": st.integers(1, 4),
        "moxie": st.integers(0, 10), "specializations": st.dictionaries(known, words, max_size=1),
        "armor": some({
            "energy": armor, "kinetic": armor, "mental": armor, "layers": st.integers(0, 3),
            "worn": st.lists(one_of(ARMOR), max_size=3),
        }),
        "morph": one_of(("biomorph", "pod", "synthmorph", "vehicle")), "handling": st.integers(-30, 30),
        "traits": st.lists(one_of(TRAITS), max_size=3, unique=True), "movement": st.tuples(points, points).map(list),
    }  # fmt: skip
    body = {
        "durability": st.integers(1, 60),
        "skills": st.dictionaries(known, skill, max_size=5),
        "weapons": named | named | st.lists(row, min_size=1, max_size=3, unique=True),
    }
    rolled = some(more, init=st.integers(0, 120), aptitudes=some(six, som=aptitude), **body)
    derived = some(more, aptitudes=st.fixed_dictionaries({"som": aptitude, **six}), **body)
    return st.one_of(rolled, derived, derived, st.sampled_from(tuple(SHEETS.values())))


def declarations(combat: Combat, offer: Declare) -> SearchStrategy[Declare]:
    by, others = offer.by, tuple(who for who in combat.roster.here() if who != offer.by)
    if offer.kind == "attack":
        return _attacks(combat, offer, others)
    weapons = one_of(("knife", "gun", "stunner"))
    terms: Mapping[str, SearchStrategy[Json]] = {
        "quick": some({"stand": st.booleans()}, what=st.just("draws")),
        "complex": some({"regain": st.booleans(), "repair": one_of(("gun_jammed", "knife_dropped"))}),
        "task": some({}, what=one_of(("hacks the door", "climbs")), turns=st.integers(2, 3)),
        "full_defense": some({"mental": st.booleans()}),
        "aim": some({"complex": st.booleans()}, at=one_of(others or (STRANGER,))),
        "reload": some({"quick": st.booleans()}, weapon=weapons),
        "move": some({"meters": st.integers(0, 40)}, how=one_of(("walk", "run", "sprint", "swim", "crawl"))),
        "suppress": some({"area": words}, using=weapons),
        "break_free": some({"by": one_of(("unarmed combat", "som"))}),
        "delay": some({}),
    }
    return st.one_of([drawn.map(lambda said, kind=kind: Declare(kind, by, said)) for kind, drawn in terms.items()])


def _attacks(combat: Combat, offer: Declare, others: tuple[str, ...]) -> SearchStrategy[Declare]:
    from machines.eclipse_phase.first.sheet.sheet_access import arms
    from machines.eclipse_phase.first.tables.tables import (
        AMMUNITION,
        ATTACK_KINDS,
        CALLED_SHOTS,
        RANGES,
        SITUATIONS,
    )

    mine = arms(combat, offer.by)
    weapon = mine.get(str(offer.terms["using"])) or next(iter(mine.values()))  # a weapon without a row may be declared
    meters, several = st.integers(0, 120), st.lists(one_of(others), min_size=1, max_size=3, unique=True)
    fitting = [name for name, row in SITUATIONS.items() if weapon.kind in row.kinds and not row.automatic]
    called = [name for name, row in CALLED_SHOTS.items() if weapon.kind in row.kinds]
    more: dict[str, SearchStrategy[Any]] = {
        "range": one_of(RANGES), "modifiers": st.lists(one_of(fitting), max_size=2, unique=True),
        "surprised": st.booleans(), "blind": st.booleans(), "distance": meters, "bonus": one_of(("damage", "aim")),
    }  # fmt: skip
    if called:
        more |= {"called": one_of(called), "spot": one_of(("", "knife", "the eye"))}
    if weapon.modes:
        more |= {"mode": one_of(weapon.modes), "ammunition": one_of(AMMUNITION)}
    if weapon.area:
        more |= {"caught": st.dictionaries(one_of(combat.roster.here()), st.integers(0, 12), max_size=3)}
    if ATTACK_KINDS[weapon.kind].needs_range:
        more |= {"also": st.lists(one_of(mine), max_size=3)}
    else:
        more |= {"extra_weapons": st.integers(0, 3)}
    plain = some(more).map(lambda terms: Declare("attack", offer.by, {**offer.terms, **terms}))
    spread = some({}, at=several).map(lambda terms: Declare("attack", offer.by, {**offer.terms, **terms}))
    bare_hands = _weapons().map(lambda own: Declare("attack", offer.by, {**offer.terms, "using": own}))
    return st.one_of(plain, plain, plain, spread, bare_hands)


def anytime(combat: Combat) -> SearchStrategy[Declare]:
    from machines.eclipse_phase.first.tables.tables import (
        EXPERIENCES,
        HEALING_CONDITIONS,
        HEALING_RATES,
        WEAPONS,
    )

    who, modifier = one_of(combat.roster.here()), st.integers(-60, 60)
    dice = one_of(("1d10", "2d10+5", "1d10/2", "3d10", "12"))
    told = {"modifier": modifier, "skill": one_of(("medicine", "hardware"))}
    terms: Mapping[str, SearchStrategy[Json]] = {
        "stress": some({"sv": dice, "modifier": modifier}, what=one_of(EXPERIENCES)),
        "explosion": some({
            "damage": dice, "weapon": one_of(WEAPONS), "ap": st.integers(-10, 0), "half_armor": st.booleans(),
            "armor": one_of(("kinetic", "energy", "mental", "none")), "area": one_of(("", "blast", "uniform")),
            "radius": st.integers(0, 5), "harms": one_of(("damage", "stress")), "wounds": st.booleans(),
        }, caught=st.dictionaries(who, st.integers(0, 12), min_size=1, max_size=3)),
        "first_aid": some(told, who=who),
        "surgery": some({**told, "hours": st.integers(1, 8)}, who=who),
        "repair": some(told, who=who),
        "rest": some({"means": one_of(HEALING_RATES), "conditions": one_of(HEALING_CONDITIONS)},
                      hours=st.sampled_from((1, 5, 24, 24 * 366))),
        "therapy": some({
            "modifier": modifier, "psychosurgery": st.booleans(), "disorders": st.integers(0, 6),
        }, who=who),
        "reflect": some({"heal": one_of(("stress", "trauma"))}),
        "act": some({}), "act_first": some({}), "moxie": some({}),
        "suppressed": some({"distance": st.integers(0, 120)}, at=who),
    }  # fmt: skip
    return st.one_of([
        st.builds(Declare, st.just(kind), who, drawn) for kind, drawn in terms.items()
    ])  # fmt: skip


def situations(combat: Combat) -> SearchStrategy[Json]:
    several = st.lists(one_of(combat.roster.here()), min_size=1, max_size=2, unique=True)
    gravity = st.sampled_from((0, 38, 100, 120, 200))
    return some({"place": words, "ambushers": several, "alert": several, "gravity": gravity, "acclimated": several})
