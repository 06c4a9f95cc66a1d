"""An ordinary attack at a real table with nine combatants takes few prompts and keys.

Each game plays `affray fight` with the keys of a terminal: four players' characters against five goons. Prompts and
keys, with Enter, are counted from the attacker's prompt until the table asks what to do next. The faces that the table
draws are the same each time.
"""

from collections.abc import Callable, Mapping, Sequence

import msgspec
import pytest
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from ledger import draw
from ledger.commands import Declare
from replays.cli import table_view, terminal
from replays.cli.app import run
from replays.table import settings
from replays.table.table import Table

PLAYERS = ("kade", "lena", "bolt", "mira")
ENTER = "\r"
NUMBER = "#"
"""Stands for the number of the first attack on an enemy."""


class Attack(msgspec.Struct, frozen=True):
    """An ordinary attack: what is typed at each prompt in turn, and how many prompts and keys it may take."""

    lines: tuple[str, ...]
    prompts: int
    keys: int
    draws: Mapping[str, tuple[int, ...]] = {}
    """The drawn faces by the role of the roll."""
    before: tuple[str, ...] = ()
    """What the attacker did in an earlier turn: the weapon and its mode are kept."""
    faces: tuple[str, ...] = ()
    """What is typed, with the dice, where all choices are passed; by default `lines`."""


class Fight(msgspec.Struct, frozen=True):
    """A game with the sheets of its nine combatants and its two ordinary attacks."""

    player: str
    goon: str
    by_goon: Attack
    by_player: Attack


HIT, DODGED = {"to-hit": (21,), "damage": (1, 1)}, {"to-hit": (1, 1, 3), "defend": (1, 1, 3)}
FIGHTS = {
    "eclipse_phase_1e": Fight(
        "firewall-agent", "thug",
        Attack((NUMBER, "62"), 2, 5, HIT),
        Attack(("t1", "41", "87"), 3, 12),
    ),
    "eclipse_phase_2e": Fight(
        "firewall-agent", "thug",
        Attack((NUMBER, "~~"), 2, 5, HIT, faces=(NUMBER, "62")),
        Attack(("t1 8m", "41", "8751"), 3, 14, before=("t1 burst 20m",)),
    ),
    "shadowrun_4e": Fight(
        "street-samurai", "ganger",
        Attack((NUMBER, "~~"), 3, 6, {"to-hit": (5, 5, 5)}, faces=(NUMBER, "1", "3")),
        Attack((NUMBER, "~~"), 2, 5, faces=(NUMBER, "4")),
    ),
    "gurps_3e": Fight(
        "swordsman", "guard",
        Attack((NUMBER, "10"), 2, 5, DODGED),
        Attack((NUMBER, "~~"), 3, 8, {"to-hit": (3, 3, 3), "defend": (6, 6, 5)}, faces=(NUMBER, "11", "5")),
    ),
}  # fmt: skip


class Keyboard:
    """Types lines with the keys of a terminal."""

    def __init__(self, table: Table, attacker: "Attacker") -> None:
        self.table, self.attacker = table, attacker

    def __call__(self, prompt: str, begun: str = "") -> str | None:
        line = self.attacker.line(self.table)
        if line is None:
            raise EOFError
        with create_pipe_input() as keys:
            keys.send_text(line + ENTER)
            bottom = lambda *_: table_view.toolbar(self.table)  # noqa: E731
            return terminal.LineReader(self.table, bottom, InMemoryHistory(), keys, DummyOutput())(prompt, begun)


def number_of_attack(table: Table) -> str:
    """Returns the number of the first attack on an enemy."""
    question = table.question()
    mine = question.rest.by in PLAYERS
    terms = [each.command.terms if isinstance(each.command, Declare) else {} for each in question.legal]
    return str(next(nth for nth, each in enumerate(terms, 1) if each.get("at", "") and (each["at"] in PLAYERS) != mine))


class Attacker:
    """What is typed: Enter until the attacker acts, then the lines of the attack, and nothing more when it is over."""

    def __init__(self, who: str, attack: Attack) -> None:
        self.who, self.parts = who, [part for part in (attack.before, attack.lines) if part]
        self.left: list[str] | None = None
        self.round = 0
        """The round of the latest of these attacks."""
        self.typed: list[str] = []

    def line(self, table: Table) -> str | None:
        acts = not table.asks and settings.is_declaring(table.game, table.question())
        if acts and self.left is not None and self.typed:
            self.left = None
            if not self.parts:
                return None
        clock = table.seen.clock
        if self.left is None and acts and table.question().rest.by == self.who and clock.round > self.round:
            self.left, self.typed, self.round = list(self.parts.pop(0)), [], clock.round
        line = self.left.pop(0) if self.left else ""
        line = number_of_attack(table) if line == NUMBER else line
        self.typed += [line] if self.left is not None else []
        return line


def drawn(draws: Mapping[str, tuple[int, ...]]) -> Callable[..., tuple[int, ...]]:
    """Returns the faces of a roll by its role; of other rolls the middle faces."""

    def faces(_seed: bytes, _nonces: object, key: str, sides: Sequence[int], *_: int) -> tuple[int, ...]:
        given = draws.get(key.rpartition("/")[2], ())
        return tuple(given[n] if n < len(given) else die // 2 for n, die in enumerate(sides))

    return faces


@pytest.fixture
def played(affray, monkeypatch) -> Callable[[str, str, Attack, str], list[str]]:
    """Plays until an attack is resolved; returns the lines that were typed for it, one at each prompt."""

    def play(game: str, who: str, attack: Attack, defaults: str) -> list[str]:
        fight, attacker = FIGHTS[game], Attacker(who, attack)
        monkeypatch.setattr(table_view, "_reader", lambda table: (Keyboard(table, attacker), lambda: False))
        monkeypatch.setattr(draw, "faces", drawn(attack.draws))
        people = [f"{name}={fight.player}@{name}" for name in PLAYERS] + [f"thug={fight.goon}:5"]
        brought = [word for each in people for word in ("--with", each)]
        words = ("--as", "ann", "fight", game, "--new", *brought, "--dice", "auto", "--defaults", defaults)
        assert run(words) == 0
        return attacker.typed

    return play


ATTACKS = [
    (game, by, defaults)
    for game in FIGHTS
    for by in ("thug-1", "kade")
    for defaults in (settings.ASKED, settings.GAMEMASTERS, settings.EVERYBODY)
]


@pytest.mark.parametrize(("game", "by", "defaults"), ATTACKS)
def test_an_ordinary_attack_takes_few_prompts_and_keys(played, game, by, defaults):
    attack = {"thug-1": FIGHTS[game].by_goon, "kade": FIGHTS[game].by_player}[by]
    if attack.faces and defaults == settings.EVERYBODY:
        attack = msgspec.structs.replace(attack, lines=attack.faces)

    typed = played(game, by, attack, defaults)

    assert len(attack.lines) <= len(typed) <= attack.prompts, typed
    assert sum(len(line) + len(ENTER) for line in typed) <= attack.keys, typed
