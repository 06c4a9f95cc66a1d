"""Scripts: a fight as a person writes it down, in TOML (the format is fixed in the README)."""

from pathlib import Path
from typing import Any

import msgspec

from ledger.errors import Refused
from ledger.events import Json

VERSION = 1
LONGEST = 5_000_000
"""Bytes of a script."""
Faces = int | tuple[int, ...]
Secret = bool | tuple[str, ...]
"""True: for the gamemaster alone; combatants: also for their players."""
_VERBS = (
    "begin", "dice", "draw", "declare", "choose", "expect", "overrule", "modify", "adjust", "note", "pass_time",
    "join", "leave", "rewind", "amend", "reveal", "end",
)  # fmt: skip


class BadScript(Refused):
    """The script cannot be read, or has a wrong field."""

    slug = "script/invalid"


class NoSuchScript(Refused):
    """No file and no shipped example of that name."""

    slug = "script/unknown"


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class Player(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A combatant of the script."""

    sheet: Json
    name: str = ""
    player: str = "gm"
    thing: bool = False
    secret: Secret = False
    """Do they join in secret?"""


class Said(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A choice with words."""

    option: str
    words: str = ""


class OverruleStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The gamemaster's word."""

    key: str
    figure: str
    value: int | str
    why: str


class ModifyStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A gamemaster's modifier."""

    key: str
    value: int
    why: str


class AdjustStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something set without a rule; no value ends a condition."""

    who: str
    what: str
    value: int | str | None = None
    why: str


class TimeStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Time that passes."""

    amount: int
    unit: str
    why: str = ""


class RewindStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Back to an entry, or by a span."""

    to: int | None = None
    span: str = "step"
    why: str = ""


class AmendStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A correction of an earlier entry."""

    entry: int | str
    """Its number, or the key of its roll or exchange, or a shorthand of that."""
    set: Json = {}
    insert: tuple[Json, ...] = ()
    drop: bool = False
    dice: dict[str, Faces] = {}
    why: str


class JoinStep(Player, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody who comes later."""

    who: str


class LeaveStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody goes."""

    who: str
    why: str = ""


class RevealStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A secret is told: who joined in secret, or what an entry hides."""

    who: str = ""
    entry: int | None = None
    to: tuple[str, ...] = ()
    """Combatants whose players see it; empty: everybody."""


class EndStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fight ends."""

    why: str = ""


class Step(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One step: exactly one verb."""

    secret: Secret = False
    """Is it done in secret?"""
    begin: Json | None = None
    dice: dict[str, Faces] | None = None
    draw: bool | str | tuple[str, ...] | Json | None = None
    declare: Json | None = None
    choose: dict[str, str | Said] | None = None
    expect: Json | None = None
    book_says: Any = None
    overrule: OverruleStep | None = None
    modify: ModifyStep | None = None
    adjust: AdjustStep | None = None
    note: str | None = None
    pass_time: TimeStep | None = None
    join: JoinStep | None = None
    leave: LeaveStep | None = None
    rewind: RewindStep | None = None
    amend: AmendStep | None = None
    reveal: RevealStep | None = None
    end: EndStep | None = None

    @property
    def verb(self) -> str:
        """What it does."""
        return next(verb for verb in _VERBS if getattr(self, verb) is not None)


class Script(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole fight."""

    affray: int
    """Version of the format."""
    title: str
    ruleset: str
    profile: str = ""
    source: str = ""
    options: Json = {}
    policies: dict[str, str] = {}
    combatants: dict[str, Player] = {}
    play: tuple[Step, ...] = ()


def read(text: bytes | str, name: str = "script") -> Script:
    """Read a script.

    Args:
        text: TOML.
        name: What it is called in refusals.

    Raises:
        BadScript: With the path of the first wrong field.
    """
    try:
        script = msgspec.toml.decode(text, type=Script)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadScript(f"{name}: {error}", where=name) from error
    if script.affray != VERSION:
        raise BadScript(f"{name}: format {script.affray} is not known", where="affray", accepts=str(VERSION))
    for number, step in enumerate(script.play, 1):
        _check_step(f"{name}, step {number}", f"play[{number}]", step)
    return script


def one_step(step: Json, where: str = "step") -> Script:
    """Returns a script of one step, to be performed in a session that is under way.

    Args:
        step: As a script has it.
        where: Its path, for refusals.

    Raises:
        BadScript: It is no step; `where` is the path of the first wrong field.
    """
    try:
        read_ = msgspec.convert(step, Step)
    except msgspec.ValidationError as error:
        inside = str(error).partition("`$")[2].rstrip("`")
        accepts = f"one of {', '.join(_VERBS)}"
        raise BadScript(f"a step: {error}", where=f"{where}{inside}", accepts=accepts) from error
    _check_step("a step", where, read_)
    return Script(affray=VERSION, title="", ruleset="", play=(read_,))


def _check_step(name: str, where: str, step: Step) -> None:
    verbs = [verb for verb in _VERBS if getattr(step, verb) is not None]
    if len(verbs) != 1:
        raise BadScript(f"{name}: {', '.join(verbs) or 'no verb'}", where=where, accepts=f"one of {', '.join(_VERBS)}")
    if step.declare is None:
        return
    if not {"kind", "by"} <= step.declare.keys():
        raise BadScript(f"{name}: declare needs kind and by", where=f"{where}.declare")
    for field in ("kind", "by"):
        if not isinstance(step.declare[field], str):
            raise BadScript(f"{name}: declare.{field} is not text", where=f"{where}.declare.{field}", accepts="text")


def find(name: str) -> tuple[str, bytes]:
    """A script by its path, or a shipped example by its name.

    Returns:
        What it is called, and its text.

    Raises:
        NoSuchScript: There is none.
    """
    shipped = examples()
    if name in shipped:
        return name, shipped[name].read_bytes()
    path = Path(name)
    try:
        with path.open("rb") as opened:
            raw = opened.read(LONGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a null byte
        accepts = "a path, or one of " + ", ".join(shipped)
        raise NoSuchScript(f"there is no script {name!r}", where="script", accepts=accepts) from error
    if len(raw) > LONGEST:
        raise BadScript(f"{name} is longer than any script", where="script", accepts=f"up to {LONGEST:,} bytes")
    return path.name, raw


def examples() -> dict[str, Path]:
    """The fights that ship with the package, by name."""
    return {path.stem: path for path in sorted((Path(__file__).parents[1] / "examples").glob("*.toml"))}
