"""Public twins of hidden events."""

import pytest

from ledger import events as e
from ledger.events import Audience
from machines.secrecy import public_twins
from projections.combat import Combat, fold

ONE, TWO = "unseen-1", "unseen-2"
HIDDEN: dict[str, Audience] = {ONE: (), TWO: ("bob",)}
ORDER = e.OrderFixed((("ann", 9), (ONE, 8), ("bob", 7), (TWO, 6)))
NAMES = fold((e.CombatantJoined("ann", "Ann", "gm", False), e.CombatantJoined("bob", "Bob", "kira", False)))


def orders(event: e.OrderFixed, *, someone: bool = False, **more: object) -> list[tuple[list[object], Audience]]:
    """Returns each order that is yielded, as a list of pairs, with its audience."""
    told = list(public_twins.orders(event, HIDDEN, someone=someone, **more))  # type: ignore[arg-type]
    assert all(isinstance(each, e.OrderFixed) for each in told)
    return [(list(each.order), each.seen_by) for each in told if isinstance(each, e.OrderFixed)]


# ------------------------------------------------------------------------------------------------ the order


def test_the_order_is_told_without_whoever_is_hidden_and_with_them_to_those_who_know() -> None:
    assert orders(ORDER) == [
        ([("ann", 9), ("bob", 7)], None),
        ([("ann", 9), ("bob", 7), (TWO, 6)], ("bob",)),
        (list(ORDER.order), ()),
    ]


def test_with_places_shown_the_order_is_told_without_the_scores_of_whoever_is_hidden() -> None:
    assert orders(ORDER, someone=True) == [
        ([("ann", 9), (ONE, 0), ("bob", 7), (TWO, 0)], None),
        ([("ann", 9), (ONE, 0), ("bob", 7), (TWO, 6)], ("bob",)),
        (list(ORDER.order), ()),
    ]


def test_an_order_of_those_who_are_shown_is_told_as_it_is() -> None:
    plain = e.OrderFixed((("ann", 9), ("bob", 7)))

    assert orders(plain) == [(list(plain.order), None)]


def test_an_order_that_is_secret_itself_is_told_to_those_who_know_of_all_in_it() -> None:
    assert orders(e.OrderFixed(ORDER.order, seen_by=("bob", "cem"))) == [(list(ORDER.order), ())]
    alone = e.OrderFixed((("ann", 9), (TWO, 6)), seen_by=("bob", "cem"))
    assert orders(alone) == [(list(alone.order), ("bob",))]
    assert orders(e.OrderFixed((("ann", 9),), seen_by=("cem",))) == [([("ann", 9)], ("cem",))]


def test_an_order_that_changes_for_those_alone_who_know_is_told_to_them_alone() -> None:
    before = ((("ann", 9), (ONE, 8), ("bob", 7), (TWO, 5)), HIDDEN)

    assert orders(ORDER, instead_of=before) == [
        ([("ann", 9), ("bob", 7), (TWO, 6)], ("bob",)), (list(ORDER.order), ()),
    ]  # fmt: skip
    assert orders(ORDER, instead_of=before, someone=True) == [
        ([("ann", 9), (ONE, 0), ("bob", 7), (TWO, 6)], ("bob",)), (list(ORDER.order), ()),
    ]  # fmt: skip
    assert orders(ORDER, instead_of=(ORDER.order, HIDDEN)) == [(list(ORDER.order), ())]
    assert len(orders(ORDER, instead_of=(ORDER.order, {ONE: (), TWO: ()}))) == 2
    assert len(orders(ORDER, instead_of=((("bob", 9), ("ann", 7)), HIDDEN))) == 3


# ------------------------------------------------------------------------------------------------ attacks and their ends


def noticed(at: object, by: str = ONE, kind: str = "attack") -> list[e.Event]:
    terms = {"using": "knife"} if at is None else {"at": at}
    combat = fold((e.CombatantJoined(ONE, "Razor", "gm", False, seen_by=()),), NAMES)
    return list(public_twins.notice(e.Declared("k", kind, by, terms), HIDDEN, {"attack": "shoots at"}, combat))


@pytest.mark.parametrize(
    ("at", "text"),
    [
        ("bob", "Someone shoots at Bob."),
        (["ann", "bob"], "Someone shoots at Ann and Bob."),
        (("ann", ONE), "Someone shoots at Ann."),
        (ONE, "Someone shoots at."),
        ("a wall", "Someone shoots at."),
        ([7, "ann"], "Someone shoots at Ann."),
        (7, "Someone shoots at."),
        (None, "Someone shoots at."),
    ],
)
def test_that_someone_attacks_is_noticed_and_whom(at: object, text: str) -> None:
    assert noticed(at) == [e.Noted(text, "k")]


def test_only_what_a_hidden_one_does_and_is_perceived_is_noticed() -> None:
    assert noticed("bob", by="ann") == []
    assert noticed("bob", kind="aim") == []


