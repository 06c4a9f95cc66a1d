"""The contract of all rulesets as tests. The tests of a ruleset inherit `RulesetContract` and name the ruleset."""

import inspect
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import ClassVar

import jsonschema_rs
import msgspec
import pytest
from drawing import examples
from duels import met, play_on
from exits import exits, walked
from histories.playing import histories
from histories.shrinking import first_fault
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from offers import check_can_go_on, check_offers
from omissions import Omitted, read_omitted, silent
from read_alike import distinguished, distinguished_from_counts
from secret_law import PEOPLE
from secret_law import check as check_pair
from secret_pairs import changed
from shown_sums import unexplained
from strategies import fights

from ledger import events as e
from ledger import source
from ledger.entry import Entry
from ledger.key import moment_of_acting
from machines.contract.chart import HERE, Box, Choose, End, Run
from machines.contract.ruleset import Ruleset, check_sheet, ruleset
from machines.contract.schemas import schemas
from machines.contract.tables import Row
from machines.registry import installed
from projections.combat import Combat
from projections.views.seen import viewer
from replays.api.session import Session
from replays.exports.narrative import told
from replays.odds.odds import odds

TOLD = (
    e.CombatantJoined, e.CombatBegan, e.CombatEnded, e.RoundBegan, e.InitiativeScored, e.OrderFixed, e.TurnBegan,
    e.TurnEnded, e.Declared, e.DiceRolled, e.TestResolved, e.DamageTaken, e.DamageHealed, e.WoundSuffered,
    e.WoundHealed, e.ConditionGained, e.ConditionLost, e.ResourceSpent, e.ResourceGained,
)  # fmt: skip
"""Events that are always narrated."""


