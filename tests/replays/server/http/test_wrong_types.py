"""A value of a wrong type, anywhere in a command, is refused with its path, by every route that takes commands."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx
import msgspec
import pytest
from server.processes import SHEET, Served, Table

from ledger.commands import COMMANDS, AnyCommand, Command

WRONG: Mapping[str, Any] = {
    "null": None, "true": True, "a number": 7, "a fraction": 1.5, "a text": "x", "a list": ["ann"], "an object": {"a": 1},
    "a list in a list": [["ann"]],
}  # fmt: skip
_EVERYBODY: dict[str, Any] = {"seen_by": ["ann"], "given_at": "r1/ann/a1"}
WHOLE: Mapping[str, dict[str, Any]] = {
    "OpenSession": {"title": "t", "ruleset": "gurps_3e", "profile": "p", "options": {"a": 1}, "policies": {"a": "b"}, "dice_commitment": "c", "source": "s", "campaign": "k"},
    "CloseSession": {"why": "w"},
    "RenameSession": {"title": "t"},
    "Join": {"who": "eve", "sheet": dict(SHEET), "name": "Eve", "player": "gm", "thing": False, "sheet_seen_by": ["eve"], "side": "s", "unseen": True, "alias": "e"},
    "Leave": {"who": "eve", "why": "w"},
    "AmendSheet": {"who": "bob", "sheet": dict(SHEET), "why": "w"},
    "BeginCombat": {"situation": {"surprised": ["bob"]}},
    "EndCombat": {"why": "w"},
    "Declare": {"kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist", "situation": ["running"]}},
    "Choose": {"key": "r1/ann/p1/act", "option": "attack", "words": "w"},
    "TypeDice": {"key": "r1/ann/initiative", "faces": [1], "provenance": ["typed"]},
    "TellDice": {"key": "r1/ann/initiative", "counts": {"total": 50}},
    "DrawDice": {"key": "r1/ann/initiative", "faces": [1], "provenance": ["drawn"]},
    "ApplyModifier": {"key": "r1/ann/initiative", "value": 1, "why": "w"},
    "Overrule": {"key": "r1/ann/initiative", "figure": "initiative", "value": 1, "why": "w"},
    "Adjust": {"who": "bob", "what": "wounds", "value": 1, "why": "w"},
    "PassTime": {"amount": 1, "unit": "hours", "why": "w"},
    "Note": {"text": "t", "about": "a"},
    "Rewind": {"to": 3, "why": "w"},
    "Amend": {"entry": 5, "change": {"set": {"faces": [61]}, "insert": [{"note": "n"}], "drop": False, "dice": {"r1/ann/initiative": [61]}}, "why": "w"},
    "OpenDispute": {"about": "r1/ann/initiative", "why": "w", "claim": "drop", "dispute": "d1"},
    "SettleDispute": {"dispute": "d1", "ruling": "upheld", "why": "w", "entry": 5},
    "GiveNonce": {"player": "gm", "nonce": "n", "agreed": True},
    "Reveal": {"entry": 5, "parts": [1], "to": ["ann"], "seed": "s", "who": "ann"},
}  # fmt: skip
STEPS: Mapping[str, Any] = {
    "begin": {"surprised": ["bob"]}, "dice": {"ann/initiative": [7]}, "draw": ["ann/initiative"],
    "declare": {"kind": "attack", "by": "ann", "at": "bob", "using": "fist"}, "choose": {"ann": {"option": "attack", "words": "w"}},
    "expect": {"outcome": "hit"}, "overrule": {"key": "ann/initiative", "figure": "initiative", "value": 1, "why": "w"},
    "modify": {"key": "ann/initiative", "value": 1, "why": "w"}, "adjust": {"who": "bob", "what": "wounds", "value": 1, "why": "w"},
    "note": "n", "pass_time": {"amount": 1, "unit": "hours", "why": "w"}, "join": {"who": "eve", "sheet": dict(SHEET), "name": "Eve"},
    "leave": {"who": "bob", "why": "w"}, "rewind": {"to": 3, "span": "step", "why": "w"},
    "amend": {"entry": 5, "set": {"faces": [61]}, "why": "w"}, "end": {"why": "w"},
}  # fmt: skip
_DECODER = msgspec.json.Decoder(AnyCommand)


def spoiled(document: Any, within: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yields a document with a wrong value in one place, for each place and value; and the place."""
    for name, wrong in WRONG.items():
        if type(wrong) is not type(document):
            yield within, WRONG[name]
    children: Sequence[tuple[Any, Any]] = ()
    if isinstance(document, dict):
        children = list(document.items())
    elif isinstance(document, list):
        children = list(enumerate(document))
    for place, child in children:
        for path, value in spoiled(child, (*within, place)):
            copy = dict(document) if isinstance(document, dict) else list(document)
            copy[place] = value
            yield path, copy


def is_a_command(document: Any) -> bool:
    """Returns whether the fields of the command itself have the right types; free objects in it are checked by the rules."""
    try:
        _DECODER.decode(msgspec.json.encode(document))
    except msgspec.ValidationError:
        return False
    return True


@pytest.fixture
def brawl(server: Served, client: httpx.Client) -> Table:
    """Returns a separate brawl: some of the many values are accepted, and performed."""
    return Table(client, server.host, "kira", "ben").brawl()


def check(answer: httpx.Response, document: Any) -> None:
    """Checks that it is not an internal error, and that a refusal has a reason."""
    assert answer.status_code < 500, (document, answer.text)
    if answer.status_code >= 400:
        problem = answer.json()
        assert problem["slug"] != "internal"
        assert problem["detail"], document


