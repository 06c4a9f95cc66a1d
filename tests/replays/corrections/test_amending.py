"""A correction: the old dice, decided again; what flips, what waits, what lies aside; and what it may not be."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ledger.commands import Amend, BeginCombat, Choose, Declare, DrawDice, Join, Note, Overrule, TypeDice
from ledger.entry import Seat, Who
from ledger.errors import KeyReused, Refused
from ledger.events import DiceRolled, Event, FigureFound, Overruled
from projections.views.seen import hidden_parts, redacted, viewer
from replays.api.run_script import perform
from replays.api.session import Session
from replays.audit.audit import audit
from replays.corrections.change import AMENDABLE, BadChange, Change
from replays.corrections.diff import WAITS, Report
from replays.corrections.redecide import rehearse
from replays.exports.narrative import narrate
from replays.exports.report import report as page
from replays.scripts.format import find_script, read

COVER = ["target has good cover", "attacker firing from cover"]
HIDDEN = Change(set={"terms.modifiers": COVER})
"""Entry 20 of the example: Slim's shot in the first pass; Razor's cover was better than the gamemaster remembered."""
ASKED = "r1/razor/a3/attack/to-hit"


@pytest.fixture
def shot() -> Session:
    return perform(read(find_script("street-fight")[1]))


def flips(report: Report) -> dict[str, tuple[str, str]]:
    return {flip.about: (flip.before, flip.after) for flip in report.flips}


def shifts(report: Report) -> dict[tuple[str, str], tuple[Any, Any]]:
    return {(shift.who, shift.what): (shift.before, shift.after) for shift in report.shifts}


# ------------------------------------------------------------------------------------------------ the report


def test_a_preview_tells_everything_and_writes_nothing(shot: Session) -> None:
    last, digest = shot.log.last, shot.log.digest

    report = shot.preview(20, HIDDEN, why="the dumpster")

    assert (shot.log.last, shot.log.digest) == (last, digest)
    assert report.kind == "preview"
    assert flips(report)["slim: attack at razor"] == ("hit", "miss")
    assert flips(report)["razor: attack at slim"] == ("hit", WAITS)
    assert shifts(report)["razor", "stun"] == (3, 0)
    assert shifts(report)["razor", "wounds"] == (1, 0)
    assert shifts(report)["razor", "initiative"] == (11, 12)
    assert shifts(report)["dregs", "unconscious"] == ("yes", None)


def test_a_pool_that_grew_needs_one_die_and_its_others_lie(shot: Session) -> None:
    report = shot.preview(20, HIDDEN)

    (needed,) = report.dice_needed
    assert (needed.key, needed.dice, needed.known) == (ASKED, "11d6", (5, 5, 2, 3, 4, 2, 3, 4, 2, 3))


def test_answers_of_what_is_over_lie_aside_and_those_of_what_comes_wait(shot: Session) -> None:
    report = shot.preview(20, HIDDEN)

    assert [each.entry for each in report.set_aside] == [21, 24, 25]
    assert {each.entry for each in report.waits} == set(range(30, 46))


def test_what_is_written_is_what_the_preview_said(shot: Session) -> None:
    preview = shot.preview(20, HIDDEN, why="the dumpster")

    made = shot.amend(20, HIDDEN, why="the dumpster")

    assert made.report.kind == "amendment"
    assert (made.report.flips, made.report.shifts, made.report.waits) == (preview.flips, preview.shifts, preview.waits)
    assert [entry.origin for entry in made.entries] == [None, 20, 22, 23, 26, 27, 28, 29]
    assert made.entries[0].after == 19
    assert isinstance(made.entries[0].command, Amend)


def test_the_missing_die_alone_is_thrown_and_the_rest_follows(shot: Session) -> None:
    shot.amend(20, HIDDEN, why="the dumpster")

    shot.perform(TypeDice(ASKED, (6,)))

    assert shot.combat.rests[0].key == "r1/razor/a4/attack/to-hit"
    conditions = {each.name for each in shot.state().combatants["dregs"].conditions}
    assert {"dying", "unconscious"} <= conditions


@pytest.mark.parametrize("provenance", [(), ("scripted",)], ids=["as usual", "scripted"])
def test_the_missing_die_is_thrown_once_though_it_is_typed_twice_under_one_key(
    shot: Session, provenance: tuple[str, ...]
) -> None:
    shot.amend(20, HIDDEN, why="the dumpster")
    first = shot.perform_all(TypeDice(ASKED, (6,), provenance), batch="k")
    last = shot.log.last

    assert shot.perform_all(TypeDice(ASKED, (6,), provenance), batch="k") == first
    assert shot.log.last == last
    for other in (TypeDice(ASKED, (5,), provenance), TypeDice(ASKED, (3, 6)), TypeDice(ASKED, ())):
        with pytest.raises(KeyReused):
            shot.perform(other, batch="k")


def test_fewer_dice_than_were_typed_under_a_key_are_another_roll() -> None:
    session = perform(read(find_script("street-fight")[1]))
    session.rewind(5)
    key = session.rests[0].key
    session.perform(TypeDice(key, (1,) * 9), batch="k")

    with pytest.raises(KeyReused):
        session.perform(TypeDice(key, (1,)), batch="k")


def test_drawn_the_missing_die_is_drawn_alone(shot: Session) -> None:
    shot.amend(20, HIDDEN, why="the dumpster")

    entry = shot.perform(DrawDice(ASKED))

    assert isinstance(entry.command, DrawDice)
    assert entry.command.faces[:10] == (5, 5, 2, 3, 4, 2, 3, 4, 2, 3)
    assert len(entry.command.faces) == 11
    assert entry.command.provenance[0] == "scripted"
    assert entry.command.provenance[10] == "drawn"


def test_undone_an_amendment_leaves_what_was(shot: Session) -> None:
    before = shot.combat

    shot.amend(20, HIDDEN, why="the dumpster")
    shot.undo(why="it was partial cover after all")

    assert shot.combat == before


def test_what_if_is_never_mistaken_for_the_record(shot: Session) -> None:
    report = shot.whatif(20, Change(drop=True))

    assert report.kind == "what if"
    assert shot.log.last == 45


def test_a_roll_that_is_read_for_somebody_else_is_told(shot: Session) -> None:
    report = shot.preview(20, Change(set={"at": "dregs"}))

    assert ("razor", "dregs") in {(each.before, each.after) for each in report.reread}


def test_a_misread_die_is_corrected_in_what_followed_too(shot: Session) -> None:
    report = shot.preview(20, Change(dice={"r1/slim/a1/attack/to-hit": (2, 6)}))

    assert flips(report)["slim: attack at razor"] == ("hit", "miss")


# --------------------------------------------------------------------------------- the gamemaster's own words


@pytest.fixture
def stoya() -> Session:
    """Entry 18 overrules the damage, 26 by the rule, to the book's 21."""
    return perform(read(find_script("stoya")[1]))


