"""Who is standing at the end of a fight, estimated by playing it on."""

import pytest
from all_fights import GAMES
from duels import met

from ledger.commands import Adjust, BeginCombat, EndCombat, Join
from ledger.entry import Seat, Who
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import NotFighting
from projections.views.seen import viewer
from replays.api.reading_arguments import BadArgument
from replays.api.run_script import perform
from replays.api.session import Session
from replays.odds.engine.explorer import Secret
from replays.odds.fight.chances import FightChances, FightTooLong, fight_chances, wilson
from replays.odds.fight.limits import ROUNDS
from replays.scripts.format import find_script, read

NEEDED = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
ARMED = {
    **NEEDED,
    "skills": {"fray": 40, "blades": 60},
    "weapons": {"knife": {"kind": "melee", "skill": "blades", "damage": "1d10+5"}},
}


def standing(found: FightChances) -> dict[str, float]:
    return {each.who: each.chance for each in found.combatants}


def shipped(name: str) -> Session:
    return perform(read(find_script(name)[1]))


def fight(*sides: str, sheet: dict[str, object] | None = None) -> Session:
    """Returns a fight of combatants with knives, one of each of these sides."""
    session = Session.create(MemoryStore(), ruleset="eclipse_phase_1e")
    for who, side in zip(("ann", "bob", "cat", "dan"), sides, strict=False):
        session.perform(Join(who, sheet or ARMED, side=side))
    session.perform(BeginCombat())
    return session


@pytest.mark.parametrize("game", GAMES)
def test_a_duel_of_every_game_is_played_to_its_end(game: str) -> None:
    found = fight_chances(met(game).game, met(game).combat, samples=20)
    assert found.samples == 20
    assert set(standing(found)) == {"ann", "bob"}
    assert 0 < sum(standing(found).values()) < 2, "neither all nor nobody of two are standing each time"
    assert all(each.low <= each.chance <= each.high and each.low < each.high for each in found.combatants)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_chances(game: str) -> None:
    one, again, other = (fight_chances(met(game).game, met(game).combat, samples=15, seed=seed) for seed in (7, 7, 8))
    assert one == again
    assert one.seed != other.seed


def test_another_seed_throws_other_dice() -> None:
    session = shipped("counter")
    found = [session.chances(10, samples=20, seed=seed).combatants for seed in range(1, 6)]
    assert len(set(found)) > 1


def test_the_first_fights_are_the_same_however_many_are_played() -> None:
    session = shipped("counter")
    few, more = (standing(session.chances(10, samples=samples)) for samples in (1, 2))
    assert all(round(2 * more[who]) - one in (0, 1) for who, one in few.items())


def test_more_fights_narrow_the_interval() -> None:
    session = shipped("counter")
    widths = [
        max(each.high - each.low for each in session.chances(10, samples=samples).combatants)
        for samples in (10, 50, 200)
    ]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 2 * widths[-1]


def test_an_interval_contains_nine_tenths_of_what_it_should() -> None:
    """Compares Wilson's interval with the binomial distribution of a known chance."""
    chance, samples, covered, share = 0.3, 60, 0.0, 0.7**60
    for count in range(samples + 1):
        low, high = wilson(count, samples)
        covered += share * (low <= chance <= high)
        share *= chance / (1 - chance) * (samples - count) / (count + 1)
    assert covered == pytest.approx(0.9, abs=0.03)


def test_the_better_fighter_has_the_better_chance() -> None:
    session = Session.create(MemoryStore(), ruleset="eclipse_phase_1e")
    session.perform(Join("ann", {**ARMED, "skills": {"fray": 70, "blades": 90}, "durability": 60}))
    session.perform(Join("bob", ARMED, player="kira"))
    session.perform(BeginCombat())
    chances = {each.who: each for each in session.chances().combatants}
    assert chances["ann"].low > chances["bob"].high


