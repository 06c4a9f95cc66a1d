"""What depends on a point of Edge after a roll: from how many hits on more of them change nothing."""

from collections.abc import Callable, Mapping

from ledger.key import role
from machines.contract.dice_reading import Stakes
from machines.secrecy.roll_questions import are_public
from machines.shadowrun_4e.attack.attack import GRAZES
from machines.shadowrun_4e.attack.attack_context import DEFEND, RESIST, TO_HIT, attack
from machines.shadowrun_4e.harm.damage import DV
from machines.shadowrun_4e.magic.drain import DRAIN
from machines.shadowrun_4e.magic.spell_context import casting
from machines.shadowrun_4e.magic.spellcasting import CAST, HARMS, RESISTED, shared_by, shared_hits, shared_key
from machines.shadowrun_4e.profile import profile
from machines.shadowrun_4e.success_tests.edge import EDGE
from machines.shadowrun_4e.success_tests.pools import BURNED, GLITCH
from projections.combat import Combat
from projections.path import Rest


def stakes(combat: Combat, rest: Rest) -> Stakes:
    """Returns what depends on a choice.

    Source: SR4 67 Edge, SR4S Combat Sequence 3C, 5
    """
    key, _, name = rest.key.rpartition("/")
    place, _, test = key.rpartition("/")
    if name != EDGE or test not in ENOUGH or not combat.rolls[key].outcome or not are_public(combat, key):
        return Stakes()
    hits = combat.rolls[key].rolled
    enough, standing = ENOUGH[test](combat, place, hits)
    matters = enough is None or hits < enough or GLITCH.at(combat, key, "none") != "none"
    return Stakes(matters, f"{_count(hits)} {standing}" if standing else "")


def _to_dodge(combat: Combat, place: str, hits: int) -> tuple[int | None, str]:
    """Returns the hits with which an attack misses.

    Source: SR4S Combat Sequence 3C, SR4 139 Grazing Hits, 68 Burning Edge
    """
    hit = role(place, TO_HIT)
    if not combat.rolls[hit].outcome or not are_public(combat, hit):
        return None, ""
    theirs = combat.rolls[hit].rolled
    is_special = attack(combat).grenade is not None or BURNED.is_at(combat, hit)
    may_graze = GRAZES[profile(combat).grazing] is not None
    return None if is_special else theirs + may_graze, _compared(hits, theirs)


def _to_resist_spell(combat: Combat, _: str, hits: int) -> tuple[int | None, str]:
    """Returns the hits with which a spell does nothing: as many as the caster's if it harms, else one more.

    Source: SR4 173 Spellcasting, 68 Burning Edge; Ruling: SR4-N15
    """
    now = casting(combat)
    cast = role(now.key, CAST)
    by = shared_by(combat, now)
    if not combat.rolls[cast].outcome or not are_public(combat, cast) or BURNED.is_at(combat, cast):
        return None, ""
    if by and not are_public(combat, shared_key(now, by)):
        return None, ""
    shared, theirs = shared_hits(combat, now), combat.rolls[cast].rolled
    enough = max(0, theirs + (now.spell.effect not in HARMS) - shared)
    return enough, _compared(hits + shared, theirs)


def _compared(hits: int, theirs: int) -> str:
    """Returns how hits stand against the others, in words."""
    ahead = "a tie" if hits == theirs else f"you are {'ahead' if hits > theirs else 'behind'} by {abs(hits - theirs)}"
    return f"against {theirs}: {ahead}"


def _to_resist(combat: Combat, place: str, hits: int) -> tuple[int | None, str]:
    return _to_stop(DV.at(combat, place), hits) if DV.is_at(combat, place) else (None, "")


def _to_resist_drain(combat: Combat, place: str, hits: int) -> tuple[int | None, str]:
    return _to_stop(DRAIN.at(combat, place), hits) if DRAIN.is_at(combat, place) else (None, "")


def _to_stop(harm: int, hits: int) -> tuple[int, str]:
    left = max(0, harm - hits)
    return harm, f"against {harm}: {left or 'no'} {'box' if left == 1 else 'boxes'} left"


def _count(hits: int) -> str:
    return f"{hits} {'hit' if hits == 1 else 'hits'}"


ENOUGH: Mapping[str, Callable[[Combat, str, int], tuple[int | None, str]]] = {
    DEFEND: _to_dodge,
    RESIST: _to_resist,
    RESISTED: _to_resist_spell,
    DRAIN.name: _to_resist_drain,
}
"""For each test, (combat, its place, its hits): the hits from which on more of them change nothing, None if unknown;
and how its hits stand against the others, in words."""
