"""A modifier that was typed in an attack and waits for its roll is kept when the table is left and opened anew."""

from nine_combatants import go_on, nine

from ledger.commands import ApplyModifier
from ledger.entry import Who
from replays.table.table import Table

GM = Who("gm")


def waiting() -> Table:
    """A table of Eclipse Phase with an attack at -10 whose target has not chosen a defense."""
    at = nine("eclipse_phase_1e")
    while go_on(at) != "kade":
        assert not at.submit("end").refused
    assert not at.submit("t1 medium pistol -10 thick smoke").refused
    assert at.session.combat.rests[0].options
    return at


def applied(at: Table) -> list[tuple[int, str]]:
    found = (entry.command for entry in at.session.entries() if isinstance(entry.command, ApplyModifier))
    return [(each.value, each.why) for each in found]


def test_a_modifier_that_waits_is_applied_once_at_a_table_that_is_opened_anew():
    left = waiting()
    assert not applied(left)
    left.leave()

    at = Table(left.session, GM)
    assert not at.submit("none").refused
    assert applied(at) == [(-10, "thick smoke")]

    at.leave()
    again = Table(left.session, GM)
    again.submit("~")
    assert applied(again) == [(-10, "thick smoke")]


def test_nothing_is_kept_where_no_modifier_waits():
    at = nine("eclipse_phase_1e")
    before = at.session.log.last

    at.leave()

    assert at.session.log.last == before


def test_a_modifier_of_an_exchange_that_is_over_is_forgotten():
    left = waiting()
    left.leave()
    for _ in range(9):
        left.submit("~~")

    assert Table(left.session, GM).attached.waiting(left.session.combat) == ()
