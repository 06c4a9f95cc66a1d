"""Dice that can be believed: sealed, drawn, undone, revealed, checked; and what a tampered file comes to."""

import importlib.util
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from places import TESTS

import replays
from ledger import draw
from ledger import events as said
from ledger.audience import Viewer
from ledger.codec import canonical
from ledger.commands import (
    BeginCombat,
    Choose,
    Command,
    Declare,
    DrawDice,
    GiveNonce,
    Join,
    Reveal,
    TypeDice,
)
from ledger.dice import parse
from ledger.entry import Seat, Who
from ledger.errors import Refused
from ledger.stores import Store, open_store
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import NotAllowed
from projections.views.seen import viewer
from replays.api.run_script import keep, perform
from replays.api.session import Session
from replays.audit import dice_proof
from replays.audit.dice_proof import BROKEN, NOT_PROVABLE, VERIFIED, verify, verify_lines
from replays.audit.dice_proof import SEALED as NOT_YET
from replays.cli.app import run
from replays.corrections.change import Change
from replays.exports import jsonl
from replays.scripts.format import find_script, read
from replays.sessions.provable_dice import SEALED, ProvableDice, can_draw
from replays.table.table import Table

KIRA, SAM, WATCHER = Who("kira", Seat.PLAYER), Who("sam", Seat.PLAYER), Who("zoe", Seat.SPECTATOR)
FIRST, SECOND = "r1/ann/initiative", "r1/bob/initiative"
SHEET = {
    "init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40, "unarmed combat": 50},
    "weapons": {"fist": {"kind": "melee", "skill": "unarmed combat", "damage": "2d10"}},
}  # fmt: skip
ALONE = Path(replays.__path__[0]) / "examples" / "verify_dice.py"


@pytest.fixture(autouse=True)
def somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def joined(store: Store | None = None, **options: Any) -> Session:
    """Ann is the gamemaster's, Bob Kira's."""
    session = Session.create(store or MemoryStore(), ruleset="eclipse_phase_1e", **options)
    session.perform(Join("ann", SHEET))
    session.perform(Join("bob", SHEET, player="kira"))
    return session


def begun(store: Store | None = None, **options: Any) -> Session:
    session = joined(store, **options)
    session.perform(BeginCombat())
    return session


def thrown(session: Session, key: str = FIRST, **secretly: Any) -> tuple[int, ...]:
    """The faces of a roll that is drawn now."""
    session.perform(DrawDice(key, **secretly))
    return session.combat.rolls[key].faces


def refused(session: Session, command: Command, by: Who | None = None) -> str:
    last = session.log.last
    with pytest.raises(Refused) as refusal:
        session.perform(command, **({} if by is None else {"by": by}))
    assert session.log.last == last
    return refusal.value.slug


def sealed(session: Session) -> bytes:
    seed = session.log.store.unseal(session.id, SEALED)
    assert seed is not None
    return seed


def fought(session: Session, seed: int, steps: int = 120) -> Session:
    """Whatever is legal, drawn, taken back, modified and amended, until so many things were done."""
    choose = random.Random(seed)
    for _ in range(steps):
        legal = [each for each in session.options() if not each.refused and (each.key or each.command)]
        if not legal:
            break
        kind = choose.random()
        try:
            if kind < 0.12:
                session.undo(choose.choice(["step", "step", "exchange"]))
            elif kind < 0.15:
                session.amend(choose.choice(session.log.timeline.line()[-9:]), Change(drop=True), why="x", consent=True)
            elif kind < 0.2:
                session.modify(choose.choice(keys_thrown(session)), choose.choice([-2, -10, 1, 10]), why="x")
            else:
                one = next((each for each in legal if each.command is None), None) or choose.choice(legal)
                session.perform(DrawDice(one.key) if one.command is None else one.command)
        except Refused:
            continue
        except IndexError:
            continue
    return session


def keys_thrown(session: Session) -> list[str]:
    """Keys of dice that lie, on the line that stands."""
    standing = session.log.entries_of(session.log.timeline.line()[-12:])
    return [event.key for entry in standing for event in entry.events if isinstance(event, said.DiceRolled)]


# ------------------------------------------------------------------------------------------------ the seed


