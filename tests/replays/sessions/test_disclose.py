"""Which parts of which entries a `Reveal` discloses, and to which viewers."""

import msgspec
import pytest

from ledger import events as e
from ledger.chain import genesis
from ledger.commands import Adjust, Command, Declare, Join, Note, Reveal, TypeDice
from ledger.entry import Who
from ledger.errors import NoSuchEntry
from ledger.events import Audience, Event
from ledger.stores.memory import MemoryStore
from replays.sessions.disclose import NothingHidden, beside, filled
from replays.sessions.log import Draft, Log, sealed

ONE, TWO = "unseen-1", "unseen-2"
GM = Who("gm")
Written = tuple[Command, tuple[Event, ...]]
OPENED: Written = (
    Note(""), (e.CombatantJoined("ann", "Ann", "gm", False), e.CombatantJoined("bob", "Bob", "kira", False)),
)  # fmt: skip


def log_of(*written: Written, after: int | None = None, first: Written = OPENED) -> Log:
    """A log with these entries after its first one, which brings in Ann and Bob; the last one may stand on another."""
    store, entries = MemoryStore(), [first, *written]
    on = [*range(len(entries) - 1), len(entries) - 1 if after is None else after]
    drafts = [Draft(*entry, GM, seq, 1) for entry, seq in zip(entries, on, strict=True)]
    records, _ = sealed(drafts, "2025-01-01T00:00:00Z", [bytes(32)] * len(drafts), genesis("LOG"))
    store.create("LOG", records)
    return Log(store, "LOG")


def joining(who: str = ONE, seen_by: Audience = (), sheet: Audience = None) -> Written:
    """Returns a secret joining: parts 2 to 4 are the sheet and what follows from it; part 5 is the combatant's name."""
    sheet_seen_by = () if sheet is not None else seen_by
    events: tuple[Event, ...] = (
        e.CombatantJoined(who, "", "gm", False, seen_by=seen_by), e.SheetGiven(who, {}, seen_by=sheet_seen_by),
        e.TrackOpened(who, "damage", 30, seen_by=sheet_seen_by), e.ResourceOpened(who, "moxie", 3, 3, seen_by=sheet_seen_by),
        e.NameGiven(who, "Razor", seen_by=seen_by),
    )  # fmt: skip
    return Join(who, {}, "Razor", seen_by=seen_by, sheet_seen_by=sheet, unseen=True), events


def noted(*seen_by: Audience, command: Audience = None) -> Written:
    return Note("", seen_by=command), tuple(e.Noted("psst", "", seen_by=each) for each in seen_by)


def refused(log: Log, command: Reveal) -> tuple[str, str, str]:
    with pytest.raises(NothingHidden) as refusal:
        filled(log, command)
    return refusal.value.message, refusal.value.where, refusal.value.accepts


# ------------------------------------------------------------------------------------------------ an entry


def test_of_an_entry_all_is_meant_that_not_everybody_may_see_or_what_is_said() -> None:
    log = log_of(noted(None, (), ("bob",)), noted((), command=()), noted(None, command=()))

    assert filled(log, Reveal(2)) == Reveal(2, (2, 3))
    assert filled(log, Reveal(2, (3,), ("ann",))) == Reveal(2, (3,), ("ann",))
    assert filled(log, Reveal(3)) == Reveal(3, (0, 1))
    assert filled(log, Reveal(4)) == Reveal(4, (0,))
    secret = Reveal(2, to=("ann",), seen_by=("cem",))
    assert filled(log, secret) == msgspec.structs.replace(secret, parts=(2, 3))


def test_what_is_not_hidden_is_not_revealed() -> None:
    log = log_of(noted(None, (), ("bob",)), noted(None))

    assert refused(log, Reveal(3)) == ("entry 3 does not hide that", "parts", "an entry that hides something")
    assert refused(log, Reveal(3, (1,))) == ("entry 3 does not hide that", "parts", "an entry that hides something")
    assert refused(log, Reveal(2, (1, 2))) == ("entry 2 does not hide that", "parts", "2, 3")
    with pytest.raises(NoSuchEntry):
        filled(log, Reveal(9))


def test_what_was_revealed_before_is_hidden_no_more() -> None:
    log = log_of(noted((), ()), (Reveal(2, (1,)), (e.SecretRevealed(2, (1,), None),)))

    assert filled(log, Reveal(2)) == Reveal(2, (2,))
    assert refused(log, Reveal(2, (1,)))[2] == "2"


def test_other_commands_and_revealings_of_a_seed_stay_as_they_are() -> None:
    log = log_of(noted(()))

    for command in (Note("x"), Reveal(seed="00"), Reveal()):
        assert filled(log, command) is command


