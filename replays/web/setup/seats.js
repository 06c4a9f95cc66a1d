/**
 * The links of a session's seats: shown, made anew, revoked; and a seat for one more player.
 *
 * @typedef {import("/client/affray.js").Affray} Affray
 * @typedef {import("../types.js").Issued} Issued
 * @typedef {import("../types.js").Known} Known
 * @typedef {{seat: "gm" | "player" | "spectator", name: string}} Seat
 */
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { Trouble } from "../parts/trouble.js";
import { isOnlyHere, originOf, seatLink } from "./address.js";
import { Field, newId, valueOf } from "./field.js";
import { NewSeat } from "./new_seat.js";
import { SeatCard } from "./seat_card.js";

const ORDER = { gm: 0, player: 1, spectator: 2 };
/** @type {readonly never[]} */
const EMPTY = [];

/**
 * `tokens` are those whose texts are known, as they were just issued; `address` is the origin that phones reach; `own`
 * are ids of tokens that the page itself uses: they are not revoked. `seated` is called when a player got a seat.
 *
 * @param {{affray: Affray, session: string, tokens?: readonly Issued[], address: string, own?: readonly string[], seated?: (name: string) => void}} props
 */
export function Seats({ affray, session, tokens = EMPTY, address, own = EMPTY, seated = () => {} }) {
  const there = useMemo(() => affray.session(session), [affray, session]);
  const [issued, issue] = useState(/** @type {readonly Issued[]} */ (tokens));
  const [known, list] = useState(/** @type {Known[]} */ ([]));
  const [typed, type] = useState(/** @type {string | null} */ (null));
  const [trouble, tell] = useState("");
  const title = useMemo(() => newId("seats"), []);
  const failed = (/** @type {Error} */ error) => tell(error.message);
  const refresh = () => there.tokens().then(list);
  useEffect(() => { refresh().catch(failed); }, [there]);
  const origin = typed === null ? address : originOf(typed);
  const give = async (/** @type {Seat} */ seat) => {
    const made = /** @type {Issued} */ (await there.issue(seat));
    issue((before) => [...before, made]);
    await refresh();
    return made;
  };
  const revoke = async (/** @type {Seat} */ seat) => {
    const mine = new Set([...own, (await affray.me()).token]);
    for (const each of linksOf(seat, known)) if (!mine.has(each.id)) await there.revoke(each.id);
    await refresh();
  };
  const add = async (/** @type {string} */ name) => { await give({ seat: "player", name }); seated(name); };
  const cards = seatsOf([...known, ...issued]).map((seat) => {
    const links = linksOf(seat, known);
    const last = issued.filter((each) => isOf(seat, each) && (!known.length || links.some(({ id }) => id === each.id))).at(-1);
    return html`<${SeatCard} key=${seat.seat + seat.name} affray=${affray} seat=${seat} links=${links.length} link=${last && origin ? seatLink(origin, session, last.token) : ""}
      give=${() => give(seat)} revoke=${() => revoke(seat)} />`;
  });
  return html`
    <section class="seats" aria-labelledby=${title}>
      <h2 id=${title}>Seats</h2>
      ${trouble && html`<${Trouble} words=${trouble} />`}
      <${Field} label="Address that the other devices reach" problem=${origin ? "" : "This is no address. Accepted: such as http://192.168.1.5:8040."}
        hint=${origin && isOnlyHere(origin) ? "Only this machine reaches it. For phones, start the server with affray web --lan." : ""}
        control=${(/** @type {object} */ is) => html`<input ...${is} class="address" inputmode="url" autocomplete="off" spellcheck=${false} value=${typed ?? address} onInput=${(/** @type {Event} */ event) => type(valueOf(event))} />`} />
      <ul>${cards}</ul>
      <${NewSeat} add=${add} />
    </section>`;
}

/** Returns whether a token is one of a seat. @param {Seat} seat  @param {{seat: string, name: string}} token */
const isOf = (seat, token) => token.seat === seat.seat && token.name === seat.name;

/** Returns the tokens of a seat that are accepted. @param {Seat} seat  @param {readonly Known[]} known */
const linksOf = (seat, known) => known.filter((each) => isOf(seat, each) && !each.revoked && !(each.expires && Date.parse(each.expires) < Date.now()));

/** Returns the seats of tokens, each once: the gamemaster, the players, the spectators. @param {readonly {seat: string, name: string}[]} tokens */
function seatsOf(tokens) {
  const found = new Map(tokens.map(({ seat, name }) => [`${seat}/${name}`, /** @type {Seat} */ ({ seat, name })]));
  return [...found.values()].sort((one, other) => ORDER[one.seat] - ORDER[other.seat] || one.name.localeCompare(other.name));
}