def test_one_side_that_is_down_has_lost_for_certain() -> None:
    session = fight("blue", "red", "red")
    for who in ("bob", "cat"):
        session.perform(Adjust(who, "conditions.unconscious", "", "a gas"))
    found = session.chances()
    assert standing(found) == {"ann": 1, "bob": 0, "cat": 0}
    assert found.samples == 0
    assert all(each.low == each.high for each in found.combatants)


def test_whoever_is_out_stays_out_while_the_others_fight_on() -> None:
    session = fight("blue", "red", "red")
    session.perform(Adjust("bob", "conditions.unconscious", "", "a gas"))
    bob = next(each for each in session.chances(samples=10).combatants if each.who == "bob")
    assert (bob.low, bob.chance, bob.high) == (0, 0, 0)


def test_friends_do_not_fight_one_another() -> None:
    found = standing(fight("blue", "blue", "blue").chances(samples=20))
    alone = standing(fight("blue", "blue", "red").chances(samples=20))
    assert sum(found.values()) < 3, "where there is one side only, each is against all"
    assert max(alone["ann"], alone["bob"]) > alone["cat"], "two against one"


def test_a_fight_that_nobody_can_win_ends_after_some_rounds() -> None:
    found = fight("blue", "red", sheet=ARMED | {"durability": 1_000}).chances(samples=3)
    assert found.rounds == ROUNDS
    assert standing(found) == {"ann": 1, "bob": 1}
    assert all(each.low < each.high == 1 for each in found.combatants), "it was played, and is not certain"


def test_before_a_fight_it_is_refused_and_after_it_certain() -> None:
    session = fight("blue", "red")
    with pytest.raises(NotFighting):
        session.chances(3)
    session.perform(EndCombat())
    assert standing(session.chances()) == {"ann": 1, "bob": 1}
    assert standing(session.chances(session.log.last - 1, samples=5)) != {"ann": 1, "bob": 1}


def test_an_old_entry_is_estimated_as_it_was_then() -> None:
    session = shipped("counter")
    then = session.chances(10, samples=10)
    assert (then.entry, then.digest) == (10, session.state(10).digest)
    session.rewind(10, why="again")
    now = session.chances(samples=10)
    assert now.entry == session.log.last
    assert now.combatants == then.combatants


def test_a_wrong_number_of_fights_is_refused() -> None:
    for samples in (0, -1, 10_001, "ten"):
        with pytest.raises(BadArgument):
            fight("blue", "red").chances(samples=samples)  # type: ignore[arg-type]


def test_the_budget_ends_it() -> None:
    session = fight("blue", "red")
    few = fight_chances(session.game, session.combat, steps=300)
    assert 1 <= few.samples < 200
    with pytest.raises(FightTooLong):
        fight_chances(session.game, session.combat, seconds=0.0)


def test_a_viewer_to_whom_a_sheet_is_hidden_is_refused() -> None:
    session = met("eclipse_phase_1e", sheet_seen_by=("ann",))
    eyes = viewer(Who("kira", Seat.PLAYER), session.combat)
    with pytest.raises(Secret):
        session.chances(eyes=eyes)
    assert session.chances(samples=2).samples == 2, "the gamemaster sees all"


def test_a_viewer_who_sees_all_gets_what_the_gamemaster_gets() -> None:
    session = met("eclipse_phase_1e")
    eyes = viewer(Who("kira", Seat.PLAYER), session.combat)
    assert session.chances(eyes=eyes, samples=10) == session.chances(samples=10)


def test_a_combatant_who_joined_in_secret_is_in_no_other_view() -> None:
    session = fight("blue", "red")
    session.perform(Join("sniper", ARMED, unseen=True))
    eyes = viewer(Who("zoe", Seat.SPECTATOR), session.combat)
    assert len(session.chances(samples=2).combatants) == 3
    assert set(standing(session.chances(eyes=eyes, samples=2))) == {"ann", "bob"}


def test_nothing_is_written() -> None:
    session = shipped("counter")
    before = session.log.last, session.log.digest
    session.chances(10, samples=5)
    assert (session.log.last, session.log.digest) == before
