"""The Discord bot, with discord.py as it is and the network faked: commands, buttons, seats, secrets, undo, limits."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import discord
import pytest
from discord_wire import Wire

from ledger.dice import parse
from ledger.stores import open_store
from replays.api.session import Session
from replays.examples.discord_bot import COMMANDS, Bot

README = Path(__file__).parents[3] / "replays/examples/README.md"
FIGHT = {"game": "eclipse_phase_2e", "combatants": "kade=firewall-agent@sam thug:2", "dice": "ask"}


def play(monkeypatch, story: Callable[[Wire], Awaitable[None]], ledger: str = "memory://") -> Wire:
    """Plays a story with a bot, and holds every message to Discord's limits."""

    async def played() -> Wire:
        wire = Wire(monkeypatch, open_store(ledger))
        async with wire.bot:
            await story(wire)
        return wire

    wire = asyncio.run(played())
    for sent in wire.sent:
        assert 0 < len(sent.text) <= 2000
        assert len(sent.components) <= 5
        assert all(len(row["components"]) <= 5 for row in sent.components)
        assert all(0 < len(button["label"]) <= 80 and len(button["custom_id"]) <= 100 for button in sent.buttons)
        assert len({button["custom_id"] for button in sent.buttons}) == len(sent.buttons)
        assert sent.payload["allowed_mentions"] == {"parse": []}
    return wire


async def begun(wire: Wire) -> None:
    """Begins a fight in which Kade, who is sam's, is asked what to do."""
    await wire.command("ann", "fight", **FIGHT)
    await wire.command("sam", "join", name="kade")
    await wire.command("sam", "roll", dice="6")
    await wire.command("ann", "roll", dice="3")


async def refused(wire: Wire, member: str, verb: str, /, **options: str) -> str:
    """Returns the refusal of a command, which the member alone sees, and which changes nothing."""
    before = {channel: fight.session.log.last for channel, fight in wire.bot.fights.items()}
    (sent,) = await wire.command(member, verb, **options)
    assert sent.to == member
    assert sent.text.startswith("✗ ")
    assert "Accepted: " in sent.text
    assert before == {channel: wire.bot.fights[channel].session.log.last for channel in before}
    return sent.text


def test_a_whole_fight_is_played_with_commands_and_buttons_to_its_end(monkeypatch):
    async def story(wire: Wire) -> None:
        await begun(wire)
        for _ in range(300):
            seen = wire.bot.fights[5].public.seen
            conditions = {each.name for each in wire.bot.fights[5].session.state().combatants["thug-1"].conditions}
            if conditions & {"unconscious", "dead"}:
                break
            rest = seen.rests[0]
            member = "sam" if rest.by == "kade" else "ann"
            if rest.dice == "1d100":
                await wire.command(member, "roll", dice="11" if rest.by == "kade" else "98")
            elif rest.dice and rest.by == "kade":
                await wire.command("sam", "roll", dice=" ".join(map(str, parse(rest.dice).sides)))
            elif rest.dice:
                await wire.press(member, f"Draw: {rest.by.replace('-', ' ').capitalize()}")
            elif rest.by == "kade" and rest.key.endswith("/act"):
                await wire.command("sam", "attack", target="thug-1", weapon="medium pistol")
            elif any(option.option == "end" for option in rest.options):
                await wire.press(member, f"{rest.by.replace('-', ' ').capitalize()}: what can I do?")
                await wire.press(member, "end", wire.sent[-1])
            else:
                await wire.press(member, wire.sent[-1].labels[0])
        else:
            raise AssertionError("thug-1 still stands")
        assert wire.bot.fights[5].session.state().combatants["thug-1"].tracks["damage"].taken >= 10
        (over,) = await wire.command("ann", "end")
        assert over.to == "channel"
        assert over.text.endswith("the fight is over")
        assert not wire.bot.fights[5].session.combat.clock.fighting
        assert wire.bot.fights[5].session.audit().is_sound

    play(monkeypatch, story)


