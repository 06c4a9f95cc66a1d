"""What a correction leaves: dice that lie aside, the gamemaster's words that wait, and rolls that wait for new dice."""

from typing import Any

import pytest
from drafting import drafts

from ledger.commands import ApplyModifier, BeginCombat, Choose, Command, Declare, Join, Note, Overrule, TypeDice
from ledger.events import DiceRolled, Event, ExchangeEnded, Overruled
from replays.api.run_script import perform
from replays.api.session import Session
from replays.corrections.change import BadChange, Change
from replays.corrections.deferred import deferred
from replays.scripts.format import find_script, read
from replays.sessions.log import Log

SHEET = {
    "init": 60, "durability": 40, "aptitudes": {"som": 20}, "skills": {"clubs": 50, "fray": 40}, "moxie": 2,
    "weapons": {"club": {"kind": "melee", "skill": "clubs", "damage": "2d10+5"}},
}  # fmt: skip
ATTACK = "r1/ann/a1/attack"
TO_HIT, DEFEND = f"{ATTACK}/to-hit", f"{ATTACK}/defend"
MISSED = Overrule(ATTACK, "outcome", "miss", "he slipped")


@pytest.fixture
def street() -> Session:
    """The fight behind the noodle bar: Razor's first burst hits Dregs, for 9 by the rule."""
    return perform(read(find_script("street-fight")[1]))


