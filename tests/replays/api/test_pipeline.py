"""One way into the log: what is written comes by the pipeline, once, and those who listen are given it."""

import ast
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from ledger.commands import Amend, ApplyModifier, Join, Note, Overrule, Rewind, TypeDice
from ledger.entry import Entry, Seat, Who
from ledger.errors import BadCommand, KeyReused, Refused, Stale
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import NoSuchRoll, NotAllowed, NotOpen
from replays.api.prepare import STEPS
from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.change import Change
from replays.scripts.format import find_script, read

MOX = Who("mox", Seat.PLAYER)
Written = list[list[int]]


@pytest.fixture
def street() -> Session:
    return perform(read(find_script("street-fight")[1]))


@pytest.fixture
def written(street: Session) -> Written:
    """The numbers of the entries that a listener is given, a list for each request."""
    found: Written = []
    street.listen(lambda entries: found.append([entry.seq for entry in entries]))
    return found


WRITES: dict[str, Callable[..., Any]] = {
    "perform": lambda session, **how: session.perform(Note("x"), **how),
    "perform_all": lambda session, **how: session.perform_all(Note("x"), **how),
    "overrule": lambda session, **how: session.overrule("r1/razor/a1/attack", "outcome", "miss", why="x", **how),
    "modify": lambda session, **how: session.modify("r1/razor/a1/attack/to-hit", -2, why="x", **how),
    "amend": lambda session, **how: session.amend(2, Change(set={"name": "x"}), why="x", **how),
    "rewind": lambda session, **how: session.rewind(20, why="x", **how),
    "undo": lambda session, **how: session.undo(why="x", **how),
    "redo": lambda session, **how: session.redo(why="x", **how),
}
"""Each way to write to a session."""


def test_these_are_all_ways_to_write_to_a_session() -> None:
    source = ast.parse((ROOT / "replays/api/session.py").read_text() + (ROOT / "replays/api/rewinding.py").read_text())
    takes_a_key = {
        each.name
        for each in ast.walk(source)
        if isinstance(each, ast.FunctionDef)
        and not each.name.startswith("_")
        and any(argument.arg == "batch" for argument in each.args.kwonlyargs)
    }
    assert takes_a_key - {"performed"} == WRITES.keys()  # a deprecated name of "perform_all"


def modules() -> list[Path]:
    return [path for room in ("ledger", "machines", "projections", "replays") for path in (ROOT / room).rglob("*.py")]


def calls(path: Path, name: str) -> bool:
    """Does a module call a function of that dotted name, on whatever object?"""
    found = (each.func for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.Call))
    return any(ast.unparse(each).endswith(name) for each in found)


def appending(path: Path) -> bool:
    """Returns whether a module calls an `append` that is not a list's: with more than one argument."""
    found = (each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.Call))
    named = (each for each in found if isinstance(each.func, ast.Attribute) and each.func.attr == "append")
    return any(len(each.args) + len(each.keywords) > 1 for each in named)


def test_only_the_pipeline_appends_to_a_log_and_only_preparing_checks_rights_in_a_session() -> None:
    appends = {path.relative_to(ROOT).as_posix() for path in modules() if appending(path)}
    on_a_copy = {"replays/api/branching.py"}  # in memory; tests/laws/test_branches.py: nothing is written
    whole_records = {"replays/exports/copying/session_copier.py"}  # from store to store, verified
    to_a_log = {"replays/api/pipeline.py", "replays/sessions/log.py"}  # a log, and to its store
    assert appends - on_a_copy == to_a_log | whole_records
    rights = {path.name for path in (ROOT / "replays/api").glob("*.py") if calls(path, "permissions.check")}
    assert rights == {"prepare.py", "seat_refusals.py"}  # and the reason of a refusal, from what the seat sees
    assert not [path for path in (ROOT / "replays/corrections").glob("*.py") if calls(path, "permissions.check")]


@pytest.mark.parametrize("way", WRITES)
def test_a_listener_is_given_each_entry_of_a_request_once_it_is_in_the_log(
    way: str, street: Session, written: Written
) -> None:
    if way == "redo":
        street.undo()
        written.clear()
    before = street.log.last

    WRITES[way](street, batch="k")

    assert written == [list(range(before + 1, street.log.last + 1))]


