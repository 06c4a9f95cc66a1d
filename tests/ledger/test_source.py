"""Citations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import BadSource
from ledger.source import Source, parse


@pytest.mark.parametrize(
    ("text", "book", "page", "heading"),
    [
        ("EP1 193 Combat Modifiers", "EP1", "193", "Combat Modifiers"),
        ("B 126 Shock", "B", "126", "Shock"),
        ("EP1 191-192 Resolving Combat", "EP1", "191-192", "Resolving Combat"),
        ("EP1 193", "EP1", "193", ""),
        ("Screen Firing Modes", "Screen", "", "Firing Modes"),
        ("EP2 03/01", "EP2", "03/01", ""),
        ("SR4 5 minutes of rest", "SR4", "5", "minutes of rest"),
        ("B 126 3d6", "B", "126", "3d6"),
    ],
)
def test_a_citation_is_a_book_a_page_and_a_heading(text: str, book: str, page: str, heading: str) -> None:
    assert parse(text) == Source(book, page, heading)
    assert str(parse(text)) == text


@pytest.mark.parametrize("text", ["", "EP1", "EP1 ", " EP1 193", "ep1 193", "193", "EP1  193", "EP1 193 ", "EP1 193  x", "1EP 193",
                                  "EP-1 193", "EP1\n193", "EP1 193\n"])  # fmt: skip
def test_what_names_no_book_or_only_a_book_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadSource) as refusal:
        parse(text)

    assert refusal.value.slug == "source/malformed"
    assert refusal.value.accepts


@given(
    st.from_regex(r"[A-Z][A-Za-z0-9]{0,5}", fullmatch=True),
    st.integers(1, 999),
    st.from_regex(r"[A-Z][a-z]*( [A-Z][a-z]*)?", fullmatch=True),
)
def test_a_citation_that_is_written_is_read_as_it_was(book: str, page: int, heading: str) -> None:
    cited = Source(book, str(page), heading)

    assert parse(str(cited)) == cited


def test_no_citation_at_all_is_told_apart_from_a_wrong_one() -> None:
    assert str(Source("EP1", "", "")) == "EP1"
    with pytest.raises(BadSource):
        parse(str(Source("EP1", "", "")))
