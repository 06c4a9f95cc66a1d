"""The result of a word at the table, and the questions that a word may ask before it writes."""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger.entry import Entry
from ledger.errors import Refused
from machines.contract.ruleset import Ruleset
from replays.audit.disputes.register import Disputed
from replays.audit.why import Why
from replays.corrections.diff import Report
from replays.table.language.grammar import Ambiguous, among, as_words, number, one_of
from replays.views.frames import ReplayFrame

if TYPE_CHECKING:
    from replays.audit.audit import Audit
    from replays.audit.disputes.case import Dispute
    from replays.audit.disputes.precedents import Precedent
    from replays.odds.luck import Luck
    from replays.odds.odds import Odds

YES, NO = ("y", "yes"), ("", "n", "no")
NOTHING = "nothing is changed"


FirstOdds = Callable[["Odds"], None] | None
"""Receives sampled odds where the final ones take long; None where only the final ones are displayed."""


class OutputFile(NamedTuple):
    """A file to write, whole or not at all."""

    name: str
    """Its path, as it was typed."""
    lines: Iterable[bytes]


class DisputeList(NamedTuple):
    """DisputeList to list."""

    disputes: tuple[Disputed, ...]


class RulingList(NamedTuple):
    """RulingList to list."""

    rulings: "tuple[Precedent, ...]"
    is_searched: bool
    """Whether only those with certain words were looked for."""


class RuleTable(NamedTuple):
    """A table of the rules to show."""

    game: Ruleset
    name: str
    """Its name; empty for a list of all."""


class VerbResult(msgspec.Struct, frozen=True):
    """The result of a word or an answer, apart from the entries that it wrote."""

    lines: tuple[str, ...] = ()
    why: Why | None = None
    report: Report | None = None
    frames: tuple[ReplayFrame, ...] = ()
    found: "Odds | Luck | Audit | Dispute | DisputeList | RulingList | RuleTable | None" = None
    """What was computed."""
    file: OutputFile | None = None
    """A file to write."""
    shows: str = ""
    """What to display in full: ``state`` or ``options``."""
    asks: str = ""
    """A question that the next line answers; empty for none."""
    then: Callable[[str], "VerbResult"] | None = None
    """Receives that answer."""
    over: bool = False
    """Whether the person leaves the table."""


def with_reason(reason: str, do: Callable[[str], VerbResult]) -> VerbResult:
    """Calls `do` with the reason, which is recorded; asks for the reason if there is none, and accepts an empty one."""
    return do(reason) if reason else VerbResult(asks="why", then=do)


def after_confirmation(report: Report, asks: str, write: Callable[[], VerbResult]) -> VerbResult:
    """Shows the preview of a correction, and writes the correction if the next line confirms it.

    Args:
        report: The preview.
        asks: The question.
        write: Writes the correction, or asks again if the preview is stale.
    """
    return msgspec.structs.replace(after_yes(asks, write), report=report)


def after_yes(asks: str, do: Callable[[], VerbResult]) -> VerbResult:
    """Asks a question, and does something if the next line is a yes."""

    def decided(answer: str) -> VerbResult:
        if answer.lower() in YES:
            return do()
        is_no = answer.lower() in NO
        return VerbResult((NOTHING if is_no else f"{NOTHING}: {answer!r} is neither y nor n",))

    return VerbResult(asks=f"{asks} y/n", then=decided)


def which_meaning(ambiguous: Ambiguous, line: str, do: Callable[[str], VerbResult]) -> VerbResult:
    """Asks which meaning of an ambiguous word is meant, and executes the line with it; Enter or yes is the first.

    A word that is none of them is named, and the question is asked again; several words are another line.

    Args:
        ambiguous: The refusal, with the candidates.
        line: The line that contains the word.
        do: Executes a line.

    Raises:
        Ambiguous: The line does not contain the word as it was typed.
    """
    candidates = ambiguous.candidates
    spoken = as_words(candidates)
    found = re.search(rf"""(?<![^\s=,"']){re.escape(ambiguous.word)}(?![^\s=,:"'])""", line, re.IGNORECASE)
    if found is None:
        raise ambiguous

    def chosen(answer: str) -> VerbResult:
        if answer.lower() in NO[1:]:
            return VerbResult((NOTHING,))
        place = number("1" if answer.lower() in ("", *YES) else answer)
        named = spoken.get(among(answer, spoken) or "") or one_of(answer, candidates) if place is None else None
        if place is not None and 1 <= place <= len(candidates):
            named = candidates[place - 1]
        if named is None and len(answer.split()) > 1:  # another line than an answer
            return do(answer)
        if named is None:
            problem = f"{answer!r} is not a meaning of {ambiguous.word!r}"
            return msgspec.structs.replace(asked, lines=(problem, *asked.lines))
        return do(f"{line[: found.start()]}{named}{line[found.end() :]}")

    lines = tuple(f"{place:>3}  {each}" for place, each in enumerate(spoken, 1))
    asked = VerbResult(lines, asks=f"{ambiguous.word}: which one? 1 to {len(candidates)}, n for none [1]", then=chosen)
    return asked


class LineResult(msgspec.Struct, frozen=True):
    """The result of a line."""

    entries: tuple[Entry, ...] = ()
    """The entries that were written since the line before, by this person or others."""
    done: VerbResult = VerbResult()
    refused: Refused | None = None
    kept: str = ""
    """The line if another person wrote first; it may be submitted once more."""
