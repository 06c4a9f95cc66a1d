"""Ids and names of those who join in secret, and how secret commands about them are."""

from typing import Any

import msgspec
import pytest

from ledger import commands as c
from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import Command, Join
from ledger.entry import Seat, Who
from ledger.events import Audience
from machines.contract.refusals import Taken
from projections.combat import Combat, fold
from projections.views.seen import viewer
from projections.vocabulary import Terms, Vocabulary
from replays.api.session import Session
from replays.sessions import hidden_names
from replays.sessions.hidden_names import Names, answering, as_secret, given_at, joined, noted, rests_visible_to

ONE, TWO = "unseen-1", "unseen-2"
PEOPLE: tuple[e.Event, ...] = (
    e.CombatantJoined("ann", "Ann", "gm", False), e.CombatantJoined("bob", "Bob", "kira", False),
    e.CombatantJoined(ONE, "", "gm", False, seen_by=("bob",)), e.NameGiven(ONE, "razor", seen_by=("bob",)),
    e.NameGiven(ONE, "Razor of the Night", seen_by=("bob",)),
)  # fmt: skip
KIRA, GM = Who("kira", Seat.PLAYER), Who("gm")
BOB, SPECTATOR = Viewer(Seat.PLAYER, frozenset({"bob"})), Viewer(Seat.SPECTATOR)


def so(*events: e.Event) -> Combat:
    return fold((*PEOPLE, *events))


# ------------------------------------------------------------------------------------------------ ids


def test_whoever_joins_in_secret_gets_the_next_free_id() -> None:
    found = joined(
        so(), Join("blade", {"init": 4}, "The Blade", seen_by=("blade", "bob"), sheet_seen_by=("blade", "ann"))
    )

    assert found == Join(
        TWO, {"init": 4}, "The Blade", alias="blade", unseen=True, seen_by=(TWO, "bob"), sheet_seen_by=(TWO, "ann"),
    )  # fmt: skip
    assert joined(fold(PEOPLE[:2]), Join("blade", {}, seen_by=())) == Join(
        ONE, {}, "blade", alias="blade", unseen=True, seen_by=()
    )


def test_whoever_joins_unseen_without_an_audience_is_hidden_from_all_but_the_gamemaster() -> None:
    found = joined(so(), Join("blade", {}, unseen=True))

    assert isinstance(found, Join)
    assert (found.who, found.name, found.seen_by, found.sheet_seen_by) == (TWO, "blade", (), None)


@pytest.mark.parametrize(
    "command", [Join("cem", {}), Join("cem", {}, sheet_seen_by=()), Join("unseen-7", {}, unseen=True), Join("unseen-7", {}, seen_by=()), c.Note("hm")]
)  # fmt: skip
def test_any_other_command_stays_as_it_is(command: Command) -> None:
    assert joined(so(), command) is command


@pytest.mark.parametrize("name", ["razor", "Razor of the Night"])
def test_nobody_joins_by_a_name_of_somebody_hidden(name: str) -> None:
    with pytest.raises(Taken) as refusal:
        joined(so(), Join(name, {}))

    assert (refusal.value.message, refusal.value.where, refusal.value.accepts) == (
        f"{name} has joined already", "who", "another id",
    )  # fmt: skip
    assert joined(so(e.CombatantLeft(ONE, "")), Join(name, {})) == Join(name, {})


# ------------------------------------------------------------------------------------------------ names


def test_names_are_known_to_those_who_know_of_them_while_they_are_here() -> None:
    known = {"razor": ONE, "Razor of the Night": ONE}

    assert Names(so()).ids == Names(so(), BOB).ids == known
    assert Names(so(), SPECTATOR).ids == {}
    assert Names(so(e.CombatantLeft(ONE, ""))).ids == {}
    assert Names(so(e.CombatantLeft(ONE, "", seen_by=())), BOB).ids == known  # bob may not know
    assert Names(so(e.CombatantJoined("razor", "Another", "gm", False))).ids == {"Razor of the Night": ONE}
    assert Names(fold(PEOPLE[:3])).ids == {}


