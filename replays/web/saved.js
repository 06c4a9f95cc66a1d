/** The page in a saved file: shows the record that the file holds. It is bundled into `bundle/theatre.js`. */
import { entry, writeSoon } from "./address.js";
import { SavedSource } from "./source/saved.js";
import { Theatre } from "./theatre/theatre.js";
import { TheatrePage } from "./parts/theatre.js";
import { html, render } from "./vendor/preact.js";

const data = /** @type {HTMLElement} */ (document.getElementById("fight")).textContent ?? "";
const place = /** @type {HTMLElement} */ (document.getElementById("page"));

/** Returns the entry that the address names. */
const named = () => entry(new URLSearchParams(location.hash.slice(1)).get("at"));

async function show() {
  const source = new SavedSource(JSON.parse(data));
  const theatre = new Theatre(source, await source.outline());
  render(html`<${TheatrePage} theatre=${theatre} />`, place);
  theatre.listen(() => writeSoon({ session: "", at: theatre.at, as: "" }));
  window.addEventListener("hashchange", () => { void theatre.go(named() ?? theatre.last); });
  await theatre.go(named() ?? theatre.last);
}

void show();