@pytest.mark.parametrize("way", WRITES)
def test_a_repeated_request_gives_a_listener_nothing(way: str, street: Session, written: Written) -> None:
    if way == "redo":
        street.undo()
    first = WRITES[way](street, batch="k")
    written.clear()

    assert WRITES[way](street, batch="k") == first
    assert written == []


@pytest.mark.parametrize("way", WRITES)
@pytest.mark.parametrize("refused", ["stale", "key", "closed", "spectator"])
def test_a_refused_request_is_refused_alike_by_each_way_and_gives_a_listener_nothing(
    way: str, refused: str, street: Session, written: Written
) -> None:
    if way == "redo":
        street.undo()
    street.perform(Note("first"), batch="k")
    how: dict[str, dict[str, Any]] = {
        "stale": {"expected": 1}, "key": {"batch": "k"}, "closed": {}, "spectator": {"by": Who("ann", Seat.SPECTATOR)},
    }  # fmt: skip
    reasons: dict[str, type[Refused]] = {
        "stale": Stale, "key": KeyReused, "closed": NotOpen, "spectator": NotAllowed,
    }  # fmt: skip
    if refused == "closed":
        from ledger.commands import CloseSession

        street.perform(CloseSession())
    written.clear()
    before = street.log.last

    with pytest.raises(reasons[refused]):
        WRITES[way](street, **how[refused])

    assert (written, street.log.last) == ([], before)


@pytest.mark.parametrize(
    "command",
    [
        Overrule("nobody/to-hit", "outcome", "miss", "x"),
        ApplyModifier("nobody/to-hit", -2, "x"),
        Amend(900, {"drop": True}, "x"),
        Rewind(900, "x"),
    ],
)
def test_who_may_not_ask_is_told_so_before_anything_is_looked_up(street: Session, command: Any) -> None:
    with pytest.raises(NotAllowed):
        street.perform(command, by=MOX)


def test_a_preview_gives_a_listener_nothing(street: Session, written: Written) -> None:
    street.preview(2, Change(set={"name": "x"}))
    street.whatif(2, Change(set={"name": "x"}))
    street.preview_roll(ApplyModifier("r1/razor/a1/attack/to-hit", -2, "x"))
    assert written == []


def test_of_two_who_write_at_once_each_listener_hears_its_own(street: Session, written: Written) -> None:
    other = Session(street.log.store, street.id)
    heard: list[Sequence[Entry]] = []
    other.listen(heard.append)

    other.perform(Note("by another"))
    street.perform(Note("by me"))

    assert [entry.command for entries in heard for entry in entries] == [Note("by another")]
    assert written == [[street.log.last]]


def test_a_request_that_means_something_else_once_others_have_written_is_prepared_again(street: Session) -> None:
    other = Session(street.log.store, street.id)
    other.perform(Note("by another"))

    back = street.undo(why="x")  # the log that this session knows ends before the note

    assert isinstance(back.command, Rewind)
    assert back.command.to == other.log.last - 1


def test_given_by_hand_a_command_does_not_say_at_which_rest_it_was_given(street: Session) -> None:
    street.rewind(8)
    assert street.perform(Note("x", given_at="r9/nobody/roll")).command.given_at != "r9/nobody/roll"


def test_the_steps_of_preparing_are_each_there_once_and_rights_come_before_whatever_is_looked_up() -> None:
    names = [step.perform.__name__ for step in STEPS]
    assert len(set(names)) == len(names)
    assert names.index("_check_permission") < names.index("_with_entry")


def test_a_roll_that_cannot_be_thrown_is_refused_and_the_next_request_is_handled(street: Session) -> None:
    with pytest.raises(NoSuchRoll):
        street.modify("r1/nobody/to-hit", -2, why="x")
    with pytest.raises(Refused):
        street.perform(TypeDice("r1/nobody/to-hit", (1,)))
    assert street.perform(Note("on")).seq == street.log.last


def test_a_listener_that_raises_stops_nothing_and_nothing_is_written_twice(
    street: Session, written: Written, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_: object) -> None:
        raise Stale(1, 2)

    street.listen(fail)
    before = street.log.last

    street.perform(Note("x"))

    assert street.log.last == before + 1
    assert written == [[before + 1]]
    assert f"a listener failed on entries {before + 1} to {before + 1}" in caplog.text


