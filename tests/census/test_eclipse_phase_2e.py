"""Eclipse Phase, 2nd edition: every face of one attack, counted, as chess programs count the positions of a few moves.

The counts in `eclipse_phase_2e.json` are what `decide` gives. They are counted a second time here by the words of the seed alone:
steps 3 to 9 of seed 002 (EP2 12/01), and what they refer to (`rules/ep.md` 2.1 Test, 2.2 Opposed test, 2.4 Defence, 2.7 Damage and
armour, 2.10 Health, 2.11 Shock, 2.14 Pools). Nothing of that second count is taken from `machines`.

Where those words leave a question, it follows the ruling: a defaulting combatant has no critical success by 00 either (EP2-N24);
a pool's +20 is no modifier that the cap of 60 holds down (EP2-N2); fresh wounds count in their own checks (EP2-C7), but not those of
this hit in the check against its shock (EP2-N20).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from census.counting import (
    ALL_FACES,
    SOME_DEFENSES,
    Census,
    Counts,
    Told,
    check_same,
    figures,
    harm_of,
    is_double,
    key_of,
    printed,
    read,
    recorded_beside,
    resolved,
    strikes,
    versus,
    ways,
    worded,
    wounds_of,
)

from ledger.commands import Choose, Command, Declare, TypeDice
from projections.combat import Combat

# The fight: ann shoots once at bob with 75 at close range, or clubs him with 40; he has Fray 61, of which a half is rounded up, and Melee
# 48. Or she shoots against all odds (of -90 only 60 count), or with all of them for her (+90), at a target as big as a barn.
# Eve has learnt neither to shoot nor to strike: her REF of 40 and her SOM of 45 stand in. Gil has learnt nothing, and has Fray by a REF of
# 23. The async stabs at bob's mind with 60. Max is an ann, ned a bob and oz a cyd with a point of a pool.
GUNS, CLUBS, FRAY, MELEE, REF, SOM_OF_EVE, REF_OF_GIL, PSI, WIL = 75, 40, 61, 48, 40, 45, 23, 60, 15
HALF_FRAY = 31
HOPELESS = ("defender hidden", "defender in major cover", "indirect fire", "attacker in melee")
AGAINST, FOR, AT_MOST = -30 - 30 - 20 - 10, 30 + 20 + 10 + 30, 60
DICE, SIDES, PLUS, MORE_SIDES = 3, 10, 6, 6
ARMOR, PIERCED, DURABILITY, THRESHOLD, DEATH, SOM = 15, 8, 35, 7, 53, 20
FRAIL, ENERGY_ARMOR, SHOCK_SIDES = 5, 5, 6
BODIES = {("biomorph", 32): (6, 48), ("biomorph", 33): (7, 50), ("synthmorph", 33): (7, 66)}
"""Other bodies without armor: (Wound Threshold, Death Rating), rounded to the nearest, of flesh and of metal (`rules/ep.md` 2.10)."""

RIFLE = {"kind": "ranged", "skill": "guns", "damage": f"{DICE}d{SIDES}+{PLUS}", "modes": ["semi", "full"], "range": 100}
CLUB = {"kind": "melee", "skill": "melee", "damage": "1d10"}
ARMS = {
    "rifle": RIFLE,
    "piercer": {**RIFLE, "traits": ["armor-piercing"]},
    "wire": {**RIFLE, "traits": ["fragile"]},
    "club": CLUB,
    "baton": {**CLUB, "traits": ["shock", "touch-only"]},
    "stunner": {**RIFLE, "damage": f"1d{SHOCK_SIDES}", "armor": "energy", "traits": ["shock"]},
    "stab": {"kind": "psi", "skill": "psi", "damage": "2d10", "armor": "mental"},
}
ANN = {
    "init": 9,
    "durability": 30,
    "aptitudes": {"som": 15},
    "skills": {"guns": GUNS, "melee": CLUBS, "fray": 10},
    "weapons": ARMS,
}
BOB = {
    "init": 4,
    "durability": DURABILITY,
    "aptitudes": {"som": SOM, "wil": WIL},
    "skills": {"fray": FRAY, "melee": MELEE},
    "armor": {"kinetic": ARMOR},
}
CYD = {**BOB, "aptitudes": {"som": FRAIL}, "armor": {"energy": ENERGY_ARMOR}}
FIGHTERS = {
    "ann": ANN,
    "bob": BOB,
    "cyd": CYD,
    "eve": {**ANN, "init": 6, "aptitudes": {"ref": REF, "som": SOM_OF_EVE}, "skills": {"fray": FRAY}},
    "gil": {**BOB, "aptitudes": {"som": SOM, "ref": REF_OF_GIL}, "skills": {}},
    "guard": {**BOB, "init": 12},
    "barn": {**BOB, "size": "very large"},
    "shell": {**BOB, "morph": "synthmorph", "traits": ["pain filter"]},
    "async": {**ANN, "skills": {"psi": PSI, "fray": FRAY}, "psi": 2},
    **{
        f"{morph}-{durability}": {**BOB, "durability": durability, "morph": morph, "armor": {}}
        for morph, durability in BODIES
    },
    "max": {**ANN, "pools": {"flex": 1}},
    "ned": {**BOB, "pools": {"vigor": 1}},
    "oz": {**CYD, "pools": {"vigor": 1}},
}
CENSUS = Census("eclipse_phase_2e", FIGHTERS)


# ------------------------------------------------------------------------------------------------ what `decide` gives


def _attacked(by: str, at: str, using: str, defense: str = "fray", **terms: Any) -> Combat:
    return CENSUS.attacked(by, at, defense, using=using, **terms)


def _struck(by: str, at: str, using: str, attack: int = 20, damage: tuple[int, ...] = ()) -> Combat:
    """An attack that hits by this face, and does such damage: what it calls for next is open."""
    faces = {"to-hit": (attack,), "defend": (98,)} | ({"damage": damage} if damage else {})
    thrown = (TypeDice(key_of(by, name), each) for name, each in faces.items())
    return CENSUS.after(_attacked(by, at, using), *thrown)[0]


def _opposed_counts(start: Combat, by: str = "ann", defenses: Sequence[int] = ALL_FACES) -> Counts:
    opposed = CENSUS.opposed(start, by, defenses)
    return dict(Counter(_kind_of(combat, told, by) for _, _, combat, told in opposed))


def _kind_of(combat: Combat, told: Told, by: str) -> str:
    """How an opposed test went, in words: with which dice of damage it goes on, or whether the gamemaster has to rule."""
    dice = [rest.dice for rest in combat.rests if rest.key == key_of(by, "damage")]
    ruled = [", to be ruled on" for rest in combat.rests if rest.key == key_of(by, "critical-ruling")]
    doubled = " doubled" if "damage doubled" in figures(told) else ""
    return versus(told, by) + "".join([*(f", {each}{doubled}" for each in dice), *ruled])


def _helped(use: str) -> Combat:
    """A point is spent on the hopeless shot before it is rolled."""
    start = _attacked("max", "bob", "rifle", modifiers=HOPELESS)
    return CENSUS.after(start, Declare("pool", "max", {"use": use}))[0]


HITS = ((20, 0), (40, 1), (70, 2), (44, 0))
"""A plain hit, with one and two superior successes, a critical one: to hit, further dice of damage."""


def _damage_counts(using: str, attack: int, more: int, at: str = "bob") -> Counts:
    start, counts = _struck("ann", at, using, attack), Counter[str]()
    tens = combinations_with_replacement(range(1, SIDES + 1), DICE)
    sixes = tuple(combinations_with_replacement(range(1, MORE_SIDES + 1), more))
    for faces, others in product(tens, sixes):
        _, told = CENSUS.after(start, TypeDice(key_of("ann", "damage"), faces + others))
        counts[harm_of(told, "incapacitated", "dead")] += ways(faces) * ways(others)
    return dict(counts)


def _checks_counts(at: str, attack: int, damage: tuple[int, ...], *names: str) -> Counts:
    """A hit by this face that does such damage: all faces of the checks that follow."""
    start = _struck("ann", at, "rifle", attack, damage)
    faced = CENSUS.faced(start, *(key_of("ann", name) for name in names))
    return dict(Counter(_state(combat, at) for _, combat, _ in faced))


def _state(combat: Combat, who: str) -> str:
    """Returns the conditions of a combatant, with the time at which each ends."""
    conditions = combat.conditions.of(who).items()
    words = (name + (f" until {each.until}" if each.until.startswith("r") else "") for name, each in conditions)
    return ", ".join(sorted(words)) or "stands"


def _shock_counts(using: str, *damage: tuple[int, ...]) -> Counts:
    """A plain hit that shocks, with such damage: all faces of the check."""
    counts: Counter[str] = Counter()
    for faces in damage:
        for _, combat, _ in CENSUS.faced(_struck("ann", "cyd", using, damage=faces), key_of("ann", "shock")):
            counts[f"{combat.health.track('cyd', 'damage').taken} damage, {_state(combat, 'cyd')}"] += 1
    return dict(counts)


def _uses(start: Combat, by: str, name: str, *then: Command) -> Counts:
    """All faces of a roll: into what a point of a pool can turn them, by its use, and those that it betters in no way."""
    found: dict[str, list[str]] = defaultdict(list)
    key = key_of(by, name)
    for face in ALL_FACES:
        combat, told = CENSUS.after(start, TypeDice(key, (face,)), *then)
        options = [option.option for rest in combat.rests if rest.key == f"{key}/pool" for option in rest.options]
        for option in options or ["nothing"]:
            use = option.partition("_")[0]
            if use == "nothing":
                found[use].append(f"{face:02d}")
            elif use != "pass":
                _, after = CENSUS.after(combat, Choose(f"{key}/pool", option))
                was, now = resolved(told)[key], resolved(after)[key]
                words = f"{use}: {_degree(was.outcome, was.margin)}, then {_degree(now.outcome, now.margin)}"
                found[words].append(_turned(face, now.rolled))
    return {words: " ".join(faces) for words, faces in sorted(found.items())}


def _degree(outcome: str, superior: int) -> str:
    return outcome + (f" and {abs(superior)} superior" if superior else "")


def _turned(face: int, rolled: int) -> str:
    return f"{face:02d}" if face == rolled else f"{face:02d}>{rolled:02d}"


def _everything_opposed() -> Iterator[tuple[str, Counts]]:
    """Step 5 for every pair of faces, and for some defenses where something else is new."""
    guarded = (Declare("full_defense", "guard"), Choose("r1/guard/act/2", "end"))
    easy: dict[str, Any] = {"mode": "full", "bonus": "aim", "range": "point-blank", "modifiers": ("superior position",)}
    for what, by, start in (
        (f"rifle {GUNS} against fray {HALF_FRAY}", "ann", _attacked("ann", "bob", "rifle")),
        (f"club {CLUBS} against melee {MELEE}", "ann", _attacked("ann", "bob", "club", "melee")),
        (f"defaulting: rifle {REF} against fray {HALF_FRAY}", "eve", _attacked("eve", "bob", "rifle")),
        (f"defaulting: club {CLUBS} against melee {SOM_OF_EVE}", "ann", _attacked("ann", "eve", "club", "melee")),
    ):
        yield what, _opposed_counts(start, by)
    for what, by, start in (
        (f"club {CLUBS} against fray {FRAY}", "ann", _attacked("ann", "bob", "club")),
        (f"club {CLUBS} against fray {2 * REF_OF_GIL} by REF", "ann", _attacked("ann", "gil", "club")),
        (
            f"rifle {GUNS} against full defense {HALF_FRAY + 30}",
            "ann",
            _attacked("ann", "guard", "rifle", before=guarded),
        ),
        (f"stab {PSI} against will {3 * WIL}", "async", _attacked("async", "bob", "stab", "will")),
        (f"hopeless {GUNS - AT_MOST}", "ann", _attacked("ann", "bob", "rifle", modifiers=HOPELESS)),
        (f"hopeless but for a pool {GUNS - AT_MOST + 20}", "max", _helped("bonus")),
        (f"hopeless, which a pool ignores {GUNS}", "max", _helped("ignore")),
        (f"certain {GUNS + AT_MOST}", "ann", _attacked("ann", "barn", "rifle", **easy)),
    ):
        yield what, _opposed_counts(start, by, SOME_DEFENSES)
    surprised = CENSUS.faced(_attacked("ann", "bob", "rifle", "", surprised=True), key_of("ann", "to-hit"))
    yield f"surprised by rifle {GUNS}", dict(Counter(_kind_of(combat, told, "ann") for _, combat, told in surprised))


def _everything_harmed() -> Iterator[tuple[str, Counts]]:
    """Steps 6 to 9: all damage; then the checks of wounds, of blood, of shock."""
    for using, armor in (("rifle", ARMOR), ("piercer", PIERCED)):
        for attack, more in HITS:
            yield f"{_dice(more, doubled=is_double(attack))}, armor {armor}", _damage_counts(using, attack, more)
    for morph, durability in BODIES:
        yield f"{_dice(0, doubled=True)}, {morph}-{durability}", _damage_counts("rifle", 44, 0, f"{morph}-{durability}")
    for at in ("bob", "shell"):
        yield f"one wound, {at}", _checks_counts(at, 20, (5, 5, 6), "knockdown")
        yield f"two wounds, {at}", _checks_counts(at, 20, (7, 8, 9), "consciousness")
    yield "five wounds, at Durability", _checks_counts("bob", 44, (6, 6, 7), "consciousness", "stabilize")
    yield "shocked", _shock_counts("stunner", *((face,) for face in range(1, SHOCK_SIDES + 1)))
    yield "shocked by a touch", _shock_counts("baton", ())


def _everything_spent() -> Iterator[tuple[str, Counts]]:
    """A point after the roll."""
    shot, _ = CENSUS.after(_attacked("ann", "ned", "rifle"), TypeDice(key_of("ann", "to-hit"), (20,)))
    missed = TypeDice(key_of("max", "defend"), (98,))
    yield f"a point: to hit {GUNS}", _uses(_attacked("max", "bob", "rifle"), "max", "to-hit", missed)
    fragile = _attacked("max", "bob", "wire", modifiers=HOPELESS)
    yield f"a point: to hit {GUNS - AT_MOST} with what is fragile", _uses(fragile, "max", "to-hit", missed)
    yield f"a point: fray {HALF_FRAY}", _uses(shot, "ann", "defend")
    yield "a point: knockdown", _uses(_struck("ann", "ned", "rifle", damage=(5, 5, 6)), "ann", "knockdown")
    yield "a point: shock", _uses(_struck("ann", "oz", "stunner", damage=(1,)), "ann", "shock")


def decided() -> Counts:
    """Everything, as `decide` gives it."""
    counts: Counts = dict([*_everything_opposed(), *_everything_harmed(), *_everything_spent()])
    return {**counts, "lines of the rifle's attack": _lines(counts)}


def _dice(more: int, *, doubled: bool) -> str:
    """The dice of a hit with the rifle."""
    return f"{DICE}d{SIDES}" + (f"+{more}d{MORE_SIDES}" if more else "") + f"+{PLUS}" + (" doubled" if doubled else "")


RULINGS = 8
"""The number of effects of a critical that the gamemaster can choose: the rows of the book's examples (EP2 03/01)."""


