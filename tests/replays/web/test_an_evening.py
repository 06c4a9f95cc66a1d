"""A whole fight from the page alone: a console and two phones, mistakes, secrets, a dispute, and a server that is killed."""

from pathlib import Path

from browsing.seats import PHONE, address, seat
from client.brawl import host_token
from playwright.sync_api import Browser, expect
from server.processes import UNHURRIED, Served

from replays.client import Host
from replays.server.runtime.reachable import own_address

SECRETS = ("lurker", "the fixer pays them")
"""What no player may learn before it is revealed."""


OPTIONS = (*UNHURRIED, "--host", "0.0.0.0")
SEEDED = (
    "-c",
    "from replays.sessions import ports; ports.new_seed = lambda: bytes(32); from replays.cli import main; main()",
)
"""Runs a server that draws the same dice each time."""


def test_a_fight_is_played_from_a_console_and_two_phones(browser: Browser, tmp_path: Path) -> None:
    server = Served(tmp_path, *OPTIONS, wrapper=SEEDED)
    try:
        with Host(server.url, host_token(server)) as host:
            founded = host.create_session(ruleset="shadowrun_4e", title="Behind the noodle bar", players=("ann", "ben"))
        tokens = {each.name: each.token for each in founded.tokens}
        here, outside = f"http://127.0.0.1:{server.port}", f"http://{own_address()}:{server.port}"
        with (
            seat(browser, address(here, tokens["gm"], founded.id)) as gm,
            seat(browser, address(outside, tokens["ann"], founded.id), **PHONE) as ann,
            seat(browser, address(here, tokens["ben"], founded.id), **PHONE) as ben,
        ):
            assert not ann.page.evaluate("isSecureContext")
            gm.line("add kade=street-samurai@ann mara=mage@ben 2 thug=ganger")
            gm.line("hide lurker=ganger")
            gm.line("secret note the fixer pays them")
            gm.press("Begin the fight")
            ann.roll("5 5 5 6 6 1 2 3 4")
            ben.tap("5", "5", "6", "1", "1", "2", "2")
            gm.line("dice auto")
            gm.line("defaults auto")
            ann.choose("keep it")
            ben.choose("keep it")

            before = ann.steps
            ann.choose("attack thug-1 ingram")
            ann.roll("9 hits")
            ann.choose("keep it")
            assert ann.steps - before <= 3  # the goal of the table
            expect(gm.page.locator(".tracker")).to_contain_text("wounds")
            ann.choose("end")
            ben.choose("end")

            server.kill()
            expect(ann.page.locator(".live")).to_have_text("reconnecting…")
            server = Served(tmp_path, *OPTIONS, port=server.port, wrapper=SEEDED)
            expect(ann.page.locator(".live")).to_have_text("live ●")
            expect(gm.page.locator(".bar")).to_contain_text("thug 2 acts")

            gm.line("attack kade colt")
            ann.roll("0 hits")
            ann.choose("keep it")
            ann.roll("1 hits")
            ann.choose("keep it")

            # the gamemaster had misread the dice three turns ago: what flips is shown first, and nothing is thrown anew
            line = gm.page.locator(".record li", has_text="Kade rolls 9 hits").first
            gm.enter(f"amend {line.locator('i').first.inner_text()} was 8 hits")
            expect(gm.page.locator(".pending .flips")).to_contain_text("thug 1 overflow43")
            gm.give("yes")
            expect(gm.page.locator(".tracker")).to_contain_text("overflow 3")

            # a player disputes an entry, the gamemaster settles it, the player sees how
            ann.page.locator(".news li", has_text="Thug 2 rolls").first.get_by_role("button", name="dispute").click()
            ann.give("it was dark")
            inbox = gm.page.locator(".inbox .dispute")
            expect(inbox).to_contain_text("it was dark")
            inbox.locator("input[name=why]").fill("there was a lamp")
            inbox.get_by_role("button", name="Settle").click()
            expect(inbox).to_have_count(0)
            expect(ann.page.locator(".news")).to_contain_text("there was a lamp")

            # nothing that a player's page has received holds a secret, until it is revealed
            for phone in (ann, ben):
                assert not [secret for secret in SECRETS if secret in phone.received.lower()]
            gm.line("reveal lurker")
            expect(ben.page.locator("details.others .tracker")).to_contain_text("lurker")
            ann.reload()
            expect(ann.page.locator("details.others .tracker")).to_contain_text("lurker")
            assert SECRETS[1] not in ann.received
            ben.keep()
            assert [*ann.moved, *ben.moved] == []  # a button that moves under a finger is not pressed
    finally:
        server.stop()