def test_a_listener_may_leave_while_it_is_told_and_the_others_hear_all(street: Session, written: Written) -> None:
    heard: list[int] = []

    def once(entries: Sequence[Entry]) -> None:
        heard.append(entries[0].seq)
        stop()

    stop = street.listen(once)
    after: list[int] = []
    street.listen(lambda entries: after.append(entries[0].seq))
    before = street.log.last

    street.perform(Note("x"))
    street.perform(Note("y"))

    assert (heard, after) == ([before + 1], [before + 1, before + 2])


def test_what_a_listener_asks_for_is_told_after_what_is_being_told(street: Session) -> None:
    def answer(entries: Sequence[Entry]) -> None:
        if entries[0].command == Note("x"):
            street.perform(Note("y"))

    street.listen(answer)
    heard: list[int] = []
    street.listen(lambda entries: heard.append(entries[0].seq))

    street.perform(Note("x"))

    assert heard == [street.log.last - 1, street.log.last]


def test_expected_is_refused_at_once_where_the_store_is_behind(
    street: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def stale(*_: object, expected: int, **__: object) -> None:
        tried.append(expected)
        raise Stale(expected, 40)

    monkeypatch.setattr(street.log.store, "append", stale)

    with pytest.raises(Stale) as refused:
        street.perform(Note("x"), expected=street.log.last)

    assert (refused.value.expected, refused.value.actual) == (street.log.last, 40)
    assert tried == [street.log.last]


@pytest.mark.parametrize("back", ["undo", "rewind", "amend"])
def test_the_people_who_may_see_a_reason_are_named_as_those_who_joined_in_secret_are(back: str) -> None:
    session = perform(read(find_script("street-fight")[1]))
    session.perform(Join("spook", {"body": 3, "reaction": 3, "intuition": 3, "willpower": 3}, unseen=True))
    seen_by = ("razor", "spook")
    match back:
        case "undo":
            session.perform(Note("x", seen_by=seen_by))
            command = session.undo(why="x", seen_by=seen_by).command
        case "rewind":
            session.perform(Note("x", seen_by=seen_by))
            command = session.rewind(session.log.last - 1, why="x", seen_by=seen_by).command
        case _:
            command = session.amend(2, Change(set={"name": "x"}), why="x", seen_by=seen_by).entries[0].command
    assert command.seen_by == ("razor", "unseen-1")


@pytest.mark.parametrize("others", [1, 2, 3, 4])
def test_recorded_answers_that_wait_follow_also_where_others_write_first(
    others: int, street: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    street.amend(20, Change(set={"modifiers": ["target has good cover"]}), why="the dumpster")
    (rest,) = [each for each in street.rests if each.dice]
    alone = Session(copied(street), street.id)
    missing = (4,) * (int(rest.dice.partition("d")[0]) - len(alone.waiting.known_faces(rest)))
    alone_written = alone.perform_all(TypeDice(rest.key, missing))
    append, other = street.log.store.append, Session(street.log.store, street.id)

    def raced(*args: Any, **how: Any) -> Any:
        monkeypatch.setattr(street.log.store, "append", append)
        for number in range(others):
            other.perform(Note(f"note {number}"))
        return append(*args, **how)

    monkeypatch.setattr(street.log.store, "append", raced)
    made = street.perform_all(TypeDice(rest.key, missing))

    assert [entry.command for entry in made] == [entry.command for entry in alone_written]
    assert street.waiting.entries() == Session(street.log.store, street.id).waiting.entries()


def copied(session: Session) -> MemoryStore:
    """Returns a new store with a copy of a session's log."""
    store = MemoryStore()
    store.create(session.id, list(session.log.store.read(session.id)))
    return store


@pytest.mark.parametrize("expected", ["45", True, 45.0, []])
def test_expected_of_a_wrong_type_is_refused_as_such(expected: Any, street: Session) -> None:
    with pytest.raises(BadCommand) as refused:
        street.perform(Note("x"), expected=expected)
    assert refused.value.where == "expected"


def test_a_listener_cannot_change_what_the_caller_is_given(street: Session, written: Written) -> None:
    given: list[object] = []
    street.listen(given.append)
    assert len(street.perform_all(Note("x"))) == 1
    assert isinstance(given[0], tuple)


def test_what_others_have_written_may_be_expected(street: Session) -> None:
    other = Session(street.log.store, street.id)
    other.perform(Note("by another"))
    assert street.perform(Note("x"), expected=other.log.last).seq == other.log.last + 1
