"""Disputes, as far as they are a matter of rules: what a challenge and its settling must say.

Whether there is such a dispute in the whole log, standing or not, is a door's business
(`replays.audit.disputes.register`).
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from ledger.commands import Command, OpenDispute, SettleDispute
from ledger.events import DisputeOpened, DisputeSettled
from machines.contract import refusals as no
from machines.contract.ruleset import Ruleset
from machines.engine.walk import Walk

UPHELD, AMENDED, OVERRULED = "upheld", "amended", "overruled"
RULINGS = (UPHELD, AMENDED, OVERRULED)
"""What a dispute may come to: it stays as it was, the fact was wrong, or the gamemaster says otherwise."""
_ID = re.compile(r"d[1-9]\d*")


def _open(_: Ruleset, walk: Walk, command: OpenDispute) -> None:
    known = walk.combat.disputes
    dispute = command.dispute or f"d{len(known) + 1}"
    if not _ID.fullmatch(dispute):
        raise no.BadId(f"{dispute!r} is no dispute's id", where="dispute", accepts="d and a number; or none")
    if dispute in known:
        raise no.DisputeTaken(f"there is a dispute {dispute} already", where="dispute", accepts="none: it is counted")
    walk.tell(DisputeOpened(dispute, command.about, command.claim, command.why))


def _settle(_: Ruleset, walk: Walk, command: SettleDispute) -> None:
    settled = walk.combat.disputes.settled.get(command.dispute)
    if settled is not None:
        raise no.SettledBefore(f"{command.dispute} is settled: {settled}", where="dispute", accepts="a new dispute")
    if command.ruling not in RULINGS:
        raise no.BadRuling(f"{command.ruling!r} is no ruling", where="ruling", accepts=", ".join(RULINGS))
    if command.ruling != UPHELD and command.entry is None:
        raise no.BadRuling(f"{command.ruling} by which entry?", where="entry", accepts="the entry that did it")
    walk.tell(DisputeSettled(command.dispute, command.ruling, command.entry, command.why))


HANDLERS: Mapping[type[Command], Callable[[Ruleset, Walk, Any], None]] = {OpenDispute: _open, SettleDispute: _settle}
