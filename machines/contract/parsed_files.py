"""Parses the TOML files of a package, and keeps the parsed form beside the modules that Python has compiled.

Python's TOML parser takes longer than everything else that loads a table. So its result is kept in a binary form as
Python keeps compiled modules: in ``__pycache__``, or below ``PYTHONPYCACHEPREFIX``; not if the folder cannot be
written, nor if ``PYTHONDONTWRITEBYTECODE`` is set.

A kept form begins with a digest of the file's text and of the form. If the text has changed or the form is damaged, the
digest differs; then the text is parsed, and the form is written anew.
"""

import os
import sys
from contextlib import suppress
from hashlib import sha256
from importlib.util import cache_from_source
from pkgutil import get_data
from threading import get_ident
from typing import Any

import msgspec

_FORMAT = b"affray-parsed-1\n"
"""A change of the binary form changes this, which makes all kept forms invalid."""


def parsed(package: str, name: str) -> dict[str, Any]:
    """Returns the content of a TOML file.

    Args:
        package: The package of the file.
        name: The path of the file in the package, such as ``tables/ranges.toml``.

    Raises:
        msgspec.DecodeError: The file is not TOML.
        UnicodeDecodeError: The file is not UTF-8.
    """
    text = get_data(package, name) or b""
    path = _path(package, name)
    kept = _kept(path, text)
    if kept is None:
        kept = msgspec.toml.decode(text, type=dict[str, Any])
        _keep(path, text, kept)
    return kept


def _path(package: str, name: str) -> str:
    """Returns the path of the kept form, such as ``tables/__pycache__/ranges.toml.cpython-311.msgpack``."""
    folder = os.path.dirname(sys.modules[package].__file__ or "")
    try:
        return cache_from_source(os.path.join(folder, f"{name}.py")).removesuffix("pyc") + "msgpack"
    except NotImplementedError:  # this Python keeps no compiled modules
        return ""


def _kept(path: str, text: bytes) -> dict[str, Any] | None:
    """Returns the kept form of a text; None if there is none, or none of this text."""
    try:
        with open(path, "rb") as file:
            stored = file.read()
    except OSError:
        return None
    form = stored[_SIZE:]
    if stored[:_SIZE] != _digest(text, form):
        return None
    return msgspec.msgpack.decode(form, type=dict[str, Any])


def _keep(path: str, text: bytes, content: dict[str, Any]) -> None:
    """Writes the kept form of a text, whole or not at all, if Python may write such files there."""
    if sys.dont_write_bytecode:
        return
    part = f"{path}.{os.getpid()}.{get_ident()}"
    with suppress(OSError, OverflowError):
        form = msgspec.msgpack.encode(content)
        if msgspec.msgpack.decode(form) != content:  # a date, for example
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            with open(part, "xb") as file:
                file.write(_digest(text, form) + form)
            os.replace(part, path)
        except OSError:
            os.unlink(part)


_SIZE = sha256().digest_size


def _digest(text: bytes, form: bytes) -> bytes:
    return sha256(_FORMAT + sha256(text).digest() + form).digest()
