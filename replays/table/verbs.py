"""The words that work at any prompt of the table, with their usage, help and function."""

from collections import deque
from collections.abc import Callable, Mapping

import msgspec

from ledger.commands import (
    Adjust,
    BeginCombat,
    EndCombat,
    GiveNonce,
    Leave,
    Note,
    PassTime,
    RenameSession,
)
from ledger.entry import Seat
from machines.contract.refusals import NotOffered
from machines.engine.adjustments import free_condition
from replays.audit.why import why
from replays.table import declaration_help, inspecting, secrets
from replays.table.at_table import TableContext
from replays.table.correcting.amending import AMEND, REMOVE, amend, insert, missed, remove, reroll, target
from replays.table.correcting.change_words import INSERT
from replays.table.correcting.changing import MODIFY, OVERRULE, modify, overrule
from replays.table.correcting.misreadings import MISSED, REROLL, TARGET
from replays.table.correcting.undoing import REDO, REWIND, UNDO, redo, rewind, undo
from replays.table.done import NO, YES, VerbResult, with_reason
from replays.table.help_texts import EXAMPLES, overview
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
from replays.table.language.targets import id_meant
from replays.table.secrets import in_secret, secretly, whisper
from replays.table.settings import DEFAULTS, DICE, setting
from replays.views.frames import frames


class Verb(msgspec.Struct, frozen=True):
    """A word of the table."""

    usage: str
    about: str
    do: "Callable[[TableContext, str], VerbResult]"
    writes: bool = True
    stands_alone: bool = False
    """Whether it may be written even if others have written since the line was typed."""
    slashed: "Callable[[TableContext, str], VerbResult] | None" = None
    """The function of the word with a slash before it, if that differs."""

    @property
    def may_repeat(self) -> bool:
        """Whether a line with this word means the same after others have written."""
        return self.stands_alone or not self.writes


# ------------------------------------------------------------------------------------------------ combatants


def _add(table: TableContext, tail: str, word: str = "add") -> VerbResult:
    if not tail:
        accepts = ", ".join([*table.game.sheets, "a file.toml"])
        raise NotUnderstood(f"{word} needs a sheet or a file", where=word, accepts=accepts)
    alone = [tail] if tail in table.game.sheets else words(tail)
    table.add(alone)
    return VerbResult()


def _hide(table: TableContext, tail: str) -> VerbResult:
    """Adds combatants that are hidden from the players until `reveal`; lines use the names that are typed here."""
    with in_secret(table):
        return _add(table, tail, "hide")


def _secret(table: TableContext, tail: str) -> VerbResult:
    if not tail:
        raise NotUnderstood("secret needs a line", where="secret", accepts="secret and a line: faces, a choice, a deed")
    try:
        return secretly(table, lambda: table.do(tail))
    except (NotUnderstood, NotOffered) as refused:
        if words(tail)[0].endswith(":"):
            refused.accepts = ", ".join(filter(None, (refused.accepts, f"as a note: secret note {tail}")))
        raise


def _whisper(table: TableContext, tail: str) -> VerbResult:
    return VerbResult(whisper(table, tail))


def _sheets(table: TableContext, _: str) -> VerbResult:
    shipped = ", ".join(table.game.sheets) or "none"
    return VerbResult(
        (f"sheets of {table.game.title}: {shipped}", "or a TOML file: add FILE.toml, add ID=FILE.toml@PLAYER")
    )


def _begin(table: TableContext, tail: str) -> VerbResult:
    bare, given = pairs(words(tail))
    if bare:
        raise NotUnderstood(f"begin takes no word {bare[0]!r}", where="begin", accepts="field=value")
    table.perform(BeginCombat(typed(given, table.game.situation)))
    return VerbResult()


def _leave(table: TableContext, tail: str) -> VerbResult:
    who = id_meant(table.seen.roster, _first(tail, "leave WHO [WHY]"))
    table.perform(Leave(who, rest_of(tail, 1)))
    return VerbResult()


def _end(table: TableContext, tail: str) -> VerbResult:
    table.perform(EndCombat(tail))
    return VerbResult()


def _ends(table: TableContext, tail: str) -> VerbResult:
    """Ends the fight after a confirmation, because the end of a turn may have been meant."""
    table.check(EndCombat(tail))

    def do(confirmation: str) -> VerbResult:
        if confirmation.lower() in YES:
            return _end(table, tail)
        if confirmation.lower() in NO:
            return VerbResult(("the fight goes on",))
        raise NotUnderstood("the fight was not ended", where="end", accepts="end, then yes; or /end")

    return VerbResult(asks=f"{_what_ends(table)}? yes/no", then=do)


def _what_ends(table: TableContext) -> str:
    """Returns what `end` would end here, where it is not the end of a turn."""
    combat = table.seen
    frame, active = combat.exchange.frame, combat.turn.who
    if frame is not None:
        return f"end the whole fight, in the middle of an exchange ({combat.roster.name(frame.by)}: {frame.kind})"
    if active is None:
        return f"no turn to end; end the whole fight, in round {combat.clock.round}"
    return f"end the whole fight, in the turn of {combat.roster.name(active)}"


