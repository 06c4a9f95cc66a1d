/**
 * What a line found: its lines, a reason, chances, a preview, disputes, rulings; until the next line or a click.
 *
 * @typedef {import("../types.js").Found} Found
 */
import { html } from "../vendor/preact.js";
import { Explanation } from "../parts/why.js";
import { oddsInWords, percent } from "./chance.js";
import { Flips } from "./flips.js";

/** @param {{table: import("../table/table.js").Table, theatre: import("../theatre/theatre.js").Theatre}} props */
export function FoundByLine({ table, theatre }) {
  const { found } = table;
  if (!found || found.asks || !Object.keys(found).length) return null;
  return html`
    <section class="found" role="status">
      <button class="quiet close" aria-label="Close what was found" onClick=${() => table.forget()}>Close</button>
      ${(found.lines ?? []).map((each) => html`<p class="answered">${each}</p>`)}
      ${found.why && html`<${Explanation} theatre=${theatre} why=${found.why} />`}
      ${found.report && html`<${Flips} report=${found.report} names=${table.names} />`}
      ${found.odds && html`<p>${oddsInWords(found.odds)}</p>`}
      ${found.luck && luck(found.luck)}
      ${found.audit && html`<p>${found.audit.chain.holds ? "The record is intact, and the dice are honest." : "The audit has findings."} ${counted(found.audit)}</p>`}
      ${found.dispute && evidence(theatre, found.dispute)}
      ${found.disputes?.map((each) => html`<p><b>${each.challenge.dispute}</b> ${each.challenge.about}: ${each.challenge.why} <span class="soft">${each.settlement ? `${each.settlement.ruling}: ${each.settlement.why}` : "open"}</span></p>`)}
      ${found.disputes?.length === 0 && html`<p class="soft">There are no disputes.</p>`}
      ${found.rulings?.map((each) => html`<p>${each.about}: ${each.ruling} <span class="soft">${each.why}</span></p>`)}
      ${found.rulings?.length === 0 && html`<p class="soft">No ruling has these words.</p>`}
      ${found.shows === "options" && html`<p class="soft">All options are above; those that are not allowed now, under “Not now”.</p>`}
      ${found.shows === "state" && html`<p class="soft">All combatants are in the tracker.</p>`}
      ${found.rules !== undefined && found.rules !== null && html`<p class="soft">Tables of the rules: /v1/rulesets/${table.state.ruleset}${found.rules && `/tables/${found.rules}`}</p>`}
    </section>`;
}

/** @param {import("../theatre/theatre.js").Theatre} theatre  @param {import("../types.js").Dispute} dispute */
function evidence(theatre, { challenge, evidence: { explained, dice } }) {
  return html`
    <p><b>${challenge.dispute}</b> ${challenge.about}: ${challenge.why}</p>
    ${dice.map((each) => html`<p>Entry ${each.entry}, ${each.by}: ${each.faces.map((face) => html`<span class="die">${face}</span>`)} <span class="soft">${each.provenance.join(", ")}${each.stands ? "" : ", no longer stands"}</span></p>`)}
    ${explained.map((each) => html`<${Explanation} key=${each.subject} theatre=${theatre} why=${each} />`)}`;
}

/** @param {{[name: string]: any}} found */
function luck(found) {
  return html`<table><caption>Luck</caption><tbody>${found.successes?.map((/** @type {any} */ each) => html`<tr><th scope="row">${each.who}</th><td>${each.successes} of ${each.tests}, ${Number(each.expected).toFixed(1)} expected</td><td>${each.p === null ? "" : `p ${percent(each.p)}`}</td></tr>`)}</tbody></table>`;
}

/** @param {{[name: string]: any}} audit */
const counted = (audit) => Object.entries(audit).filter(([, value]) => Array.isArray(value) && value.length).map(([name, value]) => `${name.replaceAll("_", " ")}: ${value.length}`).join(", ");
