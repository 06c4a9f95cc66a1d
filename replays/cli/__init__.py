"""`affray …`: the command line."""

import sys

__all__ = ("main",)


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:  # answered before anything is loaded
        from importlib.metadata import version

        print(f"affray {version('affray')}")
        return
    from replays.cli.app import run

    sys.exit(run(sys.argv[1:]))
