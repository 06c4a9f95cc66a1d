/** The entries after which chances are estimated: where turns begin that were not undone, and the last entry. */

/** Entries at most; those of a longer record are spread evenly. */
export const MOST = 40;

/** @param {import("./record.js").Record} record  @param {number} [most] @returns {number[]} */
export function boundaries(record, most = MOST) {
  const turns = record.stops.at.turn.filter((entry) => !record.line.stretch(entry));
  const all = turns.length && turns.at(-1) !== record.last ? [...turns, record.last] : turns;
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, nth) => /** @type {number} */ (all[Math.round((nth * (all.length - 1)) / (most - 1))]));
}
