"""Every row of the screen's tables that tests and signals use, as the engine finds them: pools, thresholds, intervals, words."""

from collections.abc import Mapping
from typing import Any

import pytest
from rules.figures import Answer, refused
from rules.figures import Table as BaseTable

from ledger.events import ExchangeEnded, Json
from machines.contract.refusals import BadTerms
from machines.contract.ruleset import ruleset
from projections.path import Rest

GAME = ruleset("shadowrun_4e")
FIRST, ANNIVERSARY = "fourth edition", "anniversary edition"
ATTRIBUTES = ("body", "agility", "reaction", "strength", "charisma", "intuition", "logic", "willpower")
PERSON: Json = dict.fromkeys(ATTRIBUTES, 4)
LINK: Json = {"response": 4, "system": 4, "firewall": 4, "signal": 3, "programs": {"browse": 4}}


def person(*skills: str, **more: Any) -> Json:
    """Returns a combatant with 4 in each attribute and 6 in these skills: 10 dice for each."""
    return {**PERSON, "skills": dict.fromkeys(skills, 6), **more}


class Table(BaseTable):
    """A table of the fourth edition; Edge is kept, and an extended test is not rolled again."""

    game = GAME
    usual = FIRST

    def answer_of(self, rest: Rest, answers: Mapping[str, Answer]) -> Answer | None:
        """Returns the answer to a rest; None where there is none."""
        *_, last = (part for part in rest.key.split("/") if not part.isdigit())
        usual = {"edge": "pass", "go-on": "stop"}.get(last) if rest.options else None
        return answers.get(f"{rest.by}/{last}", answers.get(last, usual))

    def pool(self, role: str = "test") -> int:
        """Returns the pool of a role's roll, also where it is 0."""
        found: int = self.figure("pool", "/" + role)
        return found

    def outcome(self) -> str:
        """Returns the outcome of the latest exchange."""
        return next(event.outcome for event in reversed(self.events) if isinstance(event, ExchangeEnded))

    def passed(self) -> dict[str, int]:
        """Returns the time that has passed, by unit."""
        return dict(self.combat.clock.passed)


def says(table: str) -> list[str]:
    """Returns the names of a table's rows."""
    return [row.name for row in GAME.tables[table]]


def faces(pool: int, hits: int) -> tuple[int, ...]:
    """Returns faces of a pool with a number of hits and no ones."""
    return (5,) * hits + (2,) * (pool - hits)


def asked(kind: str, ann: Json, bob: Json | None = None, profile: str = FIRST, **terms: Any) -> Table:
    """Returns a table at which Ann's test waits for its dice."""
    return Table(profile, ann=ann, bob=bob or person()).declare(kind, "ann", **terms)


def rolled(hits: int, kind: str, ann: Json, bob: Json | None = None, **terms: Any) -> Table:
    """Returns a table after Ann's test with a number of hits."""
    table = asked(kind, ann, bob, **terms)
    return table.answer({"test": faces(table.pool(), hits)})


# ------------------------------------------------------------------------------------------------ tests at all

DIFFICULTIES = {"easy": 1, "average": 2, "hard": 3, "extreme": 4}


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_difficulty_is_a_threshold(difficulty: str) -> None:
    expected = DIFFICULTIES[difficulty]

    table = asked("test", person("pistols"), skill="pistols", difficulty=difficulty)

    assert expected == table.target("test")
    assert list(DIFFICULTIES) == says("difficulties")


