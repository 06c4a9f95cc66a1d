"""A fight in a channel of a chat: who has which seat, what all may see, what each member may do. No chat is named here.

A fight knows its channel by its campaign, and the seats of members by notes in its log, so that a bot which is started
again goes on where it was. Every function that is given a table does what its person may do, or refuses.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from io import StringIO
from typing import NamedTuple

from rich.console import Console

from ledger.commands import BeginCombat, Choose, Command, DrawDice, EndCombat, Note, OpenSession, Rewind
from ledger.entry import Entry, Seat, Who
from ledger.errors import Refused
from ledger.stores import Store
from ledger.stores.memory import MemoryStore
from machines.contract.refusals import NotAllowed
from projections.views.seen import redacted
from replays.api.run_script import keep
from replays.api.session import Session
from replays.cli import narration, screen, tracker
from replays.cli.views.flips_view import changes
from replays.cli.views.log_view import explanation
from replays.corrections.diff import flips
from replays.sessions import undo as spans
from replays.sessions.record import stored_records
from replays.table.correcting.moved_entries import MovedEntries
from replays.table.language.answers import dice_answers
from replays.table.language.grammar import NotUnderstood, words
from replays.table.language.questions import combatants_of, open_roll
from replays.table.secrets import in_secret
from replays.table.settings import without_asking
from replays.table.table import Table

WIDTH, LONGEST, MOST = 66, 1_900, 25
"""Columns and characters of a message, with room for what surrounds it; the most buttons below it."""
SEAT, GAMEMASTER = "channel/seat", "gm"
"""What a note is about that gives a member a seat; who plays the combatants of no player."""
DICE = "the faces (23), hits (4h), a total, or ~ to draw all; several rolls: kade 20 thug-1 60"


class Button(NamedTuple):
    """A button: what it does, with what, and its label."""

    do: str
    what: str
    label: str


class Reply(NamedTuple):
    """A text with buttons; nothing is sent if the text is empty."""

    text: str = ""
    buttons: Sequence[Button] = ()


class Fight:
    """The fight of a channel, with a table for each member."""

    def __init__(self, session: Session) -> None:
        self.session, self.seats, self.tables = session, dict(seats_of(session)), dict[int, Table]()
        self.public = Table(session, Who("channel", Seat.SPECTATOR))
        self.told, self.asked = session.log.last, ""

    def table(self, member: int) -> Table:
        """Returns the table of a member; who has no seat watches."""
        if member not in self.tables:
            who = self.seats.get(member, Who(f"member {member}", Seat.SPECTATOR))
            self.tables[member] = Table(self.session, who)
        return self.tables[member]

    def gamemaster(self) -> Table:
        """Returns the table of the member who began the fight."""
        return self.table(next(member for member, who in self.seats.items() if who.seat is Seat.GM))

    def give_seat(self, member: int, who: Who) -> None:
        """Records which seat a member has, in a note that only the gamemaster sees."""
        gm = who if who.seat is Seat.GM else self.gamemaster().who
        self.session.perform(Note(f"{member} {who.seat.value} {who.name}", SEAT, seen_by=()), by=gm)
        self.seats[member] = who
        self.tables.pop(member, None)

    def draw_on(self) -> None:
        """Does what the gamemaster's settings do without asking, also between the lines of players."""
        gm = self.gamemaster()
        while (command := without_asking(gm, gm.question())) is not None:
            gm.perform(command)

    def news(self) -> str:
        """Returns what has happened since the last news, as all may see it."""
        after, self.told = self.told, self.session.log.last
        return narrated(self.public, after)

    def question(self) -> Reply:
        """Returns what the fight waits for, as all may see it, with a button for each answer."""
        seen, lines, buttons = self.public.seen, list[str](), list[Button]()
        for rest in seen.rests:
            name = begins_large(seen.roster.name(rest.by))
            if rest.dice:
                lines.append(begins_large(open_roll(self.session, seen, rest, self.public.eyes).words))
                buttons.append(Button("do", mark(rest.key, "~"), f"Draw: {name}"))
                continue
            lines.append(f"{name}: {rest.purpose}")
            if any(option.option in self.session.game.kinds for option in rest.options):
                buttons.append(Button("menu", mark(rest.key), f"{name}: what can I do?"))
            else:
                buttons += [Button("do", mark(rest.key, each.option), f"{name}: {each.label}") for each in rest.options]
        return Reply("\n".join(lines) or screen.moment(seen.clock), buttons)


