/**
 * A player's phone: what you are asked, your combatants, what happened since you looked.
 *
 * Nothing that is known later stands above what is asked: a button that moves under a finger is not pressed, or another is.
 *
 * @typedef {import("../theatre/theatre.js").Theatre} Theatre
 * @typedef {import("../table/table.js").Table} Table
 */
import { html, useEffect } from "../vendor/preact.js";
import { Line } from "../asking/line.js";
import { aboutOf, Waits } from "../asking/waits.js";
import { useChanges } from "../parts/changes.js";
import { Tracker } from "../parts/tracker.js";
import { Trouble } from "../parts/trouble.js";
import { WhyDrawer } from "../parts/why.js";
import { News } from "./news.js";
import { Sheet } from "./sheet.js";

/** @param {{theatre: Theatre, table: Table, go: (view: import("../types.js").View, at?: number) => void, leave?: () => void}} props */
export function Phone({ theatre, table, go, leave }) {
  useChanges(theatre);
  useChanges(table);
  useEffect(() => {
    const woken = () => { if (document.visibilityState === "visible") void table.catchUp(true); }; // a cut is shown by the feed
    document.addEventListener("visibilitychange", woken);
    window.addEventListener("online", woken);
    return () => { document.removeEventListener("visibilitychange", woken); window.removeEventListener("online", woken); };
  }, [table]);
  const { question, state, own } = table;
  const isAsked = question.answers.length > 0 || question.rolls.length > 0;
  const about = isAsked ? aboutOf(theatre, table) : "";
  const mine = new Set(own);
  const names = own.map((who) => state.combatants[who]?.name).join(", ");
  const active = state.active ? (state.combatants[state.active]?.name ?? "") : "";
  return html`
    <div class="phone">
      <header>
        ${leave && html`<button class="quiet" onClick=${leave}>Sessions</button>`}
        <h1>${names || table.name}</h1>
        <span class="soft">${[`as ${table.name}`, state.round ? `round ${state.round}` : "not begun", active && `${active} acts`].filter(Boolean).join(" · ")}</span>
        <span class=${`live ${table.status}`} role="status">${table.status === "open" ? "live ●" : table.status === "cut" ? "reconnecting…" : "closed"}</span>
      </header>
      <main>
        <section aria-label="You are asked">
          <div class="heading"><div role=${isAsked ? "alert" : undefined}><h2 class=${isAsked ? "asked" : ""}>${isAsked ? "You are asked" : "Now"}</h2></div>${about && html`<span class="about" title=${about}>${about}</span>`}</div>
          <${Waits} table=${table} theatre=${theatre} />
          <details class="say"><summary>Say it in words</summary><${Line} table=${table} /></details>
        </section>
        ${theatre.troubles.all().map((words) => html`<${Trouble} key=${words} words=${words} />`)}
        ${own.length > 0 && html`<${Tracker} theatre=${theatre} at=${theatre.last} state=${state} before=${table.before} only=${(/** @type {string} */ who) => mine.has(who)} caption="Yours" label="Yours" />`}
        <${News} theatre=${theatre} table=${table} />
        <details class="others"><summary>The others</summary>
          <${Tracker} theatre=${theatre} at=${theatre.last} state=${state} before=${table.before} only=${(/** @type {string} */ who) => !mine.has(who)} caption="The others" label="The others" />
        </details>
        ${own.map((who) => html`<${Sheet} key=${who} table=${table} who=${who} />`)}
        <p class="moves"><button onClick=${() => go("replay")}>Log and replay</button></p>
      </main>
      ${theatre.open === "why" && html`<${WhyDrawer} theatre=${theatre} at=${theatre.asked ? theatre.last : theatre.at} asked=${theatre.asked} />`}
    </div>`;
}
