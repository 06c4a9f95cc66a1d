/** The form that makes a branch an amendment: shows the preview again, and asks why. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { Trouble } from "../parts/trouble.js";
import { keep, planned } from "./keep.js";

/**
 * @typedef {import("./keep.js").Plan} Plan
 * @typedef {import("./tree.js").Node} Node
 */

/** @param {{session: import("/client/affray.js").Session, chain: Node[], done: (firsts: number[]) => void, cancel: () => void}} props */
export function KeepForm({ session, chain, done, cancel }) {
  const [plan, show] = useState(/** @type {Plan | null} */ (null));
  const [trouble, tell] = useState("");
  const [news, hear] = useState("");
  const [isWriting, write] = useState(false);
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  const look = () => planned(session, chain).then(
    (found) => { show(found); if (found.isNewer) hear("Others have written meanwhile. This is what the branch changes now."); },
    (error) => tell(error instanceof Error ? error.message : String(error)));
  useEffect(() => void look(), []);
  useLayoutEffect(() => title.current?.focus(), []);
  const drift = [...new Set(plan?.reports.flatMap((each) => each.drift) ?? [])];
  const sent = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (!plan) return;
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    /** @type {number[]} */
    const firsts = [];
    write(true);
    tell("");
    try {
      await keep(session, plan, String(given.get("why")).trim(), given.get("consent") === "on", (first) => firsts.push(first));
      done(firsts);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      tell(firsts.length ? `${firsts.length} of ${plan.changes.length} amendments were written, then: ${words}` : words);
      if (!firsts.length) await look(); // others may have written
      write(firsts.length > 0);
    }
  };
  return html`
    <section class="study-form" aria-label="Keep as amendment">
      <h3 tabindex="-1" ref=${title}>Keep “${chain.at(-1)?.name}” as ${chain.length === 1 ? "an amendment" : `${chain.length} amendments`}</h3>
      ${news && html`<p class="notice" role="status">${news}</p>`}
      ${!plan && !trouble && html`<p class="soft" role="status">Computing…</p>`}
      ${plan?.reports.map((report) => html`
        <h4>Entry ${report.entry}: ${report.what}</h4>
        <ul>
          ${report.flips.map((each) => html`<li>${each.about}: ${each.before || "none"} → <b>${each.after || "none"}</b></li>`)}
          ${report.shifts.map((each) => html`<li>${[each.who, each.what].filter(Boolean).join(", ")}: ${String(each.before ?? "–")} → <b>${String(each.after ?? "–")}</b></li>`)}
          ${report.needs_a_person.map((each) => html`<li>Needed of ${each.by}: ${each.purpose} ${each.dice}</li>`)}
          ${report.set_aside.length > 0 && html`<li>${report.set_aside.length} recorded answers are set aside.</li>`}
        </ul>`)}
      <form onSubmit=${sent}>
        <p class="field"><label for="keep-why">Why, for the record</label><input id="keep-why" name="why" type="text" required maxlength="1000" autocomplete="off" /></p>
        ${drift.length > 0 && html`<p class="field"><label class="check"><input type="checkbox" name="consent" required /> Today's rules may decide ${drift.length === 1 ? "entry" : "entries"} ${drift.join(", ")} otherwise than recorded</label></p>`}
        ${trouble && html`<${Trouble} words=${trouble} />`}
        <p class="study-acts"><button class="main" disabled=${!plan || isWriting}>Write</button><button type="button" onClick=${cancel}>Cancel</button></p>
      </form>
    </section>`;
}
