"""Campaigns: their sessions, roster, luck and rulings; a damaged session hides none of the others."""

from collections.abc import Sequence

import pytest
from campaign_sessions import FIGHTER, ODD, RAIN, fill, perform, records_of, torn
from damaging import SHEET
from hypothesis import given
from hypothesis import strategies as st

from ledger.commands import Adjust, BeginCombat, Command, EndCombat, Join, Leave, Note, RenameSession
from ledger.entry import Who
from ledger.errors import Refused, Unreadable
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.campaigns.appearances import RoundSpan, count_rounds
from replays.campaigns.campaign import campaign, campaign_luck, campaign_rulings
from replays.campaigns.listing import NoSuchCampaign, Openings, campaigns, members
from replays.campaigns.roster import CampaignRoster, Character
from replays.odds.luck import NoDice, compared, dice_on_record
from replays.sessions.archive import archive


@pytest.fixture(scope="module")
def store() -> Store:
    """Returns a ledger with two campaigns; it is only read."""
    return fill(MemoryStore())


def opened(*sessions: Sequence[Command], game: str = "eclipse_phase_1e") -> Store:
    """Returns a ledger with sessions of one campaign, C, called S0, S1 …"""
    store = MemoryStore()
    for number, commands in enumerate(sessions):
        perform(Session.create(store, ruleset=game, session=f"S{number}", campaign="C"), commands)
    return store


def everyone(roster: CampaignRoster) -> list[Character]:
    """Returns all characters and things of a roster."""
    return [*(one for player in roster.players for one in player.characters), *roster.gamemaster, *roster.things]


def where(one: Character) -> list[tuple[str, str]]:
    """Returns the sessions of a character, each with its id there."""
    return [(each.session, each.who) for each in one.sessions]


# ------------------------------------------------------------------------------------------------ the list


def test_every_campaign_is_listed_with_its_sessions_rulesets_entries_and_times(store: Store) -> None:
    rain, odd = campaigns(store).campaigns

    assert (rain.name, rain.sessions, rain.rulesets) == (RAIN, 4, ("eclipse_phase_1e", "gurps_3e"))
    assert rain.entries == sum(store.head(f"RAIN{number}").seq for number in range(1, 5))
    assert rain.first_at < rain.latest_at < odd.first_at == odd.latest_at
    assert (odd.name, odd.sessions, odd.rulesets, odd.entries) == (ODD, 1, ("gurps_3e",), 1)


def test_a_session_whose_first_entry_cannot_be_read_is_listed_apart(store: Store) -> None:
    (lost,) = campaigns(store).unreadable

    assert (lost.session, lost.slug) == ("LOST", "log/unreadable")


def test_a_ledger_without_campaigns_has_none() -> None:
    store = MemoryStore()
    Session.create(store, ruleset="gurps_3e")

    assert campaigns(store).campaigns == ()


def test_sessions_are_in_the_order_in_which_they_were_opened_even_if_they_were_imported_later() -> None:
    store = MemoryStore()
    for name, at in (("LATE", "2026-02-01"), ("EARLY", "2026-01-01")):
        Session.create(store, ruleset="gurps_3e", session=name, campaign="C", clock=lambda at=at: f"{at}T10:00:00.000Z")

    assert [each.session for each in campaign(store, "C").sessions] == ["EARLY", "LATE"]
    assert campaigns(store).campaigns[0].latest_at.startswith("2026-02")


@pytest.mark.parametrize(
    ("typed", "words"), [("iron rian", "did you mean 'Iron Rain'"), ("Venus", "1 sessions cannot be read"), ("", "''")]
)
@pytest.mark.parametrize("asked", [campaign, campaign_luck, campaign_rulings])
def test_an_unknown_name_is_refused_with_the_nearest(store: Store, typed: str, words: str, asked) -> None:
    with pytest.raises(NoSuchCampaign) as refused:
        asked(store, typed)

    assert words in refused.value.message
    assert (refused.value.slug, refused.value.where) == ("campaign/unknown", "campaign")
    assert RAIN in refused.value.accepts