def test_only_those_who_are_here_can_be_shown_something() -> None:
    log = log_of(joining(), noted(()))

    assert refused(log, Reveal(3, to=("ann", "eve"))) == ("there is no 'eve' to see it", "to", "ann, bob")
    assert refused(log, Reveal(3, to=("eve", "dan")))[0] == "there is no 'eve' to see it"
    assert filled(log, Reveal(3, to=("ann", ONE))).parts == (1,)  # type: ignore[attr-defined]
    assert filled(log, Reveal(3, to=())).parts == (1,)  # type: ignore[attr-defined]
    assert refused(log_of(first=noted()), Reveal(1, to=("eve",)))[2] == "no combatant has joined"


# ------------------------------------------------------------------------------------------------ who joined in secret


def test_somebody_who_joined_in_secret_is_revealed_by_the_entry_that_brought_them_in() -> None:
    log = log_of(noted(()), joining(), joining(TWO), noted(()))

    assert filled(log, Reveal(who=ONE)) == Reveal(3, (0, 1, 2, 3, 4, 5), who=ONE)
    assert filled(log, Reveal(who=TWO)) == Reveal(4, (0, 1, 2, 3, 4, 5), who=TWO)
    assert filled(log, Reveal(who=ONE, to=("bob",))) == Reveal(
        3, (0, 1, 2, 3, 4, 5), ("bob",), who=ONE, seen_by=("bob",)
    )
    asked = Reveal(who=ONE, to=("bob",), seen_by=("ann",), parts=(5,))
    assert filled(log, asked) == msgspec.structs.replace(asked, entry=3)


def test_a_sheet_that_is_a_secret_of_its_own_stays_one() -> None:
    log = log_of(joining(sheet=()))

    assert filled(log, Reveal(who=ONE)) == Reveal(2, (1, 5), who=ONE)
    assert filled(log, Reveal(who=ONE, parts=(0, 2))) == Reveal(2, (0, 2), who=ONE)
    assert filled(log, Reveal(2)) == Reveal(2, (0, 1, 2, 3, 4, 5), who=ONE)


def test_whoever_is_not_hidden_is_not_revealed() -> None:
    log = log_of(joining(), joining(TWO))

    assert refused(log, Reveal(who="ann")) == ("'ann' is not hidden", "who", f"{ONE}, {TWO}")
    assert refused(log_of(), Reveal(who="ann")) == ("'ann' is not hidden", "who", "a combatant who joined in secret")


def test_parts_that_tell_the_name_of_somebody_hidden_reveal_them() -> None:
    log = log_of(joining(), noted(()), (Note("", seen_by=()), (e.NameGiven("ann", "Ann", seen_by=()),)))

    assert filled(log, Reveal(2, (5,), ("bob",))) == Reveal(2, (5,), ("bob",), who=ONE, seen_by=("bob",))
    assert filled(log, Reveal(2, (0, 5))) == Reveal(2, (0, 5), who=ONE)
    assert filled(log, Reveal(2, (0, 1), ("bob",))) == Reveal(2, (0, 1), ("bob",))
    assert filled(log, Reveal(3, to=("bob",))) == Reveal(3, (1,), ("bob",))
    assert filled(log, Reveal(4)) == Reveal(4, (0, 1))
    assert filled(log, Reveal(2, (1,), ("bob",), who=ONE)) == Reveal(2, (1,), ("bob",), who=ONE, seen_by=("bob",))
    assert filled(log, Reveal(3, (), ("bob",), who=ONE)) == Reveal(3, (1,), ("bob",), who=ONE, seen_by=("bob",))


# ------------------------------------------------------------------------------------------------ what is still so of them


TURN, ROLL, DEED = e.TurnBegan(ONE, seen_by=()), f"r1/{ONE}/a1/attack/to-hit", f"r1/{ONE}/a1/attack"
LASTING: tuple[Event, ...] = (
    e.DamageTaken(ONE, "damage", 1, "", "", "", seen_by=()), e.DamageHealed(ONE, "damage", 1, "", "", "", seen_by=()),
    e.WoundSuffered(ONE, "damage", 1, "wounds", "", "", "", seen_by=()), e.WoundHealed(ONE, "damage", 1, "wounds", "", "", "", seen_by=()),
    e.ConditionGained(ONE, "prone", None, "", "", "", "", seen_by=()), e.ConditionLost(ONE, "prone", "", seen_by=()),
    e.SideTaken(ONE, "them", seen_by=()), e.Adjusted(ONE, "wounds", 0, 1, "", seen_by=()),
)  # fmt: skip
OF_THE_SHEET: tuple[Event, ...] = (
    e.SheetGiven(ONE, {}, seen_by=()), e.TrackOpened(ONE, "damage", 30, seen_by=()), e.ResourceOpened(ONE, "moxie", 3, 3, seen_by=()),
    e.ResourceSpent(ONE, "moxie", 1, "", "", seen_by=()), e.ResourceGained(ONE, "moxie", 1, "", "", seen_by=()),
)  # fmt: skip
GONE: tuple[Event, ...] = (
    e.TurnEnded(ONE, seen_by=()), e.DiceRolled(ROLL, (1,), ("typed",), seen_by=()), e.Chosen(ROLL, "x", "", seen_by=()),
    e.ActionSpent(ONE, "quick", 1, seen_by=()), e.FigureFound(ROLL, "base", 4, "", "", "exchange", ONE, seen_by=()),
)  # fmt: skip
REVEALED = Reveal(2, (0, 1, 5), ("bob",), who=ONE, seen_by=("ann",))


