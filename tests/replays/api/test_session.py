"""Session: playing, taking back, overruling, who may ask for what, and where it is kept."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from strategies import bare

from ledger import events as said
from ledger.codec import canonical
from ledger.commands import (
    Adjust,
    Amend,
    AmendSheet,
    ApplyModifier,
    BeginCombat,
    Choose,
    CloseSession,
    Command,
    Declare,
    DrawDice,
    EndCombat,
    Join,
    Leave,
    Note,
    OpenDispute,
    OpenSession,
    Overrule,
    PassTime,
    RenameSession,
    Rewind,
    TypeDice,
)
from ledger.entry import Entry, Seat, Who
from ledger.errors import KeyReused, NoSuchEntry, NoSuchSession, Refused, SessionExists, Stale
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import ImpossibleFigure, NoSuchFigure, NoSuchRoll, NotAllowed, UnknownVersion
from machines.contract.ruleset import ruleset
from replays.api.session import Session
from replays.sessions.undo import NothingToRedo, NothingToUndo

KIRA, BEN = Who("kira", Seat.PLAYER), Who("ben", Seat.PLAYER)
WATCHER = Who("zoe", Seat.SPECTATOR)
ATTACK = "r1/ann/a1/attack"
TO_HIT, DEFEND, DAMAGE, KNOCKDOWN = (f"{ATTACK}/{role}" for role in ("to-hit", "defend", "damage", "knockdown"))
SHEET = {
    "init": 60, "durability": 40, "wound_threshold": 8, "aptitudes": {"som": 20},
    "skills": {"clubs": 50, "beam weapons": 60, "fray": 40}, "armor": {"kinetic": 4, "energy": 4},
    "weapons": {
        "club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"},
        "pistol": {"kind": "ranged", "skill": "beam weapons", "damage": "2d10", "modes": ["semi", "burst"]},
    },
}  # fmt: skip


def _begun(**options: Any) -> Session:
    """Ann (the gamemaster's) acts before Bob (Kira's)."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="A brawl", **options)
    session.perform(Join("ann", SHEET, "Ann"))
    session.perform(Join("bob", SHEET, "Bob", "kira"))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (90,)))
    session.perform(TypeDice("r1/bob/initiative", (10,)), by=KIRA)
    return session


def _play(session: Session, *commands: Command) -> Session:
    for command in commands:
        session.perform(command)
    return session


def _declared(using: str = "club", **terms: Any) -> Session:
    return _play(
        _begun(), Declare("attack", "ann", {"at": "bob", "using": using, **terms}), Choose(f"{ATTACK}/defense", "fray")
    )


def _hit() -> Session:
    """Ann's 25 beats Bob's 77 by a margin of 25; her damage is open."""
    return _play(_declared(), TypeDice(TO_HIT, (25,)), TypeDice(DEFEND, (77,)))


def _wounded() -> Session:
    """2d10+5+2 for SOM is 18, less 4 is 14 damage, one wound; Bob is to stay on his feet."""
    return _play(_hit(), TypeDice(DAMAGE, (5, 6)))


def _over() -> Session:
    """Bob fell; Ann ends her phase, and Bob is to act."""
    return _play(_wounded(), TypeDice(KNOCKDOWN, (80,)), Note("ouch"), Choose("r1/ann/p1/act/2", "end"))


def _standing(session: Session) -> list[Entry]:
    return list(session.log.entries_of(session.log.timeline.line()))


def _commands(session: Session) -> list[Command]:
    return [entry.command for entry in _standing(session)]


def _told(session: Session, kind: type[said.Event]) -> list[Any]:
    return [event for entry in _standing(session) for event in entry.events if isinstance(event, kind)]


def _taken(session: Session) -> int:
    return session.combat.health.track("bob", "damage").taken


# ------------------------------------------------------------------------------------------------ opening


def test_a_session_that_cannot_be_opened_leaves_nothing_behind() -> None:
    store = MemoryStore()
    for wrong in (
        {"ruleset": "chess"},
        {"profile": "ninth printing"},
        {"options": {"gravity": 1}},
        {"options": {"margin": "?"}},
    ):
        with pytest.raises(Refused):
            Session.create(store, **{"ruleset": "eclipse_phase_1e", **wrong})

    assert list(store.sessions()) == []


def test_a_session_of_an_id_that_is_there_is_not_opened_over_it() -> None:
    store = MemoryStore()
    Session.create(store, ruleset="eclipse_phase_1e", session="ONE")

    with pytest.raises(SessionExists):
        Session.create(store, ruleset="eclipse_phase_1e", session="ONE")


def test_the_log_knows_its_own_rules() -> None:
    session = _begun(profile="first printing", options={"critical_with_excellent": "critical_only"})
    opened = _told(session, said.SessionOpened)[0]

    assert opened.profile == "first printing"
    assert opened.rules["critical_with_excellent"] == "critical_only"
    assert opened.rules["defender_critical"] == "weapon_mishap"
    assert len(_standing(session)[0].events) == 1