def test_an_undo_is_previewed_then_kept_or_confirmed(monkeypatch):
    async def story(wire: Wire) -> None:
        await begun(wire)
        head = wire.bot.fights[5].session.log.head
        await wire.command("sam", "attack", target="t1", weapon="medium pistol")
        await wire.press("ann", "Thug 1: no defense")
        await wire.command("sam", "roll", dice="41")
        log = wire.bot.fights[5].session.log
        last, digest = log.last, log.digest
        (preview,) = await wire.command("ann", "undo", span="exchange")
        assert preview.to == "ann"
        assert preview.labels == ["Confirm", "Keep"]
        assert "kade: hit with medium pistol: success → undone" in preview.text
        assert "kade: 15 → 16 medium pistol" in preview.text
        (kept,) = await wire.press("ann", "Keep", preview)
        assert kept.text == "Nothing is changed."
        assert (log.last, log.digest) == (last, digest)
        (told,) = await wire.press("ann", "Confirm", preview)
        assert told.to == "channel"
        assert f"Back to entry {head}." in told.text
        assert log.head == head
        assert any(method == "PATCH" for method, _ in wire.requests), "the preview loses its buttons"

    play(monkeypatch, story)


def test_a_preview_is_refused_once_the_fight_went_on(monkeypatch):
    async def story(wire: Wire) -> None:
        await begun(wire)
        (preview,) = await wire.command("ann", "undo")
        await wire.command("sam", "attack", target="t1")
        last = wire.bot.fights[5].session.log.last
        (sent,) = await wire.press("ann", "Confirm", preview)
        assert sent.text.startswith("✗ the fight went on since this preview")
        assert wire.bot.fights[5].session.log.last == last
        assert "may not ask for Rewind" in await refused(wire, "sam", "undo")
        assert (
            "may not ask for Rewind"
            in (await wire.press("sam", "Confirm", (await wire.command("ann", "undo"))[0]))[0].text
        )

    play(monkeypatch, story)


def test_wrong_input_is_refused_with_what_is_accepted(monkeypatch):
    async def story(wire: Wire) -> None:
        for verb, options in (
            ("state", {}),
            ("roll", {}),
            ("attack", {"target": "thug-1"}),
            ("join", {"name": "kade"}),
        ):
            assert "there is no fight in this channel" in await refused(wire, "sam", verb, **options)
        assert await wire.complete("sam", "attack", "target", target="") == []
        assert "no ready sheet" in await refused(
            wire, "ann", "fight", game="gurps_3e", combatants="/etc/passwd ../me.toml"
        )
        assert "archr" in await refused(wire, "ann", "fight", game="gurps_3e", combatants="archr swordsman")
        assert wire.bot.ledger.sessions() == []
        await begun(wire)
        assert "thug-1, thug-2" in await refused(wire, "sam", "attack", target="dragon")
        for word in ("undo", "add like thug", "reveal kade", "export fight.json"):
            assert "is no attack now" in await refused(wire, "sam", "attack", target=word)
        assert "nothing: kade must answer" in await refused(wire, "zoe", "roll", dice="23")
        assert "is no attack now" in await refused(wire, "zoe", "attack", target="thug-1")
        assert "a fight is going on" in await refused(wire, "zoe", "fight", **FIGHT)
        assert "played by another member" in await refused(wire, "zoe", "join", name="kade")
        assert "no player is called" in await refused(wire, "zoe", "join", name="thug-1x")
        assert "EndCombat" in await refused(wire, "sam", "end")
        await wire.command("sam", "attack", target="t1", weapon="medium pistol")
        await wire.press("ann", "Thug 1: no defense")
        for text in ("a lot", "123", "41 41", "-1"):
            await refused(wire, "sam", "roll", dice=text)
        await refused(wire, "sam", "why", number="kade.luck")

    play(monkeypatch, story)


