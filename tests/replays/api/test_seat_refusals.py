"""Why a command is refused is computed from what the seat sees that asks for it."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from ambush import ambush, sheet

from ledger.audience import Viewer
from ledger.commands import BeginCombat, Choose, Command, Declare, DrawDice, Join, Note, TypeDice
from ledger.entry import Seat, Who
from ledger.errors import BadCommand, BadNotation, ImpossibleFace, Refused, WrongCount
from ledger.events import Option
from machines.contract.refusals import NotAllowed, RuleRefused
from projections.combat import Combat
from projections.initiative import Initiative
from projections.path import Path, Rest
from projections.views.seen import viewer
from replays.api.request import Request
from replays.api.seat_refusals import HiddenReason, with_visible_reason
from replays.api.session import Session
from replays.views.view_cache import ViewCache

GAME, HIDDEN = "eclipse_phase_1e", "unseen-1"
KIRA, GM = Who("kira", Seat.PLAYER), Who("gm")
ROLL = "r1/bob/initiative"
RULES: Sequence[Refused] = (
    RuleRefused("no", where="their secret"), BadNotation("no"), ImpossibleFace("no"), WrongCount("no"),
)  # fmt: skip


class Shown(ViewCache):
    """A view cache whose states have fields that a test replaced."""

    def __init__(self, session: Session, **more: Any) -> None:
        super().__init__(session.log)
        self._more = more

    def combat(self, eyes: Viewer, head: int) -> Combat:
        """The view, with more in it."""
        return msgspec.structs.replace(super().combat(eyes, head), **self._more)


@pytest.fixture(scope="module")
def begun() -> Session:
    """Returns a fight that a combatant has joined in secret, beside Ann and Kira's Bob; Bob is to roll."""
    return ambush(GAME)


@pytest.fixture(scope="module")
def acting() -> Session:
    """Bob is to act, and Ann's sheet is secret."""
    session = Session.create("memory://", ruleset=GAME)
    session.perform(Join("bob", sheet(GAME), "Bob", "kira"))
    session.perform(Join("ann", sheet(GAME), "Ann", sheet_seen_by=()))
    session.perform(BeginCombat())
    for face in (9, 1):
        session.perform(TypeDice(session.rests[0].key, (face,)))
    assert session.rests[0].by == "bob"
    return session


def asked(
    session: Session, command: Command, by: Who, within: Refused | None, view_cache: ViewCache | None = None
) -> str:
    """What came of a command for which something is raised inside; "done" where nothing was."""
    try:
        with with_visible_reason(session.log, view_cache or ViewCache(session.log), Request(command, by)):
            if within is not None:
                raise within
    except Refused as refusal:
        return "the same" if refusal is within else type(refusal).__name__
    return "done"


@pytest.mark.parametrize("refusal", RULES, ids=lambda refusal: type(refusal).__name__)
def test_of_a_reason_that_a_player_cannot_see_they_are_told_that_there_is_one(begun: Session, refusal: Refused) -> None:
    typed = TypeDice(ROLL, (3,))

    assert asked(begun, typed, KIRA, refusal) == "HiddenReason"
    assert asked(begun, typed, GM, refusal) == "the same"
    assert asked(begun, typed, KIRA, None) == "done"


def test_why_no_dice_are_drawn_is_computed_from_what_the_player_sees(begun: Session) -> None:
    assert asked(begun, DrawDice(ROLL), KIRA, RULES[0]) not in ("done", "the same")
    assert asked(begun, DrawDice(ROLL), GM, RULES[0]) == "the same"


def test_so_it_is_for_what_a_player_declares_and_chooses(acting: Session) -> None:
    chosen = Choose(acting.rests[0].key, "end")
    declared = Declare("attack", "bob", {"at": "ann", "using": "medium pistol"})

    for command in (chosen, declared):
        assert asked(acting, command, KIRA, RULES[0]) == "HiddenReason"
        assert asked(acting, command, GM, RULES[0]) == "the same"


def test_that_there_is_a_reason_is_told_with_whom_to_ask(begun: Session) -> None:
    with (
        pytest.raises(HiddenReason) as refusal,
        with_visible_reason(begun.log, ViewCache(begun.log), Request(TypeDice(ROLL, (3,)), KIRA)),
    ):
        raise RULES[0]

    told = refusal.value
    assert (told.slug, told.where) == ("secret/reason", "command")
    assert (told.message, told.accepts) == (
        "something that you cannot see prevents this", "another command; the gamemaster can see the reason",
    )  # fmt: skip


