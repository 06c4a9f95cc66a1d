/**
 * The fields of an entry's command: its faces, its choice, the terms of its declaration.
 *
 * @typedef {import("../types.js").State} State
 * @typedef {import("./fields.js").Schema} Schema
 * @typedef {{[path: string]: unknown}} Values
 */
import { html, useState } from "../vendor/preact.js";
import { words } from "../parts/words.js";
import { accepted, faces } from "./dice.js";
import { Field, inside, shapeOf } from "./fields.js";

/** Fields of commands that no correction changes, or that have other fields here. */
const KEPT = new Set(["type", "seen_by", "given_at", "provenance", "key", "kind", "terms", "by"]);

/** @param {{step: import("../types.js").BranchStep, state: State, schemas: Schema, set: Values, change: (now: (set: Values) => Values) => void, isOff: boolean}} props */
export function CommandFields({ step, state, schemas, set, change, isOff }) {
  const command = /** @type {{type: string} & {[field: string]: any}} */ (step.command);
  const put = (/** @type {string} */ path, /** @type {unknown} */ was) => (/** @type {unknown} */ value) => change((now) => {
    const { [path]: _, ...others } = now;
    return JSON.stringify(value) === JSON.stringify(was ?? null) || value === was ? others : { ...others, [path]: value };
  });
  const value = (/** @type {string} */ path, /** @type {unknown} */ was) => (path in set ? set[path] : was);
  const people = Object.keys(state.combatants);
  if (command.faces) return html`<${FacesField} faces=${command.faces} dice=${step.rest?.dice ?? ""} set=${put("faces", command.faces)} isOff=${isOff} />`;
  if (command.type === "Choose") {
    const options = step.rest?.options ?? [{ option: command.option }];
    return html`<p class="field"><label for="option">Choice</label><select id="option" disabled=${isOff} value=${value("option", command.option)} onChange=${(/** @type {Event} */ event) => put("option", command.option)(/** @type {HTMLSelectElement} */ (event.target).value)}>
      ${options.map(({ option }) => html`<option value=${option}>${words(option)}</option>`)}</select></p>`;
  }
  if (command.type === "Declare") return html`
    <${Field} name="by" shape=${{ kind: "enum", values: people, about: "" }} value=${value("by", command.by)} set=${put("by", command.by)} isOff=${isOff} />
    <${TermFields} kind=${command.kind} terms=${command.terms ?? {}} value=${value} put=${put} schemas=${schemas} people=${people} prefix="terms." isOff=${isOff} />`;
  const fields = Object.entries(command).filter(([name]) => !KEPT.has(name));
  return html`${fields.map(([name, was]) => html`<${Field} key=${name} name=${name} shape=${shapeOf(undefined, {}, was)} value=${value(name, was)} set=${put(name, was)} isOff=${isOff} />`)}`;
}

/** @param {{faces: number[], dice: string, set: (value: unknown) => void, isOff: boolean}} props */
function FacesField({ faces: was, dice, set, isOff }) {
  const [text, type] = useState(was.join(" "));
  const typed = (/** @type {Event} */ event) => {
    const now = /** @type {HTMLInputElement} */ (event.target).value;
    type(now);
    set(faces(now) ?? now); // what are no faces is refused with a reason
  };
  return html`<p class="field"><label for="faces">Faces</label><input id="faces" type="text" inputmode="numeric" autocomplete="off" aria-describedby="faces-about" disabled=${isOff} value=${text} onInput=${typed} /><small id="faces-about" class="soft">${accepted(dice)}</small></p>`;
}

/**
 * The terms of a declaration: those that it has, and others that can be added.
 *
 * @param {{kind: string, terms: Values, value: (path: string, was: unknown) => unknown, put: (path: string, was: unknown) => (value: unknown) => void, schemas: Schema, people: string[], prefix: string, isOff?: boolean}} props
 */
export function TermFields({ kind, terms, value, put, schemas, people, prefix, isOff = false }) {
  const [added, add] = useState(/** @type {string[]} */ ([]));
  const named = schemas.$defs ?? {};
  const schema = inside(schemas.declare?.[kind], named);
  const known = Object.keys(schema.properties ?? {});
  const needed = /** @type {string[]} */ (schema.required ?? []);
  const shown = [...new Set([...needed, ...Object.keys(terms), ...added])];
  const rest = known.filter((name) => !shown.includes(name));
  return html`
    ${shown.map((name) => html`<${Field} key=${name} name=${name} shape=${shapeOf(schema.properties?.[name], named, terms[name])} value=${value(prefix + name, terms[name])} set=${put(prefix + name, terms[name])} offers=${name === "at" ? people : []} isOff=${isOff} />`)}
    ${rest.length > 0 && html`<p class="field"><label for=${`${prefix}more`}>Another term</label><select id=${`${prefix}more`} disabled=${isOff} value="" onChange=${(/** @type {Event} */ event) => add([...added, /** @type {HTMLSelectElement} */ (event.target).value])}>
      <option value="">…</option>${rest.map((name) => html`<option value=${name}>${words(name)}</option>`)}</select></p>`}`;
}
