"""Wrong types and hostile texts on the command line: refused with a slug and exit code 2, or done; no internal error."""

import json

import pytest
from strategies import ARMED

from ledger.commands import BeginCombat, Join, Note, TypeDice
from replays.api.session import Session
from replays.cli.app import run

DECLARED = {"kind": '"attack"', "by": '"ann"', "at": '"bob"', "using": '"club"', "range": '"short"'}
TOML = (
    "true", "0", "-1", "9223372036854775807", "1.5", "inf", "nan", '""', f'"{"x" * 5_000}"', '"\\u202e"', "[]", '["ann"]', "[1]", "[[1.5]]",
    "{}", "{ ann = 1 }", "{ a = { b = 1979-05-27 } }", "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z",
)  # fmt: skip
ENTRIES = {
    "1": ("title", "options", "policies"),
    "2": (
        "who",
        "name",
        "player",
        "thing",
        "sheet",
        "sheet.init",
        "sheet.weapons",
        "sheet.weapons.club",
        "sheet.skills.fray",
    ),
    "4": ("situation", "situation.place"),
    "5": ("faces", "key", "provenance"),
    "7": ("text", "about", "x", ".", "text.x"),
}


@pytest.fixture
def fight(affray):
    """Sets up a fight at Ann's turn: six entries, and a note."""
    session = Session.create("sqlite:///affray.db", ruleset="eclipse_phase_1e")
    for command in (
        Join("ann", ARMED), Join("bob", ARMED), BeginCombat(), TypeDice("r1/ann/initiative", (90,)), TypeDice("r1/bob/initiative", (10,)), Note("so"),
    ):  # fmt: skip
        session.perform(command)
    session.close()
    return affray


@pytest.fixture
def answered(capsys):
    """Checks that a call is done or refused with a reason: the exit code is not that of an internal error."""

    def call(*arguments: str) -> None:
        capsys.readouterr()
        code = run(arguments)
        said = capsys.readouterr().err
        assert code in (0, 1, 2), said
        assert code == 0 or "/" in said.partition(":")[0] or said.startswith("usage"), said

    return call


@pytest.mark.parametrize("field", DECLARED)
def test_a_declaration_with_anything_in_a_field_is_answered(answered, field: str) -> None:
    for value in TOML:
        said = {**DECLARED, field: value}

        answered("odds", "--declare", "{" + ", ".join(f"{name} = {text}" for name, text in said.items()) + "}")


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_amendment_that_sets_anything_is_answered(answered, entry: str) -> None:
    for path in ENTRIES[entry]:
        for value in TOML:
            answered("amend", entry, "--set", f"{path}={value}", "--preview")


@pytest.mark.parametrize(
    "step",
    [f"{verb} = {value}" for verb in ("note", "declare", "dice", "adjust", "join", "expect") for value in TOML[2:20:5]],
)
def test_a_step_that_is_none_is_answered_where_it_is_inserted(answered, step: str) -> None:
    answered("whatif", "7", "--insert", step)


@pytest.mark.parametrize("value", ["", "x" * 30_000, "a\u202eb", "\udcff", "1e5", "99999999999999999999", "[", "none"])
def test_any_word_is_answered_where_a_word_is_taken(answered, value: str) -> None:
    for arguments in (
        ("adjust", "ann", "wounds", value, "--why", "so"), ("adjust", "ann", value, "1", "--why", "so"), ("adjust", value, "wounds", "1", "--why", "so"),
        ("overrule", "ann/initiative", "score", value, "--why", "so"), ("overrule", value, "score", "1", "--why", "so"), ("undo", "--why", value),
        ("modify", value, "1", "--why", "so"), ("why", value), ("dispute", value, "--why", "so"), ("settle", "d1", "upheld", "--why", value),
        ("nonce", value), ("nonce", "kira", value), ("odds", value), ("odds", "--choose", f"ann={value}"), ("amend", value, "--drop", "--why", "so"),
        ("amend", "7", "--set", value), ("amend", "7", "--set", f"text={value}", "--why", "so"), ("amend", "7", "--dice", f"ann={value}"),
        ("--as", value or "x", "adjust", "ann", "wounds", "1", "--why", "so"), ("--as", f"x:{value}", "show"), ("show", value), ("rules", value),
    ):  # fmt: skip
        answered(*arguments)


def test_a_letter_that_cannot_be_written_is_refused_as_a_document_too(fight) -> None:
    said = fight("amend", "7", "--set", "\udcff", "--json", code=2)

    assert json.loads(said)["error"]["slug"] == "amend/argument"


def test_a_script_with_a_list_for_who_declares_is_refused(affray, tmp_path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(
        'affray = 1\ntitle = "Wrong"\nruleset = "eclipse_phase_1e"\n[[play]]\ndeclare = { kind = "attack", by = ["ann"], at = "bob" }\n'
    )

    said = affray("play", str(path), code=2)

    assert said.startswith("script/invalid: ")
    assert "declare.by" in said
