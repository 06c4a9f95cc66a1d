"""Makes and applies JSON merge patches (RFC 7396): what changes one document into another.

>>> merge_patch({"round": 1, "active": "ann", "order": [1]}, {"round": 2, "order": [1, 2]})
{'active': None, 'round': 2, 'order': [1, 2]}
>>> patched({"round": 1, "active": "ann", "order": [1]}, {"active": None, "round": 2})
{'round': 2, 'order': [1]}
"""

from collections.abc import Mapping
from typing import Any


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the patch that changes one document into another; no member of `after` may be null.

    Args:
        before: A document, as decoded from JSON.
        after: The other one.
    """
    patch: dict[str, Any] = {name: None for name in before if name not in after}
    for name, value in after.items():
        old = before.get(name)
        if isinstance(old, dict) and isinstance(value, dict):
            inside = merge_patch(old, value)
            if inside:
                patch[name] = inside
        elif old != value or type(old) is not type(value):
            patch[name] = value
    return patch


def patched(before: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the document that a patch makes of another one."""
    after = dict(before)
    for name, value in patch.items():
        if value is None:
            after.pop(name, None)
        elif isinstance(value, dict):
            old = after.get(name)
            after[name] = patched(old if isinstance(old, dict) else {}, value)
        else:
            after[name] = value
    return after
