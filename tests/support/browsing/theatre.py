"""Reads the theatre in a page, and returns what it should show of a state."""

from typing import Any

from playwright.sync_api import Page

READ = """() => {
  const text = (each) => each.textContent.replace(/\\s+/g, " ").trim();
  const rows = [...document.querySelectorAll(".tracker tbody tr")].map((row) => ({
    name: text(row.querySelector("th").childNodes[2]), player: text(row.querySelector(".player")),
    active: row.classList.contains("active"), initiative: text(row.children[1]),
    tracks: [...row.children[2].querySelectorAll("button")].map(text), tags: [...row.children[3].querySelectorAll("button")].map(text),
  }));
  return { caption: document.querySelector(".tracker caption")?.textContent ?? "", rows };
}"""
SCRUB = """async (numbers) => {
  const read = %s;
  const slider = document.querySelector(".scrubber");
  const found = [];
  for (const number of numbers) {
    slider.value = number;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const latest = performance.now() + 20_000;
    while (read().caption !== `As it stood after entry ${number}`) {
      if (performance.now() > latest) throw new Error(`entry ${number} is never shown: ${read().caption}`);
      await new Promise((done) => requestAnimationFrame(done));
    }
    found.push(read().rows);
  }
  return found;
}""".replace("%s", READ)
"""Moves the slider to each entry, and reads the tracker there."""


def scrubbed(page: Page, numbers: list[int]) -> list[list[dict[str, Any]]]:
    """Returns the rows of the tracker after each of some entries."""
    found: list[list[dict[str, Any]]] = page.evaluate(SCRUB, numbers)
    return found


def expected(state: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns what the rows of the tracker must show of a state."""
    scores = dict(state["initiative"])
    order = [who for who in scores if who in state["combatants"]]
    order += [who for who in state["combatants"] if who not in scores]
    return [_row(state, who, scores) for who in order]


def _row(state: dict[str, Any], who: str, scores: dict[str, int]) -> dict[str, Any]:
    one = state["combatants"][who]
    wounds = one["wounds"]
    tags = [f"{wounds} {'wound' if wounds == 1 else 'wounds'}"] if wounds else []
    tags += [
        " ".join([_words(each["name"]), *([str(each["level"])] if "level" in each else [])])
        for each in one["conditions"]
    ]
    tags += [
        f"{_words(name)} {has['left']}" + (f"/{has['of']}" if has["of"] else "")
        for name, has in one["resources"].items()
    ]
    return {
        "name": one["name"], "player": one["player"], "active": state.get("active") == who,
        "initiative": str(scores.get(who, "")), "tags": tags,
        "tracks": {f"{_words(name)} {has['taken']}" + (f"/{has['capacity']}" if has["capacity"] else ""): bool(has["taken"]) or nth == 0
                   for nth, (name, has) in enumerate(one["tracks"].items())},
    }  # fmt: skip


def check_rows(shown: list[dict[str, Any]], state: dict[str, Any]) -> None:
    """Checks that rows show a state: all of it, except tracks that are whole and have not just changed."""
    wanted = expected(state)
    assert [{**row, "tracks": None} for row in shown] == [{**row, "tracks": None} for row in wanted], state["entries"]
    for row, want in zip(shown, wanted, strict=True):
        assert set(row["tracks"]) <= set(want["tracks"]), state["entries"]
        assert {text for text, is_needed in want["tracks"].items() if is_needed} <= set(row["tracks"]), state["entries"]


def _words(name: str) -> str:
    return name.replace("_", " ")
