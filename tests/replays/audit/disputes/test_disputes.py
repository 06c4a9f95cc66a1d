"""Disputes: opened by anyone at the table, supported by the log, settled by the gamemaster, and kept for good."""

import msgspec
import pytest

from ledger.audience import Viewer
from ledger.commands import Note, OpenDispute, Overrule, Reveal, SettleDispute
from ledger.entry import Seat, Who
from ledger.errors import KeyReused, NoSuchEntry, Refused
from ledger.events import DisputeOpened, DisputeSettled
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import (
    BadId,
    BadRuling,
    DisputeTaken,
    NoSuchDispute,
    NoSuchRoll,
    NotAllowed,
    SettledBefore,
)
from machines.engine.decide import decide
from projections.views.seen import viewer
from replays.api.run_script import perform
from replays.api.session import Session
from replays.audit.disputes.case import Dispute, dispute
from replays.audit.disputes.counterfactual import Claim, claimed
from replays.audit.disputes.precedents import precedents, search
from replays.audit.disputes.register import disputed
from replays.audit.why import NothingThere
from replays.corrections.change import Change
from replays.corrections.redecide import rehearse
from replays.scripts.format import find_script, read

KIRA, WATCHER = Who("kira", Seat.PLAYER), Who("zoe", Seat.SPECTATOR)
ATTACK = "r1/assassin/a2/attack"
DAMAGE = f"{ATTACK}/damage"


@pytest.fixture
def session() -> Session:
    return perform(read(find_script("stoya")[1]))


def challenge(session: Session, about: str = "assassin/damage", claim: str = "", why: str = "too much") -> str:
    entry = session.perform(OpenDispute(about, why, claim), by=KIRA)
    return next(event.dispute for event in entry.events if isinstance(event, DisputeOpened))


# ------------------------------------------------------------------------------------------------ opening


def test_a_player_challenges_a_roll_and_the_record_has_its_whole_key(session):
    entry = session.perform(OpenDispute("assassin/damage", "too much", "21 at most"), by=KIRA)

    assert entry.events == (DisputeOpened("d1", DAMAGE, "21 at most", "too much"),)
    assert session.combat.disputes.open["d1"].about == DAMAGE


@pytest.mark.parametrize(
    ("about", "meant"),
    [("12", "12"), ("stoya.wounds", "stoya.wounds"), (ATTACK, ATTACK), ("stoya.tracks.damage", "stoya.damage")],
)
def test_an_entry_an_exchange_and_a_figure_of_health_can_be_challenged(session, about, meant):
    challenge(session, about)

    assert disputed(session.log)["d1"].challenge.about == meant


def test_a_spectator_may_not_challenge_and_a_player_may_not_settle(session):
    with pytest.raises(NotAllowed):
        session.perform(OpenDispute(DAMAGE, "hm"), by=WATCHER)
    challenge(session)
    with pytest.raises(NotAllowed):
        session.perform(SettleDispute("d1", "upheld", "because"), by=KIRA)


@pytest.mark.parametrize(
    ("about", "refusal"),
    [("nothing/such", NoSuchRoll), ("999", NoSuchEntry), ("0", NoSuchEntry), ("stoya.luck", NothingThere)],
)
def test_what_is_not_on_record_cannot_be_challenged(session, about, refusal):
    last = session.log.last

    with pytest.raises(refusal):
        session.perform(OpenDispute(about, "hm"), by=KIRA)

    assert last == session.log.last


def test_what_somebody_may_not_see_they_cannot_challenge(session):
    note = session.perform(Note("the assassin is a double agent", seen_by=()))

    with pytest.raises(NothingThere):
        session.perform(OpenDispute(str(note.seq), "what is it?"), by=KIRA)


def test_a_secret_dispute_that_was_undone_is_settled_in_secret(session):
    session.perform(OpenDispute(DAMAGE, "the assassin cheats", seen_by=()))
    session.undo("step")

    settled = session.perform(SettleDispute("d1", "upheld", "the assassin may"))

    assert settled.command.seen_by == ()
    assert [event.seen_by for event in settled.events] == [()]
    assert session.disputes(viewer(WATCHER, session.combat)) == ()
    assert list(rehearse(session.log)) == []


