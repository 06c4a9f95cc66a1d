"""The explanations in a saved replay: each once, with its texts in one list, so that long fights stay small."""

from collections.abc import Iterable, Iterator

import msgspec

from ledger.audience import Viewer
from replays.audit.why import Explainer, ExplanationStep, Why, is_of_a_combatant
from replays.exports.theatre.model import Outline, ReplayStep, ReplaySteps
from replays.sessions.log import Log


class SavedPart(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """A part of an explanation, as a list; see `ExplanationStep`. Texts are places in the list of texts."""

    value: int | str | None
    what: int
    why: int
    source: int
    entry: int
    by: int
    origin: int | None = None


class SavedWhy(msgspec.Struct, frozen=True, array_like=True):
    """An explanation, as a list, without those that it leads to."""

    upto: int
    """It holds for entries up to this one; what was recorded after an entry is no part of it."""
    titles: tuple[tuple[int, str], ...]
    """The titles, each with the entry that it holds from."""
    parts: tuple[SavedPart, ...]
    leads_to: tuple[str, ...]
    """The subjects of what it is made of or came from."""


class SavedReasons(msgspec.Struct, frozen=True):
    """All explanations of a saved replay."""

    texts: list[str]
    whys: dict[str, list[SavedWhy]]
    """Explanations by subject, those of older lines first."""


def saved_reasons(log: Log, eyes: Viewer, whole: Outline, pages: Iterable[ReplaySteps]) -> SavedReasons:
    """Explains everything that the steps name: what was undone as of just before that, the rest as of now.

    Args:
        log: The log as the viewer may see it.
        eyes: The viewer.
        whole: The outline of the log.
        pages: All of its steps.
    """
    reasons = _Reasons(log)
    every = [step for page in pages for step in page.steps]
    for stretch in sorted(whole.undone, key=lambda each: each.by):
        tip = log.timeline.head_at(stretch.by - 1)
        lost = every[stretch.first - 1 : stretch.last]
        reasons.explain(Explainer(log, eyes, tip), lost, stretch.by - 1, stretch.first - 1)
    reasons.explain(Explainer(log, eyes), [step for step in every if step.stands], log.last)
    return SavedReasons(list(reasons.texts), reasons.whys)


class _Reasons:
    """Collects explanations."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.texts: dict[str, int] = {}
        """The places of texts in the list."""
        self.whys: dict[str, list[SavedWhy]] = {}

    def explain(self, explainer: Explainer, steps: Iterable[ReplayStep], upto: int, after: int = 0) -> None:
        """Adds what steps name, and the figures that changed after an entry; each holds up to another entry."""
        keys = dict.fromkeys(key for step in steps for key in step.keys)
        for subject in (*keys, *explainer.figures(after)):
            for why in _flat(explainer.why(subject)):
                known = self.whys.setdefault(why.subject, [])
                if not known or known[-1].upto != upto:
                    leads = tuple(each.subject for each in why.leads_to)
                    titles: tuple[tuple[int, str], ...] = ((0, why.title),)
                    if is_of_a_combatant(why.subject):
                        titles = tuple(explainer.titles(why.subject, self._log.state))
                    known.append(SavedWhy(upto, titles, tuple(map(self._part, why.parts)), leads))

    def _part(self, part: ExplanationStep) -> SavedPart:
        what, why, source, by = map(self._place, (part.what, part.why, part.source, part.by))
        return SavedPart(part.value, what, why, source, part.entry, by, part.origin)

    def _place(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))


def _flat(why: Why) -> Iterator[Why]:
    yield why
    for each in why.leads_to:
        yield from _flat(each)
