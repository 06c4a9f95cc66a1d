/**
 * The form of a change: what an entry would have been, dropped, or with a step before it.
 *
 * @typedef {import("../types.js").BranchStep} Step
 * @typedef {import("../types.js").Change} Change
 * @typedef {import("../types.js").State} State
 * @typedef {import("./fields.js").Schema} Schema
 */
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { Trouble } from "../parts/trouble.js";
import { CommandFields } from "./command_fields.js";
import { InsertFields, inserted } from "./insert_fields.js";

/** @typedef {{step: Step, state: State, schemas: Schema, cancel: () => void, create: (name: string, change: Change) => Promise<void>}} Props */

/** @param {Props} props */
export function ChangeForm({ step, state, schemas, cancel, create }) {
  const [set, change] = useState(/** @type {{[path: string]: unknown}} */ ({}));
  const [insert, put] = useState(/** @type {import("./insert_fields.js").Begun} */ ({ verb: "", fields: {} }));
  const [isDropped, drop] = useState(false);
  const [name, call] = useState("");
  const [trouble, tell] = useState("");
  const [isAsking, ask] = useState(false);
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => title.current?.focus(), [step]);
  const made = /** @type {Change} */ ({ ...(isDropped ? { drop: true } : Object.keys(set).length ? { set } : {}), ...(insert.verb && { insert: [inserted(insert)] }) });
  const isNothing = !Object.keys(made).length;
  const sent = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (isNothing) return tell("Nothing is different yet.");
    ask(true);
    tell("");
    try {
      await create(name.trim() || described(made), made);
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      ask(false);
    }
  };
  return html`
    <section class="study-form" aria-label="What if this were different?">
      <h3 tabindex="-1" ref=${title}>What if entry ${step.seq} were different?</h3>
      <p class="soft">${step.narration[0]}</p>
      <form onSubmit=${sent}>
        <${CommandFields} step=${step} state=${state} schemas=${schemas} set=${set} change=${change} isOff=${isDropped} />
        <p class="field"><label class="check"><input type="checkbox" checked=${isDropped} onChange=${() => drop(!isDropped)} /> It never happened</label></p>
        <${InsertFields} step=${step} state=${state} schemas=${schemas} begun=${insert} put=${put} />
        <p class="field"><label for="branch-name">Name of the branch</label><input id="branch-name" type="text" maxlength="100" placeholder=${described(made)} value=${name} onInput=${(/** @type {Event} */ event) => call(/** @type {HTMLInputElement} */ (event.target).value)} /></p>
        ${trouble && html`<${Trouble} words=${trouble} />`}
        <p class="study-acts"><button class="main" disabled=${isAsking}>${isAsking ? "Computing…" : "See what follows"}</button><button type="button" onClick=${cancel}>Cancel</button></p>
      </form>
    </section>`;
}

/** Returns a change in words. @param {Change} change */
export function described(change) {
  const shown = (/** @type {unknown} */ value) => (Array.isArray(value) && value.every((each) => typeof each === "number") ? value.join(" ") : typeof value === "object" ? JSON.stringify(value) : String(value));
  const parts = Object.entries(change.set ?? {}).map(([path, value]) => `${path.replace(/^terms\./, "").replaceAll("_", " ")} ${shown(value)}`);
  const before = (change.insert ?? []).map((each) => `${Object.keys(each).join()} before it`);
  return [...parts, ...(change.drop ? ["it never happened"] : []), ...before].join(", ").slice(0, 100);
}
