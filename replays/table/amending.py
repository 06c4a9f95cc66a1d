"""The word ``amend``: what would flip is shown first, then somebody says yes."""

import tomllib
from typing import TYPE_CHECKING, Any

from replays.changes import Change
from replays.table.grammar import NotUnderstood, unquoted, words
from replays.table.verbs import Done

if TYPE_CHECKING:
    from replays.table.table import Table

USAGE = "amend ENTRY [FIELD=VALUE … | drop] WHY"
_YES, _DROP = ("y", "yes"), "drop"


def amend(table: "Table", tail: str) -> Done:
    """An old entry, by its number or the key of its roll, as it should have been.

    Raises:
        NotUnderstood: It names no entry, or nothing that is otherwise.
    """
    first, *said = words(tail) or [""]
    values = {name: value for name, value in map(_pair, said) if name}
    drops = _DROP in said
    why = " ".join(word for word in said if word != _DROP and not _pair(word)[0])
    if not first or not (values or drops):
        raise NotUnderstood("amend what?", where="amend", accepts=USAGE)
    change = Change(set=values, drop=drops)
    report = table.session.preview(unquoted(first), change, why=why, by=table.who)

    def decided(answer: str) -> Done:
        if answer.lower() not in _YES:
            return Done(("nothing is changed",))
        table.session.amend(report.entry, change, why=why, by=table.who)
        return Done()

    return Done(report=report, asks="amend it so? y/n", then=decided)


def _pair(word: str) -> tuple[str, Any]:
    """``range=medium`` as a field and its value; no field where it is a word of the reason."""
    name, equals, text = word.partition("=")
    if not equals or not name.replace(".", "").replace("_", "").isalnum():
        return "", None
    try:
        return name, tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        faces = text.split(",")
        return name, [int(face) for face in faces] if all(face.isdecimal() for face in faces) else unquoted(text)
