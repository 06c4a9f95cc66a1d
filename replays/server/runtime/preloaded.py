"""Loads what workers need; it is imported by the process that they are forked from, and shares it with them.

The server itself imports this module for its name, and has everything loaded anyway.
"""

import gc
from contextlib import suppress

from machines.contract.ruleset import installed, ruleset
from replays.server.runtime import worker

__all__ = ("worker",)

for _name in installed():
    with suppress(Exception):  # a game that cannot be loaded is told of when somebody plays it
        ruleset(_name)
gc.freeze()  # lest a worker's first collection copies all that is shared
