"""Each seat sees and does its own; tokens are issued and revoked."""

import time
from collections.abc import Callable
from contextlib import closing

import httpx
import msgspec
import pytest
from client.brawl import BLOW, begun, host_token
from server.processes import SHEET, Served

from ledger.commands import Choose, DrawDice, Join, Note, RenameSession
from ledger.entry import Seat, Who
from ledger.errors import KeyReused, NoSuchSession, Refused, SessionDeleted, Stale
from ledger.events import CampaignNamed
from machines.contract.refusals import NotAllowed, UnknownRuleset
from replays.client import (
    BadAddress,
    BadKey,
    BadToken,
    Closed,
    Founded,
    Hidden,
    Host,
    NoSuchSeat,
    NotAffray,
    RemoteSession,
    ServerRefused,
    Unreachable,
)
from replays.exports.listing import Wanted
from replays.server.callers.tokens import Signer
from replays.sessions.archive import Archived


def test_a_player_does_their_own_and_nothing_else(founded: Founded, gamemaster: RemoteSession) -> None:
    begun(gamemaster)
    kira = founded.player("kira")

    with pytest.raises(NotAllowed) as refused:
        kira.perform(BLOW)
    assert refused.value.slug == "seat/not-allowed"
    assert kira.options() == ()
    gamemaster.perform(BLOW)
    done = kira.perform(Choose(kira.rests[0].key, "fray"))
    assert done.by == Who("kira", Seat.PLAYER)
    with pytest.raises(NotAllowed):
        founded.spectator().perform(Note("boo"))


def test_what_is_hidden_from_a_seat_is_told_as_hidden(founded: Founded, gamemaster: RemoteSession) -> None:
    gamemaster.perform(Note("the door is trapped", seen_by=()))
    gamemaster.perform(Join("ann", dict(SHEET), sheet_seen_by=()))

    _, secret, joined = founded.player("kira").entries()
    assert (secret.seq, secret.command, secret.events) == (2, Hidden(), ())
    assert secret.stands
    assert {type(event).__name__ for event in joined.events} <= {"CombatantJoined", "TrackOpened", "ResourceOpened"}
    told = list(gamemaster.entries())
    assert told[1].command == Note("the door is trapped", seen_by=())
    assert "SheetGiven" in {type(event).__name__ for event in told[2].events}


def test_what_no_longer_stands_says_so(gamemaster: RemoteSession) -> None:
    gamemaster.perform(Note("one"))
    gamemaster.undo(why="never mind")
    gamemaster.perform(Note("two"))

    assert [entry.stands for entry in gamemaster.entries()] == [True, False, False, True]


def test_a_token_is_handed_out_and_revoked(server: Served, founded: Founded, gamemaster: RemoteSession) -> None:
    issued = gamemaster.issue(Seat.PLAYER, "zoe", ("ann",))
    with RemoteSession(server.url, founded.id, issued.token) as zoe:
        assert zoe.state().session == founded.id
        gamemaster.revoke(issued.id)
        with pytest.raises(ServerRefused) as refused:
            zoe.state()
    assert (refused.value.slug, refused.value.status) == ("token/revoked", 401)
    known = {each.name: each for each in gamemaster.seats()}
    assert known["zoe"].revoked
    assert known["zoe"].combatants == ("ann",)
    assert not known["kira"].revoked


def test_there_is_no_seat_for_whoever_was_not_invited(founded: Founded) -> None:
    with pytest.raises(NoSuchSeat) as refused:
        founded.player("zoe")
    assert "player kira" in refused.value.accepts


def test_founding_under_a_key_finds_the_same_session(host: Host) -> None:
    first, second = (host.create_session(ruleset="gurps_3e", title="A duel", batch="a duel of ours") for _ in range(2))

    assert first.id == second.id
    with pytest.raises(KeyReused):
        host.create_session(ruleset="gurps_3e", title="Another duel", batch="a duel of ours")


