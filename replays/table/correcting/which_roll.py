"""Finds the rolls that a shorthand may mean, those of the latest attack first; asks which one if there are several."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from ledger import events as e
from ledger.key import declarer, is_meant
from machines.contract.dice_reading import counts_in_words
from machines.contract.refusals import NoSuchRoll
from replays.audit.event_index import EventIndex, IndexedEvent, facts
from replays.sessions.lookup import figures_of, is_of_no_dice
from replays.table.at_table import TableContext
from replays.table.done import NO, NOTHING, YES, VerbResult
from replays.table.language.grammar import NotUnderstood
from replays.table.language.targets import id_of


class NotOneOfThese(NotUnderstood):
    """The answer names none of the candidates, or several."""


class Candidate(msgspec.Struct, frozen=True):
    """A roll or an exchange that a shorthand may mean."""

    key: str
    by: str
    words: str
    """The roller, the purpose, and the faces or ``open``."""
    within: str
    """The exchange that it belongs to."""
    latest: tuple[bool, int]
    """Whether the table is waiting for something of that exchange, and the place of the roll's last event."""
    short: str = ""
    """The shortest shorthand that means only this candidate."""

    @property
    def declared_by(self) -> str:
        """The combatant who declared the exchange; outside of exchanges, the roller."""
        return declarer(self.key)


def rolls(table: TableContext) -> list[Candidate]:
    """Returns the rolls that stand, open or thrown, in the order in which they were requested."""
    known = facts(table.session.log, table.eyes)
    open_ = {rest.key for rest in table.seen.rests if rest.dice}
    found = []
    for key, request in known.asked.items():
        faces = "open" if key in open_ else _faces(known.of(key))
        if isinstance(request, e.RollRequested) and faces:
            found.append(_candidate(table, known, key, request.by, f"{request.purpose} ({faces})"))
    return _shortened(found)


def with_figure(table: TableContext, figure: str) -> list[Candidate]:
    """Returns the rolls and exchanges that have a figure of that name."""
    known = facts(table.session.log, table.eyes)
    found = []
    for key, event in {**known.declared, **known.asked}.items():
        entry = next(
            (fact.entry.seq for fact in reversed(known.of(key)) if figure in figures_of(fact.event, known.wording)), 0
        )
        what = event.kind if isinstance(event, e.Declared) else event.purpose
        if entry:
            found.append(_candidate(table, known, key, event.by, f"{what} (entry {entry})"))
    return _shortened(found)


def nearest(candidates: Sequence[Candidate], short: str) -> list[Candidate]:
    """Returns the candidates that a shorthand means, in the latest exchange with any; an empty shorthand means all.

    An exchange that the table is waiting for comes before one that is over. A combatant's own rolls, however old, come
    before the rolls of others against that combatant.
    """
    exact = [each for each in candidates if each.key == short]
    own = [each for each in candidates if not short or is_meant(short, each.key, each.by)]
    return _of_the_latest(
        exact or own or [each for each in candidates if is_meant(short, each.key, each.declared_by)], candidates
    )


def _of_the_latest(fitting: Sequence[Candidate], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Returns the fitting candidates in the latest exchange that has any."""
    latest: dict[str, tuple[bool, int]] = {}
    for each in candidates:
        latest[each.within] = max(each.latest, latest.get(each.within, each.latest))
    for exchange in sorted(latest, key=lambda within: latest[within], reverse=True):
        inside = [each for each in fitting if each.within == exchange]
        if inside:
            return inside
    return []


def choose_roll(found: Sequence[Candidate], do: Callable[[Candidate], VerbResult]) -> VerbResult:
    """Continues with the only roll; asks which one if there are several, again if the answer is none of them.

    An empty answer or yes is the first one.
    """
    if len(found) == 1:
        return do(found[0])

    def chosen(answer: str) -> VerbResult:
        if answer.lower() in NO[1:]:
            return VerbResult((NOTHING,))
        try:
            return do(_chosen(found, "1" if answer.lower() in ("", *YES) else answer))
        except NotOneOfThese as refused:
            return msgspec.structs.replace(asked, lines=(str(refused), *asked.lines))

    width = max(len(each.short) for each in found)
    lines = tuple(f"{number:>3}  {each.short:<{width}}  {each.words}" for number, each in enumerate(found, 1))
    asked = VerbResult(lines, asks=f"which one? 1 to {len(found)}, n for none [1]", then=chosen)
    return asked


def named(table: TableContext, short: str) -> str:
    """Returns a shorthand with a combatant's name replaced by the id."""
    return id_of(table.seen.roster, short)


def rolls_of(candidates: Sequence[Candidate], who: str) -> list[Candidate]:
    """Returns the rolls of one combatant; all rolls if `who` is empty.

    Raises:
        NoSuchRoll: There is none.
    """
    found = [each for each in candidates if who in ("", each.by)]
    if not found:
        whose = f" by {who}" if who else ""
        raise NoSuchRoll(f"nothing was rolled{whose} yet", where="key", accepts="a roll first")
    return found


def _chosen(found: Sequence[Candidate], answer: str) -> Candidate:
    """Returns the candidate that a number or a shorthand means.

    Raises:
        NotOneOfThese: The answer means none of them, or several.
    """
    if answer.isdecimal() and answer.isascii() and len(answer) < 5 and 1 <= int(answer) <= len(found):
        return found[int(answer) - 1]
    exact = [each for each in found if answer in (each.key, each.short)]
    fitting = exact or [each for each in found if is_meant(answer, each.key, each.by)]
    if len(fitting) != 1:
        accepts = f"1 to {len(found)}, {', '.join(each.short for each in found)}"
        raise NotOneOfThese(f"{answer!r} is not one of these rolls", where="key", accepts=accepts)
    return fitting[0]


# ------------------------------------------------------------------------------------------------ finding


def _candidate(table: TableContext, known: EventIndex, key: str, by: str, words: str) -> Candidate:
    combat = table.seen
    within = known.exchange_of(key) or _group(key)
    waits = any((known.exchange_of(rest.key) or _group(rest.key)) == within for rest in combat.rests)
    return Candidate(key, by, f"{combat.roster.name(by)}, {words}", within, (waits, known.of(key)[-1].place))


def _group(key: str) -> str:
    """Returns the group of a roll outside of exchanges: rolls of one name and period, such as all initiative rolls."""
    parts = key.split("/")
    return f"{parts[0]}/*/{parts[-1]}"


def _faces(found: Sequence[IndexedEvent]) -> str:
    """Returns the entry and the faces of a thrown roll; an empty text if it was not thrown."""
    for fact in reversed(found):
        if isinstance(fact.event, e.DiceRolled):
            return f"entry {fact.entry.seq}: {' '.join(map(str, fact.event.faces)) or 'out of sight'}"
        if isinstance(fact.event, e.DiceTold):
            return f"entry {fact.entry.seq}: {counts_in_words(fact.event.counts)}"
        if is_of_no_dice(fact.event):
            return f"entry {fact.entry.seq}: no die"
    return ""


def _shortened(candidates: Sequence[Candidate]) -> list[Candidate]:
    return [msgspec.structs.replace(each, short=_shorthand(each, candidates)) for each in candidates]


def _shorthand(roll: Candidate, candidates: Sequence[Candidate]) -> str:
    return next((short for short in _shorthands(roll) if nearest(candidates, short) == [roll]), roll.key)


def _shorthands(roll: Candidate) -> Iterator[str]:
    parts = roll.key.split("/")
    for count in (1, 2, 3):
        if not parts[-count:][0].isdecimal():
            yield f"{roll.by}/{'/'.join(parts[-count:])}"