Do = Callable[[Fight, Table], Reply]
"""Something that a member does at their table."""


# ------------------------------------------------------------------------------------------------ texts


def seats_of(session: Session) -> Iterator[tuple[int, Who]]:
    """Yields the seats of members, the newest last; they stay also where a note was undone."""
    for entry in session.entries():
        if isinstance(entry.command, Note) and is_about_a_seat(entry):
            member, seat, name = entry.command.text.split(" ", 2)
            yield int(member), Who(name, Seat(seat))


def is_about_a_seat(entry: Entry) -> bool:
    """Returns whether an entry gives a member a seat, which only the gamemaster's table does."""
    return isinstance(entry.command, Note) and entry.command.about == SEAT and entry.by.seat is Seat.GM


def printed(show: Callable[[Console], None]) -> str:
    """Returns what is printed on a narrow console."""
    file = StringIO()
    show(Console(file=file, width=WIDTH, color_system=None, force_terminal=False))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()).strip("\n")


def begins_large(text: str) -> str:
    """Returns a text that begins with a large letter."""
    return text[:1].upper() + text[1:]


def block(text: str) -> str:
    """Returns a text in letters of one width; of a long one its end."""
    text = text.replace("```", "` ` `")
    if len(text) > LONGEST:
        end = text[-LONGEST:]
        text = "…\n" + (end.partition("\n")[2] or end)
    return f"```\n{text}\n```" if text else ""


def narrated(table: Table, after: int) -> str:
    """Returns what was written after an entry, as the person at a table may see it."""
    written = [entry for entry in table.session.entries(after=after) if not is_about_a_seat(entry)]
    seen = (redacted(table.session.log.disclosures.entry(entry), table.eyes) for entry in written)
    entries = tuple(entry for entry in seen if entry.events)
    return printed(lambda console: narration.entries(console, table, entries))


def refusal(refused: Refused) -> str:
    """Returns a refusal: its sentence, and what is accepted."""
    accepts = f"\nAccepted: {refused.accepts}" if refused.accepts else ""
    return f"✗ {refused.message}{accepts}"[:LONGEST]


def mark(key: str, word: str = "") -> str:
    """Returns what a button keeps of an answer to a roll or choice."""
    return sha256(f"{key}\n{word}".encode()).hexdigest()[:32]


# ------------------------------------------------------------------------------------------------ at a table


def answers(table: Table, only: str = "") -> Iterator[tuple[Button, Command]]:
    """Yields the answers that a person may give now, of one combatant or all."""
    for who in [only] if only else dict.fromkeys(rest.by for rest in table.seen.rests):
        asked = table.question(who)
        for each in asked.rolls:
            yield Button("do", mark(each.key, "~"), f"Draw: {each.purpose}"), DrawDice(each.key)
        key = asked.rest.key if asked.rest is not None else ""
        for answer in asked.legal:
            word = answer.word if isinstance(answer.command, Choose) else answer.label
            target = "" if answer.target is None else f" {answer.target}"
            yield Button("do", mark(key, word), f"{answer.label}{target}"), answer.command


def pressed(fight: Fight, table: Table, what: str) -> Reply:
    """Gives the answer of a button."""
    command = next((command for button, command in answers(table) if button.what == what), None)
    if command is None:
        raise of_another(any(button.what == what for button, _ in answers(fight.gamemaster())))
    table.perform(command)
    fight.draw_on()
    return Reply()


