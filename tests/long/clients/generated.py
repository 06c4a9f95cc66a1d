"""Clients are generated from the OpenAPI document; bots that use them compile strictly and play a whole fight.

Each generator gets a separate environment, because its pins differ from those of the project.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from javascript.packages import install, run
from server.processes import Served, served

BOTS = Path(__file__).parents[2] / "support" / "generated"
NODE = ("openapi-typescript@7.13.0", "typescript@5.9.3", "@types/node@20.19.9")
PYTHON = {
    "client": ("openapi-python-client==0.29.1", "mypy==2.4.1"),
    "models": ("datamodel-code-generator==0.89.0", "pydantic==2.14.4"),
}

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server"), "--rate", "0") as server:
        yield server


@pytest.fixture
def document(server: Served, tmp_path: Path) -> Path:
    """The OpenAPI document, in a file."""
    path = tmp_path / "openapi.json"
    with server.client() as client:
        path.write_text(client.get("/schema/openapi.json").text, "utf-8")
    return path


def environment(folder: Path, name: str) -> Path:
    """Returns the programs of a new environment with one of the generators."""
    run(sys.executable, "-m", "venv", f".{name}", cwd=folder)
    programs = folder / f".{name}" / "bin"
    run(str(programs / "pip"), "install", "--quiet", "--disable-pip-version-check", *PYTHON[name], cwd=folder)
    return programs


def played(server: Served, *command: str, cwd: Path) -> str:
    """Returns the last line of a bot that plays at the server."""
    host = server.host["Authorization"].removeprefix("Bearer ")
    return run(*command, f"http://127.0.0.1:{server.port}", host, cwd=cwd).splitlines()[-1]


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_openapi_typescript(server: Served, document: Path) -> None:
    folder = document.parent
    shutil.copy(BOTS / "bot.ts", folder)
    install(folder, *NODE)
    run("npx", "openapi-typescript", "openapi.json", "-o", "affray-api.d.ts", cwd=folder)
    strictly = (
        "--strict",
        "--target",
        "es2022",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
        "--types",
        "node",
    )
    run("npx", "tsc", *strictly, "--outDir", "out", "bot.ts", cwd=folder)

    done = json.loads(played(server, "node", "out/bot.js", cwd=folder))

    assert done["entries"] > 20
    assert sum(done["harm"].values()) > 0


def test_openapi_python_client(server: Served, document: Path) -> None:
    folder = document.parent
    shutil.copy(BOTS / "bot.py", folder)
    python = str(environment(folder, "client") / "python")
    made = ("--path", "openapi.json", "--meta", "none", "--output-path", "client")
    run(python, "-m", "openapi_python_client", "generate", *made, cwd=folder)
    run(python, "-m", "mypy", "--strict", "bot.py", cwd=folder)

    assert played(server, python, "bot.py", cwd=folder).startswith("entries ")


def test_datamodel_code_generator(server: Served, document: Path) -> None:
    folder = document.parent
    programs = environment(folder, "models")
    made = ("--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel", "--use-annotated")
    run(str(programs / "datamodel-codegen"), "--input", "openapi.json", "--output", "made.py", *made, cwd=folder)
    with server.client() as client:
        founded = client.post("/v1/sessions", headers=server.host, json={"ruleset": "gurps_3e"}).json()
        path, token = f"/v1/sessions/{founded['session']}", founded["tokens"][0]["token"]
        as_gm = {"Authorization": f"Bearer {token}"}
        join = {"type": "Join", "who": "ann", "sheet": client.get("/v1/rulesets/gurps_3e/sheets/guard").json()}
        answer = client.post(f"{path}/commands", headers=as_gm, json=join).text
        (folder / "performed.json").write_text(answer, "utf-8")
        (folder / "state.json").write_text(client.get(f"{path}/state", headers=as_gm).text, "utf-8")
    reads = "import made; print(made.Performed.model_validate_json(open('performed.json').read()).last)"
    reads += "; print(made.State.model_validate_json(open('state.json').read()).entries)"

    assert run(str(programs / "python"), "-c", reads, cwd=folder).split() == ["2", "2"]
