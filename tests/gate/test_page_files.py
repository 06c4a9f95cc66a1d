"""The page's modules are small and strictly typed; the library and the bundle are what their commands make; all is light."""

import gzip
import hashlib
import re
import shutil
from os.path import dirname, normpath
from pathlib import Path

import pytest
from javascript.packages import install, run
from javascript.page_bundle import BUNDLE, LIBRARY, PACKAGES, WEB, bundled, library
from javascript.programs import HERE, program
from places import ROOT

from replays import javascript, web

TYPESCRIPT = "typescript@5.9.3"
LONGEST, HEAVIEST, HEAVIEST_OTHER = 150, 60_000, 66_000
"""Lines of a module; compressed bytes of the scripts of the theatre, and of any other view."""
THEATRE = "../parts/theatre.js"
FOLDERS = (
    ("app",), ("console", "phone", "screen", "setup", "study"), ("asking",), ("parts",), ("table", "theatre"), ("source",),
    ("record",), ("vendor",),
)  # fmt: skip
"""The folders of the page, the highest first."""
LATER = re.compile(r'(?<!\{)import\("(\.\./[^"]+)"\)')
"""A module that is loaded when it is needed."""
AT_ONCE = re.compile(r'^(?:import|export) .*from "(\.[^"]+)";', re.MULTILINE)
"""A module that is loaded with another."""
OURS = sorted(path for path in WEB.rglob("*.js") if path not in (BUNDLE, LIBRARY))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiler, the bundler and the library."""
    program("npm")
    folder = tmp_path_factory.mktemp("page")
    install(folder, *PACKAGES, TYPESCRIPT)
    return folder


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(WEB)))
def test_a_module_of_the_page_is_short_and_begins_with_what_it_does(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()

    assert len(lines) <= LONGEST
    assert lines[0].startswith("/**")


@pytest.mark.whole
def test_the_modules_are_strictly_typed_and_a_fault_is_found(folder: Path) -> None:
    typed = folder / "typed"  # apart from the bundle, which would be made by these options
    shutil.copytree(WEB, typed / "web")
    shutil.copytree(ROOT / "replays" / "javascript", typed / "client")
    shutil.copy(HERE / "page.tsconfig.json", typed / "tsconfig.json")

    assert run("npx", "tsc", "-p", ".", cwd=typed) == ""

    changed = typed / "web" / "record" / "sorted.js"
    changed.write_text(changed.read_text("utf-8").replace("low = middle + 1", 'low = "1"'), "utf-8")
    with pytest.raises(AssertionError, match=r"sorted\.js\(\d+,\d+\): error TS2322"):
        run("npx", "tsc", "-p", ".", cwd=typed)


@pytest.mark.whole
def test_the_bundle_and_the_library_are_what_their_commands_make(folder: Path) -> None:
    assert bundled(folder) == BUNDLE.read_text("utf-8"), "run: python tests/support/javascript/page_bundle.py"
    assert library(folder) == LIBRARY.read_text("utf-8")
    assert f"npm install {' '.join(PACKAGES)}\n" in (WEB / "vendor" / "README.md").read_text("utf-8")
    assert hashlib.sha256(LIBRARY.read_bytes()).hexdigest() in (WEB / "vendor" / "README.md").read_text("utf-8")


def test_all_that_a_browser_loads_of_a_view_is_light() -> None:
    files = web.served()
    client = (ROOT / "replays" / "javascript" / next(iter(javascript.FILES))).read_bytes()
    views = {
        view: source for source in ("app/sessions.js", "app/views.js") for view in LATER.findall(files[source].decode())
    }

    assert len(views) > 5
    for view, source in views.items():
        loaded = [files[name] for name in _with_imports(files, {"main.js", source, view.removeprefix("../")})]
        heaviest = HEAVIEST if view == THEATRE else HEAVIEST_OTHER
        assert sum(len(gzip.compress(each, 9)) for each in (*loaded, client)) <= heaviest, view
    assert len(gzip.compress(BUNDLE.read_bytes(), 9)) <= HEAVIEST


def _with_imports(files: dict[str, bytes], names: set[str]) -> set[str]:
    """Returns modules with all that they import at once."""
    found: set[str] = set()
    while names:
        name = names.pop()
        found.add(name)
        imported = AT_ONCE.findall(files[name].decode())
        names |= {normpath(f"{dirname(name)}/{each}").lstrip("/") for each in imported} - found
    return found


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(WEB)))
def test_a_module_imports_only_from_folders_below_its_own(path: Path) -> None:
    folder = path.parent.name if path.parent != WEB else ""
    level = _level(folder)
    imported = {each.split("/")[1] for each in AT_ONCE.findall(path.read_text("utf-8")) if each.startswith("../")}

    assert [each for each in imported if "." not in each and each != folder and _level(each) <= level] == []


def _level(folder: str) -> int:
    """Returns how far below the top a folder is; what lies beside the folders is at the top."""
    return next((nth for nth, folders in enumerate(FOLDERS, 1) if folder in folders), 0)


def test_no_module_writes_markup_or_runs_text() -> None:
    for path in OURS:
        source = path.read_text("utf-8")
        for word in (
            "innerHTML",
            "dangerouslySetInnerHTML",
            "eval(",
            "new Function",
            "document.write",
            "insertAdjacentHTML",
            "outerHTML",
        ):
            assert word not in source, path
