/**
 * The lines of a study: the entries that each branch leads to, as the server computes them.
 *
 * @typedef {import("../types.js").BranchLine} Branch
 * @typedef {import("../types.js").EntryChange} EntryChange
 * @typedef {{changes: EntryChange[], upto: number, since?: number}} Asked
 */

/** Answers that are asked for one line at most; each has some hundred entries. */
const MOST = 8;
/** Lines that are kept. */
const KEPT = 24;

export class Lines {
  /** @type {Map<string, Promise<Branch>>} */
  #known = new Map();
  #session;

  /** @param {import("/client/affray.js").Session} session */
  constructor(session) { this.#session = session; }

  /** Returns a line with its entries; equal ones are asked for once. @param {Asked} asked */
  line(asked) {
    const name = JSON.stringify(asked);
    const known = this.#known.get(name);
    if (known) return known;
    const found = this.#read(asked);
    found.catch(() => this.#known.delete(name));
    this.#known.set(name, found);
    for (const oldest of this.#known.keys()) if (this.#known.size > KEPT) this.#known.delete(oldest);
    return found;
  }

  /** @param {Asked} asked @returns {Promise<Branch>} */
  async #read(asked) {
    let found = await this.#session.branch(asked);
    for (let nth = 1; nth < MOST && !found.is_whole; nth++) {
      const more = await this.#session.branch({ ...asked, after: found.steps.at(-1)?.seq ?? 0 });
      found = { ...more, steps: [...found.steps, ...more.steps] };
    }
    return found;
  }
}
