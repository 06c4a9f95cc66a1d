"""Spellcasting in its seven steps, Drain, counterspelling, summoning."""

from collections.abc import Iterator

from ledger.events import (
    ConditionGained,
    ConditionLost,
    Event,
    ResourceOpened,
    RollRequested,
)
from ledger.key import role
from machines.boxes import down, figure, frame, key_of, modified
from machines.chart import Deed
from machines.ruleset import typed
from machines.shadowrun_4e.actions import spend, spend_free
from machines.shadowrun_4e.attack import NET, OUTCOME, SURPRISED_BY, equal_shares
from machines.shadowrun_4e.blows import PHYSICAL, STUN
from machines.shadowrun_4e.casting import NTH, Casting, casting
from machines.shadowrun_4e.injury import take
from machines.shadowrun_4e.modifiers import (
    COVER,
    COVERS,
    FULL_DEFENSE,
    covered,
    defended,
    hampered,
    on_the_run,
    row,
    seeing,
)
from machines.shadowrun_4e.pools import (
    LIMIT,
    POOL,
    SUSTAINING,
    TARGET,
    against,
    asked,
    begin,
    burned,
    hits,
    pool,
    prepare,
    resolved,
)
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.reading import UNABLE, Base, attribute, both, is_barrier, is_thing, needed, rating, sheet
from machines.shadowrun_4e.tables import OBJECT_RESISTANCE, RANGED_MODIFIERS, TRADITIONS
from machines.shadowrun_4e.terms import CounterspellTerms, DropTerms, SummonTerms
from projections.combat import Combat

CAST, RESISTED, DRAIN, SUMMON, SPIRIT = "cast", "resist-spell", "drain", "summon", "spirit"
"""Roles of the rolls."""
DRAIN_TYPE = "drain type"
PROTECTED, PROTECTOR = "counterspelling", "protected by"
_STEPS = "SR4S Spellcasting By The Numbers"
_DRAIN = "SR4 173 Drain"
_SUMMONING = "SR4 179 Summoning"


# ------------------------------------------------------------------------------------------------ 1 to 4


def choose_spell(combat: Combat) -> Deed:
    """A Complex Action.

    Source: SR4S Spellcasting By The Numbers 1
    """
    now = casting(combat)
    left = spells_left(combat, now.by)
    if not left:
        combat = yield from spend(combat, now.by, "complex", now.key)
    value = left - 1 if left else now.terms.spells - 1
    yield figure(now.key, SPELLS_LEFT, value, "", _STEPS, scope="phase", who=now.by)
    return None


SPELLS_LEFT = "spells of one action left"
"""The figure of whoever casts several at once: how many are still to be cast with the same Complex Action."""


DICE_LEFT = "dice left for the other spells"
"""The figure of whoever casts several at once."""


def dice_left(combat: Combat, who: str, whole: int) -> int:
    """The dice of a pool that are not used for the spells before.

    Source: SR4 173 Spellcasting
    """
    left = combat.figures.of(who, DICE_LEFT)
    return whole if left is None else int(left)


def _share(combat: Combat, now: Casting, whole: int) -> int:
    nth = now.terms.spells - 1 - spells_left(combat, now.by)
    return min(equal_shares(whole, now.terms.spells)[nth], dice_left(combat, now.by, whole))


def spells_left(combat: Combat, who: str) -> int:
    """Spells that may still be cast with the Complex Action that was spent.

    Source: SR4 173 Spellcasting
    """
    return int(combat.figures.of(who, SPELLS_LEFT) or 0)


def choose_force(combat: Combat) -> Deed:
    """As much as Magic, or more: then Drain is Physical.

    Source: SR4S Spellcasting By The Numbers 2, SR4 172 Overcasting
    """
    now = casting(combat)
    magic = attribute(combat, now.by, "magic")
    over = now.terms.force > magic
    why = f"Magic {magic}" + (", overcasting" if over else "")
    yield figure(now.key, "force", now.terms.force, why, "SR4 172 Overcasting", who=now.by)
    return None


def prepare_cast(combat: Combat) -> Deed:
    """Magic and Spellcasting; hits count up to the Force.

    Source: SR4S Spellcasting By The Numbers 4, SR4 173 Spellcasting
    """
    now = casting(combat)
    key = role(now.key, CAST)
    start = needed(combat, now.by, "spellcasting", "magic", now.terms.spell)
    if now.terms.spells > 1:
        mine = now.terms.split or _share(combat, now, start.value)
        left = max(0, dice_left(combat, now.by, start.value) - mine)
        combat = yield figure(now.key, DICE_LEFT, left, "", _STEPS, scope="phase", who=now.by)
        start = Base(mine, f"{mine} of {start.value}: {start.why}", start.uses, start.rated)
    combat = yield from begin(combat, key, now.by, start, _STEPS)
    for event in _conditions(combat, now, key):
        combat = yield event
    combat = yield pool(combat, key, now.by)
    yield figure(key, LIMIT, now.terms.force, "", "SR4 173 Spellcasting")
    return None


