"""A fight as data for a page that replays it: its outline, and its entries with what each changes.

>>> from replays.api.run_script import perform
>>> from replays.exports.theatre import outline, steps
>>> from replays.scripts.format import find_script, read
>>> session = perform(read(find_script("stray-burst")[1]))
>>> [(one.entry, one.about) for one in outline(session.log).exchanges][:2]
[(6, 'move'), (8, 'attack on Ilse')]
>>> steps(session.log, 6, 1).steps[0].narration
("Ilse's turn is over.", 'Sergeant Varga acts.')
"""

from replays.exports.theatre.outline import outline
from replays.exports.theatre.steps import steps

__all__ = ("outline", "steps")
