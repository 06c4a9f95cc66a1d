"""Damage, wounds and resources are never negative; healing never increases damage."""

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
def test_no_events_make_them_negative(told: list[Event]) -> None:
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
def test_healing_never_exceeds_the_damage(told: list[Event], amount: int) -> None:
    before = fold(told)

    healed = evolve(before, DamageHealed("ann", "damage", amount, "", "", ""))
    bound = evolve(before, WoundHealed("ann", "damage", amount, "wounds", "", "", ""))

    assert healed.health.track("ann", "damage").taken == max(0, before.health.track("ann", "damage").taken - amount)
    assert bound.wounds.count("ann") == max(0, before.wounds.count("ann") - amount)


@given(st.lists(events(FEW), max_size=20), st.integers(0, 10**6))
def test_damage_that_is_healed_leaves_the_earlier_state(told: list[Event], amount: int) -> None:
    before = fold(told)

    after = fold(
        [DamageTaken("ann", "damage", amount, "", "", ""), DamageHealed("ann", "damage", amount, "", "", "")], before
    )

    assert after.health.track("ann", "damage") == before.health.track("ann", "damage")
