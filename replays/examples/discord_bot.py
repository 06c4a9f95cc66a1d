"""A Discord bot: a fight in each channel. Run it with `python -m replays.examples.discord_bot [LEDGER]`.

The token of the bot is in `DISCORD_TOKEN`; the ledger is LEDGER, or `AFFRAY_LEDGER`, or `sqlite:///affray.db`. What all
may see is posted in the channel; a reply is visible to the member alone, and shows what their seat may see.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import discord
from discord import app_commands

from ledger.entry import Who
from ledger.errors import Refused
from ledger.stores import Store, open_store
from machines.contract.refusals import NotAllowed
from machines.registry import installed
from replays.examples import channel_fight as playing
from replays.examples.channel_fight import MOST, Button, Do, Fight, Reply
from replays.sessions import undo as spans
from replays.table.completion import completions
from replays.table.language.grammar import NotUnderstood
from replays.table.table import Table

T = TypeVar("T")
LONGEST_LABEL = 80
"""The most letters on a button."""
DRAWN = {"the gamemaster's dice are drawn": "auto", "every roll is asked for": "ask", "all dice are drawn": "all"}
"""What the settings of dice mean."""


class Press(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"affray:(?P<do>[a-z]+):(?P<of>.*)"):
    """A button that works as long as its question is open, also after a restart."""

    def __init__(self, button: Button) -> None:
        label = button.label if len(button.label) <= LONGEST_LABEL else f"{button.label[: LONGEST_LABEL - 1]}…"
        super().__init__(discord.ui.Button(label=label, custom_id=f"affray:{button.do}:{button.what}"))
        self.button = button

    @classmethod
    async def from_custom_id(cls, _: Any, item: Any, match: Any, /) -> "Press":
        """Returns the button that was pressed."""
        return cls(Button(match["do"], match["of"], item.label))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Does what the button does."""
        do, what = self.button.do, self.button.what
        presses: dict[str, Do] = {
            "do": lambda fight, table: playing.pressed(fight, table, what),
            "menu": lambda _, table: playing.menu(table, what),
            "say": lambda fight, table: playing.answered(fight, table, what),
            "undo": lambda _, table: playing.undone(table, what),
            "keep": lambda *_: Reply("Nothing is changed."),
        }
        await interaction.client.play(interaction, presses[do])


