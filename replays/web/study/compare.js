/**
 * Two lines side by side: entries that perform the same entry of the record lie beside one another.
 *
 * @typedef {import("../types.js").BranchLine} Branch
 * @typedef {import("../types.js").BranchStep} Step
 * @typedef {import("../types.js").State} State
 * @typedef {{left?: Step, right?: Step, flips: string[], isSame: boolean}} Row
 * @typedef {{who: string, what: string, left: string, right: string}} Difference
 */

/** What stands for an outcome that is not decided yet. */
export const NOT_YET = "not yet";

/** The name by which entries of two lines are known to each other. @param {Step} step */
const nameOf = (step) => step.recorded ?? `new ${step.seq}`;

/** Returns the rows of two lines. @param {Branch} left  @param {Branch} right @returns {Row[]} */
export function rows(left, right) {
  const places = new Map(right.steps.map((step, place) => [nameOf(step), place]));
  /** @type {Omit<Row, "flips">[]} */
  const found = [];
  let next = 0;
  for (const step of left.steps) {
    const place = places.get(nameOf(step)) ?? -1;
    if (place < next) {
      found.push({ left: step, isSame: false });
      continue;
    }
    for (const other of right.steps.slice(next, place)) found.push({ right: other, isSame: false });
    const other = /** @type {Step} */ (right.steps[place]);
    found.push({ left: step, right: other, isSame: step.narration.join() === other.narration.join() });
    next = place + 1;
  }
  found.push(...right.steps.slice(next).map((other) => ({ right: other, isSame: false })));
  const flips = flipsOf(left, right);
  const decided = outcomes(right);
  /** Where both lines have an outcome, it is marked where the right one has it. @param {Omit<Row, "flips">} row */
  const keysOf = (row) => [...Object.keys(row.right?.outcomes ?? {}), ...Object.keys(row.left?.outcomes ?? {}).filter((key) => !decided.has(key))];
  return found.map((row) => ({ ...row, flips: keysOf(row).filter((key) => flips.has(key)).map((key) => `${key.split("/").at(-1)}: ${flips.get(key)}`) }));
}

/** Returns the outcomes that differ, in words, by key. @param {Branch} left  @param {Branch} right */
export function flipsOf(left, right) {
  const [before, after] = [outcomes(left), outcomes(right)];
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const key of new Set([...before.keys(), ...after.keys()]))
    if (before.get(key) !== after.get(key)) found.set(key, `${before.get(key) ?? none(left, key)} → ${after.get(key) ?? none(right, key)}`);
  return found;
}

/** What stands for an outcome that a line does not have. @param {Branch} line  @param {string} key */
const none = (line, key) => (line.report?.flips.some((each) => each.key === key && each.after === "") || !line.state.rests.length ? "none" : NOT_YET);

/** @param {Branch} line */
const outcomes = (line) => new Map(line.steps.flatMap((step) => Object.entries(step.outcomes)));

/** Returns what differs between two states. @param {State} left  @param {State} right @returns {Difference[]} */
export function differences(left, right) {
  const [before, after] = [figures(left), figures(right)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => {
      const [who = "", what = ""] = name.split("\n");
      const one = left.combatants[who] ?? right.combatants[who];
      return { who: one?.name ?? who, what, left: before.get(name) ?? "–", right: after.get(name) ?? "–" };
    });
}

/** @param {State} state */
function figures(state) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const scores = new Map(state.initiative);
  for (const [who, one] of Object.entries(state.combatants)) {
    const put = (/** @type {string} */ what, /** @type {unknown} */ value) => found.set(`${who}\n${what.replaceAll("_", " ")}`, String(value));
    for (const [name, track] of Object.entries(one.tracks)) put(name, `${track.taken} of ${track.capacity}`);
    put("wounds", one.wounds);
    for (const each of one.conditions) put(each.name, each.level ?? "yes");
    for (const [name, has] of Object.entries(one.resources)) put(name, has.left);
    if (scores.has(who)) put("initiative", scores.get(who));
  }
  return found;
}