def test_a_session_is_found_by_a_unique_beginning_and_the_latest_where_none_is_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/fights.db"
    for name in ("01AAA", "01ABB", "02CCC"):
        Session.create(url, ruleset="eclipse_phase_1e", session=name).log.store.close()

    found = [Session.open(url, prefix) for prefix in ("01AA", "01ab", "02CCC")]
    latest = Session.open(url)

    assert [session.id for session in found] == ["01AAA", "01ABB", "02CCC"]
    assert latest.id == "02CCC"
    for session in (*found, latest):
        session.log.store.close()


@pytest.mark.parametrize("prefix", ["01", "", "03", "01AAAA", "AAA"])
def test_a_beginning_of_several_or_of_none_is_refused_with_what_there_is(tmp_path: Path, prefix: str) -> None:
    url = f"sqlite:///{tmp_path}/fights.db"
    for name in ("01AAA", "01ABB"):
        Session.create(url, ruleset="eclipse_phase_1e", session=name).log.store.close()

    with pytest.raises(NoSuchSession) as refusal:
        Session.open(url, prefix)

    assert refusal.value.slug == "session/unknown"
    assert "01AAA" in refusal.value.accepts


def test_an_id_is_found_though_another_begins_with_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/fights.db"
    for name in ("01A", "01AB"):
        Session.create(url, ruleset="eclipse_phase_1e", session=name).log.store.close()

    session = Session.open(url, "01A")

    assert session.id == "01A"
    session.log.store.close()


def test_an_empty_ledger_has_no_session_to_open(tmp_path: Path) -> None:
    for prefix in (None, "01"):
        with pytest.raises(NoSuchSession):
            Session.open(f"sqlite:///{tmp_path}/fights.db", prefix)


def test_a_session_that_newer_rules_decided_is_read_but_not_played_on() -> None:
    session = _begun()
    newer = msgspec.structs.replace(ruleset("eclipse_phase_1e"), version=ruleset("eclipse_phase_1e").version + 1)
    with pytest.MonkeyPatch.context() as patch:
        for module in ("replays.api.session", "replays.sessions.drafts"):
            patch.setattr(f"{module}.ruleset", lambda _: newer, raising=False)
        session.perform(Note("decided by newer rules"))
    session = Session(session.log.store, session.id)

    for ask in (lambda: session.perform(Note("x")), session.undo, lambda: session.modify("ann/initiative", 5, why="x")):
        with pytest.raises(UnknownVersion) as refusal:
            ask()

        assert refusal.value.slug == "ruleset/version"
    assert session.log.rules_version == newer.version
    assert session.state().entries == 7


def test_a_log_of_a_ruleset_that_is_not_installed_is_read_but_not_played_on() -> None:
    session = _begun()
    lines = [
        record.line.replace(b'"eclipse_phase_1e"', b'"eclipse_phase_9e"')
        for record in session.log.store.read(session.id)
    ]
    store = MemoryStore()
    store.create("FOREIGN")
    records = [
        msgspec.structs.replace(record, line=line)
        for record, line in zip(session.log.store.read(session.id), lines, strict=True)
    ]
    store.append("FOREIGN", records, expected=0)

    foreign = Session(store, "FOREIGN")

    assert foreign.state().ruleset == "eclipse_phase_9e"
    assert foreign.state().round == 1
    with pytest.raises(Refused) as refusal:
        foreign.perform(Note("x"))
    assert refusal.value.slug == "ruleset/unknown"


def test_a_closed_session_is_read_but_nothing_is_asked_of_it_any_more() -> None:
    session = _play(_begun(), CloseSession("done"))

    for command in (Note("x"), BeginCombat(), TypeDice("r1/ann/p1/act", (1,))):
        with pytest.raises(Refused) as refusal:
            session.perform(command)
        assert refusal.value.slug == "session/not-open"
    assert session.state().round == 1


# ------------------------------------------------------------------------------------------------ undo and redo


def test_undoing_a_step_takes_back_one_command_and_all_that_followed_from_it() -> None:
    session = _wounded()

    session.undo(why="misread")

    assert [rest.key for rest in session.rests] == [DAMAGE]
    assert _taken(session) == 0
    undone = list(session.entries())[-1]
    assert (undone.command.to, undone.command.why) == (session.log.head, "misread")


def test_undoing_an_exchange_takes_back_its_declaration() -> None:
    session = _wounded()

    session.undo("exchange")

    assert [rest.key for rest in session.rests] == ["r1/ann/p1/act"]
    assert not _told(session, said.Declared)


def test_undoing_an_exchange_that_is_over_takes_back_all_that_came_after_too() -> None:
    session = _over()

    session.undo("exchange")

    assert [rest.key for rest in session.rests] == ["r1/ann/p1/act"]
    assert Note("ouch") not in [msgspec.structs.replace(each, given_at=None) for each in _commands(session)]


