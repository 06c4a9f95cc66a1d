/** What changes over time, and those who look at it. */

export class Changing {
  /** @type {Set<() => void>} */
  #listeners = new Set();
  #isTold = true;

  /** Calls a listener after each change, at most once a frame; returns a function that ends this. @param {() => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Waits for the next change. */
  next() {
    return new Promise((done) => { const end = this.listen(() => { end(); done(undefined); }); });
  }

  /** Shows soon that something has changed. */
  changed() {
    if (!this.#isTold) return;
    this.#isTold = false;
    requestAnimationFrame(() => this.changedNow());
  }

  /** Shows at once that something has changed. */
  changedNow() {
    this.#isTold = true;
    for (const each of this.#listeners) each();
  }
}
