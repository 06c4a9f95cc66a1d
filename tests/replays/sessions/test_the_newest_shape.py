"""What shape 2 of the record added: requests with fingerprints, names that are sealed, sides, campaigns, counted dice."""

import msgspec
import pytest

from ledger import codec
from ledger.audience import Viewer
from ledger.codec import by_name, from_name
from ledger.commands import ApplyModifier, BeginCombat, DrawDice, Join, Note, Reveal, TellDice, TypeDice
from ledger.entry import Entry, Seat, StoredRequest, Who
from ledger.errors import KeyReused, WrongCount
from ledger.events import CombatantJoined, DiceTold, NameGiven
from ledger.requests.fingerprint import fingerprint
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import FacesNeeded
from machines.engine.decide import decide
from replays.api.session import GM, Session
from replays.corrections.change import Change
from replays.exports.jsonl import bring_in, export

SHEET = {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}
PLAYER = Viewer(Seat.PLAYER, frozenset({"ann"}))


@pytest.fixture
def session() -> Session:
    """Ann is there, under an idempotency key."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="A brawl", campaign="Firewall")
    session.perform(Join("ann", SHEET, side="guests", player="kira"), batch="ann")
    return session


# ------------------------------------------------------------------------------------------------ requests


def test_the_first_entry_of_a_batch_keeps_key_fingerprint_and_number_of_entries(session: Session) -> None:
    command = Join("ann", SHEET, side="guests", player="kira")

    asked = [entry.request for entry in session.entries()]

    assert asked == [None, StoredRequest("ann", fingerprint(GM, (command,)), 1)]


def test_a_batch_of_several_entries_names_itself_once(session: Session) -> None:
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (50,)))
    amendment = session.amend(4, Change(dice={"r1/ann/initiative": (60,)}), why="misread", batch="amended")

    asked = [entry.request for entry in amendment.entries]

    assert asked[0] is not None
    assert (asked[0].key, asked[0].entries) == ("amended", len(amendment.entries))
    assert set(asked[1:]) <= {None}
    assert len(session.log.store.batch(session.id, "amended")) == len(amendment.entries)


@pytest.mark.parametrize("again", ["undo", "redo", "amend", "modify", "draw", "note"])
def test_a_repeat_is_answered_and_another_request_under_the_key_refused(session: Session, again: str) -> None:
    session.perform(BeginCombat())
    requests = {
        "undo": lambda why: session.undo("step", why=why, batch="k"),
        "redo": lambda why: session.redo(why=why, batch="k"),
        "amend": lambda why: session.amend(2, Change(set={"sheet.init": 61}), why=why, batch="k").entries,
        "modify": lambda why: session.modify("ann", 2, why=why, batch="k"),
        "draw": lambda why: session.perform(
            DrawDice("r1/ann/initiative", seen_by=() if why == "other" else None), batch="k"
        ),
        "note": lambda why: session.perform(Note(why), batch="k"),
    }
    if again == "redo":
        session.undo("step")
    first = requests[again]("why")
    last = session.log.last

    assert msgspec.to_builtins(requests[again]("why")) == msgspec.to_builtins(first)
    with pytest.raises(KeyReused):
        requests[again]("other")
    assert session.log.last == last


def test_a_key_belongs_to_the_person_who_used_it(session: Session) -> None:
    session.perform(Note("x"), by=Who("kira", Seat.PLAYER), batch="k")

    for other in (Who("ben", Seat.PLAYER), Who("kira", Seat.GM)):
        with pytest.raises(KeyReused):
            session.perform(Note("x"), by=other, batch="k")


def test_a_session_that_is_brought_in_answers_repeats_as_the_first_ledger_did(session: Session) -> None:
    store = MemoryStore()
    bring_in(export(session.log), store)
    elsewhere = Session(store, session.id)

    entry = elsewhere.perform(Join("ann", SHEET, side="guests", player="kira"), batch="ann")

    assert (entry.seq, elsewhere.log.last) == (2, 2)
    assert elsewhere.log.verify().seq == 2


# ------------------------------------------------------------------------------------------------ names that are sealed


def test_who_joins_unseen_has_an_id_that_tells_nothing_and_a_sealed_name(session: Session) -> None:
    entry = session.perform(Join("assassin", SHEET, name="The Night Cartel's assassin", unseen=True))

    assert next(event for event in entry.events if isinstance(event, CombatantJoined)).name == "unseen-1"
    assert [event for event in entry.events if isinstance(event, NameGiven)] == [
        NameGiven("unseen-1", "assassin", seen_by=()),
        NameGiven("unseen-1", "The Night Cartel's assassin", seen_by=()),
    ]
    assert entry.command == Join(
        "unseen-1", SHEET, name="The Night Cartel's assassin", unseen=True, alias="assassin", seen_by=()
    )
    assert all(event.seen_by == () for event in entry.events)


def test_each_who_joins_unseen_gets_an_id_of_their_own(session: Session) -> None:
    session.perform(Join("assassin", SHEET, unseen=True))
    session.perform(Join("sniper", SHEET, unseen=True))

    assert list(session.combat.roster.who) == ["ann", "unseen-1", "unseen-2"]
    assert [session.combat.roster.name(who) for who in ("unseen-1", "unseen-2")] == ["assassin", "sniper"]


def test_a_reveal_opens_the_name_and_the_export_proves_it_was_that(session: Session) -> None:
    entry = session.perform(Join("assassin", SHEET, unseen=True))
    before = list(export(session.log, PLAYER, "kira"))
    session.perform(Reveal(entry.seq))
    after = list(export(session.log, PLAYER, "kira"))

    assert b"assassin" not in b"".join(before)
    assert b'"named","unseen-1","assassin"' in after[entry.seq]
    assert session.seen(PLAYER).roster.name("unseen-1") == "assassin"
    assert before[entry.seq].rpartition(b'"digest"')[2] == after[entry.seq].rpartition(b'"digest"')[2]


def test_who_joined_unseen_keeps_the_id_when_history_is_decided_again(session: Session) -> None:
    session.perform(Join("assassin", SHEET, unseen=True))
    session.perform(BeginCombat())
    for rest in session.rests:
        session.perform(DrawDice(rest.key))
    before = session.combat.initiative

    session.amend(2, Change(set={"sheet.durability": 31}), why="misread")

    assert list(session.combat.roster.who) == ["ann", "unseen-1"]
    assert session.combat.initiative == before


# ------------------------------------------------------------------------------------------------ sides, campaigns, counted dice


def test_a_combatant_has_the_side_they_joined_on(session: Session) -> None:
    session.perform(Join("bob", SHEET))

    assert [one.side for one in session.combat.roster.who.values()] == ["guests", ""]
    assert msgspec.to_builtins(session.state())["combatants"]["ann"]["side"] == "guests"
    assert "side" not in msgspec.to_builtins(session.state())["combatants"]["bob"]


def test_a_session_knows_its_campaign(session: Session) -> None:
    assert session.combat.session.campaign == "Firewall"
    assert Session.create("memory://", ruleset="eclipse_phase_1e").combat.session.campaign == ""


@pytest.mark.parametrize("counts", [{"hits": 4, "ones": 2}, {"total": 10}, {"hits": 4, "ones": 2, "sixes": 1}])
def test_counted_dice_are_kept_without_inventing_faces(counts: dict[str, int]) -> None:
    told = DiceTold("r1/ann/a1/attack/to-hit", "12d6", counts, "told")
    command = TellDice("r1/ann/a1/attack/to-hit", counts)
    entry = Entry(codec.SHAPE, 1, 0, "2024-11-03T19:30:00.000Z", GM, 1, None, command, (told,))

    assert codec.decode(codec.encode(entry)) == entry
    assert from_name(by_name(told)) == told


def test_dice_that_are_only_counted_are_refused_where_rules_read_each_face(session: Session) -> None:
    session.perform(BeginCombat())
    before = session.log.last

    with pytest.raises(FacesNeeded):
        session.perform(TellDice("r1/ann/initiative", {"total": 50}))
    with pytest.raises(WrongCount):
        decide(session.game, session.combat, TypeDice("r1/ann/initiative", (50,), ("told",)))

    assert session.log.last == before


def test_lines_of_shape_one_are_read_as_they_stand_and_written_again_byte_for_byte() -> None:
    line = codec.encode(Entry(1, 1, 0, "2024-11-03T19:30:00.000Z", GM, 1, None, ApplyModifier("k", 2, "x"), ()))

    entry = codec.decode(line)

    assert (entry.v, entry.request) == (1, None)
    assert codec.encode(entry) == line
