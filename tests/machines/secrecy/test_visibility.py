"""Visibility of secrets: each kind of event, each audience, each way of revealing it later."""

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from ledger import events as e
from ledger.audience import EVERYTHING, Viewer, shared
from ledger.commands import Adjust, Choose, Command, Declare, DrawDice, Join, Note, Reveal, SettleDispute, TypeDice
from ledger.commands import OpenDispute as Dispute
from ledger.entry import Entry, Seat, Who
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import ruleset
from machines.secrecy.visibility import hide
from projections.combat import Combat, fold
from projections.views.seen import hidden_parts, redacted, shown, viewer
from replays.api.session import Session

GAME = ruleset("eclipse_phase_1e")
KIRA = Who("kira", Seat.PLAYER)
GM_ALONE: tuple[str, ...] = ()
OPEN = (e.CombatantJoined("ann", "Ann", "gm", False), e.CombatantJoined("bob", "Bob", "kira", False))
SECRET_SHEET = e.SheetGiven("ann", {}, seen_by=GM_ALONE)
ROLL = "r1/ann/a1/attack/to-hit"
SECRET_ROLL = (e.RollRequested(ROLL, "ann", "1d100", "to hit", "r1/ann/a1/attack"), e.DiceRolled(ROLL, (7,), ("typed",), seen_by=GM_ALONE))  # fmt: skip
ENDED = TypeDice(ROLL, (7,))

BETWEEN: tuple[e.Event, ...] = (
    e.FigureFound(ROLL, "base", 40, "skill", "", "exchange", "ann"), e.ModifierApplied(ROLL, 20, "superior position", ""),
    e.TestResolved(ROLL, 40, 60, 7, 53, "success", ""), e.ReadingChanged(ROLL, (7,), (70,), "flipped", ""),
    e.Overruled(ROLL, "target", 60, 70, "so be it"),
)  # fmt: skip
HARM: tuple[e.Event, ...] = (
    e.DamageTaken("bob", "damage", 5, ROLL, "7 - 2", ""), e.DamageHealed("bob", "damage", 5, ROLL, "7 - 2", ""),
    e.WoundSuffered("bob", "damage", 1, "wounds", ROLL, "5 of 5", ""), e.WoundHealed("bob", "damage", 1, "wounds", ROLL, "5 of 5", ""),
    e.ConditionGained("bob", "prone", None, "", ROLL, "by 5", ""),
)  # fmt: skip
OF_A_SHEET: tuple[e.Event, ...] = (
    e.TrackOpened("ann", "damage", 30), e.ResourceOpened("ann", "moxie", 3, 3),
    e.InitiativeScored("ann", 70, "r1/ann/initiative", "60 + 10", ""),
)  # fmt: skip


def so(*events: e.Event) -> Combat:
    return fold((*OPEN, *events), Combat())


def hidden(events: Iterable[e.Event], command: Command, before: Combat) -> list[tuple[e.Event, e.Audience]]:
    """Returns the redacted events without their audiences, each beside its audience."""
    return [
        (msgspec.structs.replace(each, seen_by=None), each.seen_by)
        for each in hide(tuple(events), command, before, GAME)
    ]


def named(value: object) -> str:
    return type(value).__name__


# ------------------------------------------------------------------------------------------------ figures between


READ_OFF_DICE = tuple(each for each in BETWEEN if isinstance(each, e.TestResolved | e.ReadingChanged))


@pytest.mark.parametrize(
    ("event", "secret"),
    [*((each, (SECRET_SHEET,)) for each in BETWEEN), *((each, SECRET_ROLL) for each in READ_OFF_DICE)],
)
def test_a_figure_between_is_as_secret_as_what_it_comes_from(event: e.Event, secret: tuple[e.Event, ...]) -> None:
    asked = e.RollRequested(ROLL, "ann", "1d100", "to hit", "r1/ann/a1/attack")
    before = so(asked, *secret)
    if isinstance(event, e.ReadingChanged) and secret == (SECRET_SHEET,):
        event = msgspec.structs.replace(event, key=ROLL)
    assert (event, GM_ALONE) in hidden([event], ENDED, before)
    assert hide((event,), ENDED, so(asked), GAME) == (event,)