def test_a_session_commits_to_its_seed_before_anybody_joins() -> None:
    session = joined()

    first = next(session.entries())

    assert first.command.dice_commitment == first.events[0].dice_commitment == sha256(sealed(session)).hexdigest()
    assert len(sealed(session)) == 32


def test_no_two_sessions_have_the_same_seed() -> None:
    assert sealed(joined()) != sealed(joined())


def test_a_session_whose_dice_somebody_else_throws_commits_to_none() -> None:
    session = begun(draw=lambda key, dice: (42,))

    assert thrown(session) == (42,)
    assert session.log.draws.commitment == ""
    assert session.log.store.unseal(session.id, SEALED) is None
    assert verify(session.log).status == NOT_PROVABLE


def test_a_session_that_cannot_be_opened_seals_nothing() -> None:
    store = MemoryStore()
    with pytest.raises(Refused):
        Session.create(store, ruleset="eclipse_phase_1e", profile="ninth", session="ONE")

    store.create("ONE")
    assert store.unseal("ONE", SEALED) is None


def test_the_seed_is_in_no_line_export_state_or_repr() -> None:
    session = begun()
    thrown(session)
    seed = sealed(session)
    told = [record.line for record in session.log.store.read(session.id)]
    told += list(jsonl.export(session.log)) + list(jsonl.export(session.log, Viewer(Seat.SPECTATOR)))
    told += [canonical(session.state()), canonical(dice_proof.document(verify(session.log), draws=True))]
    things = (
        session,
        session.log,
        session.combat,
        session._pipeline,
        session._pipeline.drafting.dice,
        session.log.store,
    )
    told += [repr(each).encode() for each in things]

    for each in told:
        assert seed.hex().encode() not in each.lower()
        assert seed not in each


