"""The consequences of a hidden margin are as hidden as the margin: damage, degrees, words for degrees."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from typing import Any

import msgspec
import pytest
from secret_fights import BAD, GAMES, HIDDEN, eyes, is_over, met, strike, until, waits_for

from ledger import events as e
from ledger.commands import ApplyModifier, TypeDice
from ledger.dice import parse
from ledger.events import Event
from projections.views.stand_ins import without_stand_ins
from replays.api.session import Session

HARM = (e.DamageTaken, e.WoundSuffered, e.ConditionGained)
"""Returns the consequences, which are visible to everyone, with everything that follows."""
HITS: Mapping[str, tuple[int, ...]] = {
    "eclipse_phase_1e": (17,), "eclipse_phase_2e": (37,), "shadowrun_4e": (5, 5, 5), "gurps_3e": (3, 3, 3),
}  # fmt: skip
MARGINS: Mapping[str, tuple[int, ...]] = {
    "eclipse_phase_1e": (-20, 0, 20, 30), "eclipse_phase_2e": (0, 10, 30), "gurps_3e": (0, 1, 2, 4),
}  # fmt: skip
"""Secret modifiers with which a blow hits; in Shadowrun the number of rolled dice discloses them."""
FACES: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "eclipse_phase_1e": ((3,), (17,), (41,)), "eclipse_phase_2e": ((34,), (41,), (47,)),
    "shadowrun_4e": ((5, 5, 5), (5, 5, 5, 5), (5, 5, 5, 5, 5)), "gurps_3e": ((3, 3, 3), (3, 3, 4), (3, 4, 4)),
}  # fmt: skip
"""Secret faces with which a blow hits."""


def resolved(session: Session, key: str, thrown: Mapping[str, Any]) -> list[Event]:
    """Plays the rest of an exchange. Returns what Kira sees of it until a combatant is harmed."""
    begin, hers = session.log.last, eyes(session)
    until(session, is_over(session, key), thrown)
    found: list[Event] = []
    for entry in session.log.entries(begin):
        shown = without_stand_ins(event for event in entry.events if hers.may_see(event.seen_by))
        found += map(_without_dice, shown)
    return list(takewhile(lambda event: not isinstance(event, HARM), found))


def _without_dice(event: Event) -> Event:
    """Returns an event without the number of rolled dice, which is visible to everyone."""
    told: dict[str, Any] = {"seen_by": None}
    if isinstance(event, e.RollRequested):
        told["dice"] = ""
    if isinstance(event, e.DiceRolled):
        told |= {"faces": (), "provenance": ()}
    return msgspec.structs.replace(event, **told)


def with_modifier(game: str, value: int, by: str, on: str, **policies: str) -> list[Event]:
    """Plays a blow with a secret modifier on Bob's own roll."""
    session = met(game, None, **policies)
    key = strike(session, by)
    thrown = {"to-hit": HITS[game], "defend": BAD[game]}
    until(session, waits_for(session, on), thrown)
    session.perform(ApplyModifier(f"{key}/{on}", value, "a whisper", seen_by=HIDDEN))
    return resolved(session, key, thrown)


def with_faces(game: str, faces: tuple[int, ...], by: str) -> list[Event]:
    """Plays a blow that is rolled in secret."""
    session = met(game, None)
    key = strike(session, by)
    until(session, waits_for(session, "to-hit"))
    sides = parse(session.rests[0].dice).sides
    session.perform(TypeDice(session.rests[0].key, (*faces, *(2 for _ in sides[len(faces) :])), seen_by=HIDDEN))
    return resolved(session, key, {"defend": BAD[game]})


def _ways() -> Iterator[Any]:
    for game, values in MARGINS.items():
        for by, on in (("bob", "to-hit"), ("villain", "defend")):
            ways = [partial(with_modifier, game, value, by, on) for value in values]
            yield pytest.param(ways, id=f"{game}, {on}")
    for game in GAMES:
        for by in ("bob", "villain"):
            yield pytest.param(
                [partial(with_faces, game, faces, by) for faces in FACES[game]], id=f"{game}, {by} rolls"
            )


@pytest.mark.parametrize("ways", list(_ways()))
def test_nothing_visible_depends_on_a_hidden_margin(ways: list[Callable[[], list[Event]]]) -> None:
    first, *others = [way() for way in ways]

    assert first
    for other in others:
        assert other == first


@pytest.mark.parametrize("by", ["bob", "villain"])
def test_a_superior_success_with_secret_dice_discloses_only_the_number_of_dice(by: str) -> None:
    shown = with_faces("eclipse_phase_2e", (34,), by)

    assert [event for event in shown if "superior" in f"{getattr(event, 'name', '')} {getattr(event, 'why', '')}"] == []


@pytest.mark.parametrize("game", MARGINS)
def test_where_hidden_parts_have_visible_values_the_margin_is_visible(game: str) -> None:
    hidden, shown = (
        with_modifier(game, MARGINS[game][-1], "bob", "to-hit", **policies)
        for policies in ({}, {"hidden_parts": "value"})
    )

    assert [event for event in hidden if isinstance(event, e.TestResolved) and event.key.endswith("to-hit")] == []
    assert [event for event in shown if isinstance(event, e.TestResolved) and event.key.endswith("to-hit")]
