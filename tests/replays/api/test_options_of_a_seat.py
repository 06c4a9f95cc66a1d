"""What a seat is offered is computed from what that seat sees."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest

from ledger.audience import EVERYTHING, Viewer
from ledger.commands import Adjust, AmendSheet, BeginCombat, Choose, Command, Declare, Join, TypeDice
from ledger.dice import highest, lowest, parse
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from machines.engine.options import Possibility, options
from projections.views.seen import viewer
from replays.api.session import Session
from replays.corrections.change import Change
from replays.table.table import Table

KIRA, GM = Who("kira", Seat.PLAYER), Who("gm")

SWORD = {"sword": {"skill": "broadsword", "damage": "1d+2", "type": "cutting", "swung": True}}
FENCER = {"st": 12, "dx": 12, "ht": 12, "skills": {"broadsword": 14}, "weapons": SWORD}
KNIGHT = {**FENCER, "dodge": 11, "skills": {"broadsword": 12}}

BRAWLER: dict[str, Any] = {
    "init": 60, "durability": 31, "aptitudes": {"som": 20, "ref": 20, "coo": 20},
    "skills": {"fray": 40, "unarmed combat": 53, "clubs": 50},
    "weapons": {"claws": {"kind": "melee", "skill": "unarmed combat", "damage": "2d10"}},
}  # fmt: skip
TRANSHUMAN: dict[str, Any] = {
    "durability": 35, "wound_threshold": 7, "aptitudes": {"ref": 20, "int": 15, "som": 20, "wil": 10},
    "skills": {"fray": 50, "melee": 50}, "weapons": {"knife": {"kind": "melee", "skill": "melee", "damage": "2d10"}},
}  # fmt: skip
RUNNER: dict[str, Any] = {
    "body": 4, "agility": 5, "reaction": 4, "strength": 3, "intuition": 4, "willpower": 3, "edge": 3,
    "skills": {"blades": 4, "dodge": 3},
    "weapons": ["knife"],
}  # fmt: skip
SHEETS: Mapping[str, dict[str, Any]] = {
    "eclipse_phase_1e": BRAWLER, "eclipse_phase_2e": TRANSHUMAN, "shadowrun_4e": RUNNER, "gurps_3e": FENCER,
}  # fmt: skip


def duel(game: str, secret: dict[str, Any] | None = None, other: dict[str, Any] | None = None) -> Session:
    """Returns a duel that has begun: Ann belongs to the gamemaster, Bob to Kira."""
    session = Session.create(MemoryStore(), ruleset=game, session="DUEL", clock=lambda: "2025-01-01T00:00:00Z")
    session.perform(Join("ann", other or SHEETS[game], **(secret or {})))
    session.perform(Join("bob", SHEETS[game], player="kira"))
    session.perform(BeginCombat())
    return session


def rolled(session: Session, who: str = "") -> None:
    """Answers everything that is asked for until a combatant is to act, or until the given one is."""
    for _ in range(40):
        rest = session.rests[0]
        if rest.dice:
            lead = rest.by == (who or "bob")
            session.perform(TypeDice(rest.key, _faces(rest.dice, high=lead)))
        elif any(option.option in session.game.kinds for option in rest.options) and who in ("", rest.by):
            return
        else:
            session.perform(Choose(rest.key, "end" if "/act" in rest.key else rest.options[0].option))
    raise AssertionError("nobody is to act")


def _faces(dice: str, *, high: bool) -> tuple[int, ...]:
    return tuple(highest(sides) if high else lowest(sides) for sides in parse(dice).sides)


def eyes_of(session: Session, who: Who = KIRA) -> Viewer:
    return EVERYTHING if who.seat is Seat.GM else viewer(who, session.combat)


def theirs(session: Session, eyes: Viewer) -> list[Possibility]:
    """Of what the gamemaster is offered, what is about a player's own."""
    return [each for each in session.options() if each.by in eyes.combatants]


# ------------------------------------------------------------------------------------------------ a secret feint


def feinted(margin: int | None) -> Session:
    """Bob is to defend against Ann, who has feinted in secret by so much; or not at all."""
    session = duel("gurps_3e", other=KNIGHT)
    session.undo()
    session.perform(AmendSheet("bob", {**KNIGHT, "dodge": 11}))
    session.perform(BeginCombat())
    rolled(session, "ann")
    if margin is not None:
        session.perform(Adjust("bob", "conditions.feinted_by_ann", margin, "a feint", seen_by=()))
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "sword"}))
    session.perform(TypeDice(session.rests[0].key, (3, 3, 3), seen_by=()))
    return session


