"""Hypothesis strategies for GURPS, 3rd edition: sheets, declarations, situations."""

from collections.abc import Mapping
from typing import Any

from drawing import STRANGER, one_of, some, visible, words
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ledger.commands import Declare
from ledger.events import Json
from machines.gurps_3e.attack.targeting import aims_at
from machines.gurps_3e.sheet.sheet_access import EVERYWHERE, kind_of, weapons_of
from machines.gurps_3e.tables import tables as t
from projections.combat import Combat

SKILLS = ("broadsword", "knife", "guns", "bow", "karate", "fencing", "shield", "brawling")
WEAPONS = ("knife", "gun", "sword")
FORMS = ("to_hit", "damage", "two_attacks", "feint")
PARTS = (EVERYWHERE, *dict.fromkeys(row.covered for row in t.HIT_LOCATIONS.values()))


def _weapons() -> SearchStrategy[Json]:
    more = {
        "of": one_of(("broadsword", "")), "thrust": st.booleans(), "swung": st.booleans(), "parries": st.booleans(),
        "parry_bonus": st.integers(-2, 2), "natural": st.booleans(), "needs_readying": st.booleans(), "cheap": st.booleans(),
        "sturdy": st.booleans(), "ss": st.integers(0, 20), "acc": st.integers(0, 12), "scope": st.integers(0, 4),
        "snap_shot": st.integers(-4, 0), "rcl": st.integers(-4, 0), "rof": st.integers(1, 12), "automatic": st.booleans(),
        "shots": st.integers(1, 30), "max": st.integers(1, 2000), "st": st.integers(0, 14), "recoilless": st.booleans(),
        "ammunition": one_of(t.AMMUNITION), "armor_divisor": st.integers(1, 10),
    }  # fmt: skip
    return some(
        more,
        kind=one_of(t.ATTACK_KINDS),
        skill=one_of(SKILLS[:6]),
        damage=one_of(("1d", "1d-3", "2d+1", "1d+2", "5d", "6d6+2", "16d")),
        type=one_of(t.DAMAGE_TYPES),
    )


def sheets() -> SearchStrategy[Json]:
    """Draws valid sheets, also ready-made ones."""
    attribute, level = st.integers(1, 20), st.integers(1, 20)
    worn = some({
        "pd": st.integers(0, 4), "dr": st.integers(0, 12), "flexible": st.booleans(),
        "against": st.dictionaries(one_of(t.DAMAGE_TYPES), st.integers(0, 8), max_size=2),
    })  # fmt: skip
    more = {
        "iq": attribute, "hit_points": st.integers(1, 30), "fatigue": attribute, "will": st.integers(-3, 3), "move": st.integers(0, 9),
        "dodge": st.integers(0, 12), "size": st.integers(-2, 3), "armor": st.dictionaries(one_of(PARTS), worn, max_size=3),
        "shield": some({"kind": one_of(t.SHIELDS), "pd": st.integers(0, 4), "skill": one_of(SKILLS)}),
        "natural_dr": st.integers(0, 3), "arms": st.lists(one_of(t.ARMS), max_size=2, unique=True), "ambidextrous": st.booleans(), "high_pain_threshold": st.booleans(),
        "vulnerable": st.dictionaries(one_of(t.DAMAGE_TYPES), st.integers(0, 6), max_size=1),
    }  # fmt: skip
    drawn = some(
        more, st=st.integers(5, 20), dx=attribute, ht=st.integers(3, 16), skills=st.dictionaries(one_of(SKILLS), level, min_size=4, max_size=8),
        weapons=st.dictionaries(one_of(WEAPONS), _weapons(), min_size=1, max_size=3),
    )  # fmt: skip
    return st.one_of(drawn, drawn, st.sampled_from(tuple(t.SHEETS.values())))


