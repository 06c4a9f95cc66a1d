"""Options with target numbers and refusals, in Eclipse Phase 1st edition."""

import re

import pytest

from ledger.commands import Adjust, BeginCombat, Choose, Command, Declare, Join, OpenSession, TypeDice
from ledger.errors import Refused
from ledger.events import FigureFound
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from machines.engine.options import Possibility, options
from projections.combat import Combat, fold

GAME = ruleset("eclipse_phase_1e")
SLUG = re.compile(r"[a-z]+(-[a-z]+)*/[a-z]+(-[a-z]+)*: .+")

ANN = {
    "init": 60,
    "durability": 30,
    "aptitudes": {"som": 20},
    "skills": {"kinetic weapons": 57, "blades": 44, "fray": 40},
    "weapons": {
        "gun": {"kind": "ranged", "skill": "kinetic weapons", "damage": "1d10", "modes": ["semi"], "smartlink": True},
        "knife": {"kind": "melee", "skill": "blades", "damage": "1d10"},
        "cannon": {"kind": "ranged", "skill": "gunnery", "damage": "4d10", "modes": ["single"]},
    },
}
BOB = {"init": 50, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 60, "clubs": 35}}


class Table:
    """A fight in which Ann acts and Bob waits."""

    def __init__(self) -> None:
        self.combat = Combat()
        self.do(OpenSession("Options", GAME.name), Join("ann", ANN), Join("bob", BOB))

    def do(self, *commands: Command) -> None:
        for command in commands:
            self.combat = fold(decide(GAME, self.combat, command), self.combat)

    def begin(self) -> "Table":
        self.do(BeginCombat(), TypeDice("r1/ann/initiative", (30,)), TypeDice("r1/bob/initiative", (10,)))
        return self

    def options(self) -> tuple[Possibility, ...]:
        return options(GAME, self.combat)

    def declared(self, using: str) -> Possibility:
        """Returns the option of attacking with a weapon."""
        return next(each for each in self.options() if using in each.label)

    def target(self, role: str) -> int:
        """Returns the recorded target number."""
        return self.combat.figures.number(f"r1/ann/a1/attack/{role}", "target")


@pytest.fixture
def table() -> Table:
    return Table().begin()


def test_an_open_roll_is_an_option_without_a_command() -> None:
    table = Table()
    table.do(BeginCombat())
    expected = [("r1/ann/initiative", "1d100", None), ("r1/bob/initiative", "1d100", None)]

    found = [(each.key, each.dice, each.command) for each in table.options()]

    assert expected == found


def test_every_weapon_at_every_other_is_offered_and_the_end_of_the_phase(table: Table) -> None:
    expected = {"end", "attack: at bob, using gun", "attack: at bob, using knife", "full defense"}

    found = {each.label for each in table.options() if not each.refused}
    others = {label.split(":")[0] for label in found - expected}

    assert expected <= found
    assert others == {"aim", "move", "delay", "Complex Action", "Quick Action"}


@pytest.mark.parametrize(("using", "number"), [("gun", 67), ("knife", 44)])
def test_the_number_of_an_attack_is_the_target_that_is_logged(table: Table, using: str, number: int) -> None:
    expected = number

    possibility = table.declared(using)
    assert possibility.command is not None
    table.do(possibility.command, Choose("r1/ann/a1/attack/defense", "fray"))

    assert expected == possibility.target
    assert expected == table.target("to-hit")


def test_the_number_of_an_attack_counts_wounds_and_the_cap(table: Table) -> None:
    table.do(Adjust("ann", "wounds", 9, "a bad day"))
    expected = 44 - 60

    possibility = table.declared("knife")
    assert possibility.command is not None
    table.do(possibility.command, Choose("r1/ann/a1/attack/defense", "fray"))

    assert expected == possibility.target
    assert expected == table.target("to-hit")


def test_the_number_of_an_attack_on_whoever_cannot_defend_is_the_target_that_is_logged(table: Table) -> None:
    table.do(Adjust("bob", "conditions.unconscious", "woken", "asleep"))
    expected = 67

    possibility = table.declared("gun")
    assert possibility.command is not None
    table.do(possibility.command)

    assert expected == possibility.target
    assert expected == table.target("to-hit")


@pytest.mark.parametrize(
    ("using", "defense", "number"), [("gun", "fray", 30), ("knife", "fray", 60), ("knife", "clubs", 35)]
)
def test_the_number_of_a_defense_is_the_target_that_is_logged(
    table: Table, using: str, defense: str, number: int
) -> None:
    expected = number
    table.do(Declare("attack", "ann", {"at": "bob", "using": using}))

    possibility = next(each for each in table.options() if each.command == Choose(each.key, defense))
    assert possibility.command is not None
    table.do(possibility.command)

    assert expected == possibility.target
    assert expected == table.target("defend")


