"""Steps 1 to 5 of spellcasting: action, Force, the caster's roll, resistance, net hits."""

from collections.abc import Iterator, Mapping

from ledger.events import (
    Event,
    RollRequested,
)
from ledger.key import role
from machines.contract.assumptions import assume
from machines.contract.chart import Deed
from machines.contract.figure_names import FigureName
from machines.contract.toolkit import Telling, emit, key_of, modified
from machines.secrecy.part_sources import of_roll
from machines.shadowrun_4e.actions.action_costs import spend
from machines.shadowrun_4e.attack.attack import NET, OUTCOME, equal_shares
from machines.shadowrun_4e.attack.modifiers import (
    COVER,
    COVERS,
    FULL_DEFENSE,
    covered,
    declared_rows,
    defended,
    hampered,
    on_the_run,
    row,
    seeing,
)
from machines.shadowrun_4e.magic.spell_context import NTH, Casting, casting
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.sheet.sheet_access import (
    UNABLE,
    Base,
    attribute,
    is_barrier,
    is_specialized,
    is_thing,
    needed,
    rating,
    sheet,
    surprises,
    uses_of_spell,
)
from machines.shadowrun_4e.sheet.specializations import SPECIALIZATION
from machines.shadowrun_4e.success_tests.pools import (
    LIMIT,
    POOL,
    TARGET,
    asked,
    begin,
    burned,
    hits,
    pool,
    prepare,
    resolved,
)
from machines.shadowrun_4e.tables.tables import OBJECT_RESISTANCE, RANGED_MODIFIERS
from projections.combat import Combat

FORCE = FigureName("force", int)
NEEDED_HITS = FigureName("object resistance", int)

CAST, RESISTED = "cast", "resist-spell"
"""The roles of the rolls."""
PROTECTED = "counterspelling"
PROTECTOR = FigureName("protected by", str, scope="combatant")
_STEPS = "SR4S Spellcasting By The Numbers"


# ------------------------------------------------------------------------------------------------ 1 to 4


def choose_spell(combat: Combat) -> Deed:
    """Spends a Complex Action, unless spells of an earlier one are left."""
    now = casting(combat)
    left = spells_left(combat, now.by)
    if not left:
        combat = yield from spend(combat, now.by, "complex", now.key)
    value = left - 1 if left else now.terms.spells - 1
    yield SPELLS_LEFT.found(now.key, value, "", _STEPS, who=now.by)
    return None


SPELLS_LEFT = FigureName("spells of one action left", int, scope="phase")
"""Figure of a caster: the spells still to be cast with the same Complex Action."""


DICE_LEFT = FigureName("dice left for the other spells", int, scope="phase")
"""Figure of a caster: the dice left for the other spells of the same Complex Action."""


def dice_left(combat: Combat, who: str, whole: int) -> int:
    """Returns the dice of a pool that earlier spells of the same action did not use.

    Source: SR4 173 Spellcasting
    """
    return DICE_LEFT.of(combat, who, whole)


def _share(combat: Combat, now: Casting, whole: int) -> int:
    nth = now.terms.spells - 1 - spells_left(combat, now.by)
    return min(equal_shares(whole, now.terms.spells)[nth], dice_left(combat, now.by, whole))


def spells_left(combat: Combat, who: str) -> int:
    """Returns the spells that may still be cast with the Complex Action already spent.

    Source: SR4 173 Spellcasting
    """
    return SPELLS_LEFT.of(combat, who)


def choose_force(combat: Combat) -> Deed:
    """Records the Force; above Magic it is overcasting."""
    now = casting(combat)
    magic = attribute(combat, now.by, "magic")
    over = now.terms.force > magic
    why = f"Magic {magic}" + (", overcasting" if over else "")
    yield FORCE.found(now.key, now.terms.force, why, "SR4 172 Overcasting", who=now.by)
    return None


def prepare_cast(combat: Combat) -> Deed:
    """Builds the pool of Magic + Spellcasting; hits are limited to the Force."""
    now = casting(combat)
    key = role(now.key, CAST)
    start = needed(combat, now.by, "spellcasting", "magic", *uses_of_spell(combat, now.by, now.terms.spell))
    if now.terms.spells > 1:
        mine = now.terms.split or _share(combat, now, start.value)
        if now.terms.split is None:
            combat = yield assume(now.key, "split", f"an equal share: {mine}", _STEPS)
        left = max(0, dice_left(combat, now.by, start.value) - mine)
        combat = yield DICE_LEFT.found(now.key, left, "", _STEPS, who=now.by)
        start = Base(mine, f"{mine} of {start.value}: {start.why}", start.uses, start.rated)
    combat = yield from begin(combat, key, now.by, start, _STEPS)
    combat = yield from emit(combat, _conditions(combat, now, key))
    combat = yield pool(combat, key, now.by)
    yield LIMIT.found(key, now.terms.force, "", "SR4 173 Spellcasting")
    return None


