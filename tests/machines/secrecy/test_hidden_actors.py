"""Audiences of the events of hidden combatants, and the public twins of these events."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import pytest

from ledger import events as e
from ledger.events import Audience, Event
from machines.contract.ruleset import Ruleset, ruleset
from machines.secrecy.hidden_actors import conceal
from projections.combat import Combat, fold

ONE, TWO = "unseen-1", "unseen-2"
KNOWN: Audience = ("cem",)
"""The audience that knows of the first hidden combatant; only the gamemaster knows of the second."""
PEOPLE = (
    e.CombatantJoined("ann", "Ann", "gm", False), e.CombatantJoined("bob", "Bob", "kira", False),
    e.CombatantJoined(ONE, "Razor", "gm", False, seen_by=KNOWN), e.CombatantJoined(TWO, "Blade", "gm", False, seen_by=()),
)  # fmt: skip
GAME = msgspec.structs.replace(
    ruleset("eclipse_phase_1e"), perceived={"attack": "shoots at"}, endings={"missed": "misses {other}"},
    unnoticed=("spy",), waiting=None,
)  # fmt: skip
THEIRS, HERS = f"r1/{ONE}/a1/attack", "r1/ann/a1/attack"
DEED = e.Declared(THEIRS, "attack", ONE, {"at": "bob"})
SECRETLY = e.Declared(HERS, "attack", "ann", {"at": "bob"}, seen_by=("ann",))
SPYING = e.Declared(HERS, "spy", "ann", {"at": "bob"}, seen_by=("ann",))
OPENLY = e.Declared(HERS, "attack", "ann", {"at": "bob"})


def so(*events: Event, **policies: str) -> Combat:
    combat = fold((*PEOPLE, *events))
    return msgspec.structs.replace(combat, session=msgspec.structs.replace(combat.session, policies=policies))


def told(*events: Event, before: Combat | None = None, game: Ruleset = GAME) -> list[Event]:
    return list(conceal(events, before or so(), game))


def audience(event: Event, before: Combat, beside: Iterable[Event] = ()) -> Audience:
    """Returns the audience of an event that is yielded once, whole."""
    beside = tuple(beside)
    whole = told(*beside, event, before=before)[-1]
    assert msgspec.structs.replace(whole, seen_by=event.seen_by) == event
    return whole.seen_by


def roll(key: str, by: str) -> Event:
    return e.RollRequested(key, by, "1d100", "", "")


def figure(key: str, why: str = "", value: int | str = 4, who: str = "") -> Event:
    return e.FigureFound(key, "dv", value, why, "", "exchange", who)


# ------------------------------------------------------------------------------------------------ audiences


FACTS: tuple[Callable[[str], Event], ...] = (
    e.TurnBegan, e.TurnEnded, lambda who: e.ActionSpent(who, "quick", 1),
    lambda who: e.InitiativeScored(who, 5, "k", "", ""), lambda who: e.TrackOpened(who, "damage", 30),
    lambda who: e.ResourceOpened(who, "moxie", 3, 3), lambda who: e.SheetGiven(who, {}),
    lambda who: e.SideTaken(who, "them"), lambda who: e.CombatantLeft(who, "fled"),
    lambda who: e.Adjusted(who, "wounds", 0, 1, "a fall"), lambda who: e.ResourceSpent(who, "moxie", 1, "k", ""),
    lambda who: e.ResourceGained(who, "moxie", 1, "k", ""), lambda who: e.DamageTaken(who, "damage", 1, "k", "", ""),
    lambda who: e.DamageHealed(who, "damage", 1, "k", "", ""), lambda who: e.WoundSuffered(who, "damage", 1, "wounds", "k", "", ""),
    lambda who: e.ConditionGained(who, "prone", None, "", "k", "", ""), lambda who: e.ConditionLost(who, "prone", ""),
    lambda who: roll(f"r1/{who}/x", who), lambda who: e.ChoiceRequested("k", who, (e.Option("a", "a"),), None, ""),
    lambda who: e.DiceRolled(f"r1/{who}/initiative", (1,), ("typed",)), lambda who: e.Chosen(f"r1/{who}/p1/act", "end", ""),
    lambda who: figure(f"r1/{who}/initiative"), lambda who: figure("r1/x", why=f"from {who}"),
    lambda who: figure("r1/x", value=f"at {who}"), lambda who: e.ModifierApplied("r1/x", 1, f"seen by {who}", ""),
    lambda who: figure("", who=who), lambda who: e.ConditionLost("bob", f"feinted_by_{who}", ""),
    lambda who: e.DisputeOpened("d1", f"{who}.damage", "", ""),
)  # fmt: skip


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: type(fact("ann")).__name__)
def test_all_that_is_so_of_a_hidden_one_is_as_hidden_as_they_are(fact: Callable[[str], Event]) -> None:
    for who, seen_by in ((ONE, KNOWN), (TWO, ()), ("ann", None)):
        assert audience(fact(who), so()) == seen_by


@pytest.mark.parametrize(
    ("event", "before", "seen_by"),
    [
        # actions of an actor: hidden if the actor is hidden, or declared them in secret
        (roll(f"{THEIRS}/to-hit", ONE), (DEED,), KNOWN),
        (roll(f"{THEIRS}/defend", "bob"), (DEED,), None),
        (roll(f"{HERS}/to-hit", "ann"), (SECRETLY,), ("ann",)),
        (roll(f"{HERS}/defend", "bob"), (SECRETLY,), None),
        (roll(f"{HERS}/notice", "bob"), (SPYING,), ("ann",)),
        (roll("r1/bob/initiative", "bob"), (), None),
        (e.ChoiceRequested(f"{THEIRS}/spot", "gm", (e.Option("a", "a"),), None, ""), (DEED,), KNOWN),
        (e.ChoiceRequested(f"{HERS}/spot", "gm", (e.Option("a", "a"),), None, ""), (SECRETLY,), ("ann",)),
        (e.ChoiceRequested(f"{HERS}/x", "bob", (e.Option("a", "a"),), None, ""), (SECRETLY,), None),
        (e.ActionSpent("ann", "quick", 1), (SECRETLY,), ("ann",)),
        (e.ActionSpent("bob", "quick", 1), (SECRETLY,), None),
        (e.ResourceSpent("ann", "ammo", 1, HERS, ""), (SECRETLY,), ("ann",)),
        (e.ResourceGained("ann", "ammo", 1, HERS, ""), (SECRETLY,), ("ann",)),
        # costs and gains: hidden like the roll or the action that they pay for
        (e.ResourceGained("bob", "ammo", 1, HERS, ""), (SECRETLY,), ("ann",)),
        (e.ResourceGained("bob", "ammo", 1, "k", ""), (SECRETLY,), None),
        (e.ResourceSpent("bob", "ammo", 1, HERS, ""), (OPENLY,), None),
        (e.ResourceSpent("bob", "ammo", 1, THEIRS, ""), (DEED,), KNOWN),
        (e.ResourceSpent("bob", "ammo", 1, f"{THEIRS}/x", ""), (DEED,), None),
        (e.ResourceGained("bob", "ammo", 1, f"{THEIRS}/x", ""), (DEED,), None),
        (e.ResourceSpent("ann", "ammo", 1, "k", ""), (SECRETLY,), ("ann",)),
        (e.ResourceGained("ann", "ammo", 1, "k", ""), (SECRETLY,), ("ann",)),
        # a score is hidden if its combatant is hidden
        (e.InitiativeScored("bob", 5, f"{THEIRS}/x", "", ""), (DEED,), None),
        (e.ResourceSpent("bob", "ammo", 1, HERS, ""), (SECRETLY, e.Declared(f"{HERS}/x", "x", "bob", {})), ("ann",)),
        (
            e.ResourceSpent("bob", "ammo", 1, HERS, ""),
            (OPENLY, e.Declared(f"{HERS}/x", "x", "bob", {}, seen_by=("bob",))),
            ("bob",),
        ),
        (e.ResourceSpent("bob", "edge", 1, f"{THEIRS}/to-hit", ""), (DEED, roll(f"{THEIRS}/to-hit", ONE)), KNOWN),
        (e.ResourceSpent("bob", "edge", 1, f"{THEIRS}/defend", ""), (DEED, roll(f"{THEIRS}/defend", "bob")), None),
        (e.ActionSpent("bob", "quick", 1), (DEED,), None),
        # answers and figures, by the roller
        (e.DiceRolled(f"{THEIRS}/to-hit", (1,), ("typed",)), (DEED, roll(f"{THEIRS}/to-hit", ONE)), KNOWN),
        (e.DiceRolled(f"{THEIRS}/defend", (1,), ("typed",)), (DEED, roll(f"{THEIRS}/defend", "bob")), None),
        (figure(f"{THEIRS}/damage"), (DEED,), KNOWN),
        (figure(THEIRS), (DEED,), KNOWN),
        (figure(f"{HERS}/damage"), (SECRETLY,), ("ann",)),
        (figure(f"{HERS}2/damage"), (SECRETLY,), None),
        (figure(f"{HERS}/damage"), (OPENLY,), None),
        (figure(f"{HERS}/damage"), (SECRETLY, e.Declared("r1/bob/a1/x", "x", "bob", {})), ("ann",)),
        (figure(f"{HERS}/x/damage"), (SECRETLY, e.Declared(f"{HERS}/x", "x", "bob", {}, seen_by=("bob",))), ("bob",)),
        (e.ExchangeEnded(HERS, "hit"), (SECRETLY,), ("ann",)),
        (e.ExchangeEnded(THEIRS, "hit"), (DEED,), KNOWN),
        (e.ExchangeEnded(HERS, "hit"), (OPENLY,), None),
        (e.Noted(f"{ONE} is here", ONE), (DEED,), None),
        # an actor who was hidden when they declared it, and is revealed now
        (figure(f"{THEIRS}/damage"), (DEED, e.NameGiven(ONE, "Razor")), None),
        (figure(f"{THEIRS}/damage"), (DEED, e.NameGiven(ONE, "Razor", seen_by=("bob",))), ("bob", "cem")),
    ],
)
def test_what_happens_in_an_action_is_as_hidden_as_who_does_it(
    event: Event, before: tuple[Event, ...], seen_by: Audience
) -> None:
    assert audience(event, so(*before)) == seen_by


def test_who_is_asked_in_the_same_entry_counts_as_well() -> None:
    asked = roll(f"{THEIRS}/defend", "bob")

    assert audience(e.DiceRolled(f"{THEIRS}/defend", (1,), ("typed",)), so(DEED), (asked,)) is None
    assert audience(e.Chosen(f"{THEIRS}/how", "a", ""), so(DEED), (e.ChoiceRequested(f"{THEIRS}/how", "bob", (e.Option("a", "a"),), None, ""),)) is None  # fmt: skip


@pytest.mark.parametrize("name", ["base", "target"])
def test_a_sum_is_of_whoever_it_is_found_for_until_somebody_else_is_asked_for_the_roll(name: str) -> None:
    key = f"{THEIRS}/defend"
    theirs, nobodys = (e.FigureFound(key, name, 40, "", "", "exchange", who) for who in ("bob", ""))

    assert audience(figure(key), so(DEED), (theirs,)) is None
    assert audience(figure(key), so(DEED), (nobodys,)) == KNOWN
    assert audience(figure(key), so(DEED), (e.FigureFound(key, "dv", 4, "", "", "exchange", "bob"),)) == KNOWN
    assert audience(figure(key), so(DEED), (theirs, roll(key, ONE))) == KNOWN
    assert audience(figure(key), so(DEED, roll(key, ONE)), (theirs,)) == KNOWN


def test_where_turns_are_shown_it_is_told_whose_they_are() -> None:
    for event in (e.TurnBegan(ONE), e.TurnEnded(ONE)):
        assert audience(event, so()) == KNOWN
        assert audience(event, so(hidden_turns="nothing")) == KNOWN
        assert audience(event, so(hidden_turns="someone")) is None
    assert audience(e.ActionSpent(ONE, "quick", 1), so(hidden_turns="someone")) == KNOWN


@pytest.mark.parametrize(
    ("acting", "seen_by"),
    [((ONE,), KNOWN), ((ONE, TWO), ()), ((ONE, "ann"), None), (("ann",), None), ((), None)],
)
def test_a_pass_in_which_only_hidden_ones_act_is_hidden_unless_turns_are_shown(
    acting: tuple[str, ...], seen_by: Audience
) -> None:
    given: list[Combat] = []

    def waiting(combat: Combat) -> tuple[str, ...]:
        given.append(combat)
        return acting

    game = msgspec.structs.replace(GAME, waiting=waiting)
    noted = e.TurnBegan("ann")

    assert told(noted, e.PassBegan(2), game=game)[-1].seen_by == seen_by
    assert given[-1] == fold((noted, e.PassBegan(2)), so())
    assert told(e.PassBegan(2), before=so(hidden_turns="someone"), game=game)[-1].seen_by is None
    assert told(e.PassBegan(2))[-1].seen_by is None


# ------------------------------------------------------------------------------------------------ who becomes hidden, or known


def test_whoever_joins_in_secret_is_hidden_from_then_on() -> None:
    combat = fold(PEOPLE[:2])
    event = figure(f"r1/{ONE}/initiative")

    assert [each.seen_by for each in told(PEOPLE[2], event, before=fold((*PEOPLE[:2], PEOPLE[3])))] == [KNOWN, KNOWN]
    openly = e.CombatantJoined(ONE, "Razor", "gm", False)
    assert [each.seen_by for each in told(openly, event, before=fold((*PEOPLE[:2], PEOPLE[3])))] == [None, None]
    assert told(PEOPLE[2], figure(f"r1/{TWO}/x"), before=fold((*PEOPLE[:2], PEOPLE[3])))[-1].seen_by == ()
    secret = e.CombatantJoined("razor", "Razor", "gm", False, seen_by=())
    assert told(secret, figure("r1/razor/x"), before=so())[-1].seen_by is None
    assert told(event, before=combat) == [event]


def test_whoever_is_named_is_known_to_those_who_hear_it() -> None:
    event = figure(f"r1/{ONE}/initiative")

    assert told(e.NameGiven(ONE, "Razor", seen_by=("bob",)), event)[-1].seen_by == ("bob", "cem")
    assert told(e.NameGiven(ONE, "Razor"), event)[-1].seen_by is None
    assert told(e.NameGiven(ONE, "Razor"), figure(f"r1/{TWO}/initiative"))[-1].seen_by == ()
    assert told(e.NameGiven("ann", "Ann"), event)[-1].seen_by == KNOWN


def test_where_nobody_is_hidden_and_nothing_is_done_in_secret_all_stays_as_it_is() -> None:
    plain = fold(PEOPLE[:2])
    events = (e.StepEntered("attack", "1", 0), OPENLY, figure(f"{HERS}/damage"), e.ExchangeEnded(HERS, "missed"))

    assert conceal(events, plain, GAME) is events
    assert told(SECRETLY, figure(f"{HERS}/damage"), before=plain)[-1].seen_by == ("ann",)
    assert told(figure(f"{HERS}/damage"), before=fold((SECRETLY,), plain))[-1].seen_by == ("ann",)


# ------------------------------------------------------------------------------------------------ declarations and ends


def test_a_declaration_is_seen_by_those_who_know_and_noticed_by_the_others() -> None:
    seen = told(DEED, figure(f"{THEIRS}/damage"), e.ExchangeEnded(THEIRS, "hit"), figure("r1/x"))

    assert seen[0] == e.Noted("Someone shoots at Bob.", THEIRS)
    assert [each.seen_by for each in seen[1:]] == [KNOWN, KNOWN, KNOWN, None]
    assert msgspec.structs.replace(seen[1], seen_by=None) == DEED
    at_one = e.Declared(HERS, "attack", "ann", {"at": TWO})
    assert [each.seen_by for each in told(at_one)] == [("ann",)]
    assert told(at_one, figure(f"{HERS}/damage"))[-1].seen_by == ("ann",)


def ended(before: Combat, key: str = THEIRS, outcome: str = "missed") -> list[Event]:
    """Returns what is yielded before the end of an exchange."""
    *notes, end = told(e.ExchangeEnded(key, outcome), before=before)
    assert isinstance(end, e.ExchangeEnded)
    return notes


def notes(whom: str = "Bob", key: str = THEIRS) -> list[Event]:
    return [e.Noted(f"Someone misses {whom}.", key)]


def declared(key: str, by: str, at: Any, kind: str = "attack", seen_by: Audience = None) -> Event:
    return e.Declared(key, kind, by, {"at": at}, seen_by=seen_by)


def test_how_a_hidden_attack_ended_is_noticed_by_whom_it_was_made_on() -> None:
    assert ended(so(DEED)) == notes()
    assert ended(so(DEED), outcome="hit") == []
    assert ended(so(declared(THEIRS, ONE, "bob", kind="aim"))) == []
    assert ended(so(declared(THEIRS, ONE, TWO))) == []
    assert ended(so(declared(THEIRS, ONE, ["bob"]))) == []
    assert ended(so(e.Declared(THEIRS, "attack", ONE, {}))) == []
    assert ended(so(DEED, e.NameGiven(ONE, "Razor"))) == []


def test_how_a_secret_attack_ended_is_noticed_where_its_victim_rolled() -> None:
    rolled = roll(f"{HERS}/defend", "bob")

    assert ended(so(SECRETLY), HERS) == []
    assert ended(so(SECRETLY, rolled), HERS) == notes(key=HERS)
    assert ended(so(SECRETLY, roll(f"{HERS}/to-hit", "ann")), HERS) == []
    assert ended(so(SECRETLY, roll(f"{HERS}2/defend", "bob")), HERS) == []
    assert ended(so(OPENLY, rolled), HERS) == []


def test_after_an_inner_action_ended_the_outer_one_goes_on() -> None:
    inner = declared(f"{HERS}/x", "bob", "ann")
    seen = told(e.ExchangeEnded(f"{HERS}/x", "hit"), e.ActionSpent("ann", "quick", 1), before=so(SECRETLY, inner))

    assert [each.seen_by for each in seen] == [None, ("ann",)]


def test_an_end_of_nothing_is_told_as_it_is() -> None:
    assert told(e.ExchangeEnded(HERS, "missed")) == [e.ExchangeEnded(HERS, "missed")]


# ------------------------------------------------------------------------------------------------ harm


HARM: tuple[Callable[[str, str], Event], ...] = (
    lambda why, key: e.DamageTaken("bob", "damage", 1, key, why, ""), lambda why, key: e.DamageHealed("bob", "damage", 1, key, why, ""),
    lambda why, key: e.WoundSuffered("bob", "damage", 1, "wounds", key, why, ""),
    lambda why, key: e.WoundHealed("bob", "damage", 1, "wounds", key, why, ""),
    lambda why, key: e.ConditionGained("bob", "prone", 2, "", key, why, ""),
)  # fmt: skip


@pytest.mark.parametrize("harm", HARM, ids=lambda harm: type(harm("", "")).__name__)
def test_harm_is_told_without_why_where_that_would_tell_of_something_hidden(harm: Callable[[str, str], Event]) -> None:
    for before in (so(DEED), so(SECRETLY)):
        assert told(harm("7 - 2", "k"), before=before) == [harm("", "k")]
    for before in (so(), so(OPENLY)):
        assert told(harm("7 - 2", "k"), before=before) == [harm("7 - 2", "k")]
        assert told(harm(f"shot by {ONE}", "k"), before=before) == [harm("", "k")]
        assert told(harm("7 - 2", f"r1/{ONE}/x"), before=before) == [harm("", f"r1/{ONE}/x")]
    secret = msgspec.structs.replace(harm("7 - 2", "k"), seen_by=("bob",))
    assert told(secret, before=so(DEED)) == [secret]


def test_a_condition_that_ends_with_a_hidden_one_is_told_without_that() -> None:
    gained = e.ConditionGained("bob", "dazed", 2, f"end of {ONE}", "", "by 2", "")

    assert told(gained) == [
        e.ConditionGained("bob", "dazed", 2, "", "", "", ""), msgspec.structs.replace(gained, seen_by=KNOWN),
    ]  # fmt: skip
    assert told(e.ConditionLost("bob", "dazed", f"end of {ONE}")) == [e.ConditionLost("bob", "dazed", "")]


def test_where_a_hidden_attack_hit_is_told_with_the_harm() -> None:
    place, harm = e.FigureFound(f"{THEIRS}/hit", "location", "arm", "5", "", "exchange", ONE), HARM[0]("7 - 2", "k")
    openly = e.FigureFound(f"{THEIRS}/hit", "location", "arm", "", "", "exchange", "bob")

    assert told(place, harm, before=so(DEED))[1:] == [openly, harm_without(harm)]
    assert told(harm, before=so(DEED, place)) == [openly, harm_without(harm)]
    theirs = e.DamageTaken(ONE, "damage", 1, "k", "", "")
    assert told(theirs, before=so(DEED, place)) == [msgspec.structs.replace(theirs, seen_by=KNOWN)]
    opened = e.FigureFound(f"{HERS}/hit", "location", "arm", "5", "", "exchange", "ann")
    assert told(harm, before=so(OPENLY, opened)) == [harm]
    assert told(harm, before=so(OPENLY, opened, DEED)) == [harm_without(harm)]  # the place is of another attack


def harm_without(harm: Any) -> Event:
    return msgspec.structs.replace(harm, why="")


# ------------------------------------------------------------------------------------------------ choices and beginnings


def test_a_choice_and_a_beginning_are_told_without_whoever_is_hidden() -> None:
    options = (e.Option("ann", "Ann"), e.Option(ONE, "him"))
    asked = e.ChoiceRequested("k", "bob", options, None, "")
    begun = e.CombatBegan(1, {"ambushers": ["ann", ONE]})

    assert told(asked) == [
        e.ChoiceRequested("k", "bob", options[:1], None, ""), msgspec.structs.replace(asked, seen_by=KNOWN),
    ]  # fmt: skip
    assert told(begun) == [e.CombatBegan(1, {"ambushers": ["ann"]}), msgspec.structs.replace(begun, seen_by=KNOWN)]
    theirs = e.ChoiceRequested("k", ONE, options, None, "")
    assert told(theirs) == [msgspec.structs.replace(theirs, seen_by=KNOWN)]


# ------------------------------------------------------------------------------------------------ the order


ORDER = e.OrderFixed((("ann", 9), (ONE, 8), ("bob", 7)))
PUBLIC = e.OrderFixed((("ann", 9), ("bob", 7)))


def test_the_order_is_told_without_whoever_is_hidden() -> None:
    assert [each.order for each in told(ORDER) if isinstance(each, e.OrderFixed)] == [
        PUBLIC.order, ORDER.order, ORDER.order,
    ]  # fmt: skip
    assert [each.seen_by for each in told(ORDER)] == [None, KNOWN, ()]
    (public, *_) = told(ORDER, before=so(hidden_turns="someone"))
    assert public == e.OrderFixed((("ann", 9), (ONE, 0), ("bob", 7)))


def scored(who: str) -> Event:
    return e.InitiativeScored(who, 8, "", "", "")


@pytest.mark.parametrize(
    ("upto", "is_told"),
    [
        ((scored(ONE),), False),
        ((e.Adjusted(ONE, "initiative", 3, 8, ""),), False),
        ((e.NameGiven(ONE, "Razor", seen_by=("dan",)),), False),
        ((scored(ONE), scored("ann")), True),
        ((scored("ann"), scored(ONE)), True),
        ((scored("ann"),), True),
        ((), True),
        ((scored("ann"), PUBLIC, scored(ONE)), False),
        ((scored(ONE), PUBLIC, scored("ann")), True),
        ((scored(ONE), PUBLIC), True),
    ],
)
def test_an_order_that_changed_for_hidden_ones_alone_is_not_told_again(upto: tuple[Event, ...], is_told: bool) -> None:
    seen = told(*upto, ORDER, before=so(e.OrderFixed((("ann", 9), ("bob", 7), (ONE, 3)))))
    orders = [each for each in seen if isinstance(each, e.OrderFixed)][1 if PUBLIC in upto else 0 :]

    assert (orders[0] == PUBLIC) is is_told
    assert orders[-1] == e.OrderFixed(ORDER.order, seen_by=())


# ------------------------------------------------------------------------------------------------ boxes


BOX = e.StepEntered("attack", "1", 1)


def boxes(*events: Event, before: Combat) -> list[Audience]:
    return [each.seen_by for each in told(*events, before=before) if isinstance(each, e.StepEntered)]


@pytest.mark.parametrize(
    ("events", "seen_by"),
    [
        ((BOX, figure(f"r1/{ONE}/x")), [KNOWN]),
        ((BOX, figure("r1/x")), [None]),
        ((BOX,), [None]),
        ((BOX, BOX, figure(f"r1/{TWO}/x")), [(), ()]),
        ((BOX, BOX), [None, None]),
        ((BOX, figure(f"r1/{ONE}/x"), figure(f"r1/{TWO}/x")), [KNOWN]),
        ((BOX, figure(f"r1/{ONE}/x"), figure("r1/x")), [None]),
        ((BOX, figure(f"r1/{TWO}/x"), BOX, figure("r1/x")), [(), None]),
        ((figure("r1/x"), BOX, figure(f"r1/{ONE}/x"), BOX, figure(f"r1/{TWO}/x")), [KNOWN, ()]),
        ((msgspec.structs.replace(BOX, seen_by=("bob",)), figure("r1/x")), [("bob",)]),
        ((msgspec.structs.replace(BOX, seen_by=("bob",)), figure(f"r1/{TWO}/x")), [("bob",)]),
    ],
)
def test_a_box_is_shown_to_those_who_see_what_it_leads_to(events: tuple[Event, ...], seen_by: list[Audience]) -> None:
    assert boxes(*events, before=so()) == seen_by


def test_a_box_of_a_hidden_action_is_as_hidden_as_that() -> None:
    assert boxes(BOX, figure("r1/x"), before=so(DEED)) == [KNOWN]
    assert boxes(BOX, figure("r1/x"), before=so(SECRETLY)) == [("ann",)]
    assert boxes(BOX, figure("r1/x"), before=so(OPENLY)) == [None]