def _lines(counts: Counts) -> int:
    """How many ways there are to play the rifle's attack to its end, die by die."""
    lines = 0
    for kind, count in counts[f"rifle {GUNS} against fray {HALF_FRAY}"].items():
        if kind.startswith("miss"):
            lines += count * (RULINGS if kind.endswith("to be ruled on") else 1)
            continue
        of_damage = counts[f"{kind.partition(', ')[2]}, armor {ARMOR}"]
        lines += count * sum(each * _faces_of_checks(harm) for harm, each in of_damage.items())
    return lines


def _faces_of_checks(harm: str) -> int:
    """A check for wounds, and one to stop bleeding at Durability; none for the dead."""
    checks = 0 if harm.endswith("dead") or ", 0 wounds" in harm else 2 if harm.endswith("incapacitated") else 1
    return 100**checks


# ------------------------------------------------------------------------------------------------ by the seed

Side = Callable[[int], tuple[int, bool, bool]]


def _by_skill(target: int) -> Side:
    return lambda roll: (roll, *read(roll, target))


def _by_aptitude(target: int) -> Side:
    """ "Critical successes are ignored" for a defaulting combatant."""

    def side(roll: int) -> tuple[int, bool, bool]:
        success, critical = read(roll, target)
        return roll, success, critical and not success

    return side