@pytest.mark.parametrize(
    "event", [each for each in BETWEEN if isinstance(each, e.ReadingChanged | e.TestResolved)], ids=named
)
def test_what_a_secret_roll_was_read_as_has_the_audience_of_the_roll(event: e.Event) -> None:
    dice = msgspec.structs.replace(SECRET_ROLL[1], seen_by=("bob",))
    assert hidden([event], ENDED, so(SECRET_ROLL[0], dice)) == [(event, ("bob",))]


def test_of_the_audiences_of_several_secrets_those_see_who_are_in_all() -> None:
    sheet = msgspec.structs.replace(SECRET_SHEET, seen_by=("bob", "cem"))
    dice = msgspec.structs.replace(SECRET_ROLL[1], seen_by=("cem", "dan"))
    assert (BETWEEN[2], ("cem",)) in hidden(
        [BETWEEN[2]], Note("x", seen_by=("ann", "cem")), so(sheet, SECRET_ROLL[0], dice)
    )


@pytest.mark.parametrize("event", HARM, ids=named)
@pytest.mark.parametrize("secret", [(SECRET_SHEET, SECRET_ROLL[0]), SECRET_ROLL], ids=["sheet", "roll"])
def test_harm_is_told_and_how_it_was_added_up_is_not(event: Any, secret: tuple[e.Event, ...]) -> None:
    assert hide((event,), ENDED, so(*secret), GAME) == (msgspec.structs.replace(event, why=""),)
    assert hide((event,), ENDED, so(), GAME) == (event,)


@pytest.mark.parametrize("event", OF_A_SHEET, ids=named)
def test_what_stands_on_a_sheet_is_as_secret_as_the_sheet(event: Any) -> None:
    for seen_by in (GM_ALONE, ("bob",)):
        sheet = msgspec.structs.replace(SECRET_SHEET, seen_by=seen_by)
        assert (event, seen_by) in hidden([event], Note("x"), so(sheet))
        assert (event, seen_by) in hidden([sheet, event], Join("ann", {}, sheet_seen_by=seen_by), so())
    theirs = msgspec.structs.replace(event, who="bob")
    assert hide((theirs,), Note("x"), so(SECRET_SHEET), GAME) == (theirs,)


def test_who_rolls_who_acts_and_who_is_harmed_makes_a_figure_secret() -> None:
    figure = e.FigureFound("r1/bob/a1/attack", "dv", 9, "2d10", "", "exchange", "bob")
    asked = SECRET_ROLL[0]
    declared = e.Declared("r1/ann/a1/attack", "attack", "ann", {})
    assert (figure, GM_ALONE) in hidden([asked, figure], Note("x"), so(SECRET_SHEET))
    assert (figure, GM_ALONE) in hidden([figure], Note("x"), so(SECRET_SHEET, declared))
    hurt = e.DamageTaken("ann", "damage", 5, "", "7 - 2", "")
    assert hide((hurt,), Note("x"), so(SECRET_SHEET), GAME) == (msgspec.structs.replace(hurt, why=""),)
    assert hide((figure,), Note("x"), so(SECRET_SHEET), GAME) == (figure,)


def test_what_a_die_is_read_as_is_hidden_with_the_die_also_in_the_entry_that_throws_it() -> None:
    rolled, read = e.DiceRolled(ROLL, (7,), ("typed",)), BETWEEN[2]
    thrown = msgspec.structs.replace(rolled, seen_by=GM_ALONE)
    told = hidden([thrown, read], TypeDice(ROLL, (7,), seen_by=()), so(SECRET_ROLL[0]))
    assert told == [(e.DiceRolled(ROLL, (), ()), None), (rolled, ()), (read, ())]


def test_a_die_that_is_thrown_again_under_a_secret_key_is_as_secret() -> None:
    rolled = e.DiceRolled(ROLL, (9,), ("typed",))
    assert hidden([rolled], Note("x"), so(*SECRET_ROLL)) == [(e.DiceRolled(ROLL, (), ()), None), (rolled, ())]