def _conditions(combat: Combat, now: Casting, key: str) -> Iterator[Event]:
    """Sight and cover, for whoever is cast at."""
    if now.targets or now.terms.object_resistance:
        yield from seeing(combat, now.by, now.terms.visibility, key)
    for name in dict.fromkeys(now.terms.modifiers):
        if name not in COVER or COVERS[profile(combat).cover][0]:
            yield row(key, RANGED_MODIFIERS[name])


def cast_roll(combat: Combat) -> Iterator[RollRequested]:
    """The caster rolls.

    Source: SR4S Spellcasting By The Numbers 4
    """
    now = casting(combat)
    yield from asked(combat, role(now.key, CAST), now.by, f"cast {now.terms.spell}")


def read_cast(combat: Combat) -> Deed:
    """Hits, as many as the Force allows.

    Source: SR4S Spellcasting By The Numbers 4, SR4 173 Spellcasting
    """
    yield from resolved(combat, key_of(combat, CAST))
    return None


# ------------------------------------------------------------------------------------------------ 5


def determine_effect(combat: Combat) -> Deed:
    """Is it resisted, does it meet a thing's resistance, or does it just need hits?

    Source: SR4S Spellcasting By The Numbers 5
    """
    now = casting(combat)
    if now.terms.object_resistance and (not now.at or is_thing(combat, now.at)):
        line = OBJECT_RESISTANCE[now.terms.object_resistance]
        needs = getattr(profile(combat), line.threshold_by) if line.threshold_by else line.threshold
        yield figure(now.place, "object resistance", needs, line.name, line.source)
        return "object"
    resisted = now.at and now.row.attribute and not is_barrier(combat, now.at)
    return "resisted" if resisted else "plain"


def prepare_target(combat: Combat) -> Deed:
    """What the target resists a direct spell with, or dodges an indirect one; counterspelling helps, as the row says.

    Source: SR4 173 Spellcasting, 175 Counterspelling; Ruling: SR4-N14
    """
    now = casting(combat)
    key, who = now.role(RESISTED), now.at
    if combat.conditions.has(who, *UNABLE) and now.row.resists:
        return None
    if now.row.resists and now.by in str(combat.figures.of(who, SURPRISED_BY) or "").split(", "):
        return None
    word = "response" if now.row.resists and sheet(combat, who).vehicle else now.row.attribute
    own = attribute(combat, who, word)
    start = Base(own, f"{word} {own}", (word,))
    combat = yield from prepare(combat, key, who, start, _STEPS, _helps(combat, now, key), ails=now.row.resists)
    yield figure(key, TARGET, hits(combat, role(now.key, CAST)), "the caster's hits", _STEPS, who=who)
    return None


def _helps(combat: Combat, now: Casting, key: str) -> Iterator[Event]:
    who = now.at
    if now.row.counterspelling:
        dice, by = counterspelling(combat, who)
        yield from modified(key, dice, f"counterspelling: {by}", "SR4 175 Counterspelling")
    if now.row.resists:
        yield from hampered(combat, who, key)
        yield from on_the_run(combat, who, key)
    if now.row.resists and combat.conditions.has(who, FULL_DEFENSE):
        dodge = rating(combat, who, "dodge") or 0
        yield from modified(key, dodge, "full defense: dodge", "SR4S Combat Sequence")
    yield from covered(combat, now.terms.modifiers, key)


def counterspelling(combat: Combat, who: str) -> tuple[int, str]:
    """Dice with which somebody is protected against spells, and by whom; none where their protector is out.

    Source: SR4 175 Counterspelling
    """
    held, by = combat.conditions.of(who).get(PROTECTED), str(combat.figures.of(who, PROTECTOR) or "")
    able = held is not None and not combat.conditions.has(by, *UNABLE)
    return ((held.level or 0) if held and able else 0), by


def target_roll(combat: Combat) -> Iterator[RollRequested]:
    """The target rolls.

    Source: SR4 173 Spellcasting
    """
    now = casting(combat)
    yield from asked(combat, now.role(RESISTED), now.at, f"resist {now.terms.spell}")


