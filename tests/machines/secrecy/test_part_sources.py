"""Marks of where a part of a sum comes from."""

import pytest

from ledger.events import Audience, ModifierApplied
from machines.secrecy import part_sources
from machines.secrecy.part_sources import marked
from projections.combat import Combat


def _part(seen_by: Audience) -> ModifierApplied:
    return ModifierApplied("r1/bob/a1/attack/to-hit", -5, "feinted", "", seen_by=seen_by)


@pytest.mark.parametrize(
    ("before", "source", "then"),
    [
        (None, None, None),
        (None, (), ()),
        (("bob",), None, ("bob",)),
        (("ann", "bob"), ("bob", "cem"), ("bob",)),
        (("bob",), (), ()),
    ],
)
def test_whoever_may_see_a_part_may_see_every_source_of_it(before: Audience, source: Audience, then: Audience) -> None:
    assert list(marked([_part(before)], source)) == [_part(then)]


def test_what_comes_from_nothing_that_is_there_is_not_marked() -> None:
    part, nobody = _part(None), Combat()

    for found in (
        part_sources.of_sheet(nobody, "villain", [part]),
        part_sources.of_condition(nobody, "villain", "prone", [part]),
        part_sources.of_wounds(nobody, "villain", "wounds", [part]),
        part_sources.of_roll(nobody, "r1/villain/a1/attack/to-hit", [part]),
        part_sources.of_figure(nobody, "villain", "hits", [part]),
    ):
        assert list(found) == [part]