def test_what_a_secret_feint_takes_from_a_defense_is_not_read_off_the_options() -> None:
    by_five = feinted(5)
    told = msgspec.json.encode(
        by_five.options(eyes_of(by_five))
    )  # that a part is hidden is shown; not what it comes to

    for margin in (9, 8, 7):
        session = feinted(margin)
        mine = session.options(eyes_of(session))
        truly = {each.label: each.target for each in theirs(session, eyes_of(session))}
        assert {each.label: each.target for each in mine} != truly
        assert msgspec.json.encode(mine) == told


def test_the_gamemaster_is_offered_what_was_always_offered() -> None:
    session = feinted(9)

    assert msgspec.json.encode(session.options()) == msgspec.json.encode(options(session.game, session.combat))
    assert session.options(EVERYTHING) == session.options()


# ------------------------------------------------------------------------------------------------ secret sheets


def _changed(game: str) -> dict[str, Any]:
    """A sheet on which every number is another."""

    def other(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: other(each, key) for key, each in value.items()}
        return value + 3 if type(value) is int and name not in ("reach", "edge", "init", "initiative") else value

    changed: dict[str, Any] = other(SHEETS[game])
    return changed


@pytest.mark.parametrize("game", SHEETS)
@pytest.mark.parametrize("turn", ["ann", "bob"])
def test_what_stands_on_a_secret_sheet_changes_nothing_that_a_player_is_offered(game: str, turn: str) -> None:
    told = []
    for sheet in (SHEETS[game], _changed(game)):
        session = duel(game, {"sheet_seen_by": ()}, sheet)
        rolled(session, turn)
        told.append(msgspec.json.encode(session.options(eyes_of(session))))
        if turn == "ann":
            using = next(iter(sheet["weapons"]))
            session.perform(Declare("attack", "ann", {"at": "bob", "using": using}))
            told[-1] += msgspec.json.encode(session.options(eyes_of(session)))
    assert told[0] == told[1]


@pytest.mark.parametrize("game", SHEETS)
def test_a_possibility_that_hangs_on_a_secret_sheet_is_offered_without_target_or_refusal(game: str) -> None:
    session = duel(game, {"sheet_seen_by": ()})
    rolled(session, "bob")
    mine = session.options(eyes_of(session))
    truly = {msgspec.json.encode(each.command): each for each in theirs(session, eyes_of(session))}

    assert {msgspec.json.encode(each.command) for each in mine} == set(truly)
    attacks = [each for each in mine if isinstance(each.command, Declare) and each.command.kind == "attack"]
    assert attacks
    assert {(each.target, each.refused) for each in attacks} == {(None, "")}
    for each in mine:
        assert each.refused in ("", truly[msgspec.json.encode(each.command)].refused)


@pytest.mark.parametrize("game", SHEETS)
@pytest.mark.parametrize("turn", ["ann", "bob"])
def test_where_nothing_is_secret_a_player_is_offered_their_part_of_what_the_gamemaster_is(game: str, turn: str) -> None:
    session = duel(game)
    rolled(session, turn)
    for _ in range(6):
        eyes = eyes_of(session)
        mine = session.options(eyes)
        assert [each for each in mine if each.key] == [each for each in theirs(session, eyes) if each.key]
        assert {repr(each) for each in mine} == {repr(each) for each in theirs(session, eyes)}
        legal = [each for each in session.options() if not each.refused and each.key]
        if not legal:
            break
        first = legal[0]
        dice = TypeDice(first.key, _faces(first.dice, high=False)) if first.dice else first.command
        assert dice is not None
        session.perform(dice)


def test_a_spectator_and_whoever_plays_nobody_are_offered_nothing() -> None:
    session = duel("eclipse_phase_1e")
    rolled(session)

    for eyes in (Viewer(Seat.SPECTATOR), Viewer(Seat.PLAYER)):
        assert session.options(eyes) == ()


# ------------------------------------------------------------------------------------------------ at the table


def asked_at_the_table(session: Session, who: Who) -> bytes:
    """Returns the whole question that the table asks a caller."""
    table = Table(session, who)
    question = table.question()
    lines = table.interrupts(question)
    return msgspec.json.encode([msgspec.to_builtins(question), lines])


def test_the_table_asks_a_player_the_same_whatever_a_secret_feint_came_to() -> None:
    told = {asked_at_the_table(feinted(margin), KIRA) for margin in (9, 8, 7)}
    assert len(told) == 1
    assert asked_at_the_table(feinted(9), GM) != asked_at_the_table(feinted(7), GM)


