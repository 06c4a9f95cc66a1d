"""The page of operations is true: its commands are run, and its files are as it describes them."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from server.processes import served

from replays.server.http import metrics

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "replays/server/operations/README.md"
MAIN = "from replays.cli import main; main()"
BLOCK = re.compile(r"```sh ?(\w*)\n(.*?)```", re.DOTALL)


def commands(kind: str) -> list[str]:
    return [
        line for found, text in BLOCK.findall(PAGE.read_text("utf-8")) if found == kind for line in text.splitlines()
    ]


def run(folder: Path, line: str, **env: str) -> str:
    program = f'affray() {{ "{sys.executable}" -c "{MAIN}" "$@"; }}\n{line}'
    known = {**os.environ, "XDG_STATE_HOME": str(folder), "PYTHONPATH": str(ROOT), **env}
    done = subprocess.run(["bash", "-ec", program], cwd=folder, capture_output=True, text=True, timeout=120, env=known)
    assert done.returncode == 0, (line, done.stdout, done.stderr)
    return done.stdout


def test_the_blocks_are_of_known_kinds() -> None:
    assert [kind for kind, _ in BLOCK.findall(PAGE.read_text("utf-8"))] == [
        "", "container", "systemd", "", "postgresql", "", "",
    ]  # fmt: skip


def test_its_commands_work_in_their_order(tmp_path: Path) -> None:
    run(tmp_path, "affray play stoya")
    lines = commands("")
    assert lines[0].startswith("affray serve")
    assert len(lines) == 10
    with served(tmp_path, "--rate", "0") as server:
        for line in lines[1:]:
            assert run(tmp_path, line, PORT=str(server.port)) is not None
    assert len(run(tmp_path, "affray token").split(".")) >= 2
    assert (tmp_path / "restored.db").exists()


def test_serve_begins_and_ends_as_the_page_says(tmp_path: Path) -> None:
    arguments = commands("")[0].split()[1:]
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, *arguments],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        for line in process.stdout:
            if "127.0.0.1" in line:
                break
        assert (tmp_path / "affray.keys").exists()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def test_the_metrics_that_it_names_are_those_of_the_server() -> None:
    named = set(re.findall(r"affray_(?:request|stud|feed|session)\w+", PAGE.read_text("utf-8")))
    made = {f"{each._name}_total" for each in (metrics.REQUESTS, metrics.STUDIES)}
    made |= {each._name for each in (metrics.SECONDS, metrics.READERS, metrics.SESSIONS)}

    assert named == made


# ------------------------------------------------------------------------------------------------ files


def test_the_containerfile_runs_as_somebody_without_rights_and_reports_its_health() -> None:
    lines = (ROOT / "Containerfile").read_text("utf-8").splitlines()
    words = [line.split(maxsplit=1) for line in lines if line and not line.startswith((" ", "#"))]
    last = dict(words)

    assert [word for word, _ in words].count("FROM") == 2
    assert last["USER"] == "10001"
    assert last["VOLUME"] == "/var/lib/affray"
    assert last["HEALTHCHECK"].startswith("--interval")
    assert "--keys" in last["CMD"]
    extras = re.search(r"\.whl\)\[([\w,]+)\]", "\n".join(lines))[1].split(",")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(extras) <= set(project["optional-dependencies"])


def test_the_compose_file_has_health_checks_and_no_secret() -> None:
    text = (ROOT / "replays/server/operations/compose.yaml").read_text("utf-8")

    assert "condition: service_healthy" in text
    assert "pg_isready" in text
    assert "POSTGRES_PASSWORD_FILE: /run/secrets/db-password" in text
    assert re.search(r"PASSWORD:|password=", text) is None


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_unit_is_well_formed_and_little_exposed(tmp_path: Path) -> None:
    unit = tmp_path / "affray.service"
    text = (ROOT / "replays/server/operations/affray.service").read_text("utf-8")
    unit.write_text(text.replace("/opt/affray/bin/affray", "/bin/true"), "utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    exposed = ("systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit))
    analysed = subprocess.run(exposed, capture_output=True, text=True)

    assert (verified.returncode, verified.stderr) == (0, "")
    assert analysed.returncode == 0, analysed.stdout[-300:]
