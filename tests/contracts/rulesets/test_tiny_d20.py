"""Tiny d20 keeps the contract, and is played at once with all that a session can do."""

from collections.abc import Iterator

import pytest
from contracts.rulesets.ruleset_contract import RulesetContract
from extra_rulesets import tiny_d20


@pytest.fixture(scope="module", autouse=True)
def registered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with tiny_d20(tmp_path_factory.mktemp("tiny")):
        yield


class TestTinyD20(RulesetContract):
    name = "tiny_d20"
    seeds = 12
