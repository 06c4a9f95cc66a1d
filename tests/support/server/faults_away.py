"""What servers on a ledger in NATS answer while two of its three servers are away, and after they have come back."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
from server.faults_processes import until
from server.processes import Served, Table

REFUSED = frozenset({"store/busy", "store/unsure", "store/unusable", "server/too-slow"})
"""The reasons for which a command may be refused while too few servers are there."""
NOT_READY = frozenset({"store/no-writes", "store/busy"})
"""The reasons that `/ready` gives: a shard accepts no writes, or nothing answers for what is read there."""
NOTICED = 5.0
"""Seconds within which `/ready` reports that no writes are accepted."""
ANSWERED = 7.0
"""Seconds within which anything is answered by a server with `TIMEOUT`."""
TIMEOUT = ("--rate", "0", "--timeout", "5")
"""Options of such a server."""
_PAUSE = 0.1
_NOTE = "it was asked for while servers were away"


class WatchedSession:
    """A session whose content is known, because only its owner writes into it.

    Args:
        server: Where it is created, with a token that any server with the same keys accepts.
    """

    def __init__(self, server: Served) -> None:
        self._maker = server
        with server.client() as client:
            table = Table(client, server.host)
            table.do([{"type": "Note", "text": f"note {number}"} for number in range(5)])
        self.path, self._token = table.path, table.as_("gm")
        self.content = self.read(server)
        assert len(self.content[1]) == self.content[0]["entries"] >= 5

    def read(self, server: Served) -> tuple[Any, Any]:
        """Returns the state and the entries as a server answers them, each in time.

        Raises:
            AssertionError: They are refused, or the answer takes too long.
        """
        with server.client() as client:
            state, entries = (self._get(client, what) for what in ("state", "entries"))
        return state, entries

    def study(self, server: Served) -> list[Any]:
        """Returns the audit and the recap, which the workers of a server find."""
        with server.client() as client:
            answers = [client.get(f"{self.path}/{what}", headers=self._token) for what in ("audit", "recap")]
        assert [answer.status_code for answer in answers] == [200, 200], [answer.text for answer in answers]
        return [answer.json() for answer in answers]

    def write(self, server: Served, key: str) -> httpx.Response:
        """Sends a command with an idempotency key; returns the answer."""
        with server.client() as client:
            headers = {**self._token, "Idempotency-Key": key}
            return client.post(
                f"{self.path}/commands", headers=headers, json={"type": "Note", "text": f"{_NOTE}: {key}"}
            )

    def notes(self, server: Served) -> list[str]:
        """Returns the keys of the commands that are in the log, each as often as it is there."""
        texts = [entry["command"].get("text", "") for entry in self.read(server)[1]]
        return [text.removeprefix(f"{_NOTE}: ") for text in texts if text.startswith(_NOTE)]

    def _get(self, client: httpx.Client, what: str) -> Any:
        began = time.monotonic()
        answer = client.get(f"{self.path}/{what}", headers=self._token)
        took = time.monotonic() - began
        assert answer.status_code == 200, f"{what} was answered {answer.status_code}: {answer.text[:300]}"
        assert took <= ANSWERED, f"{what} was answered after {took:.1f} s"
        return answer.json()


def at_once(*works: Callable[[], object]) -> None:
    """Does several pieces of work at the same time; raises what the first of them has raised."""
    with ThreadPoolExecutor(len(works)) as threads:
        for each in [threads.submit(work) for work in works]:
            each.result()


def check_only_reads(server: Served, sessions: Sequence[WatchedSession], key: str) -> None:
    """Checks a server while no writes can be accepted: it reads on, refuses commands with a reason, and is not ready.

    Args:
        server: The server.
        sessions: Sessions that others do not write into; a command is sent to each.
        key: The idempotency key of these commands.

    Raises:
        AssertionError: It is otherwise.
    """
    check_not_ready(server, NOTICED)
    for session in sessions:
        assert session.read(server) == session.content, "what is read has changed"
        began = time.monotonic()
        answer = session.write(server, key)
        took = time.monotonic() - began
        check_problem(answer, *REFUSED)
        assert took <= ANSWERED, f"a command was refused after {took:.1f} s"
    check_not_ready(server, 0.0)


def check_not_ready(server: Served, seconds: float) -> float:
    """Checks that `/ready` reports the store's reason within some seconds; returns how many it took.

    Args:
        server: The server.
        seconds: The most; with 0 the next answer has to report it.
    """
    began = time.monotonic()
    with server.client() as client:
        while (answer := client.get("/ready")).status_code == 200:
            assert time.monotonic() - began < seconds, f"/ready reports nothing after {seconds:g} s"
            time.sleep(_PAUSE)
        took = time.monotonic() - began
        check_problem(answer, *NOT_READY)
        assert client.get("/health").status_code == 200
    assert took <= max(seconds, NOTICED), f"/ready reported it after {took:.1f} s"
    return took


def check_problem(answer: httpx.Response, *slugs: str) -> None:
    """Checks that an answer is a refusal with one of some reasons, as a problem document with status 503."""
    assert answer.status_code == 503, f"{answer.status_code}: {answer.text[:300]}"
    assert answer.headers["content-type"] == "application/problem+json"
    document = answer.json()
    assert document["status"] == 503
    assert document["slug"] in slugs, document
    assert document["detail"]


def check_accepts_again(server: Served, sessions: Sequence[WatchedSession], key: str, seconds: float) -> float:
    """Checks that what was refused is accepted under its key, is there once, and nothing else has changed.

    Args:
        server: The server.
        sessions: The sessions of `check_only_reads`.
        key: The idempotency key of the refused commands.
        seconds: Within which everything is accepted.

    Returns:
        The seconds until `/ready` reported that writes are accepted.
    """
    began = time.monotonic()
    with server.client() as client:
        until(lambda: client.get("/ready").status_code == 200, seconds)
    ready = time.monotonic() - began
    for session in sessions:
        until(lambda session=session: session.write(server, key).status_code == 201, seconds)
        state, entries = session.read(server)
        before = session.content[1]
        assert entries[: len(before)] == before
        assert (len(entries), state["entries"]) == (len(before) + 1, len(before) + 1)
        assert session.notes(server).count(key) == 1
        session.content = state, entries
    return ready
