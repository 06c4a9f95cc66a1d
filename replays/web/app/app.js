/**
 * What a page of a server shows: a box for a token, the sessions of the host, or one session from a seat.
 *
 * @typedef {import("/client/affray.js").Affray} Affray
 * @typedef {import("../types.js").Me} Me
 * @typedef {import("../source/seats.js").Seat} Seat
 */
import { html, useState } from "../vendor/preact.js";
import * as address from "../address.js";
import { Entrance } from "./entrance.js";
import { Later } from "../parts/later.js";
import { Played } from "./played.js";
import { asText, seatOf } from "../source/seats.js";

/** The sessions, which only a host sees. */
const sessions = async () => (await import("./sessions.js")).Sessions;

/** @param {{affray?: Affray, me?: Me, moment: import("../address.js").Moment, trouble?: string, again: () => void}} props */
export function App({ affray, me, moment, trouble = "", again }) {
  const isHost = me?.seat === "host";
  const [session, choose] = useState(moment.session);
  const [seat, sit] = useState(seatOf(moment.as));
  if (!affray || !me) return html`<${Entrance} trouble=${trouble} again=${again} />`;
  const open = (/** @type {string} */ id, /** @type {Seat} */ as) => {
    address.write({ session: id, at: undefined, as: asText(as) }, true);
    sit(as);
    choose(id);
  };
  if (isHost && !session) return html`<${Later} name="sessions" load=${sessions} affray=${affray} open=${open} />`;
  const leave = isHost ? () => { address.write({ session: "", at: undefined, as: "" }, true); choose(""); } : undefined;
  const id = isHost ? session : (me.session ?? "");
  const named = moment.session === id || (!isHost && !moment.session);
  return html`<${Played} key=${id + seat.seat + seat.name} affray=${affray} me=${me} session=${id} seat=${seat} at=${named ? moment.at : undefined} view=${named ? moment.view : ""} leave=${leave} />`;
}
