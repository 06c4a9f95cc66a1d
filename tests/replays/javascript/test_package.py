"""The package for npm agrees with the Python package, is whole, and has a call for every operation of a server."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
from javascript.programs import program
from places import ROOT
from server.processes import Served

from replays import __version__, javascript

CLIENT = ROOT / "replays" / "javascript"
PACKAGE: dict[str, Any] = json.loads((CLIENT / "package.json").read_text("utf-8"))
SOURCE = (CLIENT / "affray.js").read_text("utf-8")
OPERATIONS: dict[str, str] = {
    "listSessions": "Affray.sessions", "foundSession": "Affray.create", "importSession": "Affray.import",
    "deleteSession": "Affray.delete", "archiveSession": "Session.archive", "unarchiveSession": "Session.unarchive",
    "getMe": "Affray.me", "listRulesets": "Affray.rulesets", "getRuleset": "Affray.ruleset",
    "listCampaigns": "Affray.campaigns", "getCampaign": "Affray.campaign", "getCampaignLuck": "Affray.campaignLuck",
    "getCampaignRulings": "Affray.campaignRulings",
    "getSchemas": "Affray.schemas", "getSheet": "Affray.sheet", "getTable": "Affray.table", "getChart": "Affray.chart",
    "checkSheets": "Affray.checkSheets", "drawQrCode": "Affray.qr",
    "listTokens": "Session.tokens", "issueToken": "Session.issue", "revokeToken": "Session.revoke",
    "renewToken": "Session.renew",
    "getOptions": "Session.options", "perform": "Session.perform", "redo": "Session.redo", "undo": "Session.undo",
    "getRests": "Session.rests", "getState": "Session.state", "amend": "Session.amend",
    "previewAmend": "Session.preview", "whatIf": "Session.whatIf", "branch": "Session.branch", "audit": "Session.audit",
    "getDispute": "Session.dispute", "listDisputes": "Session.disputes", "getEntries": "Session.entries",
    "export": "Session.export", "luck": "Session.luck", "getChances": "Session.chances", "odds": "Session.odds", "getRecap": "Session.recap",
    "getOutline": "Session.outline", "getSteps": "Session.steps", "getReplay": "Session.replay",
    "getQuestion": "Session.question", "sendLine": "Session.sendLine", "understandLine": "Session.understand",
    "explain": "Session.why", "feed": "Session.follow", "listHooks": "Session.hooks",
    "createHook": "Session.createHook", "activateHook": "Session.activateHook", "pingHook": "Session.pingHook",
    "replaceHookSecret": "Session.replaceHookSecret", "deleteHook": "Session.deleteHook",
}  # fmt: skip
"""The call of each operation."""
NO_CALL = {"health", "metrics", "ready"}
"""Operations for the operator of a server."""


def test_versions_and_licenses_agree() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")

    assert PACKAGE["version"] == __version__
    assert f'license = "{PACKAGE["license"]}"' in project


def test_the_package_has_the_files_that_it_names_and_that_a_server_has() -> None:
    exports = {
        path for one in PACKAGE["exports"].values() for path in (one.values() if isinstance(one, dict) else [one])
    }

    assert set(PACKAGE["files"]) == set(javascript.FILES)
    assert exports - {"./package.json"} == {f"./{name}" for name in javascript.FILES}
    assert PACKAGE["types"] == "./affray.d.ts"
    assert (PACKAGE["type"], PACKAGE.get("dependencies"), PACKAGE.get("scripts")) == ("module", None, None)


def test_npm_packs_the_module_its_types_and_the_readme(tmp_path: Path) -> None:
    command = [program("npm"), "pack", "--dry-run", "--json", "--offline", str(CLIENT)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)

    (packed,) = json.loads(done.stdout)
    assert (packed["name"], packed["version"]) == ("affray", __version__)
    assert {each["path"] for each in packed["files"]} == {*javascript.FILES, "README.md", "package.json"}


def test_every_operation_of_a_server_has_a_call(server: Served) -> None:
    with server.client() as client:
        paths = client.get("/schema/openapi.json").json()["paths"]
    operations = {one["operationId"] for methods in paths.values() for one in methods.values()}
    methods = {name: set(re.findall(r"^  (?:async )?\*?(\w+)\(", text, re.M)) for name, text in classes().items()}

    assert operations - NO_CALL == set(OPERATIONS), "a new operation needs its call in affray.js"
    for call in OPERATIONS.values():
        name, _, method = call.partition(".")
        assert method in methods[name], call


def classes() -> dict[str, str]:
    """Returns the text of each class of the module."""
    found = re.split(r"^export class (\w+).*\{$", SOURCE, flags=re.M)
    return dict(zip(found[1::2], found[2::2], strict=True))


def test_the_module_uses_only_what_pages_over_plain_http_and_every_node_have() -> None:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", SOURCE, flags=re.S)

    found = re.findall(
        r"\b(?:randomUUID|WebSocket|EventSource|process|require|Buffer|window|document|localStorage|eval|import)\b",
        code,
    )
    assert set(found) == {"import"}, "only the method of that name"
    assert re.search(r"\bimport\s*[\"'{*]|\bimport\([\"']|\bfrom\s+[\"']", code) is None


# ------------------------------------------------------------------------------------------------ served


@pytest.mark.parametrize("name", javascript.FILES)
def test_a_server_has_the_files_of_the_package(server: Served, name: str) -> None:
    with server.client() as client:
        found = client.get(f"/client/{name}")
        again = client.get(f"/client/{name}", headers={"If-None-Match": f'"other", W/{found.headers["etag"]}'})
        other = client.get(f"/client/{name}", headers={"If-None-Match": '"other"'})
        head = client.head(f"/client/{name}")

    assert (found.status_code, found.content) == (200, (CLIENT / name).read_bytes())
    assert found.headers["content-type"] == f"{javascript.FILES[name]}; charset=utf-8"
    assert found.headers["x-content-type-options"] == "nosniff"
    assert found.headers["cache-control"] == reference(server).headers["cache-control"]
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", found.headers["etag"])
    assert (other.status_code, other.content) == (200, found.content)
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", found.headers["etag"])


def reference(server: Served) -> httpx.Response:
    with server.client() as client:
        return client.get("/docs")


def test_nothing_else_of_the_folder_is_served_and_nothing_is_written_there(server: Served) -> None:
    with server.client() as client:
        for name in ("package.json", "README.md", "__init__.py", "..%2f__init__.py", ""):
            assert client.get(f"/client/{name}").status_code == 404, name
        assert client.post("/client/affray.js").status_code == 405


def test_a_copy_of_the_folder_is_the_same_package(tmp_path: Path) -> None:
    """A program for Node takes the folder as it is: nothing in it refers to what lies beside it."""
    shutil.copytree(CLIENT, tmp_path / "affray")
    command = [
        program("node"),
        "--input-type=module",
        "-e",
        "console.log(Object.keys(await import('./affray/affray.js')))",
    ]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)

    assert re.findall(r"'(\w+)'", done.stdout) == sorted(
        ["Affray", "Created", "EventParser", "Live", "Refused", "Session", "mergePatch", "randomKey"]
    )
