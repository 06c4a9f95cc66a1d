"""Where answers come from, in the one loop."""

from ledger.commands import BeginCombat, Choose, Join, TypeDice
from projections.combat import Combat
from projections.path import Rest
from replays import Session
from replays.api.session import GM
from replays.scripts.run import run
from replays.scripts.stock_answers import DrawnAnswers, TypedAnswers
from replays.sessions.intent import Intent


def _begun() -> Session:
    session = Session.create("memory://", ruleset="eclipse_phase_1e", draw=lambda *_: (7,))
    for who in ("ann", "bob"):
        session.perform(Join(who, {"init": 50, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}))
    session.perform(BeginCombat())
    return session


def _go_on(session: Session, answers: DrawnAnswers | TypedAnswers) -> None:
    def perform(asked: Intent) -> Combat:
        session.perform(asked.command, by=asked.by)
        return session.combat

    run(lambda: session.game, session.combat, answers, perform)


def test_drawn_answers_throw_every_open_roll_and_leave_choices_to_people() -> None:
    session = _begun()

    _go_on(session, DrawnAnswers(lambda *_: GM))

    assert session.combat.initiative.scores == {"ann": 57, "bob": 57}
    assert [rest.key for rest in session.rests] == ["r1/ann/p1/act"]


def test_drawn_answers_throw_only_what_they_are_told_to() -> None:
    session = _begun()

    _go_on(session, DrawnAnswers(lambda *_: GM, frozenset({"r1/bob/initiative"})))

    assert [rest.key for rest in session.rests] == ["r1/ann/initiative"]


def test_typed_answers_put_one_rest_after_another_until_somebody_has_no_answer() -> None:
    session, asked = _begun(), []

    def ask(_: Combat, rest: Rest) -> TypeDice | Choose | None:
        asked.append(rest.key)
        return TypeDice(rest.key, (40 + len(asked),)) if rest.dice else None

    _go_on(session, TypedAnswers(lambda *_: GM, ask))

    assert asked == ["r1/ann/initiative", "r1/bob/initiative", "r1/bob/p1/act"]
    assert session.combat.initiative.order == (("bob", 92), ("ann", 91))
