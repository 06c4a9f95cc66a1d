"""The page of operations is true: its commands are run, in their order; its keys and limits are those of the server."""

import inspect
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx
from postgres_server import Server as Postgres
from server.processes import Served, served

from replays.cli.commands.serve import serve
from replays.server.callers.keys import SHORTEST
from replays.server.http import metrics
from replays.server.runtime.settings import Settings

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "replays/server/operations/README.md"
MAIN = "from replays.cli import main; main()"
BLOCK = re.compile(r"```sh ?(\w*)\n(.*?)```", re.DOTALL)
NOT_RUN = {"container", "systemd"}
"""Blocks that no test runs: they need a daemon of containers, or a machine that systemd has started."""


def commands(kind: str) -> list[str]:
    """Returns the commands of the blocks of a kind, in the order of the page."""
    return [
        line for found, text in BLOCK.findall(PAGE.read_text("utf-8")) if found == kind for line in text.splitlines()
    ]


def run(folder: Path, line: str, **env: str) -> str:
    """Returns the output of a command that must succeed."""
    program = f'affray() {{ "{sys.executable}" -c "{MAIN}" "$@"; }}\n{line}'
    known = {**os.environ, "XDG_STATE_HOME": str(folder), "PYTHONPATH": str(ROOT), **env}
    done = subprocess.run(["bash", "-ec", program], cwd=folder, capture_output=True, text=True, timeout=120, env=known)
    assert done.returncode == 0, (line, done.stdout, done.stderr)
    return done.stdout


def table(heading: str) -> list[list[str]]:
    """Returns the cells of the first table after a heading, without its own head."""
    after = PAGE.read_text("utf-8").split(f"\n## {heading}\n")[1]
    lines = [line for line in after.split("\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


# ------------------------------------------------------------------------------------------------ its commands


def test_no_command_is_left_out_but_those_that_need_a_machine_of_their_own() -> None:
    kinds = {kind for kind, _ in BLOCK.findall(PAGE.read_text("utf-8"))}

    assert kinds == {"", "postgresql"} | NOT_RUN
    assert "```\n" not in BLOCK.sub("", PAGE.read_text("utf-8")), "a block of no known kind"
    assert {line.split()[0] for kind in NOT_RUN for line in commands(kind)} == {
        "docker", "python3", "cp", "systemctl",
    }  # fmt: skip


def test_its_commands_work_in_their_order(tmp_path: Path) -> None:
    run(tmp_path, "affray play stoya")
    lines = commands("")
    assert lines[0].startswith("affray serve")
    assert len(lines) == 15
    with served(tmp_path, "--rate", "0") as server:
        said = {line: run(tmp_path, line, PORT=str(server.port)) for line in lines[1:]}
    (metrics_line,) = (line for line in lines if line.endswith("/metrics"))
    assert "affray_requests_total" in said[metrics_line]
    assert "nothing to do" in said["affray migrate"]
    assert (tmp_path / "moved.db").exists()
    assert run(tmp_path, "affray --ledger sqlite:///moved.db log") == run(tmp_path, "affray log")


def test_serve_begins_and_ends_as_the_page_says(tmp_path: Path) -> None:
    arguments = commands("")[0].split()[1:]
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, *arguments],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if "127.0.0.1" in line:
                break
        assert (tmp_path / "affray.keys").exists()
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM
    assert (tmp_path / "affray.db").exists()


def test_a_ledger_in_postgresql_is_backed_up_and_restored(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.empty()
    run(tmp_path, f"affray --ledger {url} migrate && affray --ledger {url} play stoya")
    name = url.rpartition("/")[2]
    lines = [
        line.replace("restored", f"{name}_restored").replace("affray.dump affray", f"affray.dump {name}")
        for line in commands("postgresql")
    ]
    there = {"PGHOST": "127.0.0.1", "PGPORT": str(postgres.port), "PGUSER": "postgres"}

    for line in lines:
        run(tmp_path, line, **there)

    assert lines[-1].startswith("affray --ledger postgresql:///")
    assert run(tmp_path, f"affray --ledger postgresql:///{name}_restored log", **there) == run(
        tmp_path, f"affray --ledger {url} log"
    )


# ------------------------------------------------------------------------------------------------ keys


def status(server: Served, token: str) -> int:
    """Returns how a server answers the host."""
    return httpx.get(f"{server.url}/v1/sessions", headers={"Authorization": f"Bearer {token}"}).status_code


def test_keys_are_changed_as_the_page_says(tmp_path: Path) -> None:
    """A key is added: it signs, tokens of the old key work on, until the old one is retired."""
    old = run(tmp_path, "affray token").strip()
    (add,) = (line for line in commands("") if line.startswith("affray keys add"))
    (retire,) = (line for line in commands("") if line.startswith("affray keys retire"))

    run(tmp_path, add)
    new = run(tmp_path, "affray token").strip()
    with served(tmp_path) as server:
        assert (status(server, old), status(server, new)) == (200, 200)
    run(tmp_path, retire)
    with served(tmp_path) as server:
        assert (status(server, old), status(server, new)) == (401, 200)


def test_the_length_of_a_key_and_the_mode_of_its_file_are_as_the_page_says(tmp_path: Path) -> None:
    run(tmp_path, "affray token")

    assert f"a key of {SHORTEST} characters or more" in PAGE.read_text("utf-8")
    assert (tmp_path / "affray.keys").stat().st_mode & 0o777 == 0o600


# ------------------------------------------------------------------------------------------------ what it names


def test_the_metrics_that_it_names_are_those_of_the_server() -> None:
    named = set(re.findall(r"affray_(?:request|stud|feed|session|hook)\w+", PAGE.read_text("utf-8")))
    made = {f"{each._name}_total" for each in (metrics.REQUESTS, metrics.STUDIES, metrics.HOOK_MESSAGES)}
    made |= {each._name for each in (metrics.SECONDS, metrics.READERS, metrics.SESSIONS, metrics.HOOKS)}

    assert named == made


def test_the_limits_that_it_names_are_those_of_the_server() -> None:
    options: Mapping[str, inspect.Parameter] = inspect.signature(serve).parameters
    settings = {field: getattr(Settings(ledger="memory://", keys=()), field) for field in Settings.__struct_fields__}
    renamed = {"timeout": "seconds", "memory": "entries"}
    said = {
        name.strip("`").removeprefix("--").replace("-", "_"): float(default)
        for names, defaults, *_ in table("Limits")
        for name, default in zip(names.split(", "), defaults.split(", "), strict=True)
    }

    assert said == {name: options[name].default for name in said}
    assert {name: settings[renamed.get(name, name)] for name in said if name != "workers"} == {
        name: value for name, value in said.items() if name != "workers"
    }
    assert {"rate", "feeds", "connections", "body", "timeout", "studies", "study_time", "memory", "workers"} == set(
        said
    )


def test_the_options_that_it_names_exist() -> None:
    named = set(re.findall(r"`(--[a-z-]+)", PAGE.read_text("utf-8")))
    known = run(ROOT, "affray serve --help", COLUMNS="200")

    assert len(named) > 8
    assert {name for name in named if f"{name} " not in known} == set()