class RulesetContract:
    """Base class of a ruleset's tests; the ruleset must be installed, or registered before the first test."""

    name: ClassVar[str]
    """The name of the ruleset."""
    seeds: ClassVar[int] = 6
    """The number of fights of two that are played by the offered options."""
    never_walked: ClassVar[frozenset[tuple[str, str, str]]] = frozenset()
    """Exits that no fight takes: chart, box, label. Each needs a reason."""

    keys_used_twice: ClassVar[frozenset[str]] = frozenset()
    """Roles of keys that one action uses twice. Each is a known fault, and needs a reason."""

    @classmethod
    def fights(cls) -> tuple[Session, ...]:
        """Yields the fights whose exits, sums and narration are checked; override it to use better ones."""
        return duels(cls.name, cls.seeds)

    @property
    def game(self) -> Ruleset:
        """The ruleset."""
        return ruleset(self.name)

    # -------------------------------------------------------------------------------------------- charts

    def test_its_charts_are_closed(self) -> None:
        for chart in self.game.charts.values():
            assert chart.reachable(chart.first) == set(chart.boxes)
            for box in chart.boxes.values():
                assert set(box.exits.values()) <= set(chart.boxes), (chart.name, box.number)

    def test_every_kind_is_declared_by_an_exit_or_at_any_time(self) -> None:
        boxes = [box for chart in self.game.charts.values() for box in chart.boxes.values()]
        offered = {label: box for box in boxes if isinstance(box, Choose) for label in box.exits}

        for name, kind in self.game.kinds.items():
            assert kind.anytime or name in offered, name

    def test_an_exit_by_a_kind_runs_its_chart(self) -> None:
        for chart in self.game.charts.values():
            for box in chart.boxes.values():
                for label, number in box.exits.items() if isinstance(box, Choose) else ():
                    runs = chart[number]
                    if label in self.game.kinds and isinstance(runs, Run):
                        assert runs.chart is self.game.kinds[label].chart, (chart.name, box.number, label)

    def test_every_exit_is_walked_or_listed(self) -> None:
        steps = {step for session in self.fights() for step in walked(session)}
        missing = {
            (chart, box, label) for chart, box, label, number in exits(self.game) if (chart, box, number) not in steps
        }

        assert missing == set(self.never_walked)

    # -------------------------------------------------------------------------------------------- words

    def test_the_vocabulary_has_the_words_of_the_events(self) -> None:
        words = self.game.vocabulary
        found = list(_events(self.fights()))

        assert {each.outcome for each in found if isinstance(each, e.TestResolved)} <= set(words.words)
        assert {each.kind for each in found if isinstance(each, e.WoundSuffered | e.WoundHealed)} <= set(words.counters)
        tested = {each.key for each in found if isinstance(each, e.TestResolved)}
        summed = {each.key for each in found if isinstance(each, e.FigureFound) and each.name == words.sums.total}
        assert tested <= summed, "every test has the sum that it is read with"

    def test_some_tests_succeed_and_some_fail(self) -> None:
        good = self.game.vocabulary.is_success
        outcomes = {each.outcome for each in _events(self.fights()) if isinstance(each, e.TestResolved)}

        assert {good(outcome) for outcome in outcomes} == {True, False}

    def test_the_engine_asks_for_actions(self) -> None:
        asked = [each for each in _events(self.fights()) if isinstance(each, e.ChoiceRequested)]
        acting = [each for each in asked if any(option.option in self.game.kinds for option in each.options)]

        assert acting
        assert all(moment_of_acting(each.key) for each in acting), (
            "build it with machines.contract.offering.next_action"
        )

    # -------------------------------------------------------------------------------------------- play

    def test_options_are_legal_and_a_fight_can_continue(self) -> None:
        @settings(max_examples=examples(10), suppress_health_check=list(HealthCheck))
        @given(fights(games=(self.name,)))
        def holds(fight) -> None:
            check_offers(fight.session)
            check_can_go_on(fight.session)

        holds()

    def test_a_rewritten_history_keeps_every_law(self) -> None:
        """Undo, redo, corrections, previews, exports: every law of histories."""
        fault = first_fault(histories(self.name, most=30), settings(max_examples=examples(8)), lambda _: None)

        assert fault is None, str(fault)

    def test_hidden_differences_do_not_change_what_a_seat_sees(self) -> None:
        @settings(max_examples=examples(2), suppress_health_check=list(HealthCheck))
        @given(
            fights(games=(self.name,), secrets=True, least=5, most=20), st.integers(0, 2**32), st.sampled_from(PEOPLE)
        )
        def holds(fight, seed: int, who) -> None:
            check_pair(changed(Random(seed), fight.session, viewer(who, fight.session.combat)), who)

        holds()

    # -------------------------------------------------------------------------------------------- omitted terms

    @classmethod
    def omitted(cls) -> Omitted:
        """Returns the terms that move a number, and whose omission is no assumption: ``omitted.toml`` of the game."""
        return read_omitted(Path(str(files(installed()[cls.name].module))) / "omitted.toml")

    def test_a_term_that_moves_a_number_is_never_silently_defaulted(self) -> None:
        """Omits each optional term of each kind of declaration in fights, and compares with several values of it.

        If a value changes a number, its omission is a refusal, a question or a figure ``assumed TERM``, or the term is
        in `omitted`, where each term has to be: one that moves nothing, or is no longer silent, is a fault as well.
        """
        omitted = self.omitted()
        known = {term: "none" for row in omitted.none for term in row.terms}
        known |= dict.fromkeys(omitted.shown, "shown") | dict.fromkeys(omitted.instead, "instead")
        faults, used = set[str](), set[str]()
        for each in silent(self.game, self.fights()):
            term = next((name for name in (f"{each.kind}.{each.term}", each.term) if name in known), "")
            used.add(term)
            holds = {
                "": False,
                "none": True,
                "shown": each.is_shown_by(omitted.shown.get(term, "")),
                "instead": each.is_replaced_by(omitted.instead.get(term, "")),
            }
            if not holds[known.get(term, "")]:
                faults.add(str(each))

        idle = sorted(set(known) - used)
        assert not faults, "\n".join(sorted(faults))
        assert not idle, f"these terms are not omitted silently, or move no number: {', '.join(idle)}"

    # -------------------------------------------------------------------------------------------- numbers

    def test_base_and_modifiers_add_up_to_the_target_or_a_reason_is_stated(self) -> None:
        found = [each for session in self.fights() for each in unexplained(session)]

        assert [each for each in found if each.split(" ")[1].rpartition("/")[2] not in self.keys_used_twice] == []

    def test_a_key_names_one_roll(self) -> None:
        """A roll is answered, explained and corrected by its key, so two rolls with the same key would be confused."""
        twice = set[str]()
        for session in self.fights():
            thrown = set[str]()
            for entry in session.log.entries_of(session.log.timeline.line()):
                for event in entry.events:
                    if isinstance(event, e.DiceRolled):
                        thrown.add(event.key)
                    elif isinstance(event, e.RollRequested) and event.key in thrown:
                        twice.add(event.key.rpartition("/")[2])

        assert twice <= set(self.keys_used_twice)

    def test_odds_add_up_to_one(self) -> None:
        reckoned = 0
        for seed in range(3):
            session = met(self.name, seed)
            for _ in range(40):
                play_on(session, Random(seed), 1)
                if session.combat.exchange.frame is not None and any(rest.dice for rest in session.rests):
                    self._check_odds(session)
                    reckoned += 1
                    break

        assert reckoned

    def _check_odds(self, session: Session) -> None:
        said = odds(session.game, session.combat, budget=400, samples=40)
        assert not said.outcome or sum(each.chance for each in said.outcome) == 1
        for test in said.tests:
            assert 0 < sum(each.chance for each in test.outcomes) <= 1
            assert {each.what for each in test.outcomes} <= set(self.game.outcomes)
        for harm in said.harm:
            assert sum((each.chance for each in harm.amounts), Fraction(0)) == 1

    def test_luck_counts_the_tests_that_the_game_calls_successes(self) -> None:
        """Compares with a count from the log of each fight: one test for each roll, as first resolved."""
        successes = 0
        for session in duels(self.name, self.seeds):
            told_by_luck = session.luck()
            counted = _counted(session, self.game)
            mine = sum(one.successes for one in told_by_luck.successes)
            assert sum(one.tests for one in told_by_luck.successes) + told_by_luck.unreckoned == len(counted)
            if not told_by_luck.unreckoned:
                assert mine == sum(counted)
            successes += mine

        assert successes

    # -------------------------------------------------------------------------------------------- dice

    def test_its_dice_are_read_as_it_declares(self) -> None:
        random = Random(7)

        apart = [each for session in self.fights() for each in distinguished(self.game, session, random)]

        assert apart == []

    def test_counts_lead_to_what_the_faces_lead_to(self) -> None:
        assert [each for session in self.fights() for each in distinguished_from_counts(self.game, session)] == []

    # -------------------------------------------------------------------------------------------- documents

    def test_its_sheets_and_offers_match_its_schemas(self) -> None:
        schema = schemas(self.game)
        for name, sheet in self.game.sheets.items():
            check_sheet(self.game, name, sheet)
            jsonschema_rs.validate({**schema["sheet"], "$defs": schema["$defs"]}, sheet)
        session = met(self.name)
        offered = [one for who in session.combat.roster.here() for one in self.game.offers(session.combat, who)]
        assert offered
        for one in offered:
            jsonschema_rs.validate({**schema["declare"][one.kind], "$defs": schema["$defs"]}, one.terms)

    def test_the_narration_has_every_relevant_event(self) -> None:
        for session in self.fights():
            for entry, before in _lived(session):
                sentences = {id(event): text for event, text in told(entry, before)}
                for event in entry.events:
                    if isinstance(event, TOLD) and not _is_silent(event):
                        assert sentences.get(id(event)), event

    def test_every_row_box_and_event_cites_a_book_of_the_game(self) -> None:
        books = {book.code for book in self.game.books}
        cited = {row.source for rows in self.game.tables.values() for row in rows if isinstance(row, Row)}
        cited |= {box.see for chart in self.game.charts.values() for box in chart.boxes.values()} - {""}
        cited |= {chart.source for chart in self.game.charts.values()}
        said = (event for event in _events(self.fights()) if not isinstance(event, e.SessionOpened))
        cited |= {str(getattr(event, "source", "")) for event in said} - {""}
        cited -= {f"Ruling: {ruling.id}" for ruling in self.game.rulings}

        assert cited
        assert {text for text in cited if source.parse(re.split("[;,]", text)[0]).book not in books} == set()

    def test_every_row_cites_its_page_and_its_functions_do_not_repeat_it(self) -> None:
        rows = [(chart, box) for chart in self.game.charts.values() for box in chart.boxes.values()]
        held = {each: chart for chart, box in rows for each in box.functions}
        silent = [(chart.name, box.number) for chart, box in rows if not box.see and not _is_plain_end(box)]

        assert silent == []
        assert [each.__qualname__ for each, chart in held.items() if not all(chart.sources_of(each))] == []
        assert [each.__qualname__ for each in held if "Source:" in (inspect.getdoc(each) or "")] == []

    def test_every_event_of_a_rule_cites_its_page(self) -> None:
        """Except modifiers by persons, which have no page, and events without a key, which began before."""
        of_rules = [
            event
            for event in _events(self.fights())
            if hasattr(event, "source")
            and hasattr(event, "key")
            and event.key
            and not isinstance(event, e.ModifierApplied)
        ]

        assert of_rules
        assert [event for event in of_rules if event.source in {"", HERE}] == []

    def test_every_declaration_is_typed_strictly(self) -> None:
        """A misspelled field is refused, not ignored."""
        for name, kind in self.game.kinds.items():
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert({"no such field": 1}, kind.terms)
            assert kind.title, name


