"""JSON Schema of what a ruleset takes: sheets, the beginning of a fight, profiles, every kind of declaration."""

from typing import Any

import msgspec

from machines.contract.ruleset import Ruleset


def schemas(game: Ruleset) -> dict[str, Any]:
    """All of them, with what they share under ``$defs``.

    Args:
        game: The ruleset.
    """
    begin = game.situation or dict[str, Any]
    (sheet, situation, options, *kinds), definitions = msgspec.json.schema_components(
        [game.sheet, begin, game.profile, *(kind.terms for kind in game.kinds.values())], ref_template="#/$defs/{name}"
    )
    declare = dict(zip(game.kinds, kinds, strict=True))
    return {"sheet": sheet, "begin": situation, "profile": options, "declare": declare, "$defs": definitions}
