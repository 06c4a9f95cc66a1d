/** Two branches side by side: their entries, what flips between them, and the figures at the end. */
import { html, useEffect, useRef } from "../vendor/preact.js";
import { isolated } from "../parts/words.js";
import { Answers } from "./answers.js";
import { NOT_YET, differences, flipsOf, rows } from "./compare.js";

/**
 * @typedef {import("../types.js").BranchLine} Branch
 * @typedef {import("../types.js").BranchStep} Step
 * @typedef {{name: string, line: Branch}} Side
 */

/** @param {{left: Side | undefined, right: Side, at: number, chosen: number, choose: (step: Step) => void, goOn: (name: string, then: import("../types.js").GoesOn) => Promise<void>, outline: import("../types.js").Outline}} props */
export function Comparison({ left, right, at, chosen, choose, goOn, outline }) {
  const entry = (/** @type {Step} */ step) => html`
    <button class="study-entry" data-entry=${step.seq} aria-pressed=${step.seq === chosen} onClick=${() => choose(step)}><i>${step.seq}</i> <span>${isolated(step.narration.join(" "), outline)}</span></button>`;
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "center" }), [right.line]);
  if (!left) return html`
    <ol ref=${list} class="log study-line" aria-label=${right.name}>${right.line.steps.map((step) => html`<li key=${step.seq} aria-current=${step.seq === at ? "step" : undefined}>${entry(step)}</li>`)}</ol>
    ${rest(right.line, goOn)}`;
  const differing = differences(left.line.state, right.line.state);
  const all = [...flipsOf(left.line, right.line).values()];
  const open = all.filter((each) => each.includes(NOT_YET)).length;
  const flips = all.length - open;
  return html`
    <p role="status"><b>${flips} ${flips === 1 ? "outcome differs" : "outcomes differ"}</b>${open > 0 && `, ${open} not decided yet`}: “${left.name}” and “${right.name}”.</p>
    <table class="study-sides">
      <thead><tr><th scope="col">${left.name}</th><th scope="col">${right.name}</th><th scope="col">What flips</th></tr></thead>
      <tbody>${rows(left.line, right.line).map((row) => html`
        <tr key=${`${row.left?.seq}-${row.right?.seq}`} class=${row.flips.length ? "flips" : row.isSame ? "" : "differs"}>
          <td data-of=${left.name}>${row.left && html`<i>${row.left.seq}</i> ${isolated(row.left.narration.join(" "), outline)}`}</td>
          <td data-of=${right.name}>${row.right && (row.isSame ? html`<span class="soft">the same</span> ${entry(row.right)}` : entry(row.right))}</td>
          <td>${row.flips.map((each) => html`<b class="bad">⇄ ${each}</b> `)}</td>
        </tr>`)}
      </tbody>
    </table>
    <h3>At the end</h3>
    ${differing.length === 0 ? html`<p class="soft">All figures are the same.</p>` : html`
      <table>
        <thead><tr><th scope="col">Figure</th><th scope="col">${left.name}</th><th scope="col">${right.name}</th></tr></thead>
        <tbody>${differing.map((each) => html`<tr><th scope="row">${each.who}, ${each.what}</th><td>${each.left}</td><td>${each.right}</td></tr>`)}</tbody>
      </table>`}
    ${rest(right.line, goOn)}`;
}

/** What the end of a line waits for. @param {Branch} line  @param {(name: string, then: import("../types.js").GoesOn) => Promise<void>} goOn */
const rest = (line, goOn) => html`
  ${!line.is_whole && html`<p class="soft">The line goes on; its first entries are shown.</p>`}
  ${line.state.rests.length > 0 && html`
    <h3>The branch waits</h3>
    ${line.waits.length > 0 && html`<p class="soft">${line.waits.length} recorded ${line.waits.length === 1 ? "answer follows" : "answers follow"} as soon as they can.</p>`}
    <${Answers} line=${line} goOn=${goOn} />`}`;