def test_the_sweep_has_every_field_of_every_command() -> None:
    assert {kind.__name__ for kind in COMMANDS} == {*WHOLE}
    for kind in COMMANDS:
        own = {field.encode_name for field in msgspec.structs.fields(kind)} - {*_EVERYBODY}
        assert own == {*WHOLE[kind.__name__]}
        assert isinstance(
            _DECODER.decode(msgspec.json.encode({"type": kind.__name__, **WHOLE[kind.__name__]})), Command
        )


@pytest.mark.parametrize("name", WHOLE)
def test_a_wrong_type_anywhere_in_a_command_is_refused_with_its_path(brawl: Table, name: str) -> None:
    for path, spoilt in spoiled({**WHOLE[name], **_EVERYBODY}):
        if not path:
            continue
        document = {"type": name, **spoilt}
        answer = brawl.ask(document)
        check(answer, document)
        if not is_a_command(document):
            assert answer.status_code in (400, 422), (document, answer.text)
            assert answer.json()["where"].startswith(str(path[0])), (document, answer.text)


@pytest.mark.parametrize("verb", STEPS)
def test_a_wrong_type_anywhere_in_an_inserted_step_is_refused(brawl: Table, verb: str) -> None:
    for _, step in spoiled(STEPS[verb]):
        asked = {"entry": 6, "change": {"insert": [{verb: step}]}, "why": "w"}
        check(brawl.client.post(f"{brawl.path}/what-if", headers=brawl.as_("gm"), json=asked), asked)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"insert": [{"declare": {"kind": "attack", "by": ["ann"]}}]}, "insert[0].declare.by"),
        ({"insert": [{"note": "n"}, {"declare": {"kind": 7, "by": "ann"}}]}, "insert[1].declare.kind"),
        ({"insert": [{"note": ["n"]}]}, "insert[0].note"),
        ({"insert": [{"join": {"who": "eve", "sheet": {}, "name": 7}}]}, "insert[0].join.name"),
        ({"set": {"faces": ["x"]}}, "set.faces[0]"),
        ({"set": {"key": 7}}, "set.key"),
    ],
)  # fmt: skip
def test_the_path_of_a_wrong_type_in_an_amendment_is_told(brawl: Table, change: dict[str, Any], where: str) -> None:
    for route in ("what-if", "amend/preview", "amend"):
        asked = {"entry": 5, "change": change, "why": "w"}
        answer = brawl.client.post(f"{brawl.path}/{route}", headers=brawl.as_("gm"), json=asked)
        assert (answer.status_code, answer.json()["where"]) == (422, where), answer.text
    asked = {"type": "Amend", "entry": 5, "change": change, "why": "w"}
    assert brawl.ask(asked).json()["where"] == where


SET: Mapping[int, Sequence[str]] = {
    2: ("who", "sheet", "sheet.init", "sheet.skills", "sheet.skills.fray", "sheet.weapons.fist", "player", "name", "thing"),
    4: ("situation", "situation.surprised"),
    5: ("key", "faces", "provenance"),
    7: ("kind", "by", "terms", "terms.at", "terms.using", "using", "situation"),
}  # fmt: skip
"""Returns the possible changes by entry of a brawl in which Ann attacks."""


@pytest.mark.parametrize("entry", SET)
def test_a_wrong_type_for_what_is_set_right_is_refused(brawl: Table, entry: int) -> None:
    brawl.do({"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}})
    for path in SET[entry]:
        for value in (*WRONG.values(), [["ann"], {"a": None}]):
            asked = {"entry": entry, "change": {"set": {path: value}}, "why": "w"}
            check(brawl.client.post(f"{brawl.path}/what-if", headers=brawl.as_("gm"), json=asked), asked)


BODIES: Mapping[str, dict[str, Any]] = {
    "undo": {"span": "step", "to": 3, "why": "w"},
    "redo": {"why": "w"},
    "tokens": {"seat": "player", "name": "kira", "combatants": ["bob"]},
    "amend/preview": {"entry": 5, "change": {"set": {"faces": [61]}, "drop": False, "dice": {"r1/ann/initiative": [61]}}, "why": "w", "consent": False},
    "odds": {"key": "ann/initiative", "choices": {"a": "b"}, "seed": 1, "declare": {"type": "Declare", **WHOLE["Declare"], **_EVERYBODY}},
}  # fmt: skip


@pytest.mark.parametrize("route", BODIES)
def test_a_wrong_type_anywhere_in_another_body_is_refused(brawl: Table, route: str) -> None:
    for _, body in spoiled(BODIES[route]):
        check(brawl.client.post(f"{brawl.path}/{route}", headers=brawl.as_("gm"), json=body), body)


def test_a_declaration_without_its_type_is_refused_as_its_schema_demands(brawl: Table) -> None:
    declare = {"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}}
    bare = {name: value for name, value in declare.items() if name != "type"}
    with_type, without = (
        brawl.client.post(f"{brawl.path}/odds", headers=brawl.as_("gm"), json={"declare": each})
        for each in (declare, bare)
    )

    assert with_type.status_code == 200
    assert (without.status_code, without.json()["slug"], without.json()["where"]) == (400, "request/invalid", "declare")
    assert "missing required field `type`" in without.json()["detail"]


def test_a_wrong_type_anywhere_in_a_new_session_is_refused(server: Served, client: httpx.Client) -> None:
    whole = {
        "ruleset": "gurps_3e", "title": "t", "profile": "", "options": {"magic": True}, "policies": {"draws": "fresh"},
        "source": "s", "gamemaster": "gm", "players": ["kira"],
    }  # fmt: skip
    for _, body in spoiled(whole):
        check(client.post("/v1/sessions", headers=server.host, json=body), body)