DAMAGE = "r1/assassin/a2/attack/damage"


def _of_the_damage(session: Session) -> Iterator[Event]:
    for entry in session.log.entries_of(session.log.timeline.line()):
        yield from (event for event in entry.events if getattr(event, "key", "") == DAMAGE)


def _dv(session: Session) -> list[int | str]:
    """What stands of the damage: found, and overruled."""
    events = list(_of_the_damage(session))
    found = [event.value for event in events if isinstance(event, FigureFound) and event.name == "dv"]
    return found + [event.gm_says for event in events if isinstance(event, Overruled)]


@pytest.mark.parametrize("entry", [18, 12])
def test_dice_beneath_an_overruling_are_corrected_and_it_is_said_again(stoya: Session, entry: int) -> None:
    assert _dv(stoya) == [26, 21]

    made = stoya.amend(entry, Change(dice={DAMAGE: (9, 9, 9, 9)}), why="misread")

    assert _dv(stoya) == [46, 21]
    assert [event.faces for event in _of_the_damage(stoya) if isinstance(event, DiceRolled)] == [(9, 9, 9, 9)]
    assert not made.report.set_aside
    assert [entry.seq for entry in stoya.entries() if stoya.log.timeline.stands(entry.seq)] == stoya.log.timeline.line()
    assert list(rehearse(stoya.log)) == []
    assert len(audit(stoya.log).overrules) == 1


