/**
 * Health over time: one drawing, or a small one for each of more than four combatants; the same figures as a table.
 *
 * @typedef {import("../types.js").Outline} Outline
 * @typedef {import("../types.js").Health} Health
 * @typedef {{outline: Outline, at: number, last: number, go: (entry: number) => void}} Props
 */
import { html, useMemo } from "../vendor/preact.js";
import { HealthTable } from "./graph_table.js";
import { PLOT, entryAt, path, placed, share, signs, x, y } from "./plot.js";
import { colorOf, words } from "./words.js";

/** Combatants in one drawing at most. */
const TOGETHER = 4;

/** @param {Props} props */
export function HealthGraph({ outline, at, last, go }) {
  const drawings = useMemo(() => {
    const people = outline.people.filter((one) => outline.health.some((each) => each.who === one.who));
    const groups = people.length > TOGETHER ? people.map((one) => [one.who]) : [people.map((one) => one.who)];
    return groups.filter((each) => each.length).map((whose) => ({ whose, drawn: lines(outline, whose), signed: overlay(outline, whose) }));
  }, [outline]);
  const table = useMemo(() => html`<${HealthTable} outline=${outline} />`, [outline]);
  if (!drawings.length) return null;
  return html`
    <section class=${drawings.length > 1 ? "graphs several" : "graphs"} aria-label="Health">
      ${drawings.map(({ whose, drawn, signed }) => html`<${Drawing} key=${whose.join()} outline=${outline} whose=${whose} drawn=${drawn} signed=${signed} at=${at} last=${last} go=${go} />`)}
      ${table}
    </section>`;
}

/** @param {Props & {whose: string[], drawn: unknown, signed: unknown}} props */
function Drawing({ outline, whose, drawn, signed, at, last, go }) {
  const clicked = (/** @type {MouseEvent} */ event) => go(entryAt(event, last));
  const name = whose.map((who) => outline.people.find((one) => one.who === who)?.name ?? who).join(", ");
  return html`
    <figure>
      <figcaption>${whose.map((who) => html`<span class="key"><span class="sign ${colorOf(outline, who)}" aria-hidden="true">●</span> ${outline.people.find((one) => one.who === who)?.name}</span>`)}${whose.length > 1 && html`<span class="soft legend" aria-hidden="true">${legend(outline)}</span>`}</figcaption>
      <div class="plot" onClick=${clicked}>
      <svg viewBox=${`0 0 ${PLOT.width} ${PLOT.height}`} preserveAspectRatio="none" role="img" aria-label=${`Health of ${name} over ${last} entries; the figures are in the table`}>
        ${drawn}
        <line class="now" x1=${x(at, last)} x2=${x(at, last)} y1="0" y2=${PLOT.height} />
      </svg>
      ${signed}
      </div>
    </figure>`;
}

/** Returns what the signs of a drawing mean, those that it has. @param {Outline} outline */
const legend = (outline) => [
  outline.health.some((each) => !isFirst(outline, each)) && "thin line: another track",
  outline.marks.some((each) => each.kind !== "up" && each.kind !== "down") && "▲ wound",
  outline.marks.some((each) => each.kind === "down") && "✕ down",
  outline.corrected.length && "◆ corrected",
  outline.undone.length && "▒ undone",
].filter(Boolean).join(" · ");

/** Returns what does not move: the grid, undone stretches, the lines, and the signs on them. @param {Outline} outline  @param {string[]} whose */
function lines(outline, whose) {
  const last = outline.entries;
  const mine = outline.health.filter((each) => whose.includes(each.who));
  return html`
    ${[100, 50, 0].map((each) => html`<line class="grid" x1=${PLOT.left} x2=${PLOT.width - PLOT.right} y1=${y(each)} y2=${y(each)} />`)}
    ${outline.undone.map((each) => html`<rect class="undone" x=${x(each.first, last)} width=${Math.max(5, x(each.last, last) - x(each.first, last))} y="0" height=${PLOT.height}><title>Entries ${each.first} to ${each.last} were undone</title></rect>`)}
    ${mine.map((each) => html`<path class=${`line ${colorOf(outline, each.who)} ${isFirst(outline, each) ? "" : "second"}`} d=${path(each, last)}><title>${words(each.name)}: ${share(each.points.at(-1))} % left</title></path>`)}`;
}

/** Returns the signs and the figures of the axis, which are not stretched with the drawing. @param {Outline} outline  @param {string[]} whose */
function overlay(outline, whose) {
  const mine = outline.health.filter((each) => whose.includes(each.who));
  return html`
    ${[100, 0].map((each) => html`<span class="axis" aria-hidden="true" style=${placed({ left: 0, top: y(each) })}>${each} %</span>`)}
    ${signs(outline, mine).map((each) => html`<span class=${`sign ${each.look}`} aria-hidden="true" style=${placed(each)} title=${each.words}>${each.sign}</span>`)}`;
}

/** @param {Outline} outline  @param {Health} track */
const isFirst = (outline, track) => outline.health.find((each) => each.who === track.who) === track;
