"""Hypothesis strategies for Shadowrun, 4th edition: sheets, declarations, situations."""

from collections.abc import Mapping
from typing import Any

from drawing import STRANGER, one_of, some, words
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ledger.commands import Declare
from ledger.events import Json
from machines.shadowrun_4e.sheet.sheet_access import arms
from machines.shadowrun_4e.tables import tables as t
from projections.combat import Combat

CODES = ("5P", "6S(e)", "(STR/2 + 3)P", "12P(f)", "(BOD/2)S", "(STR Min. +2)P", "2S", "(CHA/2)P")
ATTRIBUTES = ("body", "agility", "reaction", "strength", "charisma", "intuition", "logic", "willpower")
SKILLS = (
    "automatics", "pistols", "blades", "clubs", "unarmed combat", "dodge", "throwing weapons", "archery", "astral combat", "spellcasting",
    "counterspelling", "summoning", "assensing", "cybercombat", "hacking", "data search", "perception", "first aid", "negotiation", "palming",
    "infiltration", "pilot ground craft", "hardware", "con", "intimidation", "leadership", "etiquette",
)  # fmt: skip
PROGRAMS = ("attack", "black hammer", "blackout", "armor", "biofeedback filter", "browse")


def _weapons() -> SearchStrategy[Json]:
    more = {
        "ap": one_of(("-1", "+2", "-half", "-6", "")), "reach": st.integers(0, 3), "armor": one_of(("ballistic", "impact")),
        "modes": st.lists(one_of(("SS", "SA", "BF", "FA")), max_size=3, unique=True), "ammo": st.integers(1, 40),
        "recoil": st.integers(0, 5), "gyro": st.integers(0, 4), "heavy": st.booleans(), "range": one_of(t.WEAPON_RANGES),
        "sight": one_of(("", "laser sight", "smartlink")), "magnification": st.booleans(), "load": one_of(t.AMMUNITION),
        "strength_minimum": st.integers(1, 5), "focus": st.integers(0, 3), "breaks": st.booleans(),
        "barrier": one_of(t.BARRIER_DAMAGE), "grenade": one_of(t.GRENADES), "scatter": one_of(("", *t.SCATTER)),
    }  # fmt: skip
    kinds = ("astral", "weapon focus", "matrix", "melee", "unarmed", "ranged", "ranged", "melee")
    return some(more, kind=one_of(kinds), skill=one_of(SKILLS[:9]), damage=one_of(CODES))


def sheets() -> SearchStrategy[Json]:
    """Draws valid sheets, also ready-made ones."""
    attribute, rating = st.integers(1, 8), st.integers(0, 6)
    row, own = one_of(t.WEAPONS), _weapons()
    named = st.dictionaries(one_of(("knife", "gun", "stunner")), own | own | row, min_size=1, max_size=3)
    matrix = some(
        {"rating": rating, "signal": st.integers(0, 9)},
        response=rating, system=rating, firewall=rating, programs=st.dictionaries(one_of(PROGRAMS), rating, max_size=5),
    )  # fmt: skip
    more = {
        "edge": st.integers(0, 4), "magic": st.integers(0, 6), "force": st.integers(0, 6), "passes": st.integers(1, 4),
        "initiative": st.integers(0, 12), "plane": one_of(t.PLANES), "metatype": one_of(("human", "troll", "dwarf")),
        "vision": st.lists(one_of(("normal", "low-light", "thermographic", "ultrasound")), min_size=1, max_size=2),
        "specializations": st.sampled_from([{}, *({skill: row.name} for row in t.SPECIALIZATIONS.values() for skill in row.skills)]),
        "armor": some({
            "ballistic": st.integers(0, 14), "impact": st.integers(0, 12), "mystic": rating, "nonconductive": rating, "metal": st.booleans(),
        }),
        "hardened": st.integers(0, 8), "immune": st.booleans(), "vehicle": st.booleans(), "handling": st.integers(-3, 3),
        "spells": st.lists(one_of(t.SPELLS), max_size=4, unique=True), "tradition": one_of(t.TRADITIONS), "matrix": matrix,
    }  # fmt: skip
    body = {
        "skills": st.dictionaries(one_of(SKILLS), rating, max_size=10),
        "weapons": named | named | st.lists(row, min_size=1, max_size=3, unique=True),
    }
    whole = some(more, **dict.fromkeys(ATTRIBUTES, attribute), **body)
    others = {name: drawn for name, drawn in more.items() if name not in ("magic", "tradition", "spells")}
    magician = some(
        others, **dict.fromkeys(ATTRIBUTES, attribute), **body, magic=st.integers(1, 6), tradition=one_of(t.TRADITIONS),
        spells=st.lists(one_of(t.SPELLS), min_size=1, max_size=4, unique=True),
    )  # fmt: skip
    poor = some(
        {name: attribute for name in ATTRIBUTES if name not in ("reaction", "intuition")},
        reaction=attribute,
        intuition=attribute,
        **body,
    )
    drawn = st.one_of(
        whole,
        whole,
        magician,
        poor,
        st.sampled_from([each for each in t.SHEETS.values() if "material" not in each]),
    )
    return drawn.map(_at_home)


