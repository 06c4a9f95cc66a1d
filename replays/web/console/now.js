/** What has just happened, large. */
import { html } from "../vendor/preact.js";
import { isolated } from "../parts/words.js";

/** How many sentences are shown. */
const FEW = 4;

/** @param {{theatre: import("../theatre/theatre.js").Theatre, table: import("../table/table.js").Table}} props */
export function Now({ theatre, table }) {
  const heard = table.latest.flatMap((each) => each.narration);
  const sentences = heard.length ? heard : (theatre.pages.step(theatre.last)?.narration ?? []);
  const latest = sentences.slice(-FEW);
  return html`
    <h2>Now</h2>
    ${latest.map((each, nth) => html`<p class=${nth === latest.length - 1 ? "happened" : "happened soft"}>${isolated(each, theatre.outline)}</p>`)}`;
}
