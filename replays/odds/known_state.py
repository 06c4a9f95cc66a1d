"""A fight as one seat sees it, made fit for the rules: what was not shown stands as a marker that tells of its reading.

The rules decide on what is so. For a seat they are asked about what that seat sees (`Reading.seen`): then no answer can
hang on anything else. What is missing there must not be taken for nothing at all, so a sheet that was not shown, with
the tracks and resources that come from it, is `Forgotten` (`replays.odds.engine.relevance`): whoever reads it is
stopped.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.audience import EVERYTHING, Viewer
from machines.contract.ruleset import Ruleset
from machines.engine.options import Possibility, Unknown, options
from projections.combat import Combat
from replays.odds.engine.relevance import NOT_SHOWN, Forgotten, Needed

STOPPED: Unknown = (
    Needed, ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError,
    StopIteration, TypeError, ValueError,
)  # fmt: skip
"""What rules raise that read a marker, or miss something else that was not shown."""


def possible(game: Ruleset, seen: Combat, eyes: Viewer) -> tuple[Possibility, ...]:
    """What may be answered and declared now, as far as somebody can see.

    Args:
        game: The rules.
        seen: What is so, as these eyes see it.
        eyes: Whose they are: the gamemaster is offered all, a player what is their combatants' to say.
    """
    if eyes == EVERYTHING:
        return options(game, seen)
    return options(game, marked(seen), eyes.combatants, STOPPED)


def marked(seen: Combat) -> Combat:
    """The same with markers in the place of sheets that were not shown, and of what comes from them."""
    unknown = [who for who, one in seen.roster.who.items() if not one.has_sheet]
    if not unknown:
        return seen
    markers: dict[str, Any] = {who: Forgotten((NOT_SHOWN, who)) for who in unknown}
    combatants = {who: msgspec.structs.replace(seen.roster[who], sheet=marker) for who, marker in markers.items()}
    return msgspec.structs.replace(
        seen,
        roster=msgspec.structs.replace(seen.roster, who={**seen.roster.who, **combatants}),
        health=msgspec.structs.replace(seen.health, tracks=_with(seen.health.tracks, markers)),
        resources=msgspec.structs.replace(seen.resources, having=_with(seen.resources.having, markers)),
    )


def _with(known: Mapping[str, Any], markers: Mapping[str, Any]) -> dict[str, Any]:
    return {**known, **markers}