def read_target(combat: Combat) -> Deed:
    """The target's hits.

    Source: SR4 173 Spellcasting
    """
    now = casting(combat)
    key = now.role(RESISTED)
    combat = yield from resolved(combat, key)
    if now.row.resists and combat.figures.holds(key, POOL):
        yield from defended(combat, now.at, now.place)
    return None


def compare_spell(combat: Combat) -> Deed:
    """Net hits: none, and the spell does nothing to this target.

    Source: SR4S Spellcasting By The Numbers 5, SR4 173 Spellcasting; Ruling: SR4-N15
    """
    now = casting(combat)
    theirs, resistance = hits(combat, now.role(RESISTED)), combat.figures.number(now.place, "object resistance")
    needs = theirs + (resistance or (0 if now.targets else now.terms.threshold))
    combat = yield from burned(combat, role(now.key, CAST), needs)
    mine = hits(combat, role(now.key, CAST))
    why = f"{mine} against {needs}"
    combat = yield figure(now.place, NET, max(0, mine - needs), why, _STEPS)
    harms = now.spell.effect in HARMS
    works = combat.figures.number(now.place, NET) > 0 if harms else mine >= max(1, needs)
    combat = yield figure(now.place, OUTCOME, "works" if works else "fails", why, _STEPS)
    if combat.figures.word(now.place, OUTCOME) == "fails":
        return "fails"
    return "harms" if now.at and harms else "works"


HARMS = ("direct", "indirect")
"""Effects that do damage."""


def next_target(combat: Combat) -> Deed:
    """The next whom the spell is cast at.

    Source: SR4 173 Spellcasting
    """
    now = casting(combat)
    if now.nth >= len(now.targets):
        return "nobody"
    yield figure(now.key, NTH, now.nth + 1, "", _STEPS)
    return "someone"


# ------------------------------------------------------------------------------------------------ 6, 7


def find_drain(combat: Combat) -> Deed:
    """Half the Force, rounded down, and the spell's own; one more for each further spell cast with it.

    Source: SR4S Spellcasting By The Numbers 6, SR4 173 Drain
    """
    now = casting(combat)
    own, more = now.spell.drain, now.terms.spells - 1
    value = max(1, down(now.terms.force, 2) + own + more)
    why = f"half of Force {now.terms.force} {own:+d}" + (f" {more:+d} for spells at once" if more else "")
    over = now.terms.force > attribute(combat, now.by, "magic")
    combat = yield figure(now.key, DRAIN, value, why, _DRAIN, who=now.by)
    yield figure(now.key, DRAIN_TYPE, PHYSICAL if over else STUN, "overcasting" if over else "", _DRAIN, who=now.by)
    return None


def prepare_drain(combat: Combat) -> Deed:
    """Willpower and the tradition's attribute; neither wounds nor spells kept up count.

    Source: SR4S Spellcasting By The Numbers 6, SR4 173 Drain
    """
    now = frame(combat)
    start = both(combat, now.by, "willpower", TRADITIONS[sheet(combat, now.by).tradition].attribute)
    yield from prepare(combat, key_of(combat, DRAIN), now.by, start, _DRAIN, ails=False)
    return None


def drain_roll(combat: Combat) -> Iterator[RollRequested]:
    """Against Drain.

    Source: SR4S Spellcasting By The Numbers 6
    """
    yield from asked(combat, key_of(combat, DRAIN), frame(combat).by, "resist Drain")


def read_drain(combat: Combat) -> Deed:
    """The hits.

    Source: SR4S Spellcasting By The Numbers 6
    """
    yield from resolved(combat, key_of(combat, DRAIN))
    return None


def suffer_drain(combat: Combat) -> Deed:
    """Each hit takes one from the Drain Value; the rest are boxes.

    Source: SR4 173 Drain
    """
    now = frame(combat)
    value, resisted = combat.figures.number(now.key, DRAIN), hits(combat, key_of(combat, DRAIN))
    why = f"Drain {value} less {resisted} hits"
    combat = yield figure(now.key, "drain boxes", max(0, value - resisted), why, _DRAIN, who=now.by)
    boxes = combat.figures.number(now.key, "drain boxes")
    if boxes:
        yield from take(combat, now.by, combat.figures.word(now.key, DRAIN_TYPE, STUN), boxes, now.key, "Drain")
    return None


