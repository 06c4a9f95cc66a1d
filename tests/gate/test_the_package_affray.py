"""`import affray` from the built wheel gives the public names, typed; the copy of an editable install is not stale."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from public_names import MODULE, PAGE, module_text, page_text, public

from replays import javascript, web

ROOT = Path(__file__).parents[2]
CONSUMER = '''
"""A program that uses Affray by one import."""

import asyncio
from typing import assert_type

import affray

SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40, "clubs": 50}}


def play() -> affray.State:
    session = affray.Session.create("memory://", ruleset="eclipse_phase_1e", title="A brawl")
    assert_type(session.perform(affray.Join("ann", SHEET)), affray.Entry)
    session.perform(affray.BeginCombat())
    for rest in session.rests:
        assert_type(rest, affray.Rest)
        session.perform(affray.TypeDice(rest.key, (4,)))
    try:
        session.perform(affray.Declare("nobody", "attack", {}))
    except affray.UnknownCombatant as refusal:
        assert_type(refusal, affray.UnknownCombatant)
        print(refusal.slug)
    for entry in session.entries():
        for event in entry.events:
            if isinstance(event, affray.DiceRolled):
                print(assert_type(event.key, str), assert_type(event.faces, tuple[int, ...]))
    return session.state()


async def play_on() -> affray.State:
    async with await affray.AsyncSession.create("memory://", ruleset="gurps_3e") as session:
        assert_type(await session.rests(), tuple[affray.Rest, ...])
        return await session.state()


def play_there(host: affray.Host) -> None:
    assert_type(host, affray.Host)


print(affray.__version__, play().ruleset, asyncio.run(play_on()).ruleset)
'''


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the built wheel, beside the libraries of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "env", with_pip=False)
    packages = next((folder / "env" / "lib").glob("python*/site-packages"))
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(packages)
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "env" / "bin" / "python"


def test_module_and_page_are_what_the_script_writes() -> None:
    assert module_text() == MODULE.read_text(), "run: python tests/support/public_names.py"
    assert page_text() == PAGE.read_text(), "run: python tests/support/public_names.py"


def test_no_name_has_two_meanings() -> None:
    names = [each.name for each in public()]

    assert len(names) == len(set(names))


def test_the_installed_copy_is_not_stale() -> None:
    found = find_spec("affray")

    assert found is not None
    assert found.origin is not None
    assert Path(found.origin).read_text() == MODULE.read_text(), "install the project again"


def test_the_wheel_has_every_public_name_and_what_typed_programs_need(installed: Path) -> None:
    program = "import affray, json; print(json.dumps([affray.__file__, *(type(getattr(affray, n)).__name__ for n in affray.__all__)]))"

    run = subprocess.run([installed, "-c", program], capture_output=True, text=True, check=True, cwd=installed.parent)

    assert str(installed.parents[1]) in run.stdout
    packages = next((installed.parents[1] / "lib").glob("python*/site-packages"))
    assert all(
        (packages / name / "py.typed").exists() for name in ("affray", "ledger", "machines", "projections", "replays")
    )


def test_the_wheel_has_the_javascript_client(installed: Path) -> None:
    packages = next((installed.parents[1] / "lib").glob("python*/site-packages"))

    for name in (*javascript.FILES, "package.json"):
        expected = (ROOT / "replays" / "javascript" / name).read_bytes()
        assert (packages / "replays" / "javascript" / name).read_bytes() == expected, name


def test_the_wheel_has_the_page_its_bundle_and_the_licences_of_its_library(installed: Path) -> None:
    packages = next((installed.parents[1] / "lib").glob("python*/site-packages"))
    folder = ROOT / "replays" / "web"
    licences = [path.relative_to(folder).as_posix() for path in (folder / "vendor").glob("LICENSE-*")]

    assert len(licences) == 2
    for name in (*web.served(), "bundle/theatre.js", *licences):
        assert (packages / "replays" / "web" / name).read_bytes() == (folder / name).read_bytes(), name


def test_a_typed_program_is_checked_and_runs(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "consumer.py").write_text(CONSUMER)

    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(installed), "consumer.py"]
    checked = subprocess.run(mypy, capture_output=True, text=True, cwd=tmp_path)
    run = subprocess.run([installed, "consumer.py"], capture_output=True, text=True, cwd=tmp_path)

    assert checked.returncode == 0, checked.stdout
    assert run.stdout.splitlines() == [
        "combatant/unknown", "r1/ann/initiative (4,)", "0.1.0 eclipse_phase_1e gurps_3e",
    ], run.stderr  # fmt: skip


def test_a_wrong_use_is_found_by_the_type_checker(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("import affray\naffray.Note(5)\naffray.Nothing\n")

    mypy = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(installed), "wrong.py"]
    checked = subprocess.run(mypy, capture_output=True, text=True, cwd=tmp_path)

    assert 'incompatible type "int"' in checked.stdout
    assert 'Module has no attribute "Nothing"' in checked.stdout
