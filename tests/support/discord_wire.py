"""Discord without a network: a bot whose interactions arrive as Discord sends them, and whose requests are recorded."""

import asyncio
import itertools
from datetime import UTC, datetime
from types import SimpleNamespace

import discord
import msgspec
from discord.webhook.async_ import AsyncWebhookAdapter

from replays.examples.discord_bot import Bot

GUILD, APPLICATION = "1", "2"


class Sent(msgspec.Struct):
    """A message that the bot sent."""

    to: str
    """``channel``, or the name of the member who alone sees it."""
    text: str
    components: list[dict]
    payload: dict

    @property
    def buttons(self) -> list[dict]:
        """Its buttons, row by row."""
        return [button for row in self.components for button in row["components"]]

    @property
    def labels(self) -> list[str]:
        """The labels of its buttons."""
        return [button["label"] for button in self.buttons]


class Wire:
    """A bot with a faked network.

    Args:
        monkeypatch: Replaces the requests of discord.py.
        ledger: An open store.
    """

    def __init__(self, monkeypatch, ledger) -> None:
        self.bot, self.sent, self.requests, self.ids = (
            Bot(ledger),
            list[Sent](),
            list[tuple[str, str]](),
            itertools.count(100),
        )
        self.members = {"ann": 11, "sam": 12, "zoe": 13}
        self.asking = ""
        """The member whose interaction is being answered."""
        self.bot._connection.user = discord.ClientUser(state=self.bot._connection, data=_user("affray", 2))
        self.is_mute = False
        """Whether the bot lacks the permission to send messages."""
        monkeypatch.setattr(AsyncWebhookAdapter, "request", self._of_an_interaction)
        monkeypatch.setattr(self.bot.http, "request", self._of_the_bot)

    async def _of_an_interaction(self, route, session, *, payload=None, multipart=None, params=None, **_):
        self.requests.append((route.method, route.path))
        if route.path.endswith("/callback"):
            assert payload is not None
            if payload["type"] == 8:
                self.choices = payload["data"]["choices"]
            flags = payload.get("data", {}).get("flags", 0)
            self.is_ephemeral = payload["type"] == 6 or bool(flags & 64)
            return {"interaction": {"id": "1", "type": 2}}
        if route.method == "DELETE":
            return None
        if route.method == "PATCH":
            return self._message(payload)
        assert payload["flags"] & 64, "all that follows an interaction is for the member alone"
        return self._keep(self.asking, payload)

    async def _of_the_bot(self, route, *, json=None, form=None, **_):
        self.requests.append((route.method, route.path))
        assert (route.method, route.path) == ("POST", "/channels/{channel_id}/messages")
        if self.is_mute:
            raise discord.Forbidden(SimpleNamespace(status=403, reason="Forbidden"), "Missing Access")
        return self._keep("channel", json)

    def _keep(self, to: str, payload: dict) -> dict:
        self.sent.append(Sent(to, payload.get("content") or "", payload.get("components") or [], payload))
        return self._message(payload)

    def _message(self, payload: dict) -> dict:
        now = datetime.now(UTC).isoformat()
        return {
            "id": str(next(self.ids)), "channel_id": "5", "author": _user("affray", 2), "content": payload.get("content") or "",
            "timestamp": now, "edited_timestamp": None, "tts": False, "mention_everyone": False, "mentions": [],
            "mention_roles": [], "attachments": [], "embeds": [], "pinned": False, "type": 0,
            "flags": payload.get("flags", 0), "components": payload.get("components") or [],
        }  # fmt: skip

    # -------------------------------------------------------------------------------------------- members

    async def command(self, member: str, verb: str, /, channel: int = 5, **options: str) -> list[Sent]:
        """Calls a slash command; returns the messages that follow."""
        given = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        return await self._happens(member, channel, 2, {"id": "3", "name": verb, "type": 1, "options": given})

    async def complete(self, member: str, verb: str, field: str, /, **options: str) -> list[str]:
        """Returns the choices that are offered while a field is typed."""
        given = [{"name": key, "type": 3, "value": value, "focused": key == field} for key, value in options.items()]
        await self._happens(member, 5, 4, {"id": "3", "name": verb, "type": 1, "options": given})
        return [choice["value"] for choice in self.choices]

    async def press(self, member: str, label: str, on: Sent | None = None) -> list[Sent]:
        """Presses a button of a message, by default of the latest that has such a label; returns what follows."""
        message = on or next(sent for sent in reversed(self.sent) if label in sent.labels)
        button = next(button for button in message.buttons if button["label"] == label)
        data = {"custom_id": button["custom_id"], "component_type": 2}
        return await self._happens(member, 5, 3, data, message=self._message(message.payload))

    async def _happens(self, member: str, channel: int, kind: int, data: dict, **more) -> list[Sent]:
        before, self.asking = len(self.sent), member
        happened = {
            "id": str(next(self.ids)), "application_id": APPLICATION, "type": kind, "token": "a token", "version": 1,
            "guild_id": GUILD, "guild": {"id": GUILD, "locale": "en-US", "features": []}, "data": data,
            "channel_id": str(channel), "attachment_size_limit": 1000, "entitlements": [],
            "channel": {"id": str(channel), "type": 0, "name": "table", "position": 0, "permissions": "0"},
            "member": {"user": _user(member, self.members[member]), "roles": [], "joined_at": None, "deaf": False,
                       "mute": False, "flags": 0, "permissions": "0"},
            "app_permissions": "0", "locale": "en-US", **more,
        }  # fmt: skip
        known = asyncio.all_tasks()
        self.bot._connection.parse_interaction_create(happened)
        while running := {task for task in asyncio.all_tasks() - known if "timeout" not in repr(task.get_coro())}:
            done, waiting = await asyncio.wait(running, timeout=20)
            assert done, f"the bot waits for something: {waiting}"
            for task in done:
                task.result()
        return self.sent[before:]


def _user(name: str, number: int) -> dict:
    return {"id": str(number), "username": name, "discriminator": "0", "avatar": None, "global_name": None}


__all__ = ("Sent", "Wire", "discord")
