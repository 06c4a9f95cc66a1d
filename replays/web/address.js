/**
 * The address of the page: `#token=…` is taken out of it at once, into the memory of this tab; `#session=…&at=22` is a
 * moment, which can be shared, because it holds no token; `&as=player/kira` is the seat that the host has chosen;
 * `&view=replay` is what is shown of the session.
 *
 * @typedef {{session: string, at: number | undefined, as: string, view?: string}} Moment
 */

const TOKEN = "affray-token";
/** Milliseconds for which a moment stands before it is written into the address. */
const SOON = 300;

/** Returns the moment in the address, and remembers a token that is in it. @returns {Moment} */
export function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get("token");
  if (token) {
    sessionStorage.clear(); // another seat: what the one before had was not for it
    sessionStorage.setItem(TOKEN, token);
  }
  const moment = { session: given.get("session") ?? "", at: entry(given.get("at")), as: given.get("as") ?? "", view: given.get("view") ?? "" };
  if (token) write(moment);
  return moment;
}

/** Returns the number of an entry as it stands in an address; undefined if it is none. @param {string | null} text */
export const entry = (text) => (text && /^\d+$/.test(text) ? Math.max(1, Number(text)) : undefined);

/** Writes a moment into the address; as another page of the tab's history, if it is to be left by going back. @param {Moment} moment  @param {boolean} [isNew] */
export function write(moment, isNew = false) {
  window.clearTimeout(waiting);
  history[isNew ? "pushState" : "replaceState"](null, "", link(moment));
}

/** Returns the address of a moment. @param {Moment} moment */
export function link({ session, at, as, view }) {
  const parts = { ...(session && { session }), ...(as && { as }), ...(view && { view }), ...(at && { at: String(at) }) };
  const moment = new URLSearchParams(parts).toString();
  return location.href.replace(/#.*/s, "") + (moment && `#${moment}`);
}

let waiting = 0;

/** Writes a moment soon: browsers refuse an address that changes with every frame. @param {Moment} moment */
export function writeSoon(moment) {
  window.clearTimeout(waiting);
  waiting = window.setTimeout(() => write(moment), SOON);
}

/** Returns the token of this tab; an empty text if it has none. */
export const token = () => sessionStorage.getItem(TOKEN) ?? "";

/** Remembers a token until the tab is closed. @param {string} token */
export const remember = (token) => sessionStorage.setItem(TOKEN, token);

/** Forgets the token. */
export const forget = () => sessionStorage.clear();

/** Returns what this tab keeps under a name. @param {string} name  @param {() => Promise<string>} make makes it  @param {boolean} isNew whether it is made anew */
export async function kept(name, make, isNew) {
  const known = sessionStorage.getItem(name);
  if (known && !isNew) return known;
  const made = await make();
  sessionStorage.setItem(name, made);
  return made;
}
