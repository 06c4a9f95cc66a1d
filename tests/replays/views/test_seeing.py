"""A viewer's state is cached while the log grows, and always equals a fold from the beginning."""

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st
from strategies import ARMED

from ledger.audience import Viewer
from ledger.commands import ApplyModifier, BeginCombat, Join, Reveal
from ledger.entry import Entry, Seat, Who
from ledger.errors import Refused
from projections.combat import fold
from projections.views.seen import shown, viewer
from replays.api.session import Session
from replays.sessions.log import Log
from replays.views.view_cache import ViewCache

EYES = (Who("kira", Seat.PLAYER), Who("", Seat.SPECTATOR))


def folded(session: Session, who: Who, head: int) -> object:
    line = session.log.entries_of(session.log.timeline.line(head))
    return fold(shown(map(session.log.disclosures.entry, line), viewer(who, session.combat)))


@given(
    st.lists(st.sampled_from(["public", "secret", "hers", "undo", "redo", "reveal", "look", "look back"]), max_size=25)
)
def test_whatever_happens_between_two_looks_both_see_what_is_so(steps: list[str]) -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("bob", ARMED, player="kira"))
    seeing = ViewCache(session.log)
    for step in steps:
        last = session.log.last
        try:
            match step:
                case "public" | "secret" | "hers":
                    seen_by = {"public": None, "secret": (), "hers": ("bob",)}[step]
                    session.perform(Join(f"guest-{last}", ARMED, seen_by=seen_by))
                case "undo":
                    session.undo(why="no")
                case "redo":
                    session.redo(why="yes")
                case "reveal":
                    session.perform(Reveal(last))
        except Refused as refusal:  # there is nothing of the kind
            assert refusal.slug in ("undo/nothing", "redo/nothing", "reveal/nothing"), refusal
        heads = [session.log.head, *([session.log.timeline.head_at(last)] if step == "look back" else [])]
        for who in EYES:
            for head in heads:
                assert seeing.combat(viewer(who, session.combat), head) == folded(session, who, head)


def test_a_secret_that_was_told_is_seen_and_one_that_was_not_is_not() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    spectator = viewer(Who("", Seat.SPECTATOR), session.combat)
    session.perform(Join("ninja", ARMED, seen_by=()))
    assert session.seen(spectator).roster.who == {}
    session.perform(Reveal(2))
    assert session.seen(spectator).roster.name("unseen-1") == "ninja"


class Counted(Log):
    """A log that records which of its entries were read to fold a view."""

    read: list[int]

    def entries_of(self, seqs: Sequence[int]) -> Iterator[Entry]:
        """Notes which."""
        self.read = list(seqs)
        return super().entries_of(seqs)


def test_of_what_was_added_up_before_only_what_is_new_is_added() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("bob", ARMED, player="kira"))
    session.perform(BeginCombat())
    roll = session.rests[0].key
    log = Counted(session.log.store, session.id)
    seeing, kira = ViewCache(log), viewer(EYES[0], session.combat)
    for count in (1, 2, 3):
        session.perform(ApplyModifier(roll, 5, "high ground"))
        log.refresh()

        assert len(seeing.combat(kira, log.head).rolls.modifiers(roll)) == count
        assert log.read == ([log.head] if count > 1 else log.timeline.line())


def test_sixteen_views_are_remembered_and_the_one_that_was_used_longest_ago_is_forgotten_first() -> None:
    session = Session.create("memory://", ruleset="eclipse_phase_1e")
    session.perform(Join("bob", ARMED, player="kira"))
    log = Counted(session.log.store, session.id)
    seeing = ViewCache(log)

    def reads(number: int) -> bool:
        """Whether it is read again for one of several people."""
        assert seeing.combat(Viewer(Seat.PLAYER, frozenset({f"guest-{number}"})), log.head).roster.name("bob") == "bob"
        return bool(log.read)

    assert [reads(number) for number in range(16)] == [True] * 16
    assert [reads(number) for number in range(16)] == [False] * 16
    assert reads(0) is False
    assert reads(16) is True
    assert [reads(number) for number in (16, 0, *range(2, 16))] == [False] * 16
    assert reads(1) is True
