/** The scrubber: a slider over all entries, read out as the sentence of the entry. */
import { html } from "../vendor/preact.js";
import { isolated } from "./words.js";

/** @param {{theatre: import("../theatre/theatre.js").Theatre, at: number, last: number}} props */
export function Scrubber({ theatre, at, last }) {
  const sentence = theatre.pages.step(at)?.narration.join(" ") ?? "";
  const moved = (/** @type {Event} */ event) => theatre.go(Number(/** @type {HTMLInputElement} */ (event.target).value), false);
  return html`
    <input class="scrubber" type="range" min="1" max=${last} step="1" value=${at} aria-label="Entry" aria-valuetext=${`Entry ${at} of ${last}. ${sentence}`} onInput=${moved} />
    <p class="sentence" aria-hidden="true">${isolated(sentence, theatre.outline)}</p>`;
}
