/**
 * The inbox of disputes: those that are open, each with what can be decided.
 *
 * @typedef {import("../types.js").Disputed} Disputed
 */
import { html, useEffect, useState } from "../vendor/preact.js";
import { useOnce } from "../parts/once.js";

const OF_DISPUTES = new Set(["OpenDispute", "SettleDispute", "Rewind", "Amend"]);

/** @param {{table: import("../table/table.js").Table}} props */
export function Disputes({ table }) {
  const [all, show] = useState(/** @type {Disputed[]} */ ([]));
  const newest = table.latest.filter((each) => OF_DISPUTES.has(each.command?.type ?? "")).at(-1)?.seq ?? 0;
  useEffect(() => {
    const stop = new AbortController();
    table.session.disputes({ signal: stop.signal }).then(show, () => {}); // the next entry of a dispute asks again
    return () => stop.abort();
  }, [newest]);
  const open = all.filter((each) => !each.settlement && each.challenge.stands);
  if (!open.length) return null;
  return html`
    <section class="inbox" aria-label="Disputes">
      <h2>Disputes <span class="figure">${open.length}</span></h2>
      ${open.map(({ challenge }) => html`
        <article class="ask dispute" key=${challenge.dispute}>
          <p><b>${challenge.by}</b> disputes <b>${challenge.about}</b>: ${challenge.why}</p>
          <${Settling} table=${table} dispute=${challenge.dispute} />
        </article>`)}
    </section>`;
}

/** @param {{table: import("../table/table.js").Table, dispute: string}} props */
function Settling({ table, dispute }) {
  const send = useOnce((/** @type {string} */ line) => table.sendNext(line));
  const settle = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const entry = given.get("ruling") === "upheld" ? "" : `${given.get("entry")} `.trimStart();
    void send(`settle ${dispute} ${given.get("ruling")} ${entry}${given.get("why")}`.trim());
  };
  return html`
    <form class="dice" onSubmit=${settle}>
      <button type="button" onClick=${() => table.send(`disputes ${dispute}`)}>Evidence</button>
      <label>Ruling <select name="ruling"><option value="upheld">upheld: it stands</option><option value="amended">amended: it was wrong</option><option value="overruled">overruled</option></select></label>
      <label>Entry that corrected it <input name="entry" inputmode="numeric" pattern="[0-9]*" autocomplete="off" placeholder="the latest" /></label>
      <label class="wide">because <input name="why" required autocomplete="off" /></label>
      <button class="main">Settle</button>
    </form>`;
}