@pytest.mark.parametrize(
    ("key", "right"),
    [
        ("razor", ONE),
        ("Razor of the Night", ONE),
        ("razor.damage", f"{ONE}.damage"),
        ("r1/razor/a1/attack", f"r1/{ONE}/a1/attack"),
        ("r1/razor/a1.razor", f"r1/{ONE}/a1.razor"),
        ("razors", "razors"),
        ("bob", "bob"),
        ("bob.razor", "bob.razor"),
    ],
)
def test_a_key_is_read_with_ids_in_the_place_of_names(key: str, right: str) -> None:
    assert Names(so()).key(key) == right
    assert Names(so(), SPECTATOR).key(key) == key
    assert Names(so()).of(key) == (ONE if key in ("razor", "Razor of the Night") else key)


def test_a_name_with_a_dot_or_a_slash_is_a_name_all_the_same() -> None:
    names = Names(so(e.NameGiven(ONE, "Dr. No", seen_by=()), e.NameGiven(ONE, "a/b", seen_by=())))

    assert (names.key("Dr. No"), names.key("a/b")) == (ONE, ONE)


@pytest.mark.parametrize(
    ("value", "right"),
    [
        ("razor", ONE),
        ({"at": "razor", "razor": 1}, {"at": ONE, ONE: 1}),
        ({"at": ["razor", "bob"], "x": ("razor", 7)}, {"at": [ONE, "bob"], "x": (ONE, 7)}),
        ({"change": {"terms": {"at": "razor"}}}, {"change": {"terms": {"at": ONE}}}),
        (7, 7),
        (None, None),
    ],
)
def test_names_are_found_in_a_plain_value(value: Any, right: Any) -> None:
    assert Names(so()).plain(value) == right
    assert Names(so(), SPECTATOR).plain(value) is value


@pytest.mark.parametrize(
    "field",
    ["using", "also", "weapon", "reload", "what", "why", "text", "words", "claim", "ruling", "note", "name", "sheet", "spell", "spells"],
)  # fmt: skip
def test_names_of_things_and_what_people_write_stay(field: str) -> None:
    value = {field: "razor", "at": "razor", "more": {field: ["razor"]}}

    assert Names(so()).plain(value) == {field: "razor", "at": ONE, "more": {field: ["razor"]}}
    assert Names(so()).plain("razor", field) == "razor"


def test_which_fields_name_things_is_for_the_game_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    blades = Vocabulary(terms=Terms(things=("blade",)))
    monkeypatch.setattr(hidden_names, "vocabulary_of", {"of blades": blades}.__getitem__)
    combat = so()
    combat = msgspec.structs.replace(combat, session=msgspec.structs.replace(combat.session, ruleset="of blades"))

    assert Names(combat).plain({"blade": "razor", "using": "razor"}) == {"blade": "razor", "using": ONE}


