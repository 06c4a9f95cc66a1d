"""Where random fights come from: strategies by name. One more is one line more.

A generator makes fights as `strategies.fights` does: they have a `session` and `snapshots`. Its fights are kept in the
store that it is given, so that what was played can be shown also where playing itself goes wrong.
"""

from collections.abc import Callable, Mapping

from hypothesis.strategies import SearchStrategy
from strategies import ANSWERS, MOVES, Fight, fights

from ledger.stores import Store

Generator = Callable[[Callable[[], Store]], SearchStrategy[Fight]]

GENERATORS: Mapping[str, Generator] = {
    "all moves": lambda store: fights(moves=MOVES, secrets=True, store=store),
    "long fights": lambda store: fights(moves=MOVES, least=60, most=140, store=store),
    "only answers": lambda store: fights(moves=ANSWERS, least=40, most=100, secrets=True, store=store),
}
"""Used in turn, a chunk of fights each."""
