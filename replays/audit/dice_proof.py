"""Proves dice: checks each drawn face against the revealed seed and the earlier commitment.

Faces that are hidden from a viewer are not part of the viewer's proof. `replays/examples/verify_dice.py` checks the
same without Affray.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from ledger import draw
from ledger.dice import parse
from ledger.entry import Entry, Provenance
from ledger.errors import BadNotation, Broken, Refused, Unreadable
from ledger.events import DiceRolled, Event, NonceGiven, RollRequested, SeedRevealed, SessionOpened
from projections.history.draws import Draws
from replays.sessions.log import Log

NOT_PROVABLE, SEALED, VERIFIED, BROKEN = "not provable", "sealed", "verified", "broken"


class DiceBroken(Refused):
    """Drawn dice contradict the seed."""

    slug = "dice/broken"


class DrawnRoll(msgspec.Struct, frozen=True):
    """A roll of which the engine drew dice."""

    seq: int
    """The number of its entry."""
    key: str
    dice: str
    """The requested dice; empty where the request is hidden, so that nothing can be proved."""
    faces: tuple[int, ...]
    provenance: tuple[str, ...]
    expected: tuple[int, ...] = ()
    """The faces that the seed gives; empty while it is not revealed."""
    wrong: tuple[int, ...] = ()
    """The places, from 1, of drawn faces that contradict the seed."""

    @property
    def count(self) -> int:
        """The number of its faces that were drawn."""
        return self.provenance.count(Provenance.DRAWN.value)

    def __str__(self) -> str:
        found = f"entry {self.seq}: {self.key}: the seed gives {_spaced(self.expected)}, not {_spaced(self.faces)}"
        return f"{found} (die {_spaced(self.wrong)})" if self.wrong else f"entry {self.seq}: {self.key}"


class Proof(msgspec.Struct, frozen=True):
    """The proof of a session's dice."""

    commitment: str
    policy: str
    nonces: tuple[tuple[str, str], ...]
    """Pairs of (player, nonce), in the order in which they were given."""
    seed: str
    """In hex; empty while it is not revealed."""
    draws: tuple[DrawnRoll, ...]
    problems: tuple[str, ...]
    """Problems other than single faces: another seed, a nonce or a draw that came too late."""

    @property
    def drawn(self) -> int:
        """The number of drawn faces on record, repetitions included."""
        return sum(each.count for each in self.draws)

    @property
    def verified(self) -> int:
        """The number of them that the seed confirms."""
        return sum(each.count - len(each.wrong) for each in self.draws if each.expected)

    @property
    def wrong(self) -> tuple[DrawnRoll, ...]:
        """The draws that contradict the seed."""
        return tuple(each for each in self.draws if each.wrong)

    @property
    def status(self) -> str:
        """``not provable``, ``sealed`` (not yet revealed), ``verified`` or ``broken``."""
        if self.problems or self.wrong:
            return BROKEN
        if not self.commitment:
            return NOT_PROVABLE
        return VERIFIED if self.seed else SEALED

    def __str__(self) -> str:
        said = {SEALED: "not yet revealed", VERIFIED: f"{self.verified} verified", BROKEN: "BROKEN"}
        faces = "face" if self.drawn == 1 else "faces"
        return f"{self.drawn} drawn {faces} on record, {said.get(self.status, self.status)}"

    def check(self) -> None:
        """Rejects dice that contradict the seed or the rules of drawing.

        Raises:
            DiceBroken: It names the first problem.
        """
        found = (*self.problems, *map(str, self.wrong))
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            raise DiceBroken(f"{found[0]}{more}", where=self.wrong[0].key if self.wrong else "seed")


def verify(of: Log | Iterable[Entry]) -> Proof:
    """Checks every drawn face of a session.

    Args:
        of: Its log, or its entries in order, standing or not.
    """
    entries = of.entries() if isinstance(of, Log) else of
    return _proof(_ExportedLine(entry.seq, entry.after, entry.origin, entry.events) for entry in entries)


def verify_lines(lines: Iterable[bytes]) -> Proof:
    """Checks the drawn faces of stored or exported lines, without a header; hidden parts are skipped.

    Raises:
        Unreadable: A line is not an entry.
        Broken: An entry stands on one that is not before it.
    """
    return _proof(map(_read, lines))


def document(proof: Proof, *, draws: bool = False) -> dict[str, Any]:
    """Returns a proof as a plain document.

    Args:
        proof: The proof.
        draws: Whether to include every draw with its faces, not only the wrong ones.
    """
    said: dict[str, Any] = msgspec.to_builtins(proof)
    if not draws:
        del said["draws"]
    counted = {"status": proof.status, "drawn": proof.drawn, "verified": proof.verified}
    return counted | said | {"wrong": msgspec.to_builtins(proof.wrong)}


# ------------------------------------------------------------------------------------------------ reading lines


class _ExportedLine(msgspec.Struct):
    seq: int
    after: int
    origin: int | None
    events: tuple[Event, ...]


class _Raw(msgspec.Struct):
    seq: int
    after: int
    origin: int | None
    events: list[msgspec.Raw]


