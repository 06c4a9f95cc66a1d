"""The stack of declared actions that are being resolved, each opened by `Declared` and closed by `ExchangeEnded`."""

from collections.abc import Mapping

import msgspec

from ledger.codec import canonical
from ledger.events import Audience, Chosen, CombatEnded, Declared, ExchangeEnded, RoundBegan, SessionClosed
from ledger.key import action
from projections.fold import Routes


class Frame(msgspec.Struct, frozen=True, gc=False):
    """A declared action that is not yet resolved."""

    key: str
    kind: str
    by: str
    terms: str
    """The terms as canonical JSON; typed by the ruleset."""
    seen_by: Audience = None
    """Who may see the declaration."""


class ExchangeOutcome(msgspec.Struct, frozen=True, gc=False):
    """The last resolved action."""

    key: str
    outcome: str


class Exchange(msgspec.Struct, frozen=True, gc=False):
    """The stack of frames, outermost first."""

    frames: tuple[Frame, ...] = ()
    chosen: Mapping[str, str] = {}
    """The chosen options by the key of the choice, since the last outermost frame was closed."""
    counts: Mapping[str, int] = {}
    """The number of declarations in this round, by ``who/kind``."""
    last: ExchangeOutcome | None = None

    @property
    def frame(self) -> Frame | None:
        """The innermost frame; None if there is none."""
        return self.frames[-1] if self.frames else None

    def next_key(self, period: str, who: str, kind: str) -> str:
        """Returns the key of a combatant's next action of a kind."""
        return action(period, who, self.counts.get(f"{who}/{kind}", 0) + 1, kind)


def _declared(exchange: Exchange, event: Declared) -> Exchange:
    frame = Frame(event.key, event.kind, event.by, canonical(event.terms).decode(), event.seen_by)
    mine = f"{event.by}/{event.kind}"
    counts = {**exchange.counts, mine: exchange.counts.get(mine, 0) + 1}
    return Exchange((*exchange.frames, frame), exchange.chosen, counts, exchange.last)


def _ended(exchange: Exchange, event: ExchangeEnded) -> Exchange:
    frames = exchange.frames[:-1]
    chosen = exchange.chosen if frames else {}
    return Exchange(frames, chosen, exchange.counts, ExchangeOutcome(event.key, event.outcome))


def _chosen(exchange: Exchange, event: Chosen) -> Exchange:
    return Exchange(exchange.frames, {**exchange.chosen, event.key: event.option}, exchange.counts, exchange.last)


def _round(exchange: Exchange, _: RoundBegan) -> Exchange:
    return Exchange(exchange.frames, exchange.chosen, {}, exchange.last)


def _over(exchange: Exchange, _: CombatEnded | SessionClosed) -> Exchange:
    return Exchange((), {}, exchange.counts, exchange.last)


ROUTES: Routes = {
    Declared: _declared, ExchangeEnded: _ended, Chosen: _chosen, RoundBegan: _round, CombatEnded: _over,
    SessionClosed: _over,
}  # fmt: skip
