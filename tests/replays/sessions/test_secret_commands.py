"""What a seat reads of commands: nothing of what answers a secret deed, nor of the gamemaster's word in secret."""

from collections.abc import Mapping

import msgspec
import pytest
from ambush import GAMES, KIRA, SEATS, WATCHER, WHO, acts, ambush, everything, go_on, sentences, strike, without

from ledger.commands import (
    Amend,
    ApplyModifier,
    BeginCombat,
    Choose,
    Command,
    Declare,
    DrawDice,
    Join,
    Note,
    OpenDispute,
    Overrule,
    Rewind,
    TypeDice,
)
from ledger.dice import parse
from ledger.entry import Who
from ledger.errors import KeyReused, Refused
from ledger.events import DiceRolled
from projections.views.released import WITHHELD
from projections.views.seen import viewer
from replays.api.session import GM as GAMEMASTER
from replays.api.session import Session
from replays.corrections.change import Change
from replays.corrections.redecide import rehearse
from replays.exports import documents
from replays.exports.narrative import narrate
from replays.table.table import Table

GOOD: Mapping[str, int] = {"eclipse_phase_1e": 12, "eclipse_phase_2e": 12, "shadowrun_4e": 5, "gurps_3e": 2}
"""What each die shows for a hit."""
BAD: Mapping[str, int] = {"eclipse_phase_1e": 97, "eclipse_phase_2e": 97, "shadowrun_4e": 2, "gurps_3e": 5}
"""And for a miss."""


def commands(session: Session, who: Who, since: int = 0) -> list[Command]:
    """The commands that a seat reads."""
    eyes = viewer(who, session.combat)
    entries = (session.log.disclosures.entry(entry) for entry in session.entries(after=since))
    told = (documents.entry(entry, eyes, stands=True).command for entry in entries)
    return [each for each in told if each is not None]


def thrown(session: Session, role: str, face: int) -> None:
    """The open roll of this role is answered."""
    rest = next(rest for rest in session.rests if rest.dice and rest.key.endswith(role))
    session.perform(TypeDice(rest.key, tuple(min(face, each) for each in parse(rest.dice).sides)))


def chosen(session: Session) -> None:
    """The victim's choice, where it comes before the roll, is passed over."""
    for rest in session.rests:
        if not rest.dice:
            options = [each.option for each in rest.options]
            session.perform(Choose(rest.key, next(each for each in ("none", "pass") if each in options)))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("draws", [False, True], ids=["typed", "drawn"])
def test_dice_of_a_deed_in_secret_are_read_by_nobody_else(game: str, draws: bool) -> None:
    session = ambush(game)
    go_on(session, acts("ann"))
    strike(session, "ann", seen_by=())
    chosen(session)
    before = session.log.last
    if draws:
        session.perform(DrawDice(next(rest.key for rest in session.rests if rest.dice)))
    else:
        thrown(session, "to-hit", GOOD[game])

    assert session.log.last > before
    for who in SEATS:
        assert commands(session, who, before) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_victim_of_a_deed_in_secret_reads_their_own_answers(game: str) -> None:
    session = ambush(game)
    go_on(session, acts("ann"))
    strike(session, "ann", seen_by=())
    for _ in range(6):
        rest = session.rests[0]
        if rest.by == "bob":
            break
        chosen(session) if not rest.dice else thrown(session, rest.key, GOOD[game])
    before = session.log.last
    rest = session.rests[0]
    assert rest.by == "bob"
    session.perform(DrawDice(rest.key) if rest.dice else Choose(rest.key, rest.options[0].option))

    assert [getattr(each, "key", "") for each in commands(session, KIRA, before)] == [rest.key]


# ------------------------------------------------------------------------------------------------ the gamemaster's word


def missed(game: str, seen_by: tuple[str, ...] | None = None) -> tuple[Session, str]:
    """Returns a session in which Ann has attacked Bob, openly by default, and missed; and the key of her roll."""
    session = ambush(game)
    go_on(session, acts("ann"))
    strike(session, "ann", seen_by=seen_by)
    chosen(session)
    key = next(rest.key for rest in session.rests if rest.dice)
    thrown(session, "to-hit", BAD[game])
    return session, key


