"""Every document of the interface has a schema to its last field, and every document is as its schema describes it."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest
from all_fights import GAMES, played
from server.documented import openapi, wrong
from server.processes import SHEET

from ledger.audience import EVERYTHING, Viewer
from ledger.chain import check_exported
from ledger.commands import BeginCombat, Declare, Join, Note, TypeDice
from ledger.entry import Seat
from machines.contract.ruleset import ruleset
from machines.contract.schemas import schemas as ruleset_schemas
from replays.api.session import Session
from replays.exports import documents
from replays.exports.export_lines import ExportedEntry
from replays.exports.jsonl import export
from replays.odds.odds import odds
from replays.server.http.examples import steps
from replays.server.routes.games import RulesetSchemas, tables_of

_RULES = "the ruleset's schemas describe it: `GET /v1/rulesets/{name}/schemas`"
_PATCH = "a merge patch, in which each member of the state may be absent or null"
_CHANGE = "a correction in its form in the log, with paths and values of any command"
_SCHEMA = "a JSON Schema"
FREE: Mapping[str, str] = {
    "OpenSession.options": _RULES, "SessionOpenedEvent.rules": _RULES, "Join.sheet": _RULES,
    "FileCombatant.sheet": _RULES, "AmendSheet.sheet": _RULES, "SheetGivenEvent.sheet": _RULES, "BeginCombat.situation": _RULES,
    "CombatBeganEvent.situation": _RULES, "Declare.terms": _RULES, "DeclaredEvent.terms": _RULES,
    "Declaration.terms": _RULES, "DeclaredInLog": _RULES, "SessionOpenedInLog": _RULES, "SheetGivenInLog": _RULES,
    "CombatBeganInLog": _RULES, "AmendedInLog": _CHANGE, "Amend.change": _CHANGE, "AmendedEvent.change": _CHANGE,
    "Report.change": _CHANGE, "Correction.change": _CHANGE, "Performed.patch": _PATCH, "LiveEntry.patch": _PATCH,
    "LineSent.patch": _PATCH, "ReplayStep.patch": _PATCH,
    "RulesetSchemas.sheet": _SCHEMA, "RulesetSchemas.begin": _SCHEMA, "RulesetSchemas.profile": _SCHEMA,
    "RulesetSchemas.declare": _SCHEMA, "RulesetSchemas.$defs": _SCHEMA,
}  # fmt: skip
"""The objects of answers without listed members, and why."""
SCHEMAS: Mapping[str, Any] = openapi()["components"]["schemas"]


def without_members(schema: Any) -> bool:
    """Returns whether a schema has a part that is an object without known members or a known type of their values."""
    if isinstance(schema, list):
        return any(map(without_members, schema))
    if not isinstance(schema, dict):
        return False
    free = schema.get("additionalProperties", {})
    if schema.get("type") == "object" and not {"properties", "then"} & set(schema) and free in (True, {}):
        return True
    return any(without_members(each) for name, each in schema.items() if name not in ("examples", "properties"))


def references(value: Any) -> Iterator[str]:
    """Yields the names of the schemas that a part of the document refers to."""
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"].rpartition("/")[2]
        for name, each in value.items():
            if name != "examples":
                yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


def reachable() -> set[str]:
    """Returns the names of the schemas that successful answers refer to, also by way of others."""
    answers = [
        answer
        for methods in openapi()["paths"].values()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
        if str(status) < "3"
    ]
    found, left = set[str](), set(references(answers))
    while left:
        name = left.pop()
        found.add(name)
        left |= set(references(SCHEMAS[name])) - found
    return found


def test_no_object_of_an_answer_is_without_members_but_those_that_have_a_reason() -> None:
    bare = set()
    for name in reachable():
        for field, each in SCHEMAS[name].get("properties", {}).items():
            bare |= {f"{name}.{field}"} if without_members(each) else set()
        bare |= {name} if without_members(SCHEMAS[name]) else set()

    assert bare == set(FREE)


def test_no_answer_is_without_a_schema() -> None:
    for path, methods in openapi()["paths"].items():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                for kind, content in answer.get("content", {}).items():
                    assert content["schema"], (path, status, kind)
                    assert not without_members(content["schema"]), (path, status, kind)


def test_every_schema_has_a_description_and_its_examples_are_as_it_describes_them() -> None:
    checked = 0
    for name, schema in SCHEMAS.items():
        assert schema["description"], name
        for example in schema.get("examples", ()):
            assert wrong(name, example) == [], name
            checked += 1
    assert checked > 150


def test_every_recorded_line_is_as_the_schema_of_its_lines_describes_it() -> None:
    checked = 0
    for step in steps():
        name = {"export": "ExportLine", "getEntries": "Told", "importSession": "ExportLine"}.get(step.operation, "")
        for text in (step.answer, step.body):
            for line in text.splitlines() if name and isinstance(text, str) else ():
                assert wrong(name, msgspec.json.decode(line)) == [], (step.name, line)
                checked += 1
    assert checked > 5


# ------------------------------------------------------------------------------------------------ each game


def seats(session: Session) -> Iterator[Viewer]:
    """Yields the views of the gamemaster, of a player of the first combatant, and of a spectator."""
    yield EVERYTHING
    for who in list(session.combat.roster.who)[:1]:
        yield Viewer(Seat.PLAYER, frozenset({who}))
    yield Viewer(Seat.SPECTATOR)


def checked_lines(session: Session, eyes: Viewer) -> int:
    """Checks every line of an export. Returns the number of entries with hidden parts."""
    header, *entries = export(session.log, eyes, eyes.seat.value)
    assert wrong("ExportHeader", msgspec.json.decode(header)) == []
    assert len(list(check_exported(entries, session.id))) == len(entries)
    hidden = 0
    for line in entries:
        assert wrong("ExportLine", msgspec.json.decode(line)) == [], line
        entry = msgspec.json.decode(line, type=ExportedEntry)
        assert (entry.secret is msgspec.UNSET) == bool(entry.salts)
        hidden += bool(entry.salts)
    return hidden


@pytest.mark.parametrize("game", GAMES)
def test_every_exported_line_of_every_seat_is_as_its_schema_describes_it(game: str) -> None:
    for session in played(game)[::12]:
        for eyes in seats(session):
            checked_lines(session, eyes)


def test_exported_lines_with_hidden_parts_are_as_their_schema_describes_them() -> None:
    session = Session.create("memory://", ruleset="gurps_3e")
    session.perform(Note("behind the screen", seen_by=()))

    assert checked_lines(session, EVERYTHING) == 0
    assert checked_lines(session, Viewer(Seat.SPECTATOR)) > 0


@pytest.mark.parametrize("game", GAMES)
def test_luck_and_the_recap_of_a_fight_are_as_their_schemas_describe_them(game: str) -> None:
    session = played(game)[-1]

    assert wrong("Luck", documents.chances(session.luck())) == []
    assert wrong("Recap", documents.chances(session.recap())) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_outline_and_the_steps_of_a_fight_are_as_their_schemas_describe_them(game: str) -> None:
    for session in played(game)[-3:]:
        assert wrong("Outline", msgspec.to_builtins(session.outline())) == []
        assert wrong("ReplaySteps", msgspec.to_builtins(session.steps())) == []


@pytest.mark.parametrize("budget", [2_000, 1])
def test_odds_are_as_their_schema_describes_them_exact_or_sampled(budget: int) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for who in ("ann", "bob"):
        session.perform(Join(who, dict(SHEET)))
    session.perform(BeginCombat())
    for who, face in (("ann", 80), ("bob", 10)):
        session.perform(TypeDice(f"r1/{who}/initiative", (face,)))
    attack = Declare("attack", "ann", {"at": "bob", "using": "fist"})
    found = odds(session.game, session.combat, attack, budget=budget, samples=20)

    assert found.exact == (budget > 1)
    assert found.harm
    assert wrong("Odds", documents.odds(found)) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_row_of_every_table_and_every_sheet_is_as_its_schema_describes_it(game: str) -> None:
    found = ruleset(game)
    prefix = "".join(part[:1].upper() + part[1:] for part in game.split("_"))
    for rows in tables_of(found).values():
        for row in rows:
            names = {f"{prefix}{type(row).__name__}Row", f"{type(row).__name__}Row"} & set(SCHEMAS)
            assert len(names) == 1, row
            assert wrong(names.pop(), msgspec.to_builtins(row)) == []
        assert wrong("AnyRow", msgspec.to_builtins(rows[0])) == []
    for sheet in found.sheets.values():
        assert wrong(f"{prefix}Sheet", sheet) == []
        assert wrong("AnySheet", sheet) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_a_sheet_and_every_column_of_a_table_is_described(game: str) -> None:
    prefix = "".join(part[:1].upper() + part[1:] for part in game.split("_"))
    mine = {name: schema for name, schema in SCHEMAS.items() if name.startswith(prefix)}
    bare = [
        f"{name}.{field}"
        for name, schema in mine.items()
        for field, each in schema["properties"].items()
        if not {"description", "$ref"} & set(each)
    ]

    assert len(mine) > 20
    assert bare == []


@pytest.mark.parametrize("game", GAMES)
def test_the_schemas_of_a_ruleset_are_answered_unchanged(game: str) -> None:
    made = ruleset_schemas(ruleset(game))

    assert msgspec.to_builtins(msgspec.convert(made, RulesetSchemas)) == made
    assert wrong("RulesetSchemas", made) == []


@pytest.mark.parametrize("name", ["AnyRow", "AnySheet"])
def test_what_is_no_row_and_no_sheet_is_refused_by_their_schemas(name: str) -> None:
    assert wrong(name, {"no such field": 1})


def test_an_exported_event_of_another_form_is_refused_by_its_schema() -> None:
    session = Session.create("memory://", ruleset="gurps_3e")
    _, line = export(session.log)
    entry = msgspec.json.decode(line)

    assert wrong("ExportLine", entry) == []
    for event in (["damage", "ann"], ["no such tag"], "no digest"):
        assert wrong("ExportLine", {**entry, "events": [event]})
