"""Decides commands without writing their entries, also commands that today's bounds would refuse."""

from ledger.commands import Command
from replays.api.pipeline import Pipeline
from replays.api.prepare import Situation, prepared
from replays.api.request import Request
from replays.api.session import Session
from replays.sessions import ports
from replays.sessions.log import Draft
from replays.views.view_cache import ViewCache


def drafts(session: Session, command: Command) -> list[Draft]:
    """Prepares and decides a command on a session's log, with a separate pipeline."""
    pipeline = Pipeline(session.log, ViewCache(session.log), ports.draw, ports.now)
    request = Request(command)
    combat = session.log.combat
    met = Situation(session.log, combat, pipeline.drafting, pipeline.waiting, request)
    return pipeline._decided(prepared(met), request, combat).drafts