def test_an_overruling_waits_for_its_figure(stoya: Session) -> None:
    report = stoya.preview(12, Change(set={"terms.range": "long"}))
    if report.needs_a_person:
        assert any("overrule dv" in each.what for each in (*report.waits, *report.set_aside))

    stoya.amend(12, Change(set={"terms.range": "long"}), why="far")
    while stoya.rests and stoya.rests[0].key.startswith("r1/assassin/a2/"):
        rest = stoya.rests[0]
        stoya.perform(TypeDice(rest.key, (6,)) if rest.dice else Choose(rest.key, rest.default or ""))

    assert _dv(stoya)[-1] == 21
    assert len(_dv(stoya)) == 2


@pytest.mark.parametrize(
    ("dice", "slug"),
    [
        ({"r1/assassin/a2/attack/to-hit": (103,)}, "dice/impossible-face"),
        ({"r1/assassin/a2/attack/to-hit": (1, 2)}, "dice/wrong-count"),
        ({"r1/assassin/a1/attack/to-hit": (99,)}, "amend/change"),
        ({"nobody/rolls": (1,)}, "amend/change"),
    ],
)
def test_dice_that_cannot_lie_there_are_refused(stoya: Session, dice: dict[str, tuple[int, ...]], slug: str) -> None:
    with pytest.raises(Refused) as refusal:
        stoya.amend(12, Change(dice=dice), why="misread")

    assert refusal.value.slug == slug
    assert refusal.value.accepts
    assert stoya.log.last == 30


def test_how_much_somebody_can_take_is_told_though_nothing_else_changes(stoya: Session) -> None:
    report = stoya.preview(2, Change(set={"sheet.durability": 60}))

    assert shifts(report)["assassin", "damage, of"] == (35, 60)
    assert not report.changes_nothing


def test_until_when_a_condition_lasts_is_told(stoya: Session) -> None:
    report = stoya.preview(29, Change(set={"faces": [99]}))

    assert ("assassin", "incapacitated, until") in shifts(report)


def test_a_roll_whose_dice_lie_and_are_not_read_yet_waits(shot: Session) -> None:
    report = shot.preview(6, Change(drop=True))

    assert flips(report)["slim: initiative"] == ("success", WAITS)


# ------------------------------------------------------------------------------------------------ the record


def test_the_log_says_what_was_corrected_and_why(shot: Session) -> None:
    shot.amend(20, HIDDEN, why="the dumpster")
    entry = shot.log.entry(46)

    said = list(narrate(entry, shot.log.state(entry.after)))

    assert said == [
        "Entry 20 is corrected: terms.modifiers = target has good cover and attacker firing from cover. the dumpster"
    ]
    assert "the dumpster" in page(shot.log)


