"""No byte of an export for a seat contains what is hidden from it, and the export still verifies."""

from collections.abc import Iterable

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from secret_histories import SecretHistory, secret_histories
from strategies import entries, fights, viewers

from ledger import chain
from ledger.audience import EVERYTHING, Viewer
from ledger.codec import canonical, decode, encode
from ledger.commands import AmendSheet, DrawDice, Join, Rewind, TypeDice
from ledger.entry import Entry
from ledger.events import ChoiceRequested, RollRequested, SheetGiven
from ledger.stores.memory import MemoryStore
from machines.contract.ruleset import Ruleset
from machines.secrecy.gm_choices import GAMEMASTER
from projections.combat import Combat
from projections.path import Rest
from projections.views.seen import hidden_parts
from replays.exports.jsonl import check, export
from replays.sessions.log import Log

_audiences = st.none() | st.lists(st.sampled_from(("ann", "bob", "cyd", "dov")), max_size=2).map(tuple)
_marks = st.integers(0, 99_999).map(lambda number: f"mark-{number:05}-")
"""Words that do not occur by chance."""


def _log_of(lines: list[Entry]) -> Log:
    """Returns a log with any lines."""
    store = MemoryStore()
    store.create("ANY")
    digest = chain.genesis("ANY")
    for seq, entry in enumerate(lines, 1):
        origin = seq - 1 if entry.origin and seq > 1 else None
        line = encode(msgspec.structs.replace(entry, seq=seq, after=seq - 1, origin=origin))
        secret = seq.to_bytes(chain.SECRET, "big")
        digest = chain.seal(digest, line, secret)
        store.append("ANY", [chain.Record(seq, line, secret, digest)], expected=seq - 1)
    return Log(store, "ANY")


_any_lines = st.lists(
    entries({"seen_by": _audiences, "why": _marks, "who": _marks, "text": _marks, "key": _marks}).filter(
        lambda entry: not isinstance(entry.command, Rewind)
    ),
    min_size=1,
    max_size=5,
)


def _bodies(entry: Entry) -> list[bytes]:
    return [canonical(entry.command), *map(canonical, entry.events)]


@given(_any_lines, viewers())
def test_an_export_has_no_hidden_part_and_a_valid_chain(lines: list[Entry], eyes: Viewer) -> None:
    log = _log_of(lines)

    exported = list(export(log, eyes, "a seat"))

    assert check(exported).entries == len(lines)
    for entry, line in zip(map(log.disclosures.entry, log.entries()), exported[1:], strict=True):
        bodies = _bodies(entry)
        hidden = hidden_parts(entry, eyes)
        for part in hidden:
            assert bodies[part] not in line
        for part in set(range(len(bodies))) - set(hidden):
            assert bodies[part] in line


@given(_any_lines, viewers())
def test_a_word_of_hidden_parts_is_not_exported(lines: list[Entry], eyes: Viewer) -> None:
    log = _log_of(lines)
    shown, hidden = b"", b""
    for entry in map(log.disclosures.entry, log.entries()):
        secret = hidden_parts(entry, eyes)
        for part, body in enumerate(_bodies(entry)):
            if part in secret:
                hidden += body
            else:
                shown += body
        shown += canonical(entry.by) + entry.at.encode()
    marks = {hidden[at : at + 11] for at in range(len(hidden)) if hidden.startswith(b"mark-", at)}

    exported = b"\n".join(export(log, eyes, "a seat"))

    for mark in marks:
        if mark not in shown:
            assert mark not in exported


@given(_any_lines, viewers())
def test_an_entry_with_a_hidden_part_is_exported_without_its_secret(lines: list[Entry], eyes: Viewer) -> None:
    log = _log_of(lines)

    for record, line in zip(log.store.read("ANY"), list(export(log, eyes, "a seat"))[1:], strict=True):
        if hidden_parts(log.disclosures.entry(decode(record.line)), eyes):
            assert record.secret.hex().encode() not in line


@given(_any_lines)
def test_the_gamemasters_export_has_everything(lines: list[Entry]) -> None:
    log = _log_of(lines)

    for record, line in zip(log.store.read("ANY"), list(export(log, EVERYTHING))[1:], strict=True):
        assert line.startswith(record.line[:-1])