def _superior(roll: int) -> int:
    """Of a success: one from 33 on, two from 66 on."""
    return 2 if roll >= 66 else 1 if roll >= 33 else 0


def _superior_failures(roll: int) -> int:
    """Of a failure: one up to 66, two up to 33."""
    return 2 if roll <= 33 else 1 if roll <= 66 else 0


def _by_the_seed_opposed(
    attacks: Side, defends: Side, more_skilled: bool, dice: str, plus: str = "", defenses: Sequence[int] = ALL_FACES
) -> Counts:
    """Step 5: +1d6 for each superior success; a critical hit doubles the damage instead, and other criticals are the gamemaster's."""
    counts: Counter[str] = Counter()
    for attack, defense in product(map(attacks, ALL_FACES), map(defends, defenses)):
        (roll, hits, sharp), (_, dodges, deft) = attack, defense
        struck = strikes(attack, defense)
        struck = more_skilled if struck is None else struck  # of two equal criticals the higher skill wins
        words = f"{'hit' if struck else 'miss'}: {worded(hits, sharp)} against {worded(dodges, deft)}"
        if struck:
            more = 0 if sharp else _superior(roll)
            words += f", {dice}" + (f"+{more}d{MORE_SIDES}" if more else "") + plus + (" doubled" if sharp else "")
        elif (dodges and deft) or (sharp and not hits):
            words += ", to be ruled on"
        counts[words] += 1
    return dict(counts)


