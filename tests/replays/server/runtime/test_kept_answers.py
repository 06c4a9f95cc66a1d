"""Answers about old entries are kept, the latest that were asked for; those who ask at once share one question."""

import asyncio

import pytest

from ledger.errors import Refused
from replays.server.runtime.questions.kept_answers import LARGEST, KeptAnswers


class Asked:
    """Answers with its key, and counts how often it is asked."""

    def __init__(self, kept: KeptAnswers) -> None:
        self._kept = kept
        self.times: list[str] = []

    async def of(self, key: str, size: int = 1) -> bytes:
        async def ask() -> bytes:
            self.times.append(key)
            await asyncio.sleep(0)
            return b"x" * size

        return await self._kept.of(key, ask)


def test_the_answers_that_were_asked_for_last_stay() -> None:
    async def play(asked: Asked) -> None:
        for key in ("a", "b", "a", "c", "a", "b"):
            await asked.of(key)

    asked = Asked(KeptAnswers(2))
    asyncio.run(play(asked))
    assert asked.times == ["a", "b", "c", "b"]


def test_an_answer_that_is_too_large_is_not_kept() -> None:
    async def play(asked: Asked) -> None:
        for _ in range(2):
            await asked.of("small", LARGEST)
            await asked.of("large", LARGEST + 1)

    asked = Asked(KeptAnswers())
    asyncio.run(play(asked))
    assert asked.times == ["small", "large", "large"]


def test_those_who_ask_at_once_share_one_question_also_if_one_of_them_leaves() -> None:
    async def play(asked: Asked) -> list[bytes]:
        first, *others = [asyncio.ensure_future(asked.of("a")) for _ in range(4)]
        await asyncio.sleep(0)
        first.cancel()
        return list(await asyncio.gather(*others))

    asked = Asked(KeptAnswers())
    assert asyncio.run(play(asked)) == [b"x"] * 3
    assert asked.times == ["a"]


def test_a_refusal_is_not_kept() -> None:
    async def play(kept: KeptAnswers) -> bytes:
        async def refuse() -> bytes:
            raise Refused("not now")

        with pytest.raises(Refused):
            await kept.of("a", refuse)
        return await Asked(kept).of("a")

    assert asyncio.run(play(KeptAnswers())) == b"x"
