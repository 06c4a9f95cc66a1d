/**
 * What is wrong with the values of a form, by field.
 *
 * @typedef {{[field: string]: string}} Problems
 */
import { Refused, randomKey } from "/client/affray.js";

/** Where a problem is shown that is about no field. */
export const WHOLE = "whole";

/**
 * Returns what the server refuses, beside the field that it is about.
 *
 * @param {unknown} error
 * @param {{[where: string]: string}} fields The field of each name that the server has for it.
 * @returns {Problems}
 */
export function problemsOf(error, fields) {
  if (!(error instanceof Refused)) return { [WHOLE]: error instanceof Error ? error.message : String(error) };
  const where = error.where.replace(/^commands\.\d+\./, "").split(/[.[]/)[0] ?? "";
  return { [fields[where] ?? WHOLE]: refusalInWords(error, fields[where] === undefined) };
}

/** Returns a refusal as a sentence. @param {Refused} refused  @param {boolean} [isNamed] whether it begins with its slug */
export function refusalInWords(refused, isNamed = false) {
  const accepts = refused.accepts ? `. Accepted: ${refused.accepts}` : "";
  const detail = refused.detail.replace(/^command \d+ of the batch: /, "");
  return `${isNamed ? `${refused.slug}: ` : ""}${detail}${accepts}.`.replace(/\.+$/, ".");
}

/** Returns a key by which a request is performed once, however often it is sent: the same for the same body. */
export class OnceKeys {
  #body = "";
  #key = "";

  /** @param {unknown} body */
  of(body) {
    const text = JSON.stringify(body);
    if (text !== this.#body) {
      this.#body = text;
      this.#key = randomKey();
    }
    return this.#key;
  }

  /** Begins anew: the next request is another one, even with the same body. */
  forget() { this.#body = ""; }
}
