"""Chances of standing at the end of the fight, over HTTP: computed by a worker, kept by entry and viewer, and secret."""

import re
from typing import Any

import httpx
import pytest
from server.processes import Served, Table

STUDIES = re.compile(r"^affray_studies_total{(.*)} (\S+)$", re.MULTILINE)
KNIFE = {
    "init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40, "blades": 60},
    "weapons": {"knife": {"kind": "melee", "skill": "blades", "damage": "1d10+5"}},
}  # fmt: skip


def answered(client: httpx.Client) -> float:
    """Returns how many times a worker has estimated chances."""
    found = STUDIES.findall(client.get("/metrics").text)
    return sum(float(count) for labels, count in found if '"ChancesOf"' in labels and '"answered"' in labels)


def refused(table: Table, seat: str, **query: Any) -> tuple[int, str]:
    answer = table.client.get(f"{table.path}/chances", headers=table.as_(seat), params=query)
    return answer.status_code, answer.json()["slug"]


def test_each_combatant_has_a_chance_within_its_interval(brawl: Table) -> None:
    found = brawl.get("chances")
    assert (found["entry"], found["digest"]) == (6, brawl.get("state")["digest"])
    assert [each["who"] for each in found["combatants"]] == ["ann", "bob"]
    assert all(0 <= each["low"] <= each["chance"] <= each["high"] <= 1 for each in found["combatants"])
    assert found["samples"] > 20
    assert "foe" in found["policy"]


def test_a_second_answer_is_kept_and_an_older_entry_has_its_own(brawl: Table) -> None:
    before = answered(brawl.client)
    first = brawl.get("chances")
    assert answered(brawl.client) == before + 1
    assert brawl.get("chances") == brawl.get("chances", at=6) == first
    assert answered(brawl.client) == before + 1, "it was asked three times, and computed once"
    brawl.do({"type": "Note", "text": "rain"})
    assert brawl.get("chances", at=6) == first
    assert answered(brawl.client) == before + 1
    assert brawl.get("chances")["entry"] == 7
    assert answered(brawl.client) == before + 2


def test_what_stood_before_an_undo_is_estimated_as_it_was(brawl: Table) -> None:
    attack = {"type": "Declare", "kind": "attack", "by": "ann", "terms": {"at": "bob", "using": "fist"}}
    seq = brawl.do(attack)["entries"][0]["seq"]
    then = brawl.get("chances", at=seq)
    assert brawl.client.post(f"{brawl.path}/undo", headers=brawl.as_("gm"), json={"why": "no"}).status_code == 201
    assert brawl.get("chances", at=seq) == then


def test_an_unknown_entry_and_a_fight_that_has_not_begun_are_refused(table: Table, brawl: Table) -> None:
    assert refused(brawl, "gm", at=99) == (404, "entry/unknown")
    assert refused(brawl, "kira", at=2) == (422, "combat/not-begun")


def test_a_hidden_sheet_refuses_those_to_whom_it_is_hidden(table: Table) -> None:
    table.do({"type": "Join", "who": "ann", "sheet": KNIFE, "sheet_seen_by": []})
    table.do({"type": "Join", "who": "bob", "sheet": KNIFE, "player": "kira"})
    table.do({"type": "BeginCombat"})
    assert len(table.get("chances")["combatants"]) == 2
    for seat in ("kira", "ben", "spectator"):
        assert refused(table, seat) == (422, "odds/secret")


def test_a_combatant_in_secret_is_in_the_estimates_of_others_only_once_revealed(table: Table) -> None:
    table.do({"type": "Join", "who": "ann", "sheet": KNIFE})
    table.do({"type": "Join", "who": "bob", "sheet": KNIFE, "player": "kira"})
    table.do({"type": "BeginCombat"})
    last = table.do({"type": "Join", "who": "sniper", "sheet": KNIFE, "unseen": True})["last"]
    names = lambda seat: [each["name"] for each in table.get("chances", seat, at=last)["combatants"]]  # noqa: E731
    assert names("gm") == ["ann", "bob", "sniper"]
    assert names("kira") == names("spectator") == ["ann", "bob"]
    table.do({"type": "Reveal", "who": "sniper"})
    assert names("kira") == ["ann", "bob", "sniper"], "what is kept of an older view is not shown on"


def test_a_kept_answer_is_not_for_those_who_may_not_read_any_more(server: Served, brawl: Table) -> None:
    brawl.get("chances", "kira")
    revoked = brawl.client.delete(f"{brawl.path}/tokens/{brawl.issued['kira']['id']}", headers=brawl.as_("gm"))
    assert revoked.status_code == 204
    assert refused(brawl, "kira") == (401, "token/revoked")
    brawl.get("chances")
    gone = brawl.client.delete(brawl.path, headers={**server.host, "If-Match": '"6"'}, params={"why": "over"})
    assert gone.status_code == 200
    assert refused(brawl, "gm") == (404, "session/deleted")


@pytest.mark.parametrize("seat", ["gm", "kira", "spectator"])
def test_those_who_see_the_same_get_the_same(brawl: Table, seat: str) -> None:
    assert brawl.get("chances", seat)["combatants"] == brawl.get("chances")["combatants"]
