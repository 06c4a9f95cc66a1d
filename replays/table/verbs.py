"""The words that work at any prompt, and what each does."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from itertools import islice

import msgspec

from ledger import events as e
from ledger.commands import (
    Adjust,
    BeginCombat,
    Command,
    EndCombat,
    GiveNonce,
    Leave,
    Note,
    PassTime,
    Reveal,
)
from ledger.entry import Seat
from machines.contract.refusals import NoSuchRoll
from machines.engine.adjustments import free_condition
from replays.audit.why import why
from replays.sessions import undo
from replays.table.amending import AMEND, amend
from replays.table.at_table import TableContext
from replays.table.changing import MODIFY, OVERRULE, modify, overrule
from replays.table.done import NO, YES, VerbResult
from replays.table.language.grammar import (
    NotUnderstood,
    number,
    number_or_word,
    one_of,
    pairs,
    rest_of,
    typed,
    unquoted,
    words,
)
from replays.table.language.names import id_of
from replays.table.secrets import in_secret, secretly, tell, whisper
from replays.views.frames import frames

_BECAUSE = ("why", "because")
_UNDONE = f"undo, a number of lines, {', '.join(undo.SPANS)}, or a reason of several words"

ASKED, GAMEMASTERS, EVERYBODY = "ask", "auto", "all"

DICE: Mapping[str, str] = {
    ASKED: "each roll is asked for; Enter draws it",
    GAMEMASTERS: "the gamemaster's combatants are rolled for at once, players are asked",
    EVERYBODY: "everybody is rolled for at once",
    "typed": "nothing is drawn unless * or draw says so",
}
"""Who rolls."""
DEFAULTS: Mapping[str, str] = {
    ASKED: "each choice is asked for; Enter takes the default",
    GAMEMASTERS: "for the gamemaster's combatants a choice with a default is passed over",
    EVERYBODY: "every choice with a default is passed over, but for what to do in one's own moment",
}
"""Which choices are put to the table."""
OTHER_WORDS = {"gm": GAMEMASTERS, "draw": EVERYBODY}
"""Other words for the same settings."""


class Verb(msgspec.Struct, frozen=True):
    """A word."""

    usage: str
    about: str
    do: "Callable[[TableContext, str], VerbResult]"
    writes: bool = True
    stands_alone: bool = False
    """Does it write the same whatever others have written meanwhile?"""
    slashed: "Callable[[TableContext, str], VerbResult] | None" = None
    """What it does where it is said with a slash, if that is something else."""


# ------------------------------------------------------------------------------------------------ who takes part


def _add(table: TableContext, tail: str) -> VerbResult:
    if not tail:
        raise NotUnderstood("add whom?", where="add", accepts=", ".join([*table.game.sheets, "a file.toml"]))
    alone = [tail] if tail in table.game.sheets else [unquoted(word) for word in words(tail)]
    table.add(alone)
    return VerbResult()


def _hide(table: TableContext, tail: str) -> VerbResult:
    """Whom it brings in is hidden from the players until `reveal`; lines go on naming them as they were typed here."""
    with in_secret(table):
        return _add(table, tail)


def _secret(table: TableContext, tail: str) -> VerbResult:
    if not tail:
        raise NotUnderstood("what in secret?", where="secret", accepts="secret and a line: faces, a choice, a deed")
    return secretly(table, lambda: table.do(tail))


def _whisper(table: TableContext, tail: str) -> VerbResult:
    return VerbResult(whisper(table, tail))


def _sheets(table: TableContext, _: str) -> VerbResult:
    shipped = ", ".join(table.game.sheets) or "none"
    return VerbResult(
        (f"shipped with {table.game.title}: {shipped}", "or a TOML file: add FILE.toml, add ID=FILE.toml@PLAYER")
    )


def _begin(table: TableContext, tail: str) -> VerbResult:
    bare, given = pairs(words(tail))
    if bare:
        raise NotUnderstood(f"begin {bare[0]}?", where="begin", accepts="field=value")
    table.perform(BeginCombat(typed(given, table.game.situation)))
    return VerbResult()


def _leave(table: TableContext, tail: str) -> VerbResult:
    who = id_of(table.seen.roster, _first(tail, "leave WHO [WHY]"))
    table.perform(Leave(who, rest_of(tail, 1)))
    return VerbResult()


def _end(table: TableContext, tail: str) -> VerbResult:
    table.perform(EndCombat(tail))
    return VerbResult()


def _ends(table: TableContext, tail: str) -> VerbResult:
    """Without a slash it may have been meant for a turn: it is done at once only between exchanges and with reasons."""
    table.check(EndCombat(tail))
    open_ = table.session.combat.exchange.frame is not None
    if len(words(tail)) > 1 and not open_:
        return _end(table, tail)

    def do(said: str) -> VerbResult:
        if said.lower() in YES:
            return _end(table, tail)
        if said.lower() in NO:
            return VerbResult(("the fight goes on",))
        raise NotUnderstood("not ended: the fight goes on", where="end", accepts="end, then y; or /end")

    return VerbResult(asks=f"end the whole fight{', in the middle of an exchange' if open_ else ''}? y/n", then=do)


# ------------------------------------------------------------------------------------------------ back and forth


def _undo(table: TableContext, tail: str) -> VerbResult:
    first = next(iter(words(tail)), "")
    steps = number(first)
    span = one_of(first, undo.SPANS) if first else None
    reason = rest_of(tail, 1) if steps is not None or span is not None else _reason(tail, "undo", _UNDONE)
    if span is None or span == undo.SPANS[0]:
        to = table.before_lines(steps if steps is not None else 1)
    else:
        to = undo.target(table.session.log, span)
    table.back(to, reason)
    return VerbResult()


def _redo(table: TableContext, tail: str) -> VerbResult:
    table.forward(_reason(tail, "redo", "redo, or redo with a reason of several words"))
    return VerbResult()


def _reason(tail: str, where: str, accepts: str) -> str:
    """A reason; a single word is one behind why or because only: it is more likely a slip."""
    said = words(tail)
    if said and said[0].lower() in _BECAUSE:
        return rest_of(tail, 1)
    if len(said) == 1 or (said and get_close_matches(said[0].lower(), undo.SPANS, cutoff=0.85)):
        raise NotUnderstood(f"{where} {said[0]}?", where=where, accepts=accepts)
    return tail


# ------------------------------------------------------------------------------------------------ reading


def _why(table: TableContext, tail: str) -> VerbResult:
    who, dot, what = tail.partition(".")
    subject = f"{id_of(table.seen.roster, who)}.{what}" if dot else tail or table.latest_key()
    return VerbResult(why=why(table.session.log, subject, table.eyes))


def _log(table: TableContext, tail: str) -> VerbResult:
    many = number(tail or "10")
    if many is None or many < 1:
        raise NotUnderstood(f"log {tail}?", where="log", accepts="how many entries")
    return VerbResult(frames=tuple(deque(frames(table.session.log, eyes=table.eyes), maxlen=min(many, 10_000))))


def _dice(table: TableContext, tail: str) -> VerbResult:
    table.dice = _setting(tail, DICE) if tail else table.dice
    return VerbResult((f"dice {table.dice}: {DICE[table.dice]}",))


def _defaults(table: TableContext, tail: str) -> VerbResult:
    table.defaults = _setting(tail, DEFAULTS) if tail else table.defaults
    return VerbResult((f"defaults {table.defaults}: {DEFAULTS[table.defaults]}",))


def _setting(said: str, known: Mapping[str, str]) -> str:
    setting = one_of(OTHER_WORDS.get(said, said), known)
    if setting is None:
        raise NotUnderstood(f"{said!r} is no setting", where="table", accepts=", ".join(known))
    return setting


def _help(table: TableContext, tail: str) -> VerbResult:
    if not tail:
        return VerbResult(_HELP)
    word = one_of(tail.removeprefix("/"), VERBS)
    if word is not None:
        return VerbResult((f"{VERBS[word].usage}  {VERBS[word].about}",))
    kind = one_of(tail, table.game.kinds)
    if kind is None and (said := list(table.words_of(tail))):
        return VerbResult(tuple(said))
    if kind is None:
        raise NotUnderstood(
            f"nothing is known of {tail!r}", where="help", accepts=", ".join((*VERBS, *table.game.kinds))
        )
    return VerbResult(tuple(table.terms_of(kind)))


# ------------------------------------------------------------------------------------------------ the gamemaster's word


def _adjust(table: TableContext, tail: str) -> VerbResult:
    said = words(tail)
    if len(said) < 3:
        raise NotUnderstood(
            "adjust what?", where="adjust", accepts="adjust WHO WHAT VALUE WHY; the value none ends a condition"
        )
    value = None if said[2].lower() == "none" else number_or_word(said[2])
    who = id_of(table.seen.roster, unquoted(said[0]))
    return with_reason(rest_of(tail, 3), lambda reason: _adjusted(table, Adjust(who, said[1], value, reason)))


def _adjusted(table: TableContext, command: Adjust) -> VerbResult:
    table.perform(command)
    return VerbResult(tuple(filter(None, [free_condition(table.game, command.what)])))


def _note(table: TableContext, tail: str) -> VerbResult:
    if not tail:
        return VerbResult(asks="what to note", then=lambda text: _note(table, text) if text else VerbResult())
    table.perform(Note(tail))
    return VerbResult()


def _time(table: TableContext, tail: str) -> VerbResult:
    said = words(tail)
    amount = number(said[0]) if said else None
    if amount is None or len(said) < 2:
        raise NotUnderstood("how much time?", where="time", accepts="time AMOUNT UNIT [WHY]")
    table.perform(PassTime(amount, said[1], rest_of(tail, 2)))
    return VerbResult()


def _nonce(table: TableContext, tail: str) -> VerbResult:
    mine = table.who.seat is Seat.PLAYER
    player = table.who.name if mine else _first(tail, "nonce PLAYER [agreed] WORDS")
    agreed = not mine and words(tail)[1:2] == ["agreed"]
    table.perform(GiveNonce(player, tail if mine else rest_of(tail, 2 if agreed else 1), agreed))
    return VerbResult()


def _reveal(table: TableContext, tail: str) -> VerbResult:
    if tail.lower() not in (*YES, *NO):
        return VerbResult(tell(table, tail))
    if tail.lower() not in YES:
        asks = "open the seed of the dice? nothing is drawn in this session any more: y/n"
        return VerbResult(asks=asks, then=lambda said: _reveal(table, said) if said.lower() in YES else VerbResult())
    table.perform(Reveal())
    return VerbResult()


def _performed(table: TableContext, command: Command) -> VerbResult:
    table.perform(command)
    return VerbResult()


def _first(tail: str, usage: str) -> str:
    for word in words(tail):
        return unquoted(word)
    raise NotUnderstood("something is missing", where="table", accepts=usage)


def _shows(what: str) -> "Callable[[TableContext, str], VerbResult]":
    return lambda *_: VerbResult(shows=what)


_LEAVES = VerbResult(over=True)

VERBS: Mapping[str, Verb] = {
    "add": Verb("add [ID=]WHAT[:N][@PLAYER] …", "brings in a shipped sheet, a TOML file, a script's people", _add),
    "hide": Verb("hide [ID=]WHAT[:N][@PLAYER] …", "brings somebody in whom players do not see until reveal", _hide),
    "sheets": Verb("sheets", "lists the shipped sheets", _sheets, writes=False),
    "begin": Verb("begin [FIELD=VALUE …]", "begins the fight", _begin),
    "leave": Verb("leave WHO [WHY]", "takes somebody out", _leave),
    "end": Verb("end [WHY]", "ends the whole fight; /end without a question", _ends, slashed=_end),
    "undo": Verb("undo [N | exchange | turn | round] [WHY]", "takes the last line back, or N lines, or so much", _undo),
    "redo": Verb("redo [WHY]", "takes the latest undo back", _redo),
    "why": Verb("why [KEY | WHO.WHAT]", "explains a number; alone, the latest roll", _why, writes=False),
    "log": Verb("log [N]", "the last N entries", _log, writes=False),
    "modify": Verb(MODIFY, "a modifier on a roll; of one that was thrown shows first what changes", modify),
    "overrule": Verb(OVERRULE, "your word in the place of a figure; shows first what changes", overrule),
    "amend": Verb(AMEND, "corrects an old entry; shows first what flips", amend),
    "adjust": Verb(
        "adjust WHO WHAT VALUE WHY",
        "sets tracks.NAME, wounds, conditions.NAME, initiative …",
        _adjust,
        stands_alone=True,
    ),
    "note": Verb("note TEXT", "words for the record", _note, stands_alone=True),
    "whisper": Verb("whisper WHO[,WHO] TEXT", "a note for some players only", _whisper, stands_alone=True),
    "secret": Verb("secret LINE", "the line in secret: faces, *, a choice, a deed, a note", _secret),
    "time": Verb("time AMOUNT UNIT [WHY]", "time passes outside a fight", _time, stands_alone=True),
    "nonce": Verb(
        "nonce [PLAYER [agreed]] WORDS",
        "a player's share in the dice, before any is drawn; agreed: you give it for them",
        _nonce,
    ),
    "reveal": Verb(
        "reveal [N | WHO [to WHO]]", "tells what an entry hides, or who; alone, the seed of the dice", _reveal
    ),
    "show": Verb("show", "the whole tracker", _shows("state"), writes=False),
    "options": Verb("options", "all options, and why another thing cannot be", _shows("options"), writes=False),
    "dice": Verb("dice [ask | auto | all | typed]", "who rolls", _dice, writes=False),
    "defaults": Verb("defaults [ask | auto | all]", "whose default choices are passed over", _defaults, writes=False),
    "help": Verb("help [WORD | KIND]", "this, what a word does, what a declaration takes", _help, writes=False),
    "quit": Verb("quit", "leaves; the fight stays as it is", lambda *_: _LEAVES, writes=False),
}
"""All of them; ``/word`` is always the word, also where an option has the same name."""

_HELP = (
    "a choice    2 · its word or the beginning of it · Enter takes the default · words behind it go on record",
    "a roll      Enter draws · * draws all · 23 or 3 4 5 as they lie · WHO 28 · a=23 b=27 · -10 smoke modifies it",
    "a deed      1 full range=long · KIND word … field=value … · WHO: KIND … for somebody who is not asked",
    "a mark     ◌ stands before what not everybody sees: hide, secret, whisper; reveal tells it",
    *(f"{verb.usage:<42}{verb.about}" for verb in VERBS.values()),
)


def latest(events: Iterator[e.Event], kinds: tuple[type[e.Event], ...]) -> str:
    """The key of the latest event of some kinds.

    Raises:
        NoSuchRoll: There is none.
    """
    for event in islice(events, 100_000):
        if isinstance(event, kinds):
            return str(getattr(event, "key", ""))
    raise NoSuchRoll("nothing was rolled yet", where="key", accepts="a roll first")
