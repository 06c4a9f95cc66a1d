/** Faces of dice as they are typed. */
import { diceOf } from "../table/faces.js";

/** Returns what a roll of some dice accepts, in words. @param {string} dice such as `2d6` or `1d100` */
export function accepted(dice) {
  const all = diceOf(dice);
  const parts = all.map(({ count, sides }) => `${count} of ${sides === 100 ? "0 to 99" : `1 to ${sides}`}`);
  return all.length ? `${dice}: ${parts.join(", then ")}` : "";
}

/** Returns typed faces as numbers; undefined if they are none. @param {string} text */
export function faces(text) {
  const parts = text.trim().split(/[\s,]+/);
  return parts.every((each) => /^\d{1,4}$/.test(each)) ? parts.map(Number) : undefined;
}