@pytest.mark.parametrize("game", SHEETS)
def test_the_table_asks_a_player_the_same_whatever_stands_on_a_secret_sheet(game: str) -> None:
    told = set()
    for sheet in (SHEETS[game], _changed(game)):
        session = duel(game, {"sheet_seen_by": ()}, sheet)
        rolled(session, "bob")
        told.add(asked_at_the_table(session, KIRA))
    assert len(told) == 1


def test_the_targets_of_a_players_own_are_shown_though_another_sheet_is_secret() -> None:
    """The crude rule of before: with any secret sheet at the table no target was shown at all."""
    session = duel("eclipse_phase_1e")
    session.undo()
    session.perform(Join("eve", BRAWLER, sheet_seen_by=()))
    session.perform(BeginCombat())
    rolled(session, "bob")
    shown = [answer for answer in Table(session, KIRA).question().answers if isinstance(answer.command, Declare)]
    targets = {answer.command.terms.get("at"): answer.target for answer in shown if answer.command.kind == "attack"}
    assert targets["ann"] is not None
    assert targets["eve"] is None


# ------------------------------------------------------------------------------------------------ odds, by the same


@pytest.mark.parametrize("ask", [lambda s: s.odds(declare=_blow(s), eyes=eyes_of(s))])
@pytest.mark.parametrize("game", SHEETS)
def test_odds_that_hang_on_a_secret_sheet_are_refused_alike(game: str, ask: Callable[[Session], object]) -> None:
    told = set()
    for sheet in (SHEETS[game], _changed(game)):
        session = duel(game, {"sheet_seen_by": ()}, sheet)
        rolled(session, "bob")
        with pytest.raises(Refused) as refusal:
            ask(session)
        told.add(str(refusal.value))
    assert len(told) == 1
    assert next(iter(told)).startswith("odds/secret")


def _blow(session: Session) -> Declare:
    return Declare("attack", "bob", {"at": "ann", "using": next(iter(SHEETS[session.game.name]["weapons"]))})


def test_odds_of_a_defense_are_the_same_whatever_a_secret_feint_came_to() -> None:
    told = set()
    for margin in (None, 9, 7):
        session = feinted(margin)
        session.perform(Choose(session.rests[0].key, "dodge"))
        told.add(msgspec.json.encode(msgspec.to_builtins(repr(session.odds(eyes=eyes_of(session))))))
    assert len(told) == 1


# ------------------------------------------------------------------------------------------------ refusals


def refusal_of(session: Session, command: Command) -> str:
    with pytest.raises(Refused) as refusal:
        session.perform(command, by=KIRA)
    return f"{refusal.value}, {refusal.value.where}, {refusal.value.accepts}"


def test_why_a_player_cannot_is_told_as_far_as_they_can_see() -> None:
    """Bob is stunned, which Kira does not know: she hears that it cannot be, and nothing of why."""
    session = duel("eclipse_phase_1e")
    rolled(session, "bob")
    unknown = Declare("attack", "bob", {"at": "ann", "using": "teapot"})
    before = refusal_of(session, unknown)
    for condition in ("unconscious", "incapacitated"):
        session.perform(Adjust("bob", f"conditions.{condition}", 3, "gas", seen_by=()))
        assert refusal_of(session, unknown) == before
        assert refusal_of(session, _blow(session)).startswith("secret/reason")
    with pytest.raises(Refused) as refusal:
        session.perform(_blow(session))
    assert refusal.value.slug == "action/impossible"


@pytest.mark.parametrize(
    "terms", [{"at": "lurker", "using": "claws"}, {"at": "ann", "using": "claws", "also": "lurker"}]
)
def test_whoever_names_somebody_hidden_is_refused_as_if_nobody_were_there(terms: dict[str, Any]) -> None:
    told = set()
    for who in ("lurker", "ghost"):
        session = duel("eclipse_phase_1e")
        rolled(session, "bob")
        session.perform(Join(who, BRAWLER, seen_by=()))
        told.add(refusal_of(session, Declare("attack", "bob", terms)))
    assert len(told) == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda session: session.overrule("r1/lurker", "dv", 1, why="so", by=KIRA),
        lambda session: session.modify("r1/lurker", 1, why="so", by=KIRA),
        lambda session: session.preview("r1/lurker", Change(drop=True), by=KIRA),
        lambda session: session.amend("r1/lurker", Change(drop=True), why="so", by=KIRA),
        lambda session: session.rewind(99, by=KIRA),
        lambda session: session.redo(by=KIRA),
        lambda session: session.undo("exchange", by=KIRA),
    ],
)
def test_what_is_the_gamemasters_is_refused_before_it_is_looked_at(ask: Callable[[Session], object]) -> None:
    session = duel("eclipse_phase_1e")
    with pytest.raises(Refused) as refusal:
        ask(session)
    assert refusal.value.slug == "seat/not-allowed"