def test_undoing_a_turn_goes_back_to_where_it_began_and_then_to_the_one_before() -> None:
    session = _play(_over(), Declare("quick", "bob", {"what": "stand up", "stand": True}))

    session.undo("turn")

    assert (session.combat.turn.who, session.combat.conditions.has("bob", "prone")) == ("bob", True)
    assert [rest.key for rest in session.rests] == ["r1/bob/p1/act"]

    session.undo("turn")

    assert (session.combat.turn.who, session.combat.conditions.has("bob", "prone")) == ("ann", False)
    assert [rest.key for rest in session.rests] == ["r1/ann/p1/act"]


def test_undoing_a_round_goes_back_to_where_it_began_and_then_to_the_one_before() -> None:
    session = _play(_over(), Choose("r1/bob/p1/act", "end"), TypeDice("r2/ann/initiative", (5,)))

    session.undo("round")

    assert [rest.key for rest in session.rests] == ["r2/ann/initiative", "r2/bob/initiative"]

    session.undo("round")

    assert [rest.key for rest in session.rests] == ["r1/ann/initiative", "r1/bob/initiative"]
    assert session.combat.clock.round == 1


@pytest.mark.parametrize("span", ["exchange", "turn", "round"])
def test_a_span_that_there_is_none_of_cannot_be_taken_back(span: str) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Note("x"))

    with pytest.raises(NothingToUndo) as refusal:
        session.undo(span)

    assert refusal.value.slug == "undo/nothing"
    assert session.log.last == 2


def test_the_opening_cannot_be_taken_back() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")

    for span in ("step", "exchange", "turn", "round", "week"):
        with pytest.raises(NothingToUndo):
            session.undo(span)
    for number in (0, -1, 2):
        with pytest.raises(NoSuchEntry):
            session.rewind(number)
    assert session.log.last == 1


def test_redo_takes_the_latest_undo_back_and_one_after_the_other() -> None:
    session = _wounded()
    states = [session.combat]
    for _ in range(3):
        session.undo()
        states.append(session.combat)

    for expected in reversed(states[:-1]):
        session.redo()

        assert session.combat == expected
    with pytest.raises(NothingToRedo) as refusal:
        session.redo()
    assert refusal.value.slug == "redo/nothing"


def test_there_is_nothing_to_redo_once_something_new_was_decided() -> None:
    session = _wounded()
    session.undo()
    session.perform(TypeDice(DAMAGE, (1, 1)))

    with pytest.raises(NothingToRedo):
        session.redo()


def test_what_was_undone_stays_readable_and_can_be_gone_back_to() -> None:
    session = _wounded()
    head, combat = session.log.head, session.combat
    session.undo("exchange")
    session.perform(Note("we talk instead"))

    session.rewind(head, why="no, we fight")

    assert session.combat == combat
    assert Note("we talk instead", given_at="r1/ann/p1/act") in [entry.command for entry in session.entries()]


def test_rewinding_to_a_rewinding_means_what_stood_then() -> None:
    session = _wounded()
    session.undo()
    undone, combat = session.log.last, session.combat
    session.perform(TypeDice(DAMAGE, (1, 1)))

    session.rewind(undone)

    assert session.combat == combat


def test_the_state_at_any_entry_is_as_it_was_whatever_came_later() -> None:
    session = _wounded()
    then = session.state()
    session.undo("exchange")
    session.perform(Note("x"))

    assert session.state(at=then.entries) == then
    with pytest.raises(NoSuchEntry):
        session.state(at=session.log.last + 1)
    with pytest.raises(NoSuchEntry):
        session.state(at=0)


# ------------------------------------------------------------------------------------------------ overruling


def test_an_overruled_figure_takes_the_rules_place_and_what_follows_follows() -> None:
    session = _wounded()

    session.overrule(DAMAGE, "dv", 30, why="a nail in it")

    assert _taken(session) == 26
    assert session.combat.wounds.count("bob") == 3
    assert [rest.key for rest in session.rests] == [KNOCKDOWN, f"{ATTACK}/consciousness"]
    assert _told(session, said.Overruled) == [said.Overruled(DAMAGE, "dv", 18, 30, "a nail in it")]


def test_later_entries_come_again_by_their_keys_and_name_their_origin() -> None:
    session = _over()
    before = _standing(session)

    made = session.overrule(DAMAGE, "dv", 19, why="x")

    after = _standing(session)
    replaced = next(place for place, entry in enumerate(before) if entry.command == TypeDice(DAMAGE, (5, 6)))
    assert [entry.origin for entry in made] == [entry.seq for entry in before[replaced:]]
    assert [entry.command for entry in made[1:]] == [entry.command for entry in before[replaced + 1 :]]
    assert [entry.by for entry in made[1:]] == [entry.by for entry in before[replaced + 1 :]]
    assert after[:replaced] == before[:replaced]
    assert after[replaced:] == made
    assert made[0].by == Who("gm")
    assert _taken(session) == 15
    assert session.combat.turn.who == "bob"


