"""A copy of a game with other words behaves the same: all documents differ in these words alone."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from drawing import examples
from duels import met, play_on
from extra_rulesets import RULESETS, registered
from hypothesis import given, settings
from hypothesis import strategies as st
from renamed import copied, in_other_words, read_back, renamed
from ruleset_packages import folder_of, package_of
from strategies import clock, drawn

from ledger import events as e
from ledger.audience import Viewer
from ledger.commands import Command, Declare, DrawDice, OpenSession, TypeDice
from ledger.entry import Entry, Seat
from ledger.errors import Refused
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import Ruleset, ruleset
from projections.views.document import CombatantView
from projections.vocabulary import USUAL
from replays.api.session import Session
from replays.corrections.change import Change
from replays.exports.narrative import paths, told
from replays.exports.report import report

REAL = ("gurps_3e", "shadowrun_4e")
GAMES = ("tiny_d20", *REAL)
COUNTERS = ("wounds", "traumas")
EYES = (Viewer(Seat.GM), Viewer(Seat.PLAYER, frozenset({"bob"})), Viewer(Seat.SPECTATOR))


def words(game: Ruleset) -> set[str]:
    """Returns the words that the copy renames. Terms and counters are renamed only if the game does not use the defaults."""
    found, sums = game.vocabulary, game.vocabulary.sums
    others = {*found.words, *sums.names, sums.degree}
    return others | ({*found.counters} if game.name not in REAL else set())


@pytest.fixture(scope="module", autouse=True)
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Registers Tiny d20, and a copy of each game with other words under another name."""
    folder = tmp_path_factory.mktemp("renamed")
    with registered(tmp_path_factory.mktemp("tiny"), {"tiny_d20": "tiny_d20:RULESET"}, RULESETS):
        tiny, at = ruleset("tiny_d20"), USUAL.terms.at
        copied(RULESETS / "tiny_d20", "tiny_d20", folder, renamed("tiny_d20"), words(tiny) | {at, "tiny_d20"}, {at})
        program = folder / renamed("tiny_d20") / "__init__.py"
        named = f"sums=Sums(start=BASE.name, total=BONUS.name, against=DEFENSE.name, is_added=True),\n        terms=Terms(at='{renamed(at)}'),"
        text = program.read_text().replace("Outcome, Sums, Vocabulary", "Outcome, Sums, Terms, Vocabulary")
        text = text.replace(f".{renamed(at)}(combat", f".{at}(combat")  # the method of FigureName, not the field
        program.write_text(
            text.replace("sums=Sums(start=BASE.name, total=BONUS.name, against=DEFENSE.name, is_added=True),", named)
        )
        for name in REAL:
            copied(folder_of(name), package_of(name).__name__, folder, renamed(name), words(ruleset(name)) | {name}, ())
            _name_sums(folder / renamed(name), ruleset(name))
        with registered(folder, {renamed(name): f"{renamed(name)}:RULESET" for name in GAMES}, folder):
            yield


def _name_sums(package: Path, game: Ruleset) -> None:
    """Adds the names of sums to the copy of a game that uses the default ones."""
    program, sums = package / "vocabulary.py", game.vocabulary.sums
    named = {name: renamed(getattr(sums, name)) for name in ("start", "total", "against", "degree")}
    said = f"Sums({', '.join(f'{name}={word!r}' for name, word in named.items())})"
    text = re.sub(r"sums=Sums\(total=[^)]*\)", f"sums={said}", program.read_text())
    if "sums=" not in text:
        text = text.replace("VOCABULARY = Vocabulary(", f"VOCABULARY = Vocabulary(sums={said}, ")
        text = re.sub(r"(?m)^(from projections\.vocabulary import )(?!.*\bSums\b)", r"\1Sums, ", text)
    program.write_text(text)


def fields(game: str) -> tuple[str, ...]:
    return (USUAL.terms.at,) if game not in REAL else ()


def in_words(command: Command, game: str) -> Command:
    """Returns a command with the words of the copy."""
    if isinstance(command, OpenSession):
        return msgspec.structs.replace(command, ruleset=renamed(command.ruleset))
    if isinstance(command, Declare):
        return msgspec.structs.replace(command, terms=in_other_words(command.terms, fields(game)))
    return command


