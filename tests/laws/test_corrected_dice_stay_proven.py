"""After any correction of rolls, every face recorded as drawn follows from the seed."""

from typing import Any

from drawing import examples
from histories.corrections import amendable
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.commands import BeginCombat, DrawDice, Join, Reveal, TypeDice
from ledger.dice import parse
from ledger.entry import Provenance
from ledger.errors import Refused
from replays.api.session import Session
from replays.audit.dice_proof import VERIFIED, verify
from replays.corrections.change import Change

KEYS = tuple(f"r1/{who}/initiative" for who in ("ann", "bob", "cyd"))
SHEETS: dict[str, Any] = {
    "eclipse_phase_1e": {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}},
    "shadowrun_4e": {"reaction": 3, "intuition": 4, "edge": 2, "body": 3},
}
FIELDS = {
    "faces": st.lists(st.integers(1, 6), min_size=1, max_size=7),
    "provenance": st.lists(st.sampled_from([each.value for each in Provenance]), max_size=7),
    "key": st.sampled_from(KEYS),
}


@settings(max_examples=examples(60))
@given(st.sampled_from(sorted(SHEETS)), st.permutations(KEYS), st.booleans(), st.data())
def test_no_correction_marks_other_dice_as_drawn(game: str, order: list[str], drawn: bool, data: st.DataObject) -> None:
    session = Session.create("memory://", ruleset=game)
    for key in KEYS:
        session.perform(Join(key.split("/")[1], SHEETS[game]))
    session.perform(BeginCombat())
    session.perform(DrawDice(order[0]))
    session.perform(DrawDice(order[1]) if drawn else TypeDice(order[1], (1,) * len(parse(session.rests[0].dice).sides)))
    for _ in range(data.draw(st.integers(1, 4))):
        rolls = [entry for entry in amendable(session) if isinstance(entry.command, DrawDice | TypeDice)]
        names = data.draw(st.sets(st.sampled_from(sorted(FIELDS)), min_size=1))
        change = Change(set={name: data.draw(FIELDS[name]) for name in names})
        try:
            session.amend(data.draw(st.sampled_from(rolls)).seq, change, why="otherwise")
        except Refused:
            continue

    session.perform(Reveal())

    assert verify(session.log).status == VERIFIED
