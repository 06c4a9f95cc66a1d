/**
 * The steps of a record, in pages: what was told by each entry, and the state after it. Of a long record the
 * pages that were not loaded for longest are forgotten.
 *
 * @typedef {import("../types.js").Step} Step
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Source} Source
 * @typedef {{steps: Step[], states: Map<number, State>, before: State | {}}} Page
 */
import { mergePatch } from "/client/affray.js";

/** Entries on a page. */
export const PAGE = 200;
/** Pages that are kept, unless all are needed. */
const KEPT = 12;
/** Of a page, the state after each 20th entry is kept, and those after it are made from it by patches. */
const KEYFRAME = 20;

/** @type {Step[]} */
const NONE = [];

export class Pages {
  /** @type {Map<number, Page>} */
  #pages = new Map();
  /** @type {Map<number, Promise<void>>} */
  #loading = new Map();
  #source;
  #last;
  #kept = KEPT;
  #inUse = -1;

  /** @param {Source} source  @param {number} last the number of the last entry */
  constructor(source, last) {
    this.#source = source;
    this.#last = last;
  }

  /** The number of pages. */
  get count() { return Math.ceil(this.#last / PAGE); }

  /** Says that the record has grown. @param {number} last */
  grow(last) { this.#last = last; }

  /** Keeps all pages from now on, or only the latest. @param {boolean} isAll */
  keep(isAll) {
    this.#kept = isAll ? Infinity : KEPT;
    this.#trim();
  }

  /** Says which page is looked at: it is not forgotten. @param {number} page */
  use(page) { this.#inUse = page; }

  /** Returns the steps of a page as far as they are loaded. @param {number} page @returns {readonly Step[]} */
  steps(page) { return this.#pages.get(page)?.steps ?? NONE; }

  /** Whether a page is loaded up to the end of the record. @param {number} page */
  has(page) { return this.steps(page).length === Math.min(PAGE, this.#last - page * PAGE); }

  /** Returns an entry, if it is loaded. @param {number} entry @returns {Step | undefined} */
  step(entry) { return this.steps(pageOf(entry))[(entry - 1) % PAGE]; }

  /** Returns the state after an entry, if it is loaded. @param {number} entry @returns {State | undefined} */
  state(entry) {
    const page = this.#pages.get(pageOf(entry));
    const place = (entry - 1) % PAGE;
    if (!page || place >= page.steps.length) return undefined;
    const known = page.states.get(place);
    if (known) return known;
    const from = Math.floor(place / KEYFRAME) * KEYFRAME - 1;
    /** @type {State | {}} */
    let state = from < 0 ? page.before : /** @type {State} */ (this.state(pageOf(entry) * PAGE + from + 1));
    for (const step of page.steps.slice(from + 1, place + 1)) state = /** @type {State} */ (mergePatch(state, step.patch));
    const made = /** @type {State} */ (state);
    if ((place + 1) % KEYFRAME === 0) page.states.set(place, made);
    return made;
  }

  /** Loads a page, or the rest of it; it is then the one that is forgotten last. @param {number} page */
  async load(page) {
    if (page < 0 || page >= this.count) return;
    const known = this.#pages.get(page);
    if (known) this.#keep(page, known);
    if (this.has(page)) return;
    const loading = this.#loading.get(page) ?? this.#fill(page).finally(() => this.#loading.delete(page));
    this.#loading.set(page, loading);
    await loading;
  }

  /** Forgets all pages: older entries are seen otherwise from now on. */
  forget() {
    this.#pages.clear();
    this.#loading.clear();
  }

  /** @param {number} number */
  async #fill(number) {
    while (!this.has(number)) {
      const page = this.#pages.get(number);
      const after = number * PAGE + (page?.steps.length ?? 0);
      const found = await this.#source.steps(after, Math.min((number + 1) * PAGE, this.#last) - after);
      if (!found.steps.length || this.#pages.get(number) !== page) return; // the end, or it was forgotten meanwhile
      this.#keep(number, { before: page?.before ?? found.before ?? {}, states: page?.states ?? new Map(), steps: [...(page?.steps ?? []), ...found.steps] });
    }
  }

  /** @param {number} number  @param {Page} page */
  #keep(number, page) {
    this.#pages.delete(number);
    this.#pages.set(number, page);
    this.#trim();
  }

  /** Forgets the pages that were not loaded for longest; never the one in use. */
  #trim() {
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= this.#kept) return;
      if (oldest !== this.#inUse) this.#pages.delete(oldest);
    }
  }
}

/** Returns the number of an entry's page. @param {number} entry */
export const pageOf = (entry) => Math.max(0, Math.floor((entry - 1) / PAGE));
