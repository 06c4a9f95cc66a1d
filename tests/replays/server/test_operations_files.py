"""The files of operations are safe and whole: the Containerfile, the compose file and the unit for systemd."""

import json
import platform
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from postgres_server import Server as Postgres
from server import refused_calls
from server.processes import Table, served

ROOT = Path(__file__).parents[3]
ROOM = ROOT / "replays/server/operations"
MAIN = "from replays.cli import main; main()"
SECRET = re.compile(r"password|secret|token|key", re.IGNORECASE)


def instructions() -> list[tuple[str, str]]:
    """Returns the instructions of the Containerfile, each with its words."""
    text = (ROOT / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(name, words) for name, _, words in (line.partition(" ") for line in lines)]


def stages() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Returns the instructions of the two stages: the one that builds the wheel, and the one that runs it."""
    found = instructions()
    begins = [place for place, (name, _) in enumerate(found) if name == "FROM"]
    assert len(begins) == 2
    return found[begins[0] : begins[1]], found[begins[1] :]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """Returns the compose file."""
    found: dict[str, Any] = yaml.safe_load((ROOM / "compose.yaml").read_text("utf-8"))
    return found


# ------------------------------------------------------------------------------------------------ Containerfile


def test_the_image_names_no_registry_and_its_base_can_be_chosen() -> None:
    base = dict(instructions())["ARG"]

    assert base.startswith("PYTHON=python:3.11")
    assert "/" not in base
    assert [words.split()[0] for name, words in instructions() if name == "FROM"] == ["${PYTHON}", "${PYTHON}"]


def test_the_image_runs_as_somebody_without_rights_and_reports_its_health() -> None:
    _, runs = stages()
    last = dict(runs)
    names = [name for name, _ in runs]

    assert last["USER"] == "10001"
    assert "--uid 10001" in {words.split()[0]: words for name, words in runs if name == "RUN"}["useradd"]
    assert names.index("USER") < names.index("VOLUME")  # a new volume gets the owner of the folder
    assert last["VOLUME"] == last["WORKDIR"] == "/var/lib/affray"
    assert "sqlite:////var/lib/affray/" in last["ENV"]
    assert "/var/lib/affray/affray.keys" in last["CMD"]
    assert "http://127.0.0.1:8040/ready" in last["HEALTHCHECK"]
    assert last["EXPOSE"] == "8040"


def test_only_what_the_wheel_is_made_of_is_copied() -> None:
    build, runs = stages()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    copied = {word for name, words in build if name == "COPY" for word in words.split()[:-1]}

    assert copied == packages | {"pyproject.toml", "README.md", "LICENSE"}
    assert [words for name, words in runs if name == "COPY"] == ["--from=build /wheels /wheels"]


def test_its_health_check_succeeds_only_where_a_server_is_ready(tmp_path: Path) -> None:
    words = dict(instructions())["HEALTHCHECK"].partition("CMD ")[2]
    program, *rest = json.loads(words)
    assert program == "python"

    def checked(port: int) -> int:
        here = [word.replace(":8040", f":{port}") for word in rest]
        return subprocess.run([sys.executable, *here], capture_output=True, timeout=60).returncode

    with served(tmp_path) as server:
        assert checked(server.port) == 0
    assert checked(server.port) != 0


@pytest.mark.whole
def test_its_steps_build_a_wheel_that_installs_and_has_the_files_of_operations(tmp_path: Path) -> None:
    """The steps are run by hand: each COPY, then each RUN with pip, in a new environment."""
    build, runs = stages()
    source, wheels = tmp_path / "source", tmp_path / "wheels"
    source.mkdir()
    for _, words in (each for each in build if each[0] == "COPY"):
        *named, to = words.split()
        for name in named:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, source / to, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, source / to)
    (source / "replays/server/operations/db-password").write_text("hidden")  # as the page lets its reader make it
    venv.create(tmp_path / "env", with_pip=True)
    programs = tmp_path / "env/bin"
    steps = [words for name, words in (*build, *runs) if name == "RUN" and words.startswith("pip ")]
    assert [step.split()[1] for step in steps] == ["wheel", "install"]

    for step in steps:
        here = step.replace("/wheels", str(wheels)).partition(" && rm")[0]
        shell = f"export PATH={programs}:$PATH PIP_DISABLE_PIP_VERSION_CHECK=1; {here}"
        done = subprocess.run(["bash", "-ec", shell], cwd=source, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, (step, done.stdout[-2000:], done.stderr[-2000:])

    (wheel,) = wheels.glob("affray-*.whl")
    found = {Path(name).name for name in zipfile.ZipFile(wheel).namelist() if "server/operations/" in name}
    assert found == {"README.md", "affray.service", "compose.yaml"}
    helped = subprocess.run(
        [programs / "affray", "serve", "--help"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (helped.returncode, "--keys" in helped.stdout) == (0, True)
    command = [programs / "python", "-c", "import psycopg, litestar, uvicorn, replays.server.app"]
    assert subprocess.run(command, cwd=tmp_path, timeout=60).returncode == 0


# ------------------------------------------------------------------------------------------------ compose


def test_the_compose_file_waits_for_a_database_that_reports_its_health(compose: dict[str, Any]) -> None:
    services = compose["services"]

    assert set(services) == {"affray", "db"}
    assert services["affray"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    assert services["db"]["healthcheck"]["test"][:2] == ["CMD", "pg_isready"]
    assert services["affray"]["build"]["dockerfile"] == "Containerfile"  # which has the health check of the server
    assert (
        ROOM / services["affray"]["build"]["context"].removeprefix("${AFFRAY_SOURCE:-").rstrip("}")
    ).resolve() == ROOT
    assert all("/" not in each.get("image", "") for each in services.values()), "no registry is named"


def test_the_compose_file_publishes_only_the_server_and_only_to_this_machine(compose: dict[str, Any]) -> None:
    assert compose["services"]["affray"]["ports"] == ["127.0.0.1:8040:8040"]
    assert "ports" not in compose["services"]["db"]


def test_the_compose_file_keeps_what_must_be_kept_in_volumes(compose: dict[str, Any]) -> None:
    mounted = {each.split(":")[0] for one in compose["services"].values() for each in one["volumes"]}

    assert mounted == set(compose["volumes"]) == {"keys", "ledger"}


def test_no_secret_stands_in_the_compose_file(compose: dict[str, Any]) -> None:
    assert compose["secrets"] == {"db-password": {"file": "./db-password"}}
    for service in compose["services"].values():
        assert service["secrets"] == ["db-password"]
        for name, value in service.get("environment", {}).items():
            assert not SECRET.search(name) or value.startswith("/run/secrets/"), name
    (command,) = compose["services"]["affray"]["command"]
    assert "affray:$$(cat /run/secrets/db-password)@db/affray" in command


def test_the_command_of_the_compose_file_migrates_and_serves(
    compose: dict[str, Any], postgres: Postgres, tmp_path: Path
) -> None:
    url = postgres.empty()
    (tmp_path / "db-password").write_text("0123456789abcdef\n")
    (command,) = compose["services"]["affray"]["command"]
    here = {
        "$$": "$", "/run/secrets/db-password": "db-password", "postgresql://affray:": "postgresql://postgres:",
        "@db/affray": f"@127.0.0.1:{postgres.port}/{url.rpartition('/')[2]}", "0.0.0.0": "127.0.0.1 --port 0",
        "/var/lib/affray/": "", "exec affray": f"exec {sys.executable} -c '{MAIN}'",
        "&& affray": f"&& {sys.executable} -c '{MAIN}'",
    }  # fmt: skip
    for there, replaced in here.items():
        assert there in command
        command = command.replace(there, replaced)
    process = subprocess.Popen(["sh", "-c", command], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        applied = []
        for line in process.stdout:
            if line.startswith("Affray listens at"):
                break
            applied.append(line)
        assert applied
        assert all(line.startswith("applied: ") for line in applied)
        assert httpx.get(f"{line.split()[-1]}/ready").json() == {"status": "ready"}
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_the_password_of_the_database_is_never_committed() -> None:
    """The page lets its reader make the file beside the compose file."""
    ignored = subprocess.run(["git", "check-ignore", "-q", "replays/server/operations/db-password"], cwd=ROOT)

    assert ignored.returncode in (0, 128)  # 128: not in a checkout
    assert not (ROOM / "db-password").exists()


# ------------------------------------------------------------------------------------------------ systemd


def test_the_unit_keeps_its_rights_few_and_its_state_in_one_folder() -> None:
    lines = (ROOM / "affray.service").read_text("utf-8").splitlines()
    found = dict(line.split("=", 1) for line in lines if "=" in line)

    assert found["DynamicUser"] == found["NoNewPrivileges"] == "yes"
    assert (found["ProtectSystem"], found["StateDirectory"], found["StateDirectoryMode"]) == (
        "strict",
        "affray",
        "0700",
    )
    assert found["ExecStart"].endswith("--keys %S/affray/affray.keys")
    assert "sqlite:///%S/affray/affray.db" in found["Environment"]
    assert found["CapabilityBoundingSet"] == ""
    assert "SystemCallFilter=sched_setaffinity setpriority" in lines
    assert found["SystemCallErrorNumber"] == "EPERM"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="calls have other numbers")
def test_a_server_works_where_the_system_refuses_what_it_can_do_without(tmp_path: Path) -> None:
    numbers = ",".join(map(str, refused_calls.CALLS.values()))
    wrapper = (refused_calls.__file__, numbers, sys.executable, "-c", MAIN)
    with served(tmp_path, wrapper=wrapper) as server, server.client() as client:
        table = Table(client, server.host)
        asked = client.post(f"{table.path}/odds", headers=table.as_("gm"), json={})  # a worker answers

        assert asked.json()["slug"] == "odds/no-open-roll"
        assert "threads on one core" not in server.log()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_unit_is_well_formed_and_little_exposed(tmp_path: Path) -> None:
    unit = tmp_path / "affray.service"
    unit.write_text((ROOM / "affray.service").read_text("utf-8").replace("/opt/affray/bin/affray", sys.executable))
    verified = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    exposed = ("systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit))
    analysed = subprocess.run(exposed, capture_output=True, text=True)

    assert (verified.returncode, verified.stderr) == (0, "")
    assert analysed.returncode == 0, analysed.stdout[-300:]