# ------------------------------------------------------------------------------------------------ reading


def _why(table: TableContext, tail: str) -> VerbResult:
    who, dot, what = tail.partition(".")
    subject = f"{id_meant(table.seen.roster, who)}.{what}" if dot else tail or table.recent.key()
    return VerbResult(why=why(table.session.log, subject, table.eyes))


def _log(table: TableContext, tail: str) -> VerbResult:
    many = number(tail or "10")
    if many is None or many < 1:
        raise NotUnderstood(f"{tail!r} is not a number of entries", where="log", accepts="a number, 1 or more")
    return VerbResult(frames=tuple(deque(frames(table.session.log, eyes=table.eyes), maxlen=min(many, 10_000))))


def _dice(table: TableContext, tail: str) -> VerbResult:
    if tail:
        table.keep(dice=setting(tail, DICE))
    return VerbResult((f"dice {table.dice}: {DICE[table.dice]}",))


def _defaults(table: TableContext, tail: str) -> VerbResult:
    if tail:
        table.keep(defaults=setting(tail, DEFAULTS))
    return VerbResult((f"defaults {table.defaults}: {DEFAULTS[table.defaults]}",))


def _help(table: TableContext, tail: str) -> VerbResult:
    if not tail:
        return VerbResult(tuple(overview({word: verb.about for word, verb in VERBS.items()})))
    word = one_of(tail.removeprefix("/"), VERBS)
    if word is not None:
        return VerbResult((f"{VERBS[word].usage}  {VERBS[word].about}", f"such as: {EXAMPLES[word]}"))
    kind = one_of(tail, table.game.kinds)
    if kind is None and (values := list(declaration_help.words_of(table, tail))):
        return VerbResult(tuple(values))
    if kind is None:
        raise NotUnderstood(
            f"there is no help on {tail!r}", where="help", accepts=", ".join((*VERBS, *table.game.kinds))
        )
    return VerbResult(tuple(declaration_help.terms_of(table, kind)))


# ------------------------------------------------------------------------------------------------ the gamemaster


def _adjust(table: TableContext, tail: str) -> VerbResult:
    given = words(tail)
    if len(given) < 3:
        accepts = "adjust WHO WHAT VALUE WHY; the value none ends a condition"
        raise NotUnderstood("adjust needs a combatant, a property and a value", where="adjust", accepts=accepts)
    value = None if given[2].lower() == "none" else number_or_word(given[2])
    who = id_meant(table.seen.roster, unquoted(given[0]))
    return with_reason(
        rest_of(tail, 3), lambda reason: _adjusted(table, Adjust(who, unquoted(given[1]), value, reason))
    )


def _adjusted(table: TableContext, command: Adjust) -> VerbResult:
    table.perform(command)
    return VerbResult(tuple(filter(None, [free_condition(table.game, command.what)])))


def _note(table: TableContext, tail: str) -> VerbResult:
    if not tail:
        return VerbResult(asks="what to note", then=lambda text: _note(table, text) if text else VerbResult())
    table.perform(Note(tail))
    return VerbResult()


def _rename(table: TableContext, tail: str) -> VerbResult:
    if not tail:
        return VerbResult(asks="the new title", then=lambda text: _rename(table, text) if text else VerbResult())
    table.perform(RenameSession(unquoted(tail)))
    return VerbResult()


def _time(table: TableContext, tail: str) -> VerbResult:
    given = words(tail)
    amount = number(given[0]) if given else None
    if amount is None or len(given) < 2:
        raise NotUnderstood("time needs an amount and a unit", where="time", accepts="time AMOUNT UNIT [WHY]")
    table.perform(PassTime(amount, given[1], rest_of(tail, 2)))
    return VerbResult()


def _nonce(table: TableContext, tail: str) -> VerbResult:
    mine = table.who.seat is Seat.PLAYER
    player = table.who.name if mine else _first(tail, "nonce PLAYER [agreed] WORDS")
    agreed = not mine and words(tail)[1:2] == ["agreed"]
    table.perform(GiveNonce(player, tail if mine else rest_of(tail, 2 if agreed else 1), agreed))
    return VerbResult()


def _reveal(table: TableContext, tail: str) -> VerbResult:
    if not tail:
        accepts = "an entry, or a combatant; unseal opens the seed of the dice"
        raise NotUnderstood("reveal needs what is revealed", where="reveal", accepts=accepts)
    return VerbResult(secrets.reveal(table, tail))


def _first(tail: str, usage: str) -> str:
    for word in words(tail):
        return unquoted(word)
    raise NotUnderstood("the line is incomplete", where="table", accepts=usage)


def _shows(what: str) -> "Callable[[TableContext, str], VerbResult]":
    return lambda *_: VerbResult(shows=what)


