"""A fault planted in the engine breaks a law of rewritten histories, and the failing history is minimized."""

from collections.abc import Callable, Iterator

import pytest
from histories.history_laws import broken
from histories.recorder import Law, Recorder
from histories.shrinking import Smallest, smallest
from histories.steps import LawBroken, Opening

from ledger.commands import BeginCombat, Choose, Join, Note, TypeDice
from ledger.errors import Refused
from replays.corrections.change import Change
from replays.corrections.diff import Aside
from replays.corrections.rebase import Rebase
from replays.sessions import undo
from replays.sessions.intent import Intent
from replays.sessions.log import Log
from replays.sessions.record import bindings

SHEET = {"reaction": 3, "intuition": 4, "edge": 2, "body": 3}


def played() -> Recorder:
    """A history with much that is irrelevant, ending with a roll that is corrected to fewer hits."""
    lived = Recorder(Opening("shadowrun_4e"), lambda: True)
    for who in ("ann", "bob", "cyd"):
        lived.perform(Join(who, SHEET))
    lived.perform(BeginCombat())
    for who in ("ann", "bob", "cyd"):
        lived.perform(Note(f"{who} rolls"))
        lived.perform(TypeDice(f"r1/{who}/initiative", (2, 5, 3, 3, 4, 3, 4)))
        lived.undo("step", why="too early")
        lived.redo()
    lived.perform(Choose("r1/ann/initiative/edge", "pass"))
    lived.perform(Choose("r1/bob/initiative/edge", "again"))
    lived.perform(TypeDice("r1/bob/initiative/again", (3, 4, 5, 3, 4, 1)))
    lived.perform(Note("that was it"))
    with pytest.raises(Refused):
        lived.rewind(99)
    lived.amend("r1/bob/initiative", Change(set={"faces": [2, 5, 1, 2, 4, 6, 1]}), why="misread")
    return lived


def fault_in(lived: Callable[[], Recorder]) -> Smallest:
    """Returns the smallest history that shows a planted fault."""
    taken: list[Recorder] = []
    take = Recorder.take

    def kept(self: Recorder, step: object) -> object:
        taken[:] = [self]
        return take(self, step)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Recorder, "take", kept)
        try:
            fault = broken(lived())
        except LawBroken as found:
            fault = found
    assert fault is not None, "what is planted is not found"
    return smallest(taken[0], fault)


def test_without_a_planted_fault_every_law_holds() -> None:
    assert broken(played()) is None


def test_an_off_by_one_in_the_set_aside_tail_is_found_in_six_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(self: Rebase, intent: Intent) -> Iterator[Aside]:
        whole, command = self.recorded.faces.get(intent.origin, ()), intent.decided
        if isinstance(command, TypeDice) and len(command.faces) < len(whole):
            yield Aside(intent.origin or 0, f"{' '.join(map(str, whole[len(command.faces) + 1 :]))} of {command.key}")

    monkeypatch.setattr(Rebase, "_unused_faces", cut)

    found = fault_in(played)

    assert found.fault.law == Law.TAILS
    methods = [step.method for step in found.steps]
    assert methods == ["perform"] * 5 + ["amend"]
    assert "session.amend('r1/bob/initiative', Change(set={'faces': [2, 5, 1, 2, 4, 6, 1]}" in str(found)


def test_lost_idempotency_keys_are_found_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bindings, "keys_of", lambda _: {})

    found = fault_in(played)

    assert "import" in found.fault.law
    assert len(found.steps) == 1


def test_an_undo_that_goes_too_far_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def two_back(log: Log, _: int) -> int:
        return max(2, log.timeline.after(log.timeline.after(log.head)))

    monkeypatch.setattr(undo, "_before_step", two_back)

    found = fault_in(played)

    assert found.fault.law == "undoing all gives the first state"
    assert len(found.steps) <= 2
