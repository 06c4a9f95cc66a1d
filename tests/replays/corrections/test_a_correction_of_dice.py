"""A shorthand in an amendment means a roll of the entry named, or else of a later entry; the report names the roll."""

import pytest

from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.change import BadChange, Change
from replays.corrections.misread_dice import Misread
from replays.scripts.format import find_script, read

FIRST, SECOND, LAST = "r1/razor/a1/attack/to-hit", "r1/slim/a1/attack/to-hit", "r1/razor/a4/attack/to-hit"
ONES = (1,) * 11


@pytest.fixture(scope="module")
def session() -> Session:
    """The fight behind the noodle bar: four attacks by Razor and one by Slim, each with a roll to hit."""
    return perform(read(find_script("street-fight")[1]))


@pytest.mark.parametrize("short", ["to-hit", "attack/to-hit", "razor", "razor/to-hit", FIRST])
def test_a_shorthand_means_the_roll_of_the_entry_that_is_corrected(session: Session, short: str) -> None:
    report = session.preview(11, Change(dice={short: ONES}))

    assert report.change == {"dice": {FIRST: list(ONES)}}
    assert report.misread == (Misread(FIRST, "razor", 11, (5, 6, 5, 2, 3, 4, 2, 3, 4, 1, 2), ONES),)


def test_a_later_entry_means_its_own_roll(session: Session) -> None:
    report = session.preview(21, Change(dice={"to-hit": (1, 1)}))

    assert [(each.key, each.by, each.entry) for each in report.misread] == [(SECOND, "slim", 21)]
    assert any(flip.key == SECOND for flip in report.flips)


@pytest.mark.parametrize(("entry", "short", "key"), [
    (10, "to-hit", FIRST), (10, "razor", FIRST), (10, "defend", "r1/razor/a1/attack/defend"), (10, "resist", "r1/razor/a1/attack/resist"),
    (13, "resist", "r1/razor/a1/attack/resist"), (36, "to-hit", LAST), (20, "to-hit", SECOND), (20, "razor/resist", "r1/slim/a1/attack/resist"),
])  # fmt: skip
def test_of_a_declaration_it_means_a_roll_of_what_was_declared(
    session: Session, entry: int, short: str, key: str
) -> None:
    (faces,) = {
        each.command.faces
        for each in session.entries()
        if getattr(each.command, "key", "") == key and hasattr(each.command, "faces")
    }

    report = session.preview(entry, Change(dice={short: (faces[0] % 2 + 1, *faces[1:])}))

    assert [each.key for each in report.misread] == [key]


def test_what_followed_comes_last(session: Session) -> None:
    report = session.preview(29, Change(dice={"a4/attack/to-hit": (1,) * 12}))

    assert [each.key for each in report.misread] == [LAST]


def test_where_several_fit_it_is_refused_with_the_candidates(session: Session) -> None:
    with pytest.raises(BadChange, match="means several rolls") as refusal:
        session.preview(9, Change(dice={"to-hit": ONES}))

    assert refusal.value.accepts == f"{FIRST}, r1/razor/a2/attack/to-hit, {SECOND}, r1/razor/a3/attack/to-hit, {LAST}"


def test_another_persons_later_roll_is_not_meant(session: Session) -> None:
    with pytest.raises(BadChange, match="no roll 'mox/to-hit' is thrown from entry 21 on"):
        session.preview(21, Change(dice={"mox/to-hit": (6, 6)}))
    with pytest.raises(BadChange, match="no roll"):
        session.preview(21, Change(dice={FIRST: ONES}))


def test_faces_that_are_set_are_reported_like_dice(session: Session) -> None:
    report = session.preview(11, Change(set={"faces": list(ONES)}))

    assert [(each.entry, each.after) for each in report.misread] == [(11, ONES)]


def test_what_is_written_has_the_full_key(session: Session) -> None:
    session = perform(read(find_script("street-fight")[1]))
    amendment = session.amend(11, Change(dice={"to-hit": ONES}), why="misread", batch="k")

    assert amendment.entries[0].command.change == {"dice": {FIRST: list(ONES)}}  # type: ignore[attr-defined]
    assert session.amend(11, Change(dice={"to-hit": ONES}), why="misread", batch="k").entries == amendment.entries
