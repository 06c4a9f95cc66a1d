/** What was refused, in words, until the same succeeds; nothing that did not reach the server while it reconnects. */

const UNREACHABLE = "client/unreachable";

export class Troubles {
  /** @type {Map<string, {words: string, isUnreachable: boolean}>} */
  #found = new Map();
  #isCut = false;
  #changed;

  /** @param {() => void} changed is called when there are others */
  constructor(changed) { this.#changed = changed; }

  /** Returns what there is, each once. */
  all() {
    const shown = [...this.#found.values()].filter((each) => !(this.#isCut && each.isUnreachable));
    return [...new Set(shown.map((each) => each.words))];
  }

  /** Takes that the connection is cut, which is shown elsewhere, or is back. @param {boolean} isCut */
  turn(isCut) {
    if (!isCut) for (const [what, { isUnreachable }] of this.#found) if (isUnreachable) this.#found.delete(what);
    this.#isCut = isCut;
    this.#changed();
  }

  /** Waits for something that may be refused; returns nothing if it was. @template T @param {string} what  @param {Promise<T>} work */
  async attempt(what, work) {
    try {
      const done = await work;
      if (this.#found.delete(what)) this.#changed();
      return done;
    } catch (error) {
      const { message, slug = "" } = /** @type {Error & {slug?: string}} */ (error);
      this.#found.set(what, { words: message ?? String(error), isUnreachable: slug === UNREACHABLE });
      this.#changed();
      return undefined;
    }
  }
}
