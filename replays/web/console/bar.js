/** The bar above the console: the fight, the moment, and where else to go. */
import { html } from "../vendor/preact.js";

/** @param {{theatre: import("../theatre/theatre.js").Theatre, table: import("../table/table.js").Table, go: (view: import("../types.js").View) => void, leave?: () => void}} props */
export function ConsoleBar({ theatre, table, go, leave }) {
  const { state } = table;
  const active = state.active ? state.combatants[state.active]?.name : "";
  const moment = [theatre.outline.game, state.round ? `round ${state.round}` : "not begun", state.pass ? `pass ${state.pass}` : "", active ? `${active} acts` : ""].filter(Boolean).join(" · ");
  return html`
    <header class="bar">
      ${leave && html`<button class="quiet" onClick=${leave}>Sessions</button>`}
      <h1>${state.title || "Untitled"}</h1>
      <span class="soft">${moment} · entry <span class="figure">${state.entries}</span></span>
      <nav class="buttons moves" aria-label="The fight">
        <button disabled=${table.isBusy} onClick=${() => table.send("undo")}>Undo</button>
        <button disabled=${table.isBusy} onClick=${() => table.send("redo")}>Redo</button>
        <button onClick=${() => go("setup")}>Combatants, seats</button>
        <button onClick=${() => go("study")}>What if</button>
        <button onClick=${() => go("screen")}>Screen</button>
        <button onClick=${() => go("replay")}>Replay</button>
      </nav>
    </header>`;
}