def test_what_is_corrected_of_a_secret_is_a_secret() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Note("the butler did it", seen_by=()))
    made = session.amend(2, Change(set={"text": "the gardener did it"}), why="the butler was away")

    said = list(narrate(made.entries[0], session.combat))

    assert said == ["Entry 2 is corrected: text = the gardener did it. the butler was away"]
    eyes = viewer(Who("zoe", Seat.SPECTATOR), session.combat)
    assert hidden_parts(made.entries[0], eyes) == (0, 1)
    assert list(narrate(redacted(made.entries[0], eyes), session.combat)) == []


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("entry", "change", "slug"),
    [
        (20, Change(), "amend/change"),
        (1, Change(drop=True), "amend/change"),
        (99, Change(drop=True), "entry/unknown"),
        ("²", Change(drop=True), "roll/unknown"),
        ("nobody/to-hit", Change(drop=True), "roll/unknown"),
        (20, Change(set={"terms.at": "razor"}, drop=True), "amend/change"),
        (20, Change(set={"colour": "blue"}), "terms/invalid"),
        (20, Change(set={"terms.at": "the moon"}), "combatant/unknown"),
        (20, Change(set={"terms.modifiers": ["moonlight"]}), "terms/invalid"),
        (21, Change(set={"faces": [5, 7]}), "dice/impossible-face"),
        (20, Change(insert=({"rewind": 3},)), "script/invalid"),
    ],
)
def test_what_cannot_be_corrected_is_refused_and_nothing_is_written(
    shot: Session, entry: int | str, change: Change, slug: str
) -> None:
    with pytest.raises(Refused) as refusal:
        shot.amend(entry, change, why="x")

    assert refusal.value.slug == slug
    assert refusal.value.accepts
    assert shot.log.last == 45


def test_what_no_longer_stands_is_not_corrected(shot: Session) -> None:
    shot.rewind(30)

    with pytest.raises(Refused) as refusal:
        shot.amend(40, Change(drop=True), why="x")

    assert "no longer stands" in str(refusal.value)


def test_a_player_corrects_nothing(shot: Session) -> None:
    with pytest.raises(Refused) as refusal:
        shot.preview(20, HIDDEN, by=Who("kira", Seat.PLAYER))

    assert refusal.value.slug == "seat/not-allowed"


def test_a_choice_is_corrected_by_its_key(shot: Session) -> None:
    chosen = next(entry for entry in shot.entries() if isinstance(entry.command, Choose))
    assert isinstance(chosen.command, Choose)

    report = shot.preview(chosen.command.key, Change(set={"words": "with a sigh"}))

    assert report.entry == chosen.seq
    assert report.changes_nothing


def test_a_declaration_is_corrected_by_the_key_of_its_exchange(shot: Session) -> None:
    report = shot.preview("r1/slim/a1/attack", HIDDEN)

    assert report.entry == 20
    assert isinstance(shot.log.entry(report.entry).command, Declare)


@pytest.mark.parametrize(
    ("entry", "change"),
    [
        (20, Change(set={"modifiers": ["target has good cover"]})),
        ("slim/to-hit", Change(dice={"r1/slim/a1/attack/to-hit": (1, 1)})),
        (20, Change(drop=True)),
        (21, Change(insert=({"note": "it was raining"},))),
    ],
)
def test_the_same_correction_under_the_same_key_is_made_once_and_told_as_it_was(
    shot: Session, entry: int | str, change: Change
) -> None:
    first = shot.amend(entry, change, why="we misread it", batch="k")
    last = shot.log.last
    assert shot.amend(entry, change, why="we misread it", batch="k") == first
    assert shot.log.last == last
    shot.undo(why="no")
    assert shot.amend(entry, change, why="we misread it", batch="k") == first
    for other in (Change(drop=True, insert=({"note": "?"},)), Change(set={"x": 1})):
        with pytest.raises(Refused) as refused:
            shot.amend(entry, other, why="we misread it", batch="k")
        assert refused.value.slug == "log/key-reused"


# ------------------------------------------------------------------------------------------------ past an overruling


def test_a_choice_that_comes_again_under_another_key_is_recorded_under_it_though_it_was_overruled() -> None:
    fields = ("body", "agility", "reaction", "strength", "charisma", "intuition", "logic", "willpower")
    session = Session.create("memory://", ruleset="shadowrun_4e")
    session.perform(Join("ann", dict.fromkeys(fields, 3)))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/ann/initiative", (1,) * 6))
    free = session.perform(Declare("free", "ann", {}))
    session.perform(Choose("r1/ann/act1/2", "end"))
    session.overrule("r2/ann/initiative", "base", 10, why="w")

    session.amend(free.seq, Change(drop=True), why="x")

    (overruled,) = session.log.entries_of([session.log.head])
    assert isinstance(overruled.command, Overrule)
    assert session.log.entry(overruled.origin or 0).command == Choose("r1/ann/act1", "end")
    assert [rest.dice for rest in session.rests] == ["10d6"]
    assert list(rehearse(session.log)) == []
    assert session.preview(4, Change(set={"faces": [2] * 6}), why="y").drift == ()