def told(*written: Written, command: Reveal = REVEALED) -> list[tuple[int | None, tuple[int, ...]]]:
    """The entry and the parts of each revealing beside one."""
    found = list(beside(log_of(joining(), *written), command))
    assert all((each.to, each.seen_by, each.who) == (command.to, command.seen_by, "") for each in found)
    return [(each.entry, each.parts) for each in found]


@pytest.mark.parametrize("event", [*LASTING, *OF_THE_SHEET], ids=lambda event: type(event).__name__)
def test_what_is_still_so_of_them_is_told_with_them(event: Event) -> None:
    secret: Written = (Adjust(ONE, "x", 1, "", seen_by=()), (e.Noted("psst", "", seen_by=()), event))

    assert told(secret, noted(())) == [(3, (2,))]
    others = msgspec.structs.replace(event, who="ann")
    assert told((secret[0], (others,))) == []
    assert told((secret[0], (msgspec.structs.replace(event, seen_by=None),))) == []


@pytest.mark.parametrize("event", OF_THE_SHEET, ids=lambda event: type(event).__name__)
def test_what_comes_of_a_sheet_that_stays_secret_is_not(event: Event) -> None:
    command = msgspec.structs.replace(REVEALED, parts=(1, 5))

    assert told((Note(""), (event,)), command=command) == []
    assert told((Note(""), (LASTING[0], event)), command=command) == [(3, (1,))]


@pytest.mark.parametrize("event", GONE, ids=lambda event: type(event).__name__)
def test_what_is_over_is_not_told(event: Event) -> None:
    assert told((Note("", seen_by=()), (event,))) == []


def test_their_turn_is_told_while_it_goes_on() -> None:
    turn: Written = (Note("", seen_by=()), (TURN,))
    outer = e.TurnBegan("ann", seen_by=None)

    assert told(turn) == [(3, (1,))]
    assert told(turn, turn) == [(4, (1,))]
    assert told((Note(""), (TURN, TURN))) == [(3, (2,))]
    assert told(turn, (Note(""), (outer,))) == [(3, (1,))]
    assert told(turn, (Note("", seen_by=()), (e.TurnEnded(ONE, seen_by=()),))) == []
    assert told((Note(""), (outer, msgspec.structs.replace(TURN, who=TWO)))) == []


def test_what_they_do_now_is_told() -> None:
    declared = e.Declared(DEED, "attack", ONE, {}, seen_by=())
    asked = e.RollRequested(ROLL, ONE, "1d100", "", "", seen_by=())
    choice = e.ChoiceRequested(f"r1/{ONE}/p1/act", ONE, (e.Option("a", "a"),), None, "", seen_by=())
    typed: Written = (TypeDice(ROLL, (1,), seen_by=()), (e.DiceRolled(ROLL, (1,), ("typed",), seen_by=()),))

    def doing(*events: Event) -> Written:
        return Declare("attack", ONE, seen_by=()), events

    assert told(doing(declared, asked)) == [(3, (1, 2))]
    assert told(doing(choice)) == [(3, (1,))]
    assert told(doing(declared, asked), typed) == [(3, (1,))]
    assert told(doing(declared), (Note(""), (e.ExchangeEnded(DEED, "hit"),))) == []
    others = (msgspec.structs.replace(asked, by="ann"), msgspec.structs.replace(choice, by="ann"))
    assert told(doing(*others, msgspec.structs.replace(declared, by="ann"))) == []


def test_what_no_longer_stands_and_the_entry_that_is_revealed_are_left_out() -> None:
    harm: Written = (Note(""), (LASTING[0],))
    log = log_of(joining(), harm, harm, after=2)

    assert [(each.entry, each.parts) for each in beside(log, REVEALED)] == [(4, (1,))]
    assert list(beside(log, msgspec.structs.replace(REVEALED, entry=4))) != []
    assert [each.entry for each in beside(log, msgspec.structs.replace(REVEALED, entry=4))] == [2]


def test_what_was_revealed_before_is_not_told_again() -> None:
    revealed: Written = (Reveal(3, (1,)), (e.SecretRevealed(3, (1,), None),))

    assert told((Note(""), (LASTING[0], LASTING[1])), revealed) == [(3, (2,))]


def test_where_nobody_is_revealed_nothing_is_told_beside_it() -> None:
    log = log_of(joining(), (Note(""), (LASTING[0],)))

    assert list(beside(log, Reveal(2, (1,)))) == []
    assert list(beside(log, Note("x"))) == []
