"""Opens the theatre of recorded fights in a page."""

from urllib.parse import quote

from browsing.chromium import Watched
from browsing.theatre import READ
from playwright.sync_api import Page, expect
from server.processes import Served

from replays.api.run_script import perform
from replays.api.session import Session
from replays.client import Founded, Host
from replays.exports.jsonl import export
from replays.scripts.format import find_script, read


def played(name: str) -> Session:
    """Returns a shipped fight."""
    return perform(read(find_script(name)[1]))


def imported(host: Host, session: Session) -> Founded:
    """Returns a recorded session on the server."""
    return host.import_(export(session.log))


def seated(server: Served, founded: Founded, seat: str = "gm", at: int | None = None) -> str:
    """Returns the address of a seat's theatre."""
    token = next(each.token for each in founded.tokens if each.seat == seat)
    return f"{server.url}/#token={quote(token)}&session={founded.id}" + "&view=replay" + (f"&at={at}" if at else "")


def opened(shown: Watched, address: str) -> Page:
    """Opens the theatre, and waits until its tracker is there."""
    shown.page.goto("about:blank")  # an address that differs only in its fragment would not be loaded anew
    shown.page.goto(address)
    shown.page.wait_for_selector(".tracker caption")
    return shown.page


def entry(page: Page) -> int:
    """Returns the entry that is shown."""
    page.wait_for_selector(".tracker caption")
    return int(page.evaluate(READ)["caption"].rpartition(" ")[2])


def press(page: Page, key: str, expected: int) -> None:
    """Presses a key, and waits until an entry is shown."""
    page.keyboard.press(key)
    expect(page.locator(".tracker caption")).to_have_text(f"As it stood after entry {expected}")