def _at_home(sheet: Json) -> Json:
    """Returns a combatant's sheet; without Matrix ratings it does not act in the Matrix."""
    return sheet if sheet.get("matrix") or "sim" not in sheet.get("plane", "") else {**sheet, "plane": "physical"}


def declarations(combat: Combat, offer: Declare) -> SearchStrategy[Declare]:
    """Draws variations of an offered declaration, mostly legal."""
    by, others = offer.by, tuple(who for who in combat.roster.here() if who != offer.by)
    if offer.kind == "attack":
        return _attacks(combat, offer, others)
    if offer.kind == "cast":
        return _spells(combat, offer, others)
    weapons = one_of(("knife", "gun", "stunner"))
    terms: Mapping[str, SearchStrategy[Json]] = {
        "simple": some({"stand": st.booleans(), "repair": one_of(("gun_jammed", "knife_dropped"))}, what=st.just("draws")),
        "complex": some({}), "free": some({"prone": st.booleans()}), "aim": some({"using": weapons}, at=one_of(others or (STRANGER,))),
        "reload": some({}, weapon=weapons), "move": some({"meters": st.integers(0, 40)}, how=one_of(("walk", "run"))),
        "suppress": some({"area": words}, using=weapons), "delay": some({}), "shift": some({}, plane=one_of(t.PLANES)),
        "summon": some({}, force=st.integers(1, 12)), "full_defense": some({}),
        "counterspell": some({}, protects=st.lists(one_of(combat.roster.here()), min_size=1, max_size=2, unique=True)),
        "drop": some({}, spell=one_of(t.SPELLS)),
    }  # fmt: skip
    return st.one_of([drawn.map(lambda said, kind=kind: Declare(kind, by, said)) for kind, drawn in terms.items()])


def _caught(combat: Combat) -> SearchStrategy[Json]:
    place = some(
        {"direction": st.integers(1, 6), "rebounds": st.lists(st.integers(0, 9), max_size=2)}, meters=st.integers(0, 12)
    )
    return st.dictionaries(one_of(combat.roster.here()), place, min_size=1, max_size=3)


def _declared(rows: Mapping[str, Any]) -> list[str]:
    return [name for name, row in rows.items() if row.declared]


def _attacks(combat: Combat, offer: Declare, others: tuple[str, ...]) -> SearchStrategy[Declare]:
    mine = arms(combat, offer.by)
    weapon = mine.get(str(offer.terms["using"])) or next(
        iter(mine.values())
    )  # a weapon may be declared with the attack
    table = t.RANGED_MODIFIERS if weapon.kind == "ranged" else t.MELEE_MODIFIERS
    more: dict[str, SearchStrategy[Any]] = {
        "modifiers": st.lists(one_of(_declared(table)), max_size=2, unique=True), "visibility": one_of(t.VISIBILITY),
        "theirs": st.lists(one_of(_declared({**t.DEFENSE_MODIFIERS, **t.MELEE_MODIFIERS})), max_size=2, unique=True),
        "unaware": st.booleans(), "defenseless": st.booleans(), "distance": st.integers(0, 120), "friends": st.integers(0, 5), "enemies": st.integers(0, 5),
        "charge": st.booleans(), "reach": one_of(("attacker", "defender")), "called": one_of(t.CALLED_SHOTS), "called_for": st.integers(1, 4),
        "harms": one_of(("physical", "stun")), "ammunition": one_of(t.AMMUNITION), "buys": st.booleans(), "wide": st.booleans(),
        "mode": one_of([name for name, row in t.FIRING_MODES.items() if row.burst or row.rounds == 1]), "also": one_of(mine),
    }  # fmt: skip
    if weapon.grenade:
        more |= {"caught": _caught(combat), "sensor": st.integers(0, 6), "grenade": one_of(t.GRENADES)}
    few = st.lists(one_of(more), max_size=4, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: more[name] for name in names})
    )
    plain = few.map(lambda terms: Declare("attack", offer.by, {**offer.terms, **terms}))
    several = st.lists(one_of(others), min_size=1, max_size=3, unique=True)
    spread = some({"mode": st.just("full burst")}, at=several).map(
        lambda said: Declare("attack", offer.by, {**offer.terms, **said})
    )
    bare_hands = _weapons().map(lambda own: Declare("attack", offer.by, {**offer.terms, "using": own}))
    return st.one_of(plain, plain, plain, spread, bare_hands)


