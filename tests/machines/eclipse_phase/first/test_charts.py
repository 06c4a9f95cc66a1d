"""Compares the charts with a second, independent transcription of the page, in ``*.txt`` beside this file."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from places import TESTS

from ledger import events as e
from ledger.source import parse
from machines.contract.chart import Ask, Box, Chart, Choose, Do, End, Mend, Roll, Run
from machines.contract.ruleset import Ruleset, ruleset
from machines.eclipse_phase.family.d100 import CRITICAL_SUCCESS, attacker_prevails, outcome
from machines.eclipse_phase.first.attack.outcome import excellent
from machines.eclipse_phase.first.chart import ATTACK
from machines.registry import installed
from replays.api.run_script import perform
from replays.api.session import Session
from replays.scripts.format import examples, read

PAGE = (TESTS / "support" / "charts" / "eclipse_phase_1e_attack.txt").read_text()
GAMES = [ruleset(name) for name in sorted(installed())]
CHARTS = [(game, chart) for game in GAMES for chart in game.charts.values()]
CHART_NAMES = [f"{game.name}-{chart.name}" for game, chart in CHARTS]


def rows(section: str) -> list[list[str]]:
    """Returns the rows of a table of the transcription; the first table has no heading."""
    _, *parts = re.split(r"^(?:## (\w+)|step \| title.*)$", PAGE, flags=re.MULTILINE)
    tables = dict(zip((name or "steps" for name in parts[::2]), parts[1::2], strict=True))
    lines = [line for line in tables[section].splitlines() if line and not line.startswith("#")]
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


# ------------------------------------------------------------------------------------------------ a. the exits

UNPRINTED = {
    **dict.fromkeys(("1b", "1c", "1d", "1e", "1f"), "blind attacks, EP1 195"),
    "2d": "somebody may break in before the dice, EP1 189",
    **dict.fromkeys(("4b", "7e", "8e"), "Moxie after a roll, EP1 122"),
    **dict.fromkeys(("5a", "5b"), "the touch that a sleight may need, EP1 222"),
    **dict.fromkeys(("5d", "5e"), "called shots and holds, EP1 196, 202, 204"),
    **dict.fromkeys(("5f", "5g", "5k"), "beams that are kept on, EP1 195"),
    **dict.fromkeys(("8b", "8c", "8d", "8f"), "disarming, EP1 196"),
    **dict.fromkeys(("9", "9b", "9c", "9d", "9e", "9g"), "further targets, scatter and strain, EP1 202, 204, 222"),
}
"""Boxes that the eight steps do not print, and where they come from."""
DETOURS = {
    ("1b", "yes"): "looking for the target by another sense comes back to step 2",
    ("2d", "no"): "whoever was put out of action meanwhile does not go on (ruling EP1-N11)",
    ("5a", "yes"): "after the touch, the sleight is an attack of its own",
    ("5d", "harmless"): "what is not meant to hurt has no steps 6 to 8",
    ("9", "aimed"): "the next target is another attack of the same steps",
    ("9", "caught"): "whoever else stands in a blast has steps 6 to 8 only",
}
"""Exits of such boxes that the steps know nothing of."""


def printed(number: str, chart: Chart) -> str:
    """Returns the printed number of a box: 2b is half of 2; all ends of the procedure are 'end'."""
    return "end" if isinstance(chart[number], End) else number.rstrip("abcdefghijklmnopqrstuvwxyz")


def leads(number: str) -> set[str]:
    """Returns the next printed boxes of a box of the attack, skipping unprinted ones."""
    if number not in UNPRINTED:
        return {printed(number, ATTACK)}
    onward = [exit_to for label, exit_to in ATTACK[number].exits.items() if (number, label) not in DETOURS]
    return {there for exit_to in onward for there in leads(exit_to)}


def test_the_exits_of_the_attack_are_those_of_the_page() -> None:
    expected = {row[0]: set(re.findall(r"(\w+) \(", row[3])) for row in rows("steps")}

    found: dict[str, set[str]] = {}
    for box in ATTACK.boxes.values():
        if box.number not in UNPRINTED and not isinstance(box, End):
            here = printed(box.number, ATTACK)
            there = {each for number in box.exits.values() for each in leads(number)}
            found[here] = found.get(here, set()) | there - {here}

    assert expected == found


def test_unprinted_boxes_and_their_exits_exist() -> None:
    expected = set(UNPRINTED), set(DETOURS)

    found = {(number, label) for number in UNPRINTED for label in ATTACK[number].exits}

    assert expected[0] <= set(ATTACK.boxes)
    assert expected[1] <= found


def test_the_steps_of_the_attack_stand_in_printed_order() -> None:
    expected = [row[0] for row in rows("steps")]

    found = [printed(number, ATTACK) for number in ATTACK.boxes if number not in UNPRINTED]

    assert expected == list(dict.fromkeys(number for number in found if number != "end"))


SHAPES = {"deed": (Do,), "question": (Ask, Do), "choice": (Choose, Ask), "roll": (Roll,)}
"""The types of box for each kind of step; a question that the deed answers at once is not a separate box."""
IN_ANOTHER_STEP = {
    ("1", "choice"): "the declaration itself is chosen at box 3a of the moment",
}


def boxes_of(number: str) -> list[Box]:
    """Returns the boxes of a printed step, with those of the charts that it runs."""
    own = [
        box for box in ATTACK.boxes.values() if box.number not in UNPRINTED and printed(box.number, ATTACK) == number
    ]
    return own + [box for run in own if isinstance(run, Run) for box in run.chart.boxes.values()]


@pytest.mark.parametrize(("number", "kind"), [(row[0], kind) for row in rows("steps") for kind in row[2].split(", ")])
def test_each_step_of_the_attack_has_the_printed_shape(number: str, kind: str) -> None:
    expected = SHAPES[kind]

    found = any(isinstance(box, expected) for box in boxes_of(number))

    assert found or (number, kind) in IN_ANOTHER_STEP
    assert not (found and (number, kind) in IN_ANOTHER_STEP)


# ------------------------------------------------------------------------------------------------ b. the outcomes

TARGETS = 50, 60
"""What the attacker and the defender roll against: Blades 50, Fray 60."""

ROLLS: dict[tuple[str, str], tuple[int, int | None]] = {
    ("fails", "none"): (70, None),
    ("fails", "fails"): (70, 80),
    ("fails", "succeeds lower"): (70, 20),
    ("fails", "succeeds equal"): (57, 57),
    ("fails", "succeeds higher"): (52, 58),
    ("fails", "critical success"): (70, 44),
    ("succeeds", "none"): (40, None),
    ("succeeds", "fails"): (40, 80),
    ("succeeds", "succeeds lower"): (40, 20),
    ("succeeds", "succeeds equal"): (40, 40),
    ("succeeds", "succeeds higher"): (40, 45),
    ("succeeds", "critical success"): (40, 33),
    ("critical success", "none"): (33, None),
    ("critical success", "fails"): (33, 80),
    ("critical success", "succeeds lower"): (33, 20),
    ("critical success", "succeeds higher"): (33, 45),
    ("critical success", "critical success lower"): (44, 33),
    ("critical success", "critical success equal or higher"): (33, 33),
}
"""Dice that make each row."""

NO_DICE = {
    ("critical success", "succeeds equal"): "an equal roll that succeeds is as much of a double: both are critical"
}
"""Rows that no dice make, and why."""

OTHERWISE = {
    ("critical success", "critical success lower"): (
        "EP1-N3",
        "the transcription lists the effect of the defender's critical; by our ruling it counts on a miss only",
    )
}
"""Rows in which a ruling differs from the transcription."""


class Outcome(NamedTuple):
    """A row of the table of outcomes."""

    attacker: str
    defender: str
    hits: bool
    armor: str
    effect: bool


OUTCOMES = [Outcome(row[0], row[1], row[2] == "hit", row[3], row[4] == "yes") for row in rows("outcomes")]
WORDS = {"fails": "failure", "succeeds": "success"}


def row_name(row: Outcome) -> str:
    return f"{row.attacker}-{row.defender}"


def test_there_are_dice_for_every_row_of_the_outcomes() -> None:
    expected = {(row.attacker, row.defender) for row in OUTCOMES}

    found = set(ROLLS) | set(NO_DICE)

    assert expected == found
    assert len(OUTCOMES) == len(expected)


@pytest.mark.parametrize("row", [row for row in OUTCOMES if row[:2] in ROLLS], ids=row_name)
def test_dice_are_read_as_in_the_row(row: Outcome) -> None:
    attack, defense = ROLLS[row.attacker, row.defender]
    words = re.sub(r" (lower|equal|higher|equal or higher)$", "", row.defender)
    expected = WORDS.get(row.attacker, row.attacker), WORDS.get(words, words)

    found = outcome(attack, TARGETS[0]), "none" if defense is None else outcome(defense, TARGETS[1])

    assert expected == found


@pytest.mark.parametrize("row", [row for row in OUTCOMES if row[:2] in ROLLS], ids=row_name)
def test_the_opposed_test_has_the_outcome_of_the_row(row: Outcome) -> None:
    attack, defense = ROLLS[row.attacker, row.defender]
    opposing = None if defense is None else (outcome(defense, TARGETS[1]), defense)
    expected = row.hits

    found = attacker_prevails((outcome(attack, TARGETS[0]), attack), opposing)

    assert expected == found


def test_a_critical_success_beats_an_equal_ordinary_success() -> None:
    expected = {row.hits for row in OUTCOMES if row[:2] in NO_DICE}

    found = {attacker_prevails((CRITICAL_SUCCESS, 33), ("success", 33))}

    assert expected == found


def fought(printing: str, attack: int, defense: int | None) -> Session:
    """Plays a stab with Blades 50 at Fray 60 and armor 4, up to the next rest without an answer."""
    defend = "" if defense is None else f', "bob/defend" = {defense}'
    dice = next(row.initiative_dice for row in ruleset("eclipse_phase_1e").profiles if row.name == printing)
    first, second = (30, 10) if dice == "1d100" else (9, 1)
    return perform(
        read(f"""
        affray = 1
        title = "One row"
        ruleset = "eclipse_phase_1e"
        profile = "{printing}"
        [combatants.ann.sheet]
        init = 60
        durability = 30
        aptitudes = {{ som = 20 }}
        skills = {{ blades = 50 }}
        weapons.knife = {{ kind = "melee", skill = "blades", damage = "1d10" }}
        [combatants.bob.sheet]
        init = 50
        durability = 30
        aptitudes = {{ som = 20 }}
        skills = {{ fray = 60 }}
        armor = {{ kinetic = 4 }}
        [[play]]
        begin = {{}}
        [[play]]
        dice = {{ ann = {first}, bob = {second} }}
        [[play]]
        declare = {{ kind = "attack", by = "ann", at = "bob", using = "knife" }}
        [[play]]
        choose = {{ bob = "{"none" if defense is None else "fray"}" }}
        [[play]]
        dice = {{ "ann/to-hit" = {attack}{defend} }}
        """)
    )


@pytest.mark.parametrize("printing", [row.name for row in ruleset("eclipse_phase_1e").profiles])
@pytest.mark.parametrize("row", [row for row in OUTCOMES if row[:2] in ROLLS], ids=row_name)
def test_an_attack_takes_the_path_of_the_row_in_every_printing(row: Outcome, printing: str) -> None:
    ruling, _ = OTHERWISE.get(row[:2], ("", ""))
    effect = row.effect and not ruling
    expected = {"hit": row.hits, "armor": {"yes": 4, "no": 0, "-": None}[row.armor], "effect": effect}

    session = fought(printing, *ROLLS[row.attacker, row.defender])
    events = [event for entry in session.entries() for event in entry.events]
    boxes = [event.box for event in events if isinstance(event, e.StepEntered) and event.chart == "attack"]
    armor = [event.value for event in events if isinstance(event, e.FigureFound) and event.name == "armor"]

    assert expected == {"hit": "5c" in boxes, "armor": armor[0] if armor else None, "effect": "5i" in boxes}


def test_the_only_differing_row_has_a_ruling() -> None:
    expected = {"EP1-N3"}

    found = {ruling for ruling, _ in OTHERWISE.values()}

    assert expected == found
    assert found <= {ruling.id for ruling in ruleset("eclipse_phase_1e").rulings}


@pytest.mark.parametrize(("margin", "extra"), [(29, 0), (30, 5), (59, 5), (60, 10), (98, 10), (0, 0), (-60, 0)])
def test_an_excellent_success_adds_five_from_thirty_and_ten_from_sixty(margin: int, extra: int) -> None:
    expected = extra

    found = excellent(margin)

    assert expected == found


# ------------------------------------------------------------------------------------------------ c. the figures


def stoya() -> Session:
    return perform(read(examples()["stoya"].read_bytes()))


def figures() -> Iterator[tuple[str, object]]:
    """Returns the values in the log of the shipped example for each line of the printed one, by line and name."""
    session = stoya()
    standing = [event for entry in session.log.entries_of(session.log.timeline.line()) for event in entry.events]
    scores = {event.who: event.score for event in reversed(standing) if isinstance(event, e.InitiativeScored)}
    tests = {event.key: event for event in standing if isinstance(event, e.TestResolved)}
    found = {(event.key, event.name): event.value for event in standing if isinstance(event, e.FigureFound)}
    first, second, hers = "r1/assassin/a1/attack", "r1/assassin/a2/attack", "r1/stoya/a1/attack"
    yield "1", scores["assassin"]
    yield "2", scores["stoya"]
    for number, key in (
        ("3", f"{first}/to-hit"), ("4", f"{first}/defend"), ("5", f"{second}/to-hit"), ("6", f"{second}/defend"),
        ("10", f"{second}/knockdown"), ("11", f"{second}/consciousness"), ("12", f"{hers}/to-hit"),
        ("13", f"{hers}/defend"), ("16", f"{hers}/shock"),
    ):  # fmt: skip
        yield number, (tests[key].target, tests[key].rolled, tests[key].outcome)
    yield "5 margin", tests[f"{second}/to-hit"].margin
    yield "16 margin", tests[f"{hers}/shock"].margin
    yield (
        "7 bonus",
        [event.value for event in standing if isinstance(event, e.ModifierApplied) and event.key == f"{second}/damage"],
    )
    yield "7 by the rule", [(event.rule_says, event.gm_says) for event in standing if isinstance(event, e.Overruled)]
    yield "7", session.log.state(session.log.head).health.track("stoya", "damage").taken
    yield "8", found[second, "armor"]
    yield "9", found[second, "wounds"]
    yield "14", found[f"{hers}/damage", "dv"]
    yield "14 armor", found[hers, "armor"]
    yield "15", found[hers, "wounds"]


@pytest.fixture(scope="module")
def log() -> dict[str, object]:
    return dict(figures())


@pytest.mark.parametrize(
    "row", [row for row in rows("figures") if row[3].isdigit()], ids=lambda row: f"{row[0]}-{row[1]}"
)
def test_a_printed_test_is_in_the_log(row: list[str], log: dict[str, object]) -> None:
    """Rows with a target number: target, dice and outcome; of the shock test the sum is printed."""
    word = next(word for word in ("critical success", "success", "failure") if row[5].startswith(word))
    expected = int(row[3]), int(row[4]), word

    found = log[row[0]]

    assert expected == found


def figure(number: str) -> list[str]:
    return next(row for row in rows("figures") if row[0] == number)


def whole(text: str) -> int:
    """Returns the first number in a cell."""
    return int(re.findall(r"\d+", text)[0])


def test_the_printed_initiative_is_in_the_log(log: dict[str, object]) -> None:
    expected = whole(figure("1")[5]), whole(figure("2")[5])

    found = log["1"], log["2"]

    assert expected == found


def test_the_printed_margin_of_the_second_shot_is_in_the_log(log: dict[str, object]) -> None:
    expected = int(re.findall(r"MoS (\d+)", figure("5")[5])[0]), [5]

    found = log["5 margin"], log["7 bonus"]

    assert expected == found


def test_the_printed_damage_is_in_the_log_as_an_overrule(log: dict[str, object]) -> None:
    """Ruling EP1-C3: the dice, and two fives; the book adds only one of the fives."""
    rolled = int(figure("7")[4])
    printed_total = whole(figure("7")[5])
    expected = printed_total, [(rolled + 5 + 5, printed_total)]

    found = log["7"], log["7 by the rule"]

    assert expected == found


def test_the_printed_armor_and_wounds_are_in_the_log(log: dict[str, object]) -> None:
    expected = whole(figure("8")[5]), whole(figure("9")[5])

    found = log["8"], log["9"]

    assert expected == found


def test_the_printed_stunner_is_in_the_log(log: dict[str, object]) -> None:
    expected = whole(figure("14")[5]), 0, 0

    found = log["14"], log["14 armor"], log["15"]

    assert expected == found
    assert figure("15")[5] == "no wound"


def test_the_printed_shock_test_is_in_the_log(log: dict[str, object]) -> None:
    row = figure("16")
    dur, armor = (int(each) for each in re.findall(r"DUR (\d+) \+ energy armor (\d+)", row[2])[0])
    expected = (dur + armor, int(row[4]), "failure"), -int(re.findall(r"MoF (\d+)", row[5])[0])

    found = log["16"], log["16 margin"]

    assert expected == found


def test_every_line_of_the_printed_example_is_looked_up() -> None:
    expected = {row[0] for row in rows("figures")}

    found = {number.split()[0] for number, _ in figures()}

    assert expected == found


# ------------------------------------------------------------------------------------------------ d. every chart


@pytest.mark.parametrize(("game", "chart"), CHARTS, ids=CHART_NAMES)
def test_every_box_is_reached_and_can_end(game: Ruleset, chart: Chart) -> None:
    expected = set(chart.boxes)

    reached = chart.reachable(chart.first)

    assert expected == reached
    assert all(any(isinstance(chart[each], End) for each in chart.reachable(number)) for number in chart.boxes)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_charts_of_a_ruleset_have_different_names(game: Ruleset) -> None:
    outermost = [game.turn, *(kind.chart for kind in game.kinds.values())]
    expected = {id(chart): chart.name for outer in outermost for chart in outer.inner()}

    assert sorted(set(expected.values())) == sorted(expected.values())


@pytest.mark.parametrize(("game", "chart"), CHARTS, ids=CHART_NAMES)
def test_every_printed_number_appears_once_followed_by_its_halves(game: Ruleset, chart: Chart) -> None:
    numbers = [box.number for box in chart.boxes.values() if re.fullmatch(r"\d+[a-z]?", box.number)]
    expected = sorted(set(numbers), key=lambda number: (int(re.sub(r"\D", "", number)), number))

    runners = {number for each in game.charts.values() for number, box in each.boxes.items() if is_run(box, chart)}

    assert expected == numbers
    assert all(halved(number) in {*numbers, *map(halved, runners)} for number in numbers)


def halved(number: str) -> str:
    """Returns the printed step that a box belongs to; a chart may belong to the step that runs it."""
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")


def is_run(box: Box, chart: Chart) -> bool:
    return isinstance(box, Run) and box.chart is chart


@pytest.mark.parametrize(("game", "chart"), CHARTS, ids=CHART_NAMES)
def test_every_mend_is_bound_to_a_ruling(game: Ruleset, chart: Chart) -> None:
    expected = {ruling.id for ruling in game.rulings}

    found = {box.mend.ruling for box in chart.boxes.values() if box.mend}

    assert found <= expected


@pytest.mark.parametrize(("game", "chart"), CHARTS, ids=CHART_NAMES)
def test_every_box_and_chart_cites_a_declared_book(game: Ruleset, chart: Chart) -> None:
    expected = {book.code for book in game.books}

    cited = {parse(box.see).book for box in chart.boxes.values() if box.see} | {parse(chart.source).book}
    silent = [
        box.number for box in chart.boxes.values() if not box.see and not (isinstance(box, End) and not box.functions)
    ]

    assert cited <= expected
    assert [] == silent


@pytest.mark.parametrize(("game", "chart"), CHARTS, ids=CHART_NAMES)
def test_a_running_box_has_an_exit_for_every_end_of_its_chart(game: Ruleset, chart: Chart) -> None:
    runs = [box for box in chart.boxes.values() if isinstance(box, Run)]
    expected: list[tuple[str, str]] = []

    unknown = [
        (box.number, end.number)
        for box in runs
        for end in box.chart.boxes.values()
        if isinstance(end, End) and end.number not in box.exits and "goto" not in box.exits
    ]

    assert expected == unknown


# ------------------------------------------------------------------------------------------------ bad charts


def nothing(_: object) -> Iterator[object]:
    yield from ()


def do(number: str, **exits: str) -> Box:
    return Do(number, f"Box {number}", nothing, **exits)  # type: ignore[arg-type]


BAD = {
    "two boxes of one number": ((do("1", goto="2"), do("1", goto="2"), End("2", "End")), "two boxes of one number"),
    "an exit to nowhere": ((do("1", goto="9"), End("2", "End")), "exit goto leads to 9, which is no box"),
    "a mend to nowhere": (
        (Do("1", "One", nothing, goto="2", mend=Mend("X-1", no="9")), End("2", "End")),  # type: ignore[arg-type]
        "exit no leads to 9, which is no box",
    ),
    "a box without an exit": ((do("1", yes="2", no="3"), do("2"), End("3", "End")), "2: no exit"),
    "a box that is never reached": ((do("1", goto="3"), do("2", goto="3"), End("3", "End")), "never reached: ['2']"),
    "a box that can never end": (
        (do("1", yes="2", no="3"), do("2", goto="2"), End("3", "End")),
        "2: can never end",
    ),
}


@pytest.mark.parametrize("why", BAD)
def test_a_bad_chart_is_refused_when_it_is_made(why: str) -> None:
    boxes, expected = BAD[why]

    with pytest.raises(AssertionError) as refusal:
        Chart("bad", "A bad chart", *boxes, source="X 1")

    assert expected in str(refusal.value)


def test_a_running_box_without_an_exit_for_an_end_of_its_chart_is_refused() -> None:
    inner = Chart("inner", "Inner", do("1", won="2", lost="3"), End("2", "Won"), End("3", "Lost"), source="X 1")
    expected = "3"

    with pytest.raises(AssertionError) as refusal:
        Chart("outer", "Outer", Run("1", "Run", inner, **{"2": "2"}), End("2", "End"), source="X 1")

    assert expected in str(refusal.value)


def test_a_mend_replaces_a_printed_exit_that_stays_readable() -> None:
    box = Do("1", "One", nothing, no="1", mend=Mend("X-1", no="2"))  # type: ignore[arg-type]
    expected = {"no": "1"}, {"no": "2"}

    found = dict(box.printed), dict(box.exits)

    assert expected == found
