"""Loads public names of a package when they are first used, so that importing the package stays cheap."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loaded_on_first_use(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Returns the ``__getattr__`` of a package.

    Args:
        package: The name of the package.
        homes: The module of each public name.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807  Python looks for this name in the package
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return __getattr__
