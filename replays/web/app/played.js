/**
 * One session from a seat: the console, the phone or the theatre, each loaded when it is shown.
 *
 * @typedef {import("/client/affray.js").Affray} Affray
 * @typedef {import("../types.js").Me} Me
 * @typedef {import("../types.js").View} View
 * @typedef {import("../source/seats.js").Seat} Seat
 * @typedef {import("../parts/opened.js").Opened} Opened
 */
import { html, useEffect, useState } from "../vendor/preact.js";
import * as address from "../address.js";
import { close, opening } from "../parts/opened.js";
import { Trouble } from "../parts/trouble.js";
import { SPECTATOR, asText, seatTaken, sourceOf } from "../source/seats.js";
import { Shown, isView } from "./views.js";

/** @param {{affray: Affray, me: Me, session: string, seat: Seat, at: number | undefined, view?: string, leave?: () => void}} props */
export function Played({ affray, me, session, seat, at, view = "", leave }) {
  const [opened, show] = useState(/** @type {(Opened & {taken: Seat | undefined}) | null} */ (null));
  const [shown, choose] = useState(/** @type {View | ""} */ (at === undefined && seatTaken(me, seat, view) === SPECTATOR ? "screen" : ""));
  const [trouble, tell] = useState("");
  const as = me.seat === "host" ? asText(seat) : "";
  const taken = seatTaken(me, seat, shown);
  useEffect(() => {
    /** @type {Opened | undefined} */
    let made;
    let isLeft = false;
    const begin = async (isNew = false) => {
      made = await opening(await sourceOf(affray, me, session, taken, isNew));
      if (isLeft) return close(made);
      const { theatre } = made;
      document.title = `${theatre.outline.title || "A fight"} · Affray`;
      choose((now) => (made?.table && now) || wanted(view, at, made?.table ?? null));
      show({ ...made, taken });
      await theatre.go(at ?? theatre.last, false);
      void theatre.follower.follow();
    };
    const again = (/** @type {Error} */ error) => (taken && error.message.startsWith("token/") ? begin(true) : Promise.reject(error));
    begin().catch(again).catch((/** @type {Error} */ error) => tell(error.message));
    return () => { isLeft = true; if (made) close(made); };
  }, [session, taken]);
  useEffect(() => {
    if (!opened || shown !== "replay") return;
    const { theatre } = opened;
    return theatre.listen(() => address.writeSoon({ session, at: theatre.at === theatre.last ? undefined : theatre.at, as, view: shown }));
  }, [opened, shown]);
  if (trouble) return html`<main class="entrance"><${Trouble} words=${trouble} />${leave && html`<button onClick=${leave}>Sessions</button>`}</main>`;
  if (!opened || !shown || opened.taken !== taken) return html`<main class="entrance"><p class="soft" role="status">Opening…</p></main>`;
  const go = (/** @type {View} */ next, /** @type {number} */ entry = opened.theatre.last) => {
    address.write({ session, at: entry === opened.theatre.last ? undefined : entry, as, view: next }, true);
    opened.theatre.open = "none";
    void opened.theatre.go(entry, false);
    choose(next);
  };
  const own = taken === SPECTATOR ? "console" : shown === "replay" && opened.table ? home(opened.table) : "replay";
  return html`<${Shown} view=${shown} opened=${opened} go=${go} back=${own === shown ? undefined : () => go(own)} leave=${leave} />`;
}

/** Returns what is shown at first: a moment is replayed; else a seat comes to its table. @param {string} view  @param {number | undefined} at  @param {Opened["table"]} table @returns {View} */
function wanted(view, at, table) {
  if (!table || at !== undefined) return "replay";
  return isView(view) ? view : table.state.is_open === false ? "replay" : home(table);
}

/** Returns the table of a seat. @param {NonNullable<Opened["table"]>} table @returns {View} */
export const home = (table) => (table.isGamemaster ? "console" : table.seat === "player" ? "phone" : "replay");
