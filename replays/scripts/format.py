"""Defines and reads the TOML format of scripts: fights as a person writes them (the project's README describes it)."""

from pathlib import Path
from typing import Any

import msgspec

from ledger.errors import Refused
from ledger.events import Json

VERSION = 1
LONGEST = 5_000_000
"""Maximal bytes of a script."""
ScriptFaces = int | tuple[int, ...] | dict[str, int]
"""A face, faces, or counts in their place: ``{ hits = 4, ones = 2 }``."""
Secret = bool | tuple[str, ...]
"""True: visible to the gamemaster alone; combatants: also to their players."""
_VERBS = (
    "begin", "dice", "draw", "declare", "choose", "expect", "overrule", "modify", "adjust", "note", "pass_time",
    "join", "leave", "rewind", "amend", "reveal", "end",
)  # fmt: skip


class BadScript(Refused):
    """The script cannot be read, or has a wrong field."""

    slug = "script/invalid"


class NoSuchScript(Refused):
    """There is no file and no shipped example of that name."""

    slug = "script/unknown"


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    pass


class Player(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A combatant of the script."""

    sheet: Json
    name: str = ""
    player: str = "gm"
    thing: bool = False
    side: str = ""
    """The side that the combatant fights on. Default: the players' or the gamemaster's."""
    secret: Secret = False
    """Whether the combatant joins in secret, and which players may see it."""


class WordedChoice(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A choice with words."""

    option: str
    words: str = ""


class OverruleStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Replaces a figure by the gamemaster's value."""

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
    """Sets a figure or condition without a rule; no value ends a condition."""

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
    """Goes back to an entry, or by a span."""

    to: int | None = None
    span: str = "step"
    why: str = ""


class AmendStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Corrects an earlier entry."""

    entry: int | str
    """The entry's number, or the key of its roll or exchange, or a shorthand."""
    set: Json = {}
    insert: tuple[Json, ...] = ()
    drop: bool = False
    dice: dict[str, ScriptFaces] = {}
    why: str


class JoinStep(Player, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Adds a combatant later."""

    who: str


class LeaveStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Removes a combatant."""

    who: str
    why: str = ""


class RevealStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Discloses a secret combatant, or what an entry hides."""

    who: str = ""
    entry: int | None = None
    to: tuple[str, ...] = ()
    """Combatants whose players may see it; empty: public."""


class EndStep(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ends the fight."""

    why: str = ""


class Step(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One step: exactly one verb."""

    secret: Secret = False
    """Whether the step is secret, and which players may see it."""
    begin: Json | None = None
    dice: dict[str, ScriptFaces] | None = None
    draw: bool | str | tuple[str, ...] | Json | None = None
    declare: Json | None = None
    choose: dict[str, str | WordedChoice] | None = None
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
        """The step's verb."""
        return next(verb for verb in _VERBS if getattr(self, verb) is not None)


class Script(_Strict, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole fight."""

    affray: int
    """The version of the format."""
    title: str
    ruleset: str
    profile: str = ""
    source: str = ""
    options: Json = {}
    policies: dict[str, str] = {}
    combatants: dict[str, Player] = {}
    play: tuple[Step, ...] = ()


def read(text: bytes | str, name: str = "script") -> Script:
    """Reads a script.

    Args:
        text: TOML.
        name: The script's name in refusals.

    Raises:
        BadScript: A field is wrong; the refusal has the path of the first one.
    """
    try:
        script = msgspec.toml.decode(text, type=Script)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadScript(f"{name}: {error}", where=name) from error
    if script.affray != VERSION:
        raise BadScript(f"{name}: format {script.affray} is unknown", where="affray", accepts=str(VERSION))
    for number, step in enumerate(script.play, 1):
        _check_step(f"{name}, step {number}", f"play[{number}]", step)
    return script


def one_step(step: Json, where: str = "step") -> Script:
    """Returns a script of one step, to be performed in a session that is under way.

    Args:
        step: The step in the script's format.
        where: Its path, for refusals.

    Raises:
        BadScript: It is not a step; `where` is the path of the first wrong field.
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


def find_script(name: str) -> tuple[str, bytes]:
    """Returns a script by its path, or a shipped example by its name.

    Returns:
        Its name, and its text.

    Raises:
        NoSuchScript: There is no such script.
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
        raise BadScript(f"{name} is too long for a script", where="script", accepts=f"up to {LONGEST:,} bytes")
    return path.name, raw


def examples() -> dict[str, Path]:
    """Returns the paths of the fights that ship with the package, by name."""
    return {path.stem: path for path in sorted((Path(__file__).parents[1] / "examples").glob("*.toml"))}
