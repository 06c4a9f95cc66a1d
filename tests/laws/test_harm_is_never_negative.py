"""Damage taken, wounds and resources are never negative; what heals never harms and never leaves more than there was."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import FEW, events, fights

from ledger.events import DamageHealed, DamageTaken, Event, ResourceSpent, WoundHealed, WoundSuffered
from projections.combat import Combat, evolve, fold


def _sound(combat: Combat) -> bool:
    taken = (track.taken for mine in combat.health.tracks.values() for track in mine.values())
    wounds = (count for mine in combat.wounds.counts.values() for count in mine.values())
    left = (resource.left for mine in combat.resources.having.values() for resource in mine.values())
    return all(number >= 0 for numbers in (taken, wounds, left) for number in numbers)


@given(st.lists(events(FEW), max_size=30))
def test_nothing_that_can_be_told_makes_them_negative(told: list[Event]) -> None:
    combat = Combat()
    for event in told:
        combat = evolve(combat, event)

        assert _sound(combat), event


@given(fights())
def test_no_fight_makes_them_negative(fight) -> None:
    log = fight.session.log
    for then in fight.snapshots:
        assert _sound(then.combat)
    for entry in log.entries():
        for event in entry.events:
            if isinstance(event, DamageTaken | DamageHealed | ResourceSpent):
                assert event.amount > 0, event
            if isinstance(event, WoundSuffered | WoundHealed):
                assert event.count > 0, event


@given(st.lists(events(FEW), max_size=20), st.integers(0, 10**6))
def test_healing_leaves_at_most_what_there_was(told: list[Event], amount: int) -> None:
    before = fold(told)

    healed = evolve(before, DamageHealed("ann", "damage", amount, "", "", ""))
    bound = evolve(before, WoundHealed("ann", "damage", amount, "wounds", "", "", ""))

    assert healed.health.track("ann", "damage").taken == max(0, before.health.track("ann", "damage").taken - amount)
    assert bound.wounds.count("ann") == max(0, before.wounds.count("ann") - amount)


@given(st.lists(events(FEW), max_size=20), st.integers(0, 10**6))
def test_what_is_taken_and_healed_again_leaves_what_there_was(told: list[Event], amount: int) -> None:
    before = fold(told)

    after = fold(
        [DamageTaken("ann", "damage", amount, "", "", ""), DamageHealed("ann", "damage", amount, "", "", "")], before
    )

    assert after.health.track("ann", "damage") == before.health.track("ann", "damage")
