"""The API reference at `/docs` has everything of the OpenAPI document, and asks no other host for anything."""

import re
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from replays.exports.report.markup import text


class Page(HTMLParser):
    """The ids, links and elements of a page; refuses elements that are not closed."""

    VOID = frozenset(("meta", "link", "br"))

    def __init__(self, content: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(content)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(str(value))
            if name in ("href", "src"):
                self.links.append(str(value))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def answer(client: httpx.Client) -> httpx.Response:
    return client.get("/docs")


@pytest.fixture(scope="module")
def page(answer: httpx.Response) -> Page:
    return Page(answer.text)


@pytest.fixture(scope="module")
def document(client: httpx.Client) -> dict[str, Any]:
    return client.get("/schema/openapi.json").json()


def test_every_operation_and_every_schema_has_a_section(page: Page, document: dict[str, Any]) -> None:
    operations = [one for methods in document["paths"].values() for one in methods.values()]
    expected = {one["operationId"] for one in operations} | {
        f"schema-{name}" for name in document["components"]["schemas"]
    }

    assert set(page.ids) == expected
    assert len(page.ids) == len(expected)
    for path, methods in document["paths"].items():
        for method, one in methods.items():
            assert f"{method.upper()} {path}" in page.text
            assert one["summary"].replace("`", "") in page.text.replace("`", "")


def test_every_refusal_of_every_operation_is_listed_by_its_slug_with_its_meaning(
    answer: httpx.Response, document: dict[str, Any]
) -> None:
    sections = dict(re.findall(r'<section id="(\w+)">(.*?)</section>', answer.text, re.DOTALL))
    for methods in document["paths"].values():
        for one in methods.values():
            section = sections[one["operationId"]]
            for each in one["responses"].values():
                for slug, meaning in each.get("x-slugs", {}).items():
                    words = re.sub(r"`([^`]*)`", r"<code>\1</code>", text(meaning))
                    assert f"<dt><code>{slug}</code></dt><dd>{words}</dd>" in section, (one["operationId"], slug)
            assert "Slugs:" not in section, "said once, with meanings"


def test_all_links_lead_to_a_section_to_the_style_sheet_or_to_a_document_for_programs(
    page: Page, client: httpx.Client
) -> None:
    documents = {"/schema/openapi.json", "/schema/asyncapi.json"}
    assert {link.partition("#")[0] for link in page.links} == {"", "/docs/style.css", *documents}
    assert {client.get(each).status_code for each in documents} == {200}
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    style = client.get("/docs/style.css")
    assert style.headers["content-type"].startswith("text/css")
    assert re.search(r"url\(|@import|https?:", style.text) is None


def test_no_script_and_no_style_is_within_the_page_and_the_policy_forbids_both(
    answer: httpx.Response, page: Page
) -> None:
    policy = answer.headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.elements & {"script", "style", "img", "iframe", "form"} == set()
    assert not {name for name in page.attributes if name.startswith("on") or name == "style"}
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


def test_no_token_is_needed_and_only_reading_is_possible(client: httpx.Client) -> None:
    assert client.get("/docs").status_code == 200
    assert client.post("/docs").status_code == 405
    assert client.head("/docs").status_code in (200, 405)
