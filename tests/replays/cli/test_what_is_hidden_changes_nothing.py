"""Noninterference at the command line: a verb's output for a seat does not depend on what is hidden from it."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from secret_pairs import Pair, played_otherwise
from set_aside import digest, of_export
from strategies import clock, drawn

from ledger.commands import ApplyModifier, BeginCombat, Choose, Declare, DrawDice, Join, Note, OpenDispute, TypeDice
from ledger.entry import Seat, Who
from ledger.stores import open_store
from ledger.stores.memory import MemoryStore
from projections.views.seen import viewer
from replays.api.session import Session
from replays.cli.app import run
from replays.cli.commands import MODULES, commands_of

SHEET = {
    "init": 60, "durability": 31, "aptitudes": {"som": 20, "ref": 20, "coo": 20},
    "skills": {"fray": 40, "unarmed combat": 53},
    "weapons": {"claws": {"kind": "melee", "skill": "unarmed combat", "damage": "2d10"}},
}  # fmt: skip
HIT, DEFEND = "r1/villain/a1/attack/to-hit", "r1/villain/a1/attack/defend"

WRITE = frozenset(
    ["play", "undo", "redo", "overrule", "modify", "adjust", "fight", "nonce", "reveal", "amend", "dispute", "settle", "import", "delete", "rename", "close", "archive", "unarchive"]
)  # fmt: skip
"""Verbs that write: their refusals are tested elsewhere."""
OF_THE_FILE = frozenset(
    [
        "verify",
        "heads",
        "backup",
        "restore",
        "copy",
        "migrate",
        "serve",
        "web",
        "token",
        "keys",
        "campaign",
        "rehearse",
        "rules",
        "sessions",
        "sheet",
    ]
)
"""Verbs for the owner of the ledger's file, who can read all of it; and verbs without a session."""
ASKED: dict[str, list[list[str]]] = {
    "show": [[], ["--at", "5"], ["--json"]], "log": [[], ["--all"], ["--json"]], "replay": [[], ["--json"]],
    "why": [[HIT], [HIT, "--at", "11"], ["bob.damage"], ["villain.damage"], [DEFEND, "--json"]], "export": [["--for", "kira"]],
    "whatif": [["8", "--set", "option=none"], [HIT, "--drop"]], "report": [["--for", "kira", "-o", "-"], ["--for", "kira", "--json"]],
    "audit": [[], ["--json"]], "disputes": [[], ["d1"], ["d2"], ["--json"]], "rulings": [[], ["cocked"]],
    "chances": [[], ["--at", "6", "--json"]], "odds": [[], ["--json"]], "luck": [[], ["--json"]],
}  # fmt: skip
"""Arguments of each of the other verbs."""


def villainous() -> Session:
    """A fight in which the villain's sheet, dice and a modifier are secret; Bob, played by Kira, is to defend."""
    session = Session.create(MemoryStore(), ruleset="eclipse_phase_1e", session="FIGHT", clock=clock, draw=drawn)
    kira = Who("kira", Seat.PLAYER)
    session.perform(Join("villain", SHEET, sheet_seen_by=()))
    session.perform(Join("bob", SHEET, player="kira"))
    session.perform(BeginCombat())
    session.perform(TypeDice("r1/villain/initiative", (93,)))
    session.perform(TypeDice("r1/bob/initiative", (2,)))
    session.perform(Note("the floor is a trap", seen_by=()))
    session.perform(Declare("attack", "villain", {"at": "bob", "using": "claws"}))
    session.perform(Choose(session.rests[0].key, "fray"), by=kira)
    session.perform(ApplyModifier(HIT, 10, "he is in the dark", seen_by=()))
    session.perform(TypeDice(HIT, (17,), seen_by=()))
    session.perform(OpenDispute(HIT, "it was cocked"), by=kira)
    session.perform(OpenDispute(HIT, "she may be right", seen_by=()))
    session.perform(DrawDice(DEFEND))
    return session


def pairs(who: Who) -> list[Pair]:
    """The same fight with another skill, note, modifier and secret die."""
    session = villainous()
    eyes = viewer(who, session.combat)
    entries = list(session.entries())
    skilled = {**SHEET, "skills": {"fray": 44, "unarmed combat": 57}}
    others = {
        1: msgspec.structs.replace(entries[1].command, sheet=skilled),
        6: msgspec.structs.replace(entries[6].command, text="nothing is a trap"),
        9: msgspec.structs.replace(entries[9].command, value=20, why="he is in the light"),
        10: msgspec.structs.replace(entries[10].command, faces=(18,)),
        12: msgspec.structs.replace(entries[12].command, why="she is wrong"),
    }  # fmt: skip
    return [played_otherwise(session, place, command, eyes, {"sheet"}) for place, command in others.items()]


def kept(session: Session, path: Path) -> str:
    """Returns a ledger with that session in it."""
    path.parent.mkdir(parents=True)
    with closing(open_store(f"sqlite:///{path}", create=True)) as store:
        store.create(session.id, list(session.log.store.read(session.id)))
    return f"sqlite:///{path}"


def plain(text: str) -> str:
    """Removes what may differ."""
    if text.startswith('{"affray"'):
        return of_export(text.encode().splitlines())
    return digest(text)


def test_every_verb_that_reads_is_asked() -> None:
    assert {verb for module in MODULES for verb in commands_of(module)} == WRITE | OF_THE_FILE | set(ASKED)


@pytest.mark.parametrize("who", ["kira:player", "zoe:spectator"])
def test_no_verb_tells_a_seat_apart_what_is_released_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], who: str
) -> None:
    def said(ledger: str, words: list[str]) -> tuple[int | str, ...]:
        capsys.readouterr()
        code = run(["--ledger", ledger, "--as", who, *words])
        told = capsys.readouterr()
        return code, *(plain(text.replace(ledger, "LEDGER")) for text in told)

    name, _, seat = who.partition(":")
    found = pairs(Who(name, Seat(seat)))
    assert [pair.one.log.last for pair in found if pair.one.log.last < 10] == []
    for nth, pair in enumerate(found):
        one, other = (
            kept(session, tmp_path / f"{nth}-{side}" / "ledger.db")
            for side, session in enumerate((pair.one, pair.other))
        )
        for verb, ways in ASKED.items():
            for words in ways:
                mine = said(one, [verb, *words])
                assert mine == said(other, [verb, *words]), [verb, *words]
                assert mine[0] in (0, 1, 2), mine
