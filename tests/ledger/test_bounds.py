"""Every text, number and object of a command has a bound, which applies to new commands and not to stored ones."""

from typing import Any, get_origin

import msgspec
import pytest
from hostile import FIELDS, WRONG, at_the_bound, fitting, hints, nested, parts, plain_command

from ledger import codec
from ledger.bounds import check_session_id
from ledger.commands import COMMANDS, Command, Declare, Join, Note, OpenSession, Overrule
from ledger.entry import Entry, Seat, Who
from ledger.errors import BadCommand, BadSessionId
from ledger.requests.command_checks import check_command

ANN = Who("ann")
by_field = pytest.mark.parametrize(("kind", "field"), FIELDS, ids=lambda each: getattr(each, "__name__", each))


@by_field
def test_every_part_of_every_field_states_its_bound(kind: type[Command], field: str) -> None:
    for part in parts(hints(kind)[field]):
        unbounded = part in (str, int, Any) or get_origin(part) in (tuple, dict)
        assert not unbounded, f"{kind.__name__}.{field} has no bound: see ledger.bounds"


@by_field
def test_what_keeps_the_bound_is_accepted_and_what_is_one_more_is_refused_with_its_path(
    kind: type[Command], field: str
) -> None:
    command = plain_command(kind)
    for kept, broken in at_the_bound(hints(kind)[field]):
        check_command(ANN, msgspec.structs.replace(command, **{field: kept}))

        with pytest.raises(BadCommand) as refusal:
            check_command(ANN, msgspec.structs.replace(command, **{field: broken}))

        assert refusal.value.where.partition("[")[0].partition(".")[0] == field
        assert field in refusal.value.message
        assert refusal.value.accepts


@by_field
def test_a_value_of_a_wrong_type_is_refused_with_its_path_and_nothing_else_is_raised(
    kind: type[Command], field: str
) -> None:
    command, refused = plain_command(kind), 0
    for value in WRONG:
        try:
            check_command(ANN, msgspec.structs.replace(command, **{field: value}))
        except BadCommand as refusal:
            refused += 1
            assert refusal.where.partition("[")[0].partition(".")[0] == field
    assert refused > len(WRONG) // 2


@by_field
def test_what_is_accepted_is_read_as_it_was_written(kind: type[Command], field: str) -> None:
    command = plain_command(kind)
    for value in WRONG:
        changed = msgspec.structs.replace(command, **{field: value})
        try:
            check_command(ANN, changed)
        except BadCommand:
            continue
        entry = Entry(1, 1, 0, "2024-11-03T19:30:00.000Z", ANN, 1, None, changed, ())

        assert codec.decode(codec.encode(entry)).command == msgspec.convert(msgspec.to_builtins(changed), kind)


@pytest.mark.parametrize(
    "letter", ["\x00", "\n", "\x1b", "\x7f", "\x85", "\u2028", "\u202a", "\u202e", "\u2066", "\u2069"]
)
@pytest.mark.parametrize("place", ["{}ann", "a{}nn", "ann{}"])
def test_ids_names_and_titles_have_no_letter_that_hides_or_turns_the_text(letter: str, place: str) -> None:
    text = place.format(letter)
    for command in (
        Join(text, {}), Join("ann", {}, text), Join("ann", {}, "Ann", text), OpenSession(text, "x"), Declare(text, "ann"),
        Join("ann", {"weapons": {text: {}}}), Note("x", seen_by=(text,)), Overrule("r1/ann", text, 1, "so"),
    ):  # fmt: skip
        with pytest.raises(BadCommand):
            check_command(ANN, command)
    with pytest.raises(BadCommand) as refusal:
        check_command(Who(text), Note("x"))
    assert refusal.value.where == "by.name"


@pytest.mark.parametrize("text", ["Zoë", "龍", "🎲👩‍🚀", "שרה", "می‌خواهم", "O’Brien & Sons (ex-“KGB”)", " "])
def test_names_of_all_languages_are_accepted(text: str) -> None:
    check_command(Who(text, Seat.PLAYER), Join("ann", {"skills": {text: 40}}, text, text))


def test_a_note_may_have_lines_and_tabs() -> None:
    check_command(ANN, Note("one\n\ttwo\r\nthree"))


def test_of_two_wrong_fields_one_is_named() -> None:
    with pytest.raises(BadCommand) as refusal:
        check_command(ANN, Join("ann", {"x": object()}, seen_by="\ud800"))  # type: ignore[arg-type]
    assert refusal.value.where == "seen_by"


def test_an_object_that_holds_itself_is_refused() -> None:
    sheet: dict[str, Any] = {}
    sheet["sheet"] = sheet
    with pytest.raises(BadCommand, match="nested too deeply"):
        check_command(ANN, Join("ann", sheet))


@pytest.mark.parametrize("by", [None, "ann", Who(7), Who("ann", "gm"), Who("ann", "owner")])  # type: ignore[arg-type]
def test_who_asks_is_a_person_at_a_seat(by: Any) -> None:
    with pytest.raises(BadCommand) as refusal:
        check_command(by, Note("x"))
    assert refusal.value.where.startswith("by")


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_what_was_written_before_there_were_bounds_is_still_read(kind: type[Command]) -> None:
    for field, hint in hints(kind).items():
        for _, broken in at_the_bound(hint):
            command = msgspec.structs.replace(plain_command(kind), **{field: broken})
            entry = Entry(1, 1, 0, "2024-11-03T19:30:00.000Z", ANN, 1, None, command, ())

            assert codec.decode(codec.encode(entry)) == entry


def test_fitting_values_and_nested_objects_are_what_they_say() -> None:
    assert fitting(hints(Join)["sheet"]) == {}
    assert nested(3) == {"in": {"in": {}}}


@pytest.mark.parametrize("session", ["01JD3KABCDEF", "FIGHT", "a", "x.y-z_1~", "Zoë", "7" * 128])
def test_a_session_id_is_letters_and_digits(session: str) -> None:
    check_session_id(session)


@pytest.mark.parametrize(
    "session", ["", ".", "..", "../../x", "a/b", "a\\b", "a b", "a\n", "\u202eabc", "a\x00", "-a", "_a", "7" * 129, "\ud800", None, 7, b"x"]
)  # fmt: skip
def test_a_session_id_that_is_no_address_is_refused(session: Any) -> None:
    with pytest.raises(BadSessionId):
        check_session_id(session)
