"""Plays a whole fight of any game from pages: a console and two phones, with mistakes, a secret, a dispute, a killed server."""

import random
import re
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from browsing.seats import PHONE, SeatPage, address, seat
from client.brawl import host_token
from playwright.sync_api import Browser, expect
from server.processes import UNHURRIED, Served

from ledger.dice import highest, lowest, parse
from machines.registry import vocabulary_of
from replays.client import Host, RemoteSession
from replays.server.runtime.reachable import own_address

SECRET = "the fixer pays them"
"""A note for the gamemaster alone, which no player's page may receive."""
FIGHTS: Mapping[str, tuple[str, str, str]] = {
    "eclipse_phase_1e": ("firewall-agent", "soldier", "thug"),
    "eclipse_phase_2e": ("firewall-agent", "soldier", "thug"),
    "gurps_3e": ("swordsman", "fencer", "brawler"),
    "shadowrun_4e": ("street-samurai", "mage", "ganger"),
}
"""The sheets of the two players and of their foes, by game."""
OPTIONS = (*UNHURRIED, "--host", "0.0.0.0")
_FACES = re.compile(r" rolls (\d+(?: \d+)*) \(")
_DICE = re.compile(r"\b\d+d\d+(?:[+-]\d+)?\b")
_MOST_MOVES = 160


class Report(NamedTuple):
    """What an evening was."""

    moves: int
    entries: int
    steps: int
    """Clicks and entered lines of all pages."""


