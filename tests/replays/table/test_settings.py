"""The settings `dice` and `defaults` of the table: what they pass without asking, and that they are kept."""

import pytest

from ledger import draw
from ledger.entry import Seat, Who
from ledger.events import TurnEnded
from ledger.stores.memory import MemoryStore
from replays.api.session import Session
from replays.exports.jsonl import bring_in
from replays.table import settings, start
from replays.table.start import NewFight
from replays.table.table import Table

ANN, BEA, SAM = Who("ann"), Who("bea"), Who("sam", Seat.PLAYER)
GAME = "eclipse_phase_1e"


def said(table: Table, line: str):
    reply = table.submit(line)
    assert reply.refused is None, f"{line}: {reply.refused}"
    return reply


def fight(*lines: str, game: str = GAME, bring=("kade=firewall-agent@sam", "thug:2")) -> Table:
    """Returns the gamemaster's table of a fight, after these lines."""
    table = Table(start.create(MemoryStore(), game, NewFight(), bring, ANN), ANN)
    for line in lines:
        said(table, line)
    return table


def resumed(table: Table, who: Who = ANN) -> Table:
    return Table(Session(table.session.log.store, table.session.id), who)


def acting(table: Table, who: str) -> Table:
    """Ends turns until a combatant is asked what to do."""
    for _ in range(30):
        rest = table.question().rest
        if rest is not None and rest.by == who and settings.is_declaring(table.game, table.question()):
            return table
        said(table, "")
    raise AssertionError(f"{who} does not act")


# ---------------------------------------------------------------------------------------- kept


def test_settings_are_kept_with_the_session():
    table = fight("dice auto", "defaults all")

    assert ("auto", "all") == (resumed(table).dice, resumed(table).defaults)


def test_the_newest_setting_is_in_force_and_one_that_does_not_change_is_not_recorded_again():
    table = fight("defaults auto", "defaults all", "defaults ask", "defaults ask")

    assert ["auto", "all", "ask"] == [entry.command.text.split()[1] for entry in table.session.entries(after=4)]
    assert "ask" == resumed(table).defaults


def test_each_person_has_their_own_settings():
    table = fight("defaults all")

    assert "ask" == resumed(table, BEA).defaults == resumed(table, SAM).defaults
    said(resumed(table, SAM), "dice auto")
    assert ("ask", "auto") == (resumed(table).dice, resumed(table, SAM).dice)


def test_a_note_of_the_same_words_is_no_setting():
    assert "ask" == resumed(fight("note defaults all")).defaults


def test_settings_go_with_an_export():
    table = fight("dice auto", "defaults auto")
    store = MemoryStore()
    bring_in(tuple(table.session.export()), store)

    other = Table(Session(store, table.session.id), ANN)
    assert ("auto", "auto") == (other.dice, other.defaults)


def test_a_setting_is_not_undone_by_undo_which_takes_back_the_line_before_it():
    table = fight("")
    said(table, "note a door opens")
    said(table, "defaults auto")
    before = table.session.log.head
    said(table, "undo")

    assert table.session.log.head == before - 2
    assert "auto" == table.defaults == resumed(table).defaults


@pytest.mark.parametrize("many", [1, 350])
def test_a_setting_is_found_behind_many_entries(many):
    table = fight("dice auto", *["note a door opens"] * many)

    assert "auto" == resumed(table).dice


# ---------------------------------------------------------------------------------------- passed


def test_the_gamemasters_combatants_defend_without_being_asked():
    table = acting(fight("dice all", "defaults auto", ""), "kade")
    said(table, "t1")

    options = [each.command.option for each in table.session.entries() if hasattr(each.command, "option")]
    assert "fray" in options
    assert table.question().rest.by == "kade"


def test_players_are_asked_under_auto_and_passed_under_all():
    asked, passed = (acting(fight("dice all", f"defaults {word}", ""), "thug-1") for word in ("auto", "all"))
    for table in (asked, passed):
        said(table, "kade")

    assert asked.question().rest.purpose == "how to defend"
    assert passed.question().rest.by != "kade"


def test_what_to_do_is_asked_even_if_all_defaults_are_taken():
    table = fight("dice all", "defaults all", "")

    assert settings.is_declaring(table.game, table.question())
    assert not table.session.combat.turn.spent


@pytest.mark.parametrize(("setting", "ends"), [("ask", False), ("auto", True), ("all", True)])
def test_a_turn_ends_when_only_actions_on_the_side_are_left(monkeypatch, setting, ends):
    monkeypatch.setattr(draw, "faces", lambda *words: (2,) * len(words[3]))  # no hits
    bring = ("kade=street-samurai@sam", "thug=ganger:2")
    table = acting(fight("dice all", f"defaults {setting}", "", game="shadowrun_4e", bring=bring), "thug-1")
    before = table.session.log.last
    for _ in range(2):
        said(table, "kade")
        while not settings.is_declaring(table.game, table.question()):
            said(table, "")

    events = [event for entry in table.session.entries(after=before) for event in entry.events]
    assert ends == any(isinstance(event, TurnEnded) and event.who == "thug-1" for event in events)


def test_a_combatant_who_must_stand_up_is_asked():
    table = acting(fight("dice all", "defaults all", ""), "kade")
    said(table, "adjust kade conditions.prone 1 slipped")
    said(table, "full_defense")

    assert "kade" == table.question().rest.by


def test_a_ruling_of_the_gamemaster_without_a_default_is_asked():
    table = acting(fight("dice all", "defaults all", ""), "kade")
    said(table, "dice typed")
    said(table, "t1")
    said(table, "kade 52 thug-1 11")

    assert ("gm", "what the critical defense leads to") == (table.question().rest.by, table.question().rest.purpose)
