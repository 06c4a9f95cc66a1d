"""What one seat may see: a player, a spectator, the gamemaster."""

import re
from typing import Any

import msgspec
import pytest

from ledger import events as said
from ledger.audience import EVERYTHING, Viewer
from ledger.commands import AmendSheet, BeginCombat, Choose, Command, Declare, Join, Note, TypeDice
from ledger.entry import Entry, Seat, Who
from ledger.events import Audience
from projections.views.seen import hidden_parts, redacted, shown, viewer
from replays.api.session import Session

KIRA, BEN = Who("kira", Seat.PLAYER), Who("ben", Seat.PLAYER)
WATCHER = Who("zoe", Seat.SPECTATOR)
TO_HIT, DEFEND, DAMAGE = "r1/ann/a1/attack/to-hit", "r1/ann/a1/attack/defend", "r1/ann/a1/attack/damage"

# No two of these numbers are alike, and none comes of adding up the others here.
SECRETS = {
    "INIT": 161,
    "Durability": 143,
    "Wound Threshold": 109,
    "SOM": 37,
    "the attack skill": 58,
    "Fray": 46,
    "armor": 113,
}
SECRET = {
    "init": SECRETS["INIT"], "durability": SECRETS["Durability"], "wound_threshold": SECRETS["Wound Threshold"],
    "aptitudes": {"som": SECRETS["SOM"]}, "skills": {"clubs": SECRETS["the attack skill"], "fray": SECRETS["Fray"]},
    "armor": {"kinetic": SECRETS["armor"], "energy": SECRETS["armor"]},
    "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "1d10+2"}},
}  # fmt: skip
OPEN = {
    "init": 20, "durability": 31, "wound_threshold": 3, "aptitudes": {"som": 20}, "skills": {"blades": 71, "fray": 62},
    "weapons": {"sword": {"kind": "melee", "skill": "blades", "damage": "1d10+230"}},
}  # fmt: skip


def _session(*, sheet: Audience = None) -> Session:
    """Ann is the gamemaster's and may have a secret sheet; Bob is Kira's; Cyd is Ben's. Ann acts first."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", session="SEEN")
    session.perform(Join("ann", SECRET, "Ann", "gm", sheet_seen_by=sheet))
    session.perform(Join("bob", OPEN, "Bob", "kira"))
    session.perform(Join("cyd", OPEN, "Cyd", "ben"))
    session.perform(BeginCombat())
    for who, face in (("ann", 90), ("bob", 50), ("cyd", 3)):
        session.perform(TypeDice(f"r1/{who}/initiative", (face,)))
    return session


HIDDEN = ("ann",)
"""Whose players see Ann's sheet: only the gamemaster plays her."""


def _attack(session: Session, *answers: Command) -> Session:
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}))
    session.perform(Choose("r1/ann/a1/attack/defense", "fray"), by=KIRA)
    for answer in answers:
        session.perform(answer)
    return session


def _seen(session: Session, who: Who) -> str:
    """Every word and number that a seat is shown: commands, events, the state; nothing that only counts."""
    eyes = viewer(who, session.combat)
    entries = list(session.log.entries_of(session.log.timeline.line()))
    commands = [entry.command for entry in entries if 0 not in hidden_parts(entry, eyes)]
    state = msgspec.structs.replace(session.state(eyes=eyes), digest="", head=0, entries=0)
    return msgspec.json.encode([commands, list(shown(entries, eyes)), state]).decode()