@pytest.mark.parametrize("verb", ["show", "log", "verify", "export", "sessions", "replay"])
def test_no_verb_tells_the_seed(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    session = begun(open_store("sqlite:///affray.db"))
    thrown(session)
    seed = sealed(session).hex()
    session.close()

    assert run([verb] if verb == "export" else [verb, "--json"]) == 0

    found = capsys.readouterr()
    assert found.out
    assert seed not in (found.out + found.err).lower()


# ------------------------------------------------------------------------------------------------ drawing


def test_what_is_drawn_follows_from_the_seed_the_nonces_and_the_key() -> None:
    session = joined()
    session.perform(GiveNonce("kira", "swordfish"), by=KIRA)
    session.perform(GiveNonce("sam", "xyzzy", agreed=True))
    session.perform(BeginCombat())

    assert thrown(session) == draw.faces(sealed(session), [("kira", "swordfish"), ("sam", "xyzzy")], FIRST, (100,))


def test_a_nonce_makes_other_dice_of_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.sessions.ports.new_seed", lambda: bytes(range(32)))
    one, other = joined(), joined()
    other.perform(GiveNonce("kira", "swordfish", agreed=True))
    for session in (one, other):
        session.perform(BeginCombat())

    assert (thrown(one), thrown(one, SECOND)) != (thrown(other), thrown(other, SECOND))


@pytest.mark.parametrize("policies", [{}, {"dice": "sticky"}])
def test_undone_and_asked_again_a_roll_has_the_same_face(policies: dict[str, str]) -> None:
    session = begun(policies=policies)
    first = thrown(session)
    found = set()
    for _ in range(10):
        session.undo()
        found.add(thrown(session))

    assert found == {first}


def test_where_the_table_agreed_on_fresh_dice_an_undone_roll_is_new_each_time() -> None:
    session = begun(policies={"dice": "fresh"})
    found = [thrown(session)]
    for _ in range(11):
        session.undo()
        found.append(thrown(session))

    assert found == [draw.faces(sealed(session), [], FIRST, (100,), time) for time in range(12)]
    assert len(set(found)) > 6
    assert next(session.entries()).events[0].policies == {"dice": "fresh"}


def test_redone_a_fresh_roll_is_what_it_was() -> None:
    session = begun(policies={"dice": "fresh"})
    first = thrown(session)
    session.undo()
    session.redo()

    assert session.combat.rolls[FIRST].faces == first


@pytest.mark.parametrize("policies", [{"dice": "sticking"}, {"dice": ""}, {"dices": "fresh"}])
def test_what_no_table_can_agree_on_is_refused(policies: dict[str, str]) -> None:
    store = MemoryStore()
    with pytest.raises(Refused) as refusal:
        Session.create(store, ruleset="eclipse_phase_1e", policies=policies)

    assert refusal.value.slug == "policy/unknown"
    assert refusal.value.where
    assert refusal.value.accepts
    assert list(store.sessions()) == []


def test_in_another_process_the_undone_face_comes_again() -> None:
    url = "sqlite:///fight.db"
    session = begun(open_store(url))
    face, second = thrown(session), thrown(session, SECOND)
    session.undo()
    session.undo()
    session.close()
    program = (
        "from replays import Session; from ledger.commands import DrawDice\n"
        f"session = Session.open({url!r})\n"
        f"for key in ({SECOND!r}, {FIRST!r}):\n"
        "    print(session.perform(DrawDice(key)).command.faces[0])\n"
    )

    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert found.stdout.split() == [str(second[0]), str(face[0])]


def test_a_kept_script_draws_on_from_the_seed_that_it_began_with() -> None:
    performed = perform(read(find_script("stoya")[1]))
    kept = keep(performed, open_store("sqlite:///fight.db"))

    assert sealed(kept) == sealed(performed)
    assert draw.commitment(sealed(kept)) == kept.log.draws.commitment
    kept.close()


def test_where_the_seed_is_in_another_ledger_dice_are_typed() -> None:
    elsewhere = MemoryStore()
    session = begun()
    jsonl.bring_in(jsonl.export(session.log), elsewhere)
    again = Session(elsewhere, session.id)

    assert can_draw(session.log)
    assert not can_draw(again.log)
    assert refused(again, DrawDice(FIRST)) == "dice/no-seed"
    assert refused(again, Reveal()) == "dice/no-seed"
    again.perform(TypeDice(FIRST, (42,)))
    assert again.combat.rolls[FIRST].faces == (42,)


def test_another_seed_that_was_put_in_its_place_is_not_drawn_from() -> None:
    session, store = begun(), MemoryStore()
    store.create(session.id, list(session.log.store.read(session.id)), sealed={SEALED: bytes(32)})

    assert refused(Session(store, session.id), DrawDice(FIRST)) == "dice/no-seed"


def test_a_session_from_before_there_were_seeds_plays_on() -> None:
    store = open_store("sqlite:///old.db")
    lines = (TESTS / "golden" / "stoya-1.jsonl").read_bytes().splitlines()
    name = jsonl.bring_in(lines, store).session
    session = Session(store, name)
    session.undo("round")
    while not any(rest.dice for rest in session.rests):
        session.undo()

    session.perform(DrawDice(next(rest.key for rest in session.rests if rest.dice)))

    assert verify(session.log).status == NOT_PROVABLE
    assert verify(session.log).drawn > 0
    for command in (GiveNonce("kira", "x", agreed=True), Reveal()):
        assert refused(session, command) in ("dice/not-provable", "nonce/too-late")
    store.close()


def test_dice_that_no_line_can_hold_are_refused_and_nothing_breaks() -> None:
    fair = ProvableDice(begun().log, lambda key, dice: (1,))

    with pytest.raises(Refused):
        fair.draw(FIRST, f"1d{2**70}")


# ------------------------------------------------------------------------------------------------ nonces


def test_each_player_gives_one_nonce() -> None:
    session = joined()
    session.perform(GiveNonce("kira", "swordfish"), by=KIRA)

    assert refused(session, GiveNonce("kira", "another"), KIRA) == "nonce/given"
    assert session.combat.session.nonces == (("kira", "swordfish"),)


def test_a_nonce_counts_even_where_it_was_taken_back() -> None:
    session = joined()
    session.perform(GiveNonce("kira", "swordfish", agreed=True))
    session.undo()

    assert refused(session, GiveNonce("kira", "another", agreed=True)) == "nonce/given"
    session.perform(BeginCombat())
    assert thrown(session) == draw.faces(sealed(session), [("kira", "swordfish")], FIRST, (100,))
    session.perform(Reveal())
    assert verify(session.log).status == VERIFIED


def test_a_nonce_is_not_amended() -> None:
    session = joined()
    given = session.perform(GiveNonce("kira", "swordfish", agreed=True)).seq

    for change in (Change(set={"nonce": "another"}), Change(drop=True)):
        with pytest.raises(Refused):
            session.amend(given, change, why="x")


def test_after_the_first_draw_no_nonce_is_given_though_it_be_undone() -> None:
    session = begun()
    session.perform(TypeDice(FIRST, (3,)))
    session.perform(GiveNonce("sam", "typed dice do not count", agreed=True))
    thrown(session, SECOND)

    assert refused(session, GiveNonce("kira", "x", agreed=True)) == "nonce/too-late"
    session.undo()
    assert refused(session, GiveNonce("kira", "x", agreed=True)) == "nonce/too-late"


@pytest.mark.parametrize("nonce", ["", "x" * 129, "two\nlines", "tab\t", "\x1b[31m", "\u200b", "\ud800"])
def test_a_nonce_is_1_to_128_characters_that_can_be_printed(nonce: str) -> None:
    assert refused(joined(), GiveNonce("kira", nonce, agreed=True)) in ("nonce/malformed", "command/invalid")


def test_so_is_the_name_of_who_gives_it() -> None:
    assert refused(joined(), GiveNonce("two\nlines", "x", agreed=True)) == "nonce/malformed"


@pytest.mark.parametrize("nonce", ["x", "x" * 128, "a horse, a horse", "Ünïcødé 龍 🎲"])
def test_any_words_will_do(nonce: str) -> None:
    session = joined()
    session.perform(GiveNonce("kira", nonce, agreed=True))

    assert session.combat.session.nonces == (("kira", nonce),)


@pytest.mark.parametrize("by", [SAM, Who("kira", Seat.SPECTATOR), WATCHER])
def test_a_player_gives_only_their_own(by: Who) -> None:
    with pytest.raises(NotAllowed):
        joined().perform(GiveNonce("kira", "x"), by=by)


def test_who_may_not_ask_is_told_so_and_nothing_else() -> None:
    session = begun()
    thrown(session)

    assert refused(session, GiveNonce("kira", "x"), WATCHER) == "seat/not-allowed"
    assert refused(session, Reveal(), KIRA) == "seat/not-allowed"


def test_what_the_dice_hang_on_is_not_said_in_secret() -> None:
    session = joined()

    assert refused(session, GiveNonce("kira", "x", agreed=True, seen_by=())) == "dice/not-in-secret"
    assert refused(session, Reveal(seen_by=("ann",))) == "dice/not-in-secret"


# ------------------------------------------------------------------------------------------------ revealing


def test_the_door_fills_in_the_seed_and_a_client_cannot() -> None:
    session = begun()
    seed = sealed(session).hex()

    entry = session.perform(Reveal(seed="00" * 32))

    assert entry.command.seed == seed
    assert entry.events == (said.SeedRevealed(seed),)
    assert session.combat.session.seed == seed


def test_revealing_under_a_key_is_done_once() -> None:
    session = begun()

    assert session.perform(Reveal(), batch="a") == session.perform(Reveal(), batch="a")
    assert refused(session, Reveal()) == "dice/revealed"


@pytest.mark.parametrize("by", [KIRA, WATCHER])
def test_only_the_gamemaster_reveals(by: Who) -> None:
    with pytest.raises(NotAllowed):
        begun().perform(Reveal(), by=by)


def test_after_the_revealing_nothing_is_drawn_but_dice_may_be_typed() -> None:
    session = begun()
    session.perform(Reveal())

    assert refused(session, DrawDice(FIRST)) == "dice/revealed"
    session.perform(TypeDice(FIRST, (42,)))
    assert session.combat.rolls[FIRST].faces == (42,)


def test_a_revealing_that_was_taken_back_has_been_seen() -> None:
    session = begun()
    session.perform(Reveal())
    session.undo()

    assert refused(session, DrawDice(FIRST)) == "dice/revealed"
    assert refused(Session(session.log.store, session.id), DrawDice(FIRST)) == "dice/revealed"
    assert not can_draw(session.log)
    session.perform(Reveal())
    assert verify(session.log).status == VERIFIED


def test_dice_that_lie_are_read_again_after_the_revealing() -> None:
    session = hit()
    session.perform(Reveal())

    session.modify("to-hit", -20, why="steam")

    assert verify(session.log).status == VERIFIED


def hit(**options: Any) -> Session:
    """Ann's attack is thrown whole, whatever comes of it."""
    session = begun(**options)
    session.perform(TypeDice(FIRST, (90,)))
    session.perform(TypeDice(SECOND, (10,)))
    session.perform(Declare("attack", "ann", {"at": "bob", "using": "fist"}))
    session.perform(Choose("r1/ann/a1/attack/defense", "fray"))
    while session.combat.exchange.frame is not None:
        rest = session.rests[0]
        session.perform(DrawDice(rest.key) if rest.dice else Choose(rest.key, rest.default or rest.options[0].option))
    return session


# ------------------------------------------------------------------------------------------------ proving


def test_before_the_revealing_it_is_told_how_many_were_drawn() -> None:
    session = begun()
    thrown(session)
    session.perform(TypeDice(SECOND, (7,)))

    proof = verify(session.log)

    assert (proof.status, proof.drawn, proof.verified) == (NOT_YET, 1, 0)
    assert [(each.key, each.dice, each.expected) for each in proof.draws] == [(FIRST, "1d100", ())]
    assert str(proof) == "1 drawn face on record, not yet revealed"


def test_after_it_each_draw_is_listed_with_its_key_and_holds() -> None:
    session = hit()
    session.perform(Reveal())

    proof = verify(session.log)

    assert proof.status == VERIFIED
    assert {"r1/ann/a1/attack/to-hit", "r1/ann/a1/attack/defend"} <= {each.key for each in proof.draws}
    assert all(each.faces == each.expected for each in proof.draws)
    assert proof.drawn == proof.verified == sum(len(each.faces) for each in proof.draws)
    proof.check()


def test_a_log_its_entries_and_its_lines_prove_the_same() -> None:
    session = hit()
    session.perform(Reveal())
    lines = [record.line for record in session.log.store.read(session.id)]

    assert verify(session.log) == verify(session.entries()) == verify_lines(lines)
    assert verify_lines(list(jsonl.export(session.log))[1:]) == verify(session.log)


@pytest.mark.parametrize("policy", ["sticky", "fresh"])
def test_what_was_modified_and_overruled_is_proven_by_the_dice_that_it_was_first(policy: str) -> None:
    session = hit(policies={"dice": policy})
    session.modify("to-hit", -20, why="steam")
    session.modify("to-hit", 20, why="no steam")
    session.overrule("to-hit", "outcome", "success", why="I said so")
    session.perform(Reveal())

    proof = verify(session.log)

    assert len([each for each in proof.draws if each.key.endswith("to-hit")]) > 2
    assert (proof.status, proof.drawn) == (VERIFIED, proof.verified)


@pytest.mark.parametrize("policy", ["sticky", "fresh"])
@pytest.mark.parametrize(
    ("game", "sheets"),
    [
        ("eclipse_phase_1e", ("firewall-agent", "thug")),
        ("eclipse_phase_2e", ("firewall-agent", "thug")),
        ("shadowrun_4e", ("street-samurai", "ganger")),
        ("gurps_3e", ("guard", "brawler")),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_die_of_any_fight_is_proven_here_and_without_affray(
    game: str, sheets: tuple[str, ...], policy: str, seed: int, tmp_path: Path
) -> None:
    session = Session.create(MemoryStore(), ruleset=game, policies={"dice": policy})
    for who, sheet in zip(("ann", "bob"), sheets, strict=True):
        session.perform(Join(who, dict(session.game.sheets[sheet])))
    session.perform(GiveNonce("kira", "swordfish", agreed=True))
    session.perform(BeginCombat())
    fought(session, seed)
    session.perform(Reveal())

    proof = verify(session.log)

    assert (proof.problems, proof.wrong) == ((), ())
    assert proof.verified == proof.drawn > 10
    file = exported(session, tmp_path / "fight.jsonl")
    assert alone().main(str(file)) == 0


def pool_made_larger(policy: str, first: Callable[[Session, str], Command]) -> tuple[said.DiceRolled, said.DiceRolled]:
    """Dice of a shot at long range, and after a correction at short range, when the missing ones were drawn."""
    session = Session.create(MemoryStore(), ruleset="shadowrun_4e", policies={"dice": policy})
    for who, sheet in (("ann", "street-samurai"), ("bob", "ganger")):
        session.perform(Join(who, dict(session.game.sheets[sheet])))
    session.perform(BeginCombat())
    for rest in session.rests:
        session.perform(TypeDice(rest.key, (6 if rest.by == "ann" else 1,) * len(parse(rest.dice).sides)))
    while not any(option.option == "attack" for option in session.rests[0].options):
        session.perform(Choose(session.rests[0].key, session.rests[0].default or ""))
    terms = {"at": "bob", "using": "ares predator iv", "distance": 50}
    declared = session.perform(Declare("attack", "ann", terms))
    while session.rests[0].options:
        session.perform(Choose(session.rests[0].key, session.rests[0].default or session.rests[0].options[0].option))
    key = session.rests[0].key
    one = session.perform(first(session, key)).events[0]
    session.amend(declared.seq, Change(set={"terms.distance": 3}), why="a typing error", consent=True)
    two = session.perform(DrawDice(key)).events[0]
    session.perform(Reveal())
    assert verify(session.log).status == VERIFIED, str(verify(session.log).wrong)
    return one, two


@pytest.mark.parametrize(("policy", "kept"), [("sticky", "drawn"), ("fresh", "recorded")])
def test_a_pool_that_a_correction_makes_larger_keeps_its_first_faces(policy: str, kept: str) -> None:
    one, two = pool_made_larger(policy, lambda _, key: DrawDice(key))

    many = len(one.faces)
    assert two.faces[:many] == one.faces
    assert two.provenance == (kept,) * many + ("drawn",) * (len(two.faces) - many)


@pytest.mark.parametrize("policy", ["sticky", "fresh"])
def test_faces_that_somebody_typed_are_not_said_to_be_drawn_when_more_are(policy: str) -> None:
    one, two = pool_made_larger(
        policy, lambda session, key: TypeDice(key, (2,) * len(parse(session.rests[0].dice).sides))
    )

    many = len(one.faces)
    assert two.faces[:many] == one.faces
    assert two.provenance == ("typed",) * many + ("drawn",) * (len(two.faces) - many)


# ------------------------------------------------------------------------------------------------ in secret


def test_a_secret_roll_cannot_be_told_before_the_revealing_and_can_be_checked_after_it() -> None:
    session = begun()
    faces = thrown(session, FIRST, seen_by=())
    eyes = viewer(KIRA, session.combat)
    seed = sealed(session)

    before = list(jsonl.export(session.log, eyes, "player"))
    session.perform(Reveal())
    after = list(jsonl.export(session.log, eyes, "player"))

    assert seed.hex() not in b"".join(before).decode()
    entry = json.loads(before[5])
    assert entry["events"][0][:3] == ["dice", FIRST, []]
    assert isinstance(entry["command"], str), "what was drawn is a digest"
    assert before[1:] == after[1 : len(before)], "nothing that was shown has changed"
    proof = verify_lines(after[1:])
    assert proof.status == VERIFIED
    asked = next(event for event in json.loads(before[4])["events"] if event[:2] == ["roll", FIRST])
    found = draw.faces(bytes.fromhex(proof.seed), proof.nonces, FIRST, parse(asked[3]).sides)
    assert found == faces, "the seed gives what only the gamemaster has seen"


@pytest.mark.parametrize("policy", ["sticky", "fresh"])
def test_a_player_s_export_with_secret_rolls_proves_the_open_ones(policy: str, tmp_path: Path) -> None:
    session = begun(policies={"dice": policy})
    for _ in range(3):
        thrown(session, FIRST, seen_by=())
        session.undo()
    thrown(session, FIRST)
    thrown(session, SECOND)
    session.perform(Reveal())

    lines = list(jsonl.export(session.log, viewer(KIRA, session.combat), "player"))

    assert (verify_lines(lines[1:]).status, verify_lines(lines[1:]).verified) == (VERIFIED, 2)
    assert verify(session.log).verified == 5
    (tmp_path / "mine.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    assert alone().main(str(tmp_path / "mine.jsonl")) == 0


# ------------------------------------------------------------------------------------------------ tampering


def exported(session: Session, path: Path) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in jsonl.export(session.log)))
    return path


def alone() -> ModuleType:
    """The script that checks a file without Affray."""
    spec = importlib.util.spec_from_file_location("verify_dice", ALONE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def checked_alone(path: Path) -> tuple[int, str]:
    found = subprocess.run(
        [sys.executable, "-I", "-S", str(ALONE), str(path)], capture_output=True, text=True, check=False
    )
    assert not found.stderr
    return found.returncode, found.stdout


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An exported fight with a nonce, drawn dice and their seed, always the same: another seed might give the same faces."""
    monkeypatch.setattr("replays.sessions.ports.new_seed", lambda: bytes(range(32)))
    session = joined()
    session.perform(GiveNonce("kira", "swordfish"), by=KIRA)
    session.perform(BeginCombat())
    thrown(session, FIRST)
    thrown(session, SECOND)
    session.perform(Reveal())
    return exported(session, tmp_path / "fight.jsonl")


def test_the_script_needs_nothing_of_affray(told: Path) -> None:
    code, words = checked_alone(told)

    assert (code, words) == (0, "2 dice drawn: all are computed from the seed\n")
    assert len(ALONE.read_text().splitlines()) < 75


def test_the_script_says_where_nothing_is_revealed_yet(tmp_path: Path) -> None:
    assert checked_alone(exported(begun(), tmp_path / "f.jsonl")) == (2, "the seed is not revealed yet\n")


def _another_face(lines: list[Any]) -> None:
    for entry in lines:
        for event in entry["events"]:
            if event[:2] == ["dice", FIRST]:
                event[2] = [(event[2][0] + 1) % 100]


def _another_seed(lines: list[Any]) -> None:
    for entry in lines:
        for event in entry["events"]:
            if event[0] == "seed":
                event[1] = "00" * 32


def _no_nonce(lines: list[Any]) -> None:
    for entry in lines:
        entry["events"] = [event for event in entry["events"] if event[0] != "nonce"]


@pytest.mark.parametrize(
    ("tamper", "draws", "problems"),
    [(_another_face, [FIRST], 0), (_another_seed, [FIRST, SECOND], 1), (_no_nonce, [FIRST, SECOND], 0)],
    ids=["a face is changed", "the seed is changed", "a nonce is removed"],
)
def test_a_tampered_copy_is_found_and_the_draw_named(
    told: Path, tamper: Callable[[list[Any]], None], draws: list[str], problems: int
) -> None:
    header, *lines = map(json.loads, told.read_text().splitlines())
    tamper(lines)
    copy = told.with_name("copy.jsonl")
    copy.write_text("".join(json.dumps(each) + "\n" for each in (header, *lines)))

    code, words = checked_alone(copy)
    proof = verify_lines(json.dumps(each, separators=(",", ":")).encode() for each in lines)

    assert code == 1
    assert "BROKEN" in words
    assert all(f"{key}: die 1 is" in words for key in draws)
    assert ("another seed" in words) == bool(problems)
    assert proof.status == BROKEN
    assert [each.key for each in proof.wrong] == draws
    assert len(proof.problems) == problems
    with pytest.raises(dice_proof.DiceBroken):
        proof.check()


def _broken(session: Session, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Returns a session after a draw by a modified server, whose face is not that of the seed."""
    with monkeypatch.context() as patch:
        patch.setattr(ProvableDice, "draw", lambda self, key, dice: ((_really(session, key) + 1) % 100,))
        session.perform(DrawDice(FIRST))
    return session


def _really(session: Session, key: str) -> int:
    return draw.faces(sealed(session), [], key, (100,))[0]


def test_a_door_that_draws_what_it_likes_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    session = _broken(begun(), monkeypatch)
    session.perform(Reveal())

    proof = verify(session.log)

    assert [(each.seq, each.key, each.wrong) for each in proof.wrong] == [(5, FIRST, (1,))]
    assert (proof.status, proof.verified, str(proof)) == (BROKEN, 0, "1 drawn face on record, BROKEN")


def test_a_nonce_and_a_draw_that_come_too_late_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun()
    thrown(session, FIRST)
    monkeypatch.setattr(ProvableDice, "filled", lambda self, command: command)
    session.perform(GiveNonce("kira", "x", agreed=True))

    assert verify(session.log).status == BROKEN
    assert "kira" in verify(session.log).problems[0]

    session = begun()
    seed = sealed(session)
    session.perform(Reveal(seed=seed.hex()))
    monkeypatch.setattr(ProvableDice, "draw", lambda self, key, dice: draw.faces(seed, [], key, (100,)))
    thrown(session, FIRST)

    assert "after the seed" in verify(session.log).problems[0]


# ------------------------------------------------------------------------------------------------ the command line


@pytest.fixture
def affray(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[..., str]]:
    def call(*arguments: str, code: int = 0) -> str:
        capsys.readouterr()
        returned = run(arguments)
        found = capsys.readouterr()
        assert returned == code, found.err
        return found.out if code == 0 else found.out + found.err

    return call


def test_from_nonce_to_verified_on_the_command_line(affray: Callable[..., str]) -> None:
    session = joined(open_store("sqlite:///affray.db"))

    assert "swordfish" in affray("--as", "kira:player", "nonce", "kira", "swordfish")
    assert "seat/not-allowed" in affray("nonce", "sam", "x", code=2)
    made = json.loads(affray("nonce", "sam", "--agreed", "--json"))["nonce"]
    assert len(made) == 32
    session.perform(BeginCombat())
    thrown(session)
    assert "dice: 1 drawn face on record, not yet revealed" in affray("verify")
    assert json.loads(affray("verify", "--json"))["dice"]["status"] == "sealed"
    assert affray("--as", "kira:player", "reveal", code=2).startswith("seat/not-allowed")
    shown = json.loads(affray("reveal", "--json"))
    assert (shown["seed"], shown["nonces"][0]) == (sealed(session).hex(), ["kira", "swordfish"])
    assert [each["key"] for each in shown["draws"]] == [FIRST]
    assert "dice: 1 drawn face on record, 1 verified" in affray("verify")
    affray("export", "-o", "fight.jsonl")
    assert "dice: 1 drawn face on record, 1 verified" in affray("verify", "fight.jsonl")
    assert affray("reveal", code=2).startswith("dice/revealed")
    assert affray("nonce", "ben", "x", "--agreed", code=2).startswith("nonce/too-late")
    assert "The dice's seed is revealed" in affray("log")
    session.close()


def test_verify_says_no_where_dice_are_not_what_the_seed_gives(
    affray: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = _broken(begun(open_store("sqlite:///affray.db")), monkeypatch)

    assert "BROKEN" in affray("reveal", code=1)
    assert "dice/broken" in affray("verify", code=1)
    words = affray("verify", "--json", code=1)
    assert json.loads(words.splitlines()[0])["dice"]["wrong"][0]["key"] == FIRST
    assert FIRST in json.loads(words.splitlines()[-1])["error"]["message"]
    session.close()


def test_a_player_who_verifies_is_not_told_what_was_rolled_in_secret(affray: Callable[..., str]) -> None:
    session = begun(open_store("sqlite:///affray.db"))
    thrown(session, FIRST, seen_by=())

    shown = json.loads(affray("--as", "kira:player", "verify", "--json"))["dice"]

    assert "draws" not in shown
    assert shown["wrong"] == []
    session.close()


# ------------------------------------------------------------------------------------------------ at the table


def test_at_the_table_a_gamemaster_names_the_player_and_a_player_gives_their_own() -> None:
    session = joined()

    assert Table(session, Who("gm")).submit("nonce sam a horse, a horse").refused is not None
    assert Table(session, Who("gm")).submit("nonce sam agreed a horse, a horse").refused is None
    assert Table(session, KIRA).submit("nonce swordfish").refused is None

    assert session.combat.session.nonces == (("sam", "a horse, a horse"), ("kira", "swordfish"))


def test_at_the_table_the_seed_is_opened_after_a_question_and_then_dice_are_typed() -> None:
    session = begun()
    table = Table(session, Who("gm"), "typed")

    assert table.submit("unseal").done.asks
    table.submit("n")
    assert not session.log.draws.is_revealed
    table.submit("unseal")
    table.submit("y")
    assert session.log.draws.is_revealed
    table.dice = "all"
    assert table.submit("note nothing is drawn by itself").refused is None
    assert table.submit("ann 42").refused is None
    assert session.combat.rolls[FIRST].faces == (42,)
    said_ = table.submit("*")
    assert said_.refused is not None
    assert said_.refused.slug == "dice/revealed"
