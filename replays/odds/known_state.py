"""Prepares a seat's state for the rules: a hidden sheet becomes a marker that stops any rule that reads it.

For a seat, the rules run on what that seat sees (`SessionReader.seen`), so that no answer depends on anything else.
What is hidden must not count as absent. So a hidden sheet, with the tracks and resources that come from it, is
`Forgotten` (`replays.odds.engine.forgotten`), which raises when it is read.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from ledger.audience import EVERYTHING, Viewer
from machines.contract.ruleset import Ruleset
from machines.engine.options import Possibility, Unknown, options
from projections.combat import Combat
from replays.odds.engine.forgotten import NOT_SHOWN, Forgotten, HiddenValueRead

STOPPED: Unknown = (
    HiddenValueRead, ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError,
    StopIteration, TypeError, ValueError,
)  # fmt: skip
"""Exceptions of rules that read a marker, or miss something else that is hidden."""


def possible(game: Ruleset, seen: Combat, eyes: Viewer) -> tuple[Possibility, ...]:
    """Returns what can be answered and declared now, as far as a viewer can see.

    Args:
        game: The rules.
        seen: The state as the viewer may see it.
        eyes: The viewer: the gamemaster gets all options, a player those of their combatants.
    """
    if eyes == EVERYTHING:
        return options(game, seen)
    return options(game, marked(seen), eyes.combatants, STOPPED)


def marked(seen: Combat) -> Combat:
    """Returns the state with markers in place of hidden sheets and of what comes from them."""
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
