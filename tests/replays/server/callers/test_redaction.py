"""For a player and a spectator, a combatant who joined in secret does not exist: not offered, and refused as unknown."""

from collections.abc import Callable, Mapping
from typing import Any

import httpx
import pytest
from server.processes import SHEET, Served, Table

HIDDEN, TYPED, NOBODY = "unseen-1", "lurker", "nobody"
"""The id of the record, the typed name, and an unknown name."""


@pytest.fixture
def ambush(server: Served, client: httpx.Client) -> Table:
    """Returns a fight in which Kira's Bob is to act, and a combatant has joined in secret."""
    table = Table(client, server.host, "kira")
    for who, player in (("ann", "gm"), ("bob", "kira")):
        table.do({"type": "Join", "who": who, "sheet": SHEET, "player": player})
    table.do({"type": "BeginCombat"})
    table.do({"type": "TypeDice", "key": "r1/ann/initiative", "faces": [2]})
    table.do({"type": "TypeDice", "key": "r1/bob/initiative", "faces": [87]})
    table.do({"type": "Join", "who": TYPED, "sheet": SHEET, "seen_by": []})
    return table


def attack(at: str) -> dict[str, Any]:
    return {"type": "Declare", "kind": "attack", "by": "bob", "terms": {"at": at, "using": "fist"}}


def commanded(command: Callable[[str], Mapping[str, Any]]) -> Callable[[Table, str, str], httpx.Response]:
    return lambda table, seat, who: table.ask(command(who), seat)


def posted(path: str, body: Callable[[str], Mapping[str, Any]]) -> Callable[[Table, str, str], httpx.Response]:
    return lambda table, seat, who: table.client.post(
        f"{table.path}/{path}", headers=table.as_(seat), json=dict(body(who))
    )


def read(what: Callable[[str], str]) -> Callable[[Table, str, str], httpx.Response]:
    return lambda table, seat, who: table.client.get(f"{table.path}/{what(who)}", headers=table.as_(seat))


ASKED: Mapping[str, Callable[[Table, str, str], httpx.Response]] = {
    "attack": commanded(attack),
    "play another's": commanded(lambda who: {**attack("ann"), "by": who}),
    "dispute about harm": commanded(lambda who: {"type": "OpenDispute", "about": f"{who}.damage", "why": "how?"}),
    "dispute about a roll": commanded(lambda who: {"type": "OpenDispute", "about": f"r1/{who}/a1/attack", "why": "?"}),
    "dice": commanded(lambda who: {"type": "TypeDice", "key": f"r1/{who}/initiative", "faces": [1]}),
    "choice": commanded(lambda who: {"type": "Choose", "key": f"r1/{who}/p1/act", "option": "end"}),
    "odds of an attack": posted("odds", lambda who: {"declare": {**attack(who), "type": "Declare"}}),
    "odds of another's": posted("odds", lambda who: {"declare": {**attack("ann"), "by": who}}),
    "odds of a roll": posted("odds", lambda who: {"key": f"r1/{who}/initiative"}),
    "odds by a choice": posted("odds", lambda who: {"declare": attack("ann"), "choices": {f"r1/{who}/x": "y"}}),
    "why harm": read(lambda who: f"why?of={who}.damage"),
    "why wounds": read(lambda who: f"why?of={who}.wounds"),
    "why a condition": read(lambda who: f"why?of={who}.conditions.stunned"),
    "why a roll": read(lambda who: f"why?of=r1/{who}/a1/attack/damage"),
    "why by a shorthand": read(lambda who: f"why?of={who}/damage"),
    "why with a blank": read(lambda who: f"why?of={who}%20.damage"),
    "attack with a blank": commanded(lambda who: attack(f"{who} ")),
    "attack in a path": commanded(lambda who: attack(f"{who}/x")),
    "attack by a longer name": commanded(lambda who: attack(f"{who}x")),
    "preview": posted("amend/preview", lambda who: {"entry": f"r1/{who}/initiative", "change": {"drop": True}}),
    "branch": posted(
        "branches", lambda who: {"changes": [{"entry": f"r1/{who}/initiative", "change": {"drop": True}}]}
    ),
    "what if": posted("what-if", lambda who: {"entry": f"r1/{who}/initiative", "change": {"drop": True}}),
    "amend": posted("amend", lambda who: {"entry": f"r1/{who}/a1", "change": {"drop": True}, "why": "no"}),
}