def same_again(session: Session) -> Iterator[tuple[int, Change]]:
    """Every entry that can be amended, with each of its fields as it is, and its dice as they lie."""
    line = session.log.timeline.line()
    for entry in session.log.entries_of(line):
        if not isinstance(entry.command, AMENDABLE):
            continue
        fields = msgspec.to_builtins(entry.command)
        for name in fields.keys() - {"type", "seen_by", "given_at", "provenance"}:
            yield entry.seq, Change(set={name: fields[name]})
        if isinstance(entry.command, DrawDice | TypeDice):
            yield entry.seq, Change(dice={entry.command.key: entry.command.faces})
        if isinstance(entry.command, Declare):
            yield entry.seq, Change(set=dict(entry.command.terms) | {"no_such_term_was_said": None})


@pytest.mark.parametrize("script", ["stoya", "crossed-swords"])
def test_an_amendment_to_what_is_there_already_is_refused_and_nothing_is_written(script: str) -> None:
    session = perform(read(find_script(script)[1]))
    before = session.log.last
    changes = list(same_again(session))
    assert len(changes) > 30
    for entry, change in changes:
        for ask in (session.preview, session.amend, session.whatif):
            with pytest.raises(BadChange, match="nothing is changed") as refused:
                ask(entry, change, **({} if ask == session.whatif else {"why": "the same", "consent": True}))
            assert refused.value.slug == "amend/change"
    assert session.log.last == before


def test_what_is_changed_beside_what_stays_is_a_change(stoya: Session) -> None:
    roll = next(one for one in stoya.log.entries_of(stoya.log.timeline.line()) if isinstance(one.command, TypeDice))
    first, *rest = roll.command.faces
    other = (first - 1 or 2, *rest)
    report = stoya.preview(
        roll.seq, Change(set={"key": roll.command.key}, dice={roll.command.key: other}), consent=True
    )

    assert [(each.before, each.after) for each in report.misread] == [(roll.command.faces, other)]


@pytest.mark.parametrize(
    ("short", "candidate"), [("slim", "20 (r1/slim/a1/attack)"), ("to-hit", "21 (r1/slim/a1/attack/to-hit)")]
)
def test_a_shorthand_that_may_be_several_entries_is_refused_with_them(
    shot: Session, short: str, candidate: str
) -> None:
    before = shot.log.last
    for ask in (shot.preview, shot.whatif):
        with pytest.raises(BadChange, match=f"'{short}' may be") as refused:
            ask(short, Change(drop=True))
        assert candidate in refused.value.accepts
    with pytest.raises(BadChange, match=f"'{short}' may be"):
        shot.amend(short, Change(drop=True), why="he never did")
    assert shot.log.last == before


@pytest.mark.parametrize(("short", "entry"), [("slim/attack", 20), ("slim/to-hit", 21), ("r1/slim/a1/attack", 20)])
def test_a_shorthand_that_is_one_entry_alone_is_taken(shot: Session, short: str, entry: int) -> None:
    assert shot.preview(short, Change(drop=True)).entry == entry


def test_of_rolls_of_one_kind_the_latest_is_meant(shot: Session) -> None:
    mine = [
        entry.seq
        for entry in shot.entries()
        for event in entry.events
        if isinstance(event, DiceRolled) and event.key.startswith("r1/razor/") and event.key.endswith("/to-hit")
    ]
    assert len(mine) > 1
    assert shot.preview("razor/to-hit", Change(drop=True)).entry == mine[-1]
