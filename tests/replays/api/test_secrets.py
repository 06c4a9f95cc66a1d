"""Hidden data is in no exported byte, cannot be guessed, is verified all the same, and matches once it is disclosed."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from ledger import chain
from ledger.audience import EVERYTHING, Viewer
from ledger.codec import canonical
from ledger.commands import (
    AmendSheet,
    ApplyModifier,
    BeginCombat,
    Choose,
    Declare,
    DrawDice,
    Join,
    Reveal,
    TypeDice,
)
from ledger.entry import Seat, Who
from ledger.errors import KeyReused, Refused
from ledger.events import DiceRolled, FigureFound
from ledger.stores.memory import MemoryStore
from projections.views.seen import viewer
from replays.api.session import Session
from replays.audit.audit import audit
from replays.corrections.change import Change
from replays.exports import jsonl
from replays.exports.report import report

KIRA, ZOE = Who("kira", Seat.PLAYER), Who("zoe", Seat.SPECTATOR)
ROLL = "r1/ann/initiative"
SHEET: dict[str, Any] = {
    "init": 60, "durability": 31, "aptitudes": {"som": 20}, "skills": {"fray": 40, "unarmed combat": 53},
    "weapons": {"claws": {"kind": "melee", "skill": "unarmed combat", "damage": "2d10"}},
}  # fmt: skip
DURABILITY = b'"capacity":31'


def fight() -> Session:
    """Returns a fight of Ann, whose sheet and first roll only the gamemaster may see, and Bob, played by Kira."""
    session = Session.create(MemoryStore(), ruleset="eclipse_phase_1e")
    session.perform(Join("ann", SHEET, sheet_seen_by=()))
    session.perform(Join("bob", {**SHEET, "weapons": {}}, player="kira"))
    session.perform(BeginCombat())
    session.perform(DrawDice(ROLL, seen_by=()))
    return session


def given(session: Session, who: Who) -> list[bytes]:
    """Returns what is exported for a caller, after verifying it."""
    lines = list(jsonl.export(session.log, viewer(who, session.combat), who.seat.value))
    assert jsonl.check(lines).entries == session.log.last
    return lines


def rolled(session: Session) -> int:
    """The entry of the secret roll."""
    return next(entry.seq for entry in session.entries() if any(map(_is_roll, entry.events)))


def _is_roll(event: object) -> bool:
    return isinstance(event, DiceRolled) and event.key == ROLL and event.faces != ()


def the_roll(session: Session) -> bytes:
    return next(canonical(event) for event in session.log.entry(rolled(session)).events if _is_roll(event))


# ------------------------------------------------------------------------------------------------ hidden


@pytest.mark.parametrize("who", [KIRA, ZOE], ids=str)
def test_an_export_holds_neither_the_secret_sheet_nor_the_secret_roll(who: Who) -> None:
    session = fight()

    told = b"\n".join(given(session, who))

    assert the_roll(session) not in told
    assert b"claws" not in told
    assert b"claws" in b"\n".join(jsonl.export(session.log))


def test_what_the_exports_say_is_hidden_is_hidden_on_the_screen_too() -> None:
    session = fight()

    hers, everything = (msgspec.json.encode(session.state(eyes=eyes)) for eyes in (Viewer(Seat.SPECTATOR), EVERYTHING))

    assert hers.count(DURABILITY) == 1
    assert everything.count(DURABILITY) == 2


def found_by_guessing(bodies: Sequence[bytes], leaf: str, salts: Sequence[bytes]) -> list[bytes]:
    """The bodies that have this leaf, with some of these salts."""
    return [body for body in bodies for salt in salts if chain.leaf(salt, body).hex() == leaf]


def test_a_redacted_hundred_sided_die_cannot_be_found_by_trying_its_faces() -> None:
    session = fight()
    entry = session.log.entry(rolled(session))
    part = next(part for part, event in enumerate(entry.events) if _is_roll(event))
    event = entry.events[part]
    guesses = [canonical(msgspec.structs.replace(event, faces=(face,))) for face in range(1, 101)]
    line = msgspec.json.decode(given(session, KIRA)[entry.seq])
    known = [bytes.fromhex(salt) for each in given(session, KIRA)[1:] for salt in _salts(each)]
    secret = next(r.secret for r in session.log.store.read(session.id) if r.seq == entry.seq)

    leaf = line["events"][part]
    assert isinstance(leaf, str)
    assert found_by_guessing(guesses, leaf, [b"", bytes(chain.SECRET), *known]) == []
    assert found_by_guessing(guesses, leaf, chain.salts(secret, len(entry.events) + 1)) == [canonical(event)]


def _salts(line: bytes) -> list[str]:
    """Returns the salts that a line discloses."""
    told = msgspec.json.decode(line)
    if "secret" in told:
        own = chain.salts(bytes.fromhex(told["secret"]), len(told["events"]) + 1)
        return [salt.hex() for salt in own]
    return [salt for salt in told["salts"] if salt is not None]


# ------------------------------------------------------------------------------------------------ disclosure


def test_what_is_told_later_is_what_was_committed_to() -> None:
    session = fight()
    before, seq = given(session, KIRA), rolled(session)
    hidden = msgspec.json.decode(before[seq])

    session.perform(Reveal(seq))

    shown = msgspec.json.decode(given(session, KIRA)[seq])
    assert shown["digest"] == hidden["digest"]
    assert shown["events"][1] == msgspec.json.decode(the_roll(session))
    assert [msgspec.json.decode(line)["digest"] for line in given(session, KIRA)[1 : len(before)]] == [
        msgspec.json.decode(line)["digest"] for line in before[1:]
    ]


def test_what_is_told_to_one_is_hidden_from_others() -> None:
    session = fight()

    session.perform(Reveal(rolled(session), to=("bob",)))

    assert the_roll(session) in b"\n".join(given(session, KIRA))
    assert the_roll(session) not in b"\n".join(given(session, ZOE))


def test_a_sheet_that_is_told_is_in_the_state_that_is_shown() -> None:
    session = fight()
    joined = next(entry.seq for entry in session.entries() if isinstance(entry.command, Join))

    session.perform(Reveal(joined))

    assert b"claws" in b"\n".join(given(session, ZOE))
    assert msgspec.json.encode(session.state(eyes=viewer(ZOE, session.combat))).count(DURABILITY) == 2


def test_what_was_told_is_told_too_where_it_is_performed_again() -> None:
    session = villainous()
    seq = next(
        entry.seq for entry in session.entries() if isinstance(entry.command, TypeDice) and entry.command.key == HIT
    )
    session.perform(Reveal(seq, to=("bob",)))

    session.amend(_declared(session), Change(insert=({"note": "the claws are wet"},)), why="said late")

    again = next(entry.seq for entry in session.entries() if entry.origin == seq)
    hers, theirs = (msgspec.json.decode(given(session, who)[again]) for who in (KIRA, ZOE))
    assert ["dice", HIT, [17], ["typed"], []] in hers["events"]
    assert ["dice", HIT, [17], ["typed"], []] not in theirs["events"]


def test_what_was_told_is_told_though_the_telling_is_undone_and_the_session_read_anew() -> None:
    session = fight()
    session.perform(Reveal(rolled(session)))

    session.undo()

    again = Session(session.log.store, session.id)
    assert the_roll(session) in b"\n".join(given(again, KIRA))


# ------------------------------------------------------------------------- the gamemaster's word on a secret


def villainous() -> Session:
    """Returns a fight with a villain whose sheet and dice only the gamemaster may see; Kira's Bob has been hit."""
    session = Session.create(MemoryStore(), ruleset="eclipse_phase_1e")
    session.perform(Join("villain", SHEET, sheet_seen_by=()))
    session.perform(Join("bob", {**SHEET, "weapons": {}}, player="kira"))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/villain/initiative", (93,), seen_by=()))
    session.perform(TypeDice("r1/bob/initiative", (2,)))
    session.perform(Declare("attack", "villain", {"at": "bob", "using": "claws"}))
    session.perform(Choose(session.rests[0].key, "fray"))
    session.perform(TypeDice(HIT, (17,), seen_by=()))
    session.perform(TypeDice("r1/villain/a1/attack/defend", (93,)))
    while session.rests[0].options:
        session.perform(Choose(session.rests[0].key, "pass"))
    session.perform(TypeDice("r1/villain/a1/attack/damage", (7, 6), seen_by=()))
    return session