@cache
def duels(name: str, seeds: int) -> tuple[Session, ...]:
    """Yields fights of two with the sheets that ship with a game, played by the offered options."""
    return tuple(play_on(met(name, seed), Random(f"{name} {seed}"), 60) for seed in range(seeds))


def _events(sessions: Iterable[Session]) -> Iterator[e.Event]:
    return (event for session in sessions for entry in session.entries() for event in entry.events)


def _lived(session: Session) -> Iterator[tuple[Entry, Combat]]:
    return ((entry, session.log.state(entry.after)) for entry in session.entries())


def _is_silent(event: e.Event) -> bool:
    """Returns whether an event is not narrated: no harm, or the public twin of a hidden event."""
    return getattr(event, "amount", 1) == 0 or event.seen_by is not None


def _counted(session: Session, game: Ruleset) -> list[bool]:
    """Returns for each rolled test that stands whether it succeeded, as first resolved."""
    thrown: set[str] = set()
    found = []
    for entry in session.log.entries_of(session.log.timeline.line()):
        for event in entry.events:
            if isinstance(event, e.DiceRolled) and event.faces:
                thrown.add(event.key)
            elif isinstance(event, e.TestResolved) and event.key in thrown:
                thrown.discard(event.key)
                found.append(game.vocabulary.is_success(event.outcome))
    return found


def _is_plain_end(box: Box) -> bool:
    return isinstance(box, End) and not box.functions
