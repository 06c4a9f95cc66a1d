/** A control of a form with its label, a hint, and what is wrong with it. */
import { html, useMemo } from "../vendor/preact.js";

/**
 * What a control gets: its id, and what a screen reader needs to find the hint and the problem.
 *
 * @typedef {{id: string, "aria-describedby"?: string, "aria-invalid"?: "true"}} Attributes
 */

let made = 0;

/** Returns an id that no other element has. @param {string} what */
export const newId = (what) => `${what}-${++made}`;

/** @param {{label: string, hint?: string, problem?: string, control: (attributes: Attributes) => import("../vendor/preact.js").Shown}} props */
export function Field({ label, hint = "", problem = "", control }) {
  const id = useMemo(() => newId("field"), []);
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      ${control({ id, ...(described && { "aria-describedby": described }), ...(problem && { "aria-invalid": "true" }) })}
      ${problem && html`<p class="bad" id="${id}-problem">${problem}</p>`}
      ${hint && html`<p class="soft" id="${id}-hint">${hint}</p>`}
    </div>`;
}

/** Returns the value of a control that has changed. @param {Event} event */
export const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** Moves the focus to the first control with a problem. @param {HTMLElement | null} form */
export const focusProblem = (form) => /** @type {HTMLElement | null} */ (form?.querySelector("[aria-invalid]"))?.focus();
