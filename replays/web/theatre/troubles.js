/** What was refused, in words, until the same succeeds. */

export class Troubles {
  /** @type {Map<string, string>} */
  #words = new Map();
  #changed;

  /** @param {() => void} changed is called when there are others */
  constructor(changed) { this.#changed = changed; }

  /** Returns what there is, each once. */
  all() { return [...new Set(this.#words.values())]; }

  /** Waits for something that may be refused; returns nothing if it was. @template T @param {string} what  @param {Promise<T>} work */
  async attempt(what, work) {
    try {
      const done = await work;
      if (this.#words.delete(what)) this.#changed();
      return done;
    } catch (error) {
      this.#words.set(what, error instanceof Error ? error.message : String(error));
      this.#changed();
      return undefined;
    }
  }
}