def test_a_secret_dispute_that_was_revealed_and_undone_is_settled_in_the_open(session):
    opened = session.perform(OpenDispute(DAMAGE, "the assassin cheats", seen_by=()))
    session.perform(Reveal(entry=opened.seq))
    session.rewind(opened.after)

    settled = session.perform(SettleDispute("d1", "upheld", "the assassin may"))

    assert settled.command.seen_by is None


def test_ids_count_every_dispute_of_the_log_whatever_a_client_says(session):
    before = session.log.head
    challenge(session)
    session.rewind(before)

    entry = session.perform(OpenDispute(DAMAGE, "again", dispute="d1"), by=KIRA)

    assert "d2" == entry.command.dispute
    assert ["d1", "d2"] == list(disputed(session.log))


def test_the_same_challenge_under_one_key_is_opened_once(session):
    first = session.perform(OpenDispute("assassin/damage", "too much"), by=KIRA, batch="x")

    assert first == session.perform(OpenDispute("assassin/damage", "too much"), by=KIRA, batch="x")
    for other in (OpenDispute("assassin/damage", "too little"), OpenDispute(DAMAGE, "too much")):  # in other words
        with pytest.raises(KeyReused):
            session.perform(other, by=KIRA, batch="x")


# ------------------------------------------------------------------------------------------------ settling


def test_the_gamemaster_settles_and_the_ruling_stays(session):
    challenge(session)

    entry = session.perform(SettleDispute("d1", "upheld", "the book says so"))

    assert entry.events == (DisputeSettled("d1", "upheld", None, "the book says so"),)
    assert dict(session.combat.disputes.settled) == {"d1": "upheld"}
    assert not session.combat.disputes.open


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (SettleDispute("d9", "upheld", "x"), NoSuchDispute),
        (SettleDispute("d1", "perhaps", "x"), BadRuling),
        (SettleDispute("d1", "amended", "x"), BadRuling),
        (SettleDispute("d1", "overruled", "x"), BadRuling),
        (SettleDispute("d1", "overruled", "x", 999), BadRuling),
        (SettleDispute("d1", "upheld", "x", 0), BadRuling),
    ],
)
def test_a_settling_of_nothing_or_by_nothing_is_refused_with_what_would_do(session, command, refusal):
    challenge(session)

    with pytest.raises(refusal) as refused:
        session.perform(command)

    assert refused.value.accepts
    assert disputed(session.log)["d1"].settlement is None


def test_a_dispute_is_settled_once(session):
    challenge(session)
    session.perform(SettleDispute("d1", "upheld", "so it is"))

    with pytest.raises(SettledBefore):
        session.perform(SettleDispute("d1", "upheld", "still"))
    session.undo("step")
    with pytest.raises(SettledBefore):
        session.perform(SettleDispute("d1", "overruled", "or not", 5))


def test_a_dispute_outlives_the_undoing_of_what_it_is_about(session):
    challenge(session)
    session.undo("round")
    assert "d1" not in session.combat.disputes

    session.perform(SettleDispute("d1", "upheld", "it was right all the same"))

    found = dispute(session.log, "d1")
    assert "upheld" == found.settlement.ruling
    assert not found.challenge.stands
    assert (3, 4, 4, 5) == found.evidence.dice[0].faces
    assert not found.evidence.dice[0].stands


def test_a_dispute_that_an_amendment_performs_again_is_one_dispute(session):
    challenge(session, "stoya.damage")
    session.amend(12, Change(set={"terms.range": "medium"}), why="it was farther")

    assert ["d1"] == list(disputed(session.log))
    session.perform(SettleDispute("d1", "amended", "it was farther", session.log.last))
    assert "amended" == disputed(session.log)["d1"].settlement.ruling


def test_a_log_with_disputes_is_rehearsed_without_a_difference(session):
    challenge(session)
    session.undo("exchange")
    session.perform(SettleDispute("d1", "upheld", "so"))

    assert [] == list(rehearse(session.log))


def test_decide_refuses_an_id_that_is_none_or_is_there(session):
    challenge(session)

    with pytest.raises(BadId):
        decide(session.game, session.combat, OpenDispute(DAMAGE, "x", dispute="../etc"))
    with pytest.raises(DisputeTaken):
        decide(session.game, session.combat, OpenDispute(DAMAGE, "x", dispute="d1"))
    assert "d2" == decide(session.game, session.combat, OpenDispute(DAMAGE, "x"))[0].dispute


# ------------------------------------------------------------------------------------------------ evidence


