"""The JavaScript client reads campaigns, by any name, as the Python functions do."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from campaign_sessions import ODD, RAIN, fill
from client.brawl import host_token
from javascript.programs import node
from places import ROOT
from server.processes import Served, served

from ledger.stores import Store, open_store
from replays.api.session import Session
from replays.campaigns.campaign import campaign, campaign_luck, campaign_rulings
from replays.campaigns.listing import campaigns
from replays.exports import documents

CLIENT = ROOT / "replays" / "javascript" / "affray.js"
NAMES = (RAIN, ODD, "/", "..", "-", "a/b?c=d&e#f%2F", "日本 “ö”", "'\"\\")
CODE = """
import { readFileSync } from "node:fs";
import { Affray } from CLIENT;

const { url, token, names } = JSON.parse(readFileSync(0, "utf-8"));
const affray = new Affray(url, { token });
const found = { campaigns: await affray.campaigns(), pages: [], rulings: [] };
for (const name of names) {
  found.pages.push(await affray.campaign(name));
  found.rulings.push(await affray.campaignRulings(name));
}
found.luck = await affray.campaignLuck(names[0]);
found.refused = await affray.campaign("iron rian").catch((refusal) => refusal.slug);
console.log(JSON.stringify(found));
"""


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[tuple[Served, Store]]:
    """Yields a server, and its ledger with a campaign of each name."""
    with closing(open_store(f"sqlite:///{tmp_path}/affray.db")) as store:
        fill(store)
        for number, name in enumerate(NAMES[2:]):
            Session.create(store, ruleset="gurps_3e", session=f"NAME{number}", campaign=name)
        with served(tmp_path, "--rate", "0") as server:
            yield server, store


def test_the_calls_return_what_the_functions_return(filled: tuple[Served, Store]) -> None:
    server, store = filled
    given = {"url": server.url, "token": host_token(server), "names": NAMES}
    expected = {
        "campaigns": campaigns(store),
        "pages": [campaign(store, name) for name in NAMES],
        "rulings": [campaign_rulings(store, name) for name in NAMES],
        "luck": documents.chances(campaign_luck(store, RAIN)),
        "refused": "campaign/unknown",
    }

    code = CODE.replace("CLIENT", json.dumps(str(CLIENT)))
    found = json.loads(node("--input-type=module", "-e", code, text=json.dumps(given)))

    assert found == json.loads(msgspec.json.encode(expected))