def menu(table: Table, what: str) -> Reply:
    """Returns what a combatant can do, if this person plays the combatant."""
    rest = next((rest for rest in table.seen.rests if mark(rest.key) == what), None)
    if rest is None or rest.by not in combatants_of(table.seen, table.who):
        raise of_another(rest is not None)
    return options(table, rest.by)


def of_another(is_asked: bool) -> Refused:
    """Returns the refusal of a button that this person may not press."""
    if is_asked:
        return NotAllowed("another seat is asked, not yours", where="button", accepts="its player or the gamemaster")
    return NotUnderstood("this is no longer asked", where="button", accepts="the buttons of the last message")


def options(table: Table, who: str = "") -> Reply:
    """Returns what a person is asked, with a button for each answer; the first ones, where there are many."""
    asked = table.question(who)
    if asked.rest is None:
        raise NotUnderstood("nothing is asked of you now", where="options", accepts="/state")
    kinds = f"; also by /attack: {', '.join(asked.kinds)}" if asked.kinds else ""
    text = f"{begins_large(table.seen.roster.name(asked.rest.by))}: {asked.rest.purpose}{kinds}"
    return Reply(text[:LONGEST], [button for button, _ in answers(table, asked.rest.by)])


def targets(table: Table) -> list[str]:
    """Returns the combatants that the next declaration may be against."""
    return list(dict.fromkeys(each.against for each in table.question().legal if each.against))


def attack(fight: Fight, table: Table, line: str) -> Reply:
    """Declares what a line means."""
    table.forget()
    if table.declaration(line) is not None:
        return submit(fight, table, line)
    raise NotUnderstood(f"{line!r} is no attack now", where="line", accepts=", ".join(targets(table)) or "/state")


def submit(fight: Fight, table: Table, line: str) -> Reply:
    """Executes a line at a table, or answers a question of its last line; returns what it asks before it writes."""
    result = table.submit(line)
    if result.refused is not None:
        raise result.refused
    fight.draw_on()
    asks, lines = table.asks, result.done.lines
    if asks.endswith("y/n"):
        known = [("y", "Yes"), ("n", "No")]
    else:
        known = (
            [("", "No reason")] if asks == "why" else [(str(place), str(place)) for place in range(1, len(lines) + 1)]
        )
    text = block("\n".join([*lines, asks]).strip())
    return Reply(text, [Button("say", f"{mark(asks)}-{say}", label) for say, label in known] if asks else ())


def answered(fight: Fight, table: Table, what: str) -> Reply:
    """Answers the question that a line of this person asked before it writes."""
    asked, _, word = what.partition("-")
    if not table.asks or asked != mark(table.asks):
        raise of_another(False)
    return submit(fight, table, word)


def roll(fight: Fight, table: Table, line: str) -> Reply:
    """Answers open rolls with dice in the table's language."""
    rolls = table.question().rolls
    if not rolls:
        others = ", ".join(dict.fromkeys(rest.by for rest in table.seen.rests))
        accepts = f"nothing: {others} must answer" if others else "/attack, /options"
        raise NotUnderstood("no roll is asked of you now", where="roll", accepts=accepts)
    meaning = dice_answers(rolls, line.strip() or "~")
    if not meaning.commands:
        raise NotUnderstood(f"{line!r} shows no dice", where="roll", accepts=DICE)
    table.perform(*meaning.commands)
    fight.draw_on()
    return Reply("\n".join(meaning.wrong)[:LONGEST])


def undo(table: Table, span: str) -> Reply:
    """Returns what an undo would change, with the buttons that do it or keep everything; nothing is changed yet."""
    session, log = table.session, table.session.log
    session.check_allowed(Rewind(1, ""), by=table.who)
    to = spans.target(log, span)
    moved = MovedEntries(table, to)
    gone = [(entry.seq, event) for entry in log.entries_of(moved.undone) for event in entry.events]
    flipped = [
        f"{each.about}: {each.before} → {each.after or 'undone'}" for each in flips(gone, (), state=log.state(to))
    ]
    lines = [*moved.listed(), *flipped, *changes(session.state(), session.state(to)), moved.question()]
    return Reply(block("\n".join(lines)), [Button("undo", f"{log.last}-{to}", "Confirm"), Button("keep", "", "Keep")])


