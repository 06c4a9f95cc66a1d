"""Hypothesis strategies for Eclipse Phase, 2nd edition: sheets, declarations, situations."""

from collections.abc import Mapping
from typing import Any

from drawing import STRANGER, one_of, some, words
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ledger.commands import Declare
from ledger.events import Json
from machines.eclipse_phase.second.sheet.sheet_access import arms
from machines.eclipse_phase.second.tables import tables as t
from projections.combat import Combat

DICE = ("2d10+5", "1d10/2", "3d10", "1d10+1d6-2", "2d6", "3d10+12", "4")
POOLS = ("insight", "moxie", "vigor", "flex", "threat")


def _weapons() -> SearchStrategy[Json]:
    more = {
        "damage": one_of((*DICE, *DICE, "")), "armor": one_of(("kinetic", "energy", "mental", "none")),
        "harms": one_of(("damage", "stress")),
        "modes": st.lists(one_of(name for name, row in t.FIRING_MODES.items() if not row.suppresses), max_size=3, unique=True),
        "ammo": st.integers(1, 60), "chamber": st.integers(0, 2), "range": st.integers(1, 300), "gravity": st.booleans(),
        "area": one_of(("cone", "centered", "uniform")), "radius": st.integers(0, 10),
        "traits": st.lists(one_of(t.WEAPON_TRAITS), max_size=3, unique=True),
        "fires": one_of(("firearm", "railgun", "micromissile")), "infection": st.integers(0, 8),
    }  # fmt: skip
    return some(
        more,
        kind=one_of(("melee", "ranged", "thrown", "placed", "psi")),
        skill=one_of(("melee", "guns", "athletics", "hardware: demolitions", "interface", "psi", "exotic: whips")),
    )


def sheets() -> SearchStrategy[Json]:
    """Draws valid sheets, also ready-made ones."""
    aptitude, skill, armor, points = st.integers(0, 40), st.integers(0, 120), st.integers(0, 15), st.integers(1, 30)
    five = dict.fromkeys(("cog", "int", "ref", "sav", "wil"), aptitude)
    known = one_of((
        "fray", "fray", "guns", "melee", "athletics", "perceive", "infiltrate", "psi", "medicine: paramedic", "hardware: robotics",
        "hardware: demolitions", "free fall", "pilot: air",
    ))  # fmt: skip
    row, own = one_of(t.WEAPONS), _weapons()
    named = st.dictionaries(one_of(("knife", "gun", "stunner")), own | own | row, min_size=1, max_size=3)
    more = {
        "wound_threshold": st.integers(1, 15), "death_rating": st.integers(1, 90), "lucidity": points,
        "trauma_threshold": st.integers(1, 10), "insanity_rating": points, "stress": st.booleans(),
        "pools": st.dictionaries(one_of(POOLS), st.integers(0, 4), max_size=4), "group": one_of(("", "thugs")),
        "specializations": st.dictionaries(known, words, max_size=1), "checks": some(dict.fromkeys(("som", "wil", "ref"), skill)),
        "armor": some({
            "energy": armor, "kinetic": armor, "mental": armor, "layers": st.integers(0, 3),
            "worn": st.lists(one_of(t.ARMOR), max_size=3),
        }),
        "morph": one_of(("biomorph", "biomorph", "pod", "synthmorph", "bot")), "biomods": st.booleans(),
        "size": one_of(t.SIZES), "limbs": st.integers(0, 8), "traits": st.lists(one_of(t.TRAITS), max_size=3, unique=True),
        "movement": st.dictionaries(one_of(t.MOVEMENTS), st.tuples(points, points).map(list), max_size=2),
        "psi": st.integers(0, 3), "threat_level": one_of(("", "yellow")), "minimum_damage": st.just(["kinetic"]),
    }  # fmt: skip
    body = {
        "durability": st.integers(1, 60),
        "skills": st.dictionaries(known, skill, max_size=6),
        "weapons": named | named | st.lists(row, min_size=1, max_size=3, unique=True),
    }
    rolled = some(more, init=st.integers(0, 30), aptitudes=some(five, som=aptitude), **body)
    derived = some(more, aptitudes=st.fixed_dictionaries({"som": aptitude, **five}), **body)
    return st.one_of(rolled, derived, derived, derived, st.sampled_from(tuple(t.SHEETS.values())))


def declarations(combat: Combat, offer: Declare) -> SearchStrategy[Declare]:
    """Draws variations of an offered declaration, mostly legal."""
    by, others = offer.by, tuple(who for who in combat.roster.here() if who != offer.by)
    if offer.kind == "attack":
        return _attacks(combat, offer, others)
    weapons = one_of(("knife", "gun", "stunner"))
    terms: Mapping[str, SearchStrategy[Json]] = {
        "quick": some({"stand": st.booleans()}, what=st.just("draws")),
        "complex": some({"regain": st.booleans(), "repair": one_of(("gun_broken", "knife_dropped")), "mental": st.booleans()}),
        "task": some({"mental": st.booleans()}, what=one_of(("hacks the door", "climbs")), turns=st.integers(2, 3)),
        "full_defense": some({"mental": st.booleans()}),
        "aim": some({"complex": st.booleans()}, at=one_of(others or (STRANGER,))),
        "reload": some({}, weapon=weapons),
        "move": some({"meters": st.integers(0, 40), "way": one_of(("", *t.MOVEMENTS))}, how=one_of(("base", "full", "rush", "other"))),
        "suppress": some({"area": words}, using=weapons),
        "break_free": some({"using": one_of(("melee", "som"))}),
        "hold": some({"do": one_of(("", "choke", "damage", "knockdown", "move"))}),
        "delay": some({}),
    }  # fmt: skip
    return st.one_of([drawn.map(lambda said, kind=kind: Declare(kind, by, said)) for kind, drawn in terms.items()])


