"""Campaigns over HTTP: names of every kind, damaged sessions, and long work that delays no one else."""

import asyncio
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
import pytest
from campaign_sessions import ODD, RAIN, fill
from server.documented import wrong
from server.processes import SHEET, Served, Table, served

from ledger import chain
from ledger.commands import BeginCombat, Join, Note, TypeDice
from ledger.errors import Busy, Unreadable, Unusable
from ledger.stores import Store, open_store
from replays.api.session import Session
from replays.campaigns.campaign import campaign, campaign_luck, campaign_rulings
from replays.campaigns.listing import campaigns
from replays.exports import documents
from replays.server.callers.tokens import Scope, Token
from replays.server.http.problems import TooMuch, TooSlow
from replays.server.runtime.campaign_jobs import CampaignJobs, UnreadSession
from replays.server.runtime.questions.of_campaigns import DiceOf, RulingsOf
from replays.server.runtime.questions.of_sessions import SessionQuestion
from replays.server.runtime.read_jobs import Fault
from replays.server.runtime.workers import WorkerDied
from replays.sessions.log import Draft, sealed

HOST = Token("h", Scope.HOST, name="host")
NAMES = (
    ODD, "a/b", "/", "//", ".", "..", "a/../b", "-", "luck", "rulings", "?x=1", "a#b", "100%", "%2F", "a+b", "a b", "ö“’",
    "日本", "\U0001f409", "\\", "'\"`", "&name=x", ";", "\u00e9", "e\u0301", "{campaign}", "<b>", "null", "n" * 200,
)  # fmt: skip
"""Names of campaigns; two of them differ only in the form of one letter."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Store]]:
    """Yields a server, and its ledger with campaigns; one of each name."""
    folder: Path = tmp_path_factory.mktemp("campaigns")
    with closing(open_store(f"sqlite:///{folder}/affray.db")) as store:
        fill(store)
        for number, name in enumerate(NAMES[1:]):
            Session.create(store, ruleset="gurps_3e", session=f"NAME{number}", campaign=name)
        with served(folder, "--rate", "0") as server:
            yield server, store


def asked(server: Served, path: str, **query: str) -> httpx.Response:
    """Returns the answer to a request of the host."""
    with server.client() as client:
        return client.get(f"/v1/campaigns{path}", headers=server.host, params=query or None)


def plain(document: Any) -> Any:
    """Returns what a JSON document is read as."""
    return json.loads(msgspec.json.encode(document))


# ------------------------------------------------------------------------------------------------ answers


def test_answers_are_what_the_functions_return_and_as_their_schemas_describe(filled: tuple[Served, Store]) -> None:
    server, store = filled
    expected = {
        "": ("CampaignList", plain(campaigns(store))),
        "/Iron%20Rain": ("CampaignPage", plain(campaign(store, RAIN))),
        "/Iron%20Rain/luck": ("SessionsLuck", plain(documents.chances(campaign_luck(store, RAIN)))),
        "/Iron%20Rain/rulings": ("CampaignRulings", plain(campaign_rulings(store, RAIN))),
    }

    for path, (schema, document) in expected.items():
        answer = asked(server, path)
        assert (answer.status_code, answer.json()) == (200, document), path
        assert wrong(schema, answer.json()) == []


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_be_given_in_the_query(filled: tuple[Served, Store], name: str) -> None:
    server, store = filled

    answer = asked(server, "/-", name=name)

    assert (answer.status_code, answer.json()["name"]) == (200, name)
    assert answer.json() == plain(campaign(store, name))
    assert asked(server, "/-/rulings", name=name).status_code == 200
    assert asked(server, "/-/luck", name=name).json()["slug"] == "luck/no-dice"


@pytest.mark.parametrize("name", [name for name in NAMES if "/" not in name and name not in {".", ".."}])
def test_a_name_without_a_slash_can_be_a_part_of_the_path(filled: tuple[Served, Store], name: str) -> None:
    answer = asked(filled[0], f"/{quote(name, safe='')}")

    assert (answer.status_code, answer.json()["name"]) == (200, name)


@pytest.mark.parametrize("name", ["a/b", "a%2Fb"])
def test_a_slash_in_the_path_is_no_part_of_a_name(filled: tuple[Served, Store], name: str) -> None:
    assert asked(filled[0], f"/{name}").json()["slug"] == "request/no-such-route"


def test_two_names_in_one_request_are_refused(filled: tuple[Served, Store]) -> None:
    found = asked(filled[0], "/luck", name="a/b")

    assert (found.status_code, found.json()["slug"], found.json()["where"]) == (422, "campaign/two-names", "name")
    assert asked(filled[0], "/luck", name="luck").status_code == 200


@pytest.mark.parametrize("path", ["", "/luck", "/rulings"])
def test_an_unknown_name_is_refused_with_the_nearest(filled: tuple[Served, Store], path: str) -> None:
    problem = asked(filled[0], f"/iron%20rian{path}")

    assert (problem.status_code, problem.json()["slug"]) == (404, "campaign/unknown")
    assert "did you mean 'Iron Rain'" in problem.json()["detail"]


def test_names_that_no_campaign_can_have_are_refused(filled: tuple[Served, Store]) -> None:
    for query in ({"name": ""}, {"name": "n" * 201}, {"names": "x"}):
        assert asked(filled[0], "/-", **query).json()["slug"] == "request/invalid"
    assert asked(filled[0], "/%FF%00").status_code == 404


@pytest.mark.parametrize("seat", ["gm", "kira", "spectator"])
def test_no_seat_of_a_session_may_ask(filled: tuple[Served, Store], seat: str) -> None:
    server, _ = filled
    with server.client() as client:
        table = Table(client, server.host, "kira", campaign="Their own")
        for path in ("", "/Their%20own", "/Their%20own/luck", "/Their%20own/rulings", "/Venus"):
            answer = client.get(f"/v1/campaigns{path}", headers=table.as_(seat))
            assert (answer.status_code, answer.json()["slug"]) == (403, "seat/not-allowed")


def test_what_is_written_is_in_the_next_answer(filled: tuple[Served, Store]) -> None:
    server, _ = filled
    with server.client() as client:
        table = Table(client, server.host, "kira", campaign="Growing")
        assert asked(server, "/Growing").json()["roster"]["players"] == []
        table.do({"type": "Join", "who": "bob", "sheet": SHEET, "player": "kira"})
        (kira,) = asked(server, "/Growing").json()["roster"]["players"]

    assert (kira["name"], kira["characters"][0]["who"]) == ("kira", "bob")


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_ledger_in_memory_has_campaigns_too(tmp_path: Path, kind: str) -> None:
    ledger = "memory://" if kind == "memory" else None
    with served(tmp_path, "--rate", "0", ledger=ledger) as server, server.client() as client:
        table = Table(client, server.host, "kira", campaign="Short").brawl()
        found = asked(server, "/Short").json()

    assert [each["session"] for each in found["sessions"]] == [table.session]
    assert found["roster"]["players"][0]["characters"][0]["who"] == "bob"


# ------------------------------------------------------------------------------------------------ asking the sessions


class CountingJobs:
    """Stands in for the read jobs: answers with the session's id, and counts what was asked."""

    def __init__(self, **refusals: Exception) -> None:
        self.asked: list[str] = []
        self.refusals = refusals

    async def run(self, caller: Any, question: SessionQuestion) -> bytes:
        """Returns the id of the session."""
        self.asked.append(caller.session)
        await asyncio.sleep(0)
        if caller.session in self.refusals:
            raise self.refusals[caller.session]
        return f"{type(question).__name__} {caller.session}".encode()


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[tuple[CampaignJobs, CountingJobs, Store]]:
    """Yields the jobs of a campaign of three sessions."""
    with closing(open_store(f"sqlite:///{tmp_path}/affray.db")) as store, ThreadPoolExecutor(1) as threads:
        for name in ("S0", "S1", "S2"):
            Session.create(store, ruleset="gurps_3e", session=name, campaign="C")
        counting = CountingJobs()
        yield CampaignJobs(store, counting, threads, largest=60), counting, store  # type: ignore[arg-type]


