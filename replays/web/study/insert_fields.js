/**
 * The fields of a step that is inserted before an entry: a modifier, an adjustment, a declaration, a note.
 *
 * @typedef {import("../types.js").State} State
 * @typedef {import("./fields.js").Schema} Schema
 * @typedef {{[verb: string]: unknown}} Inserted
 */
import { html } from "../vendor/preact.js";
import { TermFields } from "./command_fields.js";
import { Field } from "./fields.js";

/** @typedef {{verb: string, fields: Inserted}} Begun what is inserted, as far as its fields are filled in; no verb for nothing */
/** @typedef {{step: import("../types.js").BranchStep, state: State, schemas: Schema, begun: Begun, put: (change: (now: Begun) => Begun) => void}} Props */

/** @param {Props} props */
export function InsertFields({ step, state, schemas, begun: { verb, fields }, put }) {
  const fill = (/** @type {(now: Inserted) => Inserted} */ change) => put((now) => ({ ...now, fields: change(now.fields) }));
  const people = Object.keys(state.combatants);
  const field = (/** @type {string} */ name, /** @type {"text" | "number" | "enum"} */ kind, /** @type {string[]} */ values = [], about = "") => html`
    <${Field} name=${name} shape=${{ kind, values, about }} value=${fields[name]} set=${(/** @type {unknown} */ value) => fill((now) => (name === "kind" ? { by: now.by, kind: value } : { ...now, [name]: value }))} />`; // each kind has terms of its own
  const begin = (/** @type {Event} */ event) => {
    const next = /** @type {HTMLSelectElement} */ (event.target).value;
    const first = next === "modify" ? { key: step.rest?.key ?? "" } : next === "adjust" ? { who: people[0] } : next === "declare" ? { by: people[0], kind: Object.keys(schemas.declare ?? {})[0] } : {};
    put(() => ({ verb: next, fields: first }));
  };
  return html`
    <p class="field"><label for="insert">Before it</label><select id="insert" value=${verb} onChange=${begin}>
      <option value="">nothing</option><option value="modify">a modifier</option><option value="adjust">an adjustment</option><option value="declare">a declaration</option><option value="note">a note</option>
    </select></p>
    ${verb === "modify" && html`${field("key", "text", [], "The key of the open roll.")}${field("value", "number")}${field("why", "text")}`}
    ${verb === "adjust" && html`${field("who", "enum", people)}${field("what", "text", [], "A track, a resource or a condition.")}${field("value", "number")}${field("why", "text")}`}
    ${verb === "note" && field("note", "text")}
    ${verb === "declare" && html`${field("by", "enum", people)}${field("kind", "enum", Object.keys(schemas.declare ?? {}))}
      <${TermFields} key=${fields.kind} kind=${String(fields.kind)} terms=${{}} value=${(/** @type {string} */ name) => fields[`term ${name}`]} put=${(/** @type {string} */ name) => (/** @type {unknown} */ value) => fill((now) => ({ ...now, [`term ${name}`]: value }))} schemas=${schemas} people=${people} prefix="" />`}`;
}

/** Returns a step as a script has it. @param {Begun} begun @returns {Inserted} */
export function inserted({ verb, fields }) {
  if (verb === "note") return { note: fields.note ?? "" };
  const given = Object.entries(fields).filter(([name, value]) => value !== "" && value !== null && value !== undefined && (verb === "declare" || !name.startsWith("term ")));
  return { [verb]: Object.fromEntries(given.map(([name, value]) => [name.replace(/^term /, ""), value])) };
}
