"""The audit: chain, dice, sums, and what people decided beside the rules."""

from io import StringIO

import msgspec
import pytest
from rich.console import Console

from ledger.audience import Viewer
from ledger.commands import (
    Adjust,
    BeginCombat,
    Choose,
    Declare,
    DrawDice,
    Join,
    Note,
    OpenDispute,
    Reveal,
    SettleDispute,
    TypeDice,
)
from ledger.entry import Seat, Who
from replays.api.run_script import perform
from replays.api.session import Session
from replays.audit.audit import Audit, audit
from replays.audit.dice_proof import verify
from replays.cli.views.audit_view import report
from replays.corrections.change import Change
from replays.scripts.format import examples, find_script, read

KIRA = Who("kira", Seat.PLAYER)
ATTACK = "r1/ann/a1/attack"
SHEET = {
    "init": 60, "durability": 40, "wound_threshold": 8, "aptitudes": {"som": 20},
    "skills": {"clubs": 50, "beam weapons": 60, "fray": 40}, "armor": {"kinetic": 4, "energy": 4},
    "weapons": {
        "club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"},
        "pistol": {"kind": "ranged", "skill": "beam weapons", "damage": "2d10", "modes": ["semi", "burst"]},
    },
}  # fmt: skip


def begun(**options) -> Session:
    """Ann (the gamemaster's) acts before Bob (Kira's)."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", title="A brawl", **options)
    session.perform(Join("ann", SHEET, "Ann"))
    session.perform(Join("bob", SHEET, "Bob", "kira"))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (90,)))
    session.perform(TypeDice("r1/bob/initiative", (10,)), by=KIRA)
    return session


def attack(session: Session, using: str = "club", faces: int | None = 25, **terms) -> None:
    """Ann attacks Bob; her die to hit is seen."""
    session.perform(Declare("attack", "ann", {"at": "bob", "using": using, **terms}))
    session.perform(Choose(f"{ATTACK}/defense", "fray"), by=KIRA)
    session.perform(TypeDice(f"{ATTACK}/to-hit", (faces,)) if faces is not None else DrawDice(f"{ATTACK}/to-hit"))


@pytest.fixture
def stoya() -> Session:
    return perform(read(find_script("stoya")[1]))


# ------------------------------------------------------------------------------------------------ the chain


def test_a_sound_log_is_sound(stoya):
    found = audit(stoya.log)

    assert found.is_sound
    assert found.chain.head == stoya.log.digest.hex()
    assert (30, 28) == (found.entries, found.standing)


def test_a_head_that_somebody_kept_is_part_of_it_or_the_chain_is_broken(stoya):
    kept = stoya.state(at=11).digest

    assert audit(stoya.log, kept).chain.holds
    assert audit(stoya.log, kept.upper()).chain.holds
    found = audit(stoya.log, "00" * 32)
    assert not found.is_sound
    assert "digest" in found.chain.problem


def test_an_altered_entry_breaks_the_chain_and_the_rest_is_told_all_the_same(stoya, monkeypatch):
    store, whole = stoya.log.store, stoya.log.store.read

    def altered(session, after=0, upto=None):
        for record in whole(session, after, upto):
            yield msgspec.structs.replace(record, line=record.line.replace(b"kira", b"anna"))

    monkeypatch.setattr(store, "read", altered)

    found = audit(stoya.log)

    assert not found.chain.holds
    assert "entry 3" in found.chain.problem
    assert found.rolls


# ------------------------------------------------------------------------------------------------ dice


def test_faces_are_counted_by_provenance_and_person():
    session = begun()
    attack(session, faces=None)

    by = {(one.provenance, one.by): one.faces for one in audit(session.log).dice.by}

    assert {("typed", "gm"): 1, ("typed", "kira (player)"): 1, ("drawn", "gm"): 1} == by


def test_dice_that_are_performed_again_are_thrown_once(stoya):
    def thrown():
        return [(one.provenance, one.by, one.faces, one.rolls) for one in audit(stoya.log).dice.by]

    before = thrown()
    stoya.overrule("assassin/damage", "dv", 3, why="a graze")

    assert before == thrown()


def test_faces_that_were_undone_are_counted_and_said_to_be_gone():
    session = begun()
    attack(session)
    session.undo("exchange")

    (gm, kira) = audit(session.log).dice.by

    assert (2, 1) == (gm.faces, gm.undone)
    assert (1, 0) == (kira.faces, kira.undone)


def test_draws_are_numbered_without_a_gap_standing_or_not():
    session = begun()
    attack(session, faces=None)
    session.undo("exchange", why="she meant to talk")
    attack(session, faces=None)

    first, second = audit(session.log).dice.draws

    assert (1, 2) == (first.nth, second.nth)
    assert first.key == second.key == f"{ATTACK}/to-hit"
    assert not first.stands
    assert second.stands
    assert first.entry == second.before
    assert second.why.endswith("she meant to talk")
    assert not second.is_other, "the same request gives the same die"


def test_under_a_fresh_policy_a_key_that_is_drawn_twice_shows_other_faces_or_says_the_same():
    session = begun(policies={"dice": "fresh"})
    for _ in range(6):
        attack(session, faces=None)
        session.undo("exchange")

    draws = audit(session.log).dice.draws

    assert [1, 2, 3, 4, 5, 6] == [draw.nth for draw in draws]
    assert any(draw.is_other for draw in draws)


def test_draws_are_verified_once_the_seed_is_revealed():
    session = begun()
    attack(session, faces=None)
    assert "sealed" == audit(session.log).dice.status
    session.perform(Reveal())

    found = audit(session.log)

    assert ("verified", 1) == (found.dice.status, found.dice.verified)
    assert ["verified"] == [draw.proof for draw in found.dice.draws]


def test_drawn_faces_are_counted_alike_wherever_the_audit_counts_them():
    """A modifier that comes late has dice performed again that lay already."""
    session = Session.create("memory://", ruleset="shadowrun_4e")
    for who in ("ann", "bob"):
        session.perform(Join(who, {"reaction": 3, "intuition": 3}))
    session.perform(BeginCombat())
    for who in ("ann", "bob"):
        session.perform(DrawDice(f"r1/{who}/initiative"))
    session.amend("r1/ann/initiative", Change(insert=({"note": "in the rain"},)), why="it rained")
    written = Console(file=StringIO(), width=2000)

    found = audit(session.log)
    report(written, found)

    (drawn,) = (one for one in found.dice.by if one.provenance == "drawn")
    thrown = sum(len(draw.faces) for draw in found.dice.draws)
    assert drawn.faces == found.dice.drawn == thrown < found.dice.on_record
    assert drawn.rolls == found.dice.drawn_rolls == len(found.dice.draws) == 2
    told = written.file.getvalue()
    assert f"drawn: {thrown} faces in 2 rolls, gm" in told
    again = found.dice.on_record - thrown
    words = f"{thrown} faces in 2 rolls drawn, {found.dice.on_record} on record, {again} of them used again"
    assert f"seed sealed: {words}" in told
    assert str(verify(session.log)) == f"{found.dice.on_record} drawn faces on record, not yet revealed"

    session.perform(Reveal())
    assert audit(session.log).dice.verified == thrown


@pytest.mark.parametrize("policy", ["sticky", "fresh"])
@pytest.mark.parametrize("first", ["drawn", "typed"])
@pytest.mark.parametrize("rest", ["drawn", "typed"])
def test_dice_that_lay_already_are_not_counted_again_where_a_pool_has_grown(first: str, rest: str, policy: str) -> None:
    """Ann has six dice; then her Reaction is 5, not 3, and two are thrown beside them."""
    key = "r1/ann/initiative"
    session = Session.create("memory://", ruleset="shadowrun_4e", policies={"dice": policy})
    session.perform(Join("ann", {"reaction": 3, "intuition": 3}))
    session.perform(BeginCombat())
    session.perform(DrawDice(key) if first == "drawn" else TypeDice(key, (2, 2, 3, 3, 2, 3)))
    session.amend(2, Change(set={"sheet.reaction": 5}), why="augmented")
    assert len(session.waiting.known_faces(session.rests[0])) == 6
    session.perform(DrawDice(key) if rest == "drawn" else TypeDice(key, (2, 3)))
    made = {"drawn": 0, "typed": 0}
    made[first] += 6
    made[rest] += 2

    dice = audit(session.log).dice

    assert {one.provenance: one.faces for one in dice.by} == {name: count for name, count in made.items() if count}
    assert not [one.undone for one in dice.by if one.undone]
    assert (dice.drawn, sum(one.rolls for one in dice.by)) == (made["drawn"], 2)
    assert dice.drawn_rolls == len(dice.draws) == [first, rest].count("drawn")
    assert not [draw for draw in dice.draws if draw.is_other]
    session.perform(Reveal())
    assert audit(session.log).dice.verified == made["drawn"]
    assert audit(session.log).is_sound


def test_a_drawn_die_that_the_seed_does_not_give_breaks_the_audit(monkeypatch):
    session = begun()
    monkeypatch.setattr("replays.sessions.provable_dice.draw.faces", lambda *_: (42,))
    attack(session, faces=None)
    monkeypatch.undo()
    session.perform(Reveal())
    drawn = audit(session.log)
    if drawn.dice.status == "verified":
        pytest.skip("the seed gives 42")

    assert not drawn.is_sound
    assert drawn.dice.problems
    assert ["broken"] == [draw.proof for draw in drawn.dice.draws]


def test_secret_dice_are_counted_for_others_without_their_faces():
    session = begun()
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}))
    session.perform(Choose(f"{ATTACK}/defense", "fray"), by=KIRA)
    session.perform(DrawDice(f"{ATTACK}/to-hit", seen_by=()))

    found = audit(session.log, eyes=Viewer(Seat.PLAYER, frozenset({"bob"})))

    (draw,) = found.dice.draws
    assert () == draw.faces
    (face,) = audit(session.log).dice.draws[0].faces
    assert all(face not in one.faces for one in found.rolls if one.key == draw.key)


# ------------------------------------------------------------------------------------------------ sums


@pytest.mark.parametrize("name", sorted(examples()))
def test_each_standing_roll_of_a_shipped_fight_is_itemized_and_adds_up(name):
    session = perform(read(find_script(name)[1]))

    found = audit(session.log)

    assert found.is_sound
    assert found.rolls
    assert () == found.dice.unanswered
    for one in found.rolls:
        assert one.faces, one.key
        assert one.person, one.key
        if one.outcome:
            assert one.source, one.key
        comes_to = one.pool if one.pool is not None else one.target
        if isinstance(one.base, int) and comes_to is not None and "Edge" not in one.sum_why:
            assert comes_to == max(0, one.base + sum(each.value for each in one.modifiers)), one.key


def test_a_roll_has_its_base_each_modifier_with_its_page_and_its_outcome(stoya):
    (one,) = [each for each in audit(stoya.log).rolls if each.key == "r1/stoya/a1/attack/to-hit"]

    assert (47, "beam weapons", "EP1 191 Step 1") == (one.base, one.base_why, one.base_source)
    assert [(-20, "2 wounds"), (10, "smartlink"), (0, "short range")] == [(m.value, m.why) for m in one.modifiers]
    assert all(each.source.startswith("EP1 ") for each in one.modifiers)
    assert ("1d100", (22,), 37, "critical success", 15) == (one.dice, one.faces, one.target, one.outcome, one.margin)


def test_what_no_longer_stands_is_no_standing_roll(stoya):
    stoya.undo("exchange")

    assert not [one for one in audit(stoya.log).rolls if one.key.startswith("r1/stoya/a1/attack")]


# ------------------------------------------------------------------------------------------------ people


def test_an_overruling_says_what_the_rule_says_who_said_otherwise_when_and_why(stoya):
    (one,) = audit(stoya.log).overrules

    assert (18, 26, 21, True) == (one.entry, one.rule_says, one.gm_says, one.stands)
    assert one.why.startswith("the book's example")
    assert one.by
    assert one.at.endswith("Z")


def test_an_overruling_that_was_undone_is_told_and_no_longer_stands(stoya):
    stoya.overrule("assassin/damage", "dv", 3, why="a graze")
    stoya.undo()

    found = audit(stoya.log)

    assert [(18, True), (31, False)] == [(one.entry, one.stands) for one in found.overrules]
    (rewind,) = found.rewinds
    assert rewind.undone > 1
    assert 13 == rewind.redone


def test_a_modifier_is_late_only_where_the_dice_lay_already():
    session = begun()
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}))
    session.perform(Choose(f"{ATTACK}/defense", "fray"), by=KIRA)
    session.modify(f"{ATTACK}/to-hit", 10, why="from behind")
    session.perform(TypeDice(f"{ATTACK}/to-hit", (25,)))
    assert () == audit(session.log).modifiers

    session.modify(f"{ATTACK}/to-hit", -20, why="steam")

    (late,) = audit(session.log).modifiers
    assert (-20, "steam", f"{ATTACK}/to-hit") == (late.value, late.why, late.key)


def test_what_was_set_without_a_rule_is_told_with_before_and_after(stoya):
    stoya.perform(Adjust("stoya", "wounds", 0, "a medic"))

    (one,) = audit(stoya.log).adjustments

    assert ("stoya", "wounds", 2, 0, "a medic") == (one.who, one.what, one.before, one.after, one.why)


def test_an_amendment_is_told_with_its_change(stoya):
    stoya.amend(12, Change(set={"terms.range": "medium"}), why="it was farther")

    (one,) = audit(stoya.log).amendments

    assert (12, "it was farther") == (one.corrects, one.why)
    assert {"terms.range": "medium"} == one.change["set"]
    assert () == audit(stoya.log).second_thoughts, "a correction is told as one"


def test_disputes_are_told_with_what_they_came_to(stoya):
    stoya.perform(OpenDispute("assassin/damage", "too much"), by=KIRA)
    stoya.perform(SettleDispute("d1", "upheld", "no"))
    stoya.perform(OpenDispute("12", "too far"), by=KIRA)

    found = audit(stoya.log).disputes

    assert ["upheld", None] == [one.settlement and one.settlement.ruling for one in found]


# ------------------------------------------------------------------------------------------------ second thoughts


def test_another_declaration_after_a_seen_and_undone_die_is_named():
    session = begun()
    attack(session, using="club", faces=93)
    session.undo("exchange", why="oh")
    attack(session, using="pistol", faces=12)

    (found,) = audit(session.log).second_thoughts

    assert ("club", "pistol") == (found.undone.terms["using"], found.then.terms["using"])
    assert [(93,)] == [die.faces for die in found.seen]
    assert "oh" == found.why


def test_the_same_declaration_again_is_no_second_thought():
    session = begun()
    attack(session, faces=93)
    session.undo("exchange")
    attack(session, faces=93)

    assert () == audit(session.log).second_thoughts


def test_another_declaration_before_any_die_was_seen_is_no_second_thought():
    session = begun()
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}))
    session.undo("exchange")
    attack(session, using="pistol")

    assert () == audit(session.log).second_thoughts


def test_walking_away_after_a_seen_and_undone_die_is_a_second_thought():
    session = begun()
    attack(session, faces=93)
    session.undo("exchange")
    session.perform(Declare("quick", "ann", {"what": "looks around"}))

    (found,) = audit(session.log).second_thoughts

    assert ("attack", "quick") == (found.undone.kind, found.then.kind)


def test_an_undo_that_is_taken_back_leaves_no_second_thought():
    session = begun()
    attack(session, faces=93)
    session.undo("exchange")
    session.redo()
    session.perform(TypeDice(f"{ATTACK}/defend", (50,)), by=KIRA)

    assert () == audit(session.log).second_thoughts


def test_undoing_a_correction_is_no_second_thought(stoya):
    stoya.overrule("assassin/damage", "dv", 3, why="a graze")
    stoya.undo()
    stoya.perform(Declare("attack", "stoya", {"at": "assassin", "using": "stunner"}))

    assert () == audit(stoya.log).second_thoughts


def test_of_an_undone_die_that_was_secret_a_player_is_told_nothing():
    session = begun()
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "club"}))
    session.perform(Choose(f"{ATTACK}/defense", "fray"), by=KIRA)
    session.perform(TypeDice(f"{ATTACK}/to-hit", (93,), seen_by=()))
    session.undo("exchange")
    attack(session, using="pistol")

    assert 1 == len(audit(session.log).second_thoughts)
    assert () == audit(session.log, eyes=Viewer(Seat.PLAYER, frozenset({"bob"}))).second_thoughts


def test_an_audit_is_a_plain_document_and_writes_nothing(stoya):
    stoya.perform(Note("x"))
    last = stoya.log.last

    found = audit(stoya.log)

    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(found)), Audit) == found
    assert last == stoya.log.last


# ------------------------------------------------------------------------------------------------ times


def timed(*times: str) -> Session:
    """A session with a note at each of these times."""
    told = iter(times)
    session = Session.create("memory://", ruleset="eclipse_phase_1e", clock=lambda: next(told))
    for _ in times[1:]:
        session.perform(Note("so"), by=KIRA)
    return session


def test_times_that_run_backwards_are_told_with_both_entries_and_break_nothing() -> None:
    noon, eleven, one = "2024-11-03T12:00:00.000Z", "2024-11-03T11:00:00.000Z", "2024-11-03T13:00:00.000Z"

    found = audit(timed(noon, noon, eleven, one).log)

    assert [(each.entry, each.at, each.before, each.before_at, each.by) for each in found.backwards] == [
        (3, eleven, 2, noon, "kira (player)")
    ]
    assert found.chain.holds
    assert found.is_sound


def test_times_are_compared_as_times_and_not_as_texts() -> None:
    zoned = timed(
        "2024-11-03T12:00:00.000Z", "2024-11-03T12:30:00.000+01:00", "2024-11-03T12:45:00Z", "2024-11-03T12:45:00.5Z"
    )

    assert [(each.entry, each.before) for each in audit(zoned.log).backwards] == [(2, 1)]


def test_a_time_that_is_none_is_compared_with_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "replays.sessions.log.is_time", lambda _: True
    )  # as an older Affray wrote whatever its clock returned
    assert () == audit(timed("2024-11-03T12:00:00Z", "half past eight", "2024-11-03T11:00:00Z").log).backwards


def test_a_log_whose_times_go_forward_says_nothing_of_them(stoya: Session) -> None:
    assert () == audit(stoya.log).backwards
