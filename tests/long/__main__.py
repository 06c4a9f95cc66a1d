"""The long tier's command line; `.ci/long` calls it. See README.md beside this file."""

import argparse
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from textwrap import fill
from typing import Any

from long import processes, running
from long.finding import Found, NoSuchPart, all_parts, chosen
from long.running import ROOT, Outcome

LOGS = ROOT / "build" / "long"


def main(words: Sequence[str]) -> int:
    """Runs the parts that are asked for; returns 0 where all are good, 1 where one failed, 2 for wrong usage."""
    parts = all_parts()
    parser = _parser(parts)
    asked = parser.parse_args(words)
    try:
        found = chosen(asked.parts, parts)
    except NoSuchPart as refusal:
        parser.error(str(refusal))
    _check_options(parser, asked, found, parts)
    if asked.list:
        print("\n".join(map(_described, found)))
        return 0
    asked.logs.mkdir(parents=True, exist_ok=True)
    outcomes: list[Outcome] = []
    processes.adopt_orphans()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for each in found:
            outcomes.append(_performed(each, asked))
            print(_line(outcomes[-1]), flush=True)
    except KeyboardInterrupt:
        print("stopped by hand", file=sys.stderr)
        print(_summary(outcomes, missing=len(found) - len(outcomes)))
        return 130
    print(_summary(outcomes))
    return 0 if all(each.is_good for each in outcomes) else 1


def _performed(found: Found, asked: argparse.Namespace) -> Outcome:
    minutes = asked.minutes if asked.minutes is not None else found.part.minutes
    seed = asked.seed if asked.seed is not None else running.new_seed()
    print(f"        {found.name}: {found.part.title}, {minutes:g} min, seed {seed} …", file=sys.stderr, flush=True)
    options = {option.field: getattr(asked, option.field) for option in found.part.options}
    return running.run(found, minutes=minutes, seed=seed, options=options, logs=asked.logs)


# ------------------------------------------------------------------------------------------------ what is asked for


def _parser(parts: Mapping[str, Found]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=".ci/long",
        description="Runs the long tier of the gate: all parts, or those named, one after the other.",
        epilog="Exit code: 0 all parts are good, 1 a part failed, 2 wrong usage, 130 stopped by hand. "
        "--here (or AFFRAY_VENV=DIR): use the virtual environment that is there, and make none.",
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(parts)}; or how several begin: storms")
    parser.add_argument("--list", action="store_true", help="tell what each part does, for how long and why so long")
    parser.add_argument("--minutes", type=_minutes, help="length of each part, in place of its own")
    parser.add_argument("--seed", type=int, help="of everything left to chance; left out, a new one that is printed")
    parser.add_argument("--logs", type=Path, default=LOGS, help=f"folder for the logs (default: {LOGS})")
    for name, found in parts.items():
        group = parser.add_argument_group(f"options of {name}") if found.part.options else None
        for option in found.part.options:
            action = "append" if option.repeated else "store"
            assert group is not None
            group.add_argument(option.name, type=option.kind, action=action, help=option.help)
    return parser


def _minutes(text: str) -> float:
    value = float(text)
    if not 0 < value <= 24 * 60:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and {24 * 60}")
    return value


def _check_options(
    parser: argparse.ArgumentParser, asked: argparse.Namespace, found: Sequence[Found], parts: Mapping[str, Found]
) -> None:
    """Refuses an option of a part that is not run."""
    understood = {option.name for each in found for option in each.part.options}
    for each in parts.values():
        for option in each.part.options:
            if getattr(asked, option.field) is not None and option.name not in understood:
                parser.error(f"{option.name} is for {each.name}, which is not to be run")


# ------------------------------------------------------------------------------------------------ what is printed


def _described(found: Found) -> str:
    part = found.part
    first = f"{found.name}: {part.title}; {part.minutes:g} min, stopped after {part.minutes + part.grace:g}"
    return f"{first}\n{fill(part.why, 110, initial_indent='    ', subsequent_indent='    ')}"


def _line(outcome: Outcome) -> str:
    verdict = "ok    " if outcome.is_good else "FAILED"
    first = f"{verdict}  {outcome.name:<16} {outcome.seconds / 60:5.1f} min  seed {outcome.seed:<7} {outcome.done}"
    if outcome.is_good:
        return first.rstrip()
    shown = "\n".join(f"        {line}" for line in outcome.failure.splitlines()[:60])
    return f"{first.rstrip()}\n{shown}\n        at length: {outcome.log}"


def _summary(outcomes: Sequence[Outcome], *, missing: int = 0) -> str:
    failed = [each.name for each in outcomes if not each.is_good]
    minutes = sum(each.seconds for each in outcomes) / 60
    verdict = f"{len(failed)} FAILED ({', '.join(failed)})" if failed else "none failed"
    unrun = f", {missing} not run to the end" if missing else ""
    return f"long tier: {len(outcomes)} parts in {minutes:.0f} min, {verdict}{unrun}; {_circumstances()}"


def _circumstances() -> str:
    commit = os.environ.get("AFFRAY_COMMIT") or _commit()
    now: Any = datetime.now().astimezone()
    return f"{now:%Y-%m-%d %H:%M}, commit {commit}, Python {platform.python_version()}, {os.cpu_count()} processors"


def _commit() -> str:
    done = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