def test_answers_that_are_not_reached_any_more_are_left_and_what_is_new_is_asked() -> None:
    session = _play(_wounded(), TypeDice(KNOCKDOWN, (80,)), Note("ouch"))

    session.overrule(ATTACK, "outcome", "miss", why="he slipped")

    assert _taken(session) == 0
    assert not session.combat.conditions.has("bob", "prone")
    assert [rest.key for rest in session.rests] == ["r1/ann/p1/act/2"]
    assert TypeDice(DAMAGE, (5, 6)) not in _commands(session)


def test_dice_newly_needed_are_asked_for_and_old_ones_are_used() -> None:
    session = _play(_wounded(), TypeDice(KNOCKDOWN, (80,)))

    session.overrule(DAMAGE, "dv", 30, why="x")

    assert [rest.key for rest in session.rests] == [f"{ATTACK}/consciousness"]
    assert session.combat.rolls[KNOCKDOWN].faces == (80,)


def test_overruling_twice_leaves_the_second_word() -> None:
    session = _over()
    session.overrule(DAMAGE, "dv", 30, why="first")
    session.overrule(DAMAGE, "dv", 10, why="second")

    assert _taken(session) == 6
    assert [event.why for event in _told(session, said.Overruled)] == ["second"]
    assert _told(session, said.Overruled)[0].rule_says == 18


def test_overruling_two_figures_keeps_both_words() -> None:
    session = _wounded()
    session.overrule(TO_HIT, "margin", 60, why="first")
    session.overrule(DAMAGE, "dv", 10, why="second")
    session.overrule(ATTACK, "wounds", 3, why="third")

    assert sorted((event.figure, event.gm_says) for event in _told(session, said.Overruled)) == [
        ("dv", 10),
        ("margin", 60),
        ("wounds", 3),
    ]
    assert session.combat.wounds.count("bob") == 3
    assert _taken(session) == 6


def test_an_overruling_is_undone_like_anything_else() -> None:
    session = _over()
    combat, head = session.combat, session.log.head
    session.overrule(DAMAGE, "dv", 30, why="x")

    session.rewind(head)

    assert session.combat == combat
    assert not _told(session, said.Overruled)


def test_one_undo_after_an_overruling_takes_all_of_it_back() -> None:
    session = _over()
    before = session.combat
    session.overrule(DAMAGE, "dv", 19, why="x")

    session.undo()

    assert session.combat == before


def test_an_overruling_by_a_shorthand_means_the_latest_that_fits() -> None:
    session = _play(_over(), Declare("attack", "bob", {"at": "ann", "using": "club"}), Choose("r1/bob/a1/attack/defense", "none"),
                    TypeDice("r1/bob/a1/attack/to-hit", (20,)))  # fmt: skip

    made = session.overrule("to-hit", "margin", 0, why="x")

    assert made[0].command.key == "r1/bob/a1/attack/to-hit"


def test_a_figure_that_was_never_found_cannot_be_overruled_and_what_could_is_named() -> None:
    session = _wounded()

    with pytest.raises(NoSuchFigure) as refusal:
        session.overrule(DAMAGE, "luck", 3, why="x")

    assert refusal.value.slug == "overrule/no-such-figure"
    assert "dv" in refusal.value.accepts


@pytest.mark.parametrize(
    ("key", "figure", "value"), [(DAMAGE, "dv", "many"), (ATTACK, "outcome", 5), (ATTACK, "outcome", "draw")],
    ids=["a word for a number", "a number for a word", "a word the page does not have"],
)  # fmt: skip
def test_a_figure_cannot_be_what_it_never_is(key: str, figure: str, value: Any) -> None:
    session = _wounded()
    last = session.log.last

    with pytest.raises(ImpossibleFigure) as refusal:
        session.overrule(key, figure, value, why="x")

    assert refusal.value.slug == "overrule/impossible"
    assert session.log.last == last


def test_an_overruled_target_is_what_the_dice_are_read_against() -> None:
    session = _play(_declared(), TypeDice(TO_HIT, (70,)), TypeDice(DEFEND, (77,)))
    assert session.state().outcome == "miss"

    session.overrule(TO_HIT, "target", 80, why="he did not see it coming")

    assert session.combat.rolls[TO_HIT].outcome == "success"
    assert [rest.key for rest in session.rests] == [DAMAGE]


def test_a_modifier_on_an_overruled_target_is_counted_from_the_gamemasters_word() -> None:
    session = _play(_declared())
    session.overrule(TO_HIT, "target", 80, why="he did not see it coming")

    session.modify(TO_HIT, -20, why="dark")

    assert {rest["key"]: rest["target"] for rest in session.state().rests}[TO_HIT] == 60


