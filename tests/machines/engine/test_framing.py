"""The commands around play: opening and closing a session, combatants, combats, time between them."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from ledger import events as e
from ledger.commands import (
    AmendSheet,
    BeginCombat,
    CloseSession,
    Command,
    Declare,
    EndCombat,
    Join,
    Leave,
    OpenSession,
    PassTime,
    RenameSession,
    TypeDice,
)
from ledger.errors import Refused
from machines.contract.refusals import (
    AlreadyFighting,
    AlreadyOpen,
    BadId,
    BadSheet,
    BadSituation,
    BadTitle,
    CannotAdjust,
    NoCombatants,
    NotFighting,
    NotOpen,
    StillNeeded,
    Taken,
    UnknownCombatant,
    UnknownPolicy,
    UnknownProfile,
)
from machines.contract.ruleset import ruleset
from machines.engine.decide import decide
from machines.engine.framing import HANDLERS, check_new, check_open
from machines.engine.walk import Walk
from projections.combat import Combat, fold

GAME = ruleset("eclipse_phase_1e")
SHEET: dict[str, Any] = {
    "init": 60, "durability": 40, "aptitudes": {"som": 20, "wil": 15}, "skills": {"clubs": 50, "fray": 40}, "moxie": 2,
    "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"}},
}  # fmt: skip
THIN = {"init": 10, "durability": 20, "aptitudes": {"som": 20, "wil": 15}}
OPEN = OpenSession("t", GAME.name)
FIRST, SECOND, ATTACK = "r1/ann/initiative", "r1/bob/initiative", "r1/ann/a1/attack"


def followed(combat: Combat, command: Command, game: Any = GAME) -> list[e.Event]:
    """Returns the events by the handlers alone, without the check that the session is open."""
    walk = Walk(combat, game.charts, (), game)
    HANDLERS[type(command)](game, walk, command)
    return walk.events


def after(combat: Combat, *commands: Command) -> Combat:
    for command in commands:
        combat = fold(decide(GAME, combat, command), combat)
    return combat


NEW = Combat()
EMPTY = after(NEW, OPEN)
HERE = after(EMPTY, Join("ann", SHEET), Join("bob", SHEET))
BEGUN = after(HERE, BeginCombat())
ROLLED = after(BEGUN, TypeDice(FIRST, (30,)), TypeDice(SECOND, (20,)))
STRUCK = after(ROLLED, Declare("attack", "ann", {"at": "bob", "using": "club"}))
CLOSED = after(HERE, CloseSession())


def refused(combat: Combat, command: Command) -> tuple[type[Refused], str, str, str]:
    with pytest.raises(Refused) as refusal:
        followed(combat, command)
    return type(refusal.value), refusal.value.message, refusal.value.where, refusal.value.accepts


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("combat", "command", "kind", "message", "where", "accepts"),
    [
        (EMPTY, Join("Ann", SHEET), BadId, "'Ann' is not an id", "who", "lower-case letters, digits, - and _; not gm"),
        (EMPTY, Join("gm", SHEET), BadId, "'gm' is not an id", "who", "lower-case letters, digits, - and _; not gm"),
        (HERE, Join("ann", SHEET), Taken, "ann has joined already", "who", "another id"),
        (HERE, AmendSheet("zoe", SHEET), UnknownCombatant, None, "who", "ann, bob"),
        (HERE, Leave("zoe"), UnknownCombatant, None, "who", "ann, bob"),
        (STRUCK, AmendSheet("ann", SHEET), StillNeeded, "ann's attack is being resolved", ATTACK, "finish it, or undo --exchange"),
        (STRUCK, Leave("bob"), StillNeeded, "ann's attack is being resolved", ATTACK, "finish it, or undo --exchange"),
        (ROLLED, Leave("ann"), StillNeeded, "ann has an open roll, choice or turn", "who", "answer or rewind first"),
        (BEGUN, Leave("bob"), StillNeeded, "bob has an open roll, choice or turn", "who", "answer or rewind first"),
        (BEGUN, BeginCombat(), AlreadyFighting, "a fight is going on", "combat", "end it first"),
        (EMPTY, BeginCombat(), NoCombatants, "no combatants have joined", "combat", "join combatants first"),
        (HERE, EndCombat(), NotFighting, "no fight is going on", "combat", "begin a fight first"),
        (BEGUN, PassTime(1, "hours"), AlreadyFighting, "during a fight time passes in rounds", "combat", "end the fight first"),
        (HERE, PassTime(0, "hours"), CannotAdjust, "time only goes forward", "amount", "1 or more"),
        (HERE, PassTime(-1, "hours"), CannotAdjust, "time only goes forward", "amount", "1 or more"),
        (HERE, PassTime(1, "moons"), CannotAdjust, "'moons' is not a unit of time", "unit", "seconds, minutes, hours, days, weeks, months"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_what_can(
    combat: Combat, command: Command, kind: type[Refused], message: str | None, where: str, accepts: str
) -> None:
    found = refused(combat, command)

    assert (found[0], found[2:]) == (kind, (where, accepts))
    assert message in (found[1], None)


@pytest.mark.parametrize(
    ("combat", "command", "kind"),
    [
        (NEW, OpenSession("t", GAME.name, "9th printing"), UnknownProfile),
        (NEW, OpenSession("t", GAME.name, policies={"tea": "hot"}), UnknownPolicy),
        (EMPTY, Join("ann", {"strength": 3}), BadSheet),
        (HERE, AmendSheet("ann", {"strength": 3}), BadSheet),
    ],
)
def test_what_the_game_or_the_table_cannot_have_is_refused(
    combat: Combat, command: Command, kind: type[Refused]
) -> None:
    assert refused(combat, command)[0] is kind


def test_a_situation_is_what_its_game_says() -> None:
    assert followed(HERE, BeginCombat({"place": "alley"}))[0] == e.CombatBegan(1, {"place": "alley"})
    assert refused(HERE, BeginCombat({"snow": True}))[0] is BadSituation


def test_a_fight_is_not_begun_amid_an_exchange() -> None:
    stress = after(HERE, Declare("stress", "bob", {"what": "gruesome murder scene"}))

    assert refused(stress, BeginCombat())[:2] == (StillNeeded, "bob's stress is being resolved")


# ------------------------------------------------------------------------------------------------ the session


def test_a_session_that_is_not_open_changes_no_more() -> None:
    check_open(EMPTY)
    for combat in (NEW, CLOSED):
        with pytest.raises(NotOpen) as refusal:
            check_open(combat)
        assert (refusal.value.message, refusal.value.where) == ("the session is not open", "session")
        assert refusal.value.accepts == "a session that is open"


def test_a_session_is_opened_once() -> None:
    check_new(NEW)
    with pytest.raises(AlreadyOpen) as twice:
        check_new(EMPTY)
    assert (twice.value.message, twice.value.where) == ("the session is open already", "session")
    with pytest.raises(NotOpen) as again:
        check_new(CLOSED)
    assert (again.value.message, again.value.where) == ("the session is permanently closed", "session")
    assert again.value.accepts == "a new session"


def test_what_a_session_is_opened_with_is_recorded() -> None:
    asked = OpenSession("t", GAME.name, "", {}, {"dice": "fresh"}, "promise", "a book")
    row = msgspec.json.decode(EMPTY.session.rules)

    opened = e.SessionOpened("t", GAME.name, row["name"], row, {"dice": "fresh"}, "promise", "a book")
    assert followed(NEW, asked) == [opened]
    assert followed(NEW, msgspec.structs.replace(asked, campaign="c")) == [opened, e.CampaignNamed("c")]
    assert followed(HERE, CloseSession("late")) == [e.SessionClosed("late")]


def test_a_session_may_get_another_title() -> None:
    assert followed(HERE, RenameSession("Night Market II")) == [e.SessionRenamed("Night Market II")]
    renamed = after(HERE, RenameSession("Night Market II"))
    assert renamed.session == msgspec.structs.replace(HERE.session, title="Night Market II")
    assert followed(HERE, RenameSession("A\u00a0fête \U0001f469\u200d\U0001f680"))
    for title in ("", "   ", "two\nlines", HERE.session.title):
        with pytest.raises(BadTitle) as refusal:
            decide(GAME, HERE, RenameSession(title))
        assert refusal.value.where == "title"


# ------------------------------------------------------------------------------------------------ who takes part


def kinds(events: Sequence[e.Event]) -> list[type[e.Event]]:
    return [type(event) for event in events]


def test_who_joins_is_recorded_with_a_name_a_side_and_a_sheet_and_what_it_opens() -> None:
    joined, side, sheet, *opened = followed(EMPTY, Join("ann", SHEET, "Ann", "kira", side="north", seen_by=("kira",)))

    assert joined == e.CombatantJoined("ann", "Ann", "kira", False, seen_by=("kira",))
    assert side == e.SideTaken("ann", "north", seen_by=("kira",))
    assert sheet == e.SheetGiven("ann", SHEET, seen_by=("kira",))
    assert {type(event) for event in opened} >= {e.TrackOpened}
    plain = followed(EMPTY, Join("ann", SHEET))
    assert plain[:2] == [e.CombatantJoined("ann", "ann", "gm", False), e.SheetGiven("ann", SHEET)]
    assert plain[2:] == opened


@pytest.mark.parametrize(("sheet_seen_by", "seen_by"), [((), ()), (("kira",), ("kira",)), (None, ("kira", "zoe"))])
def test_a_sheet_may_be_more_of_a_secret_than_whose_it_is(sheet_seen_by: Any, seen_by: Any) -> None:
    events = followed(EMPTY, Join("ann", SHEET, sheet_seen_by=sheet_seen_by, seen_by=("kira", "zoe")))

    assert [event.seen_by for event in events if isinstance(event, e.SheetGiven)] == [seen_by]


def test_who_joins_in_secret_is_recorded_under_the_id_with_the_names_apart() -> None:
    def names(**more: Any) -> list[e.Event]:
        return followed(EMPTY, Join("ann", SHEET, "Ann", unseen=True, seen_by=(), **more))[:3]

    joined, given = e.CombatantJoined("ann", "ann", "gm", False, seen_by=()), e.NameGiven("ann", "Ann", seen_by=())
    sheet = e.SheetGiven("ann", SHEET, seen_by=())
    assert names() == [joined, given, sheet]
    assert names(alias="Ann") == [joined, given, sheet]
    assert names(alias="sniper") == [joined, e.NameGiven("ann", "sniper", seen_by=()), given]
    assert not any(isinstance(event, e.NameGiven) for event in followed(EMPTY, Join("ann", SHEET, "Ann", alias="x")))


def test_a_thing_is_one_that_is_said_to_be_or_that_the_game_knows_by_its_sheet() -> None:
    things = msgspec.structs.replace(GAME, is_thing=lambda _: True)

    def is_thing(command: Join, game: Any = GAME) -> bool:
        joined = followed(EMPTY, command, game)[0]
        assert isinstance(joined, e.CombatantJoined)
        return joined.thing

    assert [is_thing(Join("ann", SHEET)), is_thing(Join("ann", SHEET, thing=True))] == [False, True]
    assert is_thing(Join("ann", SHEET), things)


def test_who_has_left_may_join_again() -> None:
    left = after(HERE, Leave("bob", "tired"))

    assert followed(HERE, Leave("bob", "tired")) == [e.CombatantLeft("bob", "tired")]
    assert kinds(followed(left, Join("bob", SHEET)))[:2] == [e.CombatantJoined, e.SheetGiven]


def test_who_is_not_waited_for_may_leave_a_fight() -> None:
    assert followed(ROLLED, Leave("bob")) == [e.CombatantLeft("bob", "")]


@pytest.mark.parametrize(("asked", "seen_by"), [(None, ("kira",)), ((), ()), (("zoe",), ("zoe",))])
def test_a_new_sheet_is_as_secret_as_the_old_one_unless_it_is_said_who_may_see_it(asked: Any, seen_by: Any) -> None:
    known = after(EMPTY, Join("ann", THIN, sheet_seen_by=("kira",)))

    sheet, *opened = followed(known, AmendSheet("ann", SHEET, seen_by=asked))

    assert sheet == e.SheetGiven("ann", SHEET, seen_by=seen_by)
    assert opened == list(GAME.open_sheet(fold((sheet,), known), "ann"))
    assert opened


# ------------------------------------------------------------------------------------------------ combats, time


def test_a_fight_is_numbered_and_enters_the_turn() -> None:
    began, step, *rest = followed(HERE, BeginCombat())

    assert began == e.CombatBegan(1, {})
    assert step == e.StepEntered(GAME.turn.name, GAME.turn.first, 0)
    assert [event.key for event in rest if isinstance(event, e.RollRequested)] == [FIRST, SECOND]
    over = after(ROLLED, EndCombat())
    assert followed(over, BeginCombat())[0] == e.CombatBegan(ROLLED.clock.combat + 1, {})
    assert followed(ROLLED, EndCombat("dawn")) == [e.CombatEnded("dawn")]


@pytest.mark.parametrize("unit", ["seconds", "minutes", "hours", "days", "weeks", "months"])
def test_time_passes_in_units_and_the_game_says_what_comes_of_it(unit: str) -> None:
    def elapse(combat: Combat, passed: e.TimePassed) -> Any:
        assert combat is not HERE
        yield e.Noted(f"{passed.amount} {passed.unit}", "")
        yield e.Noted("dawn", "")

    game = msgspec.structs.replace(GAME, elapse=elapse)

    assert followed(HERE, PassTime(1, unit), game) == [
        e.TimePassed(1, unit), e.Noted(f"1 {unit}", ""), e.Noted("dawn", ""),
    ]  # fmt: skip
