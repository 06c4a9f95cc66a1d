/**
 * What a correction changes, side by side: what was, and what would be.
 *
 * @typedef {import("../types.js").Report} Report
 */
import { html } from "../vendor/preact.js";
import { words } from "../parts/words.js";

/** @param {{report: Report, names: {[who: string]: string}}} props */
export function Flips({ report, names }) {
  const rows = [
    ...report.flips.map((each) => [each.about, each.before || "did not happen", each.after || "no longer happens"]),
    ...report.shifts.map((each) => [`${names[each.who] ?? each.who} ${words(each.what)}`.trim(), named(each.before, names), named(each.after, names)]),
  ];
  const will = report.kind === "amendment" ? "is" : "would be";
  return html`
    <div class="flips">
      <table>
        <caption>Entry ${report.entry}: ${report.what}</caption>
        <thead><tr><th scope="col"><span class="unseen">What</span></th><th scope="col">was</th><th scope="col">${will}</th></tr></thead>
        <tbody>${rows.map(([what, before, after]) => html`<tr><th scope="row">${what}</th><td class="was">${before}</td><td class="is">${after}</td></tr>`)}</tbody>
      </table>
      ${rows.length === 0 && html`<p class="soft">Nothing flips, and no figure changes.</p>`}
      <ul>
        ${report.needs_a_person.map((each) => html`<li><b>${names[each.by] ?? each.by}</b> would ${each.dice ? `roll ${each.dice}` : "choose"}: ${each.purpose}${each.known?.length ? `, beside ${each.known.join(" ")}` : ""}</li>`)}
        ${report.waits.map((each) => html`<li>${each.what} (entry ${each.entry}) waits for that</li>`)}
        ${report.set_aside.map((each) => html`<li>${each.what}${each.entry ? ` (entry ${each.entry})` : ""} is set aside, and kept in the log</li>`)}
      </ul>
    </div>`;
}

/** Returns a value with the names of the combatants in it. @param {unknown} value  @param {{[who: string]: string}} names */
const named = (value, names) => plain(value).split(", ").map((each) => names[each] ?? each).join(", ");

/** @param {unknown} value */
const plain = (value) => (value === null || value === undefined ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value).replaceAll("_", " "));
