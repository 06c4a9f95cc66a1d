"""`affray …`: the command line."""

import sys

__all__ = ("main",)


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:  # answered before anything is loaded
        from importlib.metadata import version

        print(f"affray {version('affray')}")
        return
    try:
        from replays.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
