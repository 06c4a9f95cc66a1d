"""Fights whose history is rewritten in between keep every law: see `histories.steps` and `histories.history_laws`."""

import pytest
from drawing import examples
from histories.playing import histories
from histories.shrinking import first_fault
from hypothesis import settings
from strategies import RULESETS


@pytest.mark.parametrize("name", RULESETS)
def test_a_rewritten_history_keeps_every_law(name: str) -> None:
    fault = first_fault(histories(name, most=40), settings(max_examples=examples(20)), lambda _: None)

    assert fault is None, str(fault)
