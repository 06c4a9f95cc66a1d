"""Opening and settling disputes, as the engine alone decides them."""

from collections.abc import Sequence
from typing import cast

import pytest

from ledger.commands import Command, OpenDispute, SettleDispute
from ledger.events import DisputeOpened, DisputeSettled, Event
from machines.contract.refusals import BadId, BadRuling, DisputeTaken, SettledBefore
from machines.contract.ruleset import Ruleset
from machines.engine.dispute_rules import HANDLERS
from machines.engine.walk import Walk
from projections.combat import Combat, fold

OPENED, OTHER = DisputeOpened("d1", "k", "", "why"), DisputeOpened("d2", "k", "", "why")
SETTLED = DisputeSettled("d1", "upheld", None, "x")
NO_GAME = cast(Ruleset, None)


def after(known: Sequence[Event], command: Command) -> list[Event]:
    walk = Walk(fold(known, Combat()), {})
    HANDLERS[type(command)](NO_GAME, walk, command)
    return walk.events


@pytest.mark.parametrize(
    ("known", "dispute", "recorded"),
    [((), "", "d1"), ((OPENED,), "", "d2"), ((OPENED, SETTLED, OTHER), "", "d3"), ((), "d9", "d9"), ((), "d10", "d10")],
)
def test_a_dispute_is_recorded_under_its_id_and_is_counted_where_it_has_none(
    known: Sequence[Event], dispute: str, recorded: str
) -> None:
    asked = OpenDispute("k", "why", "21 at most", dispute)

    assert after(known, asked) == [DisputeOpened(recorded, "k", "21 at most", "why")]


@pytest.mark.parametrize("dispute", ["x", "1", "d0", "d", "d1x", "xd1", "d01"])
def test_an_id_is_a_letter_and_a_number(dispute: str) -> None:
    with pytest.raises(BadId, match=f"'{dispute}' is not the id of a dispute") as refusal:
        after((), OpenDispute("k", "why", dispute=dispute))

    assert (refusal.value.where, refusal.value.accepts) == ("dispute", "d and a number; or empty")


@pytest.mark.parametrize("known", [(OPENED,), (OPENED, SETTLED)], ids=["open", "settled"])
def test_an_id_is_given_once(known: Sequence[Event]) -> None:
    with pytest.raises(DisputeTaken, match="there is already a dispute d1") as refusal:
        after(known, OpenDispute("k", "why", dispute="d1"))

    assert (refusal.value.where, refusal.value.accepts) == ("dispute", "empty: ids are given automatically")


@pytest.mark.parametrize(("ruling", "entry"), [("upheld", None), ("upheld", 7), ("amended", 7), ("overruled", 7)])
def test_a_dispute_is_settled_by_a_ruling_and_the_entry_that_did_it(ruling: str, entry: int | None) -> None:
    assert after((OPENED,), SettleDispute("d1", ruling, "x", entry)) == [DisputeSettled("d1", ruling, entry, "x")]


@pytest.mark.parametrize(
    ("known", "command", "kind", "says", "where", "accepts"),
    [
        ((OPENED, SETTLED), SettleDispute("d1", "upheld", "x"), SettledBefore, "d1 is settled already: upheld", "dispute", "a new dispute"),
        ((OPENED,), SettleDispute("d1", "so what", "x"), BadRuling, "'so what' is not a ruling", "ruling", "upheld, amended, overruled"),
        ((OPENED,), SettleDispute("d1", "amended", "x"), BadRuling, "a dispute that is amended needs an entry", "entry", "the entry that amended or overruled"),
        ((OPENED,), SettleDispute("d1", "overruled", "x"), BadRuling, "a dispute that is overruled needs an entry", "entry", "the entry that amended or overruled"),
    ],
)  # fmt: skip
def test_a_ruling_that_cannot_be_is_refused(
    known: Sequence[Event], command: Command, kind: type[Exception], says: str, where: str, accepts: str
) -> None:
    with pytest.raises(kind) as refusal:
        after(known, command)

    found = refusal.value
    assert (found.message, found.where, found.accepts) == (says, where, accepts)  # type: ignore[attr-defined]


def test_both_commands_are_answered() -> None:
    assert HANDLERS.keys() == {OpenDispute, SettleDispute}