def test_each_secret_roll_is_read_by_those_who_see_it() -> None:
    dice = msgspec.structs.replace(SECRET_ROLL[1], seen_by=("bob",))
    other = e.RollRequested("r1/ann/a1/attack/defend", "bob", "1d100", "defend", "r1/ann/a1/attack")
    theirs = e.DiceRolled(other.key, (7,), ("typed",), seen_by=())
    assert (BETWEEN[2], ("bob",)) in hidden([BETWEEN[2]], ENDED, so(SECRET_ROLL[0], dice, other, theirs))


# ------------------------------------------------------------------------------------------------ twins


def test_a_secret_roll_is_thrown_for_everybody_and_read_by_few() -> None:
    rolled = e.DiceRolled(ROLL, (7,), ("typed",))
    for command in (TypeDice(ROLL, (7,), seen_by=("bob",)), DrawDice(ROLL, seen_by=("bob",))):
        told = hidden([rolled, e.StepEntered("attack", "2", 0)], command, so(SECRET_ROLL[0]))
        assert told == [(e.DiceRolled(ROLL, (), ()), None), (rolled, ("bob",)), (e.StepEntered("attack", "2", 0), None)]


def test_a_secret_answer_is_given_for_everybody() -> None:
    chosen = e.Chosen("k", "dodge", "quickly")
    assert hidden([chosen], Choose("k", "dodge", seen_by=()), so()) == [(e.Chosen("k", "", ""), None), (chosen, ())]


def test_of_a_choice_that_comes_from_something_secret_everybody_sees_between_what() -> None:
    asked = e.ChoiceRequested(
        "k", "ann", (e.Option("full_dodge", "Dodge 67", 67), e.Option("none", "none")), "none", "how"
    )
    twin = e.ChoiceRequested(
        "k", "ann", (e.Option("full_dodge", "full dodge"), e.Option("none", "none")), "none", "how"
    )
    assert hidden([asked], Note("x"), so(SECRET_SHEET)) == [(twin, None), (asked, ())]
    plain = msgspec.structs.replace(asked, options=asked.options[1:])
    assert hide((plain,), Note("x"), so(SECRET_SHEET), GAME) == (plain,)
    others = msgspec.structs.replace(asked, by="bob")
    assert hide((others,), Note("x"), so(SECRET_SHEET), GAME) == (others,)
    assert hidden([others], Note("x"), so(*SECRET_ROLL)) == [(others, None)]  # Bob's choice; no part is marked


def test_what_was_asked_in_secret_is_secret_whole() -> None:
    note = e.Noted("psst", "")
    assert hidden([note], Note("psst", seen_by=("bob",)), so()) == [(note, ("bob",))]
    assert hidden([msgspec.structs.replace(note, seen_by=("bob", "ann"))], Note("x", seen_by=("bob",)), so()) == [
        (note, ("bob",))
    ]


def test_a_combatant_who_joins_with_a_secret_sheet_is_there_for_all() -> None:
    joined = OPEN[0]
    assert hide((joined,), Join("ann", {}, seen_by=()), so(), GAME) == (
        joined,
    )  # the rules already decided its audience


# ------------------------------------------------------------------------------------------------ what ends it


def test_what_ends_something_secret_is_as_secret() -> None:
    gained = e.ConditionGained("bob", "feinted_by_ann", 7, "", "", "a feint", "", seen_by=GM_ALONE)
    before = so(
        gained, e.ResourceOpened("ann", "ammo", 9, 9, seen_by=("bob",)), e.DisputeOpened("d1", "r1", "", "", seen_by=())
    )
    ends: list[tuple[e.Event, e.Audience]] = [
        (e.ConditionLost("bob", "feinted_by_ann", "was attacked"), ()),
        (e.Adjusted("bob", "conditions.feinted_by_ann", 7, None, "over"), ()),
        (e.ResourceSpent("ann", "ammo", 3, "", "a burst"), ("bob",)), (e.ResourceGained("ann", "ammo", 3, "", "reloads"), ("bob",)),
        (e.DisputeSettled("d1", "upheld", None, "no"), ()),
    ]  # fmt: skip
    for event, seen_by in ends:
        assert hidden([event], Note("x"), before) == [(event, seen_by)]
        assert hide((event,), Note("x"), so(), GAME) == (event,)
    for other in (e.ConditionLost("ann", "feinted_by_ann", ""), e.Adjusted("bob", "wounds", 0, 1, ""), e.Adjusted("bob", "conditions.prone", 0, 1, "")):  # fmt: skip
        assert hide((other,), Note("x"), before, GAME) == (other,)


