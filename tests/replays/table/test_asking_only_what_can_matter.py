"""The table passes a choice that can change nothing, and shows for others how the roll stands."""

import pytest

from ledger.commands import Choose
from ledger.entry import Who
from ledger.stores.memory import MemoryStore
from replays.table import settings, start
from replays.table.start import NewFight
from replays.table.table import Table

ANN = Who("ann")


def said(table: Table, line: str):
    reply = table.submit(line)
    assert reply.refused is None, f"{line}: {reply.refused}"
    return reply


def acting(game: str, *bring: str) -> Table:
    """Returns a fight in which the first combatant is asked what to do; all dice are asked for."""
    table = Table(start.create(MemoryStore(), game, NewFight(), bring, ANN), ANN)
    said(table, "")
    for _ in range(30):
        question = table.question()
        if settings.is_declaring(table.game, question) and question.rest.by == table.seen.roster.here()[0]:
            return table
        said(table, "")
    raise AssertionError("the first combatant does not act")


def point(table: Table):
    """Returns the open question about a point; None if there is none."""
    question = table.question()
    rest = question.rest
    return question if rest is not None and rest.purpose.startswith("a point") else None


def shot(hit: int, defense: int) -> Table:
    """Returns a shot of Eclipse Phase with these rolls; 50 and 20 are needed."""
    table = acting("eclipse_phase_1e", "kade=firewall-agent@sam", "thug:1")
    for line in ("t1", "fray", f"kade {hit:02d} thug-1 {defense:02d}"):
        said(table, line)
    return table


@pytest.mark.parametrize(
    ("hit", "defense", "standing"),
    [
        (41, 72, "you are ahead: 72 fails"),
        (41, 15, "you are ahead: 41 beats 15"),
        (12, 15, "you are behind: 15 beats 12"),
        (71, 15, "you are behind: 15 beats 71"),
        (71, 80, "both fail: it misses"),
    ],
)
def test_the_question_says_who_is_ahead(hit, defense, standing):
    assert point(shot(hit, defense)).standing == standing


@pytest.mark.parametrize(
    ("hit", "defense"),
    [
        (99, 80),  # a plain failure is no better than a critical one
        (77, 80),
        (5, 11),  # a critical defense, higher than any success of this roll
    ],
)
def test_moxie_is_not_asked_where_no_use_changes_the_attack(hit, defense):
    table = shot(hit, defense)

    assert point(table) is None or point(table).rest.by == "thug-1"
    passed = [entry.command for entry in table.session.entries() if isinstance(entry.command, Choose)]
    assert ("r1/kade/a1/attack/to-hit/moxie", "pass") in [(each.key, each.option) for each in passed]


def faces(table: Table, hits: int, miss: int = 3) -> str:
    dice = int(table.question().rolls[0].dice.partition("d")[0])
    return "5" * hits + str(miss) * (dice - hits)


@pytest.mark.parametrize(
    ("theirs", "mine", "standing"),
    [(2, 1, "1 hit against 2: you are behind by 1"), (1, 2, None), (2, 2, None)],
)
def test_edge_is_not_asked_after_a_dodge(theirs, mine, standing):
    table = acting("shadowrun_4e", "thug=ganger", "kade=street-samurai@sam")
    said(table, "kade")
    said(table, faces(table, theirs))
    while not table.question().rolls:
        said(table, "")
    said(table, faces(table, mine))

    asked = point(table)
    assert (asked.standing if asked is not None else None) == standing


@pytest.mark.parametrize(("hits", "is_asked"), [(0, True), (1, True), (6, False)])
def test_edge_is_not_asked_after_a_drain_that_is_resisted(hits, is_asked):
    table = acting("shadowrun_4e", "mira=mage@lee", "thug=ganger")
    said(table, "cast thug spell=manabolt force=5")
    for _ in range(20):
        question = table.question()
        if question.rolls and question.rolls[0].purpose == "resist Drain":
            break
        said(table, faces(table, 1) if question.rolls else "")
    said(table, faces(table, hits))

    assert (point(table) is not None) == is_asked
    assert point(table) is None or "left" in point(table).standing


@pytest.mark.parametrize(("hits", "standing"), [(1, "1 hit against 2: you are behind by 1"), (2, None), (3, None)])
def test_edge_is_not_asked_after_a_spell_that_is_resisted(hits, standing):
    table = acting("shadowrun_4e", "mira=mage@lee", "kade=street-samurai@sam")
    said(table, "cast kade spell=manabolt force=5")
    for _ in range(20):
        question = table.question()
        if question.rolls and question.rolls[0].purpose == "resist manabolt":
            break
        said(table, faces(table, 2) if question.rolls else "")
    said(table, faces(table, hits))

    asked = point(table)
    assert (asked.standing if asked is not None and asked.rest.key.endswith("spell/edge") else None) == standing


def test_options_say_that_a_choice_cannot_matter():
    table = shot(41, 72)

    assert [(each.matters, each.standing) for each in table.session.options() if each.key] == [
        (True, "you are ahead: 72 fails")
    ] * 3