def test_a_session_is_founded_in_a_campaign(host: Host) -> None:
    founded = host.create_session(ruleset="gurps_3e", campaign="Autumn", batch="an autumn duel")
    opening = next(iter(founded.gamemaster().entries()))

    assert [event.campaign for event in opening.events if isinstance(event, CampaignNamed)] == ["Autumn"]
    assert founded.id == host.create_session(ruleset="gurps_3e", campaign="Autumn", batch="an autumn duel").id
    with pytest.raises(KeyReused):
        host.create_session(ruleset="gurps_3e", campaign="Winter", batch="an autumn duel")


def test_what_cannot_be_founded_is_refused_as_it_is_here(host: Host) -> None:
    with pytest.raises(UnknownRuleset):
        host.create_session(ruleset="chess")


WRONG: dict[str, Callable[[Served, Founded], object]] = {
    "client/address": lambda server, founded: RemoteSession("affray.db", founded.id, "x"),
    "client/token": lambda server, founded: RemoteSession(server.url, founded.id, "töken"),
    "client/key": lambda server, founded: founded.gamemaster().perform(Note(""), batch="a\nb"),
    "token/invalid": lambda server, founded: asked(server.url, founded.id, "x"),
    "token/other-session": lambda server, founded: asked(
        server.url, "01ARZ3NDEKTSV4RRFFQ69G5FAV", founded.tokens[0].token
    ),
    "session/unknown": lambda server, founded: asked(server.url, "01ARZ3NDEKTSV4RRFFQ69G5FAV", host_token(server)),
    "seat/not-allowed": lambda server, founded: asked(server.url, founded.id, host_token(server)),
    "request/no-such-route": lambda server, founded: asked(f"{server.url}/elsewhere", founded.id, "x"),
    "request/invalid": lambda server, founded: founded.gamemaster().undo(why=" "),
}


@pytest.mark.parametrize("slug", WRONG)
def test_a_wrong_address_token_or_session_is_refused_with_its_slug(server: Served, founded: Founded, slug: str) -> None:
    with pytest.raises(Refused, match=slug) as refused:
        WRONG[slug](server, founded)
    assert type(refused.value) in {BadAddress, BadToken, BadKey, NoSuchSession, NotAllowed, ServerRefused}
    assert refused.value.slug == slug


def asked(url: str, session: str, token: str) -> object:
    with RemoteSession(url, session, token) as remote:
        return remote.state()


def test_whoever_was_closed_asks_no_more(server: Served, host: Host, founded: Founded) -> None:
    session = RemoteSession(server.url, founded.id, founded.tokens[0].token)
    session.close()
    with pytest.raises(Closed):
        session.state()
    another = Host(server.url, host_token(server))
    seat = another.create_session(ruleset="gurps_3e").gamemaster()
    another.close()
    with pytest.raises(Closed):
        seat.state()


def test_somebody_who_is_not_affray_is_told_from_it(founded: Founded) -> None:
    page = httpx.MockTransport(lambda request: httpx.Response(200, html="<h1>It works!</h1>"))
    nothing = httpx.MockTransport(lambda request: httpx.Response(404, text="no such page"))
    for transport in (page, nothing):
        with httpx.Client(transport=transport) as client:
            session = RemoteSession("http://example.invalid", founded.id, "x", client=client)
            with pytest.raises(NotAffray):
                session.state()


def test_where_nobody_answers_it_is_unreachable_after_the_patience() -> None:
    with RemoteSession("http://127.0.0.1:9", "x", "x", patience=0.3) as session, pytest.raises(Unreachable) as refused:
        session.state()
    assert refused.value.slug == "client/unreachable"


def test_found_is_create_session_and_warns(host: Host) -> None:
    with pytest.deprecated_call(match="create_session"):
        founded = host.found(ruleset="gurps_3e", title="A duel")

    with founded.gamemaster() as session, pytest.deprecated_call(match="perform_all"):
        assert [entry.seq for entry in session.performed(Note("x"))] == [2]