def test_how_much_is_left_of_something_secret_stays_secret() -> None:
    spent = e.ResourceSpent("ann", "ammo", 3, "", "")
    for more in (spent, e.ResourceGained("ann", "ammo", 1, "", ""), e.Adjusted("ann", "resources.ammo", 9, 4, "")):
        before = so(e.ResourceOpened("ann", "ammo", 9, 9, seen_by=()), more)
        assert hidden([spent], Note("x"), before) == [(spent, ())]


def fight() -> Session:
    session = Session.create(MemoryStore(), ruleset="eclipse_phase_1e", clock=lambda: "2025-01-01T00:00:00Z")
    sheet = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
    session.perform(Join("ann", sheet))
    session.perform(Join("bob", sheet, player="kira"))
    return session


@pytest.mark.parametrize(
    ("secret", "ends"),
    [
        (
            Adjust("bob", "conditions.cursed", 3, "a hex", seen_by=()),
            Adjust("bob", "conditions.cursed", None, "unhexed"),
        ),
        (Dispute("bob.wounds", "hush", seen_by=()), SettleDispute("d1", "upheld", "it stands")),
    ],
    ids=["condition", "dispute"],
)
def test_a_command_that_ends_something_secret_is_as_secret(secret: Command, ends: Command) -> None:
    session = fight()
    session.perform(Adjust("bob", "wounds", 1, "a fall"))
    session.perform(secret)
    entry = session.perform(ends, batch="k")
    assert entry.command.seen_by == ()
    assert {event.seen_by for event in entry.events} == {()}
    assert session.perform(ends, batch="k") == entry
    other = session.perform(Adjust("bob", "conditions.prone", 1, "trips"))
    assert other.command.seen_by is None


# ------------------------------------------------------------------------------------------------ eyes


def test_who_may_see_what() -> None:
    kira, nobody, zoe = (
        Viewer(Seat.PLAYER, frozenset({"bob"})),
        Viewer(Seat.PLAYER),
        Viewer(Seat.SPECTATOR, frozenset({"bob"})),
    )
    for eyes, seen_by, may in [
        (EVERYTHING, (), True), (EVERYTHING, ("bob",), True), (EVERYTHING, None, True), (kira, None, True), (kira, (), False),
        (kira, ("bob",), True), (kira, ("ann", "bob"), True), (kira, ("ann",), False), (nobody, ("bob",), False),
        (nobody, None, True), (zoe, None, True), (zoe, ("bob",), False), (zoe, (), False),
    ]:  # fmt: skip
        assert eyes.may_see(seen_by) is may, (eyes, seen_by)
    assert shared([("ann", "bob"), None, ("bob", "ann", "cem")]) == ("ann", "bob")
    assert shared([]) is None
    assert Viewer() == EVERYTHING


def test_whose_eyes_are_whose() -> None:
    combat = so()
    assert viewer(Who("kira", Seat.PLAYER), combat) == Viewer(Seat.PLAYER, frozenset({"bob"}))
    assert viewer(Who("kira", Seat.SPECTATOR), combat) == Viewer(Seat.SPECTATOR)
    assert viewer(Who("gm", Seat.PLAYER), combat) == Viewer(Seat.PLAYER)
    assert viewer(Who("kira", Seat.GM), combat) == Viewer(Seat.GM)


def entry_of(command: Command, *events: e.Event) -> Entry:
    return Entry(v=2, seq=1, after=0, at="", by=Who("gm"), rules_version=1, origin=None, command=command, events=events)


