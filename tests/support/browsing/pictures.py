"""Takes the pictures of the READMEs from a fight that is played anew.

    python tests/support/browsing/pictures.py

writes `replays/web/pictures`: the gamemaster's console, a player's phone, and the replay theatre.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "replays" / "web" / "pictures"
WIDE = {"width": 1280, "height": 860}


def main() -> None:
    """Plays a fight up to a roll that waits, and takes the pictures."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "support")]
    from browsing.chromium import chromium, watched
    from browsing.opening import imported, opened, played, seated
    from browsing.seats import PHONE, address, seat
    from client.brawl import host_token
    from server.processes import UNHURRIED, served

    from replays.client import Host
    from replays.corrections.change import Change

    with TemporaryDirectory() as folder, chromium() as browser, served(Path(folder), *UNHURRIED) as server:
        with Host(server.url, host_token(server)) as host:
            founded = host.create_session(ruleset="shadowrun_4e", title="The noodle bar", players=("ann",))
            recorded = imported(host, played("street-fight"))
            cover = Change(set={"terms.modifiers": ["target has good cover", "attacker firing from cover"]})
            recorded.gamemaster().amend(20, cover, why="Razor was behind the dumpster")  # as in README.md
        tokens = {each.name: each.token for each in founded.tokens}
        with (
            seat(browser, address(server.url, tokens["gm"], founded.id), viewport=WIDE) as gm,
            seat(browser, address(server.url, tokens["ann"], founded.id), **PHONE) as ann,
        ):
            for line in ("add kade=street-samurai@ann 2 thug=ganger", "begin", "dice auto", "defaults auto"):
                gm.line(line)
            ann.roll("5 5 5 6 6 1 2 3 4")
            ann.choose("keep it")
            ann.choose("attack thug-1 ingram")
            for page in (gm.page, ann.page):
                page.get_by_text("Chances").first.wait_for()
                page.wait_for_timeout(300)
            gm.page.screenshot(path=FOLDER / "console.png")
            ann.page.screenshot(path=FOLDER / "phone.png")
        with watched(browser, viewport=WIDE) as shown:
            page = opened(shown, seated(server, recorded, at=25))
            page.keyboard.press("w")
            page.locator(".drawer .reason").first.wait_for()
            page.wait_for_timeout(300)
            page.screenshot(path=FOLDER / "theatre.png")


if __name__ == "__main__":
    main()