_KINDS = (SessionOpened, NonceGiven, SeedRevealed, RollRequested, DiceRolled)
_TAGS = tuple(f'["{kind.__struct_config__.tag}",'.encode() for kind in _KINDS)
_raw = msgspec.json.Decoder(_Raw)
_event = msgspec.json.Decoder(SessionOpened | NonceGiven | SeedRevealed | RollRequested | DiceRolled)


def _read(line: bytes) -> _ExportedLine:
    try:
        raw = _raw.decode(line)
        told = tuple(_event.decode(event) for event in raw.events if bytes(event).startswith(_TAGS))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"this is not an entry: {error}", where="line") from error
    if not 0 <= raw.after < raw.seq:  # following it backwards would not end
        raise Broken(f"entry {raw.seq} stands on nothing that is before it", seq=raw.seq)
    return _ExportedLine(raw.seq, raw.after, raw.origin, told)


# ------------------------------------------------------------------------------------------------ proving


class _Throw(msgspec.Struct):
    """A roll with drawn dice, and the draws of its key that it may consist of."""

    drawn: DrawnRoll
    times: tuple[int, ...]


def _proof(lines: Iterable[_ExportedLine]) -> Proof:
    draws, found = Draws(), _Found()
    for line in lines:
        found.add(line, draws)
        draws.add(line.events, line.origin)
    seed = found.seed
    problems = list(found.problems)
    if seed and (not _is_hex(seed) or draw.commitment(bytes.fromhex(seed)) != draws.commitment):
        problems.append("the seed is not the one that was committed to")
    nonces = tuple(draws.nonces)
    proven = tuple(_proven(each, seed, nonces) if _is_hex(seed) else each.drawn for each in found.throws)
    return Proof(draws.commitment, draws.policy, nonces, seed, proven, tuple(problems))


class _Found:
    """Collects what a log records of its dice."""

    def __init__(self) -> None:
        self.seed = ""
        self.throws: list[_Throw] = []
        self.problems: list[str] = []
        self._asked: dict[int, dict[str, str]] = {}
        self._after: dict[int, int] = {}
        self._times: dict[int, tuple[int, ...]] = {}

    def add(self, line: _ExportedLine, draws: Draws) -> None:
        """Adds one entry; `draws` has the state before it."""
        self._after[line.seq] = line.after
        for event in line.events:
            if type(event) not in _KINDS:  # most are not
                continue
            match event:
                case RollRequested():
                    self._asked.setdefault(line.seq, {})[event.key] = event.dice
                case SeedRevealed():
                    self.seed = self.seed or event.seed
                    if event.seed != self.seed:
                        self.problems.append(f"entry {line.seq}: another seed is revealed")
                case NonceGiven() if line.origin is None and (draws.has_drawn or draws.is_revealed):
                    self.problems.append(f"entry {line.seq}: {event.player} gives a nonce after dice were drawn")
                case DiceRolled():
                    self._rolled(line, event, draws)

    def _rolled(self, line: _ExportedLine, event: DiceRolled, draws: Draws) -> None:
        now = draws.time(event.key)
        earlier = self._times.get(line.origin, ()) if line.origin is not None else ()
        times = self._times[line.seq] = (*earlier, now)
        if Provenance.DRAWN.value not in event.provenance:
            return
        if line.origin is None and draws.is_revealed:
            self.problems.append(f"entry {line.seq}: {event.key} was drawn after the seed was revealed")
        dice = self._asked_for(event.key, line.after)
        self.throws.append(_Throw(DrawnRoll(line.seq, event.key, dice, event.faces, event.provenance), times))

    def _asked_for(self, key: str, seq: int) -> str:
        """Returns the dice of the open roll, on the line that an entry stands on."""
        while seq:
            dice = self._asked.get(seq, {}).get(key)
            if dice is not None:
                return dice
            seq = self._after.get(seq, 0)
        return ""


def _proven(throw: _Throw, seed: str, nonces: tuple[tuple[str, str], ...]) -> DrawnRoll:
    """Returns a throw with the faces that the seed gives, and the places that differ."""
    drawn = throw.drawn
    try:
        sides = parse(drawn.dice).sides if drawn.dice else ()
        given = [draw.faces(bytes.fromhex(seed), nonces, drawn.key, sides, time) for time in throw.times]
    except BadNotation:
        return drawn
    if not sides:
        return drawn
    wrong = tuple(nth for nth in range(1, len(drawn.provenance) + 1) if _is_wrong(drawn, nth, given))
    return msgspec.structs.replace(drawn, expected=given[0], wrong=wrong)


def _is_wrong(drawn: DrawnRoll, nth: int, given: list[tuple[int, ...]]) -> bool:
    """Returns whether a face was drawn and contradicts every draw that it may come from."""
    if drawn.provenance[nth - 1] != Provenance.DRAWN.value:
        return False
    whole = len(given[0]) == len(drawn.faces) == len(drawn.provenance)
    return not whole or all(each[nth - 1] != drawn.faces[nth - 1] for each in given)


def _is_hex(text: str) -> bool:
    try:
        return bool(text) and bytes.fromhex(text).hex() == text
    except ValueError:
        return False


def _spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
