"""Placeholders for hidden values: a rule that reads one is stopped.

A `Forgotten` value cannot be compared, counted, converted or printed, nor asked for its type; a key that `Maybe` exists
cannot be compared. Each raises `HiddenValueRead`.
"""

from collections.abc import Callable
from typing import Any

Where = tuple[str, ...]
NOT_SHOWN = "not shown"
"""First part of the place of a value that the viewer may never see."""


class HiddenValueRead(BaseException):
    """A hidden value was read. No rule may catch it."""

    def __init__(self, where: Where) -> None:
        super().__init__()
        self.where = where


class Forgotten:
    """A placeholder for a hidden value.

    Args:
        where: The place of the value.
        truth: The truth of the value, where all branches agree on it.
    """

    __slots__ = ("truth", "where")

    def __init__(self, where: Where, truth: bool | None = None) -> None:
        self.where = where
        self.truth = truth

    def __bool__(self) -> bool:
        if self.truth is None:
            raise HiddenValueRead(self.where)
        return self.truth

    @property
    def __class__(self) -> type:
        raise HiddenValueRead(self.where)

    @__class__.setter
    def __class__(self, _: type) -> None: ...

    def __getattr__(self, _: str) -> Any:
        raise HiddenValueRead(self.where)


class Maybe(str):
    """A key of which it is hidden whether it exists."""

    __slots__ = ()

    def __eq__(self, _: object) -> bool:
        raise HiddenValueRead(_place_of(self))

    def __ne__(self, _: object) -> bool:
        raise HiddenValueRead(_place_of(self))

    __hash__ = str.__hash__

    def endswith(self, *arguments: Any) -> bool:
        """Returns False; raises where the key matches, because then it matters whether it exists."""
        if super().endswith(*arguments):
            raise HiddenValueRead(_place_of(self))
        return False

    def startswith(self, *arguments: Any) -> bool:
        """Returns False; raises where the key matches, because then it matters whether it exists."""
        if super().startswith(*arguments):
            raise HiddenValueRead(_place_of(self))
        return False


def _place_of(key: str) -> Where:
    return "entry", str.__str__(key)


def _needs(name: str) -> Callable[..., Any]:
    def method(self: Forgotten, *_: Any) -> Any:
        raise HiddenValueRead(self.where)

    method.__name__ = name
    return method


_METHODS = (
    "add radd sub rsub mul rmul floordiv rfloordiv truediv rtruediv mod rmod divmod rdivmod pow rpow and rand or ror "
    "xor rxor lt le gt ge eq ne neg pos abs invert int float index hash str repr format len iter getitem contains "
    "ceil floor round trunc"
)
for _name in _METHODS.split():
    setattr(Forgotten, f"__{_name}__", _needs(_name))