def performed(entries: list[Entry], game: str) -> Session:
    """Performs commands with the words of the copy."""
    session = Session.create(MemoryStore(), ruleset=renamed(game), session="FIGHT", clock=clock, draw=drawn)
    for entry in entries[1:]:
        session.perform(in_words(entry.command, game), by=entry.by)
    return session


def text(document: Any) -> str:
    """Returns the text of a document with the original words, without digests."""
    said = document if isinstance(document, str) else repr(plain(document))
    return re.sub(r"[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{8})+", "", read_back(said))


def plain(value: Any) -> Any:
    """Returns a document as plain values, with counters by word, because wounds and traumas have separate fields."""
    if isinstance(value, CombatantView):
        own = {word: value.count(word) for word in COUNTERS if value.count(word)}
        others = {"wounds": 0, "traumas": 0, "counters": {}}
        return {**msgspec.structs.asdict(msgspec.structs.replace(value, **others)), "counts": {**own, **value.counters}}
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {plain(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value


def story(session: Session) -> list[str]:
    return [
        line
        for entry in session.entries()
        for before in [session.log.state(entry.after)]
        for line in (*(said for _, said in told(entry, before)), *paths(entry, before))
    ]


def everything(session: Session) -> Mapping[str, Any]:
    """Yields all documents to compare, without digests and values that depend on them."""
    keys = sorted(
        {event.key for entry in session.entries() for event in entry.events if isinstance(event, e.RollRequested)}
    )
    found: dict[str, Any] = {"story": story(session), "why": [_or_refused(session.why, key) for key in keys]}
    found["luck"] = _or_refused(session.luck)
    for number, eyes in enumerate(EYES):
        found |= {
            f"state {number}": session.state(eyes=eyes),
            f"options {number}": session.options(eyes),
            f"audit {number}": session.audit(eyes=eyes),
            f"report {number}": report(session.log, eyes),
        }
    return found


def _or_refused(ask: Any, *arguments: Any) -> Any:
    try:
        return ask(*arguments)
    except Refused as refusal:
        return str(refusal)


def check_same(one: Session, other: Session) -> None:
    mine, theirs = everything(one), everything(other)
    for what in mine:
        assert text(mine[what]) == text(theirs[what]), what


@pytest.mark.parametrize("game", GAMES)
def test_luck_views_audits_and_reports_differ_only_in_words(game: str) -> None:
    @settings(max_examples=examples(2 if game in REAL else 12), deadline=None)
    @given(st.integers(0, 2**16))
    def holds(seed: int) -> None:
        one = play_on(met(game, seed), Random(seed), 25)
        check_same(one, performed(list(one.entries()), game))

    holds()


@pytest.mark.parametrize("game", GAMES)
def test_corrections_and_overrules_differ_only_in_words(game: str) -> None:
    @settings(max_examples=examples(2 if game in REAL else 12), deadline=None)
    @given(st.integers(0, 2**16), st.data())
    def holds(seed: int, data: st.DataObject) -> None:
        one = play_on(met(game, seed), Random(seed), 25)
        other = performed(list(one.entries()), game)
        thrown = [entry for entry in one.entries() if isinstance(entry.command, TypeDice | DrawDice | Declare)]
        entry = data.draw(st.sampled_from(thrown))
        change = Change(drop=True)
        if isinstance(entry.command, TypeDice):
            change = Change(set={"faces": [1 + face % 6 for face in entry.command.faces]})

        made = [_or_refused(lambda each=each: each.amend(entry.seq, change, why="so").report) for each in (one, other)]
        assert text(made[0]) == text(made[1])
        check_same(one, other)

        tests = [
            event for entry in one.log.newest_first() for event in entry.events if isinstance(event, e.TestResolved)
        ]
        if tests:
            test = data.draw(st.sampled_from(tests))
            word = data.draw(st.sampled_from(one.game.outcomes))
            for each, says in ((one, word), (other, renamed(word))):
                _or_refused(lambda each=each, says=says: each.overrule(test.key, "outcome", says, why="my word"))
            check_same(one, other)

    holds()


@pytest.mark.parametrize("game", GAMES)
def test_the_copy_has_other_words(game: str) -> None:
    original, copy = ruleset(game), ruleset(renamed(game))

    assert set(original.outcomes).isdisjoint(copy.outcomes)
    assert set(original.vocabulary.sums.names).isdisjoint(copy.vocabulary.sums.names)
    assert [read_back(word) for word in copy.outcomes] == list(original.outcomes)