@pytest.mark.parametrize("seat", ["kira", "spectator"])
@pytest.mark.parametrize("what", ASKED)
def test_whoever_is_hidden_is_refused_as_whoever_is_not_there(ambush: Table, what: str, seat: str) -> None:
    *hidden, nobody = (ASKED[what](ambush, seat, who) for who in (HIDDEN, TYPED, NOBODY))
    for said, who in zip(hidden, (HIDDEN, TYPED), strict=True):
        assert said.status_code == nobody.status_code
        assert said.text.replace(who, NOBODY) == nobody.text
        assert who not in nobody.text


@pytest.mark.parametrize("seat", ["kira", "spectator"])
def test_whoever_is_hidden_is_not_offered(ambush: Table, seat: str) -> None:
    for what in ("options", "rests", "state", "entries", "audit", "luck", "disputes", "tokens"):
        told = ambush.client.get(f"{ambush.path}/{what}", headers=ambush.as_(seat)).text
        assert HIDDEN not in told
        assert TYPED not in told
    assert HIDDEN in str(ambush.get("options"))


def test_what_is_said_while_somebody_hidden_has_to_roll_does_not_tell_of_it(
    server: Served, client: httpx.Client
) -> None:
    table = Table(client, server.host, "kira")
    table.do({"type": "Join", "who": "ann", "sheet": SHEET, "player": "kira"})
    healer = {**SHEET, "skills": {**SHEET["skills"], "medicine": 60}}
    table.do({"type": "Join", "who": TYPED, "sheet": healer, "seen_by": []})
    table.do({"type": "Adjust", "who": "ann", "what": "wounds", "value": 1, "why": "a fall"})
    table.do({"type": "Declare", "kind": "first_aid", "by": TYPED, "terms": {"who": "ann"}, "seen_by": []})
    said = table.ask({"type": "Note", "text": "How quiet it is."}, "kira")
    assert said.status_code == 201
    assert HIDDEN not in said.text
    for seat in ("kira", "spectator"):
        assert HIDDEN not in table.client.get(f"{table.path}/entries", headers=table.as_(seat)).text
    assert "given_at" not in table.get("entries")[-1]["command"]


@pytest.mark.parametrize("who", ["target", "label", "terms"])
def test_a_hidden_name_that_is_a_word_of_ours_takes_no_options_away(ambush: Table, who: str) -> None:
    before = ambush.get("options", "kira")
    ambush.do({"type": "Join", "who": who, "sheet": SHEET, "seen_by": []})
    assert ambush.get("options", "kira") == before


def test_the_gamemaster_is_told_who_is_meant(ambush: Table) -> None:
    assert HIDDEN in ambush.ask(attack(NOBODY)).json()["accepts"]
    assert ambush.ask(attack(TYPED)).status_code == 201


def test_once_told_whoever_was_hidden_may_be_attacked(ambush: Table) -> None:
    assert ambush.ask(attack(HIDDEN), "kira").status_code == 422
    ambush.do({"type": "Reveal", "who": TYPED})
    assert HIDDEN in str(ambush.get("options", "kira"))
    assert ambush.get("state", "kira")["combatants"][HIDDEN]["name"] == TYPED
    assert ambush.ask(attack(TYPED), "kira").status_code == 201


def test_they_play_by_the_name_that_was_typed_and_nobody_else_sees_it(ambush: Table) -> None:
    ambush.do(attack("ann"), "kira")
    for _ in range(20):
        rest = ambush.get("rests")[0]
        if "options" in rest and rest["key"].startswith("r1/bob/p1/act"):
            break
        if "dice" in rest:
            ambush.do({"type": "DrawDice", "key": rest["key"]})
        else:
            ambush.do({"type": "Choose", "key": rest["key"], "option": rest["options"][0]["option"]})
    ambush.do({"type": "Adjust", "who": TYPED, "what": "tracks.damage", "value": 3, "why": "a fall"})
    assert ambush.get("state")["combatants"][HIDDEN]["tracks"]["damage"]["taken"] == 3
    for seat in ("kira", "spectator"):
        for what in ("entries", "export", "state"):
            told = ambush.client.get(f"{ambush.path}/{what}", headers=ambush.as_(seat)).text
            assert HIDDEN not in told
            assert "a fall" not in told


def test_words_for_people_are_left_alone_and_a_players_faces_are_typed(ambush: Table) -> None:
    note = ambush.do({"type": "Note", "text": HIDDEN}, "kira")["entries"][0]
    assert note["command"]["text"] == HIDDEN
    ambush.do(attack("ann"), "kira")
    dice = {"type": "TypeDice", "key": "r1/bob/a1/attack/to-hit", "faces": [9], "provenance": ["scripted"]}
    ambush.do({"type": "Choose", "key": ambush.get("rests")[0]["key"], "option": "fray"})
    done = ambush.do(dice, "kira")["entries"][0]
    assert done["command"].get("provenance", []) in ([], ["typed"])
