/**
 * What a seat hears of a fight, kept current: the state, what the table asks, and the latest entries.
 *
 * @typedef {import("/client/affray.js").Session} Session
 * @typedef {import("/client/affray.js").Live} Live
 * @typedef {import("/client/affray.js").LiveEntry} LiveEntry
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Question} Question
 * @typedef {{seat: string, name: string}} Seated
 */
import { Changing } from "../record/changing.js";

/** How many of the latest entries are kept. */
const KEPT = 60;
/** Milliseconds after which a question is asked again that was not answered. */
const AGAIN = 2_000;

export class Heard extends Changing {
  #isAsking = false;

  /** @param {Session} session  @param {Seated} me whose seat this is  @param {Live} live  @param {Question} question */
  constructor(session, me, live, question) {
    super();
    this.session = session;
    this.me = me;
    this.live = live;
    this.question = question;
    this.state = live.state;
    /** The state before the latest change. @type {State | undefined} */
    this.before = undefined;
    /** The latest entries, oldest first. @type {LiveEntry[]} */
    this.latest = [];
    live.on("state", (state) => this.#moved(state));
    live.on("entry", (entry) => this.#heard(entry));
    live.on("status", (status) => {
      this.changed();
      if (status === "open") void this.catchUp();
    });
  }

  get status() { return this.live.status; }
  get seat() { return this.me.seat; }
  get name() { return this.me.name; }
  get isGamemaster() { return this.me.seat === "gm"; }

  /** The combatants of this seat: of a player their own, of the gamemaster all. */
  get own() { return Object.keys(this.state.combatants).filter((who) => this.isGamemaster || this.state.combatants[who]?.player === this.name); }

  /** The names of the combatants, by their identifiers. */
  get names() { return Object.fromEntries(Object.entries(this.state.combatants).map(([who, one]) => [who, one.name])); }

  /** Asks anew what the table asks: after a phone has slept, or a cut. */
  async refresh() {
    const question = await this.session.question();
    if (question.last >= this.question.last) this.question = question; // an answer may overtake another
    this.changed();
  }

  /** Reads what the table asks, until it is as new as the state. @param {boolean} [anyhow] also if it is */
  async catchUp(anyhow = false) {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      if (anyhow) await this.refresh();
      while (this.question.last < this.state.entries) await this.refresh();
    } catch {
      if (this.status === "open") setTimeout(() => this.catchUp(), AGAIN); // else the feed shows a cut; its end asks again
    } finally {
      this.#isAsking = false;
      this.changed();
    }
  }

  close() { this.live.close(); }

  /** @param {State} state */
  #moved(state) {
    this.before = this.state;
    this.state = state;
    this.changed();
  }

  /** @param {LiveEntry} entry */
  #heard(entry) {
    this.latest = [...this.latest, entry].slice(-KEPT);
    this.changed();
    void this.catchUp();
  }
}
