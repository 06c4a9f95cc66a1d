"""The cache by text: a result is computed once for each text in use, within the bounds of the cache."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from ledger.text_cache import SHORT, remembered

LONG = 10 * SHORT


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from([1, SHORT, SHORT + 1, 3 * SHORT, LONG + 1]), st.booleans())
    )
)
def test_it_is_what_the_function_says_and_the_latest_is_remembered(asked: list[tuple[str, int, bool]]) -> None:
    made: list[tuple[str, bool]] = []

    @remembered(8, LONG)
    def count(text: str, double: bool) -> int:
        made.append((text, double))
        return len(text) * (2 if double else 1)

    for letter, length, double in asked:
        for _ in range(2):
            assert count(letter * length, double) == length * (2 if double else 1)
    for text, double in made:
        if len(text) <= LONG:
            times = made.count((text, double))
            assert times <= sum((letter * length, twice) == (text, double) for letter, length, twice in asked)


def test_any_number_of_long_texts_takes_no_more_room_than_was_said() -> None:
    @remembered(8, 1_000_000)
    def keep(text: str) -> bytes:
        return text.encode()

    tracemalloc.start()
    try:
        for number in range(300):
            keep(f"{number} " + "x" * 100_000)
        assert tracemalloc.get_traced_memory()[0] < 4_000_000
    finally:
        tracemalloc.stop()


def test_threads_may_ask_at_once() -> None:
    @remembered(8, 20 * SHORT)
    def keep(text: str) -> int:
        return len(text)

    texts = [f"{number} " * SHORT for number in range(60)]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(keep, texts * 20)) == [len(text) for text in texts] * 20


def test_what_is_refused_is_refused_again() -> None:
    made = []

    @remembered(8)
    def refuse(text: str) -> int:
        made.append(text)
        raise ValueError(text)

    for _ in range(2):
        try:
            refuse("x" * 2 * SHORT)
        except ValueError:
            continue
        raise AssertionError
    assert len(made) == 2
