/**
 * A replay: the record, the entry that is looked at, and what is open beside it. The parts of the page show it and call it.
 *
 * @typedef {import("../types.js").Outline} Outline
 * @typedef {import("../types.js").Source} Source
 * @typedef {import("../record/stops.js").Unit} Unit
 */
import { Changing } from "../record/changing.js";
import { Pages, pageOf } from "../record/pages.js";
import { Record } from "../record/record.js";
import { Follower } from "./follower.js";
import { Player } from "./player.js";
import { Troubles } from "./troubles.js";

export class Theatre extends Changing {
  /** @type {Element | null} */
  #focused = null;

  /** @param {Source} source  @param {Outline} outline */
  constructor(source, outline) {
    super();
    this.source = source;
    this.record = new Record(outline);
    this.pages = new Pages(source, outline.entries);
    this.player = new Player(this);
    this.follower = new Follower(this);
    /** @type {Set<number>} the undone stretches that are unfolded, by their first entries */
    this.unfolded = new Set();
    /** @type {"none" | "why" | "recap" | "help" | "search"} */
    this.open = "none";
    /** What is asked why: a key or a figure; empty for what the entry itself has. */
    this.asked = "";
    /** @type {"open" | "cut" | "closed"} */
    this.status = "open";
    /** Returns what else can be done with an entry. @type {(step: import("../types.js").Step) => unknown} */
    this.acts = () => "";
    /** Returns how a number that is explained can be corrected. @type {(of: string) => unknown} */
    this.mends = () => "";
    this.troubles = new Troubles(() => this.changed());
    /** The sentence that is read out. */
    this.said = "";
    this.at = 0;
  }

  get outline() { return this.record.outline; }
  get last() { return this.record.last; }
  get line() { return this.record.line; }

  /** Whether an undone stretch is shown. @param {number} first */
  isUnfolded = (first) => this.unfolded.has(first);

  /** Goes to an entry; whoever does so stops playing. @param {number} entry  @param {boolean} [isRead] whether its sentence is read out */
  async go(entry, isRead = true) {
    if (this.player.isPlaying) this.player.pause();
    await this.reach(entry);
    if (isRead) this.say();
  }

  /** Reads out the sentence of the entry. */
  say() {
    this.said = this.at ? `Entry ${this.at}: ${this.pages.step(this.at)?.narration.join(" ") ?? ""}` : "";
    this.changed();
  }

  /** Shows an entry. @param {number} entry */
  async reach(entry) {
    this.at = Math.min(Math.max(entry, Math.min(1, this.last)), this.last);
    this.unfolded.add(this.line.stretch(this.at)?.first ?? 0);
    this.pages.use(pageOf(this.at));
    this.changed();
    await this.load(pageOf(this.at));
    await this.load(pageOf(this.at - 1));
    void this.load(pageOf(this.at) + 1);
  }

  /** Loads a page; returns whether it is there. @param {number} page */
  async load(page) {
    if (page < 0 || page >= this.pages.count) return true;
    const isNew = !this.pages.has(page);
    const isThere = (await this.troubles.attempt(`page ${page}`, this.pages.load(page).then(() => true))) === true;
    if (isNew) this.changed();
    return isThere;
  }

  /** Goes to the next stop, or the one before. @param {Unit} unit  @param {1 | -1} step  @param {boolean} [isRead] */
  move(unit, step, isRead) { return this.go(this.record.stops.beside(this.at, unit, step, this.isUnfolded), isRead); }

  /** Goes to the branch beside. @param {1 | -1} step */
  async moveAcross(step) {
    const found = this.line.sibling(this.at, step);
    if (found !== undefined) await this.go(found);
  }

  /** Shows or hides an undone stretch; that of the entry, or all of them, if none is named. @param {number} [first] */
  fold(first) {
    const all = this.line.undone.map((each) => each.first);
    const meant = first === undefined ? all : [first];
    const isShown = meant.some(this.isUnfolded);
    for (const each of meant) isShown ? this.unfolded.delete(each) : this.unfolded.add(each);
    const hidden = this.line.stretch(this.at);
    if (hidden && !this.isUnfolded(hidden.first)) void this.go(Math.max(1, hidden.first - 1));
    this.changed();
  }

  /** Opens what lies beside the record, or closes it; the focus then goes back. @param {Theatre["open"]} what  @param {string} [asked] */
  show(what, asked = "") {
    if (this.open === "none") this.#focused = document.activeElement;
    this.open = what === this.open && asked === this.asked ? "none" : what;
    this.asked = asked;
    this.changedNow(); // the next key may be meant for what has opened
    if (this.open === "none" && this.#focused instanceof HTMLElement) this.#focused.focus();
  }

  /** Takes a newer outline; whoever is at the end stays at the end. @param {Outline} outline */
  async renew(outline) {
    const isAtEnd = this.at === this.last && !this.player.isPlaying;
    if (outline.disclosures !== this.outline.disclosures) this.pages.forget();
    this.record = new Record(outline);
    this.pages.grow(outline.entries);
    await this.reach(isAtEnd ? this.last : this.at);
  }

  /** Ends playing and following. */
  close() {
    this.player.pause();
    this.follower.stop();
  }
}
