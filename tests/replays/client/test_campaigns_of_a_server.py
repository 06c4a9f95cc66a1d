"""The host reads campaigns over HTTP as the embedded functions read them, by any name."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import affray
import msgspec
import pytest
from campaign_sessions import ODD, RAIN, fill
from client.brawl import host_token
from server.processes import Served, served

from ledger.stores import Store, open_store
from replays.client import AsyncHost, Host
from replays.exports import documents

HARD = ("/", "..", "-", "a/b?c=d&e#f%2F", "日本 “ö”", "'\"\\")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Store]]:
    """Yields a server, and its ledger with campaigns."""
    folder: Path = tmp_path_factory.mktemp("campaigns")
    with closing(open_store(f"sqlite:///{folder}/affray.db")) as store:
        fill(store)
        for number, name in enumerate(HARD):
            affray.Session.create(store, ruleset="gurps_3e", session=f"HARD{number}", campaign=name)
        with served(folder, "--rate", "0") as server:
            yield server, store


@pytest.fixture
def campaign_host(filled: tuple[Served, Store]) -> Iterator[Host]:
    """Yields the host of that server."""
    with Host(filled[0].url, host_token(filled[0])) as host:
        yield host


def in_decimals(luck: Any) -> Any:
    """Returns luck with the decimals that are transmitted."""
    return msgspec.json.decode(msgspec.json.encode(documents.chances(luck)))


def test_the_host_gets_what_the_functions_return(filled: tuple[Served, Store], campaign_host: Host) -> None:
    _, store = filled

    assert campaign_host.campaigns() == affray.campaigns(store)
    for name in (RAIN, ODD, *HARD):
        assert campaign_host.campaign(name) == affray.campaign(store, name)
        assert campaign_host.campaign_rulings(name) == affray.campaign_rulings(store, name)
    luck = campaign_host.campaign_luck(RAIN)
    assert isinstance(luck, affray.SessionsLuck)
    assert in_decimals(luck) == in_decimals(affray.campaign_luck(store, RAIN))


def test_refusals_are_those_of_the_functions(campaign_host: Host) -> None:
    for ask in (campaign_host.campaign, campaign_host.campaign_luck, campaign_host.campaign_rulings):
        with pytest.raises(affray.NoSuchCampaign, match="did you mean 'Iron Rain'"):
            ask("iron rian")
    with pytest.raises(affray.Refused) as refused:
        campaign_host.campaign_luck(ODD)
    assert refused.value.slug == "luck/no-dice"


def test_the_asynchronous_host_gets_the_same(filled: tuple[Served, Store]) -> None:
    server, store = filled

    async def ask() -> Any:
        async with AsyncHost(server.url, host_token(server)) as host:
            return (
                await host.campaigns(), await host.campaign(RAIN), await host.campaign_rulings(RAIN),
                in_decimals(await host.campaign_luck(RAIN)),
            )  # fmt: skip

    assert asyncio.run(ask()) == (
        affray.campaigns(store), affray.campaign(store, RAIN), affray.campaign_rulings(store, RAIN),
        in_decimals(affray.campaign_luck(store, RAIN)),
    )  # fmt: skip


def test_a_seat_of_a_session_is_not_the_host(filled: tuple[Served, Store]) -> None:
    server, _ = filled
    with Host(server.url, host_token(server)) as host:
        token = host.create_session(ruleset="gurps_3e", campaign="Theirs").tokens[0].token
    with Host(server.url, token) as gamemaster, pytest.raises(affray.NotAllowed):
        gamemaster.campaigns()
