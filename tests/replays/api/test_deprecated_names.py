"""Old public names still work, and warn."""

import pytest

from ledger.commands import Note
from replays.api.session import Session


def test_performed_is_perform_all_and_warns() -> None:
    session = Session.create("memory://", ruleset="gurps_3e")

    with pytest.deprecated_call(match="perform_all"):
        written = session.performed(Note("x"))

    assert written == list(session.entries())[-1:]
