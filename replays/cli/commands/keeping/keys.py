"""The verbs `keys list`, `keys add` and `keys retire`, for the keys with which servers sign tokens."""

from typing import Annotated

import typer

from ledger.errors import Refused
from replays.cli import screen
from replays.cli.context import KEYS, Json, SigningKeys
from replays.server.callers.keys import add_key, check_retirable, fingerprint, retire_key, signing_keys


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
    found = [fingerprint(key) for key in signing_keys(keys)]
    if json:
        screen.document([{"fingerprint": each, "signs": each == found[-1]} for each in found])
        return
    for each in found:
        print(f"{each}  {'signs' if each == found[-1] else 'valid'}")


def add(keys: SigningKeys = KEYS, json: Json = False) -> None:
    """Add a new key. It signs from the next start of the servers; tokens of the older keys remain valid."""
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
    check_retirable(keys, named)
    if not yes:
        message = "retiring a key makes the tokens that it signed invalid"
        unconfirmed = UnconfirmedKey(message, where="--yes", accepts="--yes, or a terminal")
        about = (f"Every token that {named} signed becomes invalid.",)
        screen.confirm(screen.console(json=json), about, "Retire it?", "nothing was retired", unconfirmed)
    retire_key(keys, named)
    if json:
        screen.document({"retired": named})
    else:
        print(f"retired {named}: the tokens that it signed are invalid from the next start of the servers")
