"""`affray web` serves the page, prints links that work, and refuses what it cannot do."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browsing.chromium import watched
from playwright.sync_api import Browser, expect
from server.processes import PATIENCE

AFFRAY = [sys.executable, "-c", "from replays.cli import main; main()"]
LINK = re.compile(r"http://\S+#token=\S+")


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*AFFRAY, *words], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)


@contextmanager
def web(folder: Path, *words: str, lines: int) -> Iterator[list[str]]:
    """Yields the first lines that the verb prints."""
    with (folder / "said.txt").open("w") as errors:
        process = subprocess.Popen(
            [*AFFRAY, "web", "--port", "0", "--no-open", *words], cwd=folder, stdout=subprocess.PIPE, stderr=errors, text=True,
        )  # fmt: skip
    try:
        assert process.stdout is not None
        yield [process.stdout.readline() for _ in range(lines)]
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