@pytest.fixture
def brawl() -> Session:
    """Ann, who cannot spend Moxie, is to roll against Bob, who can."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    _play(session, Join("ann", {**SHEET, "moxie": 0}), Join("bob", SHEET), BeginCombat())
    _play(session, TypeDice("r1/ann/initiative", (90,)), TypeDice("r1/bob/initiative", (10,)))
    return _play(session, Declare("attack", "ann", {"at": "bob", "using": "club"}), Choose(f"{ATTACK}/defense", "fray"))


def _play(session: Session, *commands: Command) -> Session:
    for command in commands:
        session.perform(command)
    return session


def _told(session: Session, kind: type[Event]) -> list[Any]:
    standing = session.log.entries_of(session.log.timeline.line())
    return [event for entry in standing for event in entry.events if isinstance(event, kind)]


def _words(session: Session) -> list[Overruled]:
    return _told(session, Overruled)


def _is_over(session: Session, exchange: str) -> bool:
    return any(event.key == exchange for event in _told(session, ExchangeEnded))


# ------------------------------------------------------------------------------------------------ dice that lie aside


@pytest.mark.parametrize(
    ("modifiers", "tail"),
    [(["target has partial cover"], "1 2"), (["target has good cover"], "3 4 1 2")],
)
def test_the_dice_beyond_a_smaller_pool_lie_aside_and_no_other(
    street: Session, modifiers: list[str], tail: str
) -> None:
    thrown = (5, 6, 5, 2, 3, 4, 2, 3, 4, 1, 2)
    key = "r1/razor/a1/attack/to-hit"
    change = Change(set={"terms.modifiers": modifiers})

    aside = [each.what for each in street.preview(10, change).set_aside if each.entry == 11]
    street.amend(10, change, why="the bin was in the way")

    (kept,) = (event.faces for event in _told(street, DiceRolled) if event.key == key)
    assert aside == [f"{tail} of {key}"]
    assert (*kept, *map(int, tail.split())) == thrown


# ------------------------------------------------------------------------------------------------ words that wait


def test_the_gamemasters_word_on_a_corrected_roll_waits_for_its_figure(brawl: Session) -> None:
    """With 78, Bob has nothing to spend Moxie on; with 77 he has, and the outcome is found only after his choice."""
    _play(brawl, TypeDice(TO_HIT, (25,)), TypeDice(DEFEND, (78,)), MISSED)
    change = Change(dice={DEFEND: (77,)})

    report = brawl.preview("bob/defend", change)
    brawl.amend("bob/defend", change, why="misread")

    assert [each.what for each in report.waits] == [f"overrule outcome of {ATTACK}: miss"]
    assert not _words(brawl)
    brawl.perform(Choose(f"{DEFEND}/moxie", "pass"))
    assert _words(brawl) == [Overruled(ATTACK, "outcome", "hit", "miss", "he slipped")]
    assert _is_over(brawl, ATTACK)
    brawl.perform(Note("nothing waits any more"))
    assert len(_words(brawl)) == 1


def test_words_that_waited_together_are_said_one_after_the_other(brawl: Session) -> None:
    """Both overrule figures that are found only after Bob has chosen whether to spend Moxie."""
    armor = Overrule(ATTACK, "armor", 1, "a gap in it")
    dice = Overrule(f"{ATTACK}/damage", "dice: club", "3d10", "a heavier club")
    _play(brawl, TypeDice(TO_HIT, (25,)), TypeDice(DEFEND, (78,)), armor, dice)
    brawl.amend("bob/defend", Change(dice={DEFEND: (77,)}), why="misread")
    assert not _words(brawl)

    made = brawl.perform_all(Choose(f"{DEFEND}/moxie", "pass"))

    said = [[event.why for event in entry.events if isinstance(event, Overruled)] for entry in made]
    assert [type(entry.command) for entry in made] == [Choose, Overrule, Overrule]
    assert said == [[], ["a gap in it"], ["a gap in it", "a heavier club"]]
    assert [rest.dice for rest in brawl.rests] == ["3d10"]


def test_the_gamemasters_word_on_what_is_over_waits_for_nothing(street: Session) -> None:
    """After the change Dregs dodges the first burst, so that there is no damage to overrule."""
    exchange = "r1/razor/a1/attack"
    street.overrule(exchange, "dv", 10, why="point blank")
    change = Change(dice={f"{exchange}/defend": (5, 5, 5)})

    report = street.preview(f"{exchange}/defend", change)
    street.amend(f"{exchange}/defend", change, why="misread")

    word = f"overrule dv of {exchange}: 10"
    assert report.needs_a_person
    assert word in [each.what for each in report.set_aside]
    assert word not in [each.what for each in report.waits]
    assert _is_over(street, exchange)
    assert not _words(street)


@pytest.mark.parametrize(
    "word",
    [Overrule(DEFEND, "degree", "plain", "so close"), Overrule(ATTACK, "armor", 0, "a gap in it")],
    ids=["of the corrected roll", "of what came of it"],
)
@pytest.mark.parametrize("is_opened_anew", [False, True])
def test_where_no_word_waits_any_more_a_command_is_written_as_it_was_decided(
    brawl: Session, word: Overrule, is_opened_anew: bool
) -> None:
    """Bob defends with 30 after all, which is no failure; when he spends nothing on it, the attack is over."""
    _play(brawl, TypeDice(TO_HIT, (25,)), TypeDice(DEFEND, (78,)), word)
    brawl.amend("bob/defend", Change(dice={DEFEND: (30,)}), why="misread")
    brawl.perform(Choose(f"{DEFEND}/moxie", "pass"))
    assert _is_over(brawl, ATTACK)

    session = Session(brawl.log.store, brawl.id) if is_opened_anew else brawl
    found = drafts(session, Note("a breath"))

    assert session.waiting.continued(found) is found


@pytest.mark.parametrize("is_opened_anew", [False, True])
def test_a_word_that_was_said_again_waits_no_more(brawl: Session, is_opened_anew: bool) -> None:
    _play(brawl, TypeDice(TO_HIT, (25,)), TypeDice(DEFEND, (78,)), Overrule(ATTACK, "armor", 0, "a gap in it"))
    brawl.amend("r1/ann/initiative", Change(dice={"r1/ann/initiative": (91,)}), why="misread")
    assert len(_words(brawl)) == 1
    assert not _is_over(brawl, ATTACK)

    session = Session(brawl.log.store, brawl.id) if is_opened_anew else brawl
    found = drafts(session, Note("a breath"))

    assert session.waiting.continued(found) is found


# ------------------------------------------------------------------------------------------------ rolls that wait


def test_dice_that_were_taken_back_are_not_put_there_again_by_a_correction(brawl: Session) -> None:
    brawl.perform(TypeDice(TO_HIT, (25,)))
    brawl.undo(why="thrown on the floor")

    brawl.amend("r1/ann/initiative", Change(dice={"r1/ann/initiative": (91,)}), why="misread")

    assert {rest.key for rest in brawl.rests} == {TO_HIT, DEFEND}


def test_dice_that_were_taken_back_are_not_put_there_again_by_an_overruling(brawl: Session) -> None:
    brawl.perform(TypeDice(TO_HIT, (25,)))
    brawl.undo(why="thrown on the floor")

    brawl.overrule(TO_HIT, "base", 40, why="an unwieldy club")

    assert {rest.key for rest in brawl.rests} == {TO_HIT, DEFEND}


def test_answers_that_a_correction_had_no_use_for_are_there_when_they_are_asked_for(brawl: Session) -> None:
    brawl.perform(TypeDice(TO_HIT, (25,)))
    declared = next(entry.seq for entry in brawl.entries() if isinstance(entry.command, Declare))
    brawl.amend(declared, Change(drop=True), why="he only shouted")
    assert not any(rest.dice for rest in brawl.rests)

    made = brawl.perform_all(Declare("attack", "ann", {"at": "bob", "using": "club"}))

    assert [entry.command for entry in made[1:]] == [Choose(f"{ATTACK}/defense", "fray"), TypeDice(TO_HIT, (25,))]
    assert [rest.key for rest in brawl.rests] == [DEFEND]


# ------------------------------------------------------------------------------------------------ several corrections


COVER = Change(set={"terms.modifiers": ["target has good cover", "attacker firing from cover"]})
ASKED = "r1/razor/a3/attack/to-hit"


def _last(session: Session) -> dict[str, Any]:
    """Returns the tracks, wounds and resources of each combatant."""
    return {who: (one.tracks, one.wounds, one.resources) for who, one in session.state().combatants.items()}


@pytest.mark.parametrize("is_opened_anew", [False, True])
@pytest.mark.parametrize("correct", ["modify", "overrule", "amend"])
def test_what_waits_behind_an_amendment_still_comes_after_another_correction(
    street: Session, correct: str, is_opened_anew: bool
) -> None:
    """Razor's shot needs one die more, and what followed it waits for that; then something earlier is corrected."""
    as_it_would = perform(read(find_script("street-fight")[1]))
    for session in (street, as_it_would):
        session.amend(20, COVER, why="the dumpster")
    missing = TypeDice(ASKED, (3,))
    as_it_would.perform(missing)
    was = [entry.seq for entry in street.waiting.entries()]
    assert was

    if correct == "amend":
        street.amend(7, Change(dice={"r1/slim/initiative": (6, 5, 2, 3, 4, 2, 3)}), why="read again")
    elif correct == "modify":
        street.modify("r1/razor/a1/attack/to-hit", 0, why="dusk, which changes nothing")
    else:
        street.overrule("r1/razor/a1/attack", "dv", 9, why="as the rule says")

    session = Session(street.log.store, street.id) if is_opened_anew else street
    assert [entry.seq for entry in session.waiting.entries()] == was
    session.perform(missing)
    assert _last(session) == _last(as_it_would)
    assert session.rests == as_it_would.rests


