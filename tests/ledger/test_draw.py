"""Drawing from a seed: all faces are equally likely, and the same request yields the same faces."""

import hmac
import math
from collections import Counter
from hashlib import sha256

import pytest

from ledger import draw
from ledger.dice import check, parse
from ledger.draw import commitment, faces, fits
from ledger.errors import BadNotation

SEED = sha256(b"a fixed seed, so that chance fails no test").digest()
ALWAYS = 3.09
"""The number of standard deviations that chance exceeds once in a thousand cases."""


def threshold(freedom: int) -> float:
    """Returns the value that chi-square exceeds once in a thousand cases, by Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + ALWAYS * math.sqrt(part)) ** 3


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = counts.total() / cells
    return sum((count - expected) ** 2 / expected for count in counts.values()) + (cells - len(counts)) * expected


def test_the_threshold_is_the_one_of_the_tables() -> None:
    assert [round(threshold(freedom), 1) for freedom in (5, 9, 99)] == pytest.approx([20.5, 27.9, 148.2], abs=0.3)


@pytest.mark.parametrize(("sides", "lowest"), [(6, 1), (10, 1), (100, 0), (20, 1), (7, 1), (3, 1)])
def test_each_face_of_one_die_a_roll_is_as_likely_as_another(sides: int, lowest: int) -> None:
    counts = Counter[object](faces(SEED, [], f"r{roll}/ann/initiative", (sides,))[0] for roll in range(20_000))

    assert set(counts) == set(range(lowest, lowest + sides))
    assert chi_square(counts, sides) < threshold(sides - 1)


@pytest.mark.parametrize("sides", [6, 10, 100])
def test_each_face_of_many_dice_in_one_roll_is_as_likely_as_another(sides: int) -> None:
    thrown = [face for roll in range(20) for face in faces(SEED, [("kira", "x")], f"r{roll}", (sides,) * 1_000)]

    assert chi_square(Counter[object](thrown), sides) < threshold(sides - 1)


def test_one_die_says_nothing_of_the_next() -> None:
    pairs = Counter[object](faces(SEED, [], f"r{roll}", (6, 6)) for roll in range(20_000))
    again = Counter[object](
        tuple(faces(SEED, [], f"r{roll}", (6,), time)[0] for time in (0, 1)) for roll in range(20_000)
    )

    assert chi_square(pairs, 36) < threshold(35)
    assert chi_square(again, 36) < threshold(35)


@pytest.mark.parametrize("notation", ["1d100", "3d6+2", "3d10+2d6+5", "1d10/2", "1d1", "2d2+4d3", "5d100"])
def test_the_faces_are_such_as_these_dice_can_show(notation: str) -> None:
    thrown = faces(SEED, [], "r1", parse(notation).sides)

    assert check(notation, thrown) == thrown


def test_a_number_that_would_make_low_faces_likelier_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(draw, "fits", lambda number, sides: asked.append(number) or len(asked) == 3)
    share = hmac.digest(SEED, b"", "sha256")
    third = int.from_bytes(hmac.digest(share, b"r1\n0\n6\n0\n2", "sha256"), "big")

    assert faces(SEED, [], "r1", (6,)) == (third % 6 + 1,)


def test_of_the_numbers_that_are_taken_each_face_has_as_many() -> None:
    for sides in (3, 6, 7, 10, 100, 2**62 + 1):
        most = 2**256 // sides * sides

        assert fits(most - 1, sides)
        assert not fits(most, sides) or most == 2**256


def test_the_same_request_gives_the_same_faces() -> None:
    assert faces(SEED, [("kira", "x")], "r1/a", (6, 6)) == faces(SEED, [("kira", "x")], "r1/a", (6, 6))


def test_a_larger_pool_keeps_its_first_faces() -> None:
    seven = faces(SEED, [], "r1/a", (6,) * 7)

    assert faces(SEED, [], "r1/a", (6,) * 12)[:7] == seven
    assert faces(SEED, [], "r1/a", (6,) * 3) == seven[:3]


def test_dice_of_other_sides_in_the_same_roll_move_none() -> None:
    tens, sixes = faces(SEED, [], "r1/a", (10,) * 3), faces(SEED, [], "r1/a", (6,) * 2)

    assert faces(SEED, [], "r1/a", parse("3d10+2d6").sides) == tens + sixes
    assert faces(SEED, [], "r1/a", parse("2d6+3d10").sides) == sixes + tens


def test_whatever_is_different_gives_other_faces() -> None:
    nonces = [("kira", "x"), ("sam", "y")]
    asked = [
        (SEED, nonces, "r1/a", 0),
        (sha256(SEED).digest(), nonces, "r1/a", 0),
        (SEED, nonces[::-1], "r1/a", 0),
        (SEED, nonces[:1], "r1/a", 0),
        (SEED, [("kira", "x"), ("sam", "z")], "r1/a", 0),
        (SEED, [("kira", "x\nsam")], "r1/a", 0),
        (SEED, [], "r1/a", 0),
        (SEED, nonces, "r1/b", 0),
        (SEED, nonces, "r1/a", 1),
    ]

    assert len({faces(seed, given, key, (100,) * 8, time) for seed, given, key, time in asked}) == len(asked)


def test_a_commitment_is_what_anybody_s_sha256_says() -> None:
    assert commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_a_die_whose_faces_no_line_can_hold_is_refused() -> None:
    with pytest.raises(BadNotation):
        faces(SEED, [], "r1", (2**63,))
