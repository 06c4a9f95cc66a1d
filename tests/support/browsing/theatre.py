"""Reads the theatre in a page, and returns what it should show of a state."""

from typing import Any

from playwright.sync_api import Page

READ = """() => {
  const text = (each) => each.textContent.replace(/\\s+/g, " ").trim();
  const rows = [...document.querySelectorAll(".tracker tbody tr")].map((row) => ({
    name: text(row.querySelector("th").childNodes[2]), player: text(row.querySelector(".player")),
    active: row.classList.contains("active"), initiative: [...row.children[1].querySelectorAll("button")].map(text).join(""),
    changed: [...row.querySelectorAll(".number.changed")].map(text),
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
    shown = [{name: value for name, value in row.items() if name != "changed"} for row in shown]
    assert [{**row, "tracks": None} for row in shown] == [{**row, "tracks": None} for row in wanted], state["entries"]
    for row, want in zip(shown, wanted, strict=True):
        assert set(row["tracks"]) <= set(want["tracks"]), state["entries"]
        assert {text for text, is_needed in want["tracks"].items() if is_needed} <= set(row["tracks"]), state["entries"]


def check_changes(shown: list[dict[str, Any]], before: dict[str, Any], state: dict[str, Any]) -> None:
    """Checks that rows mark what differs between two states, and nothing else; what is gone is marked, too."""
    wanted = {}
    for who, one in state["combatants"].items():
        earlier, later = _marks(before, who), _marks(state, who)
        differing = [name for name in {**later, **earlier} if earlier.get(name) != later.get(name)]
        wanted[one["name"]] = sorted(
            later[name][0] if name in later else f"{earlier[name][0]} (no longer)" for name in differing
        )
    found = {row["name"]: sorted(row["changed"]) for row in shown}
    assert found == wanted, f"entry {state['entries']}: {found} are marked, and not {wanted}"


def _marks(state: dict[str, Any], who: str) -> dict[tuple[str, str], tuple[str, Any]]:
    """Returns what a row can mark of a combatant, by kind and name: the text, and the value that is compared."""
    if who not in state["combatants"]:
        return {}
    one, row = state["combatants"][who], _row(state, who, dict(state["initiative"]))
    values = [(("wounds", ""), one["wounds"])] if one["wounds"] else []
    values += [(("condition", each["name"]), each) for each in one["conditions"]]
    values += [(("resource", name), has) for name, has in one["resources"].items()]
    marks = {name: (text, value) for (name, value), text in zip(values, row["tags"], strict=True)}
    marks |= {("track", text.rpartition(" ")[0]): (text, text) for text in row["tracks"]}
    return marks | ({("initiative", ""): (row["initiative"],) * 2} if row["initiative"] else {})


def _words(name: str) -> str:
    return name.replace("_", " ")
