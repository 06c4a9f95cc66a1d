"""The JavaScript client does the same in a page of Chromium, on the server's origin and on another under a strict policy."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from client.brawl import host_token
from javascript.programs import CHROMIUM, STEPS, program, session_with_a_note
from playwright.sync_api import Browser, Page, sync_playwright
from server.processes import PATIENCE, Served, served

from ledger.commands import Note

LIMIT = PATIENCE * 1_000
"""Milliseconds."""
RUN = """async ([name, url, token, session]) => {
    const affray = await import(url + "/client/affray.js");
    const report = (what) => (window.reports ??= []).push(what);
    return await window.steps[name](affray, url, token, { session, report });
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Yields Debian's Chromium, without a window."""
    path = program(CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """Yields an empty page; an error that no script of it catches fails the test."""
    context = chromium.new_context()
    context.set_default_timeout(LIMIT)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def opened(page: Page, address: str) -> Page:
    """Opens an address, and defines the functions of `steps.js` there."""
    page.goto(address)
    source, _, exported = STEPS.read_text("utf-8").partition("\nexport ")
    page.evaluate(f"() => {{ {source}\nwindow.steps = {exported.strip().rstrip(';')}; }}")
    return page


def steps(page: Page, name: str, server: Served) -> Any:
    return page.evaluate(RUN, [name, server.url, host_token(server)])


# ------------------------------------------------------------------------------------------------ the server's own origin


@pytest.mark.parametrize("name", ["fight", "refusals", "losses", "oddities", "secrets"])
def test_a_page_of_the_server_does_what_node_does(page: Page, server: Served, name: str) -> None:
    done = steps(opened(page, f"{server.url}/health"), name, server)

    if name == "fight":
        assert done["entries"] > 20
        assert done["wounded"] > 0
    else:
        assert done in ("refused", "nothing was lost", "odd", "revealed")


def test_no_token_is_in_an_address_that_the_page_requests(page: Page, server: Served) -> None:
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))

    steps(opened(page, f"{server.url}/health"), "secrets", server)

    assert f"{server.url}/client/affray.js" in addresses
    assert any("/feed?after=" in each for each in addresses)
    assert all(
        each.startswith(server.url) and host_token(server) not in each and "token=" not in each for each in addresses
    )


def test_each_entry_arrives_once_where_the_server_is_killed_and_started_again(page: Page, tmp_path: Path) -> None:
    with served(tmp_path, "--rate", "0") as first:
        port = first.port
        with session_with_a_note(first) as (founded, session):
            opened(page, f"{first.url}/health")
            given = ["follow", first.url, founded.tokens[0].token, founded.id]
            page.evaluate(f"(given) => {{ window.done = ({RUN})(given); }}", given)
            reported(page, {"entry": 2})
            session.perform(Note("two"))
            reported(page, {"live": 3})
            first.kill()
            reported(page, {"status": "cut"})
            with served(tmp_path, "--rate", "0", port=port):
                for number in range(20):
                    session.perform(Note(f"another {number}"))
                session.perform(Note("the last"))
                page.evaluate("() => window.done")

    reports = page.evaluate("() => window.reports")
    assert [each["entry"] for each in reports if "entry" in each] == list(range(1, 25))
    assert [each["live"] for each in reports if "live" in each] == list(range(3, 25))
    assert [each["status"] for each in reports if "status" in each] == ["cut", "open", "closed"]


def reported(page: Page, report: dict[str, Any]) -> None:
    """Waits for a report of the page."""
    page.wait_for_function(
        "(report) => (window.reports ?? []).some((each) => JSON.stringify(each) === report)",
        arg=json.dumps(report, separators=(",", ":")),
    )


# ------------------------------------------------------------------------------------------------ another origin


class Elsewhere(BaseHTTPRequestHandler):
    """A page of another site: under its policy, scripts come from files and may call one server."""

    def __init__(self, policy: dict[str, str], *given: Any) -> None:
        self._policy = policy
        super().__init__(*given)

    def do_GET(self) -> None:
        body = b"<!doctype html><title>A table</title><script type=module src=/steps.js></script>"
        kind = "text/html"
        if self.path == "/steps.js":
            body, kind = STEPS.read_bytes() + b"\nwindow.steps = { fight, refusals };", "text/javascript"
        self.send_response(200)
        self.send_header("content-type", f"{kind}; charset=utf-8")
        self.send_header("content-security-policy", self._policy["policy"])
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Logs nothing."""


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, dict[str, str]]]:
    """Yields the origin of another site, and its policy, which a test sets."""
    policy: dict[str, str] = {}
    site = ThreadingHTTPServer(("127.0.0.1", 0), partial(Elsewhere, policy))
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{site.server_port}", policy
    site.shutdown()
    thread.join()
    site.server_close()


def test_a_page_of_another_site_does_the_same_if_the_server_allows_its_origin(
    page: Page, elsewhere: tuple[str, dict[str, str]], tmp_path: Path
) -> None:
    origin, policy = elsewhere
    with served(tmp_path, "--rate", "0", "--allow-origin", origin) as server:
        policy["policy"] = f"default-src 'none'; script-src 'self' {server.url}; connect-src {server.url}"
        page.goto(f"{origin}/")
        page.wait_for_function("() => window.steps")

        assert steps(page, "fight", server)["entries"] > 20


def test_a_page_of_another_site_cannot_even_load_the_client_otherwise(
    page: Page, elsewhere: tuple[str, dict[str, str]], server: Served
) -> None:
    origin, policy = elsewhere
    policy["policy"] = "default-src 'self' 'unsafe-inline' http:"
    page.goto(f"{origin}/")

    reason = page.evaluate("(url) => import(url + '/client/affray.js').catch(String)", server.url)

    assert "Failed to fetch" in reason
