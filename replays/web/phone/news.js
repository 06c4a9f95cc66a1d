/** What happened since you looked: the entries after the last one that you saw, each with "why" and "dispute". */
import { html, useEffect, useState } from "../vendor/preact.js";
import { pageOf } from "../record/pages.js";
import { isolated } from "../parts/words.js";

/** The most entries that are shown. */
const MOST = 40;

/** @param {{theatre: import("../theatre/theatre.js").Theatre, table: import("../table/table.js").Table}} props */
export function News({ theatre, table }) {
  const name = `affray-seen-${table.session.id}-${table.seat}-${table.name}`;
  const [seen, see] = useState(() => remembered(name, theatre.last));
  const last = theatre.last;
  const mark = () => { remember(name, last); see(last); };
  useEffect(() => {
    const left = () => { if (document.visibilityState === "hidden") { remember(name, theatre.last); see(theatre.last); } };
    document.addEventListener("visibilitychange", left);
    return () => document.removeEventListener("visibilitychange", left);
  }, [theatre]);
  const first = Math.max(seen + 1, last - MOST + 1);
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, nth) => first + nth);
  useEffect(() => { for (const entry of [first, last]) void theatre.load(pageOf(entry)); }, [first, last]);
  const steps = numbers.map((seq) => theatre.pages.step(seq)).filter((step) => step !== undefined);
  const ask = (/** @type {import("../types.js").Step} */ step) => { theatre.at = step.seq; theatre.show("why"); };
  return html`
    <section class="news" aria-label="Since you looked">
      <h2>Since you looked <span class="figure">${last - seen > MOST ? `(${last - seen}, the last ${MOST})` : `(${Math.max(0, last - seen)})`}</span> ${numbers.length > 0 && html`<button class="quiet" onClick=${mark}>Seen</button>`}</h2>
      <ol class="log" reversed>
        ${[...steps].reverse().map((step) => html`
          <li key=${step.seq} class=${theatre.line.stretch(step.seq) ? "gone" : ""}>
            <p><i>${step.seq}</i> <span>${isolated(step.narration.join(" "), theatre.outline)}</span></p>
            <div class="acts">${step.keys.length > 0 && html`<button onClick=${() => ask(step)}>why</button>`}<button onClick=${() => void table.send(`dispute ${step.seq}`)}>dispute</button></div>
          </li>`)}
      </ol>
    </section>`;
}

/** Returns the entry that was seen last; by default the newest. @param {string} name  @param {number} last */
function remembered(name, last) {
  const kept = Number(sessionStorage.getItem(name) ?? last);
  return Number.isInteger(kept) && kept >= 0 && kept <= last ? kept : last;
}

/** @param {string} name  @param {number} entry */
const remember = (name, entry) => sessionStorage.setItem(name, String(entry));