def _conditions(combat: Combat, now: Casting, key: str) -> Iterator[Event]:
    """Yields the modifiers for visibility and cover."""
    if now.targets or now.terms.object_resistance:
        yield from seeing(combat, now.by, now.terms.visibility, key)
    for name in declared_rows(now.terms.modifiers):
        if name not in COVER or COVERS[profile(combat).cover][0]:
            yield row(key, RANGED_MODIFIERS[name])


def cast_roll(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the caster's dice."""
    now = casting(combat)
    yield from asked(combat, role(now.key, CAST), now.by, f"cast {now.terms.spell}")


def read_cast(combat: Combat) -> Deed:
    """Reads the hits, limited to the Force."""
    yield from resolved(combat, key_of(combat, CAST))
    return None


# ------------------------------------------------------------------------------------------------ 5


def determine_effect(combat: Combat) -> Deed:
    """Decides whether the spell is resisted, meets an object's resistance, or only needs hits."""
    now = casting(combat)
    if now.terms.object_resistance and (not now.at or is_thing(combat, now.at)):
        line = OBJECT_RESISTANCE[now.terms.object_resistance]
        needs = getattr(profile(combat), line.threshold_by) if line.threshold_by else line.threshold
        yield NEEDED_HITS.found(now.place, needs, line.name, line.source)
        return "object"
    resisted = now.at and now.row.attribute and not is_barrier(combat, now.at)
    return "resisted" if resisted else "plain"


def prepare_target(combat: Combat) -> Deed:
    """Prepares the target's roll: resistance to a direct spell, or dodging an indirect one.

    Ruling: SR4-N14
    """
    now = casting(combat)
    key, who = now.role(RESISTED), now.at
    if combat.conditions.has(who, *UNABLE) and now.row.resists:
        return None
    if now.row.resists and surprises(combat, now.by, who):
        return None
    word = "response" if now.row.resists and sheet(combat, who).vehicle else now.row.attribute
    own = attribute(combat, who, word)
    start = Base(own, f"{word} {own}", (word,))
    ails = now.row.resists or HAMPERED[profile(combat).spell_resistance]
    combat = yield from prepare(combat, key, who, start, _STEPS, _helps(combat, now, key), ails=ails)
    combat = yield from _prepare_shared(combat, now)
    goal = TARGET.found(key, hits(combat, role(now.key, CAST)), "the caster's hits", _STEPS, who=who)
    yield from of_roll(combat, role(now.key, CAST), [goal])
    return None


HAMPERED: Mapping[str, bool] = {"hampered": True, "free": False}
"""Whether wounds and the like count against a direct spell, by the value of `spell_resistance`."""


def _prepare_shared(combat: Combat, now: Casting) -> Telling:
    """Prepares the one roll of shared Counterspelling dice, before the first target that they protect."""
    by = shared_by(combat, now)
    if not by or POOL.is_at(combat, shared_key(now, by)):
        return combat
    dice, _ = _against(combat, now, now.at)
    start = Base(dice, f"counterspelling {dice}")
    return (yield from prepare(combat, shared_key(now, by), by, start, "SR4 175 Counterspelling", ails=False))


def _helps(combat: Combat, now: Casting, key: str) -> Iterator[Event]:
    who = now.at
    if now.row.counterspelling and not shared_by(combat, now):
        dice, by = _against(combat, now, who)
        yield from modified(key, dice, f"counterspelling: {by}", "SR4 175 Counterspelling")
    if now.row.resists:
        yield from hampered(combat, who, key)
        yield from on_the_run(combat, who, key)
    if now.row.resists and combat.conditions.has(who, FULL_DEFENSE):
        dodge = rating(combat, who, "dodge") or 0
        yield from modified(key, dodge, "full defense: dodge", "SR4S Combat Sequence")
    yield from covered(combat, now.terms.modifiers, key)


def counterspelling(combat: Combat, who: str, caster: str) -> tuple[int, str]:
    """Returns the Counterspelling dice that protect a combatant, and whose they are; 0 if that one cannot act.

    Source: SR4 175 Counterspelling; Ruling: SR4-N44
    """
    held, by = combat.conditions.of(who).get(PROTECTED), PROTECTOR.of(combat, who)
    able = held is not None and not combat.conditions.has(by, *UNABLE)
    given = (held.level or 0) if held and able else 0
    own = _own_dice(combat, who, caster)
    return (own, who) if own > given else (given, by)


def _against(combat: Combat, now: Casting, who: str) -> tuple[int, str]:
    """Returns the Counterspelling dice against the spell that is cast, with the protector's specialization.

    Source: SR4 175 Counterspelling; Ruling: SR4-N46
    """
    dice, by = counterspelling(combat, who, now.by)
    uses = uses_of_spell(combat, now.by, now.terms.spell)
    special = dice and is_specialized(combat, by, "counterspelling", uses)
    return dice + (SPECIALIZATION if special else 0), by


def _own_dice(combat: Combat, who: str, caster: str) -> int:
    """Returns a target's own Counterspelling dice: the skill, unless the target is surprised or cannot act."""
    always = OWN[profile(combat).own_counterspelling]
    prevented = surprises(combat, caster, who) or combat.conditions.has(who, *UNABLE)
    return sheet(combat, who).skills.get("counterspelling", 0) if always and not prevented else 0


OWN: Mapping[str, bool] = {"always": True, "declared": False}
"""Whether a magician's own Counterspelling always counts, by the value of `own_counterspelling`."""


def shared_by(combat: Combat, now: Casting) -> str:
    """Returns whose Counterspelling is rolled once for this target and others of the spell; empty for none.

    Source: SR4 175 Counterspelling; Ruling: SR4-N45
    """
    if not now.row.counterspelling or not ONCE[profile(combat).shared_counterspelling]:
        return ""
    targets = [who for who in now.targets if not is_barrier(combat, who)]
    found = {who: counterspelling(combat, who, now.by) for who in targets}
    dice, by = found.get(now.at, (0, ""))
    if by and POOL.is_at(combat, shared_key(now, by)):
        return by
    return by if dice and [each[1] for each in found.values() if each[0]].count(by) > 1 else ""


ONCE: Mapping[str, bool] = {"once": True, "each": False}
"""Whether dice that protect several targets are rolled once, by the value of `shared_counterspelling`."""


def shared_key(now: Casting, by: str) -> str:
    """Returns the key of the roll of the magician who protects the targets."""
    return role(f"{now.key}/{by}", PROTECTED)


def target_roll(combat: Combat) -> Iterator[RollRequested]:
    """Asks for the target's dice."""
    now = casting(combat)
    yield from asked(combat, now.role(RESISTED), now.at, f"resist {now.terms.spell}")
    by = shared_by(combat, now)
    if by and not combat.rolls[shared_key(now, by)].outcome:
        yield from asked(combat, shared_key(now, by), by, f"protect against {now.terms.spell}")


def read_target(combat: Combat) -> Deed:
    """Reads the target's hits."""
    now = casting(combat)
    key = now.role(RESISTED)
    combat = yield from resolved(combat, key)
    by = shared_by(combat, now)
    if by and not combat.rolls[shared_key(now, by)].outcome:
        combat = yield from resolved(combat, shared_key(now, by))
    if now.row.resists and POOL.is_at(combat, key):
        yield from defended(combat, now.at, now.place)
    return None


def shared_hits(combat: Combat, now: Casting) -> int:
    """Returns the hits of the magician who protects the target with counterspelling."""
    by = shared_by(combat, now)
    return hits(combat, shared_key(now, by)) if by else 0


def compare_spell(combat: Combat) -> Deed:
    """Records net hits, and whether the spell works on this target.

    Ruling: SR4-N15
    """
    now = casting(combat)
    theirs = hits(combat, now.role(RESISTED)) + shared_hits(combat, now)
    resistance = NEEDED_HITS.at(combat, now.place)
    needs = theirs + (resistance or (0 if now.targets else now.terms.threshold))
    combat = yield from burned(combat, role(now.key, CAST), needs, now.role(RESISTED))
    mine = hits(combat, role(now.key, CAST))
    why = f"{mine} against {needs}"
    combat = yield NET.found(now.place, max(0, mine - needs), why, _STEPS)
    harms = now.spell.effect in HARMS
    works = NET.at(combat, now.place) > 0 if harms else mine >= max(1, needs)
    combat = yield OUTCOME.found(now.place, "works" if works else "fails", why, _STEPS)
    if OUTCOME.at(combat, now.place) == "fails":
        return "fails"
    return "harms" if now.at and harms else "works"


HARMS = ("direct", "indirect")
"""Effects that do damage."""


def next_target(combat: Combat) -> Deed:
    """Moves on to the next target of the spell."""
    now = casting(combat)
    if now.nth >= len(now.targets):
        return "nobody"
    yield NTH.found(now.key, now.nth + 1, "", _STEPS)
    return "someone"