def test_a_button_works_for_who_is_asked_and_only_while_it_is_asked(monkeypatch):
    async def story(wire: Wire) -> None:
        (first,) = await wire.command("ann", "fight", **FIGHT)
        assert first.labels == ["Draw: Kade", "Draw: Thug 1"]
        await wire.command("sam", "join", name="sam")
        for member, label in (("sam", "Draw: Thug 1"), ("zoe", "Draw: Kade")):
            (sent,) = await wire.press(member, label, first)
            assert (sent.to, sent.text.partition("\n")[0]) == (member, "✗ another seat is asked, not yours")
        (told,) = await wire.press("sam", "Draw: Kade", first)
        assert told.to == "channel"
        assert re.search(r"Kade rolls \d \(initiative; drawn\)", told.text)
        (sent,) = await wire.press("sam", "Draw: Kade", first)
        assert sent.text.startswith("✗ this is no longer asked")
        await wire.press("ann", "Draw: Thug 1", first)

    play(monkeypatch, story)


def test_nothing_hidden_is_posted_in_the_channel(monkeypatch):
    async def story(wire: Wire) -> None:
        await begun(wire)
        before = len(wire.sent)
        (sent,) = await wire.command("ann", "hide", combatants="sniper=soldier")
        assert sent.to == "ann"
        await wire.command("sam", "state")
        await wire.command("zoe", "state")
        await wire.command("sam", "attack", target="t1", weapon="medium pistol")
        await wire.command("ann", "state")
        seen = {
            to: "".join(one.text for one in wire.sent[before + 1 :] if one.to == to)
            for to in ("channel", "sam", "zoe", "ann")
        }
        assert "sniper" in seen["ann"]
        assert not any("sniper" in seen[to] or "unseen" in seen[to] for to in ("channel", "sam", "zoe"))
        assert "sniper" not in await wire.complete("sam", "attack", "target", target="")

    play(monkeypatch, story)


def test_a_bot_that_is_started_again_knows_its_channels_and_seats(monkeypatch, tmp_path):
    ledger = f"sqlite:///{tmp_path}/affray.db"
    first = play(monkeypatch, begun, ledger)

    async def story(wire: Wire) -> None:
        assert await wire.press("sam", "Kade: what can I do?", first.sent[-1])
        (told,) = await wire.command("sam", "attack", target="t1", weapon="medium pistol")
        assert told.to == "channel"
        (preview,) = await wire.command("ann", "undo")
        assert preview.labels == ["Confirm", "Keep"]
        assert "no fight in this channel" in (await wire.command("sam", "state", channel=6))[0].text
        assert len(wire.bot.ledger.sessions()) == 1

    play(monkeypatch, story, ledger)
    assert sorted(path.name.partition("-")[0] for path in tmp_path.iterdir()) == ["affray.db"] * len(
        list(tmp_path.iterdir())
    )


def test_a_bot_that_may_not_write_in_the_channel_names_the_permissions(monkeypatch):
    async def story(wire: Wire) -> None:
        wire.is_mute = True
        (sent,) = await wire.command("ann", "fight", **FIGHT)
        assert sent.to == "ann"
        assert sent.text == "✗ the bot may not write here\nAccepted: the permissions to view and to send messages"

    play(monkeypatch, story)


def test_a_session_without_a_gamemaster_is_no_fight_of_the_channel(monkeypatch):
    async def story(wire: Wire) -> None:
        Session.create(wire.bot.ledger, ruleset="gurps_3e", campaign="channel 5")
        assert "there is no fight in this channel" in await refused(wire, "ann", "state")

    play(monkeypatch, story)


def test_a_line_that_may_mean_an_ally_is_asked_about_first(monkeypatch):
    async def story(wire: Wire) -> None:
        await wire.command(
            "ann", "fight", **(FIGHT | {"combatants": "kade=firewall-agent@sam zoe=firewall-agent@zoe thug"})
        )
        await wire.command("sam", "join", name="kade")
        await wire.command("ann", "roll", dice="kade 6 zoe 1 thug 1")
        (asked,) = await wire.command("sam", "attack", target="z")
        assert (asked.to, asked.labels) == ("sam", ["Yes", "No"])
        last = wire.bot.fights[5].session.log.last
        assert "no longer asked" in (await wire.press("ann", "Yes", asked))[0].text
        (sent,) = await wire.press("sam", "No", asked)
        assert "nothing is changed" in sent.text
        assert wire.bot.fights[5].session.log.last == last

    play(monkeypatch, story)