@pytest.mark.parametrize("correct", ["modify", "overrule"])
def test_what_was_performed_again_is_not_performed_a_third_time(brawl: Session, correct: str) -> None:
    _play(brawl, TypeDice(TO_HIT, (25,)), Note("a gull cries"))
    brawl.amend("r1/bob/initiative", Change(dice={"r1/bob/initiative": (9,)}), why="read again")
    if correct == "modify":
        brawl.modify("r1/ann/initiative", 1, why="rested")
    else:
        brawl.overrule(TO_HIT, "base", 40, why="an unwieldy club")

    brawl.perform(TypeDice(DEFEND, (99,)))

    standing = brawl.log.entries_of(brawl.log.timeline.line())
    assert [entry.command.text for entry in standing if isinstance(entry.command, Note)] == ["a gull cries"]


@pytest.mark.parametrize("is_opened_anew", [False, True])
def test_what_follows_on_a_pool_that_a_modifier_has_made_larger_waits_for_the_missing_dice(
    street: Session, is_opened_anew: bool
) -> None:
    key = "r1/razor/a1/attack/to-hit"
    thrown = next(event.faces for event in _told(street, DiceRolled) if event.key == key)
    report = street.preview_roll(ApplyModifier(key, 2, "they stand in the light"))
    assert report is not None
    (needed,) = report.needs_a_person
    assert (needed.key, needed.known) == (key, thrown)
    assert report.waits
    assert not street.waiting.entries()

    street.modify(key, 2, why="they stand in the light")

    session = Session(street.log.store, street.id) if is_opened_anew else street
    assert {each.entry for each in report.waits} == {entry.seq for entry in session.waiting.entries()}
    made = session.perform_all(TypeDice(key, (6, 6)))
    assert made[0].command.faces == (*thrown, 6, 6)
    assert len(made) > 1


def test_a_word_that_waits_still_waits_after_another_correction(brawl: Session) -> None:
    _play(brawl, TypeDice(TO_HIT, (25,)), TypeDice(DEFEND, (78,)), MISSED)
    brawl.amend("bob/defend", Change(dice={DEFEND: (77,)}), why="misread")
    brawl.modify("r1/ann/initiative", 0, why="nothing")
    assert not _words(brawl)

    brawl.perform(Choose(f"{DEFEND}/moxie", "pass"))

    assert _words(brawl) == [Overruled(ATTACK, "outcome", "hit", "miss", "he slipped")]