def undone(table: Table, what: str) -> Reply:
    """Undoes what was previewed, unless the log went on."""
    last, to = map(int, what.split("-"))
    if last != table.session.log.last:
        raise NotUnderstood("the fight went on since this preview", where="undo", accepts="/undo, for a new one")
    table.rewind(to, "undone in the channel")
    return Reply()


def join(fight: Fight, member: int, name: str) -> Reply:
    """Gives a member the seat of a player, named by the player or a combatant."""
    roster = fight.public.seen.roster
    player = roster[name].player if name in roster else name
    taken = {who.name: member for member, who in fight.seats.items()}
    free = [each for each in players(fight) if each not in taken]
    if fight.table(member).who.seat is Seat.GM:
        raise NotAllowed("the gamemaster plays every combatant already", where="join", accepts="another member")
    if player not in free:
        reason = f"{player} is played by another member" if player in taken else f"no player is called {name!r}"
        raise NotUnderstood(reason, where="join", accepts=", ".join(free) or "nothing: all players are here")
    fight.give_seat(member, Who(player, Seat.PLAYER))
    return Reply(f"You play {', '.join(sorted(roster.played_by(player)))}.")


def players(fight: Fight) -> list[str]:
    """Returns the players of combatants that all see."""
    return sorted({one.player for one in fight.public.seen.roster.who.values()} - {GAMEMASTER})


def why(table: Table, subject: str) -> Reply:
    """Returns the explanation of a number: its dice, reasons, pages and people."""
    why = table.session.why(subject, table.eyes)
    return Reply(block(printed(lambda console: explanation(console, why))))


def state(table: Table) -> Reply:
    """Returns the combatants, as the person at a table may see them."""
    return Reply(block(printed(lambda console: tracker.tracker(console, table))))


def end(table: Table) -> Reply:
    """Ends the fight."""
    table.perform(EndCombat())
    return Reply()


def hide(table: Table, text: str) -> Reply:
    """Adds combatants that only the gamemaster sees."""
    with in_secret(table):
        table.add(ready(text))
    return Reply("Hidden from all but you; /options is where you play them.")


def ready(text: str) -> list[str]:
    """Returns the words that name combatants; files of this machine are none of a member's business."""
    for word in words(text):
        if set(word.partition("@")[0]) & set("./\\"):
            raise NotUnderstood(f"{word!r} is no ready sheet", where="with", accepts="kade=firewall-agent@sam thug:2")
    return words(text)


# ------------------------------------------------------------------------------------------------ channels


def begun(store: Store, channel: int, *, member: int, by: Who, game: str, brought: str) -> Fight:
    """Creates the fight of a channel with its combatants, or nothing.

    Args:
        store: The ledger.
        channel: The number of the channel.
        member: The number of the gamemaster.
        by: The gamemaster.
        game: The ruleset.
        brought: The combatants, in the language of the table: ``kade=firewall-agent@sam thug:2``.

    Raises:
        Refused: There is no such game or sheet, or there are too few combatants.
    """
    draft = Session.create(MemoryStore(), ruleset=game, campaign=f"channel {channel}", by=by)
    Table(draft, by).add(ready(brought))
    draft.perform(BeginCombat(), by=by)
    fight = Fight(keep(draft, store))
    fight.told = 0
    fight.give_seat(member, by)
    return fight


def latest(store: Store, channel: int) -> Fight | None:
    """Returns the latest fight of a channel; None if there is none."""
    for name in reversed(store.sessions()):
        opening = stored_records.first(store, name).command
        if isinstance(opening, OpenSession) and opening.campaign == f"channel {channel}":
            fight = Fight(Session(store, name))
            if any(who.seat is Seat.GM for who in fight.seats.values()):
                return fight
    return None
