"""Lists the exits of charts, and those that a fight used."""

from collections.abc import Iterator

from ledger.events import StepEntered
from machines.contract.ruleset import Ruleset
from projections.combat import evolve
from replays.api.session import Session


def walked(session: Session) -> Iterator[tuple[str, str, str]]:
    """Yields chart, box and next box for consecutive boxes of one procedure."""
    for entry in session.entries():
        combat = session.log.state(entry.after)
        for event in entry.events:
            levels = combat.path.levels
            if isinstance(event, StepEntered) and event.depth < len(levels) and levels[event.depth][0] == event.chart:
                yield event.chart, levels[event.depth][1], event.box
            combat = evolve(combat, event)


def exits(game: Ruleset) -> Iterator[tuple[str, str, str, str]]:
    """Yields chart, box, label and next box for all exits of all charts."""
    for chart in game.charts.values():
        for box in chart.boxes.values():
            for label, number in box.exits.items():
                yield chart.name, box.number, label, number