def _numbers(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\d+", re.sub("[0-9a-f]{64}", "", text))}


def _as(combatants: frozenset[str] | None, seat: Seat = Seat.PLAYER) -> Viewer:
    return Viewer(seat, combatants or frozenset())


# ------------------------------------------------------------------------------------------------ who sees what


@pytest.mark.parametrize(
    ("seen_by", "gm", "hers", "another", "spectator"),
    [(None, True, True, True, True), ((), True, False, False, False), (("bob",), True, True, False, False),
     (("bob", "cyd"), True, True, True, False), (("ann",), True, False, False, False)],
    ids=["everyone", "the gamemaster", "one player", "two players", "a combatant of the gamemaster's"],
)  # fmt: skip
def test_the_gamemaster_sees_everything_players_what_is_for_theirs_spectators_what_is_for_all(
    seen_by: Audience, gm: bool, hers: bool, another: bool, spectator: bool
) -> None:
    combat = _session().combat

    assert EVERYTHING.may_see(seen_by) is gm
    assert viewer(KIRA, combat).may_see(seen_by) is hers
    assert viewer(BEN, combat).may_see(seen_by) is another
    assert viewer(WATCHER, combat).may_see(seen_by) is spectator


def test_eyes_are_those_of_the_combatants_a_person_rolls_for() -> None:
    combat = _session().combat

    assert viewer(KIRA, combat) == _as(frozenset({"bob"}))
    assert viewer(Who("nobody", Seat.PLAYER), combat) == _as(None)
    assert viewer(Who("kira", Seat.SPECTATOR), combat) == _as(None, Seat.SPECTATOR)
    assert viewer(Who("gm", Seat.GM), combat).seat is Seat.GM


def test_a_player_who_calls_himself_gm_does_not_see_what_is_the_gamemasters() -> None:
    combat = _session(sheet=("ann",)).combat

    assert not viewer(Who("gm", Seat.PLAYER), combat).may_see(())
    assert not viewer(Who("gm", Seat.PLAYER), combat).may_see(("ann",))
    assert not viewer(Who("gm", Seat.SPECTATOR), combat).may_see(("ann",))


def test_hidden_parts_are_the_command_and_then_the_events() -> None:
    events = (said.Noted("a", ""), said.Noted("b", "", seen_by=()), said.Noted("c", "", seen_by=("bob",)))
    entry = Entry(1, 1, 0, "", Who("gm"), 1, None, Note("x", seen_by=("bob",)), events)

    assert hidden_parts(entry, EVERYTHING) == ()
    assert hidden_parts(entry, _as(frozenset({"bob"}))) == (2,)
    assert hidden_parts(entry, _as(frozenset({"cyd"}))) == (0, 2, 3)
    assert hidden_parts(entry, _as(None, Seat.SPECTATOR)) == (0, 2, 3)
    assert redacted(entry, _as(frozenset({"bob"}))).events == (events[0], events[2])


# ------------------------------------------------------------------------------------------------ secret rolls


def test_a_secret_roll_is_seen_to_have_been_made_without_its_faces() -> None:
    session = _attack(_session(), TypeDice(TO_HIT, (29,), seen_by=()))

    faces = {who.name: [event.faces for event in _dice(session, who) if event.key == TO_HIT] for who in (KIRA, WATCHER)}

    assert faces == {"kira": [()], "zoe": [()]}
    assert [event.faces for event in _dice(session, Who("gm"))] == [(90,), (50,), (3,), (), (29,)]
    assert [rest["key"] for rest in session.state(eyes=viewer(KIRA, session.combat)).rests] == [DEFEND]


def test_a_secret_roll_is_seen_by_the_players_it_is_for() -> None:
    session = _attack(_session(), TypeDice(TO_HIT, (29,), seen_by=("bob",)))

    assert 29 in _numbers(_seen(session, KIRA))
    assert 29 not in _numbers(_seen(session, BEN))
    assert 29 not in _numbers(_seen(session, WATCHER))


@pytest.mark.parametrize("defense", [97, 13], ids=["the attack hits", "the attack is opposed"])
def test_what_follows_from_a_secret_roll_names_neither_its_face_nor_its_margin(defense: int) -> None:
    session = _attack(_session(), TypeDice(TO_HIT, (5,), seen_by=()), TypeDice(DEFEND, (defense,)))
    margin = SECRETS["the attack skill"] - 5

    seen = _seen(session, WATCHER)

    assert not re.search(r"\b05\b|\(5\)|\[5\]", seen)
    assert margin not in _numbers(seen)


def test_what_follows_from_secret_dice_of_damage_does_not_name_them() -> None:
    session = _attack(_session(), TypeDice(TO_HIT, (41,)), TypeDice(DEFEND, (97,)), TypeDice(DAMAGE, (8,), seen_by=()))

    seen = _seen(session, WATCHER)

    assert "1d10+2 is" not in seen, "the dice, read"
    assert not re.search(r"\[8\]", seen)


def test_the_gamemaster_sees_a_secret_roll_with_all_that_follows() -> None:
    session = _attack(_session(), TypeDice(TO_HIT, (5,), seen_by=()), TypeDice(DEFEND, (97,)))

    assert session.state(eyes=EVERYTHING) == session.state()
    assert [event.rolled for event in _events(session, Who("gm")) if isinstance(event, said.TestResolved)] == [5, 97]


def test_an_empty_twin_does_not_change_what_the_gamemaster_has() -> None:
    open_, secret = (
        _attack(_session(), TypeDice(TO_HIT, (5,), seen_by=audience), TypeDice(DEFEND, (97,)))
        for audience in (None, ())
    )

    assert secret.state().combatants == open_.state().combatants
    assert [rest["key"] for rest in secret.state().rests] == [rest["key"] for rest in open_.state().rests]


# ------------------------------------------------------------------------------------------------ secret sheets


@pytest.mark.parametrize("audience", [(), ("ann",), ("bob",), ("ann", "cyd")], ids=str)
def test_a_sheet_is_shown_to_those_it_was_given_for(audience: tuple[str, ...]) -> None:
    session = _session(sheet=audience)
    given = next(
        event for event in _events(session, Who("gm")) if isinstance(event, said.SheetGiven) and event.who == "ann"
    )

    assert given.seen_by == audience
    for who, theirs in ((KIRA, "bob"), (BEN, "cyd")):
        assert (SECRETS["Durability"] in _numbers(_seen(session, who))) == (theirs in audience)


def test_a_secret_sheet_and_its_tracks_are_not_in_a_players_view() -> None:
    session = _session(sheet=HIDDEN)

    mine, all_ = session.state(eyes=viewer(KIRA, session.combat)), session.state()

    assert mine.combatants["ann"].tracks == {}
    assert all_.combatants["ann"].tracks["damage"].capacity == SECRETS["Durability"]
    assert mine.combatants["bob"] == all_.combatants["bob"]
    assert mine.combatants["ann"].name == "Ann", "that somebody is there is no secret"


def test_the_command_that_gave_a_secret_sheet_is_hidden_too() -> None:
    session = _session(sheet=HIDDEN)
    joined = next(entry for entry in session.entries() if isinstance(entry.command, Join))

    assert 0 in hidden_parts(joined, viewer(KIRA, session.combat))
    assert 0 not in hidden_parts(joined, EVERYTHING)
    assert not any(
        isinstance(event, said.SheetGiven) for event in redacted(joined, viewer(WATCHER, session.combat)).events
    )


@pytest.mark.parametrize("number", SECRETS)
def test_no_number_of_a_secret_sheet_is_shown_when_its_owner_attacks(number: str) -> None:
    session = _attack(_session(sheet=HIDDEN), TypeDice(TO_HIT, (17,)), TypeDice(DEFEND, (97,)), TypeDice(DAMAGE, (8,)))

    assert SECRETS[number] in _numbers(_seen(session, Who("gm")))
    assert SECRETS[number] not in _numbers(_seen(session, KIRA))


def test_no_margin_by_which_a_secret_skill_could_be_counted_is_shown() -> None:
    session = _attack(_session(sheet=HIDDEN), TypeDice(TO_HIT, (17,)), TypeDice(DEFEND, (97,)))

    assert SECRETS["the attack skill"] - 17 not in _numbers(_seen(session, KIRA))


@pytest.mark.parametrize("number", SECRETS)
def test_no_number_of_a_secret_sheet_is_shown_when_its_owner_is_hit(number: str) -> None:
    session = _session(sheet=HIDDEN)
    session.perform(Choose("r1/ann/p1/act", "end"))
    session.perform(Declare("attack", "bob", {"at": "ann", "using": "sword"}), by=KIRA)
    session.perform(Choose("r1/bob/a1/attack/defense", "fray"))
    for role, face in (("to-hit", 64), ("defend", 97), ("damage", 7)):
        session.perform(TypeDice(f"r1/bob/a1/attack/{role}", (face,)))

    assert session.combat.wounds.count("ann") == 1
    assert SECRETS[number] in _numbers(_seen(session, Who("gm")))
    assert SECRETS[number] not in _numbers(_seen(session, KIRA))


def test_a_secret_sheet_that_is_amended_stays_as_secret_as_it_was() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e", session="SEEN")
    session.perform(Join("ann", SECRET, sheet_seen_by=HIDDEN))
    session.perform(Join("bob", OPEN, player="kira"))

    session.perform(AmendSheet("ann", {**SECRET, "durability": 199}))

    assert 199 not in _numbers(_seen(session, KIRA))


def test_a_choice_that_shows_targets_of_a_secret_sheet_is_hidden_with_its_targets_only() -> None:
    session = _session(sheet=HIDDEN)
    session.perform(Choose("r1/ann/p1/act", "end"))
    session.perform(Declare("attack", "bob", {"at": "ann", "using": "sword"}), by=KIRA)

    waiting = [rest["key"] for rest in session.state(eyes=viewer(KIRA, session.combat)).rests]

    assert waiting == ["r1/bob/a1/attack/defense"], "Kira sees that the table waits for Ann"
    assert SECRETS["Fray"] not in _numbers(_seen(session, KIRA))


def test_a_secret_note_is_secret_whole() -> None:
    session = _session()
    session.perform(Note("the butler did it", seen_by=()))
    session.perform(Note("the door is locked", seen_by=("bob",)))

    assert "butler" not in _seen(session, KIRA)
    assert "door" in _seen(session, KIRA)
    assert "door" not in _seen(session, BEN)
    assert "door" not in _seen(session, WATCHER)


def test_what_was_open_before_stays_open_after_something_secret() -> None:
    session = _session()
    before = session.state(eyes=viewer(BEN, session.combat))

    session.perform(Note("the butler did it", seen_by=()))

    after = session.state(eyes=viewer(BEN, session.combat))
    assert msgspec.structs.replace(after, entries=0, head=0, digest="") == msgspec.structs.replace(
        before, entries=0, head=0, digest=""
    )


# ------------------------------------------------------------------------------------------------ the document


def test_the_document_has_the_fields_that_outsiders_rely_on() -> None:
    plain: dict[str, Any] = msgspec.to_builtins(_attack(_session()).state())

    assert {"session", "ruleset", "profile", "entries", "head", "digest", "round", "pass", "active", "initiative", "combatants",
            "rests"} <= plain.keys()  # fmt: skip
    assert plain["combatants"]["bob"]["tracks"] == {"damage": {"taken": 0, "capacity": 31}}
    assert plain["combatants"]["bob"].keys() >= {"name", "tracks", "wounds", "conditions", "resources"}
    assert [(rest["key"], rest["by"], rest["dice"], rest["target"]) for rest in plain["rests"]] == [
        (TO_HIT, "ann", "1d100", 58),
        (DEFEND, "bob", "1d100", 62),
    ]


def test_a_choice_is_shown_with_its_options_and_its_default() -> None:
    rests = _session().state().rests

    assert rests[0]["key"] == "r1/ann/p1/act"
    assert rests[0]["default"] == "end"
    assert {"option", "label"} == set(rests[0]["options"][0])


def _events(session: Session, who: Who) -> list[said.Event]:
    return list(shown(session.log.entries_of(session.log.timeline.line()), viewer(who, session.combat)))


def _dice(session: Session, who: Who) -> list[said.DiceRolled]:
    return [event for event in _events(session, who) if isinstance(event, said.DiceRolled)]