@pytest.mark.parametrize("game", GAMES)
def test_the_gamemasters_reasons_in_secret_are_read_by_nobody_else(game: str) -> None:
    session, key = missed(game)
    n = session.log.last
    session.perform(ApplyModifier(key, -1, "reason 1", seen_by=()))
    session.perform(Overrule(key, "outcome", "success", "reason 2", seen_by=()))
    session.perform(Rewind(n, "reason 3", seen_by=()))
    session.redo(why="reason 4", seen_by=())
    session.undo(why="reason 5", seen_by=())

    assert_hidden(session, *(f"reason {number}" for number in range(1, 6)))
    assert session.audit().rewinds[0].why == "reason 3"
    assert len(session.audit().overrules) == 1
    for who in SEATS:
        assert f'["rewound",{n},"",null]' in everything(session, who)
        assert [each.to for each in session.audit(eyes=viewer(who, session.combat)).rewinds][:1] == [n]


@pytest.mark.parametrize("game", GAMES)
def test_an_amendment_in_secret_is_read_by_nobody_else(game: str) -> None:
    session, key = missed(game)
    faces = next(entry.command.faces for entry in session.entries() if getattr(entry.command, "key", "") == key)
    session.perform(Amend(session.log.last, {"set": {"faces": [max(1, face - 1) for face in faces]}}, "no", seen_by=()))

    assert session.entries()
    amended = [entry for entry in session.entries() if isinstance(entry.command, Amend)]
    assert [{entry.command.seen_by, *(each.seen_by for each in entry.events)} for entry in amended] == [{()}]


def test_an_overruling_in_secret_shows_what_it_comes_to() -> None:
    session, key = missed("gurps_3e")
    session.perform(Overrule(key, "outcome", "success", "because", seen_by=("bob",)))

    for who, why in ((WATCHER, ""), (KIRA, "because")):
        told = [
            part for part in session.why(key, viewer(who, session.combat)).parts if part.what == "outcome overruled"
        ]
        assert [(part.value, part.why) for part in told] == [("success", f"{why} (the rule says failure)".strip())]


def test_a_reason_in_secret_stays_one_when_the_roll_is_corrected_again() -> None:
    session, key = missed("gurps_3e")
    session.perform(Overrule(key, "outcome", "success", "reason 1", seen_by=()))
    session.perform(ApplyModifier(key, -1, "dust"))

    assert "dust" in everything(session, KIRA)
    assert_hidden(session, "reason 1")


def test_the_reason_for_taking_back_what_is_wholly_hidden_is_hidden_and_any_other_is_not() -> None:
    session = ambush("gurps_3e")
    n = session.log.last
    session.perform(Note("the guard sleeps", seen_by=()))
    session.undo(why="reason 1")
    session.redo(why="reason 2")
    session.perform(Note("a dog barks"))
    session.rewind(n, why="reason 3")
    session.perform(Note("psst", seen_by=("bob",)))
    session.undo(why="reason 4")

    assert_hidden(session, "reason 1", "reason 2")
    for who in SEATS:
        assert "reason 3" in everything(session, who)
    assert "reason 4" in everything(session, KIRA)
    assert "reason 4" not in everything(session, WATCHER)


def test_a_correction_in_secret_is_a_request_of_its_own() -> None:
    session, key = missed("gurps_3e")
    n = session.log.last
    first = session.perform_all(ApplyModifier(key, -1, "dust", seen_by=()), batch="a")
    assert session.perform_all(ApplyModifier(key, -1, "dust", seen_by=()), batch="a") == first
    with pytest.raises(KeyReused):
        session.perform_all(ApplyModifier(key, -1, "dust"), batch="a")
    back = session.rewind(n, why="no", seen_by=(), batch="b")
    assert session.rewind(n, why="no", seen_by=(), batch="b") == back
    undone = session.undo(why="no", seen_by=(), batch="c")
    assert session.undo(why="no", seen_by=(), batch="c") == undone
    with pytest.raises(KeyReused):
        session.undo(why="no", batch="c")


def test_corrections_in_secret_at_the_table_also_where_it_asks_first() -> None:
    session, _ = missed("gurps_3e")
    table = Table(session, GAMEMASTER)
    asked = [
        "secret modify ann/to-hit -1",
        "reason 1",
        "y",
        "secret overrule ann/to-hit outcome success",
        "reason 2",
        "y",
        "secret undo 1 reason 3",
        "y",
    ]
    for line in asked:
        reply = table.submit(line)
        assert reply.refused is None, reply.refused

    assert session.audit().overrules[0].why == "reason 2"
    assert_hidden(session, "reason 1", "reason 2", "reason 3")