def test_an_overruled_base_is_what_the_target_is_counted_from() -> None:
    session = _play(_declared(), TypeDice(TO_HIT, (70,)), TypeDice(DEFEND, (77,)))

    session.overrule(TO_HIT, "base", 80, why="the sheet was wrong")

    assert session.combat.figures.number(TO_HIT, "target") == 80
    assert [rest.key for rest in session.rests] == [DAMAGE]


def test_overruled_dice_are_the_dice_that_are_asked_for() -> None:
    session = _play(_declared("pistol", mode="burst"), TypeDice(TO_HIT, (25,)), TypeDice(DEFEND, (77,)))
    assert [rest.dice for rest in session.rests] == ["3d10"]

    session.overrule(DAMAGE, "dice: burst at one target", "2d10", why="a house rule")

    assert [rest.dice for rest in session.rests] == ["4d10"]


def test_an_overruled_number_of_attacks_is_how_many_are_left() -> None:
    session = _play(_declared("pistol"), TypeDice(TO_HIT, (98,)), TypeDice(DEFEND, (77,)))
    assert session.combat.figures.of("ann", "attacks left") == 1

    session.overrule(ATTACK, "attacks left", 2, why="a fast trigger")

    assert session.combat.figures.of("ann", "attacks left") == 2


def test_armor_that_is_said_not_to_be_defeated_counts() -> None:
    session = _play(_declared(), TypeDice(TO_HIT, (22,)), TypeDice(DEFEND, (77,)), TypeDice(DAMAGE, (5, 6)))
    assert _taken(session) == 18

    session.overrule(ATTACK, "armor", 4, why="it does not")

    assert _taken(session) == 14


def test_an_entry_that_was_overruled_can_be_modified_and_the_word_stands() -> None:
    session = _wounded()
    session.overrule(TO_HIT, "margin", 60, why="so be it")

    session.modify(TO_HIT, -10, why="dark")

    assert [event.gm_says for event in _told(session, said.Overruled)] == [60]
    assert session.combat.figures.number(TO_HIT, "target") == 40
    assert _taken(session) == 24


# ------------------------------------------------------------------------------------------------ modifiers


def test_a_modifier_on_an_open_roll_changes_its_target_at_once() -> None:
    session = _declared()

    made = session.modify("ann/to-hit", -20, why="dark")

    assert len(made) == 1
    assert {rest["key"]: rest["target"] for rest in session.state().rests} == {TO_HIT: 30, DEFEND: 40}
    assert [event.why for event in _told(session, said.FigureFound) if event.value == 30] == ["50 -20"]


def test_a_modifier_that_comes_late_leaves_the_dice_as_they_lie() -> None:
    session = _over()

    made = session.modify("ann/to-hit", -30, why="dark")

    assert session.state().outcome == "miss"
    assert _taken(session) == 0
    assert [type(entry.command) for entry in made[:2]] == [ApplyModifier, TypeDice]
    assert made[0].origin is None
    assert made[1].origin is not None
    assert [event.rolled for event in _told(session, said.TestResolved) if event.key == TO_HIT] == [25]


def test_a_modifier_by_a_player_on_a_roll_that_lies_already_is_refused() -> None:
    session = _wounded()

    with pytest.raises(NotAllowed):
        session.modify(DEFEND, 20, why="please", by=KIRA)
    with pytest.raises(NotAllowed):
        session.overrule(DEFEND, "outcome", "success", why="please", by=KIRA)


def test_a_roll_that_was_never_asked_for_cannot_be_modified() -> None:
    session = _wounded()

    for key in ("luck", "zoe/to-hit", "", "r9/ann/initiative"):
        with pytest.raises(NoSuchRoll) as refusal:
            session.modify(key, 10, why="x")
        assert refusal.value.slug == "roll/unknown"


def test_a_shorthand_that_means_several_open_rolls_is_refused_with_their_keys() -> None:
    session = _play(
        Session.create("memory://", ruleset="eclipse_phase_1e"), Join("ann", SHEET), Join("bob", SHEET), BeginCombat()
    )

    with pytest.raises(NoSuchRoll) as refusal:
        session.modify("initiative", 10, why="x")

    assert "r1/ann/initiative" in refusal.value.accepts
    assert "r1/bob/initiative" in refusal.value.accepts


def test_what_answers_no_rest_says_at_which_it_was_given() -> None:
    session = _declared()

    entry = session.perform(Note("hm"))

    assert entry.command.given_at == TO_HIT
    assert session.perform(TypeDice(TO_HIT, (5,))).command.given_at is None


# ------------------------------------------------------------------------------------------------ several who write


def test_whoever_expects_another_number_is_told_the_actual_one() -> None:
    session = _begun()
    other = Session(session.log.store, session.id)
    known = session.log.last
    other.perform(Note("first"))

    with pytest.raises(Stale) as refusal:
        session.perform(Note("second"), expected=known)

    assert refusal.value.slug == "log/stale"
    assert (refusal.value.expected, refusal.value.actual) == (known, known + 1)
    assert session.log.last == known + 1, "and has taken in what was missed"
    assert session.perform(Note("second"), expected=known + 1).seq == known + 2


