"""The narration of hidden events: each event and each field is classified exactly once."""

from collections import Counter

from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import Note
from ledger.entry import Entry, Seat, Who
from ledger.events import EVENTS
from projections.views.fiction import DISCLOSED, KEPT, RELEASED, HiddenCombatants, disclosed, disclosed_fields
from projections.views.released import DISCLOSED_TO_ALL, released

OF_ENTRIES = {"an entry", "the gamemaster's words"}
"""Rows that are about no event."""
HIDDEN: tuple[str, ...] = ()


def test_every_field_of_every_event_is_classified_exactly_once() -> None:
    tables = (RELEASED, KEPT, *DISCLOSED.values())
    found = Counter((kind, name) for table in tables for kind, names in table.items() for name in names)

    there = {(kind, name) for kind in EVENTS for name in kind.__struct_fields__ if name != "seen_by"}
    assert found == Counter(there)


def test_what_fiction_tells_is_listed_in_words_and_by_fields() -> None:
    assert DISCLOSED.keys() == DISCLOSED_TO_ALL.keys() - OF_ENTRIES


def test_an_entry_is_told_but_for_its_command_its_events_and_its_request() -> None:
    hidden = Entry(
        1, 7, 6, "then", Who("gm"), 3, 2, Note("a trap", seen_by=HIDDEN), (e.Noted("a trap", "", seen_by=HIDDEN),)
    )

    shown = released(hidden, Viewer(Seat.SPECTATOR))

    differ = {name for name in Entry.__struct_fields__ if getattr(hidden, name) != getattr(shown, name)}
    assert differ == {"command", "events"}
    assert set(Entry.__struct_fields__) - differ - {"request"} == {
        "v", "seq", "after", "at", "by", "rules_version", "origin",
    }  # fmt: skip


def test_a_field_that_is_kept_is_blank_in_what_is_told() -> None:
    for kind, names in KEPT.items():
        if not disclosed_fields(kind):
            continue
        event = kind(**{name: _SOME.get((kind, name), "said") for name in kind.__struct_fields__ if name != "seen_by"})
        (told,) = disclosed([event])
        assert [name for name in names if getattr(told, name, "")] == []


def test_nobody_learns_whether_hidden_dice_were_given_as_faces_or_as_counts() -> None:
    faces, counts = (
        e.DiceRolled("k", (3,), ("typed",), seen_by=()),
        e.DiceTold("k", "1d6", {"hits": 0}, "told", seen_by=()),
    )

    assert list(disclosed([faces])) == list(disclosed([counts])) == [e.DiceRolled("k", (), ())]


_SOME = {(e.DiceRolled, "faces"): (3,), (e.DiceRolled, "provenance"): ("drawn",), (e.DiceTold, "counts"): {"hits": 3},
         (e.ChoiceRequested, "options"): (e.Option("dodge", "Dodge 6", 6),)}  # fmt: skip


def test_of_a_hidden_combatant_only_harm_to_others_and_an_attack_are_told() -> None:
    hidden = "unseen-1"
    attack = e.Declared("r1/unseen-1/a1/attack", "attack", hidden, {"at": "bob", "using": "pistol"}, seen_by=HIDDEN)
    harm = e.DamageTaken("bob", "damage", 4, "r1/unseen-1/a1/attack", "17 less armor", "p. 207")
    events = [
        e.TurnBegan(hidden, seen_by=HIDDEN), e.ActionSpent(hidden, "complex", 1, seen_by=HIDDEN), attack,
        e.RollRequested("r1/unseen-1/a1/attack/to-hit", hidden, "1d100", "to hit", "", seen_by=HIDDEN), harm,
        e.DamageTaken(hidden, "damage", 4, "r1/bob/a1/attack", "", "", seen_by=HIDDEN),
        e.ConditionGained("bob", "feinted_by_unseen-1", 2, "", "", "", "", seen_by=HIDDEN),
        e.OrderFixed((("bob", 9), (hidden, 7))), e.ExchangeEnded("r1/unseen-1/a1/attack", "hit", seen_by=HIDDEN),
    ]  # fmt: skip

    told = list(disclosed(events, HiddenCombatants({hidden}, {}, {"attack"})))

    assert told == [
        e.Declared("r1/unseen-1/a1/attack", "attack", "", {"at": ["bob"]}),
        e.DamageTaken("bob", "damage", 4, "r1/unseen-1/a1/attack", "", "p. 207"),
        e.OrderFixed((("bob", 9),)),
    ]
