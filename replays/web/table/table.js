/**
 * The table of a seat: what it hears, and the lines that it sends.
 *
 * @typedef {import("../types.js").Found} Found
 */
import { Refused } from "/client/affray.js";
import { Heard } from "./heard.js";

export class Table extends Heard {
  /** @param {import("./heard.js").Session} session  @param {import("./heard.js").Seated} me  @param {import("./heard.js").Live} live  @param {import("./heard.js").Question} question */
  constructor(session, me, live, question) {
    super(session, me, live, question);
    /** A line that asked before it writes, with the answers so far. @type {{line: string, answers: string[]} | null} */
    this.pending = null;
    /** What the last line found or asks. @type {Found | null} */
    this.found = null;
    /** What the last line was refused for; empty if it was not. */
    this.refused = "";
    /** The line that is being typed, and what was understood of it. */
    this.draft = "";
    this.understood = { line: "", sentences: "" };
    /** The faces that are being typed, by the keys of their rolls; they outlast a look at the replay. @type {Map<string, string>} */
    this.typed = new Map();
    this.isBusy = false;
  }

  /** Opens the table of a seat. @param {import("./heard.js").Session} session  @param {import("./heard.js").Seated} me */
  static async open(session, me) {
    const live = await session.live();
    try {
      return new Table(session, me, live, await session.question());
    } catch (error) {
      live.close();
      throw error;
    }
  }

  async refresh() {
    const before = this.question.key || this.question.rolls[0]?.key;
    await super.refresh();
    if (!this.isBusy && before !== (this.question.key || this.question.rolls[0]?.key)) this.refused = ""; // it was about another question
  }

  /** Puts a line before the reader, to be completed. @param {string} line */
  write(line) {
    this.draft = line;
    this.changed();
  }

  /**
   * Sends a line; returns whether it was taken.
   *
   * @param {string} line  @param {string[]} [answers] what it asked before  @param {string} [of] the key of the roll or choice that it answers
   * @returns {Promise<boolean>}
   */
  async send(line, answers = [], of = "") {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.refused = "";
    this.changed();
    const seen = of ? this.question.last : Math.max(this.question.last, this.state.entries); // what is read beside a line may be newer than what is asked
    try {
      const answer = await this.session.sendLine(line, { answers, of, ifMatch: seen });
      this.question = answer.question;
      this.found = answer.found;
      this.pending = answer.found.asks ? { line, answers } : null;
      return true;
    } catch (error) {
      return await this.#late(error, seen, { line, answers, of });
    } finally {
      this.isBusy = false;
      this.changed();
      void this.catchUp(); // what others have written meanwhile
    }
  }

  /**
   * Sends a line once the one before it is answered; not if it is to answer a roll or choice that is no longer asked for.
   *
   * @param {string} line  @param {string} [of] the key of the roll or choice that it answers
   */
  async sendNext(line, of = "") {
    while (this.isBusy) await this.next();
    const isAsked = !of || of === this.question.key || this.question.rolls.some((each) => each.key === of);
    return isAsked && this.send(line, [], of); // nothing is awaited in between: another line that waits would be dropped
  }

  /** Answers what the last line asks. @param {string} answer */
  async answer(answer) {
    const { line, answers } = /** @type {{line: string, answers: string[]}} */ (this.pending);
    return this.send(line, [...answers, answer]);
  }

  /** Forgets what the last line asks, found or was refused for. */
  forget() {
    this.pending = this.found = null;
    this.refused = "";
    this.changed();
  }

  /**
   * Shows why a line was refused; if others wrote first, and it means the same all the same, it is sent once more.
   *
   * @param {unknown} error  @param {number} seen  @param {{line: string, answers: string[], of: string}} sent
   * @returns {Promise<boolean>} whether it was taken
   */
  async #late(error, seen, { line, answers, of }) {
    const isLate = error instanceof Refused && error.status === 409 && error.actual !== null;
    if (!isLate) return this.#refuse(error instanceof Error ? error.message : String(error));
    try {
      const meant = this.understood.line === line ? this.understood.sentences : "";
      const [, now] = await Promise.all([this.refresh(), this.session.understand(line)]);
      if (now.stands_alone || (!now.word && meant && meant === now.sentences?.join())) {
        this.isBusy = false;
        return this.send(line, answers, of);
      }
    } catch {
      // the reason below holds all the same
    }
    const later = this.latest.filter((each) => each.seq > seen);
    return this.#refuse(`${later[0]?.by.name ?? "Another person"} wrote first. ${later.flatMap((each) => each.narration).join(" ")} Send it once more if it still holds.`);
  }

  /** @param {string} why */
  #refuse(why) {
    this.refused = why;
    return false;
  }
}