SESSIONS = ("S0", "S1", "S2")


def test_a_session_is_asked_again_only_after_it_has_grown(jobs: tuple[CampaignJobs, CountingJobs, Store]) -> None:
    asking, counting, store = jobs
    first = asyncio.run(asking.ask(HOST, SESSIONS, DiceOf()))
    assert asyncio.run(asking.ask(HOST, SESSIONS, DiceOf())) == first
    assert counting.asked == list(SESSIONS)

    Session(store, "S1").perform(Note("rain"))
    asyncio.run(asking.ask(HOST, SESSIONS, DiceOf()))
    assert counting.asked == [*SESSIONS, "S1"]


def test_each_question_has_its_answers_and_old_ones_make_room(jobs: tuple[CampaignJobs, CountingJobs, Store]) -> None:
    asking, counting, _ = jobs

    assert asyncio.run(asking.ask(HOST, ["S0"], DiceOf())) == {"S0": b"DiceOf S0"}
    assert asyncio.run(asking.ask(HOST, SESSIONS, RulingsOf()))["S0"] == b"RulingsOf S0"
    asyncio.run(asking.ask(HOST, SESSIONS, DiceOf()))
    assert len(counting.asked) == 6, "all six fit but for the one that was used least recently"
    asyncio.run(asking.ask(HOST, SESSIONS, DiceOf()))
    assert len(counting.asked) == 6
    asyncio.run(asking.ask(HOST, ["S0"], RulingsOf()))
    assert len(counting.asked) == 7