def assert_hidden(session: Session, *texts: str) -> None:
    """The gamemaster alone reads these."""
    for text in texts:
        assert text in everything(session, GAMEMASTER), text
        for who in SEATS:
            assert text not in everything(session, who), text


# ------------------------------------------------------------------------------------------------ notes


@pytest.mark.parametrize("about", ["unseen-1", "unseen-1.damage", "r1/unseen-1/a1/attack", "razor", "bob"])
def test_a_players_note_tells_nothing_of_who_is_hidden_and_stays_theirs(about: str) -> None:
    found = []
    for session in (ambush("gurps_3e"), without("gurps_3e")):
        before = session.log.last
        entry = session.perform(Note("hello", about=about), by=KIRA)
        found.append((entry.command, entry.events))
        for who in SEATS:
            assert commands(session, who, before) == [entry.command]

    assert found[0] == found[1]


def test_a_players_note_is_never_read_as_what_is_noticed() -> None:
    session = ambush("gurps_3e")
    session.perform(Note("Someone attacks Bob.", about="r1/unseen-1/a1/attack"), by=KIRA)

    for who in SEATS:
        assert "\nNote: Someone attacks Bob." in everything(session, who)


def test_the_gamemasters_note_about_who_is_hidden_is_as_hidden_as_they_are() -> None:
    session = ambush("gurps_3e", seen_by=("bob",))
    session.perform(Note("hello", about="razor"))

    assert "hello" in everything(session, KIRA)
    assert "hello" not in everything(session, WATCHER)


def test_a_challenge_of_what_is_hidden_is_refused_as_if_nothing_were_there() -> None:
    for about in ("unseen-1.damage", "r1/unseen-1/a1/attack", "unseen-1/attack"):
        refusals = []
        for session in (ambush("gurps_3e"), without("gurps_3e")):
            with pytest.raises(Refused) as refused:
                session.perform(OpenDispute(about, "no"), by=KIRA)
            refusals.append(str(refused.value))
        assert refusals[0] == refusals[1]


# ------------------------------------------------------------------------------------------------ how it ended


def shot(game: str, face: int, damage: int = 1) -> Session:
    """The ambusher has shot at Bob, who does nothing about it; it is resolved."""
    session = ambush(game)
    go_on(session, acts("unseen-1"))
    strike(session)
    while (rest := next((rest for rest in session.rests if "unseen-1/a1/attack" in rest.key), None)) is not None:
        if rest.dice:
            mine = damage if "damage" in rest.key else face
            shows = mine if rest.by == "unseen-1" else BAD[game] if "damage" not in rest.key else 9
            session.perform(TypeDice(rest.key, tuple(min(shows, each) for each in parse(rest.dice).sides)))
        else:
            options = [each.option for each in rest.options]
            session.perform(Choose(rest.key, next(each for each in ("pass", "none") if each in options)))
    return session


@pytest.mark.parametrize("game", GAMES)
def test_who_is_shot_at_from_hiding_and_missed_is_told_so(game: str) -> None:
    session = shot(game, BAD[game])

    for who in SEATS:
        assert "Someone attacks Bob." in everything(session, who)
        assert "Someone misses Bob." in everything(session, who)
        assert "unseen-1" not in "".join(sentences(session, viewer(who, session.combat)))


@pytest.mark.parametrize("game", GAMES)
def test_who_is_harmed_from_hiding_is_not_told_of_a_miss(game: str) -> None:
    session = shot(game, GOOD[game], 9)

    for who in SEATS:
        assert "Someone misses Bob." not in everything(session, who)


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e"])
def test_whose_armor_stops_a_shot_from_hiding_is_told_so(game: str) -> None:
    session = shot(game, GOOD[game])

    for who in SEATS:
        assert "Someone hits Bob, and does no harm." in everything(session, who)


def test_who_has_rolled_against_a_deed_in_secret_is_told_how_it_ended() -> None:
    session, _ = missed("shadowrun_4e", seen_by=())
    thrown(session, "defend", GOOD["shadowrun_4e"])

    assert not session.combat.exchange.frames
    for who in SEATS:
        assert "Someone misses Bob." in everything(session, who)
        assert "Someone attacks Bob." not in everything(session, who)


