"""The page: what a browser shows of a server, and of a fight that is saved as one file."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

BUNDLE = "bundle"
"""The folder of what saved files hold; a server has no use for it."""
_TYPES = {
    "js": "text/javascript", "css": "text/css", "html": "text/html", "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}  # fmt: skip


def media_type(name: str) -> str:
    """Returns the media type of one of the page's files, such as `text/css`."""
    return _TYPES[_ending(name)]


def served() -> dict[str, bytes]:
    """Returns the files that a browser loads from a server, by their paths in this package."""
    return dict(_files("", files(__name__)))


def _files(path: str, folder: Traversable) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir() and each.name != BUNDLE:
            yield from _files(f"{path}{each.name}/", each)
        elif each.is_file() and _ending(each.name) in _TYPES:
            yield path + each.name, each.read_bytes()


def _ending(name: str) -> str:
    return name.rpartition(".")[2]
