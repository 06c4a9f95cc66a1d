"""A page of a replay ends after a size, so that one request cannot ask for much; the next page goes on from there."""

import msgspec

from ledger.commands import Note
from replays.api.session import Session
from replays.corrections.change import Change, EntryChange
from replays.server.callers.seat_token import Caller
from replays.server.callers.tokens import Scope, Token
from replays.server.runtime.questions.of_sessions import STEPS, BranchOf, StepsOf
from replays.views.frames import MOST_STEPS


def test_a_page_of_long_entries_ends_early_and_the_next_one_goes_on() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for _ in range(200):
        session.perform(Note("rain " * 700))
    caller = Caller(Token("t", Scope.GM, session.id, "gm"), session.id)

    seqs: list[int] = []
    while len(seqs) < session.log.last:
        page = StepsOf(len(seqs), MOST_STEPS).answer(session, caller)
        sizes = [len(msgspec.json.encode(step)) for step in page.steps]
        assert sum(sizes[:-1]) < STEPS
        seqs += [step.seq for step in page.steps]
        assert len(page.steps) < 100

    assert seqs == list(range(1, session.log.last + 1))


def test_a_long_branch_ends_early_and_goes_on() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    for _ in range(200):
        session.perform(Note("rain " * 700))
    caller = Caller(Token("t", Scope.GM, session.id, "gm"), session.id)
    changes = (EntryChange(100, Change(drop=True)),)

    seqs: list[int] = []
    is_whole = False
    while not is_whole:
        page = BranchOf(changes, None, 2, seqs[-1] if seqs else 0).answer(session, caller)
        sizes = [len(msgspec.json.encode(step)) for step in page.steps]
        assert sum(sizes[:-1]) < STEPS
        assert len(sizes) < 100
        seqs += [step.seq for step in page.steps]
        is_whole = page.is_whole

    assert seqs == [step.seq for step in session.branch(changes, since=2).steps]
