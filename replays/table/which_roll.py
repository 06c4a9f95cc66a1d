"""Finds the rolls that a shorthand may mean, of the latest attack first; asks which, where they are several."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from ledger import events as e
from ledger.key import declarer, is_meant
from machines.contract.refusals import NoSuchRoll
from replays.audit.event_index import Fact, Facts, facts
from replays.sessions.lookup import figures_of, is_of_no_dice
from replays.table.at_table import TableContext
from replays.table.done import NO, NOTHING, VerbResult
from replays.table.language.grammar import NotUnderstood
from replays.table.language.names import id_of


class Candidate(msgspec.Struct, frozen=True):
    """A roll, or an exchange, that may be meant."""

    key: str
    by: str
    words: str
    """Whose, what for, and whether it is open or how it lies."""
    within: str
    """The exchange that it belongs to."""
    latest: tuple[bool, int]
    """Does the table wait for something of that exchange, and how late was it heard of?"""
    short: str = ""
    """The shortest shorthand that means it alone."""

    @property
    def declared_by(self) -> str:
        """Who declared the exchange; of other rolls the roller."""
        return declarer(self.key)


def rolls(table: TableContext) -> list[Candidate]:
    """The rolls that stand, open or thrown, in the order in which they were asked for."""
    known = facts(table.session.log, table.eyes)
    open_ = {rest.key for rest in table.seen.rests if rest.dice}
    found = []
    for key, asked in known.asked.items():
        how = "open" if key in open_ else _how_it_lies(known.of(key))
        if isinstance(asked, e.RollRequested) and how:
            found.append(_candidate(table, known, key, asked.by, f"{asked.purpose} ({how})"))
    return _shortened(found)


def with_figure(table: TableContext, figure: str) -> list[Candidate]:
    """The rolls and exchanges under which a figure of that name stands."""
    known = facts(table.session.log, table.eyes)
    found = []
    for key, asked in {**known.declared, **known.asked}.items():
        entry = next(
            (fact.entry.seq for fact in reversed(known.of(key)) if figure in figures_of(fact.event, known.wording)), 0
        )
        what = asked.kind if isinstance(asked, e.Declared) else asked.purpose
        if entry:
            found.append(_candidate(table, known, key, asked.by, f"{what} (entry {entry})"))
    return _shortened(found)


def nearest(candidates: Sequence[Candidate], short: str) -> list[Candidate]:
    """Those of the latest exchange in which any is meant; all of it where the shorthand is empty.

    What the table waits for comes before what is over, and what a combatant rolls, however long ago, before what others
    roll against them.
    """
    exact = [one for one in candidates if one.key == short]
    own = [one for one in candidates if not short or is_meant(short, one.key, one.by)]
    return _of_the_latest(
        exact or own or [one for one in candidates if is_meant(short, one.key, one.declared_by)], candidates
    )


def _of_the_latest(fitting: Sequence[Candidate], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those in the latest exchange of all candidates in which any is."""
    latest: dict[str, tuple[bool, int]] = {}
    for one in candidates:
        latest[one.within] = max(one.latest, latest.get(one.within, one.latest))
    for exchange in sorted(latest, key=lambda within: latest[within], reverse=True):
        inside = [one for one in fitting if one.within == exchange]
        if inside:
            return inside
    return []


def choose_roll(found: Sequence[Candidate], do: Callable[[Candidate], VerbResult]) -> VerbResult:
    """Goes on with the one roll that is meant; asks which, where they are several."""
    if len(found) == 1:
        return do(found[0])

    def chosen(answer: str) -> VerbResult:
        return VerbResult((NOTHING,)) if answer.lower() in NO else do(_chosen(found, answer))

    width = max(len(one.short) for one in found)
    lines = tuple(f"{number:>3}  {one.short:<{width}}  {one.words}" for number, one in enumerate(found, 1))
    return VerbResult(lines, asks=f"which one? 1 to {len(found)}", then=chosen)


def named(table: TableContext, short: str) -> str:
    """A shorthand in which somebody may be called by their name."""
    return id_of(table.seen.roster, short)


def rolls_of(candidates: Sequence[Candidate], who: str) -> list[Candidate]:
    """The rolls of one combatant; all, where nobody is named.

    Raises:
        NoSuchRoll: There is none.
    """
    found = [one for one in candidates if who in ("", one.by)]
    if not found:
        whose = f" by {who}" if who else ""
        raise NoSuchRoll(f"nothing was rolled{whose} yet", where="key", accepts="a roll first")
    return found


def _chosen(found: Sequence[Candidate], answer: str) -> Candidate:
    """The one that a number or a shorthand means."""
    if answer.isdecimal() and answer.isascii() and len(answer) < 5 and 1 <= int(answer) <= len(found):
        return found[int(answer) - 1]
    exact = [one for one in found if answer in (one.key, one.short)]
    fitting = exact or [one for one in found if is_meant(answer, one.key, one.by)]
    if len(fitting) != 1:
        accepts = f"1 to {len(found)}, {', '.join(one.short for one in found)}"
        raise NotUnderstood(f"{answer!r} is none of them; {NOTHING}", where="key", accepts=accepts)
    return fitting[0]


# ------------------------------------------------------------------------------------------------ finding


def _candidate(table: TableContext, known: Facts, key: str, by: str, words: str) -> Candidate:
    combat = table.seen
    within = known.exchange_of(key) or _together(key)
    waits = any((known.exchange_of(rest.key) or _together(rest.key)) == within for rest in combat.rests)
    return Candidate(key, by, f"{combat.roster.name(by)}, {words}", within, (waits, known.of(key)[-1].place))


def _together(key: str) -> str:
    """Outside of exchanges the rolls of one name in a period belong together: everybody's initiative."""
    parts = key.split("/")
    return f"{parts[0]}/*/{parts[-1]}"


def _how_it_lies(told: Sequence[Fact]) -> str:
    """The entry that threw a roll, and its faces; empty where it was not thrown."""
    for fact in reversed(told):
        if isinstance(fact.event, e.DiceRolled):
            return f"entry {fact.entry.seq}: {' '.join(map(str, fact.event.faces)) or 'out of sight'}"
        if is_of_no_dice(fact.event):
            return f"entry {fact.entry.seq}: no die"
    return ""


def _shortened(candidates: Sequence[Candidate]) -> list[Candidate]:
    return [msgspec.structs.replace(one, short=_short(one, candidates)) for one in candidates]


def _short(one: Candidate, candidates: Sequence[Candidate]) -> str:
    return next((short for short in _shorts(one) if nearest(candidates, short) == [one]), one.key)


def _shorts(one: Candidate) -> Iterator[str]:
    parts = one.key.split("/")
    for count in (1, 2, 3):
        if not parts[-count:][0].isdecimal():
            yield f"{one.by}/{'/'.join(parts[-count:])}"
