/** Plays a record: goes on by itself, entry by entry, at one of several speeds. */

/** Milliseconds for each entry at single speed. */
const PACE = 1_200;
/** How many times as fast. */
export const SPEEDS = [0.5, 1, 2, 4, 8];

export class Player {
  #theatre;
  #timer = 0;

  /** @param {import("./theatre.js").Theatre} theatre */
  constructor(theatre) {
    this.#theatre = theatre;
    this.speed = 1;
  }

  get isPlaying() { return this.#timer !== 0; }

  /** Plays, from the start if the end is reached; or pauses. */
  toggle() {
    if (this.isPlaying) return this.pause();
    const theatre = this.#theatre;
    if (theatre.at >= theatre.last) void theatre.reach(1);
    this.#wait();
    theatre.changed();
  }

  pause() {
    window.clearTimeout(this.#timer);
    this.#timer = 0;
    this.#theatre.say();
  }

  /** @param {number} speed */
  play(speed) {
    this.speed = speed;
    this.#theatre.changed();
  }

  #wait() {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#step(), PACE / this.speed);
  }

  async #step() {
    const theatre = this.#theatre;
    const next = theatre.record.stops.beside(theatre.at, "entry", 1, theatre.isUnfolded);
    if (next === theatre.at) return this.pause();
    await theatre.reach(next);
    if (this.isPlaying) this.#wait();
  }
}
