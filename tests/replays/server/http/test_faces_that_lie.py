"""Over HTTP too, dice with known faces are not rolled again if a pool has grown."""

from collections.abc import Mapping
from typing import Any

import httpx
from server.processes import Served

KEY = "r1/ann/initiative"


def test_faces_that_lie_are_not_replaced_over_http(server: Served, client: httpx.Client) -> None:
    asked = {"ruleset": "shadowrun_4e", "title": "Fog", "players": ["kira"]}
    founded = client.post("/v1/sessions", headers=server.host, json=asked).json()
    tokens = {one.get("name") or one["seat"]: one["token"] for one in founded["tokens"]}
    gm, kira = (next(token for name, token in tokens.items() if who in name) for who in ("gm", "kira"))

    def ask(command: Mapping[str, Any], token: str = gm) -> httpx.Response:
        path = f"/v1/sessions/{founded['session']}/commands"
        return client.post(path, headers={"Authorization": f"Bearer {token}"}, json=dict(command))

    sheet = {"reaction": 3, "intuition": 3}
    ask({"type": "Join", "who": "ann", "sheet": sheet, "player": "kira"})
    ask({"type": "Join", "who": "bob", "sheet": sheet})
    ask({"type": "BeginCombat"})
    drawn = ask({"type": "DrawDice", "key": KEY}, kira)
    assert drawn.status_code == 201, drawn.text
    ask({"type": "ApplyModifier", "key": KEY, "value": 2, "why": "the fog lifts"})

    refused = ask({"type": "TypeDice", "key": KEY, "faces": [6] * 8}, kira)
    taken = ask({"type": "TypeDice", "key": KEY, "faces": [6, 6]}, kira)

    assert (refused.status_code, refused.json()["slug"]) == (422, "dice/lie-already")
    assert "6 lie already: " in refused.json()["detail"]
    assert taken.status_code == 201, taken.text