def test_a_reason_that_a_player_sees_is_told_in_the_place_of_the_one_that_they_do_not(acting: Session) -> None:
    with (
        pytest.raises(RuleRefused) as refusal,
        with_visible_reason(
            acting.log, ViewCache(acting.log), Request(Declare("attack", "bob", {"at": "ann", "using": "teapot"}), KIRA)
        ),
    ):
        raise RULES[0]

    assert refusal.value is not RULES[0]
    assert "teapot" in refusal.value.message
    assert refusal.value.__suppress_context__  # so that no traceback discloses the hidden reason behind it


def test_what_is_another_players_is_refused_as_that(acting: Session) -> None:
    theirs = Declare("attack", "ann", {"at": "bob", "using": "medium pistol"})

    assert asked(acting, theirs, KIRA, RULES[0]) == NotAllowed.__name__


def test_whom_a_limited_token_is_not_for_is_told_that_and_not_what_is_hidden(begun: Session) -> None:
    request = Request(TypeDice(ROLL, (3,)), KIRA, only=("cem",))

    with pytest.raises(NotAllowed) as refusal, with_visible_reason(begun.log, ViewCache(begun.log), request):
        raise RULES[0]
    assert refusal.value.message == "only cem may be played from here"


@pytest.mark.parametrize("command", [TypeDice(ROLL, (3,)), DrawDice(ROLL)], ids=lambda command: type(command).__name__)
def test_what_the_record_refuses_is_told_as_it_is(begun: Session, command: Command) -> None:
    assert asked(begun, command, KIRA, BadCommand("it is too long")) == "the same"


def test_what_is_refused_of_a_note_is_told_as_it_is(begun: Session) -> None:
    assert asked(begun, Note("psst"), KIRA, RULES[0]) == "the same"


NAMING: Sequence[tuple[str, dict[str, Any]]] = [
    (HIDDEN, {"at": "ann"}), ("bob", {"at": HIDDEN}), ("bob", {HIDDEN: 1}), ("bob", {"at": ["ann", HIDDEN]}),
    ("bob", {"at": ("ann", HIDDEN)}), ("bob", {"at": {"first": {"who": HIDDEN}}}), ("bob", {"at": [[{HIDDEN: True}]]}),
]  # fmt: skip


@pytest.mark.parametrize(("by", "terms"), NAMING)
def test_whoever_names_somebody_hidden_is_refused_before_anything_is_decided(
    begun: Session, by: str, terms: dict[str, Any]
) -> None:
    assert asked(begun, Declare("attack", by, terms), KIRA, None) != "done"
    assert asked(begun, Declare("attack", by, terms), GM, None) == "done"


@pytest.mark.parametrize(
    "terms", [{"at": "ann"}, {"at": "nobody"}, {"at": HIDDEN + "0", "also": 7}, {"at": [None, True, 1.5]}]
)
def test_whoever_names_nobody_hidden_goes_on(begun: Session, terms: dict[str, Any]) -> None:
    assert asked(begun, Declare("attack", "bob", terms), KIRA, None) == "done"


@pytest.mark.parametrize("place", ["takes part", "stands in the order", "is waited for"])
def test_whoever_is_shown_in_any_place_may_be_named(begun: Session, place: str) -> None:
    seen = begun.seen(viewer(KIRA, begun.combat))
    hidden = Rest("r1/x", HIDDEN, "acts", options=(Option("end", "end"),))
    more: dict[str, Any] = {
        "takes part": {"roster": begun.combat.roster},
        "stands in the order": {"initiative": Initiative(order=((HIDDEN, 0), ("bob", 5)))},
        "is waited for": {"path": Path(asked=(*seen.path.asked, hidden))},
    }[place]

    assert HIDDEN not in {*seen.roster.who, *(rest.by for rest in seen.rests), *dict(seen.initiative.order)}
    declared = Declare("attack", "bob", {"at": HIDDEN})
    assert asked(begun, declared, KIRA, None, Shown(begun, **more)) == "done"
    assert asked(begun, declared, KIRA, None, Shown(begun)) != "done"
