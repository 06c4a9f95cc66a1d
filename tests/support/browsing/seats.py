"""Plays a fight from the pages of several seats: the gamemaster's console and players' phones."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from browsing.chromium import Watched, watched
from playwright.sync_api import Browser, Locator, Request, expect

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2,
}  # fmt: skip
_RECORD = """
  window.received = [];
  const real = window.fetch;
  window.fetch = async (...given) => {
    const answer = await real(...given);
    if (!answer.body) return answer;
    const [shown, kept] = answer.body.tee();
    const record = { url: String(given[0]?.url ?? given[0]), text: "" };
    window.received.push(record);
    (async () => {
      const decoder = new TextDecoder();
      try { for await (const bytes of kept) record.text += decoder.decode(bytes, { stream: true }); } catch { /* it was cut */ }
    })();
    return new Response(shown, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
  };
  window.touched = [];
  for (const kind of ["pointerdown", "pointerup", "click", "submit"])
    addEventListener(kind, (event) => window.touched.push(`${Math.round(event.timeStamp)} ms, ${kind}: ${event.target.outerHTML?.slice(0, 120)}`), true);
  window.moved = [];
  const places = new Map();
  const look = () => {
    const now = new Map();
    for (const each of document.querySelectorAll(".waits-for .answer, .waits-for .ask.roll > form > .dice input")) {
      const name = `${each.closest(".ask")?.querySelector("h3")?.textContent}: ${each.textContent || "dice"}`;
      const top = Math.round(each.getBoundingClientRect().top + scrollY);
      const before = places.get(name);
      if (before !== undefined && Math.abs(before - top) > 1) window.moved.push(`${name}: ${before} -> ${top}`);
      now.set(name, top);
    }
    places.clear();
    for (const [name, top] of now) places.set(name, top);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
"""
"""Keeps all that the page receives, where it was touched, and what was asked and moved while it was shown."""


class SeatPage:
    """The page of a seat.

    Args:
        shown: The page and what it has asked for.
        address: The address of the seat.
    """

    def __init__(self, shown: Watched, address: str) -> None:
        self.shown, self.page = shown, shown.page
        self.address = address
        self.steps = 0
        """Clicks, and lines and faces that were entered."""
        self.sent: list[str] = []
        """The requests with which lines were sent."""
        self.moved: list[str] = []
        """What was asked and moved while it was shown, until the page was last left."""
        self._before: list[str] = []
        self.page.on("request", self._sends)
        shown.context.add_init_script(_RECORD)
        self.open()

    def open(self) -> None:
        """Opens the page anew; what it received before is kept."""
        self.keep()
        self.page.goto("about:blank")
        self.page.goto(self.address)
        self.page.wait_for_selector(".waits-for")

    def reload(self) -> None:
        """Reloads the page, as people do."""
        self.keep()
        self.page.reload()
        self.page.wait_for_selector(".waits-for")

    def keep(self) -> None:
        """Keeps what the page has received, and what has moved in it, before it is left."""
        if self.page.url != "about:blank":
            self._before.append(self._received())
            self.moved.extend(self.page.evaluate("window.moved"))

    def _received(self) -> str:
        return str(
            self.page.evaluate("(window.received ?? []).map((each) => `${each.url}\\n${each.text}`).join('\\n')")
        )

    @property
    def received(self) -> str:
        """All that the page has received."""
        return "\n".join([*self._before, self._received()])

    # -------------------------------------------------------------------------------------------- what is asked

    @property
    def asked(self) -> Locator:
        """What the seat is asked."""
        return self.page.locator(".waits-for .ask")

    def line(self, text: str, *answers: str) -> None:
        """Types a line, and answers what it asks: words are typed, `yes` and `no` are clicked."""
        self.enter(text)
        for each in answers:
            self.give(each)
        self.settled()
        refused = self.page.locator(".notice.bad").all_inner_texts()
        assert not refused, refused

    def enter(self, text: str) -> None:
        """Types a line and sends it."""
        if self.page.locator("details.say:not([open])").count():
            self.page.locator("details.say summary").click()
        field = self.page.locator(".line input")
        field.fill(text)
        field.press("Enter")
        self.steps += 1
        self.settled()

    def give(self, answer: str) -> None:
        """Answers what a line asks."""
        pending = self.page.locator(".pending")
        pending.wait_for()
        before = pending.inner_text()
        button = pending.get_by_role("button", name=re.compile(f"^{answer}$", re.IGNORECASE))
        if button.count():
            button.click()
        else:
            pending.locator("input").fill(answer)
            pending.locator("input").press("Enter")
        self.steps += 1
        self.page.wait_for_function(
            "(before) => (document.querySelector('.pending')?.innerText ?? '') !== before", arg=before
        )

    def press(self, name: str) -> None:
        """Clicks a button beside what is asked."""
        self.page.get_by_role("button", name=name).first.click()
        self.steps += 1
        self.settled()

    def choose(self, label: str) -> None:
        """Clicks an answer."""
        with self._answered():
            self.page.locator(".answer", has_text=label).first.click()
        self.steps += 1

    def roll(self, faces: str) -> None:
        """Types the faces of the first roll that is asked for; draws if there are none."""
        form = self.page.locator(".ask.roll form").first
        form.wait_for()
        form.locator("input").first.fill(faces)
        with self._answered():
            form.locator("input").first.press("Enter")
        self.steps += 1

    def tap(self, *faces: str) -> None:
        """Taps the faces of the first roll, and enters them."""
        form = self.page.locator(".ask.roll form").first
        if form.locator("details.keypad:not([open])").count():
            form.locator(".keypad summary").click()
        for face in faces:
            form.locator(".keys").get_by_role("button", name=face, exact=True).click()
        with self._answered():
            form.get_by_role("button", name="Enter").click()
        self.steps += len(faces) + 1

    def _sends(self, request: Request) -> None:
        if request.url.endswith("/lines"):
            self.sent.append(str(request.post_data))

    @contextmanager
    def _answered(self) -> Iterator[None]:
        with self.page.expect_response(lambda answer: answer.url.endswith("/lines")):
            yield
        self.settled()

    def settled(self) -> None:
        """Waits until the line that was sent is answered."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
        expect(self.page.locator(".waits-for")).to_have_attribute("aria-busy", "false")

    def waits(self) -> None:
        """Waits until the seat is asked."""
        self.asked.first.wait_for()


def address(url: str, token: str, session: str) -> str:
    """Returns the address of a seat."""
    return f"{url}/#token={quote(token)}&session={session}"


@contextmanager
def seat(browser: Browser, at: str, **options: Any) -> Iterator[SeatPage]:
    """Yields the page of a seat, in a separate context."""
    with watched(browser, **options) as shown:
        found = SeatPage(shown, at)
        try:
            yield found
            found.keep()
        except BaseException:
            touched = shown.page.evaluate("(window.touched ?? []).slice(-12)")
            print(
                f"--- {at}\n{shown.page.inner_text('body')}", *found.sent, *touched, sep="\n"
            )  # what was seen and done
            raise