@pytest.mark.parametrize(
    ("command", "right"),
    [
        (c.Adjust("razor", "wounds", 1, "razor fell"), c.Adjust(ONE, "wounds", 1, "razor fell")),
        (c.Declare("attack", "razor", {"at": "bob", "using": "razor"}), c.Declare("attack", ONE, {"at": "bob", "using": "razor"})),
        (c.Declare("attack", "bob", {"at": "razor"}), c.Declare("attack", "bob", {"at": ONE})),
        (c.TypeDice("r1/razor/initiative", (1,)), c.TypeDice(f"r1/{ONE}/initiative", (1,))),
        (c.OpenDispute("razor.damage", "razor?"), c.OpenDispute(f"{ONE}.damage", "razor?")),
        (c.Note("razor", "razor", seen_by=("razor", "bob")), c.Note("razor", ONE, seen_by=(ONE, "bob"))),
        (c.Reveal(3, to=("razor",)), c.Reveal(3, to=(ONE,))),
        (c.Reveal(3, to=None, who="razor"), c.Reveal(3, to=None, who=ONE)),
        (c.BeginCombat({"ambushers": ["razor"]}), c.BeginCombat({"ambushers": [ONE]})),
        (c.Amend(3, {"terms": {"at": "razor"}}, "razor"), c.Amend(3, {"terms": {"at": ONE}}, "razor")),
        (c.Rewind(3, "razor"), c.Rewind(3, "razor")),
        (Join("razor", {}), Join("razor", {})),
        (c.Leave("bob"), c.Leave("bob")),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_a_command_is_read_with_ids_in_the_place_of_names(command: Command, right: Command) -> None:
    assert Names(so()).command(command) == right
    assert Names(so(), SPECTATOR).command(command) is command
    if command == right:
        assert Names(so()).command(command) is command


# ------------------------------------------------------------------------------------------------ how secret a command is


def test_a_command_about_somebody_hidden_is_as_secret_as_they_are() -> None:
    about, plain = c.Leave(ONE), c.Leave("ann")

    assert as_secret(about, so()).seen_by == ("bob",)
    assert as_secret(msgspec.structs.replace(about, seen_by=("ann", "bob")), so()).seen_by == ("bob",)
    assert as_secret(msgspec.structs.replace(about, seen_by=()), so()).seen_by == ()
    assert as_secret(plain, so()) is plain


ROLL = "r1/ann/a1/attack/to-hit"


def asked(seen_by: Audience) -> Combat:
    return so(
        e.RollRequested(ROLL, "ann", "1d100", "", "", seen_by=seen_by),
        e.RollRequested("k", "bob", "1d100", "", "", seen_by=()),
    )


@pytest.mark.parametrize("command", [c.TypeDice(ROLL, (1,)), c.DrawDice(ROLL), c.ApplyModifier(ROLL, 1, "so")], ids=lambda one: type(one).__name__)  # fmt: skip
def test_an_answer_is_as_secret_as_the_roll(command: Command) -> None:
    assert answering(command, asked(None)) is command
    assert answering(command, asked(("bob", "cem"))).seen_by == ("bob", "cem")
    secret = msgspec.structs.replace(command, seen_by=("bob", "dan"))
    assert answering(secret, asked(("bob", "cem"))).seen_by == ("bob",)
    assert answering(secret, asked(None)) is secret
    assert answering(secret, asked(("bob", "dan"))) is secret
    chosen = c.Choose(ROLL, "x")
    assert answering(chosen, asked(())) is chosen


def test_the_gamemasters_note_about_somebody_hidden_is_as_secret_as_they_are() -> None:
    about = c.Note("psst", f"r1/{ONE}/a1")

    assert noted(about, GM, so()).seen_by == ("bob",)
    assert noted(msgspec.structs.replace(about, seen_by=()), GM, so()).seen_by == ()
    assert noted(about, KIRA, so()) is about
    plain, other = c.Note("psst", "ann"), c.OpenDispute(f"{ONE}.damage", "?")
    assert noted(plain, GM, so()) is plain
    assert noted(other, GM, so()) is other


# ------------------------------------------------------------------------------------------------ at which rest


HERS, THEIRS, MINE = "r1/ann/a1/attack", f"r1/{ONE}/p1/act", "r1/bob/p1/act"


def choice(key: str, by: str) -> e.Event:
    return e.ChoiceRequested(key, by, (e.Option("end", "end"),), None, "")


def declared(seen_by: Audience) -> e.Event:
    return e.Declared(HERS, "attack", "ann", {}, seen_by=seen_by)


@pytest.mark.parametrize(
    ("before", "seen_by", "at", "found"),
    [
        ((), None, None, None),
        ((choice(MINE, "bob"),), None, None, MINE),
        ((choice(THEIRS, ONE),), None, None, None),
        ((choice(THEIRS, ONE),), ("bob",), None, THEIRS),
        ((choice(THEIRS, ONE),), ("ann", "bob"), None, None),
        ((choice(THEIRS, ONE), choice(MINE, "bob")), None, None, MINE),
        ((choice(THEIRS, ONE), choice(MINE, "bob")), (), None, THEIRS),
        ((choice(THEIRS, ONE), choice(MINE, "bob")), None, THEIRS, None),
        ((choice(THEIRS, ONE), choice(MINE, "bob")), (), MINE, MINE),
        ((choice(MINE, "bob"),), None, "r1/gone", "r1/gone"),
        ((declared(()), choice(f"{HERS}/how", "ann")), None, None, None),
        ((declared(("ann",)), choice(f"{HERS}/how", "ann")), ("ann",), None, f"{HERS}/how"),
        ((declared(()), choice(f"{HERS}/defense", "bob")), None, None, f"{HERS}/defense"),
        ((declared(()), choice(f"{HERS}2/how", "ann")), None, None, f"{HERS}2/how"),
        ((declared(None), choice(f"{HERS}/how", "ann")), None, None, f"{HERS}/how"),
    ],
)
def test_a_command_is_given_at_the_first_rest_that_is_no_more_of_a_secret(
    before: tuple[e.Event, ...], seen_by: Audience, at: str | None, found: str | None
) -> None:
    assert given_at(so(*before), c.Note("x", seen_by=seen_by, given_at=at)) == found


def test_of_actions_within_each_other_the_innermost_counts() -> None:
    inner = e.Declared(f"{HERS}/x", "x", "ann", {}, seen_by=())
    openly, secret = (
        so(declared(None), inner, choice(f"{HERS}/x/how", "ann")),
        so(declared(()), choice(f"{HERS}/x/how", "ann")),
    )
    outer = so(declared(()), msgspec.structs.replace(inner, seen_by=None), choice(f"{HERS}/x/how", "ann"))

    assert given_at(openly, c.Note("x")) is None
    assert given_at(secret, c.Note("x")) is None
    assert given_at(outer, c.Note("x")) == f"{HERS}/x/how"


def test_a_hidden_exchange_interrupts_nothing_for_those_who_do_not_see_it() -> None:
    """What the table waited for before a hidden exchange stays the place of what everyone sees."""
    asked = e.RollRequested("r1/bob/initiative", "bob", "1d6", "initiative", "")
    inner = choice(f"{HERS}/how", "ann")

    def rests(*events: e.Event, seen_by: Audience = None) -> list[str]:
        return [rest.key for rest in rests_visible_to(so(asked, *events), seen_by)]

    assert rests(declared(()), inner) == [asked.key]
    assert rests(declared(("ann",)), inner, seen_by=("ann",)) == [inner.key]
    assert rests(declared(None), inner) == [inner.key]
    assert rests(declared(()), inner, seen_by=()) == [inner.key]
    by_hidden = e.Declared(f"r1/{ONE}/a1/x", "x", ONE, {}, seen_by=())
    assert rests(by_hidden, choice(f"r1/{ONE}/a1/x/how", ONE)) == [asked.key]
    assert rests(by_hidden, choice(f"r1/{ONE}/a1/x/defense", "bob")) == [asked.key, f"r1/{ONE}/a1/x/defense"]
    assert given_at(so(asked, declared(()), inner), c.Note("x")) == asked.key
    assert given_at(so(asked, declared(()), inner), c.Note("x", given_at=inner.key)) is None
    visible = e.Declared(f"{HERS}/y", "y", "bob", {})
    assert rests(declared(()), visible, choice(f"{HERS}/y/how", "bob")) == [f"{HERS}/y/how"]


def test_who_joins_in_secret_may_be_known_to_others_who_have() -> None:
    sheet = {"init": 40, "durability": 30, "aptitudes": {"som": 20}}
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("ann", sheet, player="kira", unseen=True, seen_by=("ann",)))

    joined = session.perform(Join("bob", sheet, unseen=True, seen_by=("ann",), sheet_seen_by=("ann",))).command

    assert isinstance(joined, Join)
    assert (joined.seen_by, joined.sheet_seen_by, joined.alias) == (("unseen-1",), ("unseen-1",), "bob")
    assert "unseen-2" in session.seen(viewer(KIRA, session.combat)).roster.who


def test_a_choice_that_only_some_see_is_named_to_them_alone() -> None:
    asked = e.ChoiceRequested("r1/ann/a1/attack/ruling", "gm", (e.Option("no", "no"),), "no", "which", seen_by=("ann",))

    assert given_at(so(asked), c.Note("x")) is None
    assert given_at(so(asked), c.Note("x", seen_by=("ann",))) == asked.key
