"""WHO/roll means the same roll everywhere: the latest that WHO rolled, and a roll of another only if there is none.

A correction names declarations, too: where a shorthand names one (``bob/cast``), a correction means the declaration.
"""

from collections.abc import Iterator

import pytest
from drawing import examples as so_many
from hypothesis import given, settings
from strategies import Fight, fights

from ledger import events as e
from ledger.entry import Who
from ledger.key import is_meant
from machines.contract.refusals import NoSuchFigure, NoSuchRoll
from replays.api.run_script import perform
from replays.api.session import Session
from replays.audit.disputes import register
from replays.audit.event_index import EventIndex, facts
from replays.audit.why import meant_key
from replays.corrections.which_entry import entry_number
from replays.scripts.format import examples, find_script, read
from replays.sessions.log import Log
from replays.sessions.lookup import entry_of_figure, entry_of_roll, figures_of, open_key
from replays.sessions.wording import wording
from replays.table.correcting import which_roll
from replays.table.table import Table


def shorthands(known: EventIndex) -> Iterator[str]:
    """Yields shorthands of every roller with the last one or two parts of the key of every roll."""
    keys = [key for key, asked in known.asked.items() if isinstance(asked, e.RollRequested)]
    whose = dict.fromkeys(known.asked[key].by for key in keys)
    ends = dict.fromkeys("/".join(key.split("/")[-count:]) for key in keys for count in (1, 2))
    yield from (f"{who}/{end}" for who in whose for end in ends if not end[0].isdecimal())


def means_one_roll(session: Session) -> int:
    """Returns how many shorthands mean a roll that was thrown."""
    log = session.log
    words = wording(log.combat.session)
    known, table, found = facts(log), Table(session, Who("gm")), 0
    candidates = which_roll.rolls(table)
    for short in shorthands(known):
        try:
            key, entry = entry_of_roll(log, short)
        except NoSuchRoll:
            continue
        if any(is_meant(short, rest.key, rest.by) for rest in session.rests):
            assert open_key(session.combat, short) in (None, meant_key(known, short)), short
            continue
        if meant_key(known, short) not in thrown(known):  # it was requested once more, and is open
            continue
        found += 1
        assert meant_key(known, short) == key, short
        assert register.full_subject(log, short) == key, short
        assert entry_number(log, short) == (declared_as(log, short) or entry.seq), short
        assert key in [one.key for one in which_roll.nearest(candidates, short)], short
        for name in {name for fact in known.of(key) for name in figures_of(fact.event, words)}:
            assert entry_of_figure(log, short, name)[0] == key, (short, name)
        own = [one for one in thrown(known) if is_meant(short, one, known.asked[one].by)]
        assert not own or key in own, short
    return found


def declared_as(log: Log, short: str) -> int | None:
    """Returns the latest declaration that a shorthand names, such as ``bob/cast``: a correction means it, not its roll."""
    for entry in log.newest_first():
        for event in entry.events:
            if isinstance(event, e.Declared) and is_meant(short, event.key, event.by):
                return entry.seq
    return None


def thrown(known: EventIndex) -> list[str]:
    return [fact.event.key for fact in known.all if isinstance(fact.event, e.DiceRolled)]


@pytest.mark.parametrize("name", examples())
def test_a_shorthand_means_the_same_roll_of_an_example_in_every_command(name: str) -> None:
    assert means_one_roll(perform(read(find_script(name)[1]))) > 3


@settings(max_examples=so_many(40))
@given(fights())
def test_a_shorthand_means_the_same_roll_of_any_fight_in_every_command(fight: Fight) -> None:
    means_one_roll(fight.session)


@pytest.fixture
def shot() -> Session:
    return perform(read(find_script("street-fight")[1]))


def test_the_roller_takes_precedence_over_the_declarer(shot: Session) -> None:
    key = "r1/slim/a1/attack/resist"

    assert entry_of_roll(shot.log, "razor/resist")[0] == key
    assert entry_of_roll(shot.log, "slim/resist")[0] == "r1/razor/a4/attack/resist"
    assert shot.modify("razor/resist", -1, why="q")[0].command.key == key


def test_at_the_table_the_roll_of_a_named_combatant_takes_precedence_over_rolls_of_their_actions(shot: Session) -> None:
    table = Table(shot, Who("gm"))

    meant_ = {short: [one.by for one in which_roll.nearest(which_roll.rolls(table), short)] for short in MEANT}

    assert meant_ == MEANT


MEANT = {"razor/resist": ["razor"], "slim/resist": ["slim"], "slim/to-hit": ["slim"], "dregs/soak": []}


@pytest.mark.parametrize("short", ["slim/", "/", "", "/to-hit/", "slim//"])
def test_a_shorthand_with_an_empty_end_means_no_roll(shot: Session, short: str) -> None:
    with pytest.raises(NoSuchRoll):
        shot.modify(short, 1, why="q")
    with pytest.raises(NoSuchFigure):
        shot.overrule(short, "net hits", 3, why="q")