def _shot_by_the_seed(attacks: Side, target: int, defenses: Sequence[int] = ALL_FACES) -> Counts:
    """Against Fray, which is less than the shooters' skill."""
    return _by_the_seed_opposed(attacks, _by_skill(target), True, f"{DICE}d{SIDES}", f"+{PLUS}", defenses)


def _capped(modifiers: int) -> int:
    return max(-AT_MOST, min(AT_MOST, modifiers))


def _by_the_seed_damage(more: int, times: int, armor: int, body: tuple[int, int, int]) -> Counts:
    """Steps 6 to 9, for a body's (Wound Threshold, Durability, Death Rating)."""
    counts: Counter[str] = Counter()
    tens = Counter(map(sum, product(range(1, SIDES + 1), repeat=DICE)))
    sixes = Counter(map(sum, product(range(1, MORE_SIDES + 1), repeat=more)))
    threshold, durability, death = body
    for (rolled, one), (further, other) in product(tens.items(), sixes.items()):
        damage = max(0, (rolled + PLUS + further) * times - armor)
        words = [f"{damage} damage, {wounds_of(damage, threshold)} wounds"]
        words += ["incapacitated"] * (damage >= durability) + ["dead"] * (damage >= death)
        counts[", ".join(words)] += one * other
    return dict(counts)


