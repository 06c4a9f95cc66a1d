/**
 * The gamemaster's console: the order with health, what waits, one line, and the log, whose entries can be corrected.
 *
 * @typedef {import("../theatre/theatre.js").Theatre} Theatre
 * @typedef {import("../table/table.js").Table} Table
 * @typedef {import("../types.js").View} View
 */
import { html, useEffect, useMemo } from "../vendor/preact.js";
import { Line } from "../asking/line.js";
import { Waits } from "../asking/waits.js";
import { Log } from "../parts/log.js";
import { Tracker } from "../parts/tracker.js";
import { Trouble } from "../parts/trouble.js";
import { useChanges, useFollowing } from "../parts/changes.js";
import { WhyDrawer } from "../parts/why.js";
import { ConsoleBar } from "./bar.js";
import { Changes } from "./changes.js";
import { Disputes } from "./disputes.js";
import { acts, mends } from "./entry.js";
import { Now } from "./now.js";

/** @param {{theatre: Theatre, table: Table, go: (view: View, at?: number) => void, leave?: () => void}} props */
export function Console({ theatre, table, go, leave }) {
  useChanges(theatre);
  useChanges(table);
  useMemo(() => {
    theatre.acts = (step) => acts(table, step, go);
    theatre.mends = (of) => mends(table, of);
  }, [theatre, table]);
  useEffect(() => () => { theatre.acts = theatre.mends = () => ""; }, [theatre]);
  useFollowing(".desk .tracker tr.active", table.state.active);
  useEffect(() => {
    const pressed = (/** @type {KeyboardEvent} */ event) => press(theatre, event);
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [theatre]);
  return html`
    <div class="console">
      <${ConsoleBar} theatre=${theatre} table=${table} go=${go} leave=${leave} />
      ${table.status === "cut" && html`<p class="notice" role="status">The connection is cut. It is being resumed; nothing is lost.</p>`}
      ${theatre.troubles.all().map((words) => html`<${Trouble} key=${words} words=${words} />`)}
      <main class="desk">
        <div class="column">
          <${Tracker} theatre=${theatre} at=${theatre.last} state=${table.state} before=${table.before} caption=${`Order, after entry ${table.state.entries}`} />
          <${Changes} table=${table} />
        </div>
        <section class="column now" aria-label="Now">
          <${Now} theatre=${theatre} table=${table} />
          <${Disputes} table=${table} />
          <${Waits} table=${table} theatre=${theatre} idle=${html`<button onClick=${() => go("setup")}>Combatants, seats</button> ${table.own.length > 1 && html`<button onClick=${() => table.send("begin")}>Begin a fight</button>`}`} />
          <${Line} table=${table} />
        </section>
        <${Log} theatre=${theatre} at=${theatre.at} title="Log" />
        ${theatre.open === "why" && html`<${WhyDrawer} theatre=${theatre} at=${theatre.asked ? theatre.last : theatre.at} asked=${theatre.asked} />`}
      </main>
      <div class="unseen" role="status">${table.latest.at(-1)?.narration.join(" ") ?? ""}</div>
    </div>`;
}

/** Closes what is open, or goes to the line. @param {Theatre} theatre  @param {KeyboardEvent} event */
function press(theatre, event) {
  const typed = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
  if (event.key === "Escape" && theatre.open !== "none") theatre.show("none");
  else if (event.key === "/" && !typed) /** @type {HTMLElement | null} */ (document.querySelector(".line input"))?.focus();
  else return;
  event.preventDefault();
}