@pytest.mark.parametrize("game", ["eclipse_phase_1e", "eclipse_phase_2e", "gurps_3e"])
def test_a_deed_in_secret_of_which_nobody_saw_anything_ends_unseen(game: str) -> None:
    session, key = missed(game, seen_by=())
    for rest in session.rests:
        if rest.key.startswith(f"{key}/"):  # a point of Moxie, where the target has a hidden part
            session.perform(Choose(rest.key, "pass"))

    assert not session.combat.exchange.frames
    for who in SEATS:
        assert "misses" not in everything(session, who)


@pytest.mark.parametrize("game", GAMES)
def test_what_was_done_and_corrected_in_secret_is_decided_again_as_it_was(game: str) -> None:
    session, key = missed(game, seen_by=())
    session.perform(ApplyModifier(key, -1, "reason 1", seen_by=()))
    session.perform(Overrule(key, "outcome", "success", "reason 2"))
    other, key = missed(game)
    other.perform(ApplyModifier(key, -1, "reason 1", seen_by=()))
    other.perform(Overrule(key, "outcome", "success", "reason 2"))
    other.perform(Overrule(key, "outcome", "success", "reason 3", seen_by=("bob",)))

    for each in (session, other, shot(game, BAD[game]), shot(game, GOOD[game])):
        assert list(rehearse(each.log)) == []


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("r1/ann/a1/attack/damage", "Ann rolls out of sight (damage)."),
        ("r1/unseen-1/a1/attack/damage", "Someone rolls out of sight (damage)."),
        ("strange", "Someone rolls out of sight (strange)."),
    ],
)
def test_a_roll_of_which_the_request_is_hidden_is_narrated_without_its_key(key: str, sentence: str) -> None:
    session = ambush("gurps_3e")
    seen = session.seen(viewer(KIRA, session.combat))
    rolled = (DiceRolled(key, (), ()),)
    entry = msgspec.structs.replace(next(iter(session.entries())), command=WITHHELD, events=rolled)

    assert list(narrate(entry, seen)) == [sentence]


def test_an_overruling_of_what_is_rolled_against_a_hidden_attack_is_decided_again_as_it_was() -> None:
    """Ann's sheet is Bob's secret, and her attacker is visible to Ann only: the reason is hidden from all others."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e", session="FIGHT")
    ann = {"init": 13, "durability": 26, "aptitudes": {"som": 8}, "skills": {"unarmed combat": 71}}
    session.perform(Join("ann", ann, sheet_seen_by=("bob",)))
    session.perform(
        Join(
            "bob", {"init": 5, "durability": 35, "aptitudes": {"som": 18}, "weapons": ["cyberclaws"]}, seen_by=("ann",)
        )
    )
    session.perform(BeginCombat())
    for rest in session.rests:
        session.perform(TypeDice(rest.key, (95,) if rest.by == "ann" else (99,)))
    while session.combat.turn.who != WHO:
        session.perform(Choose(session.rests[0].key, "end"))
    session.perform(Declare("attack", WHO, {"at": ["ann"], "using": "cyberclaws"}))
    defense = session.rests[0].key
    session.perform(Choose(defense, "unarmed combat"))

    session.overrule(defense.replace("/defense", "/defend"), "base", 38, why="my word")

    assert not list(rehearse(session.log))


def test_dice_of_an_overruled_roll_that_has_become_a_secret_are_decided_again_as_they_were() -> None:
    """The amended attack has another target, and its roll another audience: so have the dice beneath the overruling."""
    session = Session.create("memory://", ruleset="eclipse_phase_2e")
    aptitudes = {"cog": 10, "int": 15, "ref": 20, "sav": 10, "som": 20, "wil": 20}
    sheet = {"aptitudes": aptitudes, "durability": 50, "weapons": ["railgun assault rifle"]}
    session.perform(Join("ann", sheet, sheet_seen_by=()))
    session.perform(Join("cyd", sheet, sheet_seen_by=("ann",)))
    session.perform(Join("dov", sheet, seen_by=()))
    session.perform(BeginCombat())
    for rest in session.rests:
        session.perform(TypeDice(rest.key, (6 if rest.by == "cyd" else 1,)))
    session.perform(Declare("attack", "cyd", {"at": WHO, "using": "railgun assault rifle"}))
    attack = "r1/cyd/a1/attack"
    session.perform(Choose(f"{attack}/defense", "none"))
    session.perform(TypeDice(f"{attack}/to-hit", (25,)))
    session.overrule(f"{attack}/to-hit", "outcome", "critical failure", why="my word")

    session.amend(attack, Change(set={"terms.at": "ann"}), why="it was the other one")

    assert not list(rehearse(session.log))
