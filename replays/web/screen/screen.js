/** A screen for the table: the order with health, and the last exchange, large enough to be read across a room. */
import { html } from "../vendor/preact.js";
import { useChanges, useFollowing } from "../parts/changes.js";
import { Bar, Sign, inOrder } from "../parts/combatants.js";
import { isolated, words, woundsInWords } from "../parts/words.js";

/** How many sentences of the last exchange are shown. */
const FEW = 5;

/** @typedef {{theatre: import("../theatre/theatre.js").Theatre, table: import("../table/table.js").Table, back: () => void}} Props `back` leaves the screen */

/** @param {Props} props */
export function Screen({ theatre, table, back }) {
  useFollowing(".screen .order .active", table.state.active);
  useChanges(theatre);
  useChanges(table);
  const { state } = table;
  return html`
    <div class="screen">
      <header><h1>${state.title || "A fight"}</h1><span class="soft">${state.round ? `round ${state.round}` : "not begun"}${state.pass ? ` · pass ${state.pass}` : ""}</span>
        ${table.status === "cut" && html`<span class="bad" role="status">reconnecting…</span>`}
        <button class="quiet" onClick=${back}>Leave the screen</button></header>
      <main>
        <ol class="order" aria-label="Order" tabindex="0">${inOrder(state).map((who) => row(theatre, state, who))}</ol>
        <section aria-label="The last exchange" aria-live="polite">${latest(theatre).map((each, nth, all) => html`<p class=${nth === all.length - 1 ? "large" : "large soft"}>${isolated(each, theatre.outline)}</p>`)}</section>
        ${state.rests.length > 0 && html`<p class="waits">${[...new Set(state.rests.map((each) => state.combatants[each.by]?.name ?? "The gamemaster"))].join(", ")}: ${state.rests[0]?.purpose}</p>`}
      </main>
    </div>`;
}

/** Returns the sentences since the last declaration. @param {import("../theatre/theatre.js").Theatre} theatre */
function latest(theatre) {
  /** @type {string[]} */
  const found = [];
  for (let seq = theatre.last; seq > 0 && found.length < FEW; seq--) {
    const step = theatre.pages.step(seq);
    if (!step) break;
    if (!theatre.line.stretch(seq)) found.unshift(...step.narration);
    if (step.kind === "declare") break;
  }
  return found.slice(-FEW);
}

/** @param {import("../theatre/theatre.js").Theatre} theatre  @param {import("../types.js").State} state  @param {string} who */
function row(theatre, state, who) {
  const one = /** @type {import("../types.js").CombatantView} */ (state.combatants[who]);
  const tracks = Object.entries(one.tracks).filter(([, has], nth) => nth === 0 || has.taken);
  const isActive = state.active === who;
  return html`
    <li key=${who} class=${isActive ? "active" : ""} aria-current=${isActive ? "step" : undefined}>
      <${Sign} outline=${theatre.outline} state=${state} who=${who} />
      <b>${one.name}</b>
      <span class="bars">${tracks.map(([name, has]) => html`
        <span class="health-bar"><${Bar} outline=${theatre.outline} who=${who} has=${has} /> <span class="soft">${words(name)} ${has.taken}${has.capacity ? `/${has.capacity}` : ""}</span></span>`)}
        ${one.wounds > 0 && html`<span class="bad">${woundsInWords(one.wounds)}</span>`}
        ${one.conditions.map((each) => html`<span class="bad">${words(each.name)}</span>`)}</span>
    </li>`;
}