def _by_the_seed_checks(target: int, certain: tuple[str, ...], *checks: tuple[str, ...]) -> Counts:
    """Returns checks against a target, each with the condition after a failure, and perhaps one after a success."""
    counts: Counter[str] = Counter()
    for rolls in product(ALL_FACES, repeat=len(checks)):
        words = [*certain]
        for roll, (failed, *passed) in zip(rolls, checks, strict=True):
            words += passed if read(roll, target)[0] else [failed]
        counts[", ".join(sorted(words)) or "stands"] += 1
    return dict(counts)


def _by_the_seed_shock(damage: Sequence[int]) -> Counts:
    """A SOM Check and energy armor. Failing: down, out for a turn and two more for each superior failure, stunned for 3 minutes of 20 turns."""
    counts: Counter[str] = Counter()
    for rolled, roll in product(damage, ALL_FACES):
        if read(roll, 3 * FRAIL + ENERGY_ARMOR)[0]:
            words = f"stunned until r{1 + 3}"
        else:
            turns = 1 + 2 * _superior_failures(roll) * (not is_double(roll))  # of a critical only the critical applies
            words = f"incapacitated until r{1 + turns}, prone, stunned until r{1 + 3 * 20}"
        counts[f"{max(0, rolled - ENERGY_ARMOR)} damage, {words}"] += 1
    return dict(counts)


def _by_the_seed_uses(target: int, *, high: bool = False, low: bool = False, defends: bool = False) -> Counts:
    """A point after the roll: flips the digits, raises a success, softens a critical failure; useless ones are omitted.

    Args:
        target: Of the test.
        high: Is a success the better the higher it is, and the more superior?
        low: Is a failure the better the less superior it is?
        defends: Is it a defense, of which superior successes and critical failures are ignored?
    """
    found: dict[str, list[str]] = defaultdict(list)
    for roll in ALL_FACES:
        used = list(_by_the_seed_used(roll, target, high=high, low=low, defends=defends))
        for words, turned in used or [("nothing", f"{roll:02d}")]:
            found[words].append(turned)
    return {words: " ".join(faces) for words, faces in sorted(found.items())}


