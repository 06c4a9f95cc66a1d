"""The routes for setting up a fight: QR codes of links, files of combatants, and the addresses that phones reach."""

import re
from itertools import product
from pathlib import Path

import httpx
import pytest
import zxingcpp
from PIL import Image, ImageDraw
from server.faults_processes import until
from server.processes import Served, Table, served

from machines.contract.ruleset import ruleset
from machines.registry import installed
from replays.scripts.sheet_template import sheet_template
from replays.server.runtime.reachable import own_address, reachable

EP = "eclipse_phase_1e"
SHEET = "init = 60\ndurability = 30\naptitudes = {som = 20}\nskills = {fray = 40}\n"
LINKS = (
    "a",
    "http://192.168.178.34:8040/#token=" + "aB3_." * 60 + "&session=01M81Q62WKQBBFSSW2JV5BWNWY",
    "~" * 2_953,
    "שלום\n",
)


def check(client: httpx.Client, table: Table, text: str, game: str = EP, **more: str) -> httpx.Response:
    headers = table.as_("gm")
    return client.post(f"/v1/rulesets/{game}/sheets/check", headers=headers, json={"text": text, **more})


# ------------------------------------------------------------------------------------------------ QR codes


@pytest.mark.parametrize("text", LINKS, ids=["short", "a link", "the longest", "any script"])
def test_a_code_is_read_back_as_its_text(client: httpx.Client, table: Table, text: str) -> None:
    answer = client.post("/v1/qr", headers=table.as_("gm"), json={"text": text})

    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    drawn = answer.json()
    image = Image.new("L", (drawn["size"] * 4,) * 2, 255)
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", drawn["path"]):
        left, top, right = int(x) * 4, int(y) * 4, (int(x) + int(width)) * 4
        ImageDraw.Draw(image).rectangle((left, top, right - 1, top + 3), 0)
    assert re.sub(r"M\d+ \d+h(\d+)v1h-\1z", "", drawn["path"]) == ""
    assert [each.text for each in zxingcpp.read_barcodes(image)] == [text]
    quiet = [place for place in range(drawn["size"]) if not 4 <= place < drawn["size"] - 4]
    assert {image.getpixel((x * 4, y * 4)) for x, y in product(quiet, range(drawn["size"]))} == {255}


@pytest.mark.parametrize(
    ("text", "refused"), [("", "request/invalid"), ("a" * 2_954, "request/invalid"), ("שלום" * 700, "qr/too-long")]
)
def test_what_no_code_has_room_for_is_refused(client: httpx.Client, table: Table, text: str, refused: str) -> None:
    answer = client.post("/v1/qr", headers=table.as_("gm"), json={"text": text})

    assert answer.json()["slug"] == refused
    assert answer.json()["where"] == "text"


def test_the_text_of_a_code_is_not_in_the_log_of_the_server(server: Served, client: httpx.Client, table: Table) -> None:
    text = "http://192.0.2.1/#token=a-secret-that-is-nowhere-else"
    assert client.post("/v1/qr", headers=table.as_("gm"), json={"text": text}).status_code == 200

    until(lambda: any(line.get("route") == "/v1/qr" for line in server.lines()))
    assert any(line.get("route") == "/v1/qr" for line in server.lines())
    assert "a-secret-that-is-nowhere-else" not in server.log()


# ------------------------------------------------------------------------------------------------ files of combatants


@pytest.mark.parametrize("game", installed())
def test_the_template_of_each_ready_sheet_is_accepted(client: httpx.Client, table: Table, game: str) -> None:
    rules = ruleset(game)
    for ready, sheet in rules.sheets.items():
        answer = check(client, table, sheet_template(rules, ready, "Mr. Ash"), game, file="ash.toml")
        assert answer.status_code == 200, answer.text
        (found,) = answer.json()["combatants"]
        assert (found["id"], found["name"]) == ("mr-ash", "Mr. Ash")
        assert [*rules.faults(found["sheet"], rules.sheet)] == []
        assert set(sheet) <= set(found["sheet"])


def test_a_script_gives_all_of_its_combatants(client: httpx.Client, table: Table) -> None:
    text = f"""ruleset = "{EP}"
[combatants.ann]
sheet = {{init = 60, durability = 30, aptitudes = {{som = 20}}, skills = {{fray = 40}}}}
player = "kira"
side = "crew"
[combatants.spy]
sheet = {{init = 40, durability = 30, aptitudes = {{som = 20}}, skills = {{fray = 40}}}}
name = "A Spy"
secret = ["ann"]
[combatants.door]
sheet = {{init = 0, durability = 30, aptitudes = {{som = 20}}, skills = {{fray = 40}}}}
thing = true
secret = true
"""
    found = {one.pop("id"): one for one in check(client, table, text).json()["combatants"]}

    assert [(who, one["name"], one["player"], one["side"], one["thing"], one["seen_by"]) for who, one in found.items()] == [
        ("ann", "ann", "kira", "crew", False, None),
        ("spy", "A Spy", "gm", "", False, ["ann"]),
        ("door", "door", "gm", "", True, []),
    ]  # fmt: skip
    assert found["ann"]["sheet"] == {"init": 60, "durability": 30, "aptitudes": {"som": 20}, "skills": {"fray": 40}}