def _spells(combat: Combat, offer: Declare, others: tuple[str, ...]) -> SearchStrategy[Declare]:
    more: dict[str, SearchStrategy[Any]] = {
        "force": st.integers(1, 12), "visibility": one_of(t.VISIBILITY), "sustain": st.booleans(), "spells": st.integers(1, 3),
        "split": st.integers(1, 6), "modifiers": st.lists(one_of(_declared(t.RANGED_MODIFIERS)), max_size=1),
        "threshold": st.integers(0, 4), "at": st.lists(one_of(others), max_size=2, unique=True) if others else st.just([]),
    }  # fmt: skip
    return some(more).map(lambda said: Declare("cast", offer.by, {**offer.terms, **said}))


def anytime(combat: Combat) -> SearchStrategy[Declare]:
    """Draws declarations at any time or between fights, legal or not."""
    who = one_of(combat.roster.here())
    told = {"modifier": st.integers(-6, 6), "buys": st.booleans()}
    skill = one_of(SKILLS)
    terms: Mapping[str, SearchStrategy[Json]] = {
        "test": some({**told, "difficulty": one_of(t.DIFFICULTIES), "against": who, "attribute": one_of(ATTRIBUTES), "their_skill": skill}, skill=skill),
        "extended": some({**told, "interval": one_of(t.EXTENDED_INTERVALS)}, skill=skill, difficulty=one_of(t.EXTENDED_THRESHOLDS)),
        "perception": some({**told, "noticing": one_of(t.PERCEPTION_THRESHOLDS), "rating": st.integers(0, 4), "visibility": one_of(t.VISIBILITY),
                            "modifiers": st.lists(one_of(t.PERCEPTION_MODIFIERS), max_size=3)}),
        "social": some(told, at=who, test=one_of(t.SOCIAL)), "conceal": some(told, at=who, item=one_of(("-4", "smg", "katana", "knife"))),
        "knowledge": some(told, skill=st.just("street knowledge: gangs"), knowledge=one_of(t.KNOWLEDGE)),
        "search": some({**told, "area": one_of(t.SEARCH_AREAS), "difficulty": one_of(t.SEARCH_THRESHOLDS)}),
        "availability": some(told, threshold=st.integers(1, 12), cost=st.integers(1, 20_000)),
        "build": some({**told, "modifiers": st.lists(one_of(t.BUILD_MODIFIERS), max_size=2)}, skill=st.just("hardware"), item=one_of(t.BUILD_THRESHOLDS)),
        "device": some({**told, "difficulty": one_of(t.DIFFICULTIES)}, device=one_of(t.DEVICES)),
        "sensor": some({**told, "signature": one_of(t.SIGNATURE), "against": who}, sensor=st.integers(0, 6)),
        "drive": some({**told, "terrain": one_of(t.TERRAIN), "vehicle": one_of(t.HANDLING), "against": who}, skill=st.just("pilot ground craft")),
        "assense": some({**told, "at": who}), "track": some({"hours": st.integers(0, 9), "spirit": one_of(("", "bound spirit"))}),
        "stabilize": some({}, who=who), "rest": some({}, track=one_of(("stun", "physical"))),
        "signal": some({"at": who}, distance=st.integers(0, 5000)), "alert": some({}),
        "explosion": some({"damage": one_of(CODES), "falloff": st.integers(0, 3), "grenade": one_of(("", *t.GRENADES)), "ap": one_of(("-2", "-half"))},
                          caught=_caught(combat)),
        "dumpshock": some({}), "summon": some({}, force=st.integers(1, 8)), "full_defense": some({}), "act": some({}), "edge": some({}), "buy": some({}),
        "extra_pass": some({}), "go_first": some({}), "burn": some({}, use=one_of(("critical", "survive"))), "suppressed": some({}, at=who),
        "free": some({}), "counterspell": some({}, protects=st.lists(who, max_size=2, unique=True)), "drop": some({}, spell=one_of(t.SPELLS)),
    }  # fmt: skip
    return st.one_of([st.builds(Declare, st.just(kind), who, drawn) for kind, drawn in terms.items()])


def situations(combat: Combat) -> SearchStrategy[Json]:
    """Draws the situation of a beginning fight, mostly legal."""
    lists = st.lists(one_of(combat.roster.here()), min_size=1, max_size=2, unique=True)
    return some({
        "place": words, "ambushers": lists, "alert": lists, "surprise": st.booleans(), "visibility": one_of(t.VISIBILITY),
    })  # fmt: skip