# ------------------------------------------------------------------------------------------------ who is there, and when


def test_who_leaves_is_not_there_any_more_unless_they_are_waited_for() -> None:
    session = _begun()
    with pytest.raises(Refused) as refusal:
        session.perform(Leave("ann"))
    assert (refusal.value.slug, refusal.value.where) == ("combatant/still-needed", "who")

    session.perform(Leave("bob", "he ran"))

    assert not session.combat.roster["bob"].here
    assert session.combat.roster["ann"].here
    with pytest.raises(Refused) as refusal:
        session.perform(Leave("bob"))
    assert refusal.value.slug == "combatant/unknown"


@pytest.mark.parametrize("unit", ["seconds", "minutes", "hours", "days", "weeks", "months"])
def test_time_passes_between_fights_in_units_that_there_are(unit: str) -> None:
    session = _play(_begun(), EndCombat("they talk"), PassTime(2, unit))

    assert session.combat.clock.passed == {unit: 2}


@pytest.mark.parametrize(
    ("amount", "unit", "where"),
    [(0, "hours", "amount"), (-1, "hours", "amount"), (1, "moons", "unit"), (1, "", "unit")],
)
def test_no_other_time_passes(amount: int, unit: str, where: str) -> None:
    session = _play(_begun(), EndCombat("they talk"))

    with pytest.raises(Refused) as refusal:
        session.perform(PassTime(amount, unit))

    assert refusal.value.where == where
    assert not session.combat.clock.passed


def test_a_fight_is_begun_by_somebody_who_is_there_and_once() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    with pytest.raises(Refused, match="no combatants have joined"):
        session.perform(BeginCombat())
    session.perform(Join("ann", SHEET))
    session.perform(BeginCombat())
    with pytest.raises(Refused, match="a fight is going on"):
        session.perform(BeginCombat())
    with pytest.raises(Refused, match="during a fight time passes"):
        session.perform(PassTime(1, "hours"))


def test_nobody_joins_under_an_id_that_is_none_or_is_taken() -> None:
    session = _begun()
    for who, where in (("gm", "who"), ("Ann", "who"), ("", "who"), ("ann", "who")):
        with pytest.raises(Refused) as refusal:
            session.perform(Join(who, SHEET))
        assert refusal.value.where == where

    assert list(session.combat.roster.who) == ["ann", "bob"]


def test_whoever_expects_nothing_writes_after_the_others() -> None:
    session = _begun()
    other = Session(session.log.store, session.id)
    other.perform(Note("first"))

    entry = session.perform(Note("second"))

    assert entry.after == entry.seq - 1 == other.log.last
    assert entry.command.text == "second"


def test_what_others_wrote_is_known_before_it_is_decided() -> None:
    session = _declared()
    other = Session(session.log.store, session.id)
    other.perform(TypeDice(TO_HIT, (25,)))
    other.perform(TypeDice(DEFEND, (77,)))

    session.perform(TypeDice(DAMAGE, (5, 6)))

    assert _taken(session) == 14


def test_the_same_dice_typed_by_two_are_refused_the_second_time() -> None:
    session = _declared()
    other = Session(session.log.store, session.id)
    session.perform(TypeDice(TO_HIT, (25,)))

    with pytest.raises(Refused) as refusal:
        other.perform(TypeDice(TO_HIT, (26,)))

    assert refusal.value.slug == "dice/not-asked-for"
    assert other.combat == session.combat


@pytest.mark.parametrize("command", [Note("x"), Rewind(2), Overrule(DAMAGE, "dv", 3, "x"), ApplyModifier(TO_HIT, 10, "x")],
                         ids=["a note", "a rewinding", "an overruling", "a late modifier"])  # fmt: skip
def test_every_way_of_asking_honors_what_was_expected(command: Command) -> None:
    session = _wounded()
    last = session.log.last

    with pytest.raises(Stale):
        session.perform(command, expected=last - 1)

    assert session.log.last == last
    session.perform(command, expected=last)
    assert session.log.last > last


def test_what_is_asked_for_twice_under_a_key_is_performed_once_also_after_opening_again() -> None:
    session = _begun()
    first = session.perform(Note("x"), batch="a")
    again = Session(session.log.store, session.id)

    assert session.perform(Note("x"), batch="a") == first == again.perform(Note("x"), batch="a")
    assert session.perform(Note("x"), batch="b").seq == first.seq + 1