def _by_the_seed_used(roll: int, target: int, *, high: bool, low: bool, defends: bool) -> Iterator[tuple[str, str]]:
    success, critical = read(roll, target)
    turned = int(f"{roll:02d}"[::-1])
    now = read(turned, target)[0]
    if success and now:
        better = high and turned > roll
    elif success or now:
        better = now
    else:
        better = low and _superior_failures(turned) < _superior_failures(roll)
    was = _by_the_seed_degree(roll, target)
    if better:
        yield f"flip: {was}, then {_by_the_seed_degree(turned, target)}", f"{roll:02d}>{turned:02d}"
    if high and not defends and success and not critical and _superior(roll) < 2:
        yield f"raise: {was}, then {_degree('success', _superior(roll) + 1)}", f"{roll:02d}"
    if critical and not success and not defends:
        yield f"soften: {was}, then failure", f"{roll:02d}"


def _by_the_seed_degree(roll: int, target: int) -> str:
    success, critical = read(roll, target)
    superior = _superior(roll) if success else _superior_failures(roll)
    return _degree(worded(success, critical), 0 if critical else superior)


def _opposed_by_the_seed() -> Iterator[tuple[str, Counts]]:
    shooter, clubber = _by_skill(GUNS), _by_skill(CLUBS)
    half, club = (FRAY + 1) // 2, "1d10"  # rounded up from a half
    yield f"rifle {GUNS} against fray {half}", _shot_by_the_seed(shooter, half)
    yield f"club {CLUBS} against melee {MELEE}", _by_the_seed_opposed(clubber, _by_skill(MELEE), CLUBS > MELEE, club)
    yield f"defaulting: rifle {REF} against fray {half}", _shot_by_the_seed(_by_aptitude(REF), half)
    parry = _by_aptitude(SOM_OF_EVE)
    yield f"defaulting: club {CLUBS} against melee {SOM_OF_EVE}", _by_the_seed_opposed(clubber, parry, False, club)
    for what, fray in ((f"fray {FRAY}", FRAY), (f"fray {2 * REF_OF_GIL} by REF", 2 * REF_OF_GIL)):
        dodge = _by_skill(fray)
        yield (
            f"club {CLUBS} against {what}",
            _by_the_seed_opposed(clubber, dodge, CLUBS > fray, club, "", SOME_DEFENSES),
        )
    yield f"rifle {GUNS} against full defense {half + 30}", _shot_by_the_seed(shooter, half + 30, SOME_DEFENSES)
    mind, stab = _by_skill(3 * WIL), _by_skill(PSI)
    yield (
        f"stab {PSI} against will {3 * WIL}",
        _by_the_seed_opposed(stab, mind, PSI > 3 * WIL, "2d10", "", SOME_DEFENSES),
    )
    for what, target in (
        ("hopeless", GUNS + _capped(AGAINST)),
        ("hopeless but for a pool", GUNS + _capped(AGAINST) + 20),
        ("hopeless, which a pool ignores", GUNS),
        ("certain", GUNS + _capped(FOR)),
    ):
        yield f"{what} {target}", _shot_by_the_seed(_by_skill(target), half, SOME_DEFENSES)
    undefended = _shot_by_the_seed(shooter, -1, [98])  # as if every defender failed
    counts = {words.replace("against failure", "against no defense"): count for words, count in undefended.items()}
    yield f"surprised by rifle {GUNS}", counts


