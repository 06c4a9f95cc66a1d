"""Who joins in secret is, until they are revealed, in nothing that a player or a spectator is shown."""

from collections.abc import Iterator

import msgspec
import pytest
from ambush import (
    GAMES,
    KIRA,
    NAME,
    SEATS,
    TYPED,
    WATCHER,
    WHO,
    acts,
    ambush,
    everything,
    flow,
    go_on,
    harmed,
    ids,
    sentences,
    strike,
    without,
)

from ledger.audience import EVERYTHING
from ledger.commands import (
    BeginCombat,
    Choose,
    Declare,
)
from ledger.entry import Who
from ledger.events import (
    CombatBegan,
    DamageTaken,
    DiceRolled,
    Noted,
    OrderFixed,
    PassBegan,
    RollRequested,
)
from projections.views.seen import viewer
from replays.api.session import Session
from replays.corrections.redecide import rehearse

POLICIES = ("nothing", "someone")
BOTH = pytest.mark.parametrize("policy", POLICIES)
ALL = pytest.mark.parametrize("game", GAMES)
OF_SUMS = ("FigureFound", "ModifierApplied", "TestResolved", "ReadingChanged", "StepEntered")
"""Events of others' sums, which are hidden where a sheet is secret; this is independent of joining."""


def at_each_entry(session: Session, who: Who) -> Iterator[str]:
    """The state at each entry, as a seat sees it."""
    eyes = viewer(who, session.combat)
    for seq in range(1, session.log.last + 1):
        yield msgspec.json.encode(session.state(seq, eyes)).decode()


# ------------------------------------------------------------------------------------------------ what is shown


@ALL
@BOTH
def test_neither_name_nor_score_nor_sheet_is_shown_at_any_entry(game: str, policy: str) -> None:
    session = ambush(game, policy)
    go_on(session, acts(WHO))
    strike(session)
    go_on(session, acts("bob"))

    for who in SEATS:
        shown = everything(session, who) + "".join(at_each_entry(session, who))
        for secret in (NAME, TYPED, '"razor"', "Razor"):
            assert secret not in shown
        for line in at_each_entry(session, who):
            state = msgspec.json.decode(line)
            assert WHO not in state["combatants"]
            assert all(rest["by"] != WHO for rest in state["rests"])
            assert [score for each, score in state["initiative"] if each == WHO] in ([], [None])
            assert policy == "someone" or WHO not in (state.get("active"), *ids(state["initiative"]))
        everybody = [event for entry in session.entries() for event in entry.events if event.seen_by is None]
        orders = [event.order for event in everybody if isinstance(event, OrderFixed)]
        assert orders
        assert {score for order in orders for each, score in order if each == WHO} <= {0}


@ALL
def test_until_somebody_is_heard_the_flow_of_a_fight_is_that_without_them(game: str) -> None:
    with_them, alone = ambush(game, "nothing"), without(game)
    faces = {"ann": 5, "bob": 4, WHO: 3}
    for session in (with_them, alone):
        for _ in range(2):
            go_on(session, acts("bob"), faces)
            session.perform(Choose(next(rest for rest in session.rests if acts("bob")(rest)).key, "end"))
        go_on(session, acts("ann"), faces)

    for who in SEATS:
        seen, expected = (list(flow(session, who, but=OF_SUMS)) for session in (with_them, alone))
        assert seen[1:] == expected[1:]
        assert any("TurnBegan" in each for each in seen)
        theirs, own = (session.state(eyes=viewer(who, session.combat)) for session in (with_them, alone))
        for field in ("round", "number", "active", "initiative", "rests", "outcome"):
            assert getattr(theirs, field) == getattr(own, field)
        assert list(theirs.combatants) == list(own.combatants)


@ALL
def test_under_the_other_policy_it_is_told_that_someone_acts_and_when(game: str) -> None:
    session = ambush(game, "someone")
    go_on(session, acts(WHO))

    for who in SEATS:
        state = session.state(eyes=viewer(who, session.combat))
        assert state.active == WHO
        assert (WHO, None) in state.initiative
        assert state.rests == ()
        assert "Someone acts." in sentences(session, viewer(who, session.combat))


@ALL
@BOTH
def test_the_gamemaster_sees_everything_once(game: str, policy: str) -> None:
    session = ambush(game, policy)
    go_on(session, acts(WHO))
    strike(session)
    told = sentences(session, EVERYTHING)

    assert session.state().active == WHO
    assert all(score is not None for _, score in session.state().initiative)
    assert sum(each.startswith("Order:") for each in told) == 1
    assert any(f"{NAME} declares: attack" in each for each in told)
    assert not any("Someone" in each for each in told)


@ALL
@BOTH
def test_every_seat_is_left_with_nothing_open(game: str, policy: str) -> None:
    session = ambush(game, policy)
    go_on(session, acts(WHO))
    strike(session)
    go_on(session, acts("ann"))

    for who in SEATS:
        seen = session.seen(viewer(who, session.combat))
        assert seen.exchange.frames == ()
        assert (seen.turn.who, seen.turn.outer) == ("ann", ())
        assert [rest.by for rest in seen.rests] == ["ann"]
        assert [rest.key for rest in seen.path.asked] == [rest.key for rest in session.rests]


@BOTH
@pytest.mark.parametrize(("game", "fast"), [("eclipse_phase_1e", {"speed": 3}), ("shadowrun_4e", {"passes": 3})])
def test_a_pass_in_which_only_hidden_ones_act_is_as_hidden_as_they(
    game: str, fast: dict[str, int], policy: str
) -> None:
    session = ambush(game, policy, theirs=fast, others={} if game == "eclipse_phase_1e" else {"passes": 1})
    go_on(session, lambda rest: rest.by == WHO and session.combat.clock.number == 3)

    for who in SEATS:
        passes = [each for each in flow(session, who) if "PassBegan" in each]
        assert len(passes) == (3 if policy == "someone" else 1)
        assert session.seen(viewer(who, session.combat)).clock.number == (3 if policy == "someone" else 1)
    assert sum(isinstance(event, PassBegan) for entry in session.entries() for event in entry.events) == 3


