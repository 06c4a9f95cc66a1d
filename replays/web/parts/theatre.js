/** The theatre: bar, health, scrubber, tracker and log, and what is open beside them. */
import { html, useEffect } from "../vendor/preact.js";
import { press } from "../theatre/keys.js";
import { Bar } from "./bar.js";
import { useChanges } from "./changes.js";
import { Chances } from "./chances.js";
import { HealthGraph } from "./graph.js";
import { Help } from "./help.js";
import { Later } from "./later.js";
import { Log } from "./log.js";
import { Scrubber } from "./scrubber.js";
import { Search } from "./search.js";
import { Tracker } from "./tracker.js";
import { Trouble } from "./trouble.js";
import { WhyDrawer } from "./why.js";

const recap = async () => (await import("./recap.js")).RecapDrawer;

/** @param {{theatre: import("../theatre/theatre.js").Theatre, leave?: () => void, back?: () => void, study?: () => void}} props */
export function TheatrePage({ theatre, leave, back, study }) {
  useChanges(theatre);
  useEffect(() => {
    const pressed = (/** @type {KeyboardEvent} */ event) => { if (press(theatre, event)) event.preventDefault(); };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [theatre]);

  const { outline, at, last } = theatre;
  return html`
    <div class="theatre">
      <${Bar} theatre=${theatre} leave=${leave} back=${back} study=${study} />
      ${theatre.status === "cut" && html`<p class="notice" role="status">The connection is cut. It is being resumed; nothing is lost.</p>`}
      ${theatre.troubles.all().map((words) => html`<${Trouble} key=${words} words=${words} isFile=${!theatre.source.isLive} />`)}
      <main>
      <div class="over-time">
        <${HealthGraph} outline=${outline} at=${at} last=${last} go=${(/** @type {number} */ entry) => theatre.go(entry)} />
        <${Chances} theatre=${theatre} at=${at} last=${last} />
        <${Scrubber} theatre=${theatre} at=${at} last=${last} />
      </div>
      <div class="columns">
        <${Tracker} theatre=${theatre} at=${at} />
        <${Log} theatre=${theatre} at=${at} />
        ${theatre.open === "why" && html`<${WhyDrawer} theatre=${theatre} at=${at} asked=${theatre.asked} />`}
        ${theatre.open === "recap" && html`<${Later} name="recap" load=${recap} look="drawer" theatre=${theatre} />`}
        ${theatre.open === "search" && html`<${Search} theatre=${theatre} />`}
      </div>
      </main>
      ${theatre.open === "help" && html`<${Help} close=${() => theatre.show("none")} />`}
      <div class="unseen" role="status">${theatre.said}</div>
    </div>`;
}