def test_the_evidence_has_the_sum_the_dice_who_said_what_and_every_entry(session):
    challenge(session, ATTACK)

    found = dispute(session.log, "d1").evidence

    assert [ATTACK] == [each.subject for each in found.explained]
    assert {f"{ATTACK}/to-hit", f"{ATTACK}/defend", DAMAGE} <= {die.key for die in found.dice}
    assert {"scripted"} == {how for die in found.dice for how in die.provenance}
    assert [("declared", "attack", 12)] == [(part.what, part.value, part.entry) for part in found.said]
    assert {12, 14, 15, 16, 18, 20, 21} <= set(found.entries)


def test_an_entry_is_evidenced_by_all_that_it_rolled_chose_and_declared(session):
    challenge(session, "15")

    explained = dispute(session.log, "d1").evidence.explained

    assert f"{ATTACK}/defend" in [each.subject for each in explained]


def test_an_entry_that_no_longer_stands_is_evidenced_as_it_stood(session):
    challenge(session, "16")  # performed again by the overruling of the example

    found = dispute(session.log, "d1").evidence

    assert [DAMAGE] == [each.subject for each in found.explained]
    assert {"dv": 26} == {part.what: part.value for part in found.explained[0].parts if part.what.startswith("dv")}


def test_a_player_is_shown_no_more_than_they_may_see(session):
    session.perform(OpenDispute(DAMAGE, "for my eyes", seen_by=()))
    challenge(session, claim="figure dv = 3")
    kira, nobody = Viewer(Seat.PLAYER, frozenset({"stoya"})), Viewer(Seat.SPECTATOR)

    assert ["d2"] == list(disputed(session.log, kira))
    with pytest.raises(NoSuchDispute):
        dispute(session.log, "d1", nobody)
    assert dispute(session.log, "d2", kira).alternative is None  # the alternative could disclose something hidden
    assert dispute(session.log, "d2").alternative is not None


def test_where_nothing_is_hidden_a_player_sees_what_would_come_of_the_claim(session):
    challenge(session, claim="figure dv = 3")

    assert dispute(session.log, "d1", Viewer(Seat.PLAYER, frozenset({"stoya"}))).alternative is not None


def test_a_dispute_is_a_plain_document(session):
    challenge(session, claim="figure dv = 3")
    found = dispute(session.log, "d1")

    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(found)), Dispute) == found


# ------------------------------------------------------------------------------------------------ the alternative


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("figure dv = 21", Claim("dv", 21)),
        ("figure basic damage = 3", Claim("basic damage", 3)),
        ('figure outcome = "miss"', Claim("outcome", "miss")),
        ("figure outcome = miss", Claim("outcome", "miss")),
        ('terms.range = "short"', Claim(set={"terms.range": "short"})),
        ("terms.using.ap = -5", Claim(set={"terms.using.ap": -5})),
        ("faces = [3, 4]", Claim(set={"faces": [3, 4]})),
        ("drop", Claim(drop=True)),
        ("it was dark", None),
        ("", None),
        ("figure dv =", None),
        ("figure dv = [1]", None),
    ],
)
def test_a_claim_is_a_figure_a_change_or_only_words(text, claim):
    assert claim == claimed(text)


@pytest.mark.parametrize("about", ["assassin/damage", "stoya.damage", ATTACK, "18"])
def test_a_claimed_figure_is_decided_before_anybody_decides(session, about):
    before, last = session.combat, session.log.last
    challenge(session, about, "figure dv = 5")

    found = dispute(session.log, "d1").alternative

    assert not found.refused
    assert ("stoya", "damage", 21, 5) in [(one.who, one.what, one.before, one.after) for one in found.shifts]
    assert ("stoya", "wounds", 2, 0) in [(one.who, one.what, one.before, one.after) for one in found.shifts]
    assert last + 1 == session.log.last, "nothing but the challenge was written"
    assert before.health == session.combat.health


def test_the_alternative_is_what_the_overruling_then_comes_to(session):
    challenge(session, claim="figure dv = 5")
    found = dispute(session.log, "d1").alternative

    session.overrule("assassin/damage", "dv", 5, why="as claimed")

    state = session.state()
    for shift in found.shifts:
        if shift.what == "damage":
            assert shift.after == state.combatants[shift.who].tracks["damage"].taken
        if shift.what == "wounds":
            assert shift.after == state.combatants[shift.who].wounds


