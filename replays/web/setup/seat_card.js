/** The link of one seat, as a text and as a QR code. */
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { useOnce } from "../parts/once.js";
import { newId } from "./field.js";
import { QrCode } from "./qr.js";

/** What a seat may do. */
const MAY = { gm: "sees and does everything", player: "plays their own combatants", spectator: "look on" };

/** Returns whose seat it is. @param {import("./seats.js").Seat} seat */
function holder({ seat, name }) {
  if (seat === "player") return name;
  if (seat === "gm") return name === "gm" ? "the gamemaster" : `${name} (gamemaster)`;
  return name === "spectator" ? "spectators" : `${name} (spectator)`;
}

/**
 * `links` is the number of links that are accepted; `link` is the latest one, or empty if its text is not known here.
 *
 * @param {{affray: import("/client/affray.js").Affray, seat: import("./seats.js").Seat, links: number, link: string, give: () => Promise<unknown>, revoke: () => Promise<unknown>}} props
 */
export function SeatCard({ affray, seat, links, link, give, revoke }) {
  const [isDrawn, draw] = useState(false);
  const [isAsked, ask] = useState(false);
  const [status, tell] = useState("");
  const [trouble, fail] = useState("");
  const title = useMemo(() => newId("seat"), []);
  const who = holder(seat);
  const sure = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => { if (isAsked) sure.current?.focus(); }, [isAsked]);
  const run = (/** @type {() => Promise<unknown>} */ work, /** @type {string} */ done) => () => void once(work, done);
  const once = useOnce(async (/** @type {() => Promise<unknown>} */ work, /** @type {string} */ done) => {
    ask(false);
    try {
      await work();
      fail("");
      tell(done);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  });
  const select = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select();
  return html`
    <li class="seat" aria-labelledby=${title}>
      <h3 id=${title}>${who} <span class="soft">${MAY[seat.seat]}</span></h3>
      ${link && html`<input class="address" readonly aria-label="Link of ${who}" value=${link} onFocus=${select} />`}
      ${!link && html`<p class="soft">${links ? `${links === 1 ? "A link is" : `${links} links are`} in use; a link is shown only when it is made.` : "No link is in use."}</p>`}
      <p class="acts">
        ${link && html`<button aria-expanded=${isDrawn ? "true" : "false"} aria-label="QR code of ${who}" onClick=${() => draw(!isDrawn)}>QR code</button>`}
        <button aria-label="New link of ${who}" onClick=${run(give, "A new link; the ones before work, too.")}>New link</button>
        ${links > 0 && !isAsked && html`<button aria-label="Revoke the links of ${who}" onClick=${() => ask(true)}>Revoke</button>`}
        ${isAsked && html`<span>Every link of ${who} stops working. <button ref=${sure} onClick=${run(revoke, "Revoked.")}>Revoke them</button> <button onClick=${() => ask(false)}>Keep them</button></span>`}
      </p>
      <p class="soft" role="status">${status}</p>
      ${trouble && html`<p class="bad" role="alert">${trouble}</p>`}
      ${link && isDrawn && html`<${QrCode} affray=${affray} text=${link} label="QR code of the link of ${who}" />`}
    </li>`;
}