def test_nine_combatants_fit_within_the_limits_of_discord(monkeypatch):
    async def story(wire: Wire) -> None:
        await wire.command("ann", "fight", game="shadowrun_4e", combatants="ganger:9", dice="ask")
        assert len(wire.sent[-1].labels) == 9
        await wire.command("ann", "state")
        assert all(
            f"ganger-{number}" in wire.sent[-1].text or f"ganger {number}" in wire.sent[-1].text
            for number in range(1, 10)
        )
        await wire.command("ann", "roll")
        await wire.command("ann", "options")
        assert 5 < len(wire.sent[-1].labels) <= 25
        found = await wire.complete("ann", "attack", "target", target="ganger")
        assert 5 < len(found) <= 25
        assert all(
            len(each) <= 100 for each in await wire.complete("ann", "attack", "weapon", target=found[0], weapon="")
        )

    play(monkeypatch, story)


def test_the_commands_satisfy_the_limits_of_discord(monkeypatch):
    async def story(wire: Wire) -> None:
        commands = [command.to_dict(wire.bot.tree) for command in wire.bot.tree.get_commands()]
        assert {each["name"] for each in commands} == {command.name for command in COMMANDS}
        for each in commands:
            assert re.fullmatch(r"[a-z_-]{1,32}", each["name"])
            assert 0 < len(each["description"]) <= 100
            assert each["dm_permission"] is False
            for option in each["options"]:
                assert re.fullmatch(r"[a-z_-]{1,32}", option["name"])
                assert 1 < len(option["description"]) <= 100
                assert len(option.get("choices", [])) <= 25
                assert all(0 < len(choice["name"]) <= 100 for choice in option.get("choices", []))

    play(monkeypatch, story)


def test_the_token_is_required_and_named(monkeypatch):
    environment = {"PATH": "/usr/bin"}
    done = subprocess.run(
        [sys.executable, "-m", "replays.examples.discord_bot", "memory://"],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 1
    assert "DISCORD_TOKEN is not set" in done.stderr
    assert issubclass(Bot, discord.Client)


def test_the_conversation_in_the_readme_is_what_the_bot_answers(monkeypatch):
    text = README.read_text().partition("<!-- conversation -->")[2].partition("```text\n")[2]
    written = text.partition("\n```\n")[0].splitlines()
    lines: list[str] = []

    async def story(wire: Wire) -> None:
        for line in written:
            said = re.fullmatch(r"(ann|sam) (/\w+|presses) ?(.*)", line)
            if said is None:
                continue
            lines.append(line)
            if said[2] == "presses":
                sent = await wire.press(said[1], said[3].strip("[]"))
            else:
                sent = await wire.command(said[1], said[2][1:], **given(said[3]))
            lines.extend(line for each in sent for line in shown(each))

    play(monkeypatch, story)
    assert lines == written


def given(text: str) -> dict[str, str]:
    """Returns the options of a command as they are typed: ``target:t1 weapon:medium pistol``."""
    names = "|".join({option.name for command in COMMANDS for option in command.parameters})
    return dict(re.findall(rf"\b({names}):(.*?)(?= (?:{names}):|$)", text))


def shown(sent) -> list[str]:
    """Returns a message as it is displayed in the README."""
    to = "in the channel" if sent.to == "channel" else f"for {sent.to} alone"
    text = [line for line in re.sub(r"```\n?", "\n", sent.text).splitlines() if line]
    return [f"  ({to})", *(f"  {line}" for line in text), *([f"  [{'] ['.join(sent.labels)}]"] if sent.labels else [])]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_each_command_is_in_the_readme(command):
    assert f"`/{command.name}" in README.read_text()
