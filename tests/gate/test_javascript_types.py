"""The JavaScript client's types are those of the OpenAPI document; the module and a program compile strictly with them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from client.brawl import host_token
from javascript.api_types import CLIENT, PACKAGES, TYPES, generated
from javascript.packages import install, run
from javascript.programs import HERE, program
from server.processes import Served, served

pytestmark = pytest.mark.whole
STRICTLY = ("--strict", "--target", "es2022", "--module", "nodenext", "--noUnusedLocals", "--noImplicitReturns")
BROWSER = ("--lib", "es2022,dom,dom.iterable,dom.asynciterable", "--types", "node")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server"), "--rate", "0") as server:
        yield server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generator, the compiler, and the client as an installed package."""
    program("npm")
    folder = tmp_path_factory.mktemp("node")
    install(folder, *PACKAGES)
    shutil.copytree(CLIENT, folder / "node_modules" / "affray")
    return folder


def test_the_types_are_what_the_script_writes(server: Served, folder: Path) -> None:
    with server.client() as client:
        document = client.get("/schema/openapi.json").json()

    assert generated(folder, document) == TYPES.read_text("utf-8"), "run: python tests/support/javascript/api_types.py"


def test_the_module_is_checked_strictly_and_has_the_declared_types(folder: Path) -> None:
    for name in ("affray.js", "affray.d.ts", "api.d.ts"):
        shutil.copy(CLIENT / name, folder)
    shutil.copy(CLIENT / "affray.js", folder / "made.js")
    shutil.copy(HERE / "same.ts", folder)
    checked = ("--noEmit", "--allowJs", "--checkJs", *STRICTLY, *BROWSER, "same.ts", "affray.js", "made.js")

    assert run("npx", "tsc", *checked, cwd=folder) == ""


def test_a_module_without_the_declared_types_is_found(folder: Path) -> None:
    for name in ("affray.js", "affray.d.ts", "api.d.ts"):
        shutil.copy(CLIENT / name, folder)
    source = (CLIENT / "affray.js").read_text("utf-8")
    shutil.copy(HERE / "same.ts", folder)
    (folder / "made.js").write_text(source.replace("  close() { this.#stop.abort(); }", ""), "utf-8")
    checked = ("--noEmit", "--allowJs", "--checkJs", *STRICTLY, *BROWSER, "same.ts")

    with pytest.raises(AssertionError, match=r"same\.ts\(\d+,\d+\): error TS2322"):
        run("npx", "tsc", *checked, cwd=folder)


def test_a_typed_program_is_compiled_and_runs_and_wrong_uses_are_found(server: Served, folder: Path) -> None:
    shutil.copy(HERE / "consumer.ts", folder)
    run("npx", "tsc", *STRICTLY, *BROWSER, "--noUncheckedIndexedAccess", "--outDir", "out", "consumer.ts", cwd=folder)

    lines = run("node", "out/consumer.js", server.url, host_token(server), cwd=folder).splitlines()

    assert lines[-2:] == ["log/stale true true true", "true true 0"]
