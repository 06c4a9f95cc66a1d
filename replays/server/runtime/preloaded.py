"""Loads what worker processes need: the process that they are forked from imports this module and shares its memory.

The server does not import it: it loads the rules of a game when the first session needs them.
"""

import gc
from contextlib import suppress

from machines.contract.ruleset import ruleset
from machines.registry import installed
from replays.audit.disputes import precedents
from replays.odds import odds
from replays.server.runtime import worker
from replays.server.runtime.questions import of_campaigns, of_tables

__all__ = ("odds", "of_campaigns", "of_tables", "precedents", "worker")

for _name in installed():
    with suppress(Exception):  # a ruleset that cannot be loaded is reported when it is used
        ruleset(_name)
gc.freeze()  # otherwise a worker's first garbage collection would copy the shared memory
