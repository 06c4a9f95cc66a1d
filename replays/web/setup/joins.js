/**
 * Makes the commands that add combatants, with ids as at the table: three of `thug` are `thug-1`, `thug-2`, `thug-3`.
 *
 * @typedef {import("../types.js").FileCombatant} FileCombatant
 * @typedef {import("../types.js").Join} Join
 * @typedef {import("../types.js").State} State
 * @typedef {{found: FileCombatant[], count: number, name: string, player: string, side: string, isHidden: boolean}} Given
 */

/** Combatants with the same sheet that are added at once. */
export const MOST = 50;
/** Letters of an id that is made from a name: there is room for a number behind it. */
const LONGEST = 90;
/** The person who plays what no player plays. */
export const GM = "gm";
/** What is chosen where each combatant of a file keeps its player. */
export const AS_IN_FILE = "";

/** Returns the id of a combatant of a name; an empty text if its letters make none. @param {string} name */
export function idOf(name) {
  const id = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, LONGEST);
  return id === GM ? "" : id;
}

/** Returns the ids in use: those of the combatants, and those that hidden ones were given. @param {State} state */
export function taken(state) {
  const ids = Object.entries(state.combatants).flatMap(([id, { name }]) => [id, idOf(name)]);
  return new Set(ids);
}

/**
 * Returns what is wrong with a form, by field.
 *
 * @param {Given} given  @param {readonly string[]} players
 * @returns {import("./problems.js").Problems}
 */
export function wrong({ found, count, name, player }, players) {
  const accepted = [GM, ...players];
  const unknown = found.map((one) => playerOf(one, player)).find((each) => !accepted.includes(each));
  return {
    ...(!found.length && { sheet: "Choose a sheet, or a file that has one." }),
    ...(!(Number.isInteger(count) && count >= 1 && count <= MOST) && { count: `This many cannot be added at once. Accepted: 1 to ${MOST}.` }),
    ...(/^\d+$/.test(idOf(name)) && { name: "A number alone is no name. Accepted: a name with a letter." }),
    ...(unknown !== undefined && { player: `There is no player ${unknown}. Accepted: ${accepted.join(", ")}; or give them a seat first.` }),
  };
}

/** Returns the person who plays a combatant. @param {FileCombatant} one  @param {string} player what was chosen */
const playerOf = (one, player) => (player === AS_IN_FILE ? one.player : player);

/**
 * Returns the commands that add combatants.
 *
 * @param {Given} given  @param {State} state
 * @returns {Join[]}
 */
export function joins({ found, count, name, player, side, isHidden }, state) {
  const known = taken(state);
  const next = (/** @type {string} */ id, first = "") => {
    const made = free(id, first, known);
    known.add(made);
    return made;
  };
  const join = (/** @type {FileCombatant} */ one, /** @type {string} */ who, /** @type {string} */ called) =>
    command(one, who, called, { player: playerOf(one, player), side: side.trim() || one.side, isHidden });
  if (found.length > 1) return found.map((one) => join(one, one.id, one.name));
  return found.flatMap((one) => {
    const called = name.trim();
    const id = idOf(called) || one.id;
    const numbered = (/** @type {string} */ who) => join(one, who, `${called || one.name} ${who.slice(id.length + 1)}`.trim());
    if (count > 1) return Array.from({ length: count }, () => numbered(next(id, "-1")));
    if (idOf(called)) return [join(one, id, called)]; // an id that was typed as a name is not changed: it may be refused
    return called ? [join(one, next(id), called)] : [numbered(next(id))];
  });
}

/** Returns an id that is not in use, made from another one. @param {string} id  @param {string} first  @param {Set<string>} known */
function free(id, first, known) {
  if (!known.has(id + first)) return id + first;
  let number = 2;
  while (known.has(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}

/** @param {FileCombatant} one  @param {string} who  @param {string} name  @param {{player: string, side: string, isHidden: boolean}} given @returns {Join} */
function command(one, who, name, { player, side, isHidden }) {
  const own = player === GM ? [] : [who];
  const seen_by = isHidden ? own : one.seen_by;
  return {
    type: "Join", who, sheet: one.sheet, name, player, ...(side && { side }), ...(one.thing && { thing: true }),
    ...(seen_by && { seen_by, unseen: true }),
  };
}
