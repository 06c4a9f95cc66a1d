"""Requests that schemathesis generates from the OpenAPI document, sent to a server and compared with what it describes."""

import subprocess
import sys
from pathlib import Path

from server.processes import Served, Table, served

_HOOKS = """
import schemathesis

@schemathesis.serializer("application/jsonl")
def as_lines(context, value):
    return value.encode(errors="surrogatepass") if isinstance(value, str) else str(value).encode()
"""
_SETTINGS = """
hooks = "lines.py"
# Told by the rules of the game, not by a schema: a choice nobody offered, a key that asks for nothing (422).
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "401", "403", "404", "409", "422", "429"]

[parameters]
"path.session" = "{session}"
"path.name" = "eclipse_phase_1e"
"path.campaign" = "Autumn"
"query.name" = "Autumn"
"path.table" = "rulings"
"path.chart" = "attack"
"path.sheet" = "{sheet}"
"path.dispute" = "d1"
"path.token" = "{token}"
"path.hook" = "{hook}"
"query.of" = "r1/ann/initiative"

# Sessions are founded and listed with the host's token, campaigns too; all else is asked with the gamemaster's.
[[operations]]
include-operation-id = ["foundSession", "listSessions", "importSession", "deleteSession", "listCampaigns",
    "getCampaign", "getCampaignLuck", "getCampaignRulings"]
headers = {{ Authorization = "{host}" }}

# What may be deleted is not the session that all else needs.
[[operations]]
include-operation-id = ["deleteSession"]
parameters = {{ "path.session" = "{doomed}" }}

[[operations]]
exclude-operation-id = ["foundSession", "listSessions", "importSession", "deleteSession", "listCampaigns",
    "getCampaign", "getCampaignLuck", "getCampaignRulings"]
headers = {{ Authorization = "{gm}" }}
"""


def answered(folder: Path, *, examples: int, seed: int = 1) -> str:
    """Sends generated requests to a server with a brawl, and returns what schemathesis reports.

    Args:
        folder: An empty folder.
        examples: How many requests each operation gets when fuzzed.
        seed: The seed of what is generated.

    Raises:
        AssertionError: An answer is not as it is described, or the server logs an error.
    """
    with served(folder, "--rate", "0") as server, server.client() as client:
        table = Table(client, server.host, "kira", "ben", campaign="Autumn").brawl()
        table.do({"type": "OpenDispute", "about": "r1/ann/initiative", "why": "cocked"})
        options = (
            "--generation-deterministic",
            "--seed",
            f"{seed}",
            "--max-examples",
            f"{examples}",
            "--phases",
            "examples,coverage,fuzzing",
        )
        done = _schemathesis(folder, server, table, *options)
        assert done.returncode == 0, done.stdout[-8000:]
        assert [line for line in server.lines() if line["level"] not in ("info", "warning")] == []
    return done.stdout


def _schemathesis(folder: Path, server: Served, table: Table, *options: str) -> subprocess.CompletedProcess[str]:
    assert table.client.get("/schema/openapi.json").status_code == 200  # it is made now: schemathesis waits 10 s only
    file = folder / "schemathesis.toml"
    file.write_text(_settings(server, table))
    (folder / "lines.py").write_text(_HOOKS)
    return subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "--config-file", file, "run", f"{server.url}/schema/openapi.json", "--checks", "all", "--no-color",
         *options],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip


def _settings(server: Served, table: Table) -> str:
    """Configures schemathesis: existing ids, and the token of each request."""
    client = table.client
    issued = client.post(f"{table.path}/tokens", headers=table.as_("gm"), json={"seat": "player", "name": "zoe"}).json()
    sheets = client.get("/v1/rulesets/eclipse_phase_1e").json()["sheets"]
    new = {"address": "https://bot.example/"}
    hook = client.post(f"{table.path}/hooks", headers=table.as_("gm"), json=new).json()
    return _SETTINGS.format(
        doomed=Table(client, server.host).session, hook=hook["id"], session=table.session, sheet=sheets[0], token=issued["id"], host=server.host["Authorization"],
        gm=table.as_("gm")["Authorization"],
    )  # fmt: skip