def test_how_it_ended_is_noticed_where_the_game_has_words_for_it() -> None:
    words = {"missed": "misses {other}"}

    assert list(public_twins.ending(e.ExchangeEnded("k", "missed"), words, "Bob")) == [
        e.Noted("Someone misses Bob.", "k")
    ]
    assert list(public_twins.ending(e.ExchangeEnded("k", "hit"), words, "Bob")) == []


# ------------------------------------------------------------------------------------------------ harm


def figure(key: str, name: str, value: str, why: str = "rolled") -> e.FigureFound:
    return e.FigureFound(key, name, value, why, "B211", "exchange", "ann")


HARM = e.DamageTaken("bob", "hit_points", 3, "", "", "")
FRAME = f"r1/{ONE}/a1/attack"


def where(before: Combat, *upto: e.Event) -> list[e.Event]:
    return list(public_twins.place(HARM, FRAME, before, upto))


def told(key: str, name: str, value: str) -> e.FigureFound:
    return e.FigureFound(key, name, value, "", "", "exchange", "bob")


def test_where_somebody_was_hit_is_told_without_why() -> None:
    here = figure(f"{FRAME}/hit", "location", "arm")

    assert where(fold((here,))) == where(fold(()), here) == [told(f"{FRAME}/hit", "location", "arm")]
    spot = figure(FRAME, "specific target", "left knee")
    assert where(fold((spot,))) == where(fold(()), spot) == [told(FRAME, "specific target", "left knee")]


def test_where_it_was_found_again_the_later_place_counts() -> None:
    before = fold((figure(f"{FRAME}/hit", "location", "arm"),))

    assert where(before, figure(f"{FRAME}/hit", "location", "leg")) == [told(f"{FRAME}/hit", "location", "leg")]


def test_no_other_figure_is_told_and_no_place_of_another_action() -> None:
    others = (
        figure(f"{FRAME}/hit", "damage", "9"), figure("r1/ann/a1/attack/hit", "location", "arm"),
        figure(f"{FRAME}/hit", "locations", "arm"), e.Noted("location", FRAME),
    )  # fmt: skip

    assert where(fold(others)) == where(fold(()), *others) == []


# ------------------------------------------------------------------------------------------------ events that name a combatant


def gained(until: str, seen_by: Audience = None) -> e.ConditionGained:
    return e.ConditionGained("bob", "feinted", 2, until, "", "by 2", "", seen_by=seen_by)


def test_a_condition_is_told_without_why_and_without_a_hidden_name_in_what_ends_it() -> None:
    plain = e.ConditionGained("bob", "feinted", 2, "end of ann", "", "", "")
    assert list(public_twins.condition(gained("end of ann"), HIDDEN)) == [plain]
    assert list(public_twins.condition(gained(f"end of {TWO}"), HIDDEN)) == [
        e.ConditionGained("bob", "feinted", 2, "", "", "", ""), gained(f"end of {TWO}", ("bob",)),
    ]  # fmt: skip


def test_a_choice_is_told_without_the_options_that_name_somebody_hidden_and_then_whole() -> None:
    options = (e.Option("ann", "Ann"), e.Option(TWO, "him"), e.Option("x", f"beside {TWO}"))
    whole = e.ChoiceRequested("k", "bob", options, TWO, "whom?")
    openly = e.ChoiceRequested("k", "bob", options, "ann", "whom?")

    for asked, default in ((whole, None), (openly, "ann")):
        first, last = public_twins.naming(asked, HIDDEN)
        assert first == e.ChoiceRequested("k", "bob", options[:1], default, "whom?")
        assert last == public_twins.seen_by(asked, ("bob",))
    for each in options[1:]:
        assert len(list(public_twins.naming(e.ChoiceRequested("k", "bob", (each,), None, ""), HIDDEN))) == 2
    plain = e.ChoiceRequested("k", "bob", options[:1], None, "")
    assert list(public_twins.naming(plain, HIDDEN)) == [plain]
    secret = e.ChoiceRequested("k", "bob", options, None, "", seen_by=("ann", "bob"))
    assert list(public_twins.naming(secret, HIDDEN)) == [public_twins.seen_by(secret, ("bob",))]


def test_a_fight_begins_without_those_who_are_hidden_and_then_whole() -> None:
    begun = e.CombatBegan(1, {"ambushers": ["ann", TWO], "light": "dim"})

    assert list(public_twins.naming(begun, HIDDEN)) == [
        e.CombatBegan(1, {"ambushers": ["ann"], "light": "dim"}), public_twins.seen_by(begun, ("bob",)),
    ]  # fmt: skip
    plain = e.CombatBegan(1, {"ambushers": ["ann"]})
    assert list(public_twins.naming(plain, HIDDEN)) == [plain]


def test_an_event_is_shown_to_those_who_are_in_both_audiences() -> None:
    event = e.Noted("psst", "", seen_by=("ann", "bob"))

    assert public_twins.seen_by(event, None) is event
    assert public_twins.seen_by(event, ("bob", "cem")).seen_by == ("bob",)
    assert public_twins.seen_by(e.Noted("psst", ""), ()).seen_by == ()