HIT = "r1/villain/a1/attack/to-hit"


def _declared(session: Session) -> int:
    return next(entry.seq for entry in session.entries() if isinstance(entry.command, Declare))


def _dv(session: Session) -> int:
    found = (event for entry in session.entries() for event in entry.events)
    return next(int(event.value) for event in found if isinstance(event, FigureFound) and event.name == "dv")


@pytest.mark.parametrize(
    "say",
    [
        lambda session: session.amend(_declared(session), Change(dice={HIT: (41,)}), why="mis" + "read"),
        lambda session: session.overrule("villain/damage", "dv", 3, why="mis" + "read"),
        lambda session: session.modify(HIT, -1, why="mis" + "read"),
    ],
    ids=["amend", "overrule", "modify"],
)
def test_a_word_on_a_secret_roll_is_as_secret_as_the_roll(say: Callable[[Session], Any]) -> None:
    session = villainous()
    assert _dv(session) > 3

    say(session)

    for who in (KIRA, ZOE):
        eyes = viewer(who, session.combat)
        told = b"\n".join(given(session, who))
        assert b"misread" not in told
        assert b"[41]" not in told
        assert b'"figure":"dv"' not in told
        assert "misread" not in report(session.log, eyes)
        found = audit(session.log, eyes=eyes)
        assert [*found.amendments, *found.overrules, *found.modifiers] == []
        assert found.out_of_sight == 1
    assert b"misread" in b"\n".join(jsonl.export(session.log))
    assert audit(session.log).out_of_sight == 0


