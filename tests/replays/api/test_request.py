"""A request: which parts of a command a person may set, and how a repeated request is recognized."""

from typing import Any, cast

import pytest
from written_log import WrittenLog

from ledger.commands import Amend, Command, DrawDice, Note, Rewind, TypeDice
from ledger.entry import Seat, Who
from ledger.errors import BadCommand, NoSuchEntry
from ledger.requests.fingerprint import fingerprint
from replays.api.request import (
    ANYWHERE,
    Request,
    amendment_request,
    amendment_request_of,
    bound_audience,
    by_hand,
    limited_to,
)
from replays.api.session import Session
from replays.corrections.change import BadChange, Change
from replays.sessions.log import Log
from replays.sessions.permissions import GM

KIRA = Who("kira", Seat.PLAYER)
KEY = "r1/ann/initiative"
NO_LOG = cast(Log, None)


# ------------------------------------------------------------------------------------------------ a request


def test_a_request_is_recognized_by_who_asks_and_by_what_is_asked_rather_than_by_the_command() -> None:
    note = Note("x")

    assert Request(note).fingerprint == Request(note, GM, 3, "k", consent=True).fingerprint == fingerprint(GM, (note,))
    assert Request(note, KIRA).fingerprint == fingerprint(KIRA, (note,)) != Request(note).fingerprint
    assert Request(note, binds=("undo", 1)).fingerprint == fingerprint(GM, ("undo", 1)) != Request(note).fingerprint


def test_it_asks_for_its_command_or_for_what_it_means_on_a_log() -> None:
    amend, rewind = Amend(ANYWHERE, {}, "x"), Rewind(ANYWHERE)

    assert Request(rewind).on(NO_LOG, rewind) is rewind
    for command, found in ((amend, Amend(7, {}, "x")), (rewind, Rewind(7))):
        assert Request(Note("x"), entry_meant=lambda log: 7 if log is NO_LOG else 8).on(NO_LOG, command) == found


def test_it_is_asked_by_the_gamemaster_openly_and_without_consent_unless_it_is_said() -> None:
    assert Request(Note("x")) == (Note("x"), GM, None, None, (), None, None, False)
    assert ANYWHERE == 0


# ------------------------------------------------------------------------------------------------ limited callers


def test_the_combatants_of_a_limited_caller_are_any_collection_of_names() -> None:
    assert limited_to(None) is None
    assert limited_to([]) == ()
    assert limited_to(["ann", "bob"]) == limited_to(("ann", "bob")) == ("ann", "bob")
    assert limited_to({"ann"}) == ("ann",)


@pytest.mark.parametrize("command", [Note("x"), Rewind(1), Amend(1, {"drop": True}, "x")])
@pytest.mark.parametrize("only", [5, "ann", b"ann", ["ann", 5], object()])
def test_an_argument_that_is_no_collection_of_names_is_refused(command: Command, only: Any) -> None:
    session = Session.create("memory://", ruleset="gurps_3e")

    with pytest.raises(BadCommand, match="is not a collection of combatants' names") as refusal:
        session.perform_all(command, only=only)

    assert refusal.value.where == "only"
    assert "None where only the seat limits the caller" in refusal.value.accepts
    assert len(list(session.entries())) == 1


# ------------------------------------------------------------------------------------------------ by hand


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (Note("x", given_at=KEY), Note("x")),
        (DrawDice(KEY, (3,), ("typed",), seen_by=("ann",), given_at=KEY), DrawDice(KEY, seen_by=("ann",))),
        (TypeDice(KEY, (3,), ("drawn",), seen_by=()), TypeDice(KEY, (3,), seen_by=())),
        (TypeDice(KEY, (3, 4), ("typed", "recorded")), TypeDice(KEY, (3, 4))),
        (TypeDice(KEY, (3,), ("drawn",), given_at=KEY), TypeDice(KEY, (3,))),
    ],
)
def test_what_only_a_session_can_say_is_taken_out(command: Command, found: Command) -> None:
    assert by_hand(command, GM) == found


@pytest.mark.parametrize(
    "command",
    [
        Note("x"),
        TypeDice(KEY, (3,)),
        TypeDice(KEY, (3,), ("typed",)),
        TypeDice(KEY, (3,), ("scripted",)),
        TypeDice(KEY, (3, 4), ("typed", "scripted")),
    ],
)
def test_what_a_person_may_say_stays(command: Command) -> None:
    assert by_hand(command, KIRA) is command


def test_what_is_beyond_a_bound_is_refused() -> None:
    for command in (Note(cast(str, 3)), DrawDice(cast(str, 3))):
        with pytest.raises(BadCommand):
            by_hand(command, GM)
    with pytest.raises(BadCommand):
        by_hand(Note("x"), cast(Who, "gm"))


# ------------------------------------------------------------------------------------------------ amending


def amendment(**more: Any) -> Request:
    words: dict[str, Any] = {"why": "misread", "seen_by": None, "by": GM} | more
    return amendment_request(words.pop("entry", 2), words.pop("change", Change(set={"faces": [4]})), **words)


FIELDS = {"set": {"faces": [4]}}


def test_an_amendment_means_an_entry_of_the_log() -> None:
    log = WrittenLog()
    log.add(Note("x"))

    found = amendment(seen_by=("ann",), by=KIRA)

    assert (found.command, found.by) == (Amend(ANYWHERE, FIELDS, "misread", seen_by=("ann",)), KIRA)
    assert found.on(log.log, found.command) == Amend(2, FIELDS, "misread", seen_by=("ann",))
    with pytest.raises(NoSuchEntry):
        amendment(entry=9).on(log.log, found.command)


def test_an_amendment_is_recognized_by_all_that_is_asked() -> None:
    assert amendment().binds == ("amend", 2, FIELDS, "misread")
    assert amendment(seen_by=("ann",)).binds == ("amend", 2, FIELDS, "misread", "seen by", ["ann"])
    assert amendment(entry="ann/to-hit").binds == ("amend", "ann/to-hit", FIELDS, "misread")


def test_an_amendment_that_is_given_as_a_command_is_the_same_request() -> None:
    def comparable(request: Request) -> Request:
        assert request.entry_meant is not None
        return request._replace(entry_meant=None)

    command = Amend(2, FIELDS, "misread", seen_by=("ann",))

    assert comparable(amendment_request_of(command, KIRA)) == comparable(amendment(seen_by=("ann",), by=KIRA))


def test_an_amendment_that_is_none_is_refused_before_the_log_is_looked_at() -> None:
    with pytest.raises(BadChange):
        amendment(change={"set": {}})
    with pytest.raises(BadChange):
        amendment(change=Change(set={"x": object()}))
    with pytest.raises(BadChange):
        amendment_request_of(Amend(2, {"sets": {}}, "x"), GM)
    with pytest.raises(BadCommand):
        amendment(why="\ud800")
    with pytest.raises(BadCommand):
        amendment(seen_by=5)


@pytest.mark.parametrize(
    ("seen_by", "more"), [(None, ()), ((), ("seen by", [])), (("a", "b"), ("seen by", ["a", "b"]))]
)
def test_a_request_that_is_made_in_secret_says_so(seen_by: Any, more: tuple[Any, ...]) -> None:
    assert bound_audience(seen_by) == more
