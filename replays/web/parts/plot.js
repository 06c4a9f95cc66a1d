/**
 * The arithmetic of the drawings over time: entries from left to right, percent of a track from top to bottom.
 *
 * @typedef {import("../types.js").Outline} Outline
 * @typedef {import("../types.js").Health} Health
 */
import { colorOf } from "./words.js";

export const PLOT = { width: 860, height: 120, left: 40, right: 6, top: 14, bottom: 10 };

/** The least distance of two signs of one look. */
const APART = 3;

/** Returns the place of an entry. @param {number} entry  @param {number} last */
export const x = (entry, last) => round(PLOT.left + (PLOT.width - PLOT.left - PLOT.right) * (last > 1 ? (entry - 1) / (last - 1) : 0));

/** Returns the entry at which a drawing was clicked. @param {MouseEvent} event  @param {number} last */
export function entryAt(event, last) {
  const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  const part = ((event.clientX - box.left) / box.width) * PLOT.width - PLOT.left;
  return 1 + Math.round((part / (PLOT.width - PLOT.left - PLOT.right)) * (last - 1));
}

/** Returns the place of a percentage; what is below zero is drawn at zero. @param {number} percent */
export const y = (percent) => round(PLOT.top + (PLOT.height - PLOT.top - PLOT.bottom) * (1 - Math.min(100, Math.max(0, percent)) / 100));

/** Returns what is left of a track, in percent. @param {Health["points"][number] | undefined} point */
export function share(point) {
  const [, taken, capacity] = point ?? [0, 0, 0];
  return capacity ? Math.round((100 * (capacity - taken)) / capacity) : 100;
}

/** Returns the line of a track: a step at each change. @param {Health} track  @param {number} last */
export function path(track, last) {
  const [first, ...later] = track.points;
  if (!first) return "";
  const steps = later.map((point) => `H${x(point[0], last)}V${y(share(point))}`).join("");
  return `M${x(first[0], last)} ${y(share(first))}${steps}H${x(last, last)}`;
}

/** Returns a place as a style. @param {{left: number, top: number}} place */
export const placed = ({ left, top }) => ({ left: `${(100 * left) / PLOT.width}%`, top: `${(100 * top) / PLOT.height}%` });

/** Returns the signs on the lines: wounds, falls, corrections. @param {Outline} outline  @param {Health[]} mine */
export function signs(outline, mine) {
  const last = outline.entries;
  const whose = new Set(mine.map((each) => each.who));
  const shown = outline.marks.filter((each) => whose.has(each.who) && each.kind !== "up").map((each) => ({
    left: x(each.entry, last), top: y(level(mine, each.who, each.entry)), look: `${colorOf(outline, each.who)} ${each.kind}`,
    sign: each.kind === "down" ? "✕" : "▲", words: `Entry ${each.entry}: ${each.words}`,
  }));
  const corrected = outline.corrected.map((each) => ({ left: x(each.entry, last), top: PLOT.height, look: "correction", sign: "◆", words: `Entry ${each.entry} was corrected by entry ${each.by}${each.why && `: ${each.why}`}` }));
  return [...apart(shown), ...apart(corrected)];
}

/** Leaves out signs that would lie on another of the same look: a long record has thousands. @template {{left: number, look: string}} S @param {S[]} signs */
function apart(signs) {
  /** @type {Map<string, number>} */
  const last = new Map();
  return signs.filter(({ left, look }) => {
    const isFree = left - (last.get(look) ?? -Infinity) >= APART;
    if (isFree) last.set(look, left);
    return isFree;
  });
}

/** @param {Health[]} tracks  @param {string} who  @param {number} entry */
function level(tracks, who, entry) {
  const theirs = tracks.filter((each) => each.who === who);
  const track = theirs.find((each) => each.points.some((point) => point[0] === entry)) ?? theirs[0]; // a wound lies on the track that it changed
  return share(track?.points.filter((point) => point[0] <= entry).at(-1));
}

/** @param {number} number */
const round = (number) => Math.round(10 * number) / 10;
