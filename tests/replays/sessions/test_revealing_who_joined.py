"""Who joins in secret: revealed to all or to one, known to some, named by those who know them, corrected, overruled."""

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
    exported,
    flow,
    go_on,
    harmed,
    ids,
    sheet,
    strike,
    without,
)

from ledger.audience import Viewer
from ledger.commands import (
    Adjust,
    ApplyModifier,
    BeginCombat,
    Choose,
    Declare,
    DrawDice,
    Join,
    Leave,
    Note,
    OpenDispute,
    Reveal,
    TypeDice,
)
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.events import (
    ExchangeEnded,
    NameGiven,
)
from machines.contract.refusals import Taken, UnknownPolicy
from machines.engine.decide import decide
from projections.combat import fold
from projections.views.seen import viewer
from replays.api.session import Session
from replays.corrections import redecide
from replays.corrections.change import Change
from replays.sessions.disclose import NothingHidden

POLICIES = ("nothing", "someone")
BOTH = pytest.mark.parametrize("policy", POLICIES)
ALL = pytest.mark.parametrize("game", GAMES)
OF_SUMS = ("FigureFound", "ModifierApplied", "TestResolved", "ReadingChanged", "StepEntered")
"""Events of others' sums, which are hidden where a sheet is secret; this is independent of joining."""


# ------------------------------------------------------------------------------------------------ revealing


@ALL
@BOTH
@pytest.mark.parametrize("when", ["in their turn", "amid their attack", "in another's turn", "hurt"])
def test_once_revealed_they_are_shown_as_others_are(game: str, policy: str, when: str) -> None:
    session = ambush(game, policy)
    go_on(session, acts("bob" if when == "in another's turn" else WHO))
    if when == "amid their attack":
        strike(session)
    if when == "hurt":
        session.perform(Adjust(TYPED, f"tracks.{next(iter(session.combat.health.tracks[WHO]))}", 2, "a splinter"))
    session.perform(Reveal(who=TYPED))

    for who in SEATS:
        seen, whole = session.state(eyes=viewer(who, session.combat)), session.state()
        for field in ("round", "number", "active", "initiative"):
            assert getattr(seen, field) == getattr(whole, field), field
        assert seen.combatants == whole.combatants
        assert [rest["key"] for rest in seen.rests] == [rest["key"] for rest in whole.rests]
    go_on(session, acts("ann"))
    for who in SEATS:
        seen_now = session.seen(viewer(who, session.combat))
        assert (seen_now.turn.who, seen_now.turn.outer, seen_now.exchange.frames) == ("ann", (), ())
        assert [rest.by for rest in seen_now.path.asked] == ["ann"]


def test_the_name_that_is_revealed_is_the_one_that_was_sealed() -> None:
    session = ambush("eclipse_phase_1e")
    before = exported(session, KIRA)
    session.perform(Reveal(who=TYPED))
    after = exported(session, KIRA)

    assert NAME.encode() not in b"".join(before)
    assert NAME.encode() in after[4]
    assert msgspec.json.decode(before[4])["digest"] == msgspec.json.decode(after[4])["digest"]


def test_who_is_revealed_to_one_is_hidden_from_others() -> None:
    session = ambush("eclipse_phase_1e")
    go_on(session, acts(WHO))
    session.perform(Reveal(who=TYPED, to=("bob",)))
    go_on(session, acts("bob"))
    go_on(session, acts(WHO))

    kira, watcher = (session.state(eyes=viewer(who, session.combat)) for who in SEATS)
    assert kira.combatants[WHO].name == NAME
    assert kira.active == WHO
    assert kira.initiative == session.state().initiative
    assert WHO not in msgspec.json.encode(watcher).decode()
    assert NAME not in everything(session, WATCHER)
    assert WHO not in "".join(flow(session, WATCHER))


def test_one_who_is_revealed_does_not_give_another_away() -> None:
    session = ambush("gurps_3e", begins=False)
    session.perform(Join("knife", sheet("gurps_3e"), "The Knife", seen_by=()))
    session.perform(BeginCombat())
    session.perform(Reveal(who=TYPED))

    state = session.state(eyes=viewer(KIRA, session.combat))
    assert ids(state.initiative) == ["ann", "bob", WHO]
    assert "unseen-2" not in everything(session, KIRA)


def test_a_sheet_that_is_a_secret_of_its_own_stays_one() -> None:
    session = ambush("gurps_3e", seen_by=(), sheet_seen_by=())
    session.perform(Reveal(who=TYPED))

    assert session.state(eyes=viewer(KIRA, session.combat)).combatants[WHO].tracks == {}
    assert session.seen(viewer(KIRA, session.combat)).roster[WHO].sheet == "{}"


