"""The law of declared readings finds a declaration that is not true."""

from random import Random

import msgspec
import pytest
from duels import met, play_on
from read_alike import alike, distinguished

from machines.contract.dice_reading import SUM, UNORDERED, DiceReading
from machines.contract.ruleset import ruleset

FALSE = [
    ("shadowrun_4e", SUM),
    ("shadowrun_4e", DiceReading(order=False, alike=((4, 5),))),
    ("eclipse_phase_1e", DiceReading(alike=(tuple(range(100)),))),
    ("gurps_3e", DiceReading(alike=((1, 2),))),
]


@pytest.mark.parametrize(("game", "reading"), FALSE)
def test_a_false_declaration_is_found(game: str, reading: DiceReading) -> None:
    session = play_on(met(game), Random(1), 60)
    false = msgspec.structs.replace(ruleset(game), reading=lambda *_: reading)

    assert list(distinguished(false, session, Random(1)))
    assert not list(distinguished(ruleset(game), session, Random(1)))


def test_a_throw_that_is_read_alike_has_the_same_sum_or_the_same_faces() -> None:
    for seed in range(20):
        assert sum(alike((1, 4, 6, 2), "4d6", SUM, Random(seed))) == 13
        assert sorted(alike((1, 4, 6, 2), "4d6", UNORDERED, Random(seed))) == [1, 2, 4, 6]
