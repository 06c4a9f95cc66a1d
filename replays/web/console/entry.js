/** What the gamemaster can do with an entry of the log: correct it, go back to it, look at it again. */
import { html } from "../vendor/preact.js";

/** Kinds of entries that answer a roll. */
const DICE = new Set(["type dice", "draw dice", "tell dice"]);

/**
 * Returns the button that corrects a number by hand: a figure of a combatant, or one of a roll.
 *
 * @param {import("../table/table.js").Table} table  @param {string} of such as `razor.stun`, or a key
 */
export function mends(table, of) {
  const [who, what] = of.split(".");
  const line = !what ? `overrule ${of} ` : `adjust ${who} ${quoted(path(table, who ?? "", what))} `;
  return html`<button class="link" onClick=${() => table.write(line)}>${what ? "set by hand…" : "overrule…"}</button>`;
}

/** Returns a word as it is typed. @param {string} word */
const quoted = (word) => (word.includes(" ") ? `"${word}"` : word);

/** Returns how the table names a figure of a combatant. @param {import("../table/table.js").Table} table  @param {string} who  @param {string} what */
function path(table, who, what) {
  const one = table.state.combatants[who];
  if (one && what in one.tracks) return `tracks.${what}`;
  if (one && what in one.resources) return `resources.${what}`;
  return one?.conditions.some((each) => each.name === what) ? `conditions.${what}` : what;
}

/**
 * Returns the buttons beside an entry.
 *
 * @param {import("../table/table.js").Table} table
 * @param {import("../types.js").Step} step  @param {(view: import("../types.js").View, at?: number) => void} go
 */
export function acts(table, step, go) {
  const { seq } = step;
  const act = (/** @type {string} */ name, /** @type {() => void} */ does) => html`<button onClick=${does}>${name}</button>`;
  const isOfDice = DICE.has(step.kind);
  return html`
    ${isOfDice && act("other faces", () => table.write(`amend ${seq} was `))}
    ${act(isOfDice ? "correct" : "correct…", () => table.write(`amend ${seq} `))}
    ${act("never happened", () => void table.send(`remove ${seq}`))}
    ${act("insert before", () => table.write(`insert ${seq} `))}
    ${act("undo to here", () => void table.send(`rewind ${seq}`))}
    ${act("dispute", () => void table.send(`dispute ${seq}`))}
    ${act("what if", () => go("study", seq))}
    ${act("replay from here", () => go("replay", seq))}`;
}
