/** Which faces a roll takes, for fingers. */

/** The most faces that have a button each. */
const FEW = 12;

/** Returns the dice of a roll. @param {string} dice such as `9d6`, `2d10+1d6` */
export const diceOf = (dice) => [...dice.matchAll(/(\d*)d(\d+)/g)].map(([, count, sides]) => ({ count: Number(count || 1), sides: Number(sides) }));

/** Returns how many dice are to be thrown, and how many sides each has; the sides are 0 where dice differ. @param {string} dice */
export function thrown(dice) {
  const found = diceOf(dice);
  const count = found.reduce((sum, each) => sum + each.count, 0);
  const sides = found.every((each) => each.sides === found[0]?.sides) ? (found[0]?.sides ?? 0) : 0;
  return { count, sides };
}

/** Returns the buttons that spell the faces of a roll: one for each face, or the digits. @param {string} dice @returns {string[]} */
export function buttons(dice) {
  const { sides } = thrown(dice);
  if (sides > 1 && sides <= FEW) return Array.from({ length: sides }, (_, nth) => String(nth + 1));
  return ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];
}

/** Returns the text after a button was tapped: faces have gaps between them, digits have none. @param {string} text  @param {string} button  @param {string} dice */
export function tapped(text, button, dice) {
  const { sides } = thrown(dice);
  const isFace = sides > 1 && sides <= FEW;
  return isFace && text && !/\s$/.test(text) ? `${text} ${button}` : text + button;
}

/** Returns how many faces a text has; 0 if it is no list of faces. @param {string} text */
export const counted = (text) => (/^\s*(\d+[\s,]*)+$/.test(text) ? (text.match(/\d+/g)?.length ?? 0) : 0);
