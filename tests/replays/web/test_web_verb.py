"""`affray web` serves the page, prints links that work, and refuses what it cannot do."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

import pytest
from browsing.chromium import watched
from playwright.sync_api import Browser, expect
from server.faults_processes import answered, until
from server.processes import PATIENCE

AFFRAY = [sys.executable, "-c", "from replays.cli import main; main()"]
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
LINK = re.compile(r"http://\S+#token=\S+")


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*AFFRAY, *words], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)


@contextmanager
def web(folder: Path, *words: str, lines: int, browser: str = "") -> Iterator[list[str]]:
    """Yields the first lines that the verb prints.

    Args:
        folder: The working directory.
        words: More words of the command line.
        lines: The number of lines.
        browser: The command of a browser to be opened; empty for none.
    """
    opening = [] if browser else ["--no-open"]
    with (folder / "said.txt").open("w") as errors:
        process = subprocess.Popen(
            [*AFFRAY, "web", "--port", "0", *opening, *words], cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True,
            env={**os.environ, "BROWSER": browser, "DISPLAY": "", "WAYLAND_DISPLAY": ""},
        )  # fmt: skip
    try:
        assert process.stdout is not None
        printed = [process.stdout.readline() for _ in range(lines)]
        yield printed
        assert answered(ADDRESS.findall(printed[0])[0], "/health") == 200  # before that a signal ends it at once
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def test_in_an_empty_folder_the_link_opens_an_empty_list(browser: Browser, tmp_path: Path) -> None:
    with web(tmp_path, lines=2) as said, watched(browser) as shown:
        assert said[0].startswith("Affray is at http://127.0.0.1:")
        shown.page.goto(LINK.findall(said[0])[0])
        expect(shown.page.get_by_text("There are no sessions yet.")).to_be_visible()
        assert "token" not in shown.page.url
    assert (tmp_path / "said.txt").read_text() == ""  # no log runs over the link
    assert (tmp_path / "affray.keys").stat().st_mode & 0o077 == 0


def test_a_browser_is_opened_by_a_file_that_no_other_user_can_read(tmp_path: Path) -> None:
    script = tmp_path / "browser.sh"
    script.write_text('#!/bin/sh\ncp -p "${1#file://}" opened.tmp && mv opened.tmp opened.html\n')
    script.chmod(0o700)

    with web(tmp_path, lines=1, browser=f"{script} %s") as said:
        opened = tmp_path / "opened.html"
        until(opened.exists)
        assert escape(LINK.findall(said[0])[0]) in opened.read_text()
        assert opened.stat().st_mode & 0o077 == 0
    assert (tmp_path / "said.txt").read_text() == ""


def test_where_no_browser_can_be_opened_it_is_said(tmp_path: Path) -> None:
    with web(tmp_path, lines=1, browser="false %s") as said:
        assert LINK.findall(said[0])
        until(lambda: "no browser could be opened here: open the link yourself" in (tmp_path / "said.txt").read_text())


def test_the_host_opens_a_session_from_the_list_as_any_seat_and_goes_back(browser: Browser, tmp_path: Path) -> None:
    assert run(tmp_path, "play", "stoya").returncode == 0
    with web(tmp_path, lines=2) as said, watched(browser) as shown:
        page = shown.page
        page.goto(LINK.findall(said[0])[0])
        page.get_by_role("button", name="kira").click()
        expect(page.locator(".phone header")).to_contain_text("as kira")
        page.reload()  # the view stays that of the seat
        expect(page.locator(".phone header")).to_contain_text("as kira")
        page.go_back()
        expect(page.get_by_role("heading", name="Sessions")).to_be_visible()
        page.get_by_role("button", name="Stoya and the assassin").click()
        expect(page.locator(".tracker caption")).to_have_text("Order, after entry 30")
        page.get_by_role("button", name="Replay", exact=True).click()
        expect(page.locator(".bar")).to_contain_text("as gamemaster")
        expect(page.locator(".tracker caption")).to_have_text("As it stood after entry 30")
        page.get_by_role("button", name="Sessions").click()
        page.get_by_label("A part of the title").fill("nothing like it")
        expect(page.get_by_text("No session has this in its title.")).to_be_visible()


def test_with_lan_each_seat_gets_a_link_that_other_devices_reach(browser: Browser, tmp_path: Path) -> None:
    assert run(tmp_path, "play", "stoya").returncode == 0
    with web(tmp_path, "--lan", lines=4) as said:
        links = dict(line.strip().split(": ", 1) for line in said[2:])
        assert list(links) == ["kira", "spectator"]
        for name, link in links.items():
            with watched(browser, viewport={"width": 360, "height": 740}) as phone:
                phone.page.goto(link)
                phone.page.wait_for_selector(".tracker caption")
                seat = phone.page.locator(".bar" if name == "spectator" else ".phone header")
                expect(seat).to_contain_text(f"as {'a ' if name == 'spectator' else ''}{name}")
                assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_wrong_words_are_refused_before_anything_is_served(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run(tmp_path, "web", "--no-open", "--port", str(taken.getsockname()[1]))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("server/address: ")

    done = run(tmp_path, "web", "--no-open", "--port", "0", "NOSUCH")
    assert done.returncode == 2
    assert done.stderr.startswith("session/")


@pytest.mark.parametrize("missing", ["litestar", "uvicorn"])
def test_without_the_server_it_names_what_to_install(tmp_path: Path, missing: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; from replays.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "web"], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )

    assert done.returncode == 2
    assert "pip install 'affray[server]'" in done.stderr
    assert list(tmp_path.iterdir()) == []
