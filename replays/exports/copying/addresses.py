"""Checks the two addresses between which sessions are copied."""

from ledger.errors import Refused
from ledger.stores import is_same_ledger


class WrongAddresses(Refused):
    """Sessions cannot be copied between these addresses."""

    slug = "copy/addresses"


def check_addresses(source: str, target: str) -> None:
    """Refuses to copy between addresses of one ledger, or of a ledger in memory.

    Args:
        source: The address of the ledger to copy from.
        target: The address of the ledger to copy to.

    Raises:
        WrongAddresses: The addresses do not name two ledgers that last.
        UnknownStore: An address is malformed.
    """
    for where, address in (("FROM", source), ("TO", target)):
        if address.startswith("memory:"):
            raise WrongAddresses(
                f"{where} is a ledger in memory, which ends with this call",
                where=where, accepts="sqlite:///path.db, postgresql://host/database, nats://host1,host2,host3/ledger",
            )  # fmt: skip
    if is_same_ledger(source, target):
        raise WrongAddresses("FROM and TO are the same ledger", where="TO", accepts="another ledger")
