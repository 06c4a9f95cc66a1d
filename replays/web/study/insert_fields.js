/**
 * The fields of a step that is inserted before an entry: a modifier, an adjustment, a declaration, a note.
 *
 * @typedef {import("../types.js").State} State
 * @typedef {import("./fields.js").Schema} Schema
 * @typedef {{[verb: string]: unknown}} Inserted
 */
import { html, useEffect, useState } from "../vendor/preact.js";
import { TermFields } from "./command_fields.js";
import { Field } from "./fields.js";

/** @typedef {{step: import("../types.js").BranchStep, state: State, schemas: Schema, put: (step: Inserted | null) => void}} Props */

/** @param {Props} props */
export function InsertFields({ step, state, schemas, put }) {
  const [verb, choose] = useState("");
  const [fields, fill] = useState(/** @type {Inserted} */ ({}));
  useEffect(() => put(verb ? inserted(verb, fields) : null), [verb, fields]);
  const people = Object.keys(state.combatants);
  const field = (/** @type {string} */ name, /** @type {"text" | "number" | "enum"} */ kind, /** @type {string[]} */ values = [], about = "") => html`
    <${Field} name=${name} shape=${{ kind, values, about }} value=${fields[name]} set=${(/** @type {unknown} */ value) => fill((now) => ({ ...now, [name]: value }))} />`;
  const begun = (/** @type {Event} */ event) => {
    const next = /** @type {HTMLSelectElement} */ (event.target).value;
    choose(next);
    fill(next === "modify" ? { key: step.rest?.key ?? "" } : next === "adjust" ? { who: people[0] } : next === "declare" ? { by: people[0], kind: Object.keys(schemas.declare ?? {})[0] } : {});
  };
  return html`
    <p class="field"><label for="insert">Before it</label><select id="insert" value=${verb} onChange=${begun}>
      <option value="">nothing</option><option value="modify">a modifier</option><option value="adjust">an adjustment</option><option value="declare">a declaration</option><option value="note">a note</option>
    </select></p>
    ${verb === "modify" && html`${field("key", "text", [], "The key of the open roll.")}${field("value", "number")}${field("why", "text")}`}
    ${verb === "adjust" && html`${field("who", "enum", people)}${field("what", "text", [], "A track, a resource or a condition.")}${field("value", "number")}${field("why", "text")}`}
    ${verb === "note" && field("note", "text")}
    ${verb === "declare" && html`${field("by", "enum", people)}${field("kind", "enum", Object.keys(schemas.declare ?? {}))}
      <${TermFields} key=${fields.kind} kind=${String(fields.kind)} terms=${{}} value=${(/** @type {string} */ name) => fields[`term ${name}`]} put=${(/** @type {string} */ name) => (/** @type {unknown} */ value) => fill((now) => ({ ...now, [`term ${name}`]: value }))} schemas=${schemas} people=${people} prefix="" />`}`;
}

/** Returns a step as a script has it. @param {string} verb  @param {Inserted} fields @returns {Inserted} */
function inserted(verb, fields) {
  if (verb === "note") return { note: fields.note ?? "" };
  const given = Object.entries(fields).filter(([name, value]) => value !== "" && value !== null && value !== undefined && (verb === "declare" || !name.startsWith("term ")));
  return { [verb]: Object.fromEntries(given.map(([name, value]) => [name.replace(/^term /, ""), value])) };
}
