"""Fights of the four games in which something is the gamemaster's alone: a sheet, dice, a modifier, a feint."""

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.commands import BeginCombat, Choose, Declare, DrawDice, Join, OpenSession, TypeDice
from ledger.entry import Seat, Who
from ledger.stores.memory import MemoryStore
from replays.session import Session

GAMES = ("eclipse_phase_1e", "eclipse_phase_2e", "shadowrun_4e", "gurps_3e")
KIRA = Who("kira", Seat.PLAYER)
HIDDEN = ()
ATTACK = "r1/villain/a1/attack"
HIT, DEFEND = f"{ATTACK}/to-hit", f"{ATTACK}/defend"

BOB: Mapping[str, Mapping[str, Any]] = {
    "eclipse_phase_1e": {
        "init": 40, "durability": 31, "aptitudes": {"som": 20}, "skills": {"fray": 40, "unarmed combat": 53},
        "weapons": {"claws": {"kind": "melee", "skill": "unarmed combat", "damage": "1d10"}},
    },
    "eclipse_phase_2e": {
        "init": 4, "durability": 35, "aptitudes": {"som": 15, "ref": 20, "wil": 15},
        "skills": {"guns": 70, "fray": 60, "melee": 50}, "weapons": ["knife"],
    },
    "shadowrun_4e": {
        "body": 5, "agility": 5, "reaction": 5, "strength": 4, "charisma": 2, "intuition": 4, "logic": 2, "willpower": 3,
        "skills": {"automatics": 5, "dodge": 3, "blades": 4}, "armor": {"ballistic": 8, "impact": 6},
        "weapons": ["ingram smartgun x", "katana"],
    },
    "gurps_3e": {
        "st": 12, "dx": 12, "ht": 12, "move": 6, "skills": {"spear": 14, "shield": 13},
        "weapons": {"spear": {"skill": "spear", "damage": "1d+2", "type": "impaling", "thrust": True}},
        "shield": {"kind": "buckler", "pd": 0},
    },
}  # fmt: skip
"""Kira's combatant, whose sheet is open."""
VILLAIN: Mapping[str, Mapping[str, Any]] = {
    "eclipse_phase_1e": {
        **BOB["eclipse_phase_1e"], "init": 61, "durability": 739, "skills": {"fray": 47, "unarmed combat": 67},
        "weapons": {"claws": {"kind": "melee", "skill": "unarmed combat", "damage": "2d10+3", "ap": -2}},
    },
    "eclipse_phase_2e": {
        **BOB["eclipse_phase_2e"], "init": 8, "durability": 739, "size": "large",
        "skills": {"guns": 61, "fray": 63, "melee": 67},
    },
    "shadowrun_4e": {**BOB["shadowrun_4e"], "agility": 6, "intuition": 6, "body": 7},
    "gurps_3e": {**BOB["gurps_3e"], "move": 7, "skills": {"spear": 16, "shield": 13}},
}  # fmt: skip
"""The gamemaster's, whose sheet is secret; of Eclipse Phase's second edition larger than Bob, with a longer blade."""
BLOW: Mapping[str, Mapping[str, Any]] = {
    "eclipse_phase_1e": {"using": "claws"},
    "eclipse_phase_2e": {"using": "knife"},
    "shadowrun_4e": {"using": "katana"},
    "gurps_3e": {"using": "spear"},
}
"""How they strike at each other."""
FIRST: Mapping[str, Mapping[str, Sequence[int]]] = {
    "eclipse_phase_1e": {"villain": (93,), "bob": (2,)},
    "eclipse_phase_2e": {"villain": (6,), "bob": (1,)},
    "shadowrun_4e": {"villain": (5,) * 12, "bob": (2,) * 9},
    "gurps_3e": {},
}
"""Initiative."""


def opened(game: str, **policies: str) -> Session:
    """A session of a game, with what the table agreed on."""
    return Session.perform_open(game, policies) if False else _created(game, policies)


def _created(game: str, policies: Mapping[str, str]) -> Session:
    return Session.create(MemoryStore(), ruleset=game, policies=dict(policies))


def met(game: str, sheet_seen_by: Sequence[str] | None = HIDDEN, *, first: str = "villain", **policies: str) -> Session:
    """The villain and Bob face each other, and one of them is to act."""
    session = _created(game, policies)
    seen_by = None if sheet_seen_by is None else tuple(sheet_seen_by)
    session.perform(Join("villain", dict(VILLAIN[game]), sheet_seen_by=seen_by))
    session.perform(Join("bob", dict(BOB[game]), player="kira"))
    session.perform(BeginCombat())
    return session