BOUGHT = [0] * 4 + [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4 + [6] * 4 + [7] * 4 + [8] * 4 + [9] * 4


@pytest.mark.parametrize("pool", range(4, 40))
def test_hits_are_bought_at_one_for_four_dice(pool: int) -> None:
    expected = BOUGHT[pool]

    table = asked("test", person("pistols"), skill="pistols", threshold=1, modifier=pool - 10).declare("buy", "ann")

    assert expected == table.test("test").rolled
    assert not table.combat.rests


@pytest.mark.parametrize("pool", [1, 2, 3])
def test_fewer_than_four_dice_buy_nothing(pool: int) -> None:
    expected = True

    table = asked("test", person("pistols"), skill="pistols", threshold=1, modifier=pool - 10)

    assert expected == refused(lambda: table.declare("buy", "ann"))


READINGS = [
    ((5, 2, 3, 4, 2, 3, 4, 2, 3, 4), 1, "success"),
    ((2, 2, 3, 4, 2, 3, 4, 2, 3, 4), 1, "failure"),
    ((5, 6, 5, 6, 2, 3, 4, 2, 3, 4), 1, "success"),
    ((5, 6, 5, 6, 5, 3, 4, 2, 3, 4), 1, "critical success"),
    ((1, 1, 1, 1, 1, 3, 4, 2, 3, 4), 1, "critical glitch"),
    ((1, 1, 1, 1, 1, 5, 4, 2, 3, 4), 1, "success"),
    ((1, 1, 1, 1, 2, 3, 4, 2, 3, 4), 1, "failure"),
    ((1, 1, 1, 1, 1, 5, 4, 2, 3, 4), 2, "failure"),
]


@pytest.mark.parametrize(("dice", "threshold", "outcome"), READINGS)
def test_dice_are_read_so(dice: tuple[int, ...], threshold: int, outcome: str) -> None:
    table = asked("test", person("pistols"), skill="pistols", threshold=threshold)

    table.answer({"test": dice})

    assert outcome == table.test("test").outcome


GLITCHES = [(4, 1, False), (4, 2, True), (5, 2, False), (5, 3, True), (6, 3, True), (6, 2, False), (1, 1, True)]


@pytest.mark.parametrize(("pool", "ones", "glitches"), GLITCHES)
def test_half_of_the_dice_or_more_are_a_glitch(pool: int, ones: int, glitches: bool) -> None:
    table = asked("test", person("pistols"), skill="pistols", threshold=1, modifier=pool - 10)

    table.answer({"test": (1,) * ones + (3,) * (pool - ones)})

    assert glitches == (table.test("test").outcome == "critical glitch")


@pytest.mark.parametrize(
    ("mine", "theirs", "outcome"),
    [(2, 2, "failure"), (3, 2, "success"), (5, 2, "success"), (6, 2, "critical success"), (4, 0, "critical success")],
)
def test_four_hits_more_than_the_other_are_a_critical_success(mine: int, theirs: int, outcome: str) -> None:
    table = asked("test", person("pistols"), person("pistols"), skill="pistols", against="bob")

    table.answer({"test": faces(10, mine), "oppose": faces(10, theirs)})

    assert outcome == table.test("test").outcome


# ------------------------------------------------------------------------------------------------ skills

AGILITY = (
    "archery", "automatics", "blades", "clubs", "escape artist", "exotic melee weapon", "exotic ranged weapon",
    "forgery", "gunnery", "gymnastics", "heavy weapons", "infiltration", "locksmith", "longarms", "palming", "pistols",
    "throwing weapons", "unarmed combat",
)  # fmt: skip
LINKED: Mapping[str, tuple[str, ...]] = {
    "agility": AGILITY,
    "body": ("diving", "parachuting"),
    "reaction": ("dodge", "pilot ground craft", "pilot watercraft"),
    "strength": ("climbing", "running", "swimming"),
    "charisma": ("con", "etiquette", "instruction", "intimidation", "leadership", "negotiation"),
    "intuition": (
        "artisan", "disguise", "interests knowledge", "language", "navigation", "perception", "shadowing",
        "street knowledge", "tracking",
    ),
    "logic": (
        "academic knowledge", "armorer", "computer", "cybercombat", "data search", "demolitions", "first aid",
        "hacking", "professional knowledge",
    ),
    "willpower": ("survival",),
}  # fmt: skip
"""Printed upright: they may be defaulted on, with the attribute - 1."""
ITALIC: Mapping[str, tuple[str, ...]] = {
    "reaction": ("pilot aerospace", "pilot aircraft", "pilot anthroform", "pilot exotic vehicle"),
    "intuition": ("assensing",),
    "logic": (
        "aeronautics mechanic", "automotive mechanic", "cybertechnology", "electronic warfare", "industrial mechanic",
        "hardware", "medicine", "nautical mechanic", "software",
    ),
    "willpower": ("astral combat",),
    "magic": ("banishing", "binding", "counterspelling", "ritual spellcasting", "spellcasting", "summoning"),
    "resonance": ("compiling", "decompiling", "registering"),
}  # fmt: skip
"""Skills that cannot be defaulted on."""
EACH = {name: at for at, name in enumerate((*ATTRIBUTES, "magic", "resonance"), 2)}
"""Attributes that differ: Body 2, Agility 3, and so on."""


@pytest.mark.parametrize(("attribute", "skill"), [(one, each) for one, names in LINKED.items() for each in names])
def test_whoever_lacks_a_skill_rolls_its_attribute_less_one(attribute: str, skill: str) -> None:
    expected = EACH[attribute] - 1

    table = asked("test", dict(EACH), skill=skill, threshold=1)

    assert expected == table.pool()


@pytest.mark.parametrize(("attribute", "skill"), [(one, each) for one, names in ITALIC.items() for each in names])
def test_nobody_defaults_on_what_is_printed_in_italics(attribute: str, skill: str) -> None:
    expected = EACH[attribute] + 3

    table = asked("test", {**EACH, "skills": {skill: 3}}, skill=skill, threshold=1)

    assert expected == table.pool()
    assert refused(lambda: asked("test", dict(EACH), skill=skill, threshold=1))


def test_all_these_skills_are_there() -> None:
    """There may be more: the screen's are no closed list."""
    expected = {each for names in (*LINKED.values(), *ITALIC.values()) for each in names}

    assert expected <= set(says("skills"))


# ------------------------------------------------------------------------------------------------ perception

NOTICED = {"obvious": 1, "normal": 2, "obscured": 3, "hidden": 4}


@pytest.mark.parametrize("noticing", NOTICED)
def test_a_thing_is_as_hard_to_notice_as_its_row_says(noticing: str) -> None:
    expected = (10, NOTICED[noticing])

    table = asked("perception", person("perception"), noticing=noticing)

    assert expected == (table.pool(), table.target("test"))
    assert list(NOTICED) == says("perception_thresholds")


SENSED = {
    "distracted": 8, "actively looking or listening": 13, "not in the immediate vicinity": 8, "far away": 7,
    "stands out": 12, "interfering sight, odor or sound": 8, "active enhancements": 13, "using virtual reality": 4,
}  # fmt: skip


@pytest.mark.parametrize("modifier", SENSED)
def test_a_perception_modifier_changes_the_pool(modifier: str) -> None:
    expected = SENSED[modifier]

    table = asked("perception", person("perception"), modifiers=[modifier], rating=3)

    assert expected == table.pool()
    assert list(SENSED) == says("perception_modifiers")


def test_perception_modifiers_add_up_and_each_counts_once() -> None:
    expected = 8
    looking = ["actively looking or listening", "far away", "interfering sight, odor or sound", "far away"]

    table = asked("perception", person("perception"), modifiers=looking)

    assert expected == table.pool()


SEEN: Mapping[str, tuple[int, int, int, int]] = {
    "full darkness": (-6, -6, -3, -3),
    "partial light": (-2, 0, -2, -1),
    "glare": (-1, -1, -1, 0),
    "light fog": (-2, -1, 0, -1),
    "heavy fog": (-4, -2, -2, -2),
    "thermal smoke": (-4, -2, -6, -2),
}
SENSES = ("normal", "low-light", "thermographic", "ultrasound")


@pytest.mark.parametrize(("sight", "nth"), [(sight, nth) for sight in SEEN for nth in range(4)])
def test_sight_is_as_bad_as_the_sense_has_it(sight: str, nth: int) -> None:
    expected = 10 + SEEN[sight][nth]

    table = asked("perception", person("perception", vision=[SENSES[nth]]), visibility=sight)

    assert expected == table.pool()
    assert list(SEEN) == says("visibility")


@pytest.mark.parametrize("sight", SEEN)
def test_of_several_senses_the_best_counts(sight: str) -> None:
    expected = 10 + max(SEEN[sight])

    table = asked("perception", person("perception", vision=list(SENSES)), visibility=sight)

    assert expected == table.pool()


# ------------------------------------------------------------------------------------------------ people

PEOPLE: Mapping[str, tuple[tuple[str, ...], int]] = {
    "con": (("con",), 8),
    "etiquette": (("etiquette",), 7),
    "intimidation": (("intimidation",), 6),
    "leadership": (("leadership",), 6),
    "negotiation": (("negotiation",), 8),
}
"""By test: Ann's skill, and what Bob has: Charisma 3, Willpower 5, and what he rolls with the skills below."""
BOB = {
    **PERSON, "charisma": 3, "willpower": 5,
    "skills": {"con": 2, "negotiation": 5, "perception": 4, "intimidation": 1, "leadership": 1},
}  # fmt: skip


@pytest.mark.parametrize("test", PEOPLE)
def test_a_social_test_has_two_pools(test: str) -> None:
    skills, theirs = PEOPLE[test]
    expected = (10, theirs)

    table = asked("social", person(*skills), BOB, at="bob", test=test)

    assert expected == (table.pool(), table.pool("oppose"))
    assert list(PEOPLE) == says("social")


def test_the_better_skill_opposes_a_con() -> None:
    expected = 3 + 6

    table = asked("social", person("con"), {**BOB, "skills": {"con": 6, "negotiation": 5}}, at="bob", test="con")

    assert expected == table.pool("oppose")


HIDDEN: Mapping[int, tuple[str, ...]] = {
    -6: ("RFID tag", "bug", "slap patch", "micro-electronics", "micro-drone", "-6"),
    -4: ("hold-out pistol", "monowhip", "ammo", "credstick", "chips", "softs", "sequencer", "passkey", "-4"),
    -2: ("light pistol", "knife", "sap", "microgrenade", "flash-pak", "jammer", "minidrone", "-2"),
    0: ("heavy pistol", "taser", "grenade", "goggles", "commlink", "+0"),
    2: ("machine pistol", "medkit", "club", "+2"),
    4: ("SMG", "stun baton", "sword", "+4"),
    6: ("assault rifle", "katana", "+6"),
}


@pytest.mark.parametrize(("modifier", "item"), [(value, each) for value, names in HIDDEN.items() for each in names])
def test_a_thing_is_as_hard_to_find_as_it_is_small(modifier: int, item: str) -> None:
    expected = (10 + modifier, 10)

    table = asked("conceal", person("perception"), person("palming"), at="bob", item=item)

    assert expected == (table.pool(), table.pool("oppose"))


KNOWN = {"general knowledge": 1, "detailed knowledge": 2, "intricate knowledge": 3, "obscure knowledge": 4}


@pytest.mark.parametrize("knowledge", KNOWN)
def test_knowledge_needs_as_many_hits_as_it_is_obscure(knowledge: str) -> None:
    expected = KNOWN[knowledge]

    table = asked("knowledge", person("street knowledge: gangs"), skill="street knowledge: gangs", knowledge=knowledge)

    assert expected == table.target("test")
    assert list(KNOWN) == says("knowledge")


# ------------------------------------------------------------------------------------------------ extended tests


def needs(hits: int, kind: str, ann: Json, /, **terms: Any) -> bool:
    """Returns whether a test needs exactly this number of hits."""
    terms = {"modifier": 20, **terms}
    enough, short = (rolled(each, kind, ann, **terms) for each in (hits, hits - 1))
    return (enough.outcome(), short.outcome()) == ("success", "goes on")


EXTENDED = {"easy": 4, "average": 8, "hard": 12, "extreme": 16}


@pytest.mark.parametrize("difficulty", EXTENDED)
def test_an_extended_test_needs_as_many_hits(difficulty: str) -> None:
    expected = EXTENDED[difficulty]

    assert needs(expected, "extended", person("computer"), skill="computer", difficulty=difficulty)
    assert list(EXTENDED) == says("extended_thresholds")


def test_an_extreme_task_may_need_more_and_no_other_may() -> None:
    ann = person("computer")

    assert needs(18, "extended", ann, skill="computer", difficulty="extreme", threshold=18)
    assert needs(12, "extended", ann, skill="computer", difficulty="hard")
    with pytest.raises(BadTerms, match="threshold would be ignored"):
        needs(12, "extended", ann, skill="computer", difficulty="hard", threshold=18)
    assert needs(7, "extended", ann, skill="computer", threshold=7)


INTERVALS = {
    "fast": {"turns": 1}, "quick": {"minutes": 1}, "short": {"minutes": 10}, "average": {"minutes": 30},
    "long": {"hours": 1}, "consuming": {"days": 1}, "exhaustive": {"weeks": 1}, "mammoth": {"months": 1},
}  # fmt: skip


@pytest.mark.parametrize("interval", INTERVALS)
def test_each_roll_takes_an_interval(interval: str) -> None:
    expected = INTERVALS[interval]

    table = rolled(1, "extended", person("computer"), skill="computer", difficulty="easy", interval=interval)

    assert expected == table.passed()
    assert list(INTERVALS) == says("extended_intervals")


SEARCHED = {"easy": 2, "average": 4, "hard": 8, "extreme": 16}


@pytest.mark.parametrize("difficulty", SEARCHED)
def test_a_search_needs_as_many_hits(difficulty: str) -> None:
    expected = SEARCHED[difficulty]

    assert needs(expected, "search", person("data search", matrix=LINK), difficulty=difficulty)
    assert list(SEARCHED) == says("search_thresholds")


AREAS = {"same device": {"passes": 1}, "same network": {"turns": 1}, "entire matrix": {"minutes": 1}}


@pytest.mark.parametrize("area", AREAS)
def test_a_search_takes_longer_the_wider_it_is(area: str) -> None:
    expected = AREAS[area]

    table = rolled(1, "search", person("data search", matrix=LINK), area=area)

    assert (10, expected) == (table.pool(), table.passed())
    assert list(AREAS) == says("search_areas")


@pytest.mark.parametrize(("plane", "pool"), [("augmented reality", 10), ("cold sim", 10), ("hot sim", 12)])
def test_hot_sim_adds_two_dice_to_a_search(plane: str, pool: int) -> None:
    table = asked("search", person("data search", matrix=LINK, plane=plane))

    assert pool == table.pool()


COSTS: list[tuple[int, dict[str, int]]] = [
    (1, {"hours": 12}), (100, {"hours": 12}), (101, {"days": 1}), (1000, {"days": 1}),
    (1001, {"days": 2}), (10_000, {"days": 2}), (10_001, {"weeks": 1}), (500_000, {"weeks": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("cost", "interval"), COSTS)
def test_what_costs_more_is_looked_for_longer(cost: int, interval: dict[str, int]) -> None:
    table = rolled(1, "availability", person("negotiation"), threshold=6, cost=cost)

    assert (10, interval) == (table.pool(), table.passed())


def test_availability_is_the_threshold() -> None:
    assert needs(6, "availability", person("negotiation"), threshold=6, cost=100)


BUILT = {"simple": 2, "basic": 4, "complex": 8, "intricate": 12, "exotic": 16}


@pytest.mark.parametrize("item", BUILT)
def test_an_item_needs_as_many_hits(item: str) -> None:
    expected = BUILT[item]

    assert needs(expected, "build", person("armorer"), skill="armorer", item=item)
    assert list(BUILT) == says("build_thresholds")


WORKED = {
    "distracting conditions": 9, "poor conditions": 8, "bad conditions": 7, "terrible conditions": 6,
    "superior conditions": 11, "inadequate tools": 8, "unavailable tools": 6, "superior tools": 11,
    "plans available": 11, "plans augmented reality enhanced": 12, "logic 5+": 10, "logic 1-4": 9,
}  # fmt: skip


@pytest.mark.parametrize("modifier", WORKED)
def test_a_build_modifier_changes_the_pool(modifier: str) -> None:
    expected = WORKED[modifier]

    table = asked("build", person("armorer"), skill="armorer", item="basic", modifiers=[modifier])

    assert expected == table.pool()
    assert list(WORKED) == says("build_modifiers")


@pytest.mark.parametrize(("logic", "less"), [(1, 4), (2, 3), (3, 2), (4, 1)])
def test_from_memory_one_lacks_what_logic_lacks_of_five(logic: int, less: int) -> None:
    expected = logic + 6 - less

    table = asked("build", person("armorer", logic=logic), skill="armorer", item="basic", modifiers=["logic 1-4"])

    assert expected == table.pool()


TRACKED: list[tuple[dict[str, Any], int]] = [
    ({}, 5), ({"hours": 1}, 6), ({"hours": 3}, 8), ({"barrier": 4}, 9), ({"spirit": "bound spirit"}, 5),
    ({"spirit": "unbound spirit"}, 7), ({"hours": 3, "barrier": 4, "spirit": "unbound spirit"}, 14),
    ({"threshold": 2, "hours": 2}, 4),
]  # fmt: skip


@pytest.mark.parametrize(("terms", "threshold"), TRACKED)
def test_an_astral_link_is_as_hard_to_follow(terms: dict[str, Any], threshold: int) -> None:
    assert needs(threshold, "track", person("assensing"), **terms)


# ------------------------------------------------------------------------------------------------ things

DEVICES = {"dumb": 1, "simple": 2, "average": 3, "complex": 4, "smart": 5, "cutting-edge": 6}


@pytest.mark.parametrize("device", DEVICES)
def test_a_device_rolls_its_rating_twice(device: str) -> None:
    expected = 2 * DEVICES[device]

    table = asked("device", person(), device=device)

    assert expected == table.pool()
    assert set(DEVICES) <= set(says("devices"))


SIGNATURES = {
    "large and oversized vehicles": 13, "electric-powered vehicles": 7, "metahumans and critters": 7, "drones": 7,
    "micro-drones": 4,
}  # fmt: skip


@pytest.mark.parametrize("signature", SIGNATURES)
def test_sensors_find_what_is_large(signature: str) -> None:
    expected = (SIGNATURES[signature], 10)

    table = asked("sensor", person("perception"), person("infiltration"), sensor=4, signature=signature, against="bob")

    assert expected == (table.pool(), table.pool("oppose"))
    assert list(SIGNATURES) == says("signature")


VEHICLE_TESTS = {"easy": 1, "average": 2, "hard": 3, "extreme": 4}
TERRAIN = {"open": 0, "light": 1, "restricted": 2, "tight": 3}


@pytest.mark.parametrize(("difficulty", "terrain"), [(one, ground) for one in VEHICLE_TESTS for ground in TERRAIN])
def test_terrain_adds_to_what_a_vehicle_test_needs(difficulty: str, terrain: str) -> None:
    expected = VEHICLE_TESTS[difficulty] + TERRAIN[terrain]
    skill = "pilot ground craft"

    table = asked("drive", person(skill), skill=skill, difficulty=difficulty, terrain=terrain)

    assert (10, expected) == (table.pool(), table.target("test"))
    assert list(VEHICLE_TESTS) == says("vehicle_thresholds")
    assert list(TERRAIN) == says("terrain")


HANDLING = {
    "motorcycle": 2, "car": 0, "sports car": 3, "truck": -1, "18-wheeler": -3, "autogyro": 2, "utility helicopter": 0,
    "combat helicopter": 3, "single-engine airplane": 0, "jumbo jet": -3, "jet fighter": 3, "t-bird": 0,
}  # fmt: skip


@pytest.mark.parametrize("vehicle", HANDLING)
def test_handling_adds_dice(vehicle: str) -> None:
    expected = 10 + HANDLING[vehicle]
    skill = "pilot ground craft"

    table = asked("drive", person(skill), skill=skill, vehicle=vehicle)

    assert expected == table.pool()
    assert set(HANDLING) <= set(says("handling"))


def test_handling_may_be_said_as_a_number() -> None:
    expected = 10 - 2
    skill = "pilot watercraft"

    table = asked("drive", person(skill), skill=skill, handling=-2)

    assert expected == table.pool()


METERS = [3, 40, 100, 400, 1000, 4000, 10_000, 40_000, 100_000, 400_000]


@pytest.mark.parametrize("rating", range(10))
def test_a_signal_reaches_so_far_and_no_farther(rating: int) -> None:
    meters = METERS[rating]
    far: Json = {**LINK, "signal": 9}
    expected = ["in range", "out of range"]

    table = Table(ann=person(matrix={**LINK, "signal": rating}), bob=person(matrix=far))
    found = [table.declare("signal", "ann", at="bob", distance=each).outcome() for each in (meters, meters + 1)]

    assert expected == found


@pytest.mark.parametrize("rating", range(9))
def test_the_lesser_of_two_signals_counts(rating: int) -> None:
    expected = ["in range", "out of range"]
    meters = METERS[rating]

    table = Table(ann=person(matrix={**LINK, "signal": 9}))
    found = [table.declare("signal", "ann", signal=rating, distance=each).outcome() for each in (meters, meters + 1)]

    assert expected == found


ALERTS = [
    "launch track ic", "launch attack ic", "launch blackout or black hammer ic", "scramble security hacker",
    "terminate connection", "system reset or shutdown",
]  # fmt: skip


@pytest.mark.parametrize("face", range(1, 7))
def test_an_alerted_system_does_what_the_die_says(face: int) -> None:
    expected = ALERTS[face - 1]

    table = asked("alert", person()).answer({"response": face})

    assert expected == table.figure("response")


# ------------------------------------------------------------------------------------------------ magic

TOLD: list[tuple[int, int, str]] = [
    (1, 3, "mundane or Awakened"),
    (2, 6, "ordinary cyberware, and where"),
    (3, 11, "astral signatures on it"),
    (4, 14, "bioware and betaware, and where"),
    (5, 18, "a technomancer for what they are"),
    (7, 18, "a technomancer for what they are"),
]
"""Hits; the number of facts they reveal, including earlier ones; one of these."""


@pytest.mark.parametrize(("hits", "count", "word"), TOLD)
def test_an_aura_tells_more_the_more_hits(hits: int, count: int, word: str) -> None:
    found = str(rolled(hits, "assense", person("assensing"), at="bob").figure("result")).split("; ")

    assert count == len(found)
    assert word in found


def test_an_aura_tells_nothing_without_a_hit() -> None:
    expected = "nothing"

    assert expected == rolled(0, "assense", person("assensing"), at="bob").figure("result")


RESISTANCE = {
    "natural objects": (1, 1), "manufactured low-tech objects": (2, 2), "manufactured high-tech objects": (3, 3),
    "highly processed objects": (4, 5),
}  # fmt: skip
MAGE = {"magic": 4, "tradition": "hermetic", "spells": ["powerbolt", "levitate"]}


@pytest.mark.parametrize(("category", "nth"), [(name, nth) for name in RESISTANCE for nth in range(2)])
def test_a_thing_resists_as_its_row_says(category: str, nth: int) -> None:
    expected = RESISTANCE[category][nth]
    profile = (FIRST, ANNIVERSARY)[nth]

    table = Table(profile, ann=person("spellcasting", **MAGE)).begin({}, ann=faces(8, 0))
    table.declare("cast", "ann", {"cast": faces(10, 2)}, spell="powerbolt", force=4, object_resistance=category)

    assert expected == table.figure("object resistance")
    assert list(RESISTANCE) == says("object_resistance")


DRAINS = {
    "death touch": -2, "knockout": -3, "manabolt": 0, "manaball": 2, "powerbolt": 1, "powerball": 3, "stunbolt": -1,
    "stunball": 1, "acid stream": 3, "toxic wave": 5, "punch": -2, "clout": 0, "blast": 2, "flamethrower": 3,
    "fireball": 5, "lightning bolt": 3, "ball lightning": 5,
}  # fmt: skip


@pytest.mark.parametrize("force", [1, 4, 5, 8])
@pytest.mark.parametrize("spell", DRAINS)
def test_drain_is_half_the_force_rounded_down_and_the_spells_own(spell: str, force: int) -> None:
    expected = (max(1, force // 2 + DRAINS[spell]), "physical" if force > 4 else "stun")
    ann = person("spellcasting", **{**MAGE, "spells": [spell]})

    table = Table(ann=ann, bob=person()).begin({}, ann=faces(8, 4), bob=faces(8, 0))
    table.declare(
        "cast", "ann", {"cast": faces(10, 0), "resist-spell": faces(4, 0)}, spell=spell, force=force, at="bob"
    )

    assert expected == (table.figure("drain"), table.figure("drain type"))
    assert 8 == table.pool("drain")


# ------------------------------------------------------------------------------------------------ the turn

RATES = {"human": (10, 25), "elf": (10, 25), "ork": (10, 25), "dwarf": (8, 20), "troll": (15, 35)}


@pytest.mark.parametrize("metatype", RATES)
def test_a_metatype_goes_so_far_in_a_turn(metatype: str) -> None:
    walk, run = RATES[metatype]

    def goes(how: str, meters: int) -> bool:
        table = Table(ann=person(metatype=metatype)).begin({}, ann=faces(8, 0))
        return not refused(lambda: table.declare("move", "ann", how=how, meters=meters))

    assert [True, False, True, False] == [
        goes("walk", walk), goes("walk", walk + 1), goes("run", run), goes("run", run + 1),
    ]  # fmt: skip


PLANES = {"physical": (8, 2), "augmented reality": (8, 2), "cold sim": (7, 2), "hot sim": (8, 3), "astral": (8, 3)}
"""By plane, for 4 in each attribute, Response 3 and two passes: Initiative dice, and passes."""


@pytest.mark.parametrize("plane", PLANES)
def test_a_plane_has_its_initiative_and_its_passes(plane: str) -> None:
    pool, passes = PLANES[plane]
    ann = person(plane=plane, passes=2, magic=4, matrix={**LINK, "response": 3})

    table = Table(ann=ann).begin({}, ann=faces(pool, 0))

    assert pool == table.pool("initiative")
    assert passes == table.figure("passes")
    assert list(PLANES) == says("planes")