def test_a_sheet_without_a_name_is_named_like_its_file(client: httpx.Client, table: Table) -> None:
    (named,) = check(client, table, SHEET, file="Old Ash.toml").json()["combatants"]
    (bare,) = check(client, table, SHEET).json()["combatants"]

    assert (named["id"], named["name"], bare["id"]) == ("old-ash", "old ash", "sheet")


WRONG = {
    "= 3": ("sheet/file", "ash.toml", "a sheet in TOML"),
    "a = 1\na = 2": ("sheet/file", "ash.toml", "a sheet in TOML"),
    "[" * 5_000: ("sheet/file", "ash.toml", "a sheet in TOML"),
    "init = " + "9" * 5_000: ("sheet/file", "ash.toml", "a sheet in TOML"),
    'ruleset = "gurps_3e"': ("sheet/file", "ash.toml", EP),
    "combatants = {a = {}}": ("sheet/file", "ash.toml", "player"),
    f"{SHEET}moxie = 'lots'": ("sheet/invalid", "combatants.ash.sheet.moxie", ""),
    f"{SHEET}moxie = 1979-05-27": ("sheet/invalid", "combatants.ash.sheet.moxie", ""),
    f"{SHEET}moxie = nan": ("sheet/invalid", "combatants.ash.sheet.moxie", ""),
    f"{SHEET}moxie = {10**30}": ("sheet/invalid", "combatants.ash.sheet.moxie", ""),
    f"{SHEET}weapons = ['no such gun']": ("sheet/invalid", "combatants.ash.sheet.weapons", ""),
    "": ("sheet/invalid", "combatants.ash.sheet", ""),
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[-30:].replace("\n", " "))
def test_a_wrong_file_is_refused_with_the_place_and_what_is_accepted(
    client: httpx.Client, table: Table, text: str
) -> None:
    slug, where, accepts = WRONG[text]

    answer = check(client, table, text, file="ash.toml")

    problem = answer.json()
    assert (answer.status_code, problem["slug"]) == (422, slug), problem
    assert problem["where"].startswith(where)
    assert accepts in problem["accepts"]
    assert "ash.toml" in problem["detail"]


def test_a_refusal_names_several_faults(client: httpx.Client, table: Table) -> None:
    problem = check(client, table, "init = 'a'\ndurability = 'b'").json()

    assert "init: " in problem["detail"]
    assert "durability: " in problem["detail"]


def test_no_file_of_the_server_is_read(server: Served, client: httpx.Client, table: Table) -> None:
    path = server.folder / "secret.toml"
    path.write_text(SHEET)

    for text, file in ((str(path), "a.toml"), ("", str(path)), (f'include = "{path}"', "a.toml")):
        answer = check(client, table, text, file=file)
        assert answer.status_code == 422
        assert "fray" not in answer.json()["detail"]


def test_an_unknown_game_and_a_long_file_are_refused(client: httpx.Client, table: Table) -> None:
    unknown, long = check(client, table, SHEET, "chess"), check(client, table, "#" * 100_001)

    assert (unknown.status_code, unknown.json()["slug"]) == (404, "ruleset/unknown")
    assert (long.status_code, long.json()["where"]) == (400, "text")


# ------------------------------------------------------------------------------------------------ the network


def test_who_is_told_the_address_of_the_network(tmp_path: Path) -> None:
    with served(tmp_path, "--host", "0.0.0.0") as server, server.client() as client:
        table = Table(client, server.host, "kira")
        shown = {seat: client.get("/v1/me", headers=table.as_(seat)).json() for seat in ("gm", "kira", "spectator")}
        shown["host"] = client.get("/v1/me", headers=server.host).json()
        (origin,) = shown["host"]["lan"]
        assert httpx.get(f"{origin}/health", timeout=60).status_code == 200

    assert shown["gm"]["lan"] == [f"http://{own_address()}:{server.port}"]
    assert {seat for seat, me in shown.items() if "lan" in me} == {"host", "gm"}


def test_a_server_for_this_machine_alone_has_no_such_address(client: httpx.Client, server: Served) -> None:
    assert "lan" not in client.get("/v1/me", headers=server.host).json()


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", ()),
        ("127.0.0.9", ()),
        ("::1", ()),
        ("localhost", ()),
        ("192.168.1.5", ("http://192.168.1.5:80",)),
        ("fd00::2", ("http://[fd00::2]:80",)),
        ("table.lan", ("http://table.lan:80",)),
        ("0.0.0.0", (f"http://{own_address()}:80",)),
        ("::", (f"http://{own_address()}:80",)),
    ],
)
def test_the_addresses_of_a_server_that_listens(host: str, expected: tuple[str, ...]) -> None:
    assert reachable(host, 80) == expected
