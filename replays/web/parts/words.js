/** How names are written and colored. */
import { html } from "../vendor/preact.js";

/** Returns the words of a name. @param {string} name */
export const words = (name) => name.replaceAll("_", " ");

/** Returns whose view it is. @param {string} seat  @param {string} [name] */
export const seatInWords = (seat, name = "") => (seat === "player" ? `as ${name || "a player"}` : seat === "gm" ? "as gamemaster" : "as a spectator");

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** Returns a sentence in which names that are written from right to left turn nothing around them. @param {string} sentence  @param {import("../types.js").Outline} outline */
export function isolated(sentence, outline) {
  const names = outline.people.map((one) => one.name).filter((name) => RIGHT_TO_LEFT.test(name));
  if (!names.length) return sentence;
  const found = new RegExp(`(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`);
  return sentence.split(found).map((part, nth) => (nth % 2 ? html`<bdi>${part}</bdi>` : part));
}

/** Returns wounds in words. @param {number} count */
export const woundsInWords = (count) => `${count} ${count === 1 ? "wound" : "wounds"}`;

/** Looks of combatants; they differ in color, and in the dashes of their lines. */
const LOOKS = 6;

/** Returns the class of a combatant's color. @param {import("../types.js").Outline} outline  @param {string} who */
export function colorOf(outline, who) {
  return `look-${Math.max(0, outline.people.findIndex((each) => each.who === who)) % LOOKS}`;
}