def test_what_waited_and_came_does_not_wait_again_after_another_correction(street: Session) -> None:
    street.amend(20, COVER, why="the dumpster")
    street.perform(TypeDice(ASKED, (3,)))
    was = street.waiting.entries()

    street.modify("r1/razor/a1/attack/to-hit", 0, why="dusk, which changes nothing")

    assert street.waiting.entries() == was


def test_a_word_that_is_said_beneath_another_word_does_not_wait() -> None:
    """The margin is overruled in the entry that is performed again when the outcome of the same test's neighbor is."""
    session = Session.create("memory://", ruleset="shadowrun_4e", session="FIGHT")
    for who, edge in (("ann", 4), ("bob", 0)):
        session.perform(Join(who, {"reaction": 3, "intuition": 4, **({"edge": edge} if edge else {})}))
    session.perform(BeginCombat())
    for rest in session.rests:
        session.perform(TypeDice(rest.key, tuple(1 + n % 6 for n in range(7))))
    session.overrule("r1/ann/initiative", "margin", 4, why="a lucky day")
    last = session.log.last

    session.overrule("r1/bob/initiative", "outcome", "success", why="so is his")

    assert last < session.log.last
    assert deferred(session.log).words == ()


def test_a_word_of_what_waited_and_came_waits_on_where_its_figure_is_not_found_yet() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_2e", options={"moves": "first"})
    ann = {"cog": 10, "int": 10, "ref": 10, "sav": 10, "som": 15, "wil": 10}
    bob = {"cog": 40, "int": 37, "ref": 13, "sav": 28, "som": 31, "wil": 20}
    _play(session, Join("ann", {"aptitudes": ann, "durability": 25}), Join("bob", {"aptitudes": bob, "durability": 60}))
    _play(session, BeginCombat(), TypeDice("r1/bob/initiative", (6,)), TypeDice("r1/ann/initiative", (2,)))
    cyd = {"cog": 13, "int": 23, "ref": 25, "sav": 7, "som": 29, "wil": 40}
    _play(session, Join("cyd", {"aptitudes": cyd, "durability": 41}))
    session.overrule("r1/bob/initiative", "score", 14, why="my word")
    fell = {"adjust": {"who": "ann", "what": "wounds", "value": 3, "why": "so"}}
    session.amend(4, Change(insert=(fell,), drop=True), why="she fell before they fought")
    _play(
        session, BeginCombat({"ambushers": ["ann", "bob"], "alert": ["bob", "ann"]}), TypeDice("r0/bob/ambush", (85,))
    )
    session.overrule("r0/bob/ambush", "base", -20, why="in broad daylight")
    _play(session, TypeDice("r0/cyd/notice", (63,)))

    anew = Session(session.log.store, session.id)
    assert [(word.key, word.figure) for word in deferred(anew.log).words] == [("r1/bob/initiative", "score")]
    anew.perform(TypeDice("r1/cyd/initiative", (6,)))
    assert anew.combat.initiative.scores["bob"] == 14


# ------------------------------------------------------------------------------------------------ what is made, and waits


@pytest.mark.parametrize(
    "command",
    [
        ApplyModifier("r1/assassin/a2/attack/to-hit", -80, "dark corner"),
        Overrule("r1/assassin/a2/attack/damage", "dv", 5, "a graze"),
    ],
    ids=["modifier", "overruling"],
)
def test_an_attack_that_is_made_again_and_waits_for_a_roll_is_shown_as_waiting(command: Any) -> None:
    """Stoya's attack hits as before; then the assassin, who is wounded now, is to stay on their feet."""
    stoya = perform(read(find_script("stoya")[1]))

    report = stoya.preview_roll(command)
    stoya.perform(command)

    assert report is not None
    flips = {flip.key: (flip.before, flip.after) for flip in report.flips}
    assert flips["r1/stoya/a1/attack"] == ("hit", "waits")
    assert flips["r1/assassin/a2/attack/knockdown"] == ("success", "")
    assert [rest.key for rest in stoya.rests] == ["r1/stoya/a1/attack/knockdown"]
    assert [frame.key for frame in stoya.log.combat.exchange.frames] == ["r1/stoya/a1/attack"]


