"""Refusals of every class survive pickling."""

import importlib
import pickle
import pkgutil

import pytest

import ledger
import machines
import replays
from ledger.errors import Broken, Refused, Stale


def every_kind() -> list[type[Refused]]:
    """Yields all classes of refusals."""
    for package in (ledger, machines, replays):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    found, new = {Refused}, {Refused}
    while new:
        new = {kind for each in new for kind in each.__subclasses__()} - found
        found |= new
    return sorted(
        (kind for kind in found if not kind.__module__.startswith("server.")), key=lambda kind: kind.__qualname__
    )


def test_every_refusal_is_the_same_in_another_process() -> None:
    kinds = every_kind()
    assert len(kinds) > 100
    for kind in kinds:
        refusal = kind.__new__(kind, "no")
        Refused.__init__(refusal, "no", where="there", accepts="this")
        refusal.extra = 7  # type: ignore[attr-defined]
        found = pickle.loads(pickle.dumps(refusal))
        assert type(found) is kind
        assert (str(found), found.args, vars(found)) == (str(refusal), refusal.args, vars(refusal))


@pytest.mark.parametrize("refusal", [Stale(3, 4), Broken("torn", seq=7)])
def test_what_a_refusal_has_beside_its_words_goes_along(refusal: Refused) -> None:
    assert vars(pickle.loads(pickle.dumps(refusal))) == vars(refusal)
