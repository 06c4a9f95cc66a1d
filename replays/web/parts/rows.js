/**
 * The rows of the log: headings of rounds, entries, and undone stretches.
 *
 * @typedef {import("../theatre/theatre.js").Theatre} Theatre
 * @typedef {import("../types.js").Step} Step
 * @typedef {import("../types.js").Undone} Undone
 */
import { html } from "../vendor/preact.js";
import { isolated } from "./words.js";

/** @type {WeakMap<Step, {look: string, row: import("../vendor/preact.js").Element}>} rows as they were shown last: those that look the same are kept */
const shown = new WeakMap();

/** Returns the rows of some steps. @param {Theatre} theatre  @param {readonly Step[]} steps  @param {number} at */
export function rows(theatre, steps, at) {
  return steps.flatMap((step, nth) => {
    const stretch = theatre.line.stretch(step.seq);
    if (!stretch) return [...headings(theatre, step.seq), entry(theatre, step, at)];
    const begins = step.seq === stretch.first || nth === 0 ? [fold(theatre, stretch)] : [];
    return theatre.isUnfolded(stretch.first) ? [...begins, entry(theatre, step, at)] : begins;
  });
}

/** @param {Theatre} theatre  @param {number} seq */
function headings(theatre, seq) {
  const round = theatre.record.rounds.get(seq);
  return round === undefined ? [] : [html`<li class="heading" key=${`round-${seq}`}><h3>${round}</h3></li>`];
}

/** @param {Theatre} theatre  @param {Step} step  @param {number} at */
function entry(theatre, step, at) {
  const isHere = step.seq === at;
  const isUndone = theatre.line.stretch(step.seq) !== undefined; // an undo itself is no part of what it undid
  const look = [isHere && "here", step.seq > at && "later", isUndone && "gone", theatre.record.corrected.has(step.seq) && "corrected"].filter(Boolean).join(" ");
  const known = shown.get(step);
  if (known?.look === look) return known.row;
  const row = html`
    <li key=${step.seq} class=${look}>
      <button aria-current=${isHere ? "step" : undefined} onClick=${() => theatre.go(step.seq)}>
        <i>${step.seq}</i>
        <span>${theatre.record.corrected.has(step.seq) && html`<b class="sign" title="corrected">◆ </b>`}${isolated(step.narration.join(" "), theatre.outline)}${isUndone && html`<span class="unseen"> (undone)</span>`}</span>
      </button>
      ${isHere && html`<div class="acts"><span class="soft">${step.by.name}, ${step.kind}</span>${step.keys.length > 0 && html`<button onClick=${() => theatre.show("why")}>why</button>`}${theatre.acts(step)}</div>`}
    </li>`;
  shown.set(step, { look, row });
  return row;
}

/** @param {Theatre} theatre  @param {Undone} stretch */
function fold(theatre, { first, last, by, who, why }) {
  const isOpen = theatre.isUnfolded(first);
  const range = first === last ? `Entry ${first}` : `Entries ${first} to ${last}`;
  return html`
    <li class="fold" key=${`undone-${first}`}>
      <button aria-expanded=${isOpen} onClick=${() => theatre.fold(first)}><i>${isOpen ? "▾" : "▸"}</i> <span><s>${range}</s> undone${by ? ` by ${by}` : ""}${why && `: “${why}”`}${who && ` — ${who}`}</span></button>
    </li>`;
}
