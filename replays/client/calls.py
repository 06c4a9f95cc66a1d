"""Everything that can be asked of a session over HTTP, each as a `Call`; sync and async faces send the same ones."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ledger import codec
from ledger.commands import Amend, ApplyModifier, Command, Declare, Overrule, Rewind
from ledger.entry import Who
from ledger.events import Audience
from machines.contract.refusals import NoSuchDispute
from machines.engine.options import Possibility
from projections.path import Rest
from projections.views.document import State
from replays.audit.audit import Audit
from replays.audit.disputes.case import Dispute
from replays.audit.disputes.register import Disputed
from replays.audit.why import Why
from replays.client import answers
from replays.client.answers import Heard
from replays.client.call import Call, as_, get, part, post, typed, write
from replays.corrections.amend import Amendment
from replays.corrections.change import Change
from replays.corrections.diff import Report
from replays.odds.luck import Luck
from replays.odds.odds import Odds

PAGE = 1_000
"""Entries that are asked for at once."""
_ANYBODY = Who("")
"""Who asks is what the token says."""


class Calls:
    """What can be asked of one session.

    Args:
        session: Its id.
    """

    def __init__(self, session: str) -> None:
        self.path = f"/v1/sessions/{part(session)}"

    # -------------------------------------------------------------------------------------------- reading

    def rests(self) -> Call[tuple[Rest, ...]]:
        """What the table waits for."""
        return get(f"{self.path}/rests", answers.rests)

    def options(self) -> Call[tuple[Possibility, ...]]:
        """What is legal now."""
        return get(f"{self.path}/options", lambda body: tuple(as_(list[Possibility], body)))

    def entries(self, after: int, limit: int) -> Call[list[Heard]]:
        """A page of the log."""
        return get(f"{self.path}/entries", answers.entries, after=after, limit=limit)

    def state(self, at: int | None) -> Call[State]:
        """What is so."""
        return get(f"{self.path}/state", typed(State), at=at)

    def why(self, subject: str) -> Call[Why]:
        """Why a number is what it is."""
        return get(f"{self.path}/why", typed(Why), of=subject)

    def odds(
        self, key: str | None, declare: Declare | None, choices: Mapping[str, str] | None, seed: int
    ) -> Call[Odds]:
        """What may come of a roll or a declaration."""
        if declare is not None:
            codec.check_command(_ANYBODY, declare)
        body = {"key": key, "declare": declare, "choices": dict(choices or {}), "seed": seed}
        return post(f"{self.path}/odds", body, answers.odds)

    def luck(self) -> Call[Luck]:
        """What the dice showed."""
        return get(f"{self.path}/luck", answers.luck)

    def audit(self, head: str | None) -> Call[Audit]:
        """Is the record whole?"""
        return get(f"{self.path}/audit", typed(Audit), head=head)

    def disputes(self) -> Call[tuple[Disputed, ...]]:
        """The disputes, open and settled."""
        return get(f"{self.path}/disputes", lambda body: tuple(as_(list[Disputed], body)))

    def dispute(self, dispute: str) -> Call[Dispute]:
        """One of them.

        Raises:
            NoSuchDispute: It is called as none can be.
        """
        if not dispute.strip(".") or "/" in dispute:  # which in an address means something else
            raise NoSuchDispute(f"there is no dispute {dispute!r}", where="dispute", accepts="such as d1")
        return get(f"{self.path}/disputes/{part(dispute)}", typed(Dispute))

    def export(self) -> Call[list[bytes]]:
        """The session as JSON lines."""
        call = get(f"{self.path}/export", answers.lines)
        return msgspec.structs.replace(call, headers={"accept": "application/jsonl"})

    # -------------------------------------------------------------------------------------------- playing

    def performed(self, command: Command, expected: int | None, batch: str | None) -> Call[list[Heard]]:
        """A command."""
        codec.check_command(_ANYBODY, command)
        return write(f"{self.path}/commands", command, answers.performed, expected, batch)

    def rewind(
        self, to: int, why: str, seen_by: Audience, expected: int | None, batch: str | None
    ) -> Call[list[Heard]]:
        """Back to an entry."""
        return self.performed(Rewind(to, why, seen_by=seen_by), expected, batch)

    def undo(
        self, span: str, why: str, seen_by: Audience, expected: int | None, batch: str | None
    ) -> Call[list[Heard]]:
        """Back by a step, an exchange, a turn or a round."""
        asked = {"span": span, "why": why, **_secretly(seen_by)}
        return write(f"{self.path}/undo", asked, answers.performed, expected, batch)

    def redo(self, why: str, seen_by: Audience, expected: int | None, batch: str | None) -> Call[list[Heard]]:
        """The latest undo taken back."""
        return write(f"{self.path}/redo", {"why": why, **_secretly(seen_by)}, answers.performed, expected, batch)

    def overrule(  # noqa: PLR0917  as a session has them
        self,
        key: str,
        figure: str,
        value: int | str,
        why: str,
        seen_by: Audience,
        expected: int | None,
        batch: str | None,
    ) -> Call[list[Heard]]:
        """The gamemaster's word in the place of a figure."""
        return self.performed(Overrule(key, figure, value, why, seen_by=seen_by), expected, batch)

    def modify(  # noqa: PLR0917
        self, key: str, value: int, why: str, seen_by: Audience, expected: int | None, batch: str | None
    ) -> Call[list[Heard]]:
        """The gamemaster's modifier on a roll."""
        return self.performed(ApplyModifier(key, value, why, seen_by=seen_by), expected, batch)

    # -------------------------------------------------------------------------------------------- correcting

    def amend(  # noqa: PLR0917
        self,
        entry: int | str,
        change: Change,
        why: str,
        seen_by: Audience,
        expected: int | None,
        batch: str | None,
        *,
        consent: bool,
    ) -> Call[Amendment]:
        """A correction."""
        asked = _considered(entry, change, why, consent=consent) | _secretly(seen_by)
        return write(f"{self.path}/amend", asked, answers.amendment, expected, batch)

    def preview(self, entry: int | str, change: Change, why: str, *, consent: bool) -> Call[Report]:
        """What a correction would come to."""
        asked = _considered(entry, change, why, consent=consent)
        return post(f"{self.path}/amend/preview", asked, typed(Report))

    def whatif(self, entry: int | str, change: Change) -> Call[Report]:
        """What would have come of something else."""
        return post(f"{self.path}/what-if", _considered(entry, change, "", consent=True), typed(Report))


def _secretly(seen_by: Audience) -> dict[str, Any]:
    """Who may see the reason; left out of a request where everyone may, as servers know it that have no such field."""
    return {} if seen_by is None else {"seen_by": seen_by}


def _considered(entry: int | str, change: Change, why: str, *, consent: bool) -> dict[str, Any]:
    plain = msgspec.to_builtins(change)
    codec.check_command(_ANYBODY, Amend(entry if isinstance(entry, int) else 0, plain, why))
    return {"entry": entry, "change": plain, "why": why, "consent": consent}
