/** All that is asked of a seat now, what others are asked, and what the last line was refused for. */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { words } from "../parts/words.js";
import { Choice } from "./choice.js";
import { FoundByLine } from "./found.js";
import { Pending } from "./pending.js";
import { Roll } from "./roll.js";

/** @param {{table: import("../table/table.js").Table, theatre: import("../theatre/theatre.js").Theatre, idle?: unknown}} props `idle` is what a gamemaster can do while nothing is asked */
export function Waits({ table, theatre, idle }) {
  const [isSecret, hide] = useState(false);
  const { question } = table;
  const shown = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => shown.current?.scrollIntoView({ block: "nearest" }), [table.refused]);
  const why = (/** @type {string} */ of) => theatre.show("why", of);
  const isAsked = question.answers.length > 0 || question.rolls.length > 0;
  return html`
    <div class="waits-for" aria-busy=${table.isBusy}>
      ${table.isBusy && html`<p class="soft busy">Working…</p>`}
      ${table.refused && html`<p class="notice bad" role="alert" ref=${shown}>${table.refused} <button class="quiet" onClick=${() => table.forget()}>Close</button></p>`}
      <${Pending} table=${table} />
      ${!table.pending && html`
        ${question.answers.length > 0 && html`<${Choice} key=${question.key} table=${table} isSecret=${isSecret} />`}
        ${question.rolls.length > 1 && html`<p class="moves"><button onClick=${() => table.send(`${isSecret ? "secret " : ""}~`, [], question.rolls.at(-1)?.key)} disabled=${table.isBusy}>Draw all ${question.rolls.length}</button></p>`}
        ${question.rolls.map((roll, nth) => html`<${Roll} key=${roll.key} table=${table} roll=${roll} isFirst=${nth === 0} why=${why} isSecret=${isSecret} />`)}
        ${isAsked && table.isGamemaster && html`<label class="secret"><input type="checkbox" checked=${isSecret} onChange=${(/** @type {Event} */ event) => hide(/** @type {HTMLInputElement} */ (event.target).checked)} /> in secret</label>`}
        ${question.may_begin && html`<p class="moves"><button class="main" disabled=${table.isBusy} onClick=${() => table.send("begin")}>Begin the fight</button></p>`}
        ${!isAsked && !question.may_begin && html`<p class="soft nothing">${question.others.length ? "Nothing is asked of you now." : "The table waits for nobody."} ${table.isGamemaster && !question.others.length && idle}</p>`}
        ${question.interrupts.length > 0 && html`<p class="soft also">Before that: ${question.interrupts.slice(0, 4).map((each) => html`<button class="link" onClick=${() => table.write(`${each} `)}>${words(each)}</button> `)}</p>`}
      `}
      ${question.others.length > 0 && html`<p class="soft others">Waiting for ${[...new Set(question.others.map((each) => `${each.name} (${each.purpose})`))].join(", ")}</p>`}
      <${FoundByLine} table=${table} theatre=${theatre} />
    </div>`;
}

/** Returns what the open roll or choice is part of, such as an attack; empty as long as that is not known. @param {import("../theatre/theatre.js").Theatre} theatre  @param {import("../table/table.js").Table} table */
export function aboutOf(theatre, table) {
  const key = table.question.key || table.question.rolls[0]?.key || "";
  const found = theatre.outline.exchanges.filter((each) => key.startsWith(`${each.key}/`)).at(-1);
  return found ? `${table.state.combatants[found.by]?.name ?? found.by}: ${found.about}` : "";
}
