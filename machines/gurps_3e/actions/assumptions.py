"""Records what is assumed for omitted terms that decide a number."""

from collections.abc import Iterator

from ledger.events import Event
from machines.contract.assumptions import assume
from machines.gurps_3e.attack.attack_context import attack
from machines.gurps_3e.attack.spending import rounds_of
from projections.combat import Combat


def of_attack(combat: Combat) -> Iterator[Event]:
    """Yields the number of rounds of a group."""
    now = attack(combat)
    if now.weapon.automatic and now.terms.rounds is None:
        rounds = rounds_of(combat, now.by, now.name, None)
        yield assume(now.key, "rounds", str(rounds), "B 119 Automatic Fire")
