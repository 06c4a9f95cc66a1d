"""The tables of a ruleset by name, with its profiles, rulings and books."""

from collections.abc import Iterable, Mapping

import msgspec

from machines.contract.documents.nearest import did_you_mean
from machines.contract.refusals import BadTable
from machines.contract.ruleset import Ruleset


def tables_of(game: Ruleset) -> Mapping[str, Iterable[msgspec.Struct]]:
    """Returns everything of a ruleset that is shown as a table, by name."""
    return {**game.tables, "profiles": game.profiles, "rulings": game.rulings, "books": game.books}


def rows_of(game: Ruleset, name: str) -> Iterable[msgspec.Struct]:
    """Returns the rows of a table.

    Raises:
        BadTable: There is no table of that name.
    """
    known = tables_of(game)
    found = name if name in known else name.replace(" ", "_").lower()
    if found not in known:
        accepts = ", ".join(known)
        if name in game.sheets:
            accepts = f"affray sheet new {game.name} --like {name}"
            raise BadTable(f"{name} is a ready sheet, not a table", where="table", accepts=accepts)
        raise BadTable(f"{game.name} has no table {name!r}{did_you_mean(name, known)}", where="table", accepts=accepts)
    return known[found]
