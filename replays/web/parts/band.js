/**
 * The arithmetic of the drawing of chances: a line for each combatant, and a band around it.
 *
 * @typedef {import("../types.js").FightChances} FightChances
 * @typedef {FightChances["combatants"][number]} StandingChance
 * @typedef {{entry: number} & StandingChance} Point
 */
import { x, y } from "./plot.js";

/** Returns the chances of a combatant, by entry. @param {readonly FightChances[]} found  @param {string} who @returns {Point[]} */
export const points = (found, who) => found.flatMap((each) => each.combatants.filter((one) => one.who === who).map((one) => ({ ...one, entry: each.entry })));

/** Returns the line through the chances. @param {readonly Point[]} whose  @param {number} last */
export const line = (whose, last) => `M${whose.map((each) => `${x(each.entry, last)} ${y(100 * each.chance)}`).join("L")}`;

/** Returns the outline of the band: along its upper edge, and back along its lower one. @param {readonly Point[]} whose  @param {number} last */
export function band(whose, last) {
  const upper = whose.map((each) => `${x(each.entry, last)} ${y(100 * each.high)}`);
  const lower = whose.map((each) => `${x(each.entry, last)} ${y(100 * each.low)}`).reverse();
  return `M${[...upper, ...lower].join("L")}Z`;
}

/** Returns a chance with its interval, in words. @param {StandingChance} one */
export function chanceInWords({ chance, low, high }) {
  const percent = (/** @type {number} */ share) => Math.round(100 * share);
  return low === high ? `${percent(chance)} %` : `${percent(chance)} % (${percent(low)} to ${percent(high)})`;
}
