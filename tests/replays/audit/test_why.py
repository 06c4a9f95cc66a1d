"""Why: from a key and backwards from health, down to person, page and die, in every ruleset."""

from collections.abc import Iterator

import msgspec
import pytest

from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import Adjust
from ledger.entry import Seat
from ledger.errors import Refused
from replays.api.run_script import perform
from replays.api.session import Session
from replays.audit.event_index import facts, key_of
from replays.audit.explain import ExplanationStep
from replays.audit.why import NothingThere, Why, why
from replays.scripts.format import examples, find_script, read

EXAMPLES = tuple(examples())
HARM = (e.DamageTaken, e.WoundSuffered)


def played(name: str) -> Session:
    return perform(read(find_script(name)[1]))


def flat(found: Why) -> Iterator[Why]:
    yield found
    for inner in found.leads_to:
        yield from flat(inner)


def everything(found: Why) -> list[ExplanationStep]:
    return [part for each in flat(found) for part in each.parts]


@pytest.mark.parametrize("name", EXAMPLES)
def test_all_harm_is_explained_down_to_a_die_a_page_and_a_person(name: str) -> None:
    session = played(name)
    harmed = {
        f"{fact.event.who}.{getattr(fact.event, 'track', '') if isinstance(fact.event, e.DamageTaken) else fact.event.kind}"
        for fact in facts(session.log).all
        if isinstance(fact.event, HARM)
    }

    for subject in harmed:
        parts = everything(why(session.log, subject))
        assert any(part.what == "dice" for part in parts), subject
        assert any(part.what == "declared" for part in parts), subject
        assert any(part.source for part in parts), subject
        assert all(part.by and part.entry for part in parts), subject


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_condition_ever_had_is_explained_with_and_without_its_place_in_the_sheet(name: str) -> None:
    session = played(name)
    had = {
        (fact.event.who, fact.event.condition)
        for fact in facts(session.log).all
        if isinstance(fact.event, e.ConditionGained)
    }

    for who, condition in had:
        found = why(session.log, f"{who}.{condition}")
        assert found.leads_to, f"{who}.{condition} comes from nothing"
        assert why(session.log, f"{who}.conditions.{condition}") == found


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_key_of_a_shipped_fight_is_explained(name: str) -> None:
    session = played(name)
    known = facts(session.log)

    for key in known.by_key:
        assert why(session.log, key).subject == key
    for key in known.declared:
        told = {part.subject for part in flat(why(session.log, key))}
        assert {
            one for one, asked in known.asked.items() if isinstance(asked, e.RollRequested) and asked.of == key
        } <= told


@pytest.mark.parametrize(
    ("name", "subject", "key", "what"),
    [
        ("last-stand", "osric.hit_points", "r1/spear/a1/attack/blow", "injury"),
        ("crossed-swords", "wulf.tracks.hit_points", "r3/aldith/a1/attack/blow", "penetration"),
        ("crossed-swords", "wulf.conditions.stunned", "r3/wulf/recover", "dice"),
        ("overcast", "bax.conditions.prone", "r3/vesper/a1/cast/t2", "dv"),
        ("black-ic", "glitch.wounds", "r1/glitch/a1/dumpshock/glitch/dumpshock", "boxes"),
        ("jinx", "jinx.flex", "r1/jinx/a1/attack/to-hit", "dice"),
        ("stoya", "stoya.wounds", "r1/assassin/a2/attack/knockdown", "result"),
        ("stoya", "stoya.initiative", "r1/stoya/initiative", "dice"),
    ],
)  # fmt: skip
def test_figures_that_are_kept_under_a_part_of_an_exchange_are_reached(
    name: str, subject: str, key: str, what: str
) -> None:
    session = played(name)

    found = why(session.log, subject)

    parts = {each.subject: [part.what for part in each.parts] for each in flat(found)}

    assert key in parts, sorted(parts)
    assert what in parts[key], parts[key]


def test_a_condition_says_until_when_it_holds() -> None:
    assert why(played("stoya").log, "assassin.conditions.prone").title == "the assassin: prone until standing up"


def test_what_the_gamemaster_set_is_explained_by_their_word_alone() -> None:
    session = played("stoya")
    session.perform(Adjust("stoya", "conditions.blinded", 2, "flash"))

    found = why(session.log, "stoya.conditions.blinded")

    assert [(part.what, part.value, part.why, part.source) for part in found.parts] == [
        ("stoya.conditions.blinded set", 2, "flash", "")
    ]


def test_a_condition_that_ended_says_so() -> None:
    told = why(played("crossed-swords").log, "wulf.stunned").parts

    assert [part.what for part in told] == ["wulf is", "wulf is no longer"]


def test_what_was_performed_again_names_the_original_and_whoever_said_it_first() -> None:
    session = played("stoya")

    found = {part.what: part for part in why(session.log, "assassin/damage").parts}

    assert (18, 16) == (found["dice"].entry, found["dice"].origin)
    assert found["modifier"].origin is None
    session.modify("r1/stoya/a1/attack/to-hit", 5, why="steady")
    dice = [part for part in why(session.log, "r1/stoya/a1/attack/to-hit").parts if part.what == "dice"]
    assert ("kira (player)", 26) == (dice[0].by, dice[0].origin)


def test_what_no_longer_stands_is_explained_as_it_stood() -> None:
    session = played("stoya")
    before = why(session.log, "stoya.damage")
    head = session.log.head
    session.undo("round")

    (opened,) = why(session.log, "stoya.damage").parts
    assert (opened.what, opened.value) == ("stoya has damage", 50)
    assert why(session.log, "stoya.damage", head=head) == before


def test_a_figure_that_did_not_change_comes_from_the_sheet() -> None:
    session = played("street-fight")
    joined = next(step.seq for step in session.steps().steps if step.kind == "join")

    (part,) = why(session.log, "razor.overflow").parts

    assert (part.what, part.value, part.entry) == ("razor has overflow", 5, joined)
    with pytest.raises(NothingThere):
        why(session.log, "razor.luck")


def test_nobody_is_told_what_they_may_not_see() -> None:
    session = played("stoya")
    nobody = Viewer(Seat.SPECTATOR)
    for entry in session.entries():
        assert all(nobody.may_see(event.seen_by) for event in entry.events)
    hidden = facts(session.log, nobody)

    assert [key_of(fact.event) for fact in hidden.all] == [key_of(fact.event) for fact in facts(session.log).all]


@pytest.mark.parametrize("subject", ["nobody.damage", "stoya.luck", "nowhere/at-all", ".", "stoya."])
def test_what_there_is_not_is_refused_with_what_there_is(subject: str) -> None:
    with pytest.raises(Refused) as refusal:
        why(played("stoya").log, subject)

    assert refusal.value.accepts
    assert refusal.value.where


def test_an_explanation_is_a_plain_document() -> None:
    found = why(played("last-stand").log, "osric.hit_points")

    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(found)), Why) == found