_LEAVES = VerbResult(over=True)

VERBS: Mapping[str, Verb] = {
    "add": Verb(
        "add [N] [like] [ID=]WHAT[:N][@PLAYER[/SIDE]] [FIELD=VALUE …] [as NAME] …",
        "adds combatants from sheets or files",
        _add,
    ),
    "hide": Verb("hide [ID=]WHAT[:N][@PLAYER[/SIDE]] …", "adds combatants hidden until reveal", _hide),
    "sheets": Verb("sheets", "lists the sheets of the game", _sheets, writes=False),
    "begin": Verb("begin [FIELD=VALUE …]", "begins the fight", _begin),
    "leave": Verb("leave WHO [WHY]", "removes a combatant", _leave),
    "end": Verb("end [WHY]", "ends a turn, else asks to end the fight; /end", _ends, slashed=_end),
    "undo": Verb(UNDO, "undoes the last line, N, or a span", undo),
    "redo": Verb(REDO, "reverts the latest undo", redo),
    "rewind": Verb(REWIND, "makes an entry the last that stands", rewind),
    "why": Verb("why [KEY | WHO.WHAT]", "explains a number or the latest roll", _why, writes=False),
    "odds": Verb("odds [ROLL | DEED], or ?", "computes the odds", inspecting.odds, writes=False),
    "luck": Verb("luck", "compares the dice with chance", inspecting.luck, writes=False),
    "log": Verb("log [N]", "shows the last N entries", _log, writes=False),
    "modify": Verb(MODIFY, "modifies a roll, also after the dice", modify),
    "overrule": Verb(OVERRULE, "replaces a figure with your value", overrule),
    "amend": Verb(AMEND, "previews and corrects an old entry", amend),
    "remove": Verb(REMOVE, "removes an old entry: it never happened", remove),
    "insert": Verb(INSERT, "inserts what was forgotten before an entry", insert),
    "reroll": Verb(REROLL, "corrects faces; also: 20 was 60", reroll),
    "target": Verb(TARGET, "corrects the target of the last deed", target),
    "missed": Verb(MISSED, "corrects the last choice with that option", missed),
    "whatif": Verb(inspecting.WHATIF, "shows what a correction would change", inspecting.whatif, writes=False),
    "adjust": Verb(
        "adjust WHO WHAT VALUE WHY",
        "sets tracks.NAME, wounds, conditions.NAME, initiative …",
        _adjust,
        stands_alone=True,
    ),
    "note": Verb("note TEXT", "records a note", _note, stands_alone=True),
    "rename": Verb("rename TITLE", "gives the session another title", _rename, stands_alone=True),
    "whisper": Verb("whisper WHO[,WHO] TEXT", "records a note for some players", _whisper, stands_alone=True),
    "secret": Verb("secret LINE", "does the line in secret: faces, ~, a choice, a deed, a note", _secret),
    "time": Verb("time AMOUNT UNIT [WHY]", "lets time pass outside a fight", _time, stands_alone=True),
    "nonce": Verb(
        "nonce [PLAYER [agreed]] WORDS",
        "a player's part of the dice seed, before any draw; agreed: entered by you",
        _nonce,
    ),
    "reveal": Verb("reveal N | WHO [to WHO]", "reveals an entry or a combatant", _reveal),
    "unseal": Verb("unseal", "opens the seed of the dice, for good", inspecting.unseal),
    "dispute": Verb(inspecting.DISPUTE, "challenges it", inspecting.dispute, stands_alone=True),
    "settle": Verb(inspecting.SETTLE, "decides a dispute", inspecting.settle, stands_alone=True),
    "disputes": Verb("disputes [DISPUTE]", "lists disputes, or shows one", inspecting.disputes, writes=False),
    "rulings": Verb("rulings [WORDS]", "searches this session's rulings", inspecting.rulings, writes=False),
    "rules": Verb("rules [TABLE]", "lists the tables of the game, or shows one", inspecting.rules, writes=False),
    "audit": Verb("audit", "audits the record", inspecting.audit, writes=False),
    "report": Verb("report [FILE]", "shows a recap, or writes a printable page", inspecting.report, writes=False),
    "export": Verb("export FILE", "writes the session as JSON lines", inspecting.export, writes=False),
    "show": Verb("show", "shows all combatants", _shows("state"), writes=False),
    "options": Verb("options", "shows options, and why not others", _shows("options"), writes=False),
    "dice": Verb("dice [ask | auto | all | typed]", "sets which rolls draw by themselves", _dice, writes=False),
    "defaults": Verb("defaults [ask | auto | all]", "sets which choices take the default", _defaults, writes=False),
    "help": Verb("help [WORD | KIND]", "this list; a word; a declaration", _help, writes=False),
    "quit": Verb("quit", "leaves the table and keeps the fight", lambda *_: _LEAVES, writes=False),
}
"""All words of the table; ``/word`` is always the word, even if an option has the same name."""