def test_the_seed_is_not_opened_to_somebody_alone() -> None:
    session = fight()

    with pytest.raises(Refused) as refusal:
        session.perform(Reveal(to=("bob",)))

    assert refusal.value.where == "entry"
    assert b'"seed"' not in b"\n".join(jsonl.export(session.log))


@pytest.mark.parametrize(
    ("reveal", "slug"),
    [
        (Reveal(1), "reveal/nothing"),
        (Reveal(99), "entry/unknown"),
        (Reveal(5, parts=(7,)), "reveal/nothing"),
        (Reveal(5, to=("nobody",)), "reveal/nothing"),
    ],
)
def test_what_is_no_secret_cannot_be_told(reveal: Reveal, slug: str) -> None:
    session = fight()
    last = session.log.last

    with pytest.raises(Refused) as refusal:
        session.perform(reveal)

    assert refusal.value.slug == slug
    assert refusal.value.accepts
    assert session.log.last == last


def test_only_the_gamemaster_tells() -> None:
    session = fight()

    with pytest.raises(Refused) as refusal:
        session.perform(Reveal(rolled(session)), by=KIRA)

    assert refusal.value.slug == "seat/not-allowed"


@pytest.mark.parametrize("seen_by", [None, ("bob",), ("bob", "ann")])
def test_nobody_widens_who_may_see_a_secret_by_what_they_ask_for_themselves(seen_by: tuple[str, ...] | None) -> None:
    session = Session.create(MemoryStore(), ruleset="eclipse_phase_1e")
    session.perform(Join("ann", {**SHEET, "skills": {"fray": 77, "unarmed combat": 91}}, sheet_seen_by=()))
    session.perform(Join("bob", SHEET, player="kira"))
    session.perform(BeginCombat())
    for who, face in (("bob", 90), ("ann", 10)):
        session.perform(TypeDice(f"r1/{who}/initiative", (face,)))
    hers = viewer(KIRA, session.combat)

    session.perform(Declare("attack", "bob", {"at": "ann", "using": "claws"}, seen_by=seen_by), by=KIRA)

    (rest,) = session.state(eyes=hers).rests
    assert {option.get("target") for option in rest["options"]} == {None}
    assert not any(number in rest["options"][0]["label"] for number in ("77", "91"))
    assert {option.get("target") for option in session.state().rests[0]["options"]} != {None}
    session.perform(Choose(rest["key"], "fray", seen_by=()))
    assert not any(",77," in line.decode() for line in given(session, KIRA))


@pytest.mark.parametrize(
    "ask",
    [
        lambda session: session.amend(_declared(session), Change(dice={HIT: (41,)}), why="misread", batch="k").entries,
        lambda session: session.overrule("villain/damage", "dv", 3, why="he held back", batch="k"),
        lambda session: session.modify(HIT, -1, why="it is dark", batch="k"),
    ],
    ids=["amend", "overrule", "modify"],
)
def test_a_word_on_a_secret_that_is_given_twice_under_one_key_is_written_once(ask: Callable[[Session], Any]) -> None:
    session = villainous()
    first, last = list(ask(session)), session.log.last

    assert first[0].command.seen_by == ()
    assert list(ask(session)) == first
    assert session.log.last == last


def test_a_modifier_on_an_open_secret_roll_is_written_once_though_the_roll_is_thrown_in_between() -> None:
    session = villainous()
    session.undo("exchange")
    session.perform(Declare("attack", "villain", {"at": "bob", "using": "claws"}))
    session.perform(Choose(session.rests[0].key, "fray", seen_by=()))
    first = session.perform(ApplyModifier(HIT, 10, "he is in the light"), batch="k")
    session.perform(TypeDice(HIT, (17,), seen_by=()))

    assert first.command.seen_by == ()
    assert session.perform(ApplyModifier(HIT, 10, "he is in the light"), batch="k") == first


def test_a_sheet_in_the_place_of_a_secret_one_is_given_once() -> None:
    session = fight()
    first = session.perform(AmendSheet("ann", {**SHEET, "durability": 40}), batch="k")

    assert first.command.seen_by == ()
    assert session.perform(AmendSheet("ann", {**SHEET, "durability": 40}), batch="k") == first


@pytest.mark.parametrize("to", [None, ("bob",)])
def test_a_secret_that_is_told_twice_under_one_key_is_told_once(to: tuple[str, ...] | None) -> None:
    session = fight()
    told = Reveal(rolled(session), to=to)
    first = session.perform(told, batch="k")

    assert session.perform(told, batch="k") == first
    for other in (Reveal(told.entry, parts=(1,), to=to), Reveal(told.entry, to=("ann",)), Reveal(2, to=to), Reveal()):
        with pytest.raises(KeyReused):
            session.perform(other, batch="k")


@pytest.mark.parametrize("seen_by", [("bob",), ("ann",)])
def test_a_word_to_other_ears_is_another_command(seen_by: tuple[str, ...]) -> None:
    session = fight()
    session.perform(AmendSheet("ann", SHEET), batch="k")

    with pytest.raises(KeyReused):
        session.perform(AmendSheet("ann", SHEET, seen_by=seen_by), batch="k")
