"""An amendment that sets one value in two contradictory ways is refused, and the refusal names both."""

import pytest

from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.change import BadChange, Change
from replays.scripts.format import find_script, read
from replays.sessions.permissions import GM
from replays.table.table import Table


@pytest.fixture(scope="module")
def session() -> Session:
    return perform(read(find_script("street-fight")[1]))


@pytest.mark.parametrize(
    ("entry", "change", "named"),
    [
        (21, Change(set={"faces": [1, 1]}, dice={"to-hit": (5, 5)}), ("faces", "to-hit")),
        (21, Change(set={"faces": 5}, dice={"to-hit": (5, 5)}), ("faces", "to-hit")),
        (20, Change(dice={"to-hit": (1, 1), "slim/to-hit": (5, 5)}), ("to-hit", "slim/to-hit")),
        (20, Change(set={"distance": 5, "terms.distance": 9}), ("distance", "terms.distance")),
        (20, Change(set={"terms.at": "razor", "terms": {"at": "dregs"}}), ("terms.at", "terms")),
        (20, Change(set={"terms": {"at": "dregs"}, "at": "razor"}), ("terms", "at")),
        (2, Change(set={"sheet.edge": 1, "edge": 2}), ("sheet.edge", "edge")),
        (2, Change(set={"sheet.weapons.gun.dv": 1, "weapons": {}}), ("sheet.weapons.gun.dv", "weapons")),
        (21, Change(drop=True, dice={"to-hit": (5, 5)}), ("drop", "to-hit")),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else "",
)
def test_two_values_of_one_thing_are_refused(
    session: Session, entry: int, change: Change, named: tuple[str, str]
) -> None:
    with pytest.raises(BadChange, match="contradict") as refusal:
        session.preview(entry, change)

    assert all(repr(each) in refusal.value.message for each in named), refusal.value.message


@pytest.mark.parametrize(
    ("entry", "change"),
    [
        (21, Change(set={"faces": [5, 5]}, dice={"to-hit": (5, 5)})),
        (20, Change(dice={"to-hit": (5, 5), "slim/to-hit": (5, 5)})),
        (20, Change(set={"at": "dregs", "terms.at": "dregs"})),
        (20, Change(set={"at": "dregs"}, dice={"to-hit": (5, 5)})),
        (20, Change(drop=True, dice={"r1/razor/a4/attack/to-hit": (1,) * 12})),
    ],
    ids=["faces", "dice", "set", "set and dice", "drop and later dice"],
)
def test_the_same_said_twice_and_values_of_different_things_are_not(
    session: Session, entry: int, change: Change
) -> None:
    try:
        session.preview(entry, change)
    except BadChange as refusal:
        assert "contradict" not in refusal.message
    else:
        return


def test_a_field_that_is_given_twice_at_the_table_is_refused(session: Session) -> None:
    table = Table(session, GM)

    reply = table.submit("amend 21 faces=1,1 faces=5,5 misread")

    assert reply.refused is not None
    assert "'faces'" in reply.refused.message
    assert not table.asks
