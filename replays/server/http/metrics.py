"""Prometheus metrics of the server."""

import os
from functools import lru_cache
from pathlib import Path

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REQUESTS = Counter("affray_requests_total", "Requests, by route and status.", ("method", "route", "status"))
SECONDS = Histogram(
    "affray_request_seconds", "Seconds until requests were answered.", ("method", "route"), buckets=_BUCKETS
)
STUDIES = Counter("affray_studies_total", "Long questions, by kind and outcome.", ("question", "outcome"))
READERS = Gauge("affray_feed_readers", "Live feeds that are open.", multiprocess_mode="livesum")
SESSIONS = Gauge("affray_sessions_in_memory", "Sessions that are held in memory.", multiprocess_mode="livesum")
HOOKS = Gauge("affray_hooks", "Webhooks, by state.", ("state",), multiprocess_mode="livesum")
HOOK_MESSAGES = Counter("affray_hook_messages_total", "Messages to webhooks, by outcome.", ("outcome",))


def count(method: str, route: str, status: int, seconds: float | None) -> None:
    """Counts one request; `seconds` is None for a live feed, whose length is of no interest."""
    requests, times = _metrics_of(method, route, status)
    requests.inc()
    if seconds is not None:
        times.observe(seconds)


@lru_cache(maxsize=1024)
def _metrics_of(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Returns the counter and the histogram of a route."""
    return REQUESTS.labels(method, route, status), SECONDS.labels(method, route)


def exposition() -> tuple[bytes, str]:
    """Returns all metrics as text with its media type; of all server processes if there are several."""
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        _forget_the_dead(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST


def _forget_the_dead(folder: str) -> None:
    """Removes the gauges of server processes that have ended."""
    for file in Path(folder).glob("gauge_live*_*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            multiprocess.mark_process_dead(process)  # type: ignore[no-untyped-call]