class Bot(discord.Client):
    """The bot; it works on the ledger in one thread, so that it never blocks the connection to Discord."""

    def __init__(self, ledger: Store) -> None:
        super().__init__(intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none())
        self.ledger, self.fights = ledger, dict[int, Fight]()
        self.worker, self.tree = ThreadPoolExecutor(1), app_commands.CommandTree(self)
        self.add_dynamic_items(Press)
        for command in COMMANDS:
            command.guild_only = True
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        """Registers the commands when the bot logs in."""
        await self.tree.sync()

    async def close(self) -> None:
        """Leaves Discord, and closes the ledger."""
        await super().close()
        self.worker.shutdown()
        self.ledger.close()

    async def run_in_thread(self, do: Callable[[], T]) -> T:
        """Works on the ledger, one request after the other."""
        return await asyncio.get_running_loop().run_in_executor(self.worker, do)

    def fight(self, channel: int) -> Fight:
        """Returns the latest fight of a channel."""
        found = self.fights.get(channel) or playing.latest(self.ledger, channel)
        if found is None:
            raise NotUnderstood("there is no fight in this channel", where="channel", accepts="/fight")
        return self.fights.setdefault(channel, found)

    def begin(self, channel: int, member: discord.abc.User, game: str, combatants: str, dice: str) -> None:
        """Creates the fight of a channel, unless one is going on there."""
        with suppress(NotUnderstood):
            if self.fight(channel).session.combat.clock.fighting:
                raise NotAllowed("a fight is going on in this channel", where="channel", accepts="/end, then /fight")
        fight = playing.begun(
            self.ledger, channel, member=member.id, by=Who(member.name), game=game, brought=combatants
        )
        fight.gamemaster().keep(dice=dice, defaults=dice)
        fight.draw_on()
        self.fights[channel] = fight

    def played(self, channel: int, member: int, do: Do, first: Callable[[], None] | None) -> tuple[Reply, str, Reply]:
        """Runs a request at the table of a member; returns its reply, and for all what happened and what is asked."""
        if first is not None:
            first()
        fight = self.fight(channel)
        fight.session.log.refresh()
        table, before = fight.table(member), fight.session.log.last
        reply = do(fight, table)
        mine, news = playing.narrated(table, before), fight.news()
        if mine not in ("", news) and not reply.buttons:
            reply = Reply(reply.text or playing.block(mine))
        asked = fight.question()
        is_new, fight.asked = bool(news) or asked.text != fight.asked, asked.text
        return reply, news, asked if is_new else Reply()

    async def play(
        self, interaction: discord.Interaction[Any], do: Do, first: Callable[[], None] | None = None
    ) -> None:
        """Runs a request; the member alone sees the reply, and the channel what all may see."""
        await interaction.response.defer(ephemeral=True)
        channel, member = interaction.channel_id or 0, interaction.user.id
        try:
            reply, news, asked = await self.run_in_thread(lambda: self.played(channel, member, do, first))
        except Refused as refused:
            await interaction.followup.send(playing.refusal(refused), ephemeral=True)
            return
        await self.answer(interaction, reply)
        try:
            await self.post(interaction, news, asked)
        except discord.Forbidden:
            muted = NotAllowed("the bot may not write here", accepts="the permissions to view and to send messages")
            await interaction.followup.send(playing.refusal(muted), ephemeral=True)

    async def answer(self, interaction: discord.Interaction[Any], reply: Reply) -> None:
        """Sends a reply that the member alone sees; a preview that is answered loses its buttons."""
        if interaction.type is discord.InteractionType.component:
            if interaction.message is not None and interaction.message.flags.ephemeral:
                await interaction.edit_original_response(view=None)
        elif not reply.text:
            await interaction.delete_original_response()
        if reply.text:
            await interaction.followup.send(reply.text, view=view(reply.buttons), ephemeral=True)

    async def post(self, interaction: discord.Interaction[Any], news: str, asked: Reply) -> None:
        """Posts in the channel what happened and what is asked now, if any of it is new."""
        if not asked.text:
            return
        assert isinstance(interaction.channel, discord.abc.Messageable), "commands are for channels with messages"
        happened, question = playing.block(news), asked.text[: playing.LONGEST]
        if len(happened) + len(question) > playing.LONGEST:
            await interaction.channel.send(happened)
            happened = ""
        await interaction.channel.send(f"{happened}{question}", view=view(asked.buttons))


def view(buttons: Sequence[Button]) -> discord.ui.View:
    """Returns buttons as Discord displays them: five rows of five at most."""
    shown = discord.ui.View(timeout=None)
    for button in {(each.do, each.what): each for each in buttons[:MOST]}.values():
        shown.add_item(Press(button))
    return shown


# ------------------------------------------------------------------------------------------------ commands

At = discord.Interaction[Bot]
Choices = list[app_commands.Choice[str]]


async def choices(interaction: At, typed: str, found: Callable[[Table], Iterable[str]]) -> Choices:
    """Returns what completes an argument; nothing where there is no fight."""

    def known() -> list[str]:
        return list(found(interaction.client.fight(interaction.channel_id or 0).table(interaction.user.id)))

    with suppress(Refused):
        candidates = dict.fromkeys(await interaction.client.run_in_thread(known))
        fitting = [word for word in candidates if typed.lower() in word.lower() and 0 < len(word) <= 100]
        return [app_commands.Choice(name=word, value=word) for word in fitting[:MOST]]
    return []


