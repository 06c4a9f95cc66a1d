"""The laws that a whole history must keep after it was played. To add a law, add a line to `LAWS`."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from histories.recorder import Recorder, check_repeats
from histories.steps import NAME, LawBroken, Step, Written, hold

from ledger.entry import Entry
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from projections.combat import fold
from replays.api.session import Session
from replays.audit.audit import audit
from replays.audit.dice_proof import verify_lines
from replays.audit.regression import rehearsed
from replays.exports.jsonl import bring_in, check, export
from replays.sessions.log import Log

Law = Callable[[str, Recorder], None]
"""A check of a history; its first argument is the law's sentence."""


def _its_offers_can_be_read(law: str, lived: Recorder) -> None:
    session = lived.session
    for rest in session.rests if session.combat.session.is_open else ():
        mine = [each for each in session.options() if each.key == rest.key]
        hold(law, bool(rest.dice) or any(not each.refused for each in mine), f"nothing is legal at {rest.key}")


def _opened_again_it_is_the_same(law: str, lived: Recorder) -> None:
    session, again = lived.session, lived.opening.open(lived.store)
    _check_same(law, session, again)
    for rest in session.rests:
        known = again.waiting.known_faces(rest)
        hold(law, session.waiting.known_faces(rest) == known, f"faces of {rest.key} that lie already: {known}")


def _each_state_is_the_sum_of_its_line(law: str, lived: Recorder) -> None:
    log = lived.session.log
    sums = {0: fold(())}
    for entry in log.entries():
        sums[entry.seq] = fold(entry.events, sums[log.timeline.after(entry.seq)])
    for then in lived.lived:
        hold(law, sums[then.head] == then.combat, f"at entry {then.head}, of {then.last} that were there")


def _the_chain_verifies(law: str, lived: Recorder) -> None:
    log = lived.session.log
    try:
        head = log.verify()
    except Refused as refusal:
        raise LawBroken(law, refusal) from refusal
    hold(law, (head.seq, head.digest) == (log.last, log.digest), head)


def _rehearsing_finds_nothing(law: str, lived: Recorder) -> None:
    found = rehearsed(lived.store, NAME)
    hold(law, found.problem is None, found.problem)
    hold(law, not found.divergences, found.divergences)
    hold(law, found.entries == lived.session.log.last, found.entries)


def _imported(law: str, lived: Recorder) -> MemoryStore:
    """Returns the session as imported into another ledger."""
    exported, elsewhere = list(export(lived.session.log)), MemoryStore()
    try:
        header = bring_in(exported, elsewhere)
        hold(law, header == check(exported), header)
    except Refused as refusal:
        raise LawBroken(law, refusal) from refusal
    hold(law, list(export(Log(elsewhere, NAME))) == exported, "its export is another one")
    return elsewhere


def _imported_it_is_the_same_at_every_entry(law: str, lived: Recorder) -> None:
    here = lived.session.log
    again = lived.opening.open(_imported(law, lived))
    _check_same(law, lived.session, again)
    for seq in range(1, here.last + 1):
        hold(law, again.log.state(seq) == here.state(seq), f"at entry {seq}")
    for then in lived.lived:
        hold(law, again.log.timeline.head_at(then.last) == then.head, f"the head of entry {then.last}")


def _imported_it_answers_repeats(law: str, lived: Recorder) -> None:
    again = lived.opening.open(_imported(law, lived))
    check_repeats(law, again, lived.answered)
    hold(law, again.log.store.head(NAME).seq == lived.session.log.last, "repeats have written something")


def _each_drawn_face_is_counted_once(law: str, lived: Recorder) -> None:
    log = lived.session.log
    dice = audit(log).dice
    drawn = [one for one in dice.by if one.provenance == "drawn"]
    hold(law, sum(one.faces for one in drawn) == dice.drawn, f"{dice.drawn}, and by person {drawn}")
    hold(law, sum(one.rolls for one in drawn) == dice.drawn_rolls == len(dice.draws), f"{dice.drawn_rolls}; {drawn}")
    on_record = verify_lines(record.line for record in log.store.read(NAME)).drawn
    hold(law, dice.drawn <= dice.on_record == on_record, f"{dice.drawn}, {dice.on_record} and {on_record} on record")