class Evening:
    """A fight that is played from pages.

    Args:
        browser: The browser.
        folder: The folder of the server.
        game: The ruleset.
        chance: What is left to chance.
    """

    def __init__(self, browser: Browser, folder: Path, game: str, chance: random.Random) -> None:
        self._browser, self._folder, self._game, self._chance = browser, folder, game, chance
        self._server = Served(folder, *OPTIONS)

    def play(self) -> Report:
        """Plays until a side is down, and checks what has come of it.

        Raises:
            AssertionError: A page shows an error, a player's page received a secret, or the record does not hold.
        """
        try:
            with ExitStack() as stack:
                host = stack.enter_context(Host(self._server.url, host_token(self._server)))
                founded = host.create_session(ruleset=self._game, title="An evening", players=("ann", "ben"))
                tokens = {each.name: each.token for each in founded.tokens}
                inside, outside = (f"http://{place}:{self._server.port}" for place in ("127.0.0.1", own_address()))
                gm, ann, ben = (
                    stack.enter_context(seat(self._browser, address(at, tokens[name], founded.id), **options))
                    for at, name, options in ((inside, "gm", {}), (outside, "ann", PHONE), (inside, "ben", PHONE))
                )
                return self._played(founded.gamemaster(), gm, ann, ben)
        finally:
            self._server.stop()

    def _played(self, session: RemoteSession, gm: SeatPage, ann: SeatPage, ben: SeatPage) -> Report:
        one, other, foe = FIGHTS[self._game]
        gm.line(f"add kade={one}@ann mara={other}@ben 2 thug={foe}")
        gm.line(f"hide lurker={foe}")
        gm.line(f"secret note {SECRET}")
        gm.line("dice auto")
        gm.line("defaults auto")
        gm.press("Begin the fight")
        events = {8: self._kill, 14: self._amend, 20: self._dispute, 26: self._reveal}
        moves = 0
        while moves < _MOST_MOVES and not self._is_over(session):
            if not any(self._move(page) for page in self._chance.sample([ann, ben, gm], 3)):
                gm.page.wait_for_timeout(100)
            moves += 1
            if moves in events:
                events[moves](session, gm, ann, ben)
        for late in (each for at, each in events.items() if at > moves):
            late(session, gm, ann, ben)
        return self._checked(session, moves, gm, ann, ben)

    def _is_over(self, session: RemoteSession) -> bool:
        """Whether only one side still acts, or nothing is asked."""
        state = session.state()
        down = vocabulary_of(self._game).down
        acting = {
            "players" if one.player in ("ann", "ben") else "foes"
            for one in state.combatants.values()
            if not any(condition.name in down for condition in one.conditions)
        }
        return len(acting) < 2 or not state.rests

    # -------------------------------------------------------------------------------------------- moves

    def _move(self, page: SeatPage) -> bool:
        """Answers what a page is asked; returns whether it was asked anything."""
        page.settled()
        rolls = page.page.locator(".ask.roll")
        choices = page.page.locator(".ask.choice .answer")
        if rolls.count():
            self._roll(page)
        elif choices.count():
            attacks = page.page.locator(".ask.choice .answer", has_text=re.compile(r"\battack\b"))
            found = attacks if attacks.count() and self._chance.random() < 0.8 else choices
            page.steps += 1
            found.nth(self._chance.randrange(min(3, found.count()))).click(timeout=5_000)
            page.settled()
        else:
            return False
        self._closed(page)
        return True

    def _roll(self, page: SeatPage) -> None:
        """Draws, or types faces that the dice can show."""
        form = page.page.locator(".ask.roll form").first
        dice = _DICE.search(form.locator("h3").inner_text())
        text = ""
        if dice is not None and self._chance.random() < 0.5:
            sides = parse(dice[0]).sides
            text = " ".join(str(self._chance.randint(lowest(each), highest(each))) for each in sides)
        form.locator("input").first.fill(text)
        form.locator("input").first.press("Enter")
        page.steps += 1
        page.settled()

    def _closed(self, page: SeatPage) -> None:
        """Closes a refusal: an answer may be late, or not be allowed without more words."""
        close = page.page.locator(".notice.bad").get_by_role("button", name="Close")
        if close.count():
            close.first.click(timeout=5_000)
        if page.page.locator(".pending").count():
            page.page.locator(".pending").get_by_role("button", name=re.compile("^(No|Cancel)$")).first.click()

    # -------------------------------------------------------------------------------------------- what happens beside

    def _kill(self, _: RemoteSession, *pages: SeatPage) -> None:
        port = self._server.port
        self._server.kill()
        for page in pages[1:]:
            expect(page.page.locator(".live")).to_have_text("reconnecting…")
        self._server = Served(self._folder, *OPTIONS, port=port)
        for page in pages[1:]:
            expect(page.page.locator(".live")).to_have_text("live ●")

    def _amend(self, session: RemoteSession, gm: SeatPage, *_: SeatPage) -> None:
        """Corrects one face of an earlier roll; the record takes it."""
        told = {step.seq: _FACES.search(" ".join(step.narration)) for step in session.steps(limit=200).steps}
        entry, faces = self._chance.choice([(seq, found[1].split()) for seq, found in told.items() if found])
        gm.enter(f"amend {entry} was {' '.join(['2' if faces[0] == '1' else '1', *faces[1:]])} misread at the table")
        for _ in range(3):
            if not gm.page.locator(".pending").count():
                break
            gm.give("yes" if gm.page.locator(".pending").get_by_role("button", name="Yes").count() else "misread")
        self._closed(gm)
        assert entry in [each.entry for each in session.outline().corrected], gm.page.locator(".waits-for").inner_text()

    def _dispute(self, _: RemoteSession, gm: SeatPage, ann: SeatPage, __: SeatPage) -> None:
        """A dispute is opened on a phone, and settled."""
        ann.enter("dispute kade.initiative")
        ann.give("it was counted twice")
        inbox = gm.page.locator(".inbox .dispute").first
        inbox.locator("input[name=why]").fill("it was counted once")
        inbox.get_by_role("button", name="Settle").click()
        expect(gm.page.locator(".inbox .dispute")).to_have_count(0)

    def _reveal(self, session: RemoteSession, gm: SeatPage, *phones: SeatPage) -> None:
        for phone in phones:
            assert "lurker" not in phone.received.lower()
        if "lurker" in str(session.state().combatants):
            gm.line("reveal lurker")

    def _checked(self, session: RemoteSession, moves: int, *pages: SeatPage) -> Report:
        for phone in pages[1:]:
            assert SECRET not in phone.received
        assert session.audit().chain.holds
        state = session.state()
        shown = pages[0].page.locator(".console .tracker caption")
        expect(shown).to_have_text(f"Order, after entry {state.entries}")
        return Report(moves, state.entries, sum(page.steps for page in pages))