def test_who_is_not_hidden_is_not_revealed() -> None:
    session = ambush("gurps_3e")
    for who in ("ann", "nobody"):
        with pytest.raises(NothingHidden):
            session.perform(Reveal(who=who))
    session.perform(Reveal(who=TYPED))
    with pytest.raises(NothingHidden):
        session.perform(Reveal(who=TYPED))


def test_a_reveal_that_is_asked_for_twice_under_one_key_is_written_once() -> None:
    session = ambush("gurps_3e")
    go_on(session, acts(WHO))
    first = session.perform_all(Reveal(who=TYPED), batch="k")

    assert len(first) > 1
    assert session.perform_all(Reveal(who=TYPED), batch="k") == first


# ------------------------------------------------------------------------------------------------ who may know


def test_a_player_whose_own_combatant_has_joined_in_secret_plays_them_by_the_name_that_was_typed() -> None:
    session = Session.create("memory://", ruleset="gurps_3e")
    session.perform(Join("ann", sheet("gurps_3e"), "Ann", "zoe"))
    session.perform(Join("bob", sheet("gurps_3e"), "Bob", "kira", seen_by=("bob",)))
    session.perform(BeginCombat())
    go_on(session, acts("unseen-1"))
    zoe = Who("zoe", Seat.PLAYER)

    assert session.state(eyes=viewer(KIRA, session.combat)).active == "unseen-1"
    assert session.state(eyes=viewer(zoe, session.combat)).active is None
    session.perform(Declare("attack", "bob", {"at": "ann", "using": "fist"}), by=KIRA)
    with pytest.raises(Refused):
        session.perform(Note("x", about="bob", seen_by=("bob",)), by=Who("zoe", Seat.SPECTATOR))
    assert "unseen-1" not in "".join(flow(session, zoe)).replace("r1/unseen-1/a1/attack", "")


def test_for_a_player_who_does_not_know_of_them_the_name_is_nobodys() -> None:
    session = ambush("gurps_3e")
    go_on(session, acts("bob"))

    with pytest.raises(Refused) as refusal:
        session.perform(Declare("attack", "bob", {"at": TYPED, "using": "fist"}), by=KIRA)
    with pytest.raises(Refused) as nobody:
        session.perform(Declare("attack", "bob", {"at": "nobody", "using": "fist"}), by=KIRA)
    assert str(refusal.value).replace(TYPED, "nobody") == str(nobody.value)


@pytest.mark.parametrize("joining", [{"unseen": True}, {"seen_by": ()}])
def test_whoever_joins_in_secret_has_an_id_that_tells_nothing_in_the_record_itself(joining: dict[str, object]) -> None:
    session = ambush("gurps_3e", **joining)

    (entry,) = session.entries(after=3, upto=4)
    names = [event for event in entry.events if isinstance(event, NameGiven)]
    assert entry.command == Join(WHO, sheet("gurps_3e"), NAME, unseen=True, alias=TYPED, seen_by=())
    assert names == [NameGiven(WHO, TYPED, seen_by=()), NameGiven(WHO, NAME, seen_by=())]
    assert TYPED not in session.combat.roster


def test_two_cannot_be_known_by_one_name() -> None:
    session = ambush("gurps_3e")
    for joining in ({}, {"seen_by": ()}):
        with pytest.raises(Taken):
            session.perform(Join(TYPED, sheet("gurps_3e"), **joining))  # type: ignore[arg-type]


def test_a_policy_that_none_can_agree_on_is_refused() -> None:
    with pytest.raises(UnknownPolicy):
        ambush("gurps_3e", "something")


# ------------------------------------------------------------------------------------------------ commands about them


@pytest.mark.parametrize(
    "command",
    [
        lambda session: Adjust(TYPED, "conditions.furious", 1, "he is"),
        lambda session: Note("he waits", TYPED),
        lambda session: Note("he waits", f"r1/{TYPED}/act"),
        lambda session: DrawDice(session.rests[0].key),
        lambda session: Leave(TYPED, "over the roof"),
        lambda session: OpenDispute(f"{TYPED}.fatigue", "so much?"),
    ],
    ids=["adjust", "note", "note about a key", "draw", "leave", "dispute"],
)
def test_what_the_gamemaster_does_about_them_is_as_hidden_as_they(command: object) -> None:
    session = ambush("gurps_3e")
    session.perform(Adjust(TYPED, "tracks.fatigue", 2, "a long way"))
    if "draw" in str(command) or command.__code__.co_names[0] == "DrawDice":  # type: ignore[attr-defined]
        go_on(session, acts(WHO))
        strike(session)
    else:
        go_on(session, acts("ann"))
    before = [list(flow(session, who)) for who in SEATS]
    entry = session.perform(command(session))  # type: ignore[operator]

    assert entry.command.seen_by == ()
    noticed = "Noted(text='Someone misses Bob.'"  # which the fiction makes public
    assert [[each for each in flow(session, who) if not each.startswith(noticed)] for who in SEATS] == before


