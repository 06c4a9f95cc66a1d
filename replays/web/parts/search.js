/** The search: sentences with all of the words. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { MOST, search } from "../theatre/search.js";
import { isolated } from "./words.js";

/** @typedef {import("../theatre/search.js").Found} Found */

/** @param {{theatre: import("../theatre/theatre.js").Theatre}} props */
export function Search({ theatre }) {
  const [words, type] = useState("");
  const [{ found, read }, show] = useState(/** @type {{found: Found[], read: number}} */ ({ found: [], read: 0 }));
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => box.current?.focus(), []);
  useEffect(() => {
    const stop = new AbortController();
    const begin = async () => { for await (const each of search(theatre, words, stop.signal)) show(each); };
    show({ found: [], read: 0 });
    const wait = setTimeout(() => void (words.trim() && begin()), 200);
    return () => { clearTimeout(wait); stop.abort(); };
  }, [words, theatre, theatre.last]);
  const isReading = words.trim() && read < theatre.pages.count && found.length < MOST;
  return html`
    <section class="drawer" aria-label="Search">
      <h2>Search</h2>
      <button class="quiet close" onClick=${() => theatre.show("none")}>Close</button>
      <input ref=${box} type="search" aria-label="Words" value=${words} onInput=${(/** @type {Event} */ event) => type(/** @type {HTMLInputElement} */ (event.target).value)} />
      <p class="soft" role="status">${said(words, found.length, Boolean(isReading))}</p>
      <ol class="log">${found.map((each) => html`
        <li class=${each.stands ? "" : "gone"}><button onClick=${() => theatre.go(each.entry)}><i>${each.entry}</i> <span>${isolated(each.sentence, theatre.outline)}</span></button></li>`)}
      </ol>
    </section>`;
}

/** @param {string} words  @param {number} count  @param {boolean} isReading */
function said(words, count, isReading) {
  if (!words.trim()) return "Words of the log, names, numbers of entries.";
  const most = count >= MOST ? `The first ${MOST} entries` : `${count || "No"} ${count === 1 ? "entry" : "entries"}`;
  return isReading ? `${most} so far…` : `${most}.`;
}