@pytest.mark.parametrize("about", [ATTACK, DAMAGE, "12", "stoya.wounds"])
def test_a_claimed_term_is_that_of_the_declaration_it_is_about(session, about):
    challenge(session, about, 'terms.range = "long"')

    found = dispute(session.log, "d1").alternative

    assert "entry 12: terms.range is long" == found.what
    assert found.shifts == session.preview(12, Change(set={"terms.range": "long"}), why="x", consent=True).shifts


def test_what_never_happened_is_decided_too(session):
    challenge(session, "24", "drop")

    shifts = dispute(session.log, "d1").alternative.shifts

    assert ("assassin", "damage", 0) in [(one.who, one.what, one.after) for one in shifts]


@pytest.mark.parametrize("claim", ["figure luck = 3", 'terms.range = "nowhere"', "nothing.of.that = 1"])
def test_a_claim_that_cannot_be_says_why(session, claim):
    challenge(session, ATTACK, claim)

    found = dispute(session.log, "d1").alternative

    assert "/" in found.refused.partition(":")[0]
    assert not found.changes_nothing


def test_what_the_record_says_already_changes_nothing(session):
    challenge(session, claim="figure dv = 21")

    assert dispute(session.log, "d1").alternative.changes_nothing


def test_of_a_settled_dispute_nothing_is_weighed_any_more(session):
    challenge(session, claim="figure dv = 5")
    session.perform(SettleDispute("d1", "upheld", "no"))

    assert dispute(session.log, "d1").alternative is None


@pytest.mark.parametrize(
    ("example", "about", "claim"),
    [
        ("last-stand", "r1/spear/a1/attack", "figure injury = 1"),
        ("street-fight", "razor/to-hit", "figure target = 1"),
        ("jinx", "jinx/to-hit", "drop"),
    ],
)
def test_every_game_has_disputes(example, about, claim):
    session = perform(read(find_script(example)[1]))
    session.perform(OpenDispute(about, "hm", claim))

    found = dispute(session.log, "d1")

    assert found.evidence.dice
    assert found.alternative is not None
    assert found.alternative.what


# ------------------------------------------------------------------------------------------------ precedents


def test_settled_disputes_and_overruled_figures_are_precedents(session):
    challenge(session, why="the Excellent bonus was forgotten")
    session.perform(SettleDispute("d1", "overruled", "as the book prints it", 18))

    found = precedents(session.log)

    assert ["overrule", "dispute"] == [one.kind for one in found]
    assert (18, "ann") != (found[0].entry, "")
    assert "the rule says 26, the gamemaster 21" == found[0].ruling
    assert "overruled by entry 18" == found[1].ruling


def test_an_open_dispute_is_no_precedent(session):
    challenge(session)

    assert ["overrule"] == [one.kind for one in precedents(session.log)]


def test_an_overruling_that_is_performed_again_is_one_precedent(session):
    session.modify(f"{ATTACK}/to-hit", -10, why="smoke")

    assert [18] == [one.entry for one in precedents(session.log)]
    assert precedents(session.log)[0].stands


def test_precedents_are_searched_by_words_over_all_sessions():
    store = MemoryStore()
    first = Session.create(store, ruleset="eclipse_phase_1e", title="One")
    second = Session.create(store, ruleset="shadowrun_4e", title="Two")
    for session, why in ((first, "recoil adds up"), (second, "Recoil does not")):
        session.perform(Note("x"))
        session.perform(OpenDispute("2", "recoil?"))
        session.perform(SettleDispute("d1", "upheld", why))

    def found(*words, **more):
        return [one.title for one in search(store, words, **more)]

    assert ["One", "Two"] == found()
    assert ["One", "Two"] == found("recoil")
    assert ["Two"] == found("RECOIL", "shadowrun")
    assert [] == found("recoil", "grenade")
    assert ["One"] == found(sessions=[first.id])


def test_a_precedent_in_secret_is_the_gamemasters(session):
    challenge(session)
    session.perform(SettleDispute("d1", "upheld", "between us", seen_by=()))

    assert ["overrule"] == [one.kind for one in precedents(session.log, Viewer(Seat.SPECTATOR))]
    assert 1 == len(list(search(session.log.store, who=WATCHER)))


def test_an_overrule_command_names_nothing_of_a_dispute(session):
    with pytest.raises(Refused):
        session.perform(Overrule("d1", "dv", 3, "x"))