@BOTH
def test_what_is_said_while_they_act_does_not_name_their_turn(policy: str) -> None:
    session = ambush("gurps_3e", policy)
    go_on(session, acts(WHO))

    said = session.perform(Note("How quiet it is."), by=KIRA)
    secret = session.perform(Note("He is on the roof.", seen_by=()))

    assert said.command.given_at is None
    assert secret.command.given_at == f"r1/{WHO}/act"


@ALL
def test_a_correction_leaves_them_hidden(game: str) -> None:
    session = ambush(game, "nothing")
    go_on(session, acts(WHO))
    strike(session)
    go_on(session, acts("bob"))

    session.amend(4, Change(set={"name": "Razor the Younger"}), why="misread", consent=True)
    session.amend(2, Change(set={"name": "Anna"}), why="misread", consent=True)

    for who in SEATS:
        shown = everything(session, who)
        assert NAME not in shown
        assert "Younger" not in shown
        assert "Razor" not in shown
    assert session.combat.roster.name(WHO) == "Razor the Younger"


@ALL
@BOTH
def test_the_rules_decide_it_again_as_it_was(game: str, policy: str) -> None:
    session = harmed(game, policy)
    session.perform(Reveal(who=TYPED, to=("bob",)))
    session.perform(Note("well"), by=KIRA)
    session.perform(Reveal(who=TYPED))
    go_on(session, acts("ann"))

    assert list(redecide.rehearse(session.log)) == []


def test_by_the_name_that_was_typed_the_record_is_read_corrected_and_overruled() -> None:
    session = harmed("eclipse_phase_1e", "nothing")
    key = f"r1/{WHO}/a1/attack/to-hit"
    stress = Declare("stress", TYPED, {"what": "an ambush", "sv": "1d10"})

    assert session.why(f"{TYPED}/to-hit").subject == key
    assert session.odds(declare=stress).key.split("/")[1] == WHO
    assert session.modify(f"{TYPED}/to-hit", 1, why="closer")[0].command == ApplyModifier(
        key, 1, "closer", seen_by=(), given_at=key
    )
    assert session.overrule(f"{TYPED}/damage", "dv", 9, why="a ricochet")[0].command.seen_by == ()
    amended = session.amend(f"r1/{TYPED}/a1/attack", Change(set={"terms.at": "ann"}), why="it was Ann")
    assert amended.entries[0].command.seen_by == ()
    with pytest.raises(Refused):
        session.why(f"{TYPED}/to-hit", viewer(KIRA, session.combat))


# ------------------------------------------------------------------------------------------------ declared in secret


def test_what_follows_a_secret_declaration_is_as_secret_but_for_what_the_fiction_tells() -> None:
    session = without("eclipse_phase_1e")
    go_on(session, acts("ann"))
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "medium pistol"}, seen_by=()))
    go_on(session, lambda rest: rest.by == "bob" and bool(rest.options), {"ann": 1})
    session.perform(Choose(session.rests[0].key, "none"))
    session.perform(TypeDice("r1/ann/a1/attack/to-hit", (11,)))
    go_on(session, lambda rest: not rest.key.startswith("r1/ann/a1/attack"))

    for who in SEATS:
        shown = "".join(flow(session, who))
        assert "DamageTaken" in shown
        assert "with medium pistol" not in shown
        assert "to-hit" not in shown
        assert session.seen(viewer(who, session.combat)).exchange.frames == ()
    ended = [event for entry in session.entries() for event in entry.events if isinstance(event, ExchangeEnded)]
    assert [event.seen_by for event in ended] == [()]


def test_one_who_joined_in_secret_before_ids_told_nothing_goes_on_as_then() -> None:
    session = without("gurps_3e")
    combat = session.combat
    for command in (Join("shade", sheet("gurps_3e"), seen_by=()), Choose("r1/ann/act", "end")):
        combat = fold(decide(session.game, combat, command), combat)

    assert combat.roster.hidden() == {}
    assert combat.roster["shade"].names == ()


def test_a_players_combatant_that_is_not_bobs_sees_no_more_than_he() -> None:
    session = harmed("eclipse_phase_2e", "nothing")
    assert session.state(eyes=Viewer(Seat.PLAYER, frozenset({"ann"}))).combatants.keys() == {"ann", "bob"}
