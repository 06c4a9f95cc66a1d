"""Decides `OpenDispute` and `SettleDispute`.

`replays.audit.disputes.register` checks whether the whole log, with all its branches, has such a dispute.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from ledger.commands import Command, OpenDispute, SettleDispute
from ledger.events import DisputeOpened, DisputeSettled
from machines.contract.refusals import BadId, BadRuling, DisputeTaken, SettledBefore
from machines.contract.ruleset import Ruleset
from machines.engine.walk import Walk

UPHELD, AMENDED, OVERRULED = "upheld", "amended", "overruled"
RULINGS = (UPHELD, AMENDED, OVERRULED)
"""How a dispute can be settled: the log was right, it was amended, or a figure was overruled."""
_ID = r"d[1-9]\d*"


def _open(_: Ruleset, walk: Walk, command: OpenDispute) -> None:
    known = walk.combat.disputes
    dispute = command.dispute or f"d{len(known) + 1}"
    if not re.fullmatch(_ID, dispute):
        raise BadId(f"{dispute!r} is not the id of a dispute", where="dispute", accepts="d and a number; or empty")
    if dispute in known:
        problem = f"there is already a dispute {dispute}"
        raise DisputeTaken(problem, where="dispute", accepts="empty: ids are given automatically")
    walk.tell(DisputeOpened(dispute, command.about, command.claim, command.why))


def _settle(_: Ruleset, walk: Walk, command: SettleDispute) -> None:
    settled = walk.combat.disputes.settled.get(command.dispute)
    if settled is not None:
        problem = f"{command.dispute} is settled already: {settled}"
        raise SettledBefore(problem, where="dispute", accepts="a new dispute")
    if command.ruling not in RULINGS:
        raise BadRuling(f"{command.ruling!r} is not a ruling", where="ruling", accepts=", ".join(RULINGS))
    if command.ruling != UPHELD and command.entry is None:
        accepts = "the entry that amended or overruled"
        raise BadRuling(f"a dispute that is {command.ruling} needs an entry", where="entry", accepts=accepts)
    walk.tell(DisputeSettled(command.dispute, command.ruling, command.entry, command.why))


HANDLERS: Mapping[type[Command], Callable[[Ruleset, Walk, Any], None]] = {OpenDispute: _open, SettleDispute: _settle}
