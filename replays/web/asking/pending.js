/** What a line asks before it writes: a yes or no, or a few words; with what it would change. */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { Flips } from "./flips.js";
import { isFree } from "./free.js";

/** @param {{table: import("../table/table.js").Table}} props */
export function Pending({ table }) {
  const [asks, pending] = [table.found?.asks, table.pending];
  if (!pending || !asks) return null;
  return html`<${Asked} key=${[pending.line, ...pending.answers, asks].join("\n")} table=${table} asks=${asks} />`;
}

/** @param {{table: import("../table/table.js").Table, asks: string}} props */
function Asked({ table, asks }) {
  const [text, type] = useState("");
  const first = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => { if (isFree()) first.current?.focus(); }, []);
  const yes = / y(?:es)?\/no?$/.exec(asks);
  const give = (/** @type {string} */ answer) => void table.answer(answer);
  const submit = (/** @type {Event} */ event) => { event.preventDefault(); void give(text); };
  return html`
    <section class="ask pending" aria-label="Before it is written">
      ${table.found?.report && html`<${Flips} report=${table.found.report} names=${table.names} />`}
      ${(table.found?.lines ?? []).map((each) => html`<p class="answered">${each}</p>`)}
      <h3>${yes ? asks.slice(0, yes.index) : asks}</h3>
      ${yes
        ? html`<p class="moves"><button ref=${first} class="main" disabled=${table.isBusy} onClick=${() => give("yes")}>Yes</button><button onClick=${() => table.forget()}>No</button></p>`
        : html`<form class="dice" onSubmit=${submit}><input ref=${first} aria-label=${asks} value=${text} onInput=${(/** @type {Event} */ event) => type(/** @type {HTMLInputElement} */ (event.target).value)} /><button class="main" disabled=${table.isBusy}>Enter</button><button type="button" onClick=${() => table.forget()}>Cancel</button></form>`}
    </section>`;
}