@given(fights(secrets=True, most=30), viewers())
def test_no_secret_sheet_and_no_secret_face_of_a_fight_is_exported(fight, eyes: Viewer) -> None:
    log = fight.session.log
    commands = [entry.command for entry in log.entries()]
    joined = [command for command in commands if isinstance(command, Join)]
    amended = [command.sheet for command in commands if isinstance(command, AmendSheet)]
    open_ = [each for each in joined if eyes.may_see(each.seen_by) and eyes.may_see(each.sheet_seen_by)]
    shown = [command.sheet for command in open_] + amended

    exported = list(export(log, eyes, "a seat"))

    assert check(exported).entries == log.last
    for command in joined:
        if command.sheet not in shown:
            assert canonical(command.sheet) not in b"\n".join(exported)
    for entry, line in zip(map(log.disclosures.entry, log.entries()), exported[1:], strict=True):
        command = entry.command
        if isinstance(command, TypeDice | DrawDice) and not eyes.may_see(command.seen_by):
            assert not command.faces or canonical(command.faces) + b"," not in line
            assert canonical(command) not in line


@given(secret_histories(most=30), viewers())
def test_a_seat_sees_what_the_table_waits_for_but_not_for_what_only_a_secret_leads_to(
    history: SecretHistory, eyes: Viewer
) -> None:
    log = history.session.log
    for then in history.snapshots:
        shown = {rest.key for rest in history.session.seen(eyes, then.head).path.asked}
        entries = list(log.entries_of(log.timeline.line(then.head)))
        disclosed = _requests_shown(map(log.disclosures.entry, entries), eyes) - _requests_shown(entries, eyes)

        for rest in then.combat.path.asked:
            is_to_be_seen = _is_to_be_seen(rest, then.combat, eyes, history.session.game)
            assert (rest.key in shown) is (is_to_be_seen or rest.key in disclosed), rest


def _is_to_be_seen(rest: Rest, combat: Combat, eyes: Viewer, game: Ruleset) -> bool:
    """Returns whether a viewer is to see an open roll or choice, by whose it is and by the exchange around it."""
    hidden = {who for who, known_to in combat.roster.hidden().items() if not eyes.may_see(known_to)}
    around = [frame for frame in combat.exchange.frames if rest.key.startswith(f"{frame.key}/")]
    is_hidden = any(frame.by in hidden or not eyes.may_see(frame.seen_by) for frame in around[-1:])
    if rest.by in hidden:
        return False
    if rest.by == GAMEMASTER:  # the question discloses a hidden action, or the dice that led to it
        thrown = (roll for key, roll in combat.rolls.rolls.items() if any(key.startswith(f"{f.key}/") for f in around))
        return not is_hidden and all(eyes.may_see(roll.seen_by) for roll in thrown)
    if is_hidden and around[-1].by == rest.by:  # part of what they declared in secret
        return False
    return not is_hidden or around[-1].kind not in game.unnoticed


def _requests_shown(entries: Iterable[Entry], eyes: Viewer) -> set[str]:
    """Returns the keys whose latest request, or its public twin, the viewer sees."""
    shown: dict[str, bool] = {}
    for entry in entries:
        requests = [event for event in entry.events if isinstance(event, RollRequested | ChoiceRequested)]
        shown |= {event.key: False for event in requests}
        shown |= {event.key: True for event in requests if eyes.may_see(event.seen_by)}
    return {key for key, is_shown in shown.items() if is_shown}


@given(secret_histories(most=30), viewers())
def test_a_seat_sees_as_waiting_exactly_those_open_rolls_and_choices_whose_request_is_released_to_it(
    history: SecretHistory, eyes: Viewer
) -> None:
    for then in history.snapshots:
        mine, asked = history.session.seen(eyes, then.head), then.combat.path.asked

        log = history.session.log
        entries = list(log.entries_of(log.timeline.line(then.head)))
        requested = _requests_shown(map(log.disclosures.entry, entries), eyes)
        # A request that was disclosed later stays open for a seat to which its answer was not disclosed.
        known = _requests_shown(entries, eyes) | {rest.key for rest in asked}
        shown = [rest.key for rest in mine.path.asked if rest.key in known]
        assert shown == [rest.key for rest in asked if rest.key in requested]
        now = {rest.key for rest in mine.path.rests}
        assert {rest.key for rest in then.combat.path.rests} & requested <= now


@given(fights(secrets=True), viewers())
def test_a_view_has_no_track_of_a_combatant_whose_sheet_was_never_disclosed(fight, eyes: Viewer) -> None:
    session = fight.session
    standing = list(session.log.entries_of(session.log.timeline.line()))
    given_ = [event for entry in standing for event in entry.events if isinstance(event, SheetGiven)]
    shown = {event.who for event in given_ if eyes.may_see(event.seen_by)}

    mine = session.state(eyes=eyes)

    for who in {event.who for event in given_} - shown:
        capacities = (
            [track.capacity for track in mine.combatants[who].tracks.values()] if who in mine.combatants else []
        )
        assert not any(capacities), "damage is seen by all; how much somebody can take is not"
