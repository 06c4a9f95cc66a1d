"""What axe finds wrong with a page: every rule in the light theme, and contrast again in the dark one."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_AXE = Axe()
_CONTRAST = {"runOnly": ["color-contrast"]}
"""The rules whose result depends on the theme."""


def faults(page: Page) -> list[str]:
    """Returns the accessibility faults of a page, each with the elements that have it; leaves it in the light theme."""
    page.emulate_media(color_scheme="dark")
    dark = _AXE.run(page, options=_CONTRAST).response["violations"]
    page.emulate_media(color_scheme="light")
    return _in_words(_AXE.run(page).response["violations"]) + [f"dark: {each}" for each in _in_words(dark)]


def _in_words(violations: list[dict[str, Any]]) -> list[str]:
    return [f"{each['id']}: {[node['html'][:160] for node in each['nodes'][:3]]}" for each in violations]