@pytest.mark.parametrize(
    ("first", "second"),
    [(Note("x"), Note("y")), (Note("x"), Rewind(2)), (Overrule(DAMAGE, "dv", 3, "x"), Overrule(DAMAGE, "dv", 4, "x")),
     (Overrule(DAMAGE, "dv", 3, "x"), Overrule(TO_HIT, "margin", 3, "x")), (ApplyModifier(TO_HIT, 5, "x"), ApplyModifier(DEFEND, 5, "x")),
     (ApplyModifier(TO_HIT, 5, "x"), ApplyModifier(TO_HIT, 6, "x")), (Rewind(2), Rewind(3))],
    ids=["other words", "another command", "another value", "another figure", "another roll", "another modifier", "another entry"],
)  # fmt: skip
def test_the_same_key_for_something_else_is_refused(first: Command, second: Command) -> None:
    session = _wounded()
    session.perform(first, batch="a")
    last = session.log.last

    with pytest.raises(KeyReused) as refusal:
        session.perform(second, batch="a")

    assert refusal.value.slug == "log/key-reused"
    assert session.log.last == last


@pytest.mark.parametrize(
    "command",
    [Note("x"), Rewind(2), Overrule(DAMAGE, "dv", 3, "x"), ApplyModifier(TO_HIT, 5, "x"), Amend(6, {"drop": True}, "x"),
     DrawDice(KNOCKDOWN), TypeDice(KNOCKDOWN, (80,)), OpenDispute(TO_HIT, "x"), Adjust("bob", "wounds", 0, "x")],
    ids=lambda command: type(command).__name__,
)  # fmt: skip
@pytest.mark.parametrize("other", [Who("zoe"), Who("gm", Seat.PLAYER)], ids=["another person", "another seat"])
def test_the_same_key_of_somebody_else_is_refused_though_they_ask_for_the_same(command: Command, other: Who) -> None:
    session = _wounded()
    first = session.perform(command, batch="a")
    last = session.log.last

    with pytest.raises((KeyReused, NotAllowed)):  # what is for the gamemaster is refused to a player before
        session.perform(command, by=other, batch="a")

    assert session.log.last == last
    assert session.perform(command, batch="a") == first


def test_a_redo_or_an_undo_under_the_key_of_somebody_else_is_refused() -> None:
    session = _wounded()
    session.undo(batch="a")
    with pytest.raises(KeyReused):
        session.undo(batch="a", by=Who("zoe"))
    session.redo(batch="b")
    with pytest.raises(KeyReused):
        session.redo(batch="b", by=Who("zoe"))


def test_a_key_is_known_though_the_number_that_was_expected_is_past() -> None:
    session = _begun()
    known = session.log.last
    first = session.perform(Note("x"), batch="a", expected=known)

    assert session.perform(Note("x"), batch="a", expected=known) == first


def test_a_batch_that_was_refused_may_be_asked_for_again() -> None:
    session = _declared()
    with pytest.raises(Refused):
        session.perform(TypeDice(TO_HIT, (100,)), batch="a")

    assert session.perform(TypeDice(TO_HIT, (10,)), batch="a").command == TypeDice(TO_HIT, (10,))


# ------------------------------------------------------------------------------------------------ seats


NOT_A_PLAYERS: list[Command] = [
    OpenSession("x", "eclipse_phase_1e"), CloseSession(), RenameSession("y"), Join("cyd", SHEET), Leave("bob"), AmendSheet("bob", SHEET), BeginCombat(),
    EndCombat(), ApplyModifier(DEFEND, 30, "please"), Overrule(TO_HIT, "base", 3, "please"), Adjust("bob", "wounds", 0, "please"),
    PassTime(1, "hours"), Rewind(2), Amend(2, {}, "please"), TypeDice(TO_HIT, (1,)), DrawDice(TO_HIT), Choose(TO_HIT, "x"),
    Declare("quick", "ann", {"what": "x"}),
]  # fmt: skip


