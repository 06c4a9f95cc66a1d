/** Keeps a replay current: reads the outline anew as entries are written, the more seldom the longer that takes. */

/** Milliseconds in which new entries are gathered. */
const GATHERED = 60;
/** How many times as long as the last reading took is waited before the next: of a long record, and of a short one. */
const REST = 4, SHORT_REST = 0.5;
/** Entries of a short record. */
const SHORT = 2_000;

export class Follower {
  #theatre;
  #stop = new AbortController();
  #grown = 0;
  #rest = 0;

  /** @param {import("./theatre.js").Theatre} theatre */
  constructor(theatre) { this.#theatre = theatre; }

  /** Follows the record until `stop` is called. */
  async follow() {
    const theatre = this.#theatre;
    if (!theatre.source.isLive) return;
    const grown = (/** @type {number} */ last) => this.#grow(last);
    const turned = (/** @type {"open" | "cut"} */ now) => this.#turn(now);
    await theatre.troubles.attempt("following", theatre.source.follow(theatre.last, grown, turned, this.#stop.signal));
    this.stop();
    theatre.status = "closed";
    theatre.changed();
  }

  stop() { this.#stop.abort(); }

  /** What did not reach the server while the connection was cut is asked for again. @param {"open" | "cut"} now */
  #turn(now) {
    const theatre = this.#theatre;
    const isBack = now === "open" && theatre.status === "cut";
    theatre.status = now;
    theatre.troubles.turn(now === "cut");
    if (!isBack) return;
    this.#rest = 0;
    this.#grow(theatre.last);
    void theatre.reach(theatre.at);
  }

  /** @param {number} last the number of the newest entry */
  #grow(last) {
    if (!this.#grown) setTimeout(() => this.#read(), Math.max(GATHERED, this.#rest));
    this.#grown = last;
  }

  async #read() {
    if (this.#stop.signal.aborted) return;
    const begun = performance.now();
    const outline = await this.#theatre.troubles.attempt("outline", this.#theatre.source.outline());
    this.#rest = (this.#theatre.last > SHORT ? REST : SHORT_REST) * (performance.now() - begun);
    const newest = this.#grown;
    this.#grown = 0;
    if (this.#stop.signal.aborted) return;
    if (outline) await this.#theatre.renew(outline);
    if (this.#theatre.last < newest) this.#grow(newest);
  }
}
