/**
 * The seats of a session: how an address names them, and the source of what each sees.
 *
 * @typedef {import("/client/affray.js").Affray} Affray
 * @typedef {{seat: "gm" | "player" | "spectator", name: string}} Seat
 */
import * as address from "../address.js";
import { ServerSource } from "./server.js";

/** Who looks at a screen for the whole table. @type {Seat} */
export const SPECTATOR = { seat: "spectator", name: "spectator" };

/** Seconds for which a seat that the host or the gamemaster takes for a look is allowed. */
const LOOK = 43_200;

/** Returns the seat that an address names; by default the gamemaster's. @param {string} as @returns {Seat} */
export function seatOf(as) {
  const [seat, name = ""] = as.split(/\/(.*)/s);
  return seat === "spectator" || (seat === "player" && name) ? { seat, name: name || seat } : { seat: "gm", name: "gm" };
}

/**
 * Returns the seat that is taken to show a view; undefined for one's own. The whole table looks at a screen, so it shows
 * what a spectator sees, also to a gamemaster.
 *
 * @param {import("../types.js").Me} me  @param {Seat} seat that the host has chosen  @param {string} view @returns {Seat | undefined}
 */
export function seatTaken(me, seat, view) {
  const isHost = me.seat === "host";
  if (view === "screen" && (isHost ? seat : me).seat === "gm") return SPECTATOR;
  return isHost ? seat : undefined;
}

/** Returns a seat as an address names it. @param {Seat} seat */
export const asText = ({ seat, name }) => (seat === "gm" ? "" : seat === "player" ? `${seat}/${name}` : seat);

/**
 * Returns a token of a seat, which this tab keeps.
 *
 * @param {import("/client/affray.js").Session} session that of the host or the gamemaster  @param {Seat} seat  @param {boolean} [isNew] whether one that is kept is no longer accepted
 */
export function seatToken(session, seat, isNew = false) {
  const issue = async () => (await session.issue({ ...seat, expires_in: LOOK })).token;
  return address.kept(`affray-${session.id}-${asText(seat)}`, issue, isNew);
}

/**
 * Returns the record as a seat sees it; the host or the gamemaster gets a token for the seat.
 *
 * @param {Affray} affray  @param {import("../types.js").Me} me  @param {string} session  @param {Seat | undefined} seat undefined for one's own
 * @param {boolean} isNew whether a token that is kept is no longer accepted
 */
export async function sourceOf(affray, me, session, seat, isNew) {
  if (!seat) return new ServerSource(address.token(), session, me.seat, me.name);
  return new ServerSource(await seatToken(affray.session(session), seat, isNew), session, seat.seat, seat.name);
}
