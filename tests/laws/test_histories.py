"""Fights whose history is rewritten in between keep every law: see `histories.steps` and `histories.history_laws`."""

import pytest
from drawing import examples
from histories.history_laws import broken
from histories.playing import History, histories
from histories.shrinking import check
from hypothesis import given, settings
from strategies import RULESETS


@pytest.mark.parametrize("name", RULESETS)
def test_a_rewritten_history_keeps_every_law(name: str) -> None:
    @settings(max_examples=examples(20))
    @given(histories(name, most=40))
    def hold(history: History) -> None:
        check(history, history.fault or broken(history.recorder))

    hold()
