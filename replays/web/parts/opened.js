/**
 * A session that is open from a seat: its record, and its table, if the seat has one.
 *
 * @typedef {{theatre: Theatre, table: Table | null}} Opened
 */
import { Refused } from "/client/affray.js";
import { Table } from "../table/table.js";
import { Theatre } from "../theatre/theatre.js";

/** Opens what a seat sees, and its table, if it has one. @param {import("../source/server.js").ServerSource} source @returns {Promise<Opened>} */
export async function opening(source) {
  const theatre = new Theatre(source, await source.outline());
  const table = await Table.open(source.session, { seat: source.seat, name: source.name }).catch(noTable);
  source.live = table?.live;
  return { theatre, table };
}

/** Returns nothing if the seat is refused a table; what may pass is thrown. @param {unknown} error */
function noTable(error) {
  if (error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 429) return null;
  throw error;
}

/** Ends what was opened. @param {Opened} opened */
export function close({ theatre, table }) {
  theatre.close();
  table?.close();
}
