/**
 * One field of a form: what it accepts is read from a JSON Schema.
 *
 * @typedef {{[name: string]: any}} Schema
 * @typedef {{kind: "enum" | "many" | "flag" | "number" | "text" | "json", values: string[], min?: number, max?: number, about: string}} Shape
 */
import { html } from "../vendor/preact.js";
import { words } from "../parts/words.js";

/** Returns the shape of a field. @param {Schema | undefined} schema  @param {Schema} named  @param {unknown} value the value that it has */
export function shapeOf(schema, named, value) {
  const about = schema?.description ?? "";
  const whole = inside(schema, named);
  const ways = (whole.anyOf ?? [whole]).map((/** @type {Schema} */ each) => inside(each, named));
  const way = (/** @type {string} */ type) => ways.find((/** @type {Schema} */ each) => each.type === type);
  /** @type {Shape} */
  const shape = { kind: "json", values: [], about };
  if (typeof value === "object" && value !== null && !(Array.isArray(value) && way("array")?.items?.enum)) return shape;
  const listed = ways.find((/** @type {Schema} */ each) => each.enum);
  if (listed) return { ...shape, kind: /** @type {const} */ ("enum"), values: listed.enum.map(String) };
  if (way("array")?.items?.enum) return { ...shape, kind: /** @type {const} */ ("many"), values: way("array").items.enum };
  if (way("boolean") || typeof value === "boolean") return { ...shape, kind: /** @type {const} */ ("flag") };
  if (way("string") || typeof value === "string") return { ...shape, kind: /** @type {const} */ ("text") };
  if (way("integer") || typeof value === "number") return { ...shape, kind: /** @type {const} */ ("number"), min: way("integer")?.minimum, max: way("integer")?.maximum };
  return shape;
}

/** Follows a reference. @param {Schema | undefined} schema  @param {Schema} named @returns {Schema} */
export const inside = (schema, named) => (schema?.$ref ? inside(named[schema.$ref.split("/").at(-1)], named) : (schema ?? {}));

/** @typedef {{name: string, shape: Shape, value: any, set: (value: unknown) => void, offers?: string[], isOff?: boolean}} Props */

/** @param {Props} props */
export function Field({ name, shape, value, set, offers = [], isOff = false }) {
  const id = `field-${name.replaceAll(/\W/g, "-")}`;
  const about = shape.about && html`<small id=${`${id}-about`} class="soft">${shape.about}</small>`;
  if (shape.kind === "many") return html`
    <fieldset disabled=${isOff}><legend>${words(name)}</legend>
      ${shape.values.map((each) => html`<label class="check"><input type="checkbox" checked=${(value ?? []).includes(each)} onChange=${() => set(toggled(value ?? [], each))} /> ${each}</label>`)}
      ${about}
    </fieldset>`;
  if (shape.kind === "flag") return html`<p class="field"><label class="check"><input type="checkbox" disabled=${isOff} checked=${Boolean(value)} onChange=${(/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).checked)} /> ${words(name)}</label>${about}</p>`;
  return html`<p class="field"><label for=${id}>${words(name)}</label>${control(id, shape, value, set, offers, isOff)}${about}</p>`;
}

/** @param {string} id  @param {Shape} shape  @param {any} value  @param {Props["set"]} set  @param {string[]} offers  @param {boolean} isOff */
function control(id, shape, value, set, offers, isOff) {
  const typed = (/** @type {Event} */ event) => set(read(/** @type {HTMLInputElement} */ (event.target).value, shape));
  const about = shape.about ? `${id}-about` : undefined;
  if (shape.kind === "enum") return html`<select id=${id} disabled=${isOff} aria-describedby=${about} value=${value ?? ""} onChange=${typed}>${shape.values.map((each) => html`<option value=${each}>${each || "–"}</option>`)}</select>`;
  if (shape.kind === "json") return html`<textarea id=${id} disabled=${isOff} aria-describedby=${about} rows="2" onInput=${typed}>${typeof value === "string" ? value : JSON.stringify(value)}</textarea>`;
  const list = offers.length ? `${id}-offers` : undefined;
  return html`
    <input id=${id} disabled=${isOff} aria-describedby=${about} list=${list} type=${shape.kind} min=${shape.min} max=${shape.max} value=${value ?? ""} onInput=${typed} />
    ${list && html`<datalist id=${list}>${offers.map((each) => html`<option value=${each} />`)}</datalist>`}`;
}

/** Returns what was typed as a value; what cannot be read stays as it was typed, and is refused with a reason. @param {string} text  @param {Shape} shape @returns {unknown} */
function read(text, shape) {
  if (shape.kind === "number") return text === "" ? null : Number(text);
  if (shape.kind !== "json") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param {string[]} values  @param {string} one */
const toggled = (values, one) => (values.includes(one) ? values.filter((each) => each !== one) : [...values, one]);
