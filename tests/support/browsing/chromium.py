"""Debian's Chromium without a window, and pages that fail a test on any error."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from javascript.programs import CHROMIUM, program
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright
from server.processes import PATIENCE

_REFUSAL = re.compile(r"a status of (409|422) ")
LIMIT = PATIENCE * 1_000
"""Milliseconds."""
expect.set_options(timeout=LIMIT)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yields a browser."""
    path = program(CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Watched:
    """A page, and what it has asked for.

    Args:
        browser: The browser.
        options: How the browser's context is made.
    """

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        self.context.set_default_timeout(LIMIT)
        self.errors: list[str] = []
        self.addresses: list[str] = []
        self.page = self.open()

    def open(self) -> Page:
        """Returns another page of the same context."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on(
            "console", lambda message: self._heard(message.type, f"{message.text} {message.location.get('url', '')}")
        )
        page.on("request", self._asked)
        return page

    def _asked(self, request: Request) -> None:
        self.addresses.append(request.url)

    def _heard(self, kind: str, text: str) -> None:
        is_refusal = "/v1/" in text and _REFUSAL.search(text)
        is_late = text.endswith("/odds") and "a status of 503 " in text  # chances are shown only if there is time
        is_expected = "net::ERR_" in text or is_refusal or is_late  # the first: a server was killed
        if kind in ("error", "warning") and not is_expected:
            self.errors.append(text)


@contextmanager
def watched(browser: Browser, **options: Any) -> Iterator[Watched]:
    """Yields a page of a new context; an error that no script catches, or that the policy reports, fails the test."""
    made = Watched(browser, **options)
    try:
        yield made
        assert made.errors == [], made.errors
    finally:
        made.context.close()
