"""An explanation names a hidden combatant by nothing but the keys that the seat's own log has."""

import re
from collections.abc import Iterator

import pytest
from ambush import GAMES, SEATS, TYPED, WHO, acts, ambush, go_on, harmed, strike

from ledger.entry import Who
from ledger.errors import Refused
from projections.views.seen import viewer
from replays.api.session import Session
from replays.views.seat_log import seen_log

NAMES = re.compile(rf"{TYPED}|Night", re.IGNORECASE)


def attacked(game: str, policy: str) -> Session:
    """The ambusher has attacked Bob; his defense is asked for, or the roll to hit."""
    session = ambush(game, policy)
    go_on(session, acts(WHO))
    strike(session)
    return session


def keys(session: Session) -> set[str]:
    """Every key of the record, hidden ones too."""
    return {str(getattr(event, "key", "")) for entry in session.entries() for event in entry.events} - {""}


def subjects(session: Session) -> Iterator[str]:
    """Yields keys, their last parts, the rest of them, and figures of each combatant's health."""
    known = keys(session)
    yield from sorted(known | {key.rpartition("/")[2] for key in known} | {key.rpartition("/")[0] for key in known})
    tracks = {name for tracks in session.combat.health.tracks.values() for name in tracks}
    conditions = {name for who in ("ann", "bob") for name in session.combat.conditions.of(who)}
    yield from (
        f"{who}.{what}"
        for who in ("ann", "bob", WHO)
        for what in sorted({*tracks, *conditions, "wounds", "initiative"})
    )


@pytest.mark.parametrize("who", SEATS, ids=str)
@pytest.mark.parametrize("policy", ["", "someone"])
@pytest.mark.parametrize("made", [attacked, harmed], ids=["attacked", "harmed"])
@pytest.mark.parametrize("game", GAMES)
def test_an_explanation_names_a_hidden_combatant_by_visible_keys_alone(
    game: str, made: object, policy: str, who: Who
) -> None:
    session = made(game, policy)  # type: ignore[operator]
    eyes = viewer(who, session.combat)
    visible = {
        str(getattr(event, "key", "")) for entry in seen_log(session.log, eyes).entries() for event in entry.events
    }
    explained = 0
    for subject in subjects(session):
        try:
            why = repr(session.why(subject, eyes))
        except Refused as refusal:
            why = refusal.accepts
        else:
            explained += 1
        assert not NAMES.search(why), subject
        found = {key for key in re.findall(rf"r\d+/{WHO}[\w/-]*", why) if not _is_part(key, visible)}
        assert found == set(), subject
        assert WHO not in re.sub(rf"(r\d+/)?{WHO}/[\w/-]+", "", why), subject
    assert explained > 3


def _is_part(key: str, visible: set[str]) -> bool:
    """Is it a key, or the beginning of one, that the seat's log has?"""
    return any(f"{each}/".startswith(f"{key}/") for each in visible)