# ------------------------------------------------------------------------------------------------ seen in the fiction


@ALL
@BOTH
def test_a_victim_sees_that_they_are_attacked_their_own_rolls_and_their_harm(game: str, policy: str) -> None:
    session = harmed(game, policy)
    eyes = viewer(KIRA, session.combat)

    seen = [event for entry in session.entries() for event in entry.events if eyes.may_see(event.seen_by)]
    whole = [event for entry in session.entries() for event in entry.events]
    rolls = [event for event in whole if isinstance(event, RollRequested) and event.by == "bob"]
    assert [event for event in seen if isinstance(event, Noted)] == [
        Noted("Someone attacks Bob.", f"r1/{WHO}/a1/attack")
    ]
    assert rolls
    assert [event for event in seen if isinstance(event, RollRequested) and event.by == "bob"] == rolls
    assert {event.key for event in rolls} - {rest.key for rest in session.rests} <= {
        event.key for event in seen if isinstance(event, DiceRolled) and event.faces
    }
    harm = [event for event in whole if isinstance(event, DamageTaken)]
    assert harm
    assert [event for event in seen if isinstance(event, DamageTaken)] == harm
    assert all(event.why == "" for event in harm)
    assert not any(isinstance(event, RollRequested) and event.by == WHO for event in seen)
    tracks = session.state(eyes=eyes).combatants["bob"].tracks
    assert tracks == session.state().combatants["bob"].tracks
    assert any(track.taken for track in tracks.values())


def test_the_place_of_a_hit_is_told_with_the_harm_and_not_before() -> None:
    session = ambush("gurps_3e", "nothing")
    go_on(session, acts(WHO))
    strike(session, location="near arm", distance=1)
    eyes = viewer(KIRA, session.combat)

    assert "near arm" not in "".join(flow(session, KIRA))
    go_on(session, acts("bob"), {WHO: 1, "bob": 6})
    assert any(isinstance(e, DamageTaken) for entry in session.entries() for e in entry.events)
    assert "near arm" in "".join(flow(session, KIRA))
    assert session.seen(eyes).exchange.frames == ()


def test_a_secret_feint_of_one_who_is_hidden_is_on_no_players_screen() -> None:
    session = ambush("gurps_3e", "nothing")
    go_on(session, acts(WHO))
    session.perform(Declare("feint", TYPED, {"at": "bob", "using": "fist"}))
    go_on(session, acts("bob"), {WHO: 1, "bob": 6})

    whole = "".join(flow(session, None))
    assert f"feinted_by_{WHO}" in whole
    for who in SEATS:
        assert "feinted" not in everything(session, who)


# ------------------------------------------------------------------------------------------------ what names them


@ALL
def test_under_the_policy_of_nothing_no_event_that_is_shown_names_them_while_they_are_not_heard(game: str) -> None:
    session = ambush(game, "nothing")
    for _ in range(3):
        go_on(session, acts(WHO))
        session.perform(Choose(next(rest for rest in session.rests if acts(WHO)(rest)).key, "end"))

    for who in SEATS:
        assert WHO not in everything(session, who)


@BOTH
def test_what_the_gamemasters_others_do_to_them_is_as_hidden_as_they(policy: str) -> None:
    session = ambush("gurps_3e", policy)
    go_on(session, acts("ann"))
    strike(session, "ann", TYPED, location="near arm", distance=1)
    go_on(session, acts("bob"), {"ann": 1, WHO: 6})

    assert any(isinstance(e, DamageTaken) and e.who == WHO for entry in session.entries() for e in entry.events)
    for who in SEATS:
        shown = "".join(flow(session, who))
        assert "DamageTaken" not in shown
        assert "pistol" not in shown.partition("RoundBegan")[2]
        assert session.seen(viewer(who, session.combat)).exchange.frames == ()


def test_a_player_sees_what_they_do_to_someone_of_whom_they_know_only_that() -> None:
    session = ambush("gurps_3e", "someone")
    go_on(session, acts("bob"))
    entry = session.perform(Declare("attack", "bob", {"at": WHO, "using": "pistol", "distance": 5}), by=KIRA)

    assert entry.command.seen_by == ("bob",)
    assert [frame.by for frame in session.seen(viewer(KIRA, session.combat)).exchange.frames] == ["bob"]
    assert session.seen(viewer(WATCHER, session.combat)).exchange.frames == ()


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e"])
def test_an_ambush_that_is_told_when_the_fight_begins_names_nobody_hidden(game: str) -> None:
    session = ambush(game, "nothing", begins=False)
    session.perform(BeginCombat({"ambushers": [TYPED, "ann"]}))

    (began,) = [
        e for entry in session.entries() for e in entry.events if isinstance(e, CombatBegan) and e.seen_by is None
    ]
    assert began.situation == {"ambushers": ["ann"]}
    assert WHO in session.combat.clock.situation
    for who in SEATS:
        assert WHO not in everything(session, who)


def test_a_hidden_part_of_a_sum_is_hidden_again_when_a_secret_defense_is_rehearsed() -> None:
    session = ambush("eclipse_phase_2e", theirs={"size": "very large"}, others={"weapons": ["shock baton"]})
    go_on(session, acts("bob"))
    session.perform(Declare("attack", "bob", {"at": WHO, "using": "shock baton"}))
    go_on(session, lambda rest: rest.key.endswith("/to-hit"))

    assert list(rehearse(session.log)) == []