@app_commands.command()
@app_commands.describe(
    game="The rules",
    combatants="Ready sheets: kade=firewall-agent@sam thug:2",
    dice="What is drawn without asking",
)
@app_commands.choices(
    game=[app_commands.Choice(name=each, value=each) for each in sorted(installed())[:MOST]],
    dice=[app_commands.Choice(name=name, value=value) for name, value in DRAWN.items()],
)
async def fight(interaction: At, game: str, combatants: str, dice: str = "auto") -> None:
    """Begin a fight in this channel; you are its gamemaster."""
    bot, channel, member = interaction.client, interaction.channel_id or 0, interaction.user
    first = partial(bot.begin, channel, member, game, combatants, dice)
    await bot.play(interaction, lambda *_: Reply(), first)


@app_commands.command()
@app_commands.describe(name="The player or the combatant")
async def join(interaction: At, name: str) -> None:
    """Take the seat of a player."""
    await interaction.client.play(interaction, lambda fight, _: playing.join(fight, interaction.user.id, name))


@app_commands.command()
@app_commands.describe(combatants="Ready sheets: sniper=soldier")
async def hide(interaction: At, combatants: str) -> None:
    """Add combatants that only the gamemaster sees."""
    await interaction.client.play(interaction, lambda _, table: playing.hide(table, combatants))


@app_commands.command()
@app_commands.describe(
    target="Who is attacked: thug-1, t1", weapon="With what", terms="More of the line: burst range=short"
)
async def attack(interaction: At, target: str, weapon: str = "", terms: str = "") -> None:
    """Attack, or declare anything else: a line in the language of the table."""
    line = " ".join(filter(None, (target, weapon, terms)))
    await interaction.client.play(interaction, lambda fight, table: playing.attack(fight, table, line))


@attack.autocomplete("target")
async def _targets(interaction: At, typed: str) -> Choices:
    return await choices(interaction, typed, playing.targets)


@attack.autocomplete("weapon")
async def _weapons(interaction: At, typed: str) -> Choices:
    line = f"attack {interaction.namespace.target} "
    return await choices(interaction, typed, lambda table: (word.text for word in completions(table, line)))


@app_commands.command()
@app_commands.describe(dice="Faces (23), hits (4h), a total, several (kade 20 thug-1 60); nothing draws them")
async def roll(interaction: At, dice: str = "~") -> None:
    """Answer the rolls that you are asked for."""
    await interaction.client.play(interaction, lambda fight, table: playing.roll(fight, table, dice))


@app_commands.command()
async def options(interaction: At) -> None:
    """Show what you can do now."""
    await interaction.client.play(interaction, lambda _, table: playing.options(table))


@app_commands.command()
async def state(interaction: At) -> None:
    """Show the fight, as your seat sees it."""
    await interaction.client.play(interaction, lambda _, table: playing.state(table))


@app_commands.command()
@app_commands.describe(number="A roll (kade/to-hit) or a figure (thug-1.damage)")
async def why(interaction: At, number: str) -> None:
    """Explain a number: its dice, reasons, pages and people."""
    await interaction.client.play(interaction, lambda _, table: playing.why(table, number))


@app_commands.command()
@app_commands.describe(span="How much")
@app_commands.choices(span=[app_commands.Choice(name=each, value=each) for each in spans.SPANS])
async def undo(interaction: At, span: str = "step") -> None:
    """Show what would change if the latest step, exchange, turn or round were undone; then confirm it."""
    await interaction.client.play(interaction, lambda _, table: playing.undo(table, span))


@app_commands.command()
async def end(interaction: At) -> None:
    """End the fight."""
    await interaction.client.play(interaction, lambda _, table: playing.end(table))


COMMANDS: tuple[app_commands.Command[Any, ..., None], ...] = (
    fight, join, hide, attack, roll, options, state, why, undo, end,
)  # fmt: skip


def main() -> None:
    """Runs the bot until it is stopped."""
    ledger = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("AFFRAY_LEDGER", "sqlite:///affray.db")
    token = os.environ.get("DISCORD_TOKEN", "")
    if not token:
        sys.exit(
            "discord_bot: DISCORD_TOKEN is not set (accepted: the token of your bot, from Discord's developer portal)"
        )
    Bot(open_store(ledger)).run(token)


if __name__ == "__main__":
    main()