def _harmed_by_the_seed() -> Iterator[tuple[str, Counts]]:
    for armor in (ARMOR, (ARMOR + 1) // 2):  # "armor-piercing attacks reduce the AV by half"
        for more, times in ((0, 1), (1, 1), (2, 1), (0, 2)):
            counts = _by_the_seed_damage(more, times, armor, (THRESHOLD, DURABILITY, DEATH))
            yield f"{_dice(more, doubled=times > 1)}, armor {armor}", counts
    for (morph, durability), (threshold, death) in BODIES.items():
        counts = _by_the_seed_damage(0, 2, 0, (threshold, durability, death))
        yield f"{_dice(0, doubled=True)}, {morph}-{durability}", counts
    for at, check in (("bob", 3 * SOM), ("shell", 3 * SOM + 10)):  # metal ignores one wound
        yield f"one wound, {at}", _by_the_seed_checks(check - 10, (), ("prone",))
        yield f"two wounds, {at}", _by_the_seed_checks(check - 20, ("prone",), ("unconscious",))
    bleeding = _by_the_seed_checks(3 * SOM - 50, ("incapacitated", "prone"), ("unconscious",), ("bleeding", "stable"))
    yield "five wounds, at Durability", bleeding
    yield "shocked", _by_the_seed_shock(range(1, SHOCK_SIDES + 1))
    yield "shocked by a touch", _by_the_seed_shock([0])


def _spent_by_the_seed() -> Iterator[tuple[str, Counts]]:
    yield f"a point: to hit {GUNS}", _by_the_seed_uses(GUNS, high=True)
    target = GUNS + _capped(AGAINST)
    yield f"a point: to hit {target} with what is fragile", _by_the_seed_uses(target, high=True, low=True)
    yield f"a point: fray {HALF_FRAY}", _by_the_seed_uses(HALF_FRAY, high=True, defends=True)
    yield "a point: knockdown", _by_the_seed_uses(3 * SOM - 10)
    yield "a point: shock", _by_the_seed_uses(3 * FRAIL + ENERGY_ARMOR, low=True)


def by_the_seed() -> Counts:
    """Returns all counts by the seed."""
    counts: Counts = dict([*_opposed_by_the_seed(), *_harmed_by_the_seed(), *_spent_by_the_seed()])
    return {**counts, "lines of the rifle's attack": _lines(counts)}


# ------------------------------------------------------------------------------------------------ the tests


@pytest.fixture(scope="module")
def recorded() -> Counts:
    return recorded_beside(__file__)


def test_every_face_is_decided_as_it_was_recorded(recorded: Counts) -> None:
    check_same(recorded, decided())


def test_what_was_recorded_is_what_the_seed_says(recorded: Counts) -> None:
    check_same(recorded, by_the_seed())


def test_every_line_is_counted_once(recorded: Counts) -> None:
    some = 100 * len(SOME_DEFENSES)
    totals = {
        "rifle": 10_000, "club": 10_000, "defaulting": 10_000, "hopeless": some, "certain": some, "stab": some, "surprised": 100,
        "one": 100, "two": 100, "five": 10_000, "shocked": 100 * SHOCK_SIDES,
        f"club {CLUBS} against fray": some, f"rifle {GUNS} against full": some, "shocked by": 100,
        "3d10+6": SIDES**DICE, "3d10+1d6": SIDES**DICE * MORE_SIDES, "3d10+2d6": SIDES**DICE * MORE_SIDES**2,
    }  # fmt: skip
    for name, counts in recorded.items():
        if name.startswith("a point"):
            found = {face.partition(">")[0] for faces in counts.values() for face in faces.split()}
            assert found == {f"{face:02d}" for face in ALL_FACES}, name
        elif isinstance(counts, dict):
            known = max((each for each in totals if name.startswith(each)), key=len)
            assert sum(counts.values()) == totals[known], name


def test_a_hit_without_wounds_ends_the_exchange_and_one_with_wounds_waits_for_one_check() -> None:
    grazed, pierced, torn = (
        _struck("ann", "bob", "rifle", damage=faces) for faces in ((1, 1, 1), (5, 5, 6), (7, 8, 9))
    )

    assert not grazed.exchange.frames
    assert [rest.key for rest in pierced.rests] == [key_of("ann", "knockdown")]
    assert [rest.key for rest in torn.rests] == [key_of("ann", "consciousness")]
    assert torn.conditions.has("bob", "prone")


def test_metal_is_not_shocked() -> None:
    struck = _struck("ann", "shell", "stunner", damage=(1,))

    assert not struck.exchange.frames
    assert _state(struck, "shell") == "stands"


def test_the_gamemaster_rules_on_a_critical_defense_and_on_a_critically_bad_attack() -> None:
    for attack, defense in ((70, 22), (88, 98)):
        start = _attacked("ann", "bob", "rifle")
        combat, _ = CENSUS.after(
            start, TypeDice(key_of("ann", "to-hit"), (attack,)), TypeDice(key_of("ann", "defend"), (defense,))
        )

        assert [(rest.key, rest.by, len(rest.options)) for rest in combat.rests] == [
            (key_of("ann", "critical-ruling"), "gm", RULINGS)
        ]


if __name__ == "__main__":
    print(printed(decided()))