def ongoing(combat: Combat) -> Deed:
    """A spell that is kept up takes two dice from everything else.

    Source: SR4S Spellcasting By The Numbers 7
    """
    now = casting(combat)
    places = (now.key, *(f"{now.key}/t{nth}" for nth in range(2, len(now.targets) + 1)))
    works = any(combat.figures.word(place, OUTCOME) == "works" for place in places)
    if works and now.terms.sustain and not combat.conditions.has(now.by, *UNABLE):
        name, level = sustaining(now.terms.spell), hits(combat, role(now.key, CAST))
        yield ConditionGained(now.by, name, level, "dropped", now.key, f"Force {now.terms.force}", _STEPS)
    return "works" if works else "fails"


def sustaining(spell: str) -> str:
    """The condition of whoever keeps up a spell.

    Source: SR4S Spellcasting By The Numbers 7
    """
    return SUSTAINING + spell.replace(" ", "_")


def drop_spell(combat: Combat) -> Deed:
    """A spell is let go.

    Source: SR4 173 Sustained Spells
    """
    now = frame(combat)
    yield ConditionLost(now.by, sustaining(typed(now.terms, DropTerms).spell), "dropped")
    return None


# ------------------------------------------------------------------------------------------------ counterspelling


def protect(combat: Combat) -> Deed:
    """A Free Action: everybody named resists spells with the magician's Counterspelling beside.

    Source: SR4 175 Counterspelling
    """
    now = frame(combat)
    combat = yield from spend_free(combat, now.by, now.key)
    dice, source = rating(combat, now.by, "counterspelling") or 0, "SR4 175 Counterspelling"
    for who in typed(now.terms, CounterspellTerms).protects:
        key = f"{now.key}/{who}"
        combat = yield ConditionGained(who, PROTECTED, dice, "dropped", now.key, f"protected by {now.by}", source)
        combat = yield figure(key, PROTECTOR, now.by, "", source, scope="combatant", who=who)
    return None


# ------------------------------------------------------------------------------------------------ summoning


def prepare_summoning(combat: Combat) -> Deed:
    """Magic and Summoning against the Force.

    Source: SR4 179 Summoning
    """
    now = frame(combat)
    terms = typed(now.terms, SummonTerms)
    if combat.clock.fighting:
        combat = yield from spend(combat, now.by, "complex", now.key)
    start = needed(combat, now.by, "summoning", "magic", terms.spirit)
    combat = yield from prepare(combat, key_of(combat, SUMMON), now.by, start, _SUMMONING)
    spirit = Base(terms.force, f"Force {terms.force}")
    yield from prepare(combat, key_of(combat, SPIRIT), "gm", spirit, _SUMMONING, ails=False)
    return None


def summoning_rolls(combat: Combat) -> Iterator[RollRequested]:
    """Both roll.

    Source: SR4 179 Summoning
    """
    now = frame(combat)
    terms = typed(now.terms, SummonTerms)
    yield from asked(combat, key_of(combat, SUMMON), now.by, f"summon {terms.spirit}")
    yield from asked(combat, key_of(combat, SPIRIT), "gm", f"{terms.spirit} resists")


def read_summoning(combat: Combat) -> Deed:
    """Both are read.

    Source: SR4 179 Summoning
    """
    for name in (SPIRIT, SUMMON):
        key = key_of(combat, name)
        combat = yield from resolved(combat, key)
        if name == SUMMON:
            theirs = hits(combat, key_of(combat, SPIRIT))
            combat = yield from against(combat, key, theirs, "the spirit's hits", _SUMMONING)
    return None


def services(combat: Combat) -> Deed:
    """Net hits are services; the spirit's hits make the Drain, Physical above the magician's Magic.

    Source: SR4 179 Summoning
    """
    now = frame(combat)
    terms = typed(now.terms, SummonTerms)
    theirs = hits(combat, key_of(combat, SPIRIT))
    net = max(0, hits(combat, key_of(combat, SUMMON)) - theirs)
    combat = yield figure(now.key, NET, net, "services", _SUMMONING, who=now.by)
    over = terms.force > attribute(combat, now.by, "magic")
    combat = yield figure(now.key, DRAIN, max(2, 2 * theirs), f"twice the spirit's {theirs} hits", _DRAIN, who=now.by)
    kind = PHYSICAL if over else STUN
    combat = yield figure(now.key, DRAIN_TYPE, kind, "Force above Magic" if over else "", _DRAIN, who=now.by)
    net = combat.figures.number(now.key, NET)
    if net:
        yield ResourceOpened(now.by, f"services of {terms.spirit}", net, net)
    return None


def has_it_come(combat: Combat) -> bool:
    """Does the spirit come?

    Source: SR4 179 Summoning
    """
    return combat.figures.number(frame(combat).key, NET) > 0