def test_the_faces_of_an_overruled_roll_are_corrected_and_the_word_on_it_stays() -> None:
    stoya = perform(read(find_script("stoya")[1]))
    key = "r1/assassin/a2/attack/damage"

    report = stoya.preview("assassin/damage", Change(set={"faces": [3, 4, 4, 6]}))
    stoya.amend("assassin/damage", Change(set={"faces": [3, 4, 4, 6]}), why="misread")

    assert report.change == {"dice": {key: [3, 4, 4, 6]}}
    assert [event.faces for event in _told(stoya, DiceRolled) if event.key == key] == [(3, 4, 4, 6)]
    assert [(event.key, event.figure, event.gm_says) for event in _words(stoya)] == [(key, "dv", 21)]


# ------------------------------------------------------------------------------------------------ what never happened


DAMAGE = "r1/assassin/a2/attack/damage"


def _overruled_twice() -> Session:
    """The fight of Stoya and the assassin; the damage of the assassin's shot was overruled by hand, and once more."""
    stoya = perform(read(find_script("stoya")[1]))
    stoya.perform(Overrule(DAMAGE, "dv", 7, "less"))
    return stoya


def test_by_its_key_an_overruled_roll_never_happened_and_waits_for_dice() -> None:
    stoya = _overruled_twice()

    report = stoya.preview("assassin/damage", Change(drop=True))
    stoya.amend("assassin/damage", Change(drop=True), why="it never hit the table")

    assert [rest.key for rest in stoya.rests] == [DAMAGE]
    assert (report.needs_a_person[0].key, report.what) == (DAMAGE, f"3 4 4 5 for {DAMAGE}")
    assert [aside.what for aside in report.set_aside] == [f"3 4 4 5 for {DAMAGE}", f"overrule dv of {DAMAGE}: 7"]
    assert not [word for word in _words(stoya) if word.key == DAMAGE]
    assert DAMAGE not in [event.key for event in _told(stoya, DiceRolled)]
    assert DAMAGE not in [getattr(entry.command, "key", "") for entry in deferred(stoya.log).entries]


def test_by_its_number_the_gamemasters_word_never_happened_and_the_roll_lies_as_it_was() -> None:
    stoya = _overruled_twice()
    word = next(entry for entry in stoya.log.newest_first() if getattr(entry.command, "why", "") == "less")

    stoya.amend(word.seq, Change(drop=True), why="I was wrong")

    assert not [word for word in _words(stoya) if word.key == DAMAGE]
    assert DAMAGE in [event.key for event in _told(stoya, DiceRolled)]


def test_an_overruled_roll_that_never_happened_is_rolled_anew_and_what_followed_comes_again() -> None:
    stoya = _overruled_twice()
    stoya.amend("assassin/damage", Change(drop=True), why="it never hit the table")

    stoya.perform(TypeDice(DAMAGE, (3, 5, 1, 8)))

    assert not deferred(stoya.log).words
    assert [event.faces for event in _told(stoya, DiceRolled) if event.key == DAMAGE] == [(3, 5, 1, 8)]


def test_undoing_it_brings_the_roll_and_the_word_back() -> None:
    stoya = _overruled_twice()
    before = stoya.state().combatants

    stoya.amend("assassin/damage", Change(drop=True), why="it never hit the table")
    stoya.undo(why="it did")

    assert stoya.state().combatants == before


def test_a_roll_that_was_taken_back_did_not_happen_anyway(brawl: Session) -> None:
    roll = brawl.perform(TypeDice(TO_HIT, (30,)))
    brawl.undo(why="not yet")

    with pytest.raises(BadChange, match=f"entry {roll.seq} no longer stands"):
        brawl.amend(roll.seq, Change(drop=True), why="x")


# ------------------------------------------------------------------------------- overrules that replace a draft


def test_what_followed_waits_where_an_overrule_opens_what_had_ended() -> None:
    """The rest was over without a die: nothing of it may be set aside once 77 dice are to be thrown for it."""
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    terms = {"means": "no biomods", "hours": 1, "conditions": "harsh"}
    _play(session, Join("ann", SHEET), Declare("rest", "ann", terms), BeginCombat())
    begun = session.log.head
    healed = session.overrule("r0/ann/a1/rest/healing", "healed", 18, why="my word")
    assert [entry.origin for entry in healed] == [begun - 1, begun]

    session.overrule("r0/ann/a1/rest", "dice", 77, why="my word")

    assert [entry.origin for entry in session.waiting.entries()] == [begun]
    found = deferred(session.log)
    assert [(word.key, word.figure) for word in found.words] == [("r0/ann/a1/rest/healing", "healed")]
    assert found == deferred(Log(session.log.store, session.id))

    session.perform(TypeDice(session.combat.rests[0].key, (1,) * 77))
    assert session.combat.clock.fighting
    assert not session.waiting.entries()
