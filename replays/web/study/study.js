/**
 * What-if as a study: a tree of branches from any entry, two of them side by side, forgotten or made amendments.
 *
 * @typedef {import("/client/affray.js").Session} Session
 * @typedef {import("../types.js").BranchStep} Step
 * @typedef {import("../types.js").Change} Change
 * @typedef {import("../types.js").Outline} Outline
 * @typedef {import("./tree.js").Node} Node
 */
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { download } from "../parts/saving.js";
import { Trouble } from "../parts/trouble.js";
import { BranchTree, summary } from "./branch_tree.js";
import { ChangeForm } from "./change_form.js";
import { Comparison } from "./comparison.js";
import { KeepForm } from "./keep_form.js";
import { Lines } from "./lines.js";
import { RECORD, Tree, asked } from "./tree.js";
import { useSides } from "./sides.js";

/** @typedef {{session: Session, schemas: (ruleset: string) => Promise<{[name: string]: any}>, outline: Outline, at: number, close: () => void}} Props */

/** The name of the branch that is shown. */
const TITLE = ".study-main h3";

/** @param {Props} props */
export function Study({ session, schemas, outline, at, close }) {
  const tree = useMemo(() => new Tree(session.id), [session.id]);
  const lines = useMemo(() => new Lines(session), [session]);
  const [picked, pick] = useState(RECORD);
  const [beside, compare] = useState(RECORD);
  const [step, choose] = useState(/** @type {Step | null} */ (null));
  const [isKeeping, keep] = useState(false);
  const [gone, forgot] = useState(/** @type {Node[]} */ ([]));
  const [rules, know] = useState({});
  const { left, right, trouble } = useSides(lines, tree, picked, beside, outline.entries, at);
  useEffect(() => void schemas(outline.ruleset).then(know, () => {}), [outline.ruleset]);

  const root = useRef(/** @type {HTMLElement | null} */ (null));
  const focus = (/** @type {string} */ what) => void requestAnimationFrame(() => {
    const found = root.current?.querySelector(what);
    if (found instanceof HTMLElement) found.focus();
  });
  useLayoutEffect(() => focus("h2"), []);
  const node = tree.node(picked);
  const open = (/** @type {number} */ id) => {
    pick(id);
    compare(tree.node(id)?.parent ?? RECORD);
    choose(null);
    keep(false);
  };
  const add = async (/** @type {Pick<Node, "name" | "entry" | "recorded" | "change" | "then">} */ given) => {
    const upto = node?.upto ?? right?.line.upto ?? outline.entries;
    const found = await lines.line({ changes: [...tree.changes(picked), asked(given)], upto, since: Math.min(tree.earliest(picked), given.recorded) }); // as its side is asked for
    const waits = found.report?.flips.filter((each) => each.after === "waits").length ?? 0;
    open(tree.add({ ...given, parent: picked, upto, first: found.first, flips: (found.report?.flips.length ?? 0) - waits, waits, dice: found.dice, open: found.state.rests.length }));
    forgot([]);
    focus(TITLE);
  };
  const create = (/** @type {string} */ name, /** @type {Change} */ change) => {
    const { seq, recorded } = /** @type {Step} */ (step);
    return add({ name, entry: seq, recorded: recorded ?? tree.earliest(picked), change });
  };
  const goOn = (/** @type {string} */ name, /** @type {import("../types.js").GoesOn} */ then) => (
    add({ name, entry: 0, recorded: Math.min(tree.earliest(picked), ...(right?.line.steps ?? []).slice(-1).map((each) => each.recorded ?? 1)), change: {}, then: [then] }));
  const forget = () => {
    forgot(tree.forget(picked));
    open(node?.parent ?? RECORD);
    focus(TITLE);
  };
  const leave = () => {
    focus(step ? `[data-entry="${step.seq}"]` : TITLE);
    choose(null);
    keep(false);
  };
  const kept = (/** @type {number[]} */ firsts) => {
    tree.chain(picked).forEach((each, nth) => tree.renew(each.id, { kept: firsts[nth] ?? 0 }));
    leave();
  };
  const pressed = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    if (step || isKeeping) leave();
    else close();
  };
  return html`
    <div class="study" ref=${root} onKeyDown=${pressed}>
      <header>
        <h2 tabindex="-1">What if</h2>
        <p class="soft">Nothing of a study is written, until a branch is kept as an amendment.</p>
        <div class="study-acts">
          <button onClick=${() => download(`${session.id}-study.json`, "application/json", tree.text(outline.title))} disabled=${!tree.nodes.length}>Export</button>
          <button onClick=${close}>Back to the record</button>
        </div>
      </header>
      <div class="study-columns">
        <section class="study-side" aria-label="Tree">
          <${BranchTree} tree=${tree} picked=${picked} pick=${open} />
          ${gone.length > 0 && html`<p class="notice" role="status">“${gone[0]?.name}” is forgotten. <button onClick=${() => { tree.restore(gone); forgot([]); }}>Bring it back</button></p>`}
        </section>
        <section class="study-main" aria-label="Lines">
          <h3 tabindex="-1">${node?.name ?? "What happened"}</h3>
          ${node ? html`
            <p class="soft">${summary(node)}</p>
            <div class="study-acts">
              <label>Compare with <select value=${beside} onChange=${(/** @type {Event} */ event) => compare(Number(/** @type {HTMLSelectElement} */ (event.target).value))}>
                <option value=${RECORD}>What happened</option>${tree.rows().filter((row) => row.node.id !== picked).map((row) => html`<option value=${row.node.id}>${row.node.name}</option>`)}
              </select></label>
              ${node.kept ? html`<b>It stands, by entry ${node.kept}.</b>` : html`<button onClick=${() => { choose(null); keep(true); }}>Keep as amendment</button>`}
              <button onClick=${forget}>Forget</button>
            </div>` : html`<p class="soft">Choose an entry: what if it were different?</p>`}
          ${trouble && html`<${Trouble} words=${trouble} />`}
          ${right ? html`<${Comparison} left=${left} right=${right} at=${at} chosen=${step?.seq ?? 0} choose=${(/** @type {Step} */ one) => { keep(false); choose(one); }} goOn=${goOn} outline=${outline} />` : !trouble && html`<p class="soft" role="status">Computing…</p>`}
        </section>
        ${step && right && html`<${ChangeForm} key=${`${picked}-${step.seq}`} step=${step} state=${right.line.state} schemas=${rules} cancel=${leave} create=${create} />`}
        ${isKeeping && node && html`<${KeepForm} key=${picked} session=${session} chain=${tree.chain(picked)} done=${kept} cancel=${leave} />`}
      </div>
    </div>`;
}
