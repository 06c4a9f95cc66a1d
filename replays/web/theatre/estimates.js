/**
 * The chances at some entries of a record, loaded one after another while they are wanted.
 *
 * @typedef {import("../types.js").FightChances} FightChances
 * @typedef {import("../types.js").Source} Source
 */

/** The status of a refusal of what was asked; others, such as a server that is busy, may pass. */
const REFUSED = 422;

export class Estimates {
  #source;
  #changed;
  /** @type {readonly number[]} */
  #wanted = [];
  /** @type {Map<number, FightChances | string>} the chances by entry; the words of a refusal */
  #known = new Map();
  /** @type {AbortController | null} */
  #running = null;

  /** @param {Source} source  @param {() => void} changed is called when there is more */
  constructor(source, changed) {
    this.#source = source;
    this.#changed = changed;
    /** What went wrong, in words; empty while nothing has. */
    this.trouble = "";
  }

  /** Returns what is known of these entries. @param {readonly number[]} entries */
  known(entries) { return entries.map((entry) => this.#known.get(entry)).filter((each) => each !== undefined); }

  /** Loads what is not known of these entries, and stops what was wanted before. @param {readonly number[]} entries */
  want(entries) {
    this.#wanted = entries;
    this.trouble = "";
    if (!this.#running) void this.#run(this.#source.chances, this.#running = new AbortController());
  }

  /** Gives up what is being loaded. */
  stop() {
    this.#running?.abort();
    this.#running = null;
  }

  /** @param {Source["chances"]} chances  @param {AbortController} running */
  async #run(chances, running) {
    for (let entry = this.#next(); chances && entry !== undefined && !this.trouble; entry = this.#next()) {
      try {
        this.#known.set(entry, await chances.call(this.#source, entry, running.signal));
      } catch (error) {
        if (running.signal.aborted) return;
        this.#failed(entry, /** @type {Error & {status?: number}} */ (error));
      }
      if (running.signal.aborted) return;
      this.#changed();
    }
    this.#running = null;
  }

  /** @param {number} entry  @param {Error & {status?: number}} error */
  #failed(entry, error) {
    if (error.status === REFUSED) this.#known.set(entry, error.message);
    else this.trouble = error.message;
  }

  #next() { return this.#wanted.find((entry) => !this.#known.has(entry)); }
}
