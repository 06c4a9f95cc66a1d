"""Fights of the four games with something that only the gamemaster sees: a sheet, dice, a modifier, a feint."""

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.audience import Viewer
from ledger.commands import BeginCombat, Choose, Declare, Join, TypeDice
from ledger.dice import parse
from ledger.entry import Seat, Who
from ledger.stores.memory import MemoryStore
from projections.views.seen import viewer
from replays.api.session import Session
from replays.audit.why import Why
from replays.exports.narrative import narrate

GAMES = ("eclipse_phase_1e", "eclipse_phase_2e", "shadowrun_4e", "gurps_3e")
KIRA = Who("kira", Seat.PLAYER)
HIDDEN: tuple[str, ...] = ()
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
        "skills": {"dodge": 3, "blades": 4}, "armor": {"ballistic": 8, "impact": 6}, "weapons": ["knife"],
    },
    "gurps_3e": {
        "st": 12, "dx": 12, "ht": 12, "move": 6, "skills": {"spear": 14, "shield": 13},
        "weapons": {"spear": {"skill": "spear", "damage": "1d+2", "type": "impaling", "thrust": True}},
        "shield": {"kind": "buckler", "pd": 0},
    },
}  # fmt: skip
"""The sheet of Kira's combatant, which is public, by game."""
VILLAIN: Mapping[str, Mapping[str, Any]] = {
    "eclipse_phase_1e": {
        **BOB["eclipse_phase_1e"], "init": 61, "durability": 739, "skills": {"fray": 47, "unarmed combat": 67},
        "weapons": {"claws": {"kind": "melee", "skill": "unarmed combat", "damage": "1d10", "ap": -2}},
    },
    "eclipse_phase_2e": {
        **BOB["eclipse_phase_2e"], "init": 8, "durability": 739, "size": "large",
        "skills": {"guns": 61, "fray": 63, "melee": 67},
    },
    "shadowrun_4e": {**BOB["shadowrun_4e"], "agility": 6, "intuition": 6, "body": 7, "weapons": ["katana"]},
    "gurps_3e": {**BOB["gurps_3e"], "move": 7, "skills": {"spear": 16, "shield": 15}, "size": 1},
}  # fmt: skip
"""The sheet of the gamemaster's combatant: larger in Eclipse Phase 2e and GURPS, with a longer blade in Shadowrun."""
BLOW: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "eclipse_phase_1e": {"villain": {"using": "claws"}, "bob": {"using": "claws"}},
    "eclipse_phase_2e": {"villain": {"using": "knife"}, "bob": {"using": "knife"}},
    "shadowrun_4e": {"villain": {"using": "katana"}, "bob": {"using": "knife", "reach": "defender"}},
    "gurps_3e": {"villain": {"using": "spear"}, "bob": {"using": "spear"}},
}
"""The terms of their attacks on each other, by game."""
HIT: Mapping[str, Sequence[int]] = {
    "eclipse_phase_1e": (17,), "eclipse_phase_2e": (17,), "shadowrun_4e": (5, 5, 5, 5, 5), "gurps_3e": (3, 3, 3),
}  # fmt: skip
"""Faces of an attack that succeeds, by game."""
BAD: Mapping[str, Sequence[int]] = {
    "eclipse_phase_1e": (92,), "eclipse_phase_2e": (92,), "shadowrun_4e": (5,), "gurps_3e": (5, 5, 5),
}  # fmt: skip
"""Faces of a defense that fails, by game."""
DEFENSES = ("fray", "block", "dodge", "pass", "none")
"""The options that are chosen, the first that is offered."""


