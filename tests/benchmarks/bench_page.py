"""The page in Chromium: the first view of a long record, steps, jumps in a very long one, and memory while entries are fed."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from benchmarks import fights
from benchmarks.report import Row, at_most
from benchmarks.scale import Scale
from browsing.chromium import Watched, chromium, watched
from client.brawl import host_token
from playwright.sync_api import Browser
from server.processes import Served, served

from ledger.chain import Record
from ledger.commands import Note
from ledger.stores.sqlite import SqliteStore
from replays.client import Host, RemoteSession

VIEWED = 2_000
"""Entries of a long record."""
FED = 3_000
BATCH = 50
FRAMES = """async (steps) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const shown = () => document.querySelector(".tracker caption").textContent;
  const timed = async (work) => { const begun = performance.now(); await work(); return performance.now() - begun; };
  await frame();
  const empty = await timed(async () => { for (let nth = 0; nth < steps; nth++) await frame(); });
  const stepping = await timed(async () => {
    for (let nth = 0; nth < steps; nth++) {
      const before = shown();
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
      while (shown() === before) await frame();
    }
  });
  return [stepping / steps, empty / steps];
}"""
JUMPS = """async (places) => {
  const slider = document.querySelector(".scrubber");
  const took = [];
  for (const place of places) {
    const begun = performance.now();
    slider.value = place;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    while (document.querySelector(".tracker caption")?.textContent !== `As it stood after entry ${place}`)
      await new Promise((done) => requestAnimationFrame(done));
    took.push(performance.now() - begun);
  }
  return took;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


class Replayed:
    """A server with one session of some entries."""

    def __init__(self, folder: Path, records: Sequence[Record], entries: int) -> None:
        folder.mkdir()
        with closing(SqliteStore(str(folder / "affray.db"))) as store:
            fights.keep(store, fights.between_fights(records, entries))
        self._server = served(folder, "--rate", "0")
        self.server: Served = self._server.__enter__()
        self._host = Host(self.server.url, host_token(self.server))
        with self.server.client(headers=self.server.host) as client:
            asked = {"seat": "gm", "name": "ann"}
            self.token = client.post(f"/v1/sessions/{fights.SESSION}/tokens", json=asked).json()["token"]
        self.session = RemoteSession(self.server.url, fights.SESSION, self.token)
        self.last = self.session.state().entries

    def open(self, shown: Watched, at: int | None = None) -> float:
        """Opens the theatre anew; returns the milliseconds until the tracker and the log are there."""
        page = shown.page
        page.goto("about:blank")
        page.goto(
            f"{self.server.url}/#token={self.token}&session={fights.SESSION}&view=replay" + (f"&at={at}" if at else "")
        )
        page.wait_for_function(
            "() => document.querySelector('.tracker caption') && document.querySelector('ol.log li')"
        )
        took: float = page.evaluate("() => performance.now()")
        return took

    def close(self) -> None:
        self.session.close()
        self._host.close()
        self._server.__exit__(None, None, None)


def heap(shown: Watched) -> int:
    """Returns the bytes of the heap after a collection."""
    tools = shown.context.new_cdp_session(shown.page)
    tools.send("HeapProfiler.collectGarbage")
    used: dict[str, Any] = tools.send("Runtime.getHeapUsage")
    tools.detach()
    return int(used["usedSize"])


def test_a_long_record(
    browser: Browser, records: Sequence[Record], scale: Scale, folder: Path, rows: list[Row]
) -> None:
    replayed = Replayed(folder / "viewed", records, VIEWED)
    with watched(browser) as shown:
        views = median(replayed.open(shown) for _ in range(scale.rounds))
        replayed.open(shown, at=50)
        step, frame = shown.page.evaluate(FRAMES, 300)
        what = f"page: first view of {replayed.last:,} entries"
        size = len(replayed.session.replay_page())
        rows += [
            Row(
                what=f"page: {replayed.last:,} entries saved",
                ours=size / 1e6,
                unit="MB",
                beside="the goal",
                theirs=5,
                goal=at_most(1),
            ),
            Row(what=what, ours=views, unit="ms", beside="the goal", theirs=1_000, goal=at_most(1)),
            Row(
                what="page: a step", ours=step, unit="ms", beside="a frame without one", theirs=frame, goal=at_most(1.1)
            ),
        ]
    replayed.close()


def test_a_very_long_record(
    browser: Browser, records: Sequence[Record], scale: Scale, folder: Path, rows: list[Row]
) -> None:
    replayed = Replayed(folder / "long", records, scale.long)
    with watched(browser) as shown:
        view = replayed.open(shown)
        places = [replayed.last * part // 29 for part in (3, 27, 11, 20, 8, 25, 1, 17, 13)]
        jump = median(shown.page.evaluate(JUMPS, places))
        step, frame = shown.page.evaluate(FRAMES, 300)
        rows += [
            Row(what=f"page: first view of {replayed.last:,} entries", ours=view, unit="ms", beside="the goal for 2,000", theirs=1_000),
            Row(what=f"page: a jump among {replayed.last:,}", ours=jump, unit="ms", beside="half a second", theirs=500, goal=at_most(1)),
            Row(what=f"page: a step among {replayed.last:,}", ours=step, unit="ms", beside="a frame without one", theirs=frame, goal=at_most(1.1)),
        ]  # fmt: skip
    replayed.close()


def test_memory_while_entries_are_fed(
    browser: Browser, records: Sequence[Record], folder: Path, rows: list[Row]
) -> None:
    replayed = Replayed(folder / "fed", records, VIEWED)
    with watched(browser) as shown:
        replayed.open(shown)
        used = []
        for part in range(3):
            for _ in range(FED // BATCH):
                replayed.session.perform_all([Note(f"a note of the part {part}") for _ in range(BATCH)])
            last = replayed.last + (part + 1) * FED
            shown.page.wait_for_function(
                f"() => document.querySelector('.tracker caption')?.textContent.endsWith(' {last}')"
            )
            used.append(heap(shown))
        row = Row(what=f"page: heap after {FED:,} more entries were fed", ours=used[2] / 1e6, unit="MB", beside="after as many before them", theirs=used[1] / 1e6, goal=at_most(1.2))  # fmt: skip
        rows.append(row)
    replayed.close()
