/**
 * The sessions of a server, newest first, found by title.
 *
 * @typedef {import("../types.js").Summary} Summary
 */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Trouble } from "../parts/trouble.js";
import { words } from "../parts/words.js";

/** Sessions on a page. */
const PAGE = 50;

/** @param {{affray: import("/client/affray.js").Affray, open: (session: string, seat: import("../source/seats.js").Seat) => void}} props */
export function Sessions({ affray, open }) {
  const [title, type] = useState("");
  const [found, show] = useState(/** @type {Summary[] | null} */ (null));
  const [isWhole, end] = useState(false);
  const [trouble, tell] = useState("");
  const [setup, begin] = useState(/** @type {typeof import("../setup/setup.js") | null} */ (null));
  const asked = useRef(/** @type {AbortController | null} */ (null));
  const ask = async (/** @type {Summary[]} */ before) => {
    asked.current?.abort();
    const { signal } = (asked.current = new AbortController());
    try {
      const page = await affray.sessions({ limit: PAGE, ...(title && { title }), ...(before.length && { after: before.at(-1)?.session }), signal });
      show([...before, ...page]);
      end(page.length < PAGE);
      tell("");
    } catch (error) {
      if (!signal.aborted) tell(error instanceof Error ? error.message : String(error));
    }
  };
  useEffect(() => { if (!setup) document.title = "Sessions · Affray"; }, [setup]);
  useEffect(() => {
    const wait = setTimeout(() => void ask([]), title ? 200 : 0);
    return () => { clearTimeout(wait); asked.current?.abort(); };
  }, [title]);
  const beginNew = () => import("../setup/setup.js").then(begin, (/** @type {Error} */ error) => tell(error.message)); // phones need none of it
  if (setup) return html`<${setup.Setup} affray=${affray} open=${(/** @type {string} */ id) => open(id, { seat: "gm", name: "gm" })} cancel=${() => begin(null)} />`;
  return html`
    <main class="sessions">
      <div class="top"><h1>Sessions</h1><button class="main" onClick=${beginNew}>New fight</button></div>
      <input type="search" aria-label="A part of the title" placeholder="A part of the title" value=${title} onInput=${(/** @type {Event} */ event) => type(/** @type {HTMLInputElement} */ (event.target).value)} />
      ${trouble && html`<${Trouble} words=${trouble} />`}
      ${!found && !trouble && html`<p class="soft" role="status">Loading…</p>`}
      ${found?.length === 0 && html`<p class="soft">${title ? "No session has this in its title." : "There are no sessions yet. Begin a new fight; or play a recorded one by `affray play stoya`."}</p>`}
      <ul>${found?.map((each) => html`<${Row} key=${each.session} summary=${each} open=${open} />`)}</ul>
      ${!isWhole && found && found.length > 0 && html`<button onClick=${() => ask(found)}>More</button>`}
    </main>`;
}

/** @param {{summary: Summary, open: (session: string, seat: import("../source/seats.js").Seat) => void}} props */
function Row({ summary, open }) {
  const { session, at = "", entries = 0, title, ruleset = "", players = [], is_open, damaged } = summary;
  const as = (/** @type {import("../source/seats.js").Seat} */ seat, /** @type {string} */ shown) => html`<button class="quiet" onClick=${() => open(session, seat)}>${shown}</button>`;
  return html`
    <li>
      <button class="title" disabled=${Boolean(damaged)} onClick=${() => open(session, { seat: "gm", name: "gm" })}>${title || session}</button>
      <span class="soft">${words(ruleset)} · ${entries} entries · ${at.slice(0, 16).replace("T", " ")}${is_open ? "" : " · closed"}</span>
      ${damaged && html`<span class="bad">${damaged}</span>`}
      ${!damaged && html`<span class="as">see it as ${as({ seat: "spectator", name: "spectator" }, "a spectator")}${players.map((name) => as({ seat: "player", name }, name))}</span>`}
    </li>`;
}
