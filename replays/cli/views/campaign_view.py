"""Displays the campaigns of a ledger, and one with its sessions, roster, luck and rulings."""

from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Console
from rich.table import Table

from ledger.errors import Refused
from machines.registry import vocabulary_of
from replays.campaigns.appearances import LastStand, count_rounds
from replays.campaigns.campaign import CampaignSession, WholeCampaign
from replays.campaigns.listing import Campaign, CampaignList, UnreadableSession
from replays.campaigns.roster import CampaignRoster, Character
from replays.cli import screen
from replays.cli.views import dispute_view, odds_view
from replays.cli.views.rehearse_view import counted

_DAY = 10
"""The length of a date without its time."""


def listed(console: Console, found: CampaignList) -> None:
    """Shows a line or two for each campaign, and why sessions cannot be read."""
    for each in found.campaigns:
        screen.paragraph(console, _in_brief(each), indent=2)
    if not found.campaigns:
        screen.print_line(console, "no session of the ledger names a campaign")
    _unreadable(console, found.unreadable)


def _in_brief(one: Campaign) -> str:
    days = " to ".join(dict.fromkeys((one.first_at[:_DAY], one.latest_at[:_DAY])))
    counts = f"{counted(one.sessions, 'session')}, {counted(one.entries, 'entry', 'entries')}"
    return f"[bold]{screen.safe(one.name)}[/]  {counts}, {days}, {screen.safe(', '.join(one.rulesets))}"


def whole(console: Console, found: WholeCampaign) -> None:
    """Shows a campaign: a table of its sessions, its roster, the successes of its people, and its rulings."""
    console.print(f"[bold]{screen.safe(found.page.name)}[/]")
    _sessions(console, found.page.sessions)
    _roster(console, found.page.roster)
    if isinstance(found.luck, Refused):
        screen.print_line(console, f"no luck to measure: {found.luck.message}")
    else:
        odds_view.successes(console, found.luck)
    console.print("[italic]rulings[/]")
    dispute_view.precedents(console, found.rulings.rulings, is_searched=False)
    for each in found.page.sessions:
        if each.damaged:
            screen.paragraph(console, screen.safe(f"{each.session}: {each.damaged}"), indent=2)
    _unreadable(console, found.page.unreadable)


def _unreadable(console: Console, sessions: Iterable[UnreadableSession]) -> None:
    for each in sessions:
        words = f"{each.session}: its campaign is not known: {each.slug}: {each.message}"
        screen.paragraph(console, screen.safe(words), indent=2)


# ------------------------------------------------------------------------------------------------ tables


def _sessions(console: Console, sessions: Iterable[CampaignSession]) -> None:
    table = Table(title="sessions", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("session", "opened", "entries", "title", "is"):
        table.add_column(column, justify="right" if column == "entries" else "left", no_wrap=column == "session")
    for each in sessions:
        state = "damaged" if each.is_open is None else "open" if each.is_open else "closed"
        state += ", archived" if each.archived else ""
        title = f"{each.title} ({each.ruleset})"
        table.add_row(*map(screen.safe, (each.session, each.at[:_DAY], str(each.entries), title, state)))
    console.print(table)


def _roster(console: Console, roster: CampaignRoster) -> None:
    table = Table(title="roster", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in ("player", "character", "sessions", "rounds", "last stood"):
        table.add_column(column, justify="right" if column in ("sessions", "rounds") else "left")
    for player, one in _in_order(roster):
        name = one.name if one.name.lower() == one.who else f"{one.name} ({one.who})"
        rounds = sum(count_rounds(each.rounds) for each in one.sessions)
        stood = ", ".join(_stood(one.stand, one.ruleset))
        table.add_row(*map(screen.safe, (player, name, str(len(one.sessions)), str(rounds or ""), stood)))
    if table.row_count:
        console.print(table)
    else:
        screen.print_line(console, "nobody has joined yet")


def _in_order(roster: CampaignRoster) -> Iterator[tuple[str, Character]]:
    """Yields all characters, each player's name with the first of theirs."""
    for player in roster.players:
        for place, one in enumerate(player.characters):
            yield "" if place else player.name, one
    for place, one in enumerate(roster.gamemaster):
        yield "" if place else "gamemaster", one
    for place, one in enumerate(roster.things):
        yield "" if place else "things", one


def _stood(stand: LastStand, ruleset: str) -> Iterator[str]:
    """Yields how a character last stood: out or gone first, then harm and counters."""
    words, one = vocabulary_of(ruleset), stand.combatant
    yield from (condition.replace("_", " ") for condition in stand.out)
    if stand.left:
        yield "left"
    first = next(iter(one.tracks), "")
    for name, track in one.tracks.items():
        if track.taken or name == first:
            yield f"{words.harm(name)} {track.taken}/{track.capacity}"
    for counter in words.counters:
        if one.count(counter):
            yield f"{counter} {one.count(counter)}"
