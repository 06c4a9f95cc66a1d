/** The figures of the drawing of health, as a table. */
import { html } from "../vendor/preact.js";
import { words } from "./words.js";

/** Points in the table at most for each track; those of the rest are in the log. */
const MOST = 100;

/** @param {{outline: import("../types.js").Outline}} props */
export function HealthTable({ outline }) {
  return html`
    <details>
      <summary>Figures</summary>
      <div class="scrolls" tabindex="0" role="region" aria-label="Figures of the drawing">
        <table>
          <thead><tr><th scope="col">Combatant</th><th scope="col">Track</th><th scope="col">After entry: taken of capacity</th></tr></thead>
          <tbody>${outline.health.map((each) => html`
            <tr>
              <th scope="row">${outline.people.find((one) => one.who === each.who)?.name ?? each.who}</th>
              <td>${words(each.name)}</td>
              <td>${each.points.slice(0, MOST).map(([entry, taken, capacity]) => html`<span class="point">${entry}: ${taken} of ${capacity}</span> `)}${each.points.length > MOST && `and ${each.points.length - MOST} more`}</td>
            </tr>`)}
          </tbody>
        </table>
      </div>
      ${happened("Wounds and falls", outline.marks.map((each) => `entry ${each.entry}: ${each.words}`))}
      ${happened("Corrections", outline.corrected.map((each) => `entry ${each.entry} by entry ${each.by}${each.why && `: ${each.why}`}`))}
      ${happened("Undone", outline.undone.map((each) => `entries ${each.first} to ${each.last}${each.why && `: ${each.why}`}`))}
    </details>`;
}

/** @param {string} title  @param {string[]} all */
const happened = (title, all) => all.length > 0 && html`<p><b>${title}</b> ${all.slice(0, MOST).join(" · ")}${all.length > MOST && ` · and ${all.length - MOST} more`}</p>`;
