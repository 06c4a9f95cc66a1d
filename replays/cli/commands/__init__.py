"""Loads the module of a verb when the verb is used, so that a command imports only what it needs."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

MODULES: Mapping[str, tuple[str, ...]] = {
    "play": ("play", "undo", "redo", "overrule", "modify", "adjust"),
    "fight": ("fight",),
    "keeping.sessions": ("sessions", "rename", "close", "archive", "unarchive"),
    "show": ("show",),
    "log": ("log", "replay", "why"),
    "rules": ("rules",),
    "sheet": ("sheet",),
    "keeping.verify": ("verify", "heads", "delete"),
    "keeping.transfer": ("export", "import"),
    "keeping.backup": ("backup", "restore", "copy"),
    "dice": ("nonce", "reveal"),
    "amend": ("amend", "whatif"),
    "report": ("report",),
    "rehearse": ("rehearse",),
    "audit": ("audit", "dispute", "settle", "disputes", "rulings"),
    "odds": ("odds", "luck"),
    "chances": ("chances",),
    "keeping.campaign": ("campaign",),
    "web": ("web",),
    "serve": ("serve", "token", "migrate"),
    "keeping.keys": ("keys",),
}
"""The modules of ``replays/cli/commands``, each with its verbs, in the order in which the help lists them."""
VERBS: Mapping[str, str] = {verb: module for module, verbs in MODULES.items() for verb in verbs}
"""The module of each verb."""


class Commands(Mapping[str, Any]):
    """The commands by their verbs. Looking one up imports its module."""

    def __getitem__(self, verb: str) -> Any:
        """Returns the command of a verb.

        Raises:
            KeyError: There is no such verb.
        """
        return commands_of(VERBS[verb])[verb]

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


class GroupOfVerbs(TyperGroup):
    """The program ``affray``, whose commands are loaded when they are used."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": Commands()})


@cache
def commands_of(module: str) -> Mapping[str, Any]:
    """Imports a module of ``replays/cli/commands``; returns its commands by their verbs."""
    verbs = typer.Typer(rich_markup_mode=None)
    import_module(f"replays.cli.commands.{module}").add_to(verbs)
    commands: Mapping[str, Any] = get_group(verbs).commands
    return commands