def test_several_commands_are_performed_all_or_none(host: Host) -> None:
    with host.create_session(ruleset="gurps_3e").gamemaster() as session:
        entries = session.perform_all([Note("a door opens"), Note("a door closes")])
        assert [entry.command for entry in entries] == [Note("a door opens"), Note("a door closes")]
        with pytest.raises(Refused) as refused:
            session.perform_all([Note("rain"), DrawDice("nobody")])
        assert refused.value.where.startswith("commands.2")
        assert session.state().entries == entries[-1].seq


def test_a_session_is_found_archived_and_deleted(host: Host) -> None:
    made = host.create_session(ruleset="gurps_3e", title="The Night Market", players=("kira",))
    gamemaster = made.gamemaster()
    gamemaster.perform(RenameSession("The Long Night"))
    asked = Wanted(title="long night", ruleset="gurps_3e", is_open=True)
    assert [one.session for one in host.sessions(wanted=asked)] == [made.id]
    assert host.sessions(limit=1)[0].session == made.id
    assert host.sessions(limit=1000, newest_first=False)[-1].session == made.id
    assert gamemaster.archive("it is over") == Archived(made.id, archived=True)
    assert host.sessions(wanted=asked) == ()
    assert [one.title for one in host.sessions(wanted=Wanted(archived=True))] == ["The Long Night"]
    assert host.session(made.id).unarchive() == Archived(made.id, archived=False)
    with pytest.raises(NotAllowed):
        made.player("kira").archive()
    with pytest.raises(Stale):
        host.delete_session(made.id, "a mistake", 1)
    stone = host.delete_session(made.id, "the players asked", 2)
    assert (stone.session, stone.entries, stone.why) == (made.id, 2, "the players asked")
    with pytest.raises(SessionDeleted):
        gamemaster.state()
    with pytest.raises(SessionDeleted):
        host.delete_session(made.id, "again", None)


def test_a_token_that_expires_is_renewed_in_place(host: Host, server: Served) -> None:
    made = host.create_session(ruleset="gurps_3e", players=("kira",), tokens_expire_in=600)
    assert all(each.expires for each in made.tokens)
    kira = made.player("kira")
    renewed = kira.renew()
    assert (renewed.name, renewed.seat) == ("kira", Seat.PLAYER)
    assert [each.expires is None for each in made.gamemaster().seats()] == [False] * 3
    issued = made.gamemaster().issue(Seat.PLAYER, "zoe", expires_in=60)
    with RemoteSession(server.url, made.id, issued.token) as zoe:
        assert zoe.renew().expires
        made.gamemaster().revoke(renewed.id)
        zoe.state()
    with pytest.raises(ServerRefused) as refused:
        kira.state()
    assert refused.value.slug == "token/revoked"
    with pytest.raises(ServerRefused) as refused:
        host.create_session(ruleset="gurps_3e").gamemaster().renew()
    assert refused.value.slug == "token/lasting"


def test_a_feed_goes_on_with_the_renewed_token(host: Host, server: Served) -> None:
    made = host.create_session(ruleset="gurps_3e", players=("kira",), tokens_expire_in=600)
    signer = Signer(tuple((server.folder / "affray.keys").read_text().split()))
    issued = signer.read(next(each.token for each in made.tokens if each.name == "kira"))
    soon = signer.sign(msgspec.structs.replace(issued, expires=int(time.time()) + 3, lifetime=600))
    with RemoteSession(server.url, made.id, soon) as kira, closing(kira.feed()) as heard:
        assert next(heard).seq == 1
        kira.renew()
        time.sleep(4)  # the first token has expired, and the feed with it
        made.gamemaster().perform(Note("two"))
        assert next(heard).seq == 2
    with RemoteSession(server.url, made.id, soon) as kira, pytest.raises(ServerRefused) as refused:
        next(kira.feed())
    assert refused.value.slug == "token/expired"