# ------------------------------------------------------------------------------------------------ sessions


def test_sessions_have_their_titles_and_whether_they_are_open_closed_or_damaged(store: Store) -> None:
    found = campaign(store, RAIN)

    assert [(each.session, each.is_open) for each in found.sessions] == [
        ("RAIN1", True), ("RAIN2", False), ("RAIN3", True), ("RAIN4", None),
    ]  # fmt: skip
    assert [each.title for each in found.sessions] == [f"Title of RAIN{number}" for number in range(1, 5)]
    assert [bool(each.damaged) for each in found.sessions] == [False, False, False, True]
    assert "entry 3 cannot be read" in found.sessions[3].damaged
    assert [each.entries for each in found.sessions] == [store.head(each.session).seq for each in found.sessions]
    assert [each.session for each in found.unreadable] == ["LOST"]


# ------------------------------------------------------------------------------------------------ the roster


def test_a_session_that_was_renamed_has_its_title_of_today() -> None:
    store = MemoryStore()
    session = Session.create(store, ruleset="gurps_3e", title="A fight", campaign="Autumn")
    session.perform(RenameSession("The Long Night"))
    assert [one.title for one in campaign(store, "Autumn").sessions] == ["The Long Night"]


def test_an_archived_session_belongs_to_its_campaign_and_says_so() -> None:
    store = opened((), ())
    archive(store, "S1", Who("ana"))
    assert [(one.session, one.archived, one.is_open) for one in campaign(store, "C").sessions] == [
        ("S0", False, True), ("S1", True, True),
    ]  # fmt: skip


def test_a_character_is_known_by_its_id_or_by_its_name_in_any_case_and_in_any_game(store: Store) -> None:
    roster = campaign(store, RAIN).roster
    kira, zoe = roster.players
    (bob,) = kira.characters

    assert (kira.name, zoe.name) == ("kira", "zoe")
    assert where(bob) == [("RAIN1", "bob"), ("RAIN2", "bob"), ("RAIN3", "fist")]
    assert [each.ruleset for each in bob.sessions] == ["eclipse_phase_1e", "gurps_3e", "eclipse_phase_1e"]
    assert (bob.who, bob.name, bob.player, bob.ruleset) == ("fist", "robert", "kira", "eclipse_phase_1e")
    assert [one.who for one in zoe.characters] == ["zed"], "Eve's joining was undone"
    assert [where(one) for one in roster.gamemaster] == [[("RAIN1", "ann"), ("RAIN3", "ann")]]
    assert [(one.who, one.player) for one in roster.things] == [("door", "gm")]


def test_a_character_has_the_rounds_in_which_it_was_there(store: Store) -> None:
    (bob,) = campaign(store, RAIN).roster.players[0].characters

    assert [each.rounds for each in bob.sessions] == [(RoundSpan(1, 1, 1),), (), (RoundSpan(1, 1, 1),)]


def test_a_character_has_how_it_stood_at_the_end_of_its_latest_session(store: Store) -> None:
    (bob,) = campaign(store, RAIN).roster.players[0].characters
    combat = Session(store, "RAIN3").combat
    track = combat.health.track("fist", "damage")

    assert (bob.stand.session, bob.stand.left, bob.stand.out) == ("RAIN3", True, ())
    assert bob.stand.combatant.tracks["damage"].taken == track.taken > 0
    assert bob.stand.combatant.wounds == combat.wounds.count("fist") == 1


