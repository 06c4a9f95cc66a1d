/**
 * What an entry changed of a combatant.
 *
 * @typedef {import("../types.js").State} State
 */

/**
 * Returns the fields of the tracker that differ, such as `razor.physical`, `razor.wounds`, `razor.prone`, `razor.initiative`.
 *
 * @param {State | undefined} before  @param {State} now
 * @returns {Set<string>}
 */
export function changes(before, now) {
  const earlier = fields(before);
  const later = fields(now);
  const names = before ? [...earlier.keys(), ...later.keys()] : [];
  return new Set(names.filter((name) => earlier.get(name) !== later.get(name)));
}

/** @param {State | undefined} state */
function fields(state) {
  /** @type {Map<string, unknown>} */
  const found = new Map();
  for (const [who, score] of state?.initiative ?? []) found.set(`${who}.initiative`, score);
  for (const [who, one] of Object.entries(state?.combatants ?? {})) {
    for (const [name, track] of Object.entries(one.tracks)) found.set(`${who}.${name}`, `${track.taken}/${track.capacity}`);
    for (const [name, has] of Object.entries(one.resources)) found.set(`${who}.${name}`, `${has.left}/${has.of}`);
    for (const each of one.conditions) found.set(`${who}.${each.name}`, JSON.stringify(each));
    found.set(`${who}.wounds`, one.wounds);
  }
  return found;
}
