"""Configures structured logs on standard error: one line of JSON each, without tokens, queries or bodies."""

import logging
import sys
from typing import Any

import msgspec
import structlog


def _json(event: Any, **_: object) -> str:
    return msgspec.json.encode(event, enc_hook=repr).decode()


_SHARED: tuple[Any, ...] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


def configure(*, quietly: bool = False) -> None:
    """Configures the logs of this process; libraries log in the same format.

    Args:
        quietly: Whether only warnings and errors are logged, and no requests.
    """
    structlog.configure(
        processors=[*_SHARED, structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_json)],
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING if quietly else logging.INFO),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=list(_SHARED),
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(_json),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers, root.level = [handler], logging.WARNING