def test_a_combatant_that_is_out_of_the_fight_is_out() -> None:
    store = MemoryStore()
    session = Session.create(store, ruleset="eclipse_phase_1e", session="S0", campaign="C")
    perform(session, [Join("bob", SHEET, "Bob", "kira"), BeginCombat()])
    session.perform(Adjust("bob", "conditions.dead", "", "the airlock"))

    assert campaign(store, "C").roster.players[0].characters[0].stand.out == ("dead",)


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        (Join("bob", SHEET, "Bob", "kira"), Join("bob", SHEET, "Bob", "ben"), 2),
        (Join("bob", SHEET, "Bob", "kira"), Join("bob", SHEET, "Robert", "kira"), 1),
        (Join("bob", SHEET, "Bob", "kira"), Join("rob", SHEET, "ＢＯＢ", "Kira"), 1),
        (Join("bob", SHEET, "Bob", "kira"), Join("rob", SHEET, "Robert", "kira"), 2),
        (Join("bob", SHEET, "Bob", "kira"), Join("bob", SHEET, "Bob", "kira", thing=True), 2),
        (Join("bob", SHEET, "Bob"), Join("bob", SHEET, "Bob"), 1),
        (Join("bob", SHEET, "Straße"), Join("rob", SHEET, "STRASSE"), 1),
    ],
)
def test_who_is_the_same_in_two_sessions(first: Join, second: Join, count: int) -> None:
    store = opened([first], [second])

    assert len(everyone(campaign(store, "C").roster)) == count


def test_combatants_of_one_session_are_different_even_if_they_have_one_name() -> None:
    guards = [Join("guard-1", SHEET, "Guard"), Join("guard-2", SHEET, "Guard")]
    store = opened(guards, [Join("guard-2", SHEET, "Guard"), Join("one", SHEET, "Guard"), Join("two", SHEET, "Guard")])

    assert [where(one) for one in campaign(store, "C").roster.gamemaster] == [
        [("S0", "guard-1"), ("S1", "one")], [("S0", "guard-2"), ("S1", "guard-2")], [("S1", "two")],
    ]  # fmt: skip


def test_a_combatant_who_joined_in_secret_is_known_by_the_typed_id() -> None:
    first = [Join("spy", SHEET, "A shadow", unseen=True)]
    second = [Join("thief", SHEET, "A thief", unseen=True), Join("spy", SHEET, "Mr Vane")]
    store = opened(first, second)

    assert [[each.name for each in one.sessions] for one in campaign(store, "C").roster.gamemaster] == [
        ["A shadow", "Mr Vane"], ["A thief"],
    ]  # fmt: skip


def test_rounds_are_those_that_began_while_it_was_there_in_each_fight() -> None:
    store = MemoryStore()
    session = Session.create(store, ruleset="gurps_3e", session="S0", campaign="C")
    perform(session, [Join("ann", FIGHTER, "Ann"), Join("bob", FIGHTER, "Bob"), BeginCombat()])
    begun = session.combat.clock
    perform(session, [EndCombat(), Leave("bob"), BeginCombat(), Join("cyd", FIGHTER, "Cyd")])

    ann, bob, cyd = (one.sessions[0].rounds for one in campaign(store, "C").roster.gamemaster)
    assert begun.round == 1
    assert (ann, bob, cyd) == ((RoundSpan(1, 1, 1), RoundSpan(2, 1, 1)), (RoundSpan(1, 1, 1),), (RoundSpan(2, 1, 1),))
    assert (count_rounds(ann), count_rounds(())) == (2, 0)


NAMES = ("bob", "Bob", "cyd", "BOB")
JOINS = st.builds(
    lambda who, name, player, thing: Join(who, SHEET, name, player, thing=thing),
    st.sampled_from(("bob", "cyd", "dov")), st.sampled_from(NAMES), st.sampled_from(("gm", "kira", "KIRA", "ben")),
    st.booleans(),
)  # fmt: skip
STEPS = st.lists(JOINS | st.just("undo") | st.builds(Leave, st.sampled_from(("bob", "cyd"))), max_size=5)


