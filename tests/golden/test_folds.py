"""What the recorded fights fold to belongs to the version of the folds, by which older checkpoints are thrown away."""

from hashlib import sha256
from pathlib import Path

import msgspec

from ledger import chain, codec
from projections.combat import Combat, evolve
from replays.sessions.record.checkpoints import FOLD

FIGHTS = sorted(path for path in Path(__file__).parent.glob("*-1.jsonl") if not path.stem.startswith("every-shape"))
EXPECTED = {
    1: "71127e528b83b7ba8f62c70b2f27c5b332ae1a6353be2a2e7c0c8583855be895",
    2: "988c4bcc8a249ba45825ce38a93030c29755e7f4378ae522e0ba3965b71bd174",
}
"""The digest of the states in these fights, by the version of the folds."""


def digest() -> str:
    """The digest of the state after each event of these fights."""
    found = sha256()
    for path in FIGHTS:
        combat = Combat()
        for line in path.read_bytes().splitlines()[1:]:
            for event in codec.decode(chain.imported(line).line).events:
                combat = evolve(combat, event)
                found.update(msgspec.msgpack.encode(combat))
    return found.hexdigest()


def test_the_version_of_the_folds_stands_for_what_they_lead_to() -> None:
    assert len(FIGHTS) > 3
    assert EXPECTED.get(FOLD) == digest(), "the folds lead to other states: count up `FOLD`, and add the new digest"
