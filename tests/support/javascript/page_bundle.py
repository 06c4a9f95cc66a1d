"""Bundles the page for saved files, and rebuilds the page's library.

    python tests/support/javascript/page_bundle.py

writes `replays/web/bundle/theatre.js`, one classic script with all that a saved replay runs; it needs npm.
"""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[3]
WEB = ROOT / "replays" / "web"
BUNDLE = WEB / "bundle" / "theatre.js"
LIBRARY = WEB / "vendor" / "preact.js"
PACKAGES = ("preact@11.2.0", "htm@3.1.1", "esbuild@0.28.2")
_BUILD = """
import { build } from "esbuild";
const client = { name: "client", setup: (on) => on.onResolve({ filter: /^\\/client\\// }, (at) => ({ path: `${process.cwd()}/${at.path.slice(1)}`, sideEffects: false })) };
await build({ entryPoints: ["web/saved.js"], outfile: "theatre.js", bundle: true, format: "iife", minify: true, target: "es2022", charset: "utf8", legalComments: "none", plugins: [client] });
"""


def bundled(folder: Path) -> str:
    """Returns the script for saved files.

    Args:
        folder: A folder in which the packages are installed.
    """
    from javascript.packages import run

    shutil.copytree(WEB, folder / "web", dirs_exist_ok=True)
    shutil.copytree(ROOT / "replays" / "javascript", folder / "client", dirs_exist_ok=True)
    (folder / "build.js").write_text(_BUILD, "utf-8")
    run("node", "build.js", cwd=folder)
    return (folder / "theatre.js").read_text("utf-8").replace("</", "<\\/")


def library(folder: Path) -> str:
    """Returns the library of the page, made by the command of its README.

    Args:
        folder: A folder in which the packages are installed.
    """
    from javascript.packages import run

    shutil.copy(WEB / "vendor" / "entry.mjs", folder)
    readme = (WEB / "vendor" / "README.md").read_text("utf-8")
    (command,) = (line for line in readme.splitlines() if line.startswith("npx esbuild "))
    run(*command.split(), cwd=folder)
    return (folder / "preact.js").read_text("utf-8")


def main(arguments: Sequence[str] = ()) -> None:
    """Writes the bundle."""
    from javascript.packages import install

    assert not arguments, "no arguments are accepted"
    with TemporaryDirectory() as name:
        install(Path(name), *PACKAGES)
        BUNDLE.parent.mkdir(exist_ok=True)
        BUNDLE.write_text(bundled(Path(name)), "utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]
    main(sys.argv[1:])