def test_a_refused_session_is_named_and_a_busy_server_refuses_all(
    jobs: tuple[CampaignJobs, CountingJobs, Store],
) -> None:
    asking, counting, _ = jobs
    refusal = Unreadable("torn", where="entry 3")
    counting.refusals = {"S1": refusal}
    found = asyncio.run(asking.ask(HOST, (*SESSIONS, "GONE"), DiceOf()))

    assert found["S1"] is refusal
    assert (found["S2"], type(found["GONE"]).__name__) == (b"DiceOf S2", "NoSuchSession")
    for about_the_server in (TooMuch("full"), Busy("busy", where="ledger"), Unusable("away", where="ledger")):
        counting.refusals = {"S1": about_the_server}
        with pytest.raises(type(about_the_server)):
            asyncio.run(asking.ask(HOST, SESSIONS, RulingsOf()))


def test_a_session_that_takes_too_long_is_asked_once_so_that_a_repeat_goes_on_behind_it(
    jobs: tuple[CampaignJobs, CountingJobs, Store],
) -> None:
    asking, counting, store = jobs
    counting.refusals = {"S1": TooSlow("too long")}
    for _ in range(2):
        assert isinstance(asyncio.run(asking.ask(HOST, SESSIONS, DiceOf()))["S1"], TooSlow)
    assert counting.asked == list(SESSIONS)
    counting.refusals = {}
    Session(store, "S1").perform(Note("rain"))
    assert asyncio.run(asking.ask(HOST, SESSIONS, DiceOf()))["S1"] == b"DiceOf S1"


@pytest.mark.parametrize("fault", [Fault("a bug"), WorkerDied("killed")])
def test_a_fault_of_one_session_hides_no_other(
    jobs: tuple[CampaignJobs, CountingJobs, Store], fault: Exception
) -> None:
    asking, counting, _ = jobs
    counting.refusals = {"S1": fault}
    found = asyncio.run(asking.ask(HOST, SESSIONS, DiceOf()))
    assert isinstance(found["S1"], UnreadSession)
    assert found["S2"] == b"DiceOf S2"


def copies(store: Store, count: int) -> None:
    """Fills a ledger with copies of one session of a campaign; each has some dice."""
    played = Session.create("memory://", ruleset="eclipse_phase_1e", campaign="Long")
    for command in (Join("ann", dict(SHEET)), BeginCombat(), TypeDice("r1/ann/initiative", (87,))):
        played.perform(command)
    drafts = [
        Draft(each.command, each.events, each.by, each.after, each.rules_version, each.origin)
        for each in played.entries()
    ]
    for number in range(count):
        secrets = [b"s" * chain.SECRET] * len(drafts)
        entries, _ = sealed(drafts, "2026-01-01T00:00:00.000Z", secrets, chain.genesis(f"COPY{number}"))
        store.create(f"COPY{number}", entries)


def test_others_are_answered_while_a_campaign_is_measured(tmp_path: Path) -> None:
    """Hundreds of sessions with dice: the state of another session, and a brief question, are answered long before."""
    with closing(open_store(f"sqlite:///{tmp_path}/affray.db", create=True)) as store:
        copies(store, 300)
    with served(tmp_path, "--rate", "0", "--studies", "1") as server, server.client() as client:
        other = Table(client, server.host, "kira").brawl()
        other.get("why", of="r1/ann/initiative")  # its worker is started
        results: dict[str, float] = {}

        async def ask(name: str, path: str, headers: Any, after: float = 0.0) -> None:
            await asyncio.sleep(after)
            async with httpx.AsyncClient(base_url=server.url, timeout=60) as one:
                answer = await one.get(path, headers=headers)
            assert answer.status_code == 200, answer.text
            results[name] = time.monotonic()

        async def all_at_once() -> None:
            gm = other.as_("gm")
            await asyncio.gather(
                ask("campaign", "/v1/campaigns/Long/luck", server.host),
                ask("state", f"{other.path}/state", gm, 0.05),
                ask("why", f"{other.path}/why?of=r1/ann/initiative", gm, 0.05),
            )

        asyncio.run(all_at_once())

    assert results["state"] < results["campaign"]
    assert results["why"] < results["campaign"]