def test_the_parts_of_an_entry_that_are_hidden() -> None:
    eyes = Viewer(Seat.PLAYER, frozenset({"bob"}))
    note, secret = e.Noted("x", ""), e.Noted("y", "", seen_by=())
    assert hidden_parts(entry_of(Note("x"), note, secret, note), eyes) == (2,)
    assert hidden_parts(entry_of(Note("x", seen_by=()), secret, note), eyes) == (0, 1)
    assert hidden_parts(entry_of(Join("ann", {}, sheet_seen_by=()), note), eyes) == (0,)
    assert hidden_parts(entry_of(Join("ann", {}, seen_by=(), sheet_seen_by=()), secret), eyes) == (0, 1)
    assert hidden_parts(entry_of(Join("ann", {}, sheet_seen_by=("bob",)), note), eyes) == ()
    assert redacted(entry_of(Note("x"), note, secret), eyes).events == (note,)
    assert list(shown([entry_of(Note("x"), secret), entry_of(Note("x"), note)], eyes)) == [note]


# ------------------------------------------------------------------------------------------------ revealed later


def told_of(session: Session, who: Who = KIRA) -> list[str]:
    """Returns the texts of the notes that a person sees."""
    eyes = viewer(who, session.combat)
    entries = map(session.log.disclosures.entry, session.entries())
    return [event.text for event in shown(entries, eyes) if isinstance(event, e.Noted)]


def test_a_secret_is_told_whole_or_in_part_to_all_or_to_some() -> None:
    session = fight()
    seq = session.perform(Note("psst", seen_by=())).seq
    assert told_of(session) == []
    session.perform(Reveal(seq, to=("ann",)))
    assert told_of(session) == []
    session.perform(Reveal(seq, parts=(1,), to=("bob",)))
    assert told_of(session) == ["psst"]
    assert told_of(session, Who("zoe", Seat.SPECTATOR)) == []
    kira = viewer(Who("kira", Seat.PLAYER), session.combat)
    assert hidden_parts(session.log.disclosures.entry(session.log.entry(seq)), kira) == (0,)
    entry = session.perform(Reveal(seq, parts=(0, 1)))
    assert entry.command == Reveal(seq, parts=(0, 1))
    assert told_of(session, Who("zoe", Seat.SPECTATOR)) == ["psst"]


@pytest.mark.parametrize(
    ("reveal", "where", "accepts"),
    [
        (Reveal(4, parts=(2,)), "parts", "0, 1"), (Reveal(4, to=("eve",)), "to", "ann, bob"),
        (Reveal(4, to=("ann", "eve")), "to", "ann, bob"), (Reveal(2), "parts", "an entry that hides something"),
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_refused_with_what_can(reveal: Reveal, where: str, accepts: str) -> None:
    session = fight()
    session.perform(Note("psst", seen_by=()))
    with pytest.raises(Refused) as refusal:
        session.perform(reveal)
    assert (refusal.value.slug, refusal.value.where, refusal.value.accepts) == ("reveal/nothing", where, accepts)


def test_a_view_that_is_kept_knows_what_was_told_and_undone_since() -> None:
    """Checks that a cached view equals the view of a newly opened session."""
    session = fight()
    eyes = viewer(Who("kira", Seat.PLAYER), session.combat)

    def is_fresh() -> bool:
        again = Session(session.log.store, session.id)
        heads = [session.log.head, *session.log.timeline.line()]
        return all(session.seen(eyes, head) == again.seen(eyes, head) for head in heads)

    seq = session.perform(Adjust("bob", "wounds", 2, "a trap", seen_by=())).seq
    assert session.seen(eyes).wounds.count("bob") == 0
    assert is_fresh()
    session.perform(Reveal(seq))
    assert session.seen(eyes).wounds.count("bob") == 2
    assert is_fresh()
    session.undo()
    session.undo()
    assert session.seen(eyes).wounds.count("bob") == 0
    assert is_fresh()
    session.perform(Adjust("bob", "wounds", 1, "a fall"))
    assert session.seen(eyes).wounds.count("bob") == 1
    assert is_fresh()
    for one in range(40):  # other viewers fill the cache
        session.seen(Viewer(Seat.PLAYER, frozenset({f"somebody-{one}"})))
    assert session.seen(eyes).wounds.count("bob") == 1
    assert session.seen(EVERYTHING) is session.combat


def test_a_declaration_in_secret_is_hidden_whole() -> None:
    declared = e.Declared("r1/ann/a1/wait", "wait", "ann", {})
    assert hidden([declared], Declare("wait", "ann", seen_by=()), so()) == [(declared, ())]
