"""Every entry has a narration: what happened, or at least the command; never the name of a class."""

import pytest
from forging import whole_session
from places import TESTS

from ledger.commands import COMMANDS, ApplyModifier
from replays.api.run_script import perform
from replays.api.session import Session
from replays.cli.views.log_view import marked
from replays.corrections.change import Change
from replays.scripts.format import examples, find_script, read
from replays.views.frames import frames

CLASSES = {command.__name__ for command in COMMANDS if not command.__name__.istitle()}


def _says_something(session: Session) -> None:
    for frame in frames(session.log, everything=True):
        sentences = marked(frame.entry, frame.before)
        own = [each for each in sentences if not each.endswith("is performed again.")]
        assert own or not frame.entry.events, frame.entry
        assert sentences
        assert not any(word in CLASSES for each in sentences for word in each.split()[:1]), sentences
        assert not any(each.lstrip().startswith((",", ":")) for each in sentences), sentences


@pytest.mark.parametrize("name", examples())
def test_each_entry_of_an_example_says_something(name: str) -> None:
    _says_something(perform(read(find_script(name)[1])))


def test_a_figure_of_no_roll_is_that_of_its_combatant() -> None:
    path = TESTS / "scenarios" / "gurps_3e" / "hit-points-that-are-set-below-minus-ht-call-for-death-rolls.toml"
    session = perform(read(path.read_bytes(), path.name))
    _says_something(session)
    told = [each for frame in frames(session.log) for each in marked(frame.entry, frame.before)]
    assert any(each.startswith("Bob, death rolls due: ") for each in told)


def test_each_kind_of_command_says_something() -> None:
    _says_something(whole_session())


def test_a_modifier_of_nothing_is_said_with_its_reason_also_when_it_is_performed_again() -> None:
    session = perform(read(find_script("crossed-swords")[1]))
    session.modify("wulf/to-hit", 0, why="no light")
    session.modify("wulf/to-hit", -1, why="rain")
    _says_something(session)
    session.amend(
        next(seq for seq in session.log.timeline.line() if seq > 8), Change(insert=({"note": "x"},)), why="late"
    )

    _says_something(session)
    said = [
        marked(frame.entry, frame.before)
        for frame in frames(session.log, everything=True)
        if isinstance(frame.entry.command, ApplyModifier)
    ]
    assert "To-hit: +0 no light." in said[0]
    assert all(len(each) > 1 for each in said[2:]), said
