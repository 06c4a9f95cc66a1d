/**
 * The drawing of chances over time, with its table: one drawing, or a small one for each of more than four combatants.
 *
 * @typedef {import("../types.js").FightChances} FightChances
 * @typedef {import("../theatre/theatre.js").Theatre} Theatre
 */
import { html } from "../vendor/preact.js";
import { band, chanceInWords, line, points } from "./band.js";
import { ChancesTable } from "./chances_table.js";
import { PLOT, entryAt, placed, x, y } from "./plot.js";
import { colorOf } from "./words.js";

/** Combatants in one drawing at most. */
const TOGETHER = 4;

/** @param {{theatre: Theatre, at: number, last: number, entries: readonly number[], estimates: import("../theatre/estimates.js").Estimates}} props */
export function ChancesDrawing({ theatre, at, last, entries, estimates }) {
  const known = estimates.known(entries);
  const found = known.filter((each) => typeof each !== "string");
  const refused = [...new Set(known.filter((each) => typeof each === "string"))];
  const people = theatre.outline.people.filter((one) => found.some((each) => each.combatants.some((other) => other.who === one.who)));
  const groups = people.length > TOGETHER ? people.map((one) => [one]) : people.length ? [people] : [];
  const go = (/** @type {number} */ entry) => void theatre.go(entry);
  return html`
    ${known.length < entries.length && !estimates.trouble && html`<p class="soft progress">Playing on from turn ${known.length + 1} of ${entries.length}…</p>`}
    ${[...refused, estimates.trouble].filter(Boolean).map((words) => html`<p class="bad" role="status">${words}</p>`)}
    <div class=${groups.length > 1 ? "graphs several" : "graphs"}>
      ${groups.map((whose) => html`<${Drawing} key=${whose.map((one) => one.who).join()} theatre=${theatre} whose=${whose} found=${found} at=${at} last=${last} go=${go} />`)}
      ${found.length > 0 && html`<${ChancesTable} found=${found} people=${people} go=${go} />`}
    </div>`;
}

/** @param {{theatre: Theatre, whose: {who: string, name: string}[], found: readonly FightChances[], at: number, last: number, go: (entry: number) => void}} props */
function Drawing({ theatre, whose, found, at, last, go }) {
  const color = (/** @type {string} */ who) => colorOf(theatre.outline, who);
  const drawn = whose.map((one) => ({ ...one, points: points(found, one.who) }));
  return html`
    <figure>
      <figcaption>${whose.map((one) => html`<span class="key"><span class=${`sign ${color(one.who)}`} aria-hidden="true">●</span> ${one.name}</span>`)}</figcaption>
      <div class="plot" onClick=${(/** @type {MouseEvent} */ event) => go(entryAt(event, last))}>
      <svg viewBox=${`0 0 ${PLOT.width} ${PLOT.height}`} preserveAspectRatio="none" role="img" aria-label=${`Chances of ${whose.map((one) => one.name).join(", ")} of standing at the end; the figures are in the table`}>
        ${[100, 50, 0].map((each) => html`<line class="grid" x1=${PLOT.left} x2=${PLOT.width - PLOT.right} y1=${y(each)} y2=${y(each)} />`)}
        ${drawn.map((one) => html`<path class=${`band ${color(one.who)}`} d=${band(one.points, last)} />`)}
        ${drawn.map((one) => html`<path class=${`line ${color(one.who)}`} d=${line(one.points, last)} />`)}
        <line class="now" x1=${x(at, last)} x2=${x(at, last)} y1="0" y2=${PLOT.height} />
      </svg>
      ${[100, 0].map((each) => html`<span class="axis" aria-hidden="true" style=${placed({ left: 0, top: y(each) })}>${each} %</span>`)}
      ${drawn.map((one) => one.points.map((each) => html`<span class=${`sign point-of ${color(one.who)}`} aria-hidden="true" style=${placed({ left: x(each.entry, last), top: y(100 * each.chance) })} title=${`${one.name} after entry ${each.entry}: ${chanceInWords(each)}`}>●</span>`))}
      </div>
    </figure>`;
}