def declarations(combat: Combat, offer: Declare) -> SearchStrategy[Declare]:
    """Draws variations of an offered declaration, mostly legal."""
    by, others = offer.by, tuple(who for who in combat.roster.here() if who != offer.by)
    if offer.kind == "attack":
        return _attacks(combat, offer, others)
    at, weapons = one_of(others or (STRANGER,)), one_of(WEAPONS)
    terms: Mapping[str, SearchStrategy[Json]] = {
        "feint": some({"all_out": st.booleans()}, at=at, using=weapons), "all_out_defense": some({}), "aim": some({}, at=at, using=weapons),
        "wait": some({"watching": st.integers(1, 12) | st.just("line")}), "posture": some({}, to=one_of(t.POSTURES)),
        "ready": some({"what": words, "repair": one_of(("broadsword_dropped", "gun_jammed", "shield_unready")), "reload": weapons}),
        "move": some({"yards": st.integers(0, 10)}), "concentrate": some({"what": words}),
    }  # fmt: skip
    return st.one_of([drawn.map(lambda said, kind=kind: Declare(kind, by, said)) for kind, drawn in terms.items()])


def _attacks(combat: Combat, offer: Declare, others: tuple[str, ...]) -> SearchStrategy[Declare]:
    mine = weapons_of(combat, offer.by)
    weapon = mine.get(str(offer.terms["using"])) or next(iter(mine.values()))  # a weapon without a row may be declared
    kind = kind_of(weapon)
    places = [name for name, row in t.HIT_LOCATIONS.items() if aims_at(weapon, row)]
    lines = [name for name, row in t.ATTACK_MODIFIERS.items() if not (row.melee if kind.ranged else row.ranged)]
    some_others, figure = st.lists(one_of(others), max_size=3, unique=True), st.integers(-4, 4)
    more: dict[str, SearchStrategy[Any]] = {
        "location": one_of(places), "all_out": one_of(FORMS), "random": st.booleans(), "modifiers": st.lists(one_of(lines), max_size=2, unique=True),
        "theirs": st.lists(one_of(("from the side", "from above")), max_size=1), "other": st.dictionaries(visible, figure, max_size=1),
        "their_other": st.dictionaries(visible, figure, max_size=1), "footing": st.integers(-4, 0), "darkness": st.integers(-9, 0),
        "elevation": figure, "their_elevation": figure, "surprise": st.booleans(), "behind": some_others, "melee": some_others,
        "extra_damage": st.dictionaries(visible, figure, max_size=1),
    }  # fmt: skip
    needed: tuple[str, ...] = ("distance",) if kind.ranged else ()
    if kind.ranged:
        yards = st.integers(0, 300)
        more |= {
            "distance": yards, "speed": st.integers(0, 20), "uphill": st.integers(0, 20), "braced": st.booleans(), "pop_up": st.booleans(),
            "near": some_others, "distances": st.dictionaries(one_of(others), yards, max_size=2),
        }  # fmt: skip
    else:
        more |= {"wild": st.booleans()}
    if weapon.automatic:
        more |= {"rounds": st.integers(1, 4), "successive": st.booleans()}
    few = st.lists(one_of(more), max_size=4, unique=True).flatmap(
        lambda names: st.fixed_dictionaries({name: more[name] for name in (*needed, *names)})
    )
    return few.map(lambda terms: Declare("attack", offer.by, {**offer.terms, **terms}))


def anytime(combat: Combat) -> SearchStrategy[Declare]:
    """Draws declarations at any time."""
    who = one_of(combat.roster.here())
    terms: Mapping[str, SearchStrategy[Json]] = {
        "opportunity": some(
            {"watching": st.integers(1, 9), "distance": st.integers(0, 60)}, at=who, using=one_of(WEAPONS)
        ),
        "come_round": some({}),
        "survive": some({}),
    }
    return st.one_of([st.builds(Declare, st.just(kind), who, drawn) for kind, drawn in terms.items()])


def situations(combat: Combat) -> SearchStrategy[Json]:
    """Draws situations at the beginning of a fight."""
    postures = st.dictionaries(one_of(combat.roster.here()), one_of(("kneeling", "prone", "crouching")), max_size=2)
    return some({"place": words, "darkness": st.integers(-9, 0), "footing": st.integers(-4, 0), "postures": postures})