def _undoing_all_gives_the_first_state(law: str, lived: Recorder) -> None:
    session = lived.opening.open(_imported(law, lived))
    before, line, redo = session.combat, session.log.timeline.line(), session.log.timeline.redo
    undone = _undo_all(law, session)
    if not session.combat.session.is_open:  # closing is final, so that an undo ends there
        return
    hold(law, session.log.head == 1, f"it ends at entry {session.log.head}")
    hold(law, session.combat == lived.lived[0].combat, "the state is another one")
    for _ in range(undone):
        session.redo()
    law = "as many redos as undos restore everything"
    hold(law, session.combat == before and session.log.timeline.line() == line, session.log.head)
    hold(law, session.log.timeline.redo == redo, f"{session.log.timeline.redo}, not {redo}, is what a redo leads to")


def _undo_all(law: str, session: Session) -> int:
    """Undoes step by step until an undo is refused; returns the number of undone steps."""
    for undone in range(session.log.last + 1):
        try:
            session.undo()
        except Refused as refusal:
            right = "undo/nothing" if session.combat.session.is_open else "session/not-open"
            hold(law, refusal.slug == right, refusal)
            return undone
    raise LawBroken(law, "it goes on for ever")


def _opened_anew_at_each_step_it_is_the_same(law: str, lived: Recorder) -> None:
    store = MemoryStore()
    again = lived.opening.create(store)
    written = Written()
    for step in lived.steps:
        again = lived.opening.open(store)
        before = again.log.last
        with suppress(Refused):
            step._replace(keyed=False).numbered(again.log, written).ask(again)
            written.add(step.number, before + 1, again.log.last)
    was, now = (list(map(_decided, each.entries())) for each in (lived.session, again))
    hold(
        law,
        was == now,
        next(
            (f"entry {seq}: {a}; {b}" for seq, (a, b) in enumerate(zip(was, now, strict=False), 1) if a != b), len(now)
        ),
    )


def _decided(entry: Entry) -> tuple[object, ...]:
    return entry.after, entry.by, entry.origin, entry.command, entry.events


def _check_same(law: str, one: Session, other: Session) -> None:
    """Checks that two sessions of the same log are in the same state."""
    hold(law, other.combat == one.combat, "the state is another one")
    hold(law, other.state() == one.state(), "the document is another one")
    hold(law, other.log.timeline.line() == one.log.timeline.line(), "other entries stand")
    hold(law, other.log.timeline.redo == one.log.timeline.redo, "a redo leads elsewhere")


LAWS: Mapping[str, Law] = {
    "what is waited for can be answered": _its_offers_can_be_read,
    "a session opened again is the same": _opened_again_it_is_the_same,
    "each state is the sum of the events of its line": _each_state_is_the_sum_of_its_line,
    "the chain verifies": _the_chain_verifies,
    "rehearsing the log finds nothing": _rehearsing_finds_nothing,
    "exported and imported it is the same at every entry": _imported_it_is_the_same_at_every_entry,
    "what was asked under a key is answered alike after an import": _imported_it_answers_repeats,
    "each drawn face is counted once": _each_drawn_face_is_counted_once,
    "undoing all gives the first state": _undoing_all_gives_the_first_state,
    "a session opened anew at each step writes the same log": _opened_anew_at_each_step_it_is_the_same,
}


def broken(lived: Recorder) -> LawBroken | None:
    """Returns the first law that a history breaks; None where it keeps all."""
    for law, check_law in LAWS.items():
        try:
            check_law(law, lived)
        except LawBroken as found:
            return found
        except Exception as error:
            found = LawBroken(law, f"{type(error).__name__}: {error!s:.300}")
            found.__cause__ = error
            return found
    return None


def again(lived: Recorder, steps: Sequence[Step]) -> tuple[Recorder, LawBroken | None]:
    """Takes the same steps in a new session with the same opening, and checks all laws."""
    taken = Recorder(lived.opening)
    try:
        taken.take_all(steps)
    except LawBroken as found:
        return taken, found
    return taken, broken(taken)
