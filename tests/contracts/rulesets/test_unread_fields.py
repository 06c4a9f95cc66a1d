"""Every field of a table, a profile, a sheet and a declaration is read by a rule in some fight, or is listed as unread.

`unread/GAME.txt` lists the fields that no scenario reads while it is decided. The lists may only shrink: a new field
that nothing reads is a fault, and so is a listed one that is read.
"""

from pathlib import Path

import pytest
from all_fights import played
from sweeping import Sweep, decided_entries

from machines.contract.registry import installed
from machines.contract.ruleset import ruleset

UNREAD = Path(__file__).parent / "unread"
GAMES = [name for name in sorted(installed()) if (UNREAD / f"{name}.txt").exists()]


@pytest.mark.whole
@pytest.mark.parametrize("name", GAMES)
def test_every_field_is_read_in_some_fight_or_is_listed(name: str) -> None:
    listed = set((UNREAD / f"{name}.txt").read_text().splitlines())
    sweep = Sweep(ruleset(name), decided_entries(played(name)))

    every = {str(field._replace(row="")) for field in sweep.homes.fields()}
    read = {str(field._replace(row="")) for field in sweep.readers}

    assert every - read == listed
