"""`replays.corrections.answer_index`: the answers that may fit a state, found without trying each of them."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.commands import BeginCombat, Choose, Command, Declare, DrawDice, Note, TellDice, TypeDice
from ledger.entry import Seat, Who
from ledger.events import Option
from projections.clock import Clock
from projections.combat import Combat
from projections.path import Path, Rest
from replays.corrections.answer_index import AnswerIndex, RecordedAnswer
from replays.corrections.recorded_answers import matched
from replays.sessions.intent import intended

GM = Who(Seat.GM)
KEYS = ("r1/ann/p1/act", "r1/ann/p1/act/2", "r1/ann/a1/attack/to-hit", "r2/bob/a1/attack/damage", "initiative")
MOMENT = "r1/ann/p1/act"

keys = st.sampled_from(KEYS)
given_at = st.none() | keys
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(TypeDice, keys, st.just((1,))),
    st.builds(DrawDice, keys, st.just((1,))),
    st.builds(TellDice, keys, st.just({"hits": 1})),
    st.builds(Choose, keys, st.just("end")),
    st.builds(Declare, st.just("attack"), st.sampled_from(["ann", "bob"]), given_at=given_at),
    st.builds(Note, st.sampled_from("xy"), given_at=given_at),
    st.builds(BeginCombat),
)
answers = st.builds(
    RecordedAnswer,
    st.builds(intended, commands, st.just(GM)),
    st.just(""),
    st.sampled_from(["", MOMENT]),
    st.sampled_from(["", "r1", "r2"]),
)
rests = st.builds(
    Rest, keys, st.sampled_from(["ann", "bob"]), dice=st.sampled_from(["", "1d6"]),
    options=st.sampled_from([(), (Option("end", "end"),)]), depth=st.sampled_from([0, 0, 1]),
)  # fmt: skip
states = st.builds(
    lambda asked, combat_round: Combat(clock=Clock(combat=1, round=combat_round), path=Path(asked=tuple(asked))),
    st.lists(rests, max_size=3),
    st.sampled_from([1, 2]),
)


refused = st.lists(commands, max_size=2)


@given(st.lists(answers, max_size=12), st.lists(states, max_size=8), refused)
def test_it_finds_what_trying_every_answer_in_order_finds(
    recorded: list[RecordedAnswer], combats: list[Combat], refused: list[Command]
) -> None:
    def fits(each: RecordedAnswer, combat: Combat) -> bool:
        return matched(each, combat) is not None and each.intent.decided not in refused

    index, left = AnswerIndex(recorded), list(recorded)
    for combat in combats:
        place = next((place for place in index.candidates(combat) if fits(index.answers[place], combat)), None)
        expected = next((each for each in left if fits(each, combat)), None)
        assert (None if place is None else index.answers[place]) is expected
        if place is not None:
            index.take(place)
            left = [each for each in left if each is not expected]
        assert list(map(id, index)) == list(map(id, left))


def test_of_equal_commands_that_answer_nothing_one_is_tried_and_after_it_the_next() -> None:
    begin, note = (RecordedAnswer(intended(one, GM)) for one in (BeginCombat(), Note("x")))
    index, combat = AnswerIndex([begin, note, begin, begin]), Combat()

    assert list(index.candidates(combat)) == [0, 1]
    index.take(0)
    assert list(index.candidates(combat)) == [1, 2]


def test_answers_to_other_rests_are_not_tried() -> None:
    rolls = [RecordedAnswer(intended(TypeDice(f"r1/ann/a{nth}/attack/to-hit", (1,)), GM)) for nth in range(50)]
    combat = Combat(path=Path(asked=(Rest("r1/ann/a7/attack/to-hit", "ann", "", "1d6"),)))

    assert list(AnswerIndex(rolls).candidates(combat)) == [7]


def test_it_knows_the_exchanges_and_rolls_that_have_answers() -> None:
    key = "r1/ann/a1/attack/to-hit"
    index = AnswerIndex([RecordedAnswer(intended(TypeDice(key, (1,)), GM), key)])

    assert [index.is_any_within(one) for one in (key, "r1/ann/a1/attack", "r1/ann/a1/att")] == [True, True, False]
    index.take(0)
    assert not index.is_any_within(key)