def _attacks(combat: Combat, offer: Declare, others: tuple[str, ...]) -> SearchStrategy[Declare]:
    mine = arms(combat, offer.by)
    weapon = mine.get(str(offer.terms["using"])) or next(iter(mine.values()))  # a weapon without a row may be declared
    meters, several = st.integers(0, 120), st.lists(one_of(others), min_size=1, max_size=3, unique=True)
    fitting = [name for name, row in t.SITUATIONS.items() if weapon.kind in row.kinds and not row.automatic]
    called = [name for name, row in t.CALLED_SHOTS.items() if weapon.kind in row.kinds]
    more: dict[str, SearchStrategy[Any]] = {
        "range": one_of(t.RANGES), "modifiers": st.lists(one_of(fitting), max_size=2, unique=True) if fitting else st.just([]),
        "surprised": st.booleans(), "blind": st.booleans(), "distance": meters, "bonus": one_of(("damage", "aim")),
        "aggressive": st.booleans(), "strike": st.booleans(), "perilous": st.booleans(), "push": one_of(("", "range", "power", "target")),
    }  # fmt: skip
    if called:
        more |= {"called": one_of(called), "spot": one_of(("", "knife", "the eye"))}
    if weapon.modes:
        fits = [row.name for row in t.AMMUNITION.values() if row.fits == weapon.fires]
        more |= {"mode": one_of(weapon.modes)} | ({"ammunition": one_of(fits)} if fits else {})
    if weapon.area:
        caught = st.dictionaries(one_of(combat.roster.here()), st.integers(0, 12), max_size=3)
        more |= {"caught": caught, "edge": st.lists(one_of(others), max_size=1), "falloff": st.integers(2, 20)}
    if t.ATTACK_KINDS[weapon.kind].needs_range:
        more |= {"also": st.lists(one_of(mine), max_size=2)}
    else:
        more |= {"extra_weapons": st.integers(0, 3)}
    few = st.lists(one_of(more), max_size=4, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: more[name] for name in names})
    )
    plain = few.map(lambda terms: Declare("attack", offer.by, {**offer.terms, **terms}))
    spread = some({}, at=several).map(lambda terms: Declare("attack", offer.by, {**offer.terms, **terms}))
    bare_hands = _weapons().map(lambda own: Declare("attack", offer.by, {**offer.terms, "using": own}))
    return st.one_of(plain, plain, plain, spread, bare_hands)


def anytime(combat: Combat) -> SearchStrategy[Declare]:
    """Draws declarations at any time or between fights, legal or not."""
    who, modifier = one_of(combat.roster.here()), st.integers(-60, 60)
    dice = one_of(("1d10", "2d10+5", "1d10/2", "3d10", "12"))
    told = {"modifier": modifier, "skill": one_of(("medicine: paramedic", "hardware: robotics"))}
    aptitudes = one_of(("cog", "int", "ref", "sav", "som", "wil"))
    terms: Mapping[str, SearchStrategy[Json]] = {
        "stress": some({
            "sv": dice, "modifier": modifier, "even_so": one_of(("", "half", "2")), "category": one_of(("violence", "the unknown")),
        }, what=one_of(t.EXPERIENCES)),
        "explosion": some({
            "damage": dice, "weapon": one_of(t.WEAPONS), "pierces": st.booleans(), "half_armor": st.booleans(),
            "armor": one_of(("kinetic", "energy", "mental", "none")), "area": one_of(("", "centered", "uniform")),
            "radius": st.integers(0, 5), "harms": one_of(("damage", "stress")), "wounds": st.booleans(),
        }, caught=st.dictionaries(who, st.integers(0, 12), min_size=1, max_size=3)),
        "first_aid": some(told, who=who), "stabilize": some(told, who=who), "repair": some(told, who=who),
        "wake": some({"stimulant": st.booleans()}, who=who),
        "surgery": some({**told, "hours": st.integers(1, 8)}, who=who),
        "rest": some({"means": one_of(("", *t.HEALING_RATES)), "conditions": one_of(t.HEALING_CONDITIONS)},
                     hours=st.sampled_from((1, 5, 24, 24 * 366))),
        "recharge": some({"long": st.booleans(), "keep": st.dictionaries(one_of(POOLS), st.integers(0, 6), max_size=2)}),
        "ongoing": some({"points": st.integers(1, 2)}, aptitude=aptitudes), "ignore": some({"what": one_of(("wound", "trauma"))}),
        "act": some({}), "take_initiative": some({"pool": one_of(POOLS)}), "pool": some({"use": one_of(("ignore", "bonus"))}),
        "suppressed": some({"distance": st.integers(0, 120)}, at=who),
    }  # fmt: skip
    return st.one_of([st.builds(Declare, st.just(kind), who, drawn) for kind, drawn in terms.items()])


def situations(combat: Combat) -> SearchStrategy[Json]:
    """Draws situations at the beginning of a fight, mostly legal."""
    lists = st.lists(one_of(combat.roster.here()), min_size=1, max_size=2, unique=True)
    gravity = st.sampled_from((0, 38, 100, 120, 200))
    return some({
        "place": words, "ambushers": lists, "alert": lists, "gravity": gravity, "acclimated": lists, "vacuum": st.booleans(),
    })  # fmt: skip
