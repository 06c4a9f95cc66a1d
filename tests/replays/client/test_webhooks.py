"""Webhooks through the client: registered, tested, replaced, activated, deleted."""

import asyncio

import pytest
from server.processes import Served
from standardwebhooks import Webhook

from replays.client import AsyncRemoteSession, Founded, IssuedHook, KnownHook, Pinged, ServerRefused

URL = "https://bot.example/affray"
"""An address that never exists: no name server is asked for it."""


def test_a_seat_registers_a_webhook_and_manages_it(founded: Founded) -> None:
    hooks = founded.player("kira").hooks
    last = founded.player("kira").state().entries

    made = hooks.create(URL)
    other = hooks.create(f"{URL}/other", after=1)

    assert isinstance(made, IssuedHook)
    assert (made.address, made.cursor, other.cursor) == (URL, last, 1)
    assert Webhook(made.secret)
    assert [each.id for each in hooks.known()] == [made.id, other.id]
    assert hooks.ping(made.id) == Pinged(False, None, "the name cannot be resolved")
    assert hooks.replace_secret(made.id).secret != made.secret
    activated = hooks.activate(made.id)
    assert isinstance(activated, KnownHook)
    assert (activated.state, activated.stopped) == ("active", "")
    hooks.delete(other.id)
    assert [each.id for each in hooks.known()] == [made.id]
    assert founded.gamemaster().hooks.known() == ()


def test_a_refusal_has_the_slug_of_the_server(founded: Founded) -> None:
    hooks = founded.spectator().hooks

    for refused, slug in (
        (lambda: hooks.create("http://127.0.0.1/"), "hook/address"),
        (lambda: hooks.ping("nothing"), "hook/unknown"),
    ):
        with pytest.raises(ServerRefused) as error:
            refused()
        assert error.value.slug == slug


def test_the_same_calls_exist_for_asyncio(server: Served, founded: Founded) -> None:
    issued = next(each for each in founded.tokens if each.name == "kira")

    async def play() -> tuple[KnownHook, ...]:
        async with AsyncRemoteSession(server.url, founded.id, issued.token) as session:
            made = await session.hooks.create(URL)
            found = await session.hooks.known()
            await session.hooks.delete(made.id)
            return found

    (found,) = asyncio.run(play())
    assert found.address == URL
