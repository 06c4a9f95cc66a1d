"""Rejects specializations that can never count, and weapons without damage; states what a sheet must have to act."""

from collections.abc import Iterator
from typing import Any

from machines.contract.refusals import BadTerms
from machines.contract.sheet_words import check_own_weapons, weapons_by_name
from machines.shadowrun_4e.sheet.sheet import Matrix, Sheet, Weapon
from machines.shadowrun_4e.sheet.specializations import check_specializations
from machines.shadowrun_4e.tables.tables import PLANES


def check_weapon_words(weapon: Weapon, where: str) -> None:
    """Rejects a weapon without damage.

    Raises:
        BadTerms: It names the path of the field.
    """
    if not weapon.damage and not weapon.grenade:
        raise BadTerms("it does no damage", where=f"{where}.damage", accepts="damage, or grenade")


def check_owner(who: str, owner: Sheet) -> None:
    """Rejects a sheet with a specialization that can never count, or a weapon without damage.

    Raises:
        BadSheet: It names the path of the field.
    """
    check_specializations(who, owner)
    weapons = weapons_by_name(owner.weapons).items()
    check_own_weapons(who, [(name, each) for name, each in weapons if isinstance(each, Weapon)], check_weapon_words)


def _initiatives() -> Iterator[dict[str, Any]]:
    """Yields the JSON Schema of each way in which a sheet can have Initiative, or need none."""
    yield _with("material", {"minLength": 1})
    yield _with("structure", {"type": "integer", "minimum": 1})
    for plane in PLANES.values():
        here: dict[str, Any] = {"properties": {"plane": {"const": plane.name}}}
        if plane.name != Sheet().plane:
            here["required"] = ["plane"]
        yield {"allOf": [here, *(_has(name) for name in dict.fromkeys(plane.attributes))]}
        if not plane.passes:
            yield {"allOf": [here, _with("initiative", {"type": "integer"})]}


def _has(name: str) -> dict[str, Any]:
    """Returns the JSON Schema of a sheet with an attribute, or with what replaces it."""
    if name in Matrix.__struct_fields__:
        return _with("matrix", {"type": "object"})
    rated = {"type": "object", "properties": {"rating": {"minimum": 1}}, "required": ["rating"]}
    replaced = (_with("force", {"minimum": 1}), _with("matrix", rated))
    return {"anyOf": [_with(name, {"type": "integer"}), *replaced]}


def _with(field: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"properties": {field: schema}, "required": [field]}


_HARMFUL = {"anyOf": [{"type": "string"}, *(_with(field, {"minLength": 1}) for field in ("damage", "grenade"))]}
DEMANDS = {
    "anyOf": list(_initiatives()),
    "allOf": [{"properties": {"weapons": {"additionalProperties": _HARMFUL}}}],
}
"""JSON Schema of what a sheet needs beside its fields: Initiative, except of a barrier, and weapons that do damage."""