def met(
    game: str,
    sheet_seen_by: tuple[str, ...] | None = HIDDEN,
    *,
    villain: Mapping[str, Any] | None = None,
    bob: Mapping[str, Any] | None = None,
    **policies: str,
) -> Session:
    """Returns a session in which a fight of the villain and Bob has begun.

    Args:
        game: The ruleset.
        sheet_seen_by: Who may see the villain's sheet.
        villain: Other fields of the villain's sheet.
        bob: Other fields of Bob's sheet.
        policies: The policies of the session.
    """
    session = Session.create(MemoryStore(), ruleset=game, policies=policies)
    session.perform(Join("villain", {**VILLAIN[game], **(villain or {})}, sheet_seen_by=sheet_seen_by))
    session.perform(Join("bob", {**BOB[game], **(bob or {})}, player="kira"))
    session.perform(BeginCombat())
    return session


def strike(session: Session, by: str = "villain", **more: Any) -> str:
    """Plays until a combatant can attack the other, and declares the attack; returns its key."""
    game = session.combat.session.ruleset
    until(
        session, lambda: session.combat.turn.who == by and session.rests[0].by == by and bool(session.rests[0].options)
    )
    at = {"villain": "bob", "bob": "villain"}[by]
    session.perform(Declare("attack", by, {"at": at, **BLOW[game][by], **more}))
    return session.combat.exchange.frames[-1].key


def until(
    session: Session, there: Any, faces: Mapping[str, Sequence[int]] | None = None, secret: Sequence[str] = ()
) -> None:
    """Answers the open rolls and choices until a condition holds.

    Args:
        session: The session.
        there: Returns whether the condition holds.
        faces: The faces to throw, by the last word of a key; other dice show a middle face.
        secret: Who rolls in secret.

    Raises:
        AssertionError: The condition does not hold after 60 answers.
    """
    for _ in range(60):
        if there():
            return
        rest = session.rests[0]
        if rest.dice:
            thrown = tuple((faces or {}).get(rest.key.rpartition("/")[2], ()))
            sides = parse(rest.dice).sides
            thrown = (*thrown[: len(sides)], *(side // 2 for side in sides[len(thrown) :]))
            session.perform(TypeDice(rest.key, thrown, seen_by=HIDDEN if rest.by in secret else None))
        else:
            offered = [option.option for option in rest.options]
            option = next((each for each in DEFENSES if each in offered), rest.default or "end")
            session.perform(Choose(rest.key, option))
    raise AssertionError("the awaited condition never held")


def waits_for(session: Session, role: str) -> Any:
    """Returns a function that returns whether the table waits for a roll of this role."""
    return lambda: any(rest.dice and rest.key.endswith(f"/{role}") for rest in session.rests)


def is_over(session: Session, key: str) -> Any:
    """Returns a function that returns whether this exchange is over."""
    return lambda: session.combat.exchange.last is not None and session.combat.exchange.last.key == key


def blow(session: Session, by: str = "villain", secret: Sequence[str] = (), **more: Any) -> str:
    """Plays a whole attack that hits; returns its key."""
    key = strike(session, by, **more)
    finish(session, key, secret)
    return key


def finish(session: Session, key: str, secret: Sequence[str] = ()) -> None:
    """Plays an attack that hits to its end."""
    game = session.combat.session.ruleset
    until(session, is_over(session, key), {"to-hit": HIT[game], "defend": BAD[game]}, secret)


# ------------------------------------------------------------------------------------------------ what Kira sees


def eyes(session: Session) -> Viewer:
    """Returns Kira's viewer."""
    return viewer(KIRA, session.combat)


def lines(why: Why) -> list[str]:
    """Returns an explanation as lines with subject, value and reason."""
    return [" | ".join((part.what, "" if part.value is None else str(part.value), part.why)) for part in why.parts]


def told(session: Session, to: Viewer) -> list[str]:
    """Returns the log in sentences, as a viewer reads it."""
    from projections.views.seen import redacted

    entries = list(session.entries())
    return [
        text
        for entry in entries
        for text in narrate(redacted(session.log.disclosures.entry(entry), to), session.seen(to, entry.after))
    ]


def events(session: Session, kind: type) -> list[Any]:
    """Returns the events of one type, in order."""
    return [event for entry in session.entries() for event in entry.events if isinstance(event, kind)]