@pytest.mark.parametrize("command", NOT_A_PLAYERS, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("by", [KIRA, WATCHER], ids=["a player", "a spectator"])
def test_what_is_the_gamemasters_is_refused_to_others(command: Command, by: Who) -> None:
    session = _declared()
    last, digest = session.log.last, session.log.digest

    with pytest.raises(NotAllowed) as refusal:
        session.perform(command, by=by)

    assert refusal.value.slug == "seat/not-allowed"
    assert (session.log.last, session.log.digest) == (last, digest)


def test_a_player_answers_for_their_own_and_takes_notes() -> None:
    session = _declared()

    session.perform(TypeDice(DEFEND, (77,)), by=KIRA)
    session.perform(Note("hm"), by=KIRA)

    with pytest.raises(NotAllowed):
        session.perform(TypeDice(TO_HIT, (77,)), by=KIRA)
    with pytest.raises(NotAllowed):
        session.perform(Note("hm"), by=WATCHER)
    with pytest.raises(NotAllowed):
        session.perform(OpenDispute(TO_HIT, "x"), by=WATCHER)


@pytest.mark.parametrize(
    ("key", "by"),
    [
        (DEFEND, BEN),
        (DEFEND, Who("kira", Seat.SPECTATOR)),
        (TO_HIT, Who("gm", Seat.PLAYER)),
        (TO_HIT, Who("gm", Seat.SPECTATOR)),
    ],
    ids=[
        "another player",
        "a player who only watches",
        "a player who calls himself gm",
        "a spectator who calls himself gm",
    ],
)
def test_only_whoever_plays_a_combatant_answers_for_it(key: str, by: Who) -> None:
    session = _declared()

    with pytest.raises(NotAllowed):
        session.perform(TypeDice(key, (77,)), by=by)


def test_a_player_may_not_take_back_nor_redo() -> None:
    session = _declared()
    session.undo()

    for ask in (lambda: session.undo(by=KIRA), lambda: session.redo(by=KIRA), lambda: session.rewind(1, by=KIRA)):
        with pytest.raises(NotAllowed):
            ask()


# ------------------------------------------------------------------------------------------------ drawing


def _declared_and_thrown(draw: Callable[[str, str], tuple[int, ...]]) -> Session:
    """Returns a session whose dice come from a given source, so that it commits to no seed."""
    return _play(
        _begun(draw=draw), Declare("attack", "ann", {"at": "bob", "using": "club"}), Choose(f"{ATTACK}/defense", "fray")
    )


def test_drawn_faces_are_written_with_where_they_came_from() -> None:
    session = _declared_and_thrown(lambda key, dice: (42,))

    entry = session.perform(DrawDice(TO_HIT))

    assert entry.command == DrawDice(TO_HIT, (42,))
    assert entry.events[0] == said.DiceRolled(TO_HIT, (42,), ("drawn",))


def test_dice_that_nobody_asked_for_are_not_drawn() -> None:
    drawn = []
    session = _declared_and_thrown(lambda key, dice: drawn.append(key) or (42,))

    with pytest.raises(Refused) as refusal:
        session.perform(DrawDice("r9/ann/initiative"))

    assert refusal.value.slug == "dice/not-asked-for"
    assert drawn == []


def test_a_client_cannot_choose_the_faces_that_are_said_to_be_drawn() -> None:
    session = _declared_and_thrown(lambda key, dice: (42,))
    try:
        session.perform(DrawDice(DEFEND, (1,)), by=KIRA)
    except Refused:
        return

    assert session.combat.rolls[DEFEND].faces == (42,)


def test_a_client_cannot_say_that_typed_faces_were_drawn() -> None:
    session = _declared()
    try:
        session.perform(TypeDice(DEFEND, (1,), ("drawn",)), by=KIRA)
    except Refused:
        return

    assert _told(session, said.DiceRolled)[-1].provenance == ("typed",)


def test_bytes_are_the_same_for_the_same_fight_but_for_clock_and_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.sessions.ports.new_seed", lambda: bytes(32))
    one, other = _over(), _over()

    assert [canonical(entry.command) for entry in one.entries()] == [
        canonical(entry.command) for entry in other.entries()
    ]
    assert [entry.events for entry in one.entries()] == [entry.events for entry in other.entries()]
    assert bare(one.state()).combatants == bare(other.state()).combatants
    assert one.log.digest != other.log.digest


def test_an_undo_under_a_key_is_done_once_however_much_stands_now() -> None:
    session = _wounded()
    undone = session.undo(why="no", batch="k")
    assert session.undo(why="no", batch="k") == undone
    assert session.undo(why="no", batch="l") != undone
    redone = session.redo(why="yes", batch="m")
    assert session.redo(why="yes", batch="m") == redone
    with pytest.raises(KeyReused):
        session.undo(why="another reason", batch="k")


def test_an_undo_of_somebody_who_knew_another_end_is_refused() -> None:
    session = _wounded()
    with pytest.raises(Stale) as refused:
        session.undo(why="no", expected=session.log.last - 1)
    assert refused.value.actual == session.log.last


def test_a_key_of_an_undo_is_none_of_a_redo_or_of_another_span() -> None:
    session = _wounded()
    session.undo(why="x", batch="k")
    head = session.log.head
    for other in (
        lambda: session.redo(why="x", batch="k"),
        lambda: session.undo("round", why="x", batch="k"),
        lambda: session.rewind(1, why="x", batch="k"),
    ):
        with pytest.raises(KeyReused):
            other()
    assert session.log.head == head
    session.perform(Note("x"), batch="n")
    with pytest.raises(KeyReused):
        session.redo(why="x", batch="n")


def test_a_race_for_the_key_of_an_undo_is_one_undo() -> None:
    """Two that know of nothing: the second finds the key only when it writes."""
    store = _wounded().log.store
    one, other = (Session(store, store.sessions()[0]) for _ in range(2))
    known, other.log.store.batch = store.batch, lambda *_: ()  # type: ignore[method-assign]
    first = one.undo(why="x", batch="k")
    assert other.undo(why="x", batch="k") == first
    store.batch = known  # type: ignore[method-assign]
    assert other.undo(why="x", batch="k") == first
