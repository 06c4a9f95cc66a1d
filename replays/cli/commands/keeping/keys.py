"""The verbs `keys list`, `keys add` and `keys retire`, for the keys with which servers sign tokens."""

import sys
from typing import Annotated

import typer

from ledger.errors import Refused
from replays.cli import screen
from replays.cli.context import KEYS, Json, SigningKeys


class UnconfirmedKey(Refused):
    """Retiring a key was not confirmed."""

    slug = "keys/unconfirmed"


def add_to(app: typer.Typer) -> None:
    """Adds these verbs."""
    group = typer.Typer(name="keys", help="The keys that sign tokens: list, add, retire.", no_args_is_help=True)
    group.command("list")(list_keys)
    group.command()(add)
    group.command()(retire)
    app.add_typer(group)


def list_keys(keys: SigningKeys = KEYS, json: Json = False) -> None:
    """List the fingerprints of the keys, the oldest first. The last one signs; tokens of all of them are valid."""
    from replays.server.callers.keys import fingerprint, signing_keys

    found = list(dict.fromkeys(fingerprint(key) for key in reversed(signing_keys(keys))))[::-1]
    if json:
        screen.document([{"fingerprint": each, "signs": each == found[-1]} for each in found])
        return
    for each in found:
        print(f"{each}  {'signs' if each == found[-1] else 'valid'}")


def add(keys: SigningKeys = KEYS, json: Json = False) -> None:
    """Add a new key. It signs from the next start of the servers; tokens of the older keys remain valid."""
    from replays.server.callers.keys import add_key

    made = add_key(keys)
    if json:
        screen.document({"added": made})
    else:
        print(f"added {made} to {keys}: restart the servers before you use it: they refuse its tokens until then")


def retire(
    named: Annotated[str, typer.Argument(metavar="FINGERPRINT", help="The fingerprint; `affray keys list` has it.")],
    keys: SigningKeys = KEYS,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Remove a key. The tokens that it signed are invalid from the next start of the servers."""
    from replays.server.callers.keys import check_retirable, retire_key

    check_retirable(keys, named)
    if not yes:
        _confirm(named)
    retire_key(keys, named)
    if json:
        screen.document({"retired": named})
    else:
        print(f"retired {named}: the tokens that it signed are invalid from the next start of the servers")


def _confirm(named: str) -> None:
    if not sys.stdin.isatty():
        message = "retiring a key makes the tokens that it signed invalid"
        raise UnconfirmedKey(message, where="--yes", accepts="--yes, or a terminal")
    if not typer.confirm(f"Every token that {named} signed becomes invalid. Retire it?", err=True):
        print("nothing was retired", file=sys.stderr)
        raise typer.Exit(1)
