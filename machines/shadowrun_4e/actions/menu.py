"""`IN_PHASE`: the actions of an Action Phase with their menu lines, charts, terms, checks and offers."""

from collections.abc import Iterable, Iterator

from ledger.commands import Declare
from ledger.events import ChoiceRequested, Json, Option
from machines.contract.action import Action, Actions, Line, once
from machines.contract.offering import Words, next_action, others
from machines.shadowrun_4e import chart
from machines.shadowrun_4e.actions import other_chart, validation
from machines.shadowrun_4e.actions import terms as t
from machines.shadowrun_4e.actions.action_costs import complex_left, free_left, simple_left
from machines.shadowrun_4e.actions.actions import is_shot
from machines.shadowrun_4e.attack import targeting
from machines.shadowrun_4e.attack.attack_context import TO_HIT, modes, suppressive
from machines.shadowrun_4e.attack.modifiers import PRONE
from machines.shadowrun_4e.magic.spellcasting import spells_left
from machines.shadowrun_4e.sheet.sheet_access import GONE, UNABLE, acts_at_once, arms, fits, sheet, spells
from machines.shadowrun_4e.tables.tables import PLANES
from projections.combat import Combat


def ask_action(combat: Combat, options: Iterable[Option]) -> ChoiceRequested:
    """Asks what to declare next; ending the phase is the default."""
    who = combat.turn.who or ""
    is_out = combat.conditions.has(who, *UNABLE) and not acts_at_once(combat, who)
    return next_action(combat, () if is_out else options, in_pass=combat.clock.number)


# ------------------------------------------------------------------------------------------------ what is possible


def briefly(combat: Combat, _: str) -> bool:
    """Returns whether a Simple Action is left."""
    return simple_left(combat) > 0


def simply(combat: Combat, _: str) -> str | bool:
    """Returns the menu line with the Simple Actions left; False for none."""
    left = simple_left(combat)
    return left > 0 and f"Simple Action ({left} left)"


def freely(combat: Combat, who: str) -> str | bool:
    """Returns the menu line with the Free Actions left; False if neither a Free nor a Simple one is."""
    left = free_left(combat, who)
    return (left > 0 or briefly(combat, who)) and f"Free Action ({left} left)"


def at_length(combat: Combat, _: str) -> bool:
    """Returns whether a Complex Action is left."""
    return complex_left(combat)


def can_cast(combat: Combat, who: str) -> str | bool:
    """Returns whether the combatant can cast, or the menu line for a further spell of the same action."""
    if complex_left(combat):
        return bool(spells(combat, who))
    return spells_left(combat, who) > 0 and "cast another spell with the same action"


def can_summon(combat: Combat, who: str) -> bool:
    """Returns whether a combatant with Magic has a Complex Action left."""
    return complex_left(combat) and sheet(combat, who).magic > 0


def can_suppress(combat: Combat, who: str) -> bool:
    """Returns whether a combatant with a fully automatic weapon has a Complex Action left."""
    return complex_left(combat) and any(_suppressions(combat, who))


def can_reload(combat: Combat, who: str) -> bool:
    """Returns whether a combatant with a counted magazine has a Complex Action left."""
    return complex_left(combat) and any(weapon.ammo for weapon in arms(combat, who).values())


def before_acting(combat: Combat, _: str) -> bool:
    """Returns whether nothing was spent in this phase yet."""
    return complex_left(combat) and not combat.turn.spent


# ------------------------------------------------------------------------------------------------ what is offered


def _attacks(combat: Combat, who: str) -> Iterator[Json]:
    """Yields each usable weapon against each other combatant, those that are part of the body last."""
    mine = sorted(arms(combat, who).items(), key=lambda each: each[1].innate)
    usable = [name for name, weapon in mine if fits(combat, who, weapon)]
    for at in others(combat, who, *UNABLE, gone=GONE):
        yield from ({"at": at, "using": name} for name in usable)


def _aims(combat: Combat, who: str) -> Iterator[Json]:
    if any(map(is_shot, arms(combat, who).values())):
        yield from ({"at": at} for at in others(combat, who, *UNABLE, gone=GONE))


def _first(combat: Combat, who: str) -> Iterator[Json]:
    """Yields standing up, and repairing each unusable weapon."""
    if combat.conditions.has(who, PRONE):
        yield {"what": "stands up", "stand": True}
    spoiled = validation.spoiled_arms(combat, who)
    yield from ({"what": "sees to the weapon", "repair": condition} for condition in spoiled)


def _casts(combat: Combat, who: str) -> Iterator[Json]:
    """Yields each spell at Force equal to Magic, against each other combatant if it needs a target."""
    magic = sheet(combat, who).magic
    for name, spell in spells(combat, who).items() if magic else ():
        if spell.effect == "other":
            yield {"spell": name, "force": magic}
        else:
            yield from ({"spell": name, "force": magic, "at": at} for at in others(combat, who, *UNABLE, gone=GONE))


def _suppressions(combat: Combat, who: str) -> Iterator[Json]:
    """Returns terms for each fully automatic weapon."""
    mine, codes = arms(combat, who).items(), set(suppressive().codes)
    return ({"using": name} for name, weapon in mine if set(weapon.modes) & codes)


def _reloads(combat: Combat, who: str) -> Iterator[Json]:
    """Yields each weapon whose magazine is not full."""
    for name in arms(combat, who):
        magazine = combat.resources.resource(who, name)
        if magazine.left < magazine.of:
            yield {"weapon": name}