@given(st.lists(STEPS, min_size=1, max_size=4))
def test_the_sessions_of_the_roster_are_exactly_those_whose_state_has_the_combatant(histories) -> None:
    store, states = MemoryStore(), {}
    for number, steps in enumerate(histories):
        session = Session.create(store, ruleset="eclipse_phase_1e", session=f"S{number}", campaign="C")
        for step in steps:
            try:
                session.undo(why="no") if step == "undo" else session.perform(step)
            except Refused:
                continue
        states[session.id] = session.combat.roster.who

    found = everyone(campaign(store, "C").roster)

    assert sorted(place for one in found for place in where(one)) == sorted(
        (session, who) for session, roster in states.items() for who in roster
    )
    for one in found:
        mine = [states[session][who] for session, who in where(one)]
        assert len({session for session, _ in where(one)}) == len(mine)
        assert len({(each.player.lower(), each.thing) for each in mine}) == 1
        for place, (_, who) in enumerate(where(one)):
            earlier = where(one)[:place]
            ids, names = {id_ for _, id_ in earlier}, {states[session][id_].name.lower() for session, id_ in earlier}
            assert not earlier or who in ids or mine[place].name.lower() in names
        assert (one.stand.session, one.stand.left) == (where(one)[-1][0], not mine[-1].here)


# ------------------------------------------------------------------------------------------------ luck and rulings


def test_luck_is_that_of_its_sessions_together(store: Store) -> None:
    found = campaign_luck(store, RAIN)
    expected = compared(dice_on_record(Session(store, f"RAIN{number}").log) for number in (1, 2, 3))

    assert {each: getattr(found, each) for each in expected.__struct_fields__} == {
        each: getattr(expected, each) for each in expected.__struct_fields__
    }
    assert (found.dice, found.sessions) == (12, ("RAIN1", "RAIN2", "RAIN3"))
    assert [(each.session, each.slug) for each in found.not_measured] == [
        ("RAIN4", "log/unreadable"), ("LOST", "log/unreadable"),
    ]  # fmt: skip


def test_luck_without_dice_is_refused(store: Store) -> None:
    with pytest.raises(NoDice):
        campaign_luck(store, ODD)


def test_luck_of_a_campaign_of_which_nothing_can_be_read_is_refused_with_the_reason() -> None:
    whole, store = opened([Note("rain"), Note("snow")]), MemoryStore()
    store.create("S0", torn(records_of(Session(whole, "S0")), 2))

    with pytest.raises(Unreadable):
        campaign_luck(store, "C")
    assert campaign(store, "C").sessions[0].is_open is None


def test_rulings_are_those_in_force_corrected_and_without_those_that_were_undone(store: Store) -> None:
    found = campaign_rulings(store, RAIN)

    assert [(each.session, each.kind, each.claim, each.why, each.by) for each in found.rulings] == [
        ("RAIN1", "overrule", "7", "the club is cracked", "gm"), ("RAIN3", "dispute", "", "as it lies", "gm"),
    ]  # fmt: skip
    assert all(Session(store, each.session).log.entry(each.entry).at == each.at for each in found.rulings)
    assert [each.session for each in found.unreadable] == ["RAIN4", "LOST"]


def test_a_campaign_without_rulings_has_none(store: Store) -> None:
    assert campaign_rulings(store, ODD).rulings == ()


# ------------------------------------------------------------------------------------------------ what is remembered


class CountingStore(MemoryStore):
    """A store that counts the sessions of which the beginning is read."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[str] = []

    def read(self, session: str, after: int = 0, upto: int | None = None):
        """Reads records as the store does."""
        if after == 0:
            self.begun.append(session)
        return super().read(session, after, upto)


def test_first_entries_are_read_once_and_those_that_cannot_be_read_each_time() -> None:
    store = CountingStore()
    fill(store)
    openings = Openings(store)
    for _ in range(3):
        assert campaigns(store, openings) == campaigns(fill(MemoryStore()))
    store.begun.clear()

    assert members(store, RAIN, openings).ids == ["RAIN1", "RAIN2", "RAIN3", "RAIN4"]
    assert store.begun == ["LOST"]
    Session.create(store, ruleset="gurps_3e", session="NEW", campaign=RAIN)
    assert members(store, RAIN, openings).ids[-1] == "NEW"
