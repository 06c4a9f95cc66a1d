/**
 * The keys of the theatre.
 *
 * @typedef {import("./theatre.js").Theatre} Theatre
 */

/** What each key does, for the list. */
export const KEYS = [
  ["← →", "entry"],
  ["Shift + ← →", "attack"],
  ["Ctrl + ← →", "turn"],
  [", .", "round"],
  ["↑ ↓", "branch beside"],
  ["Home End", "first and last entry"],
  ["Space", "play, pause"],
  ["w", "why"],
  ["r", "recap"],
  ["u", "show or hide what was undone"],
  ["/", "search"],
  ["?", "these keys"],
  ["Esc", "close"],
];

/** Where letters are typed; a list keeps all keys but those that move along the record. */
const TYPED = "input:not([type=range]), textarea", ALONG = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

/** Does what a key means; returns whether it means anything. @param {Theatre} theatre  @param {KeyboardEvent} event */
export function press(theatre, event) {
  const typed = event.target instanceof HTMLElement && event.target.matches(ALONG.has(event.key) ? TYPED : `${TYPED}, select`);
  if (event.key === "Escape" && theatre.open !== "none") return done(theatre.show("none"));
  if (typed || event.metaKey || event.defaultPrevented || theatre.open === "help") return false;
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const unit = event.ctrlKey ? "turn" : event.shiftKey ? "attack" : "entry";
    return !event.altKey && done(theatre.move(unit, event.key === "ArrowRight" ? 1 : -1, !isOnSlider(event)));
  }
  return !event.ctrlKey && !event.altKey && plain(theatre, event);
}

/** @param {Theatre} theatre  @param {KeyboardEvent} event */
function plain(theatre, event) {
  switch (event.key) {
    case "ArrowUp": return done(theatre.moveAcross(-1));
    case "ArrowDown": return done(theatre.moveAcross(1));
    case ",": return done(theatre.move("round", -1));
    case ".": return done(theatre.move("round", 1));
    case "Home": return done(theatre.go(1));
    case "End": return done(theatre.go(theatre.last));
    case " ": return isOnButton(event) ? false : done(theatre.player.toggle());
    case "w": return done(theatre.show("why"));
    case "r": return done(theatre.show("recap"));
    case "u": return done(theatre.fold());
    case "/": return done(theatre.show("search"));
    case "?": return done(theatre.show("help"));
    default: return false;
  }
}

/** Whether the space bar presses a button already; pressing the row of the entry that is shown would do nothing. @param {KeyboardEvent} event */
const isOnButton = (event) => event.target instanceof HTMLElement && event.target.matches("button:not([aria-current]), summary, a");

/** Whether the slider reads out the entry. @param {KeyboardEvent} event */
const isOnSlider = (event) => event.target instanceof HTMLInputElement && event.target.type === "range";

/** @param {unknown} _ what was begun */
const done = (_) => true;