@pytest.mark.parametrize(
    ("what", "value", "number"),
    [("wounds", 2, 40), ("conditions.full_defense", "", 90), ("conditions.shocked", 20, 40)],
)
def test_the_number_of_a_defense_counts_what_changes_it(table: Table, what: str, value: int | str, number: int) -> None:
    """`Option.target` is "the target number it would lead to", including wounds, shock and full defense."""
    expected = number
    table.do(Adjust("bob", what, value, "before the fight"), Declare("attack", "ann", {"at": "bob", "using": "knife"}))

    possibility = next(each for each in table.options() if each.command == Choose(each.key, "fray"))
    assert possibility.command is not None
    table.do(possibility.command)

    assert expected == table.target("defend")
    assert expected == possibility.target


def test_waiving_the_defense_has_no_number(table: Table) -> None:
    table.do(Declare("attack", "ann", {"at": "bob", "using": "gun"}))
    expected = None

    possibility = next(each for each in table.options() if each.command == Choose(each.key, "none"))

    assert expected == possibility.target
    assert "" == possibility.refused


def test_the_number_of_an_open_roll_is_the_target_that_is_logged(table: Table) -> None:
    table.do(Declare("attack", "ann", {"at": "bob", "using": "gun"}), Choose("r1/ann/a1/attack/defense", "fray"))
    expected = {"r1/ann/a1/attack/to-hit": 67, "r1/ann/a1/attack/defend": 30}

    found = {each.key: each.target for each in table.options()}

    assert expected == found


def test_what_the_sheet_does_not_allow_is_refused_with_its_slug(table: Table) -> None:
    expected = "sheet/incomplete"

    possibility = table.declared("cannon")

    assert possibility.refused.startswith(f"{expected}: ")
    assert possibility.target is None


def test_what_is_used_up_is_refused_with_its_slug(table: Table) -> None:
    """After a Complex Action one Quick Action is left: walking, running, aiming."""
    table.do(Declare("complex", "ann", {"what": "picks a lock"}))
    expected = {
        "attack": {"action/used-up"},
        "full_defense": {"action/used-up"},
        "complex": {"action/used-up"},
        "delay": {"action/used-up"},
        "move": {"", "action/used-up"},
        "aim": {""},
        "quick": {""},
    }

    found: dict[str, set[str]] = {}
    for each in table.options():
        if isinstance(each.command, Declare):
            found.setdefault(each.command.kind, set()).add(each.refused.split(": ")[0])

    assert expected == found


@pytest.mark.parametrize(("how", "slug"), [("walk", ""), ("run", ""), ("sprint", "action/used-up")])
def test_after_a_complex_action_one_may_run_but_not_sprint(table: Table, how: str, slug: str) -> None:
    table.do(Declare("complex", "ann", {"what": "picks a lock"}))
    expected = slug

    found = next(each for each in table.options() if each.command == Declare("move", "ann", {"how": how}))

    assert expected == found.refused.split(": ")[0]


def test_whoever_has_used_up_everything_can_only_end(table: Table) -> None:
    table.do(Declare("complex", "ann", {"what": "picks a lock"}), Declare("quick", "ann", {"what": "draws"}))
    expected = ["end"]

    assert expected == [each.label for each in table.options()]


def test_standing_up_is_offered_to_whoever_is_prone(table: Table) -> None:
    expected = Declare("quick", "ann", {"what": "stands up", "stand": True})
    before = [each.command for each in table.options()]

    table.do(Adjust("ann", "conditions.prone", "standing up", "slipped"))

    assert expected not in before
    assert expected in [each.command for each in table.options()]


def test_what_is_not_refused_can_be_performed_and_what_is_cannot(table: Table) -> None:
    table.do(Declare("attack", "ann", {"at": "bob", "using": "gun"}), Choose("r1/ann/a1/attack/defense", "none"))
    table.do(TypeDice("r1/ann/a1/attack/to-hit", (98,)))
    expected = {each.label: each.refused for each in table.options()}

    found = {each.label: _why_not(table.combat, each.command) for each in table.options()}

    assert expected == found
    assert all(not refused or SLUG.fullmatch(refused) for refused in found.values())


def _why_not(combat: Combat, command: Command | None) -> str:
    assert command is not None
    try:
        decide(GAME, combat, command)
    except Refused as refusal:
        return str(refusal)
    return ""


def test_asking_changes_nothing(table: Table) -> None:
    expected, figures = table.combat, dict(table.combat.figures.exchange)

    table.options()

    assert expected == table.combat
    assert figures == table.combat.figures.exchange


def test_nothing_open_offers_nothing() -> None:
    expected = ()

    found = options(GAME, fold((FigureFound("r1", "x", 1, "", "X 1", "exchange", ""),), Combat()))

    assert expected == found
