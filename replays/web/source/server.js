/**
 * A record on a server, as the seat of a token sees it.
 *
 * @typedef {import("../types.js").Source} Source
 */
import { Affray } from "/client/affray.js";

/** Milliseconds in which a cut feed is resumed: a phone may sleep for a night. */
const PATIENCE = 86_400_000;

/** @implements {Source} */
export class ServerSource {
  /** The chances that were estimated, by entry. @type {{[entry: number]: import("../types.js").FightChances}} */
  #estimated = {};

  /** @param {string} token  @param {string} session  @param {string} seat  @param {string} [name] */
  constructor(token, session, seat, name = "") {
    this.seat = seat;
    this.name = name;
    this.isLive = true;
    /** The feed that the table of the seat reads: a browser opens few connections to one host. @type {import("/client/affray.js").Live | undefined} */
    this.live = undefined;
    this.affray = new Affray(location.origin, { token });
    this.session = this.affray.session(session);
  }

  outline() { return this.session.outline(); }

  /** @param {number} after  @param {number} limit */
  steps(after, limit) { return this.session.steps({ after, limit }); }

  /** @param {string} of  @param {number} at */
  why(of, at) { return this.session.why(of, { at }); }

  /** @param {number} at  @param {AbortSignal} signal */
  async chances(at, signal) {
    const found = await this.session.chances({ at, signal });
    this.#estimated[at] = found;
    return found;
  }

  async recap() { return /** @type {import("../types.js").Recap} */ (await this.session.recap()); }

  /** Returns the replay as one HTML file, with the chances that were estimated. */
  async file() {
    const data = JSON.stringify(this.#estimated).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`); // it stands in an element
    const content = (await this.session.replay()).replace('"chances":{}', () => `"chances":${data}`);
    return { end: "html", type: "text/html", content };
  }

  /** @param {number} after  @param {(last: number) => void} grown  @param {(status: "open" | "cut") => void} status  @param {AbortSignal} signal */
  async follow(after, grown, status, signal) {
    const { live } = this;
    if (!live) {
      for await (const entry of this.session.follow({ after, signal, patience: PATIENCE, onStatus: status })) grown(entry.seq);
      return;
    }
    if (live.state.entries > after) grown(live.state.entries);
    await new Promise((done, failed) => {
      const ends = [
        live.on("entry", (entry) => grown(entry.seq)),
        live.on("status", (now) => { if (now !== "closed") status(now); else if (live.error) failed(live.error); else done(undefined); }),
      ];
      signal.addEventListener("abort", () => { for (const end of ends) end(); done(undefined); });
    });
  }
}