# ------------------------------------------------------------------------------------------------ words


def _words_of_attack(combat: Combat, declared: Declare) -> Words:
    """Returns the accepted words for an attack's fields, by weapon and roster."""
    mine = arms(combat, declared.by) if declared.by in combat.roster else {}
    weapon = mine.get(str(declared.terms.get("using", "")))
    return {
        "also": tuple(mine),
        "mode": modes(weapon) if weapon else (),
        "through": tuple(who for who, member in combat.roster.who.items() if member.thing),
    }


def _words_of_simple(combat: Combat, declared: Declare) -> Words:
    return {"repair": validation.spoiled_arms(combat, declared.by) if declared.by in combat.roster else ()}


def _words_of_cast(combat: Combat, declared: Declare) -> Words:
    return {"spell": tuple(spells(combat, declared.by)) if declared.by in combat.roster else ()}


def _words_of_reload(combat: Combat, declared: Declare) -> Words:
    return {"weapon": tuple(arms(combat, declared.by)) if declared.by in combat.roster else ()}


IN_PHASE: Actions = {
    "attack": Action(
        title="attack",
        chart=chart.COMBAT,
        terms=t.AttackTerms,
        check=targeting.check_attack,
        offers=_attacks,
        kept=("using", "mode"),
        roll=TO_HIT,
        words=_words_of_attack,
        line=Line(number="3B", title="Resolve: attack", see="SR4S Combat Sequence", possible=briefly),
    ),
    "aim": Action(
        title="take aim",
        chart=other_chart.AIM,
        terms=t.AimTerms,
        check=validation.check_aim,
        offers=_aims,
        line=Line(number="3Bc", title="Take aim", see="SR4 137", possible=briefly),
    ),
    "simple": Action(
        title="Simple Action",
        chart=other_chart.SIMPLE,
        terms=t.SimpleTerms,
        check=validation.check_simple,
        urgent=_first,
        offers=once(what="does something simple"),
        words=_words_of_simple,
        line=Line(number="3Bd", title="Simple Action", see="SR4S Combat Turn Sequence", possible=simply),
    ),
    "shift": Action(
        title="go to another plane",
        chart=other_chart.SHIFT,
        terms=t.ShiftTerms,
        check=validation.check_shift,
        offers=lambda *_: ({"plane": name} for name in PLANES),
        line=Line(number="3Bi", title="Go to another plane", see="SR4 181", possible=briefly),
    ),
    "cast": Action(
        title="cast a spell",
        chart=chart.SPELLCASTING,
        terms=t.CastTerms,
        check=validation.check_cast,
        offers=_casts,
        words=_words_of_cast,
        line=Line(number="3Bb", title="Cast a spell", see="SR4S Spellcasting By The Numbers", possible=can_cast),
    ),
    "summon": Action(
        title="summon a spirit",
        chart=other_chart.SUMMON,
        terms=t.SummonTerms,
        check=validation.check_summon,
        anytime=True,
        line=Line(number="3Bj", title="Summon", see="SR4 179", possible=can_summon),
    ),
    "full_defense": Action(
        title="full defense",
        chart=other_chart.FULL_DEFENSE,
        terms=t.NoTerms,
        check=validation.check_full_defense,
        anytime=True,
        offers=once(),
        breaks_in=lambda combat, who: iter(({},) if combat.turn.who != who else ()),
        line=Line(number="3Bm", title="Full defense", see="SR4 151", possible=at_length),
    ),
    "suppress": Action(
        title="suppressive fire",
        chart=other_chart.SUPPRESS,
        terms=t.SuppressTerms,
        check=validation.check_suppress,
        offers=_suppressions,
        line=Line(number="3Bk", title="Suppressive fire", see="SR4 143", possible=can_suppress),
    ),
    "reload": Action(
        title="reload",
        chart=other_chart.RELOAD,
        terms=t.ReloadTerms,
        check=validation.check_reload,
        offers=_reloads,
        words=_words_of_reload,
        line=Line(number="3Bh", title="Reload", see="SR4 136", possible=can_reload),
    ),
    "complex": Action(
        title="Complex Action",
        chart=other_chart.COMPLEX,
        terms=t.ComplexTerms,
        check=validation.check_complex,
        offers=once(what="does something that takes the whole phase"),
        line=Line(number="3Be", title="Complex Action", see="SR4S Combat Turn Sequence", possible=at_length),
    ),
    "delay": Action(
        title="delay",
        chart=other_chart.DELAY,
        terms=t.NoTerms,
        check=validation.check_delay,
        offers=once(),
        line=Line(number="3Bl", title="Delay", see="SR4 134", possible=before_acting, goto="3z"),
    ),
    "move": Action(
        title="move",
        is_minor=True,
        chart=other_chart.MOVE,
        terms=t.MoveTerms,
        check=validation.check_move,
        offers=lambda *_: ({"how": how} for how in ("walk", "run")),
        line=Line(number="3Bg", title="Move", see="SR4S Movement Rate Table", possible=lambda *_: True),
    ),
    "free": Action(
        title="Free Action",
        is_minor=True,
        chart=other_chart.FREE,
        terms=t.FreeTerms,
        check=validation.check_free,
        anytime=True,
        offers=once(what="does something quick"),
        line=Line(number="3Bf", title="Free Action", see="SR4S Combat Turn Sequence", possible=freely),
    ),
}
"""The actions, in menu order."""
