"""The check of client histories accepts what a store may do, and finds each broken promise."""

import pytest
from long.part import Failed
from long.storms.linear import Done, check_history

LOG = [b"1", b"2", b"3"]


def append(seq: int, began: float, ended: float, *, client: int = 0, digest: bytes = b"") -> Done:
    return Done(client, True, began, ended, seq, digest or LOG[seq - 1])


def read(seq: int, began: float, ended: float, *, client: int = 0) -> Done:
    return Done(client, False, began, ended, seq, LOG[seq - 1] if seq else b"")


def test_overlapping_appends_may_have_any_order_and_another_client_may_read_late() -> None:
    check_history(
        [
            append(2, 0.0, 3.0), append(1, 1.0, 2.0, client=1), read(2, 3.1, 3.2),
            read(0, 2.5, 2.6, client=2), append(3, 4.0, 5.0, client=1),
        ],
        LOG,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("history", "reason"),
    [
        ([append(1, 0.0, 1.0, digest=b"other")], "lost"),
        ([Done(0, True, 0.0, 1.0, 4, b"4")], "lost"),
        ([append(1, 0.0, 1.0), append(1, 2.0, 3.0, client=1)], "doubled"),
        ([append(2, 0.0, 1.0), append(1, 2.0, 3.0, client=1)], "not linearizable"),
        ([append(2, 0.0, 1.0), read(1, 2.0, 3.0)], "had seen"),
        ([read(2, 0.0, 1.0), read(1, 2.0, 3.0)], "had seen"),
        ([read(1, 0.0, 1.0, client=1), append(1, 2.0, 3.0)], "invented"),
    ],
    ids=["altered", "cut off", "doubled", "out of order", "own write unseen", "going back", "from the future"],
)
def test_a_broken_promise_is_found(history: list[Done], reason: str) -> None:
    with pytest.raises(Failed, match=reason):
        check_history(history, LOG)
