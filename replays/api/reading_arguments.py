"""Checks the arguments of the methods that read a session, so that a wrong type is refused in plain words."""

from collections.abc import Mapping

from ledger.audience import Viewer
from ledger.entry import Seat
from ledger.errors import Refused

_VIEWERS = "a Viewer, such as projections.views.seen.viewer(Who('kira', Seat.PLAYER), session.combat)"


class BadArgument(Refused):
    """An argument of a method that reads has a wrong type."""

    slug = "argument/invalid"


def check_eyes(eyes: object) -> None:
    """Rejects what is no `Viewer`, and a `Viewer` whose seat or combatants have a wrong type.

    Raises:
        BadArgument: It names ``eyes``.
    """
    if not isinstance(eyes, Viewer):
        raise BadArgument(f"eyes is a {type(eyes).__name__} and no Viewer", where="eyes", accepts=_VIEWERS)
    if not isinstance(eyes.seat, Seat) or not isinstance(eyes.combatants, frozenset):
        raise BadArgument(f"{eyes!r:.80} has a wrong seat or wrong combatants", where="eyes", accepts=_VIEWERS)


def check_text(value: object, where: str, accepts: str) -> None:
    """Rejects what is no text.

    Args:
        value: The argument.
        where: Its name.
        accepts: An example of what is accepted.

    Raises:
        BadArgument: It names the argument.
    """
    if not isinstance(value, str):
        raise BadArgument(f"{where} is a {type(value).__name__} and no text", where=where, accepts=accepts)


def check_number(value: object, where: str, accepts: str) -> None:
    """Rejects what is no whole number. Arguments and refusal are those of `check_text`."""
    if type(value) is not int:
        raise BadArgument(f"{where} is a {type(value).__name__} and no whole number", where=where, accepts=accepts)


def check_choices(choices: object) -> None:
    """Rejects what is no mapping of texts to texts.

    Raises:
        BadArgument: It names ``choices``.
    """
    if not isinstance(choices, Mapping) or not all(isinstance(text, str) for pair in choices.items() for text in pair):
        accepts = "a mapping of options by the keys of choices, such as {'defend': 'dodge'}"
        raise BadArgument(f"{choices!r:.60} is no mapping of texts", where="choices", accepts=accepts)
