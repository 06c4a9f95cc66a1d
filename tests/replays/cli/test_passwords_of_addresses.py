"""No message of the command line shows the password of a ledger's address."""

from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
from nats_settings import JETSTREAM, started
from postgres_server import Server

from replays.cli.app import run

PASSWORD = "open-sesame"
Call = Callable[..., str]

READING = (
    ("sessions",), ("show",), ("log",), ("replay",), ("why", "stoya.wounds"), ("verify",), ("verify", "--all"), ("heads",),
    ("export",), ("report",), ("rehearse",), ("audit",), ("disputes",), ("odds",), ("luck",), ("campaign",),
    ("chances", "--fights", "2"), ("backup", "copy.db"), ("restore", "missing.db"), ("show", "none"), ("undo", "none"),
    ("rename", "none", "x"), ("delete", "none", "--why", "x"), ("nonce", "x"), ("sessions", "--json"),
)  # fmt: skip
"""Verbs that open a ledger; some are refused."""


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Runs a command line; returns all that it prints, and fails if the password is in it."""

    def call(*arguments: str, lines: str = "") -> str:
        monkeypatch.setattr("sys.stdin", StringIO(lines))
        run(arguments)
        shown = "".join(capsys.readouterr())
        assert PASSWORD not in shown, arguments
        assert "internal error" not in shown, arguments
        return shown

    return call


@pytest.fixture(params=["postgresql", "nats"])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a ledger without tables, with a password."""
    if request.param == "nats":
        users = f"authorization {{ user: ann, password: {PASSWORD} }}"
        with started(JETSTREAM, users) as server:
            yield server.url(f"ann:{PASSWORD}@")
    else:
        postgres: Server = request.getfixturevalue("postgres")
        yield postgres.empty().replace("postgres@", f"postgres:{PASSWORD}@")


def test_no_verb_shows_the_password_of_a_ledger_that_it_uses(printed: Call, address: str) -> None:
    place = address.partition("@")[2].partition("?")[0]
    assert "run affray migrate" in printed("--ledger", address, "sessions")
    printed("--ledger", address, "migrate")
    assert place in printed("--ledger", address, "play", "stoya")
    assert place in printed("--ledger", address, "fight", "eclipse_phase_1e", lines="quit\n")
    for verb in READING:
        printed("--ledger", address, *verb)
    printed("--ledger", "sqlite:///other.db", "play", "stoya")
    printed("copy", address, "sqlite:///other.db")
    printed("copy", "sqlite:///other.db", address)
    printed("copy", address, address)


@pytest.mark.parametrize("scheme", ["postgresql", "nats"])
def test_no_verb_shows_the_password_of_a_ledger_that_cannot_be_opened(printed: Call, scheme: str) -> None:
    Path("other.db").touch()
    wrong = f"{scheme}://ann:{PASSWORD}@127.0.0.1:9/x"
    for verb in (("migrate",), ("play", "stoya"), ("fight", "eclipse_phase_1e"), *READING):
        printed("--ledger", wrong, *verb)
    printed("copy", wrong, "sqlite:///other.db")
    printed("copy", "sqlite:///other.db", wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        "nats:/ann:PW@127.0.0.1:9/x", "nat://ann:PW@127.0.0.1:9/x", "NATS://ann:PW@127.0.0.1:9/x", "ann:PW@127.0.0.1:9/x",
        "nats://ann:PW@127.0.0.1:9/x?shards=0", "nats://ann:PW@127.0.0.1:9/a.b", "nats://ann:a#PW@127.0.0.1:9/x",
        "nats://ann:PW@a@127.0.0.1:9/x", "nats://ann:a@PW@127.0.0.1:9/x", "nats://ann:a:PW@127.0.0.1:9/x",
        "nats://127.0.0.1:9/x?monitoring=nats://system:PW@127.0.0.1:9", "nats://ann:PW@127.0.0.1:9/x?ca=/nowhere",
        "nats://127.0.0.1:9/x?monitoring=http://system:PW@127.0.0.1:9", "nats://127.0.0.1:9/x?monitoring=nats://a:PW@",
        "postgresql:/ann:PW@127.0.0.1:9/x", "postgres://ann:PW@127.0.0.1:9/x", "postgresql://ann:PW@127.0.0.1:p/x",
        "postgresql://ann:a@PW@127.0.0.1:9/x", "postgresql://ann:a#PW@127.0.0.1:9/x", "postgresql://127.0.0.1:9/x?password=PW",
        "postgresql://ann:a/PW@127.0.0.1:9/x", "postgresql://ann:PW@127.0.0.1:9/x?nothing=1",
    ],
)  # fmt: skip
def test_no_refusal_of_a_wrong_address_shows_its_password(printed: Call, wrong: str) -> None:
    url = wrong.replace("PW", PASSWORD)
    for verb in ("sessions", "migrate"):
        printed("--ledger", url, verb)
        printed("--ledger", url, verb, "--json")
    printed("copy", url, "sqlite:///other.db")
