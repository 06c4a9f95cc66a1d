/**
 * A record in the file that the page itself is saved in.
 *
 * @typedef {import("../types.js").SavedFight} SavedFight
 * @typedef {import("../types.js").Source} Source
 * @typedef {import("../types.js").Steps} Steps
 * @typedef {import("../types.js").Why} Why
 */

/** @implements {Source} */
export class SavedSource {
  #saved;

  /** @param {SavedFight} saved */
  constructor(saved) {
    this.#saved = saved;
    this.seat = saved.seat;
    this.name = saved.name;
    this.isLive = false;
    /** Only where some were estimated before the file was saved. @type {Source["chances"]} */
    this.chances = Object.keys(saved.chances).length ? (at) => this.#estimated(at) : undefined;
  }

  async outline() { return this.#saved.outline; }

  /** @param {number} after  @param {number} limit @returns {Promise<Steps>} */
  async steps(after, limit) {
    const page = this.#saved.pages.find((each) => each.after <= after && after < each.after + each.steps.length);
    if (!page || page.after !== after) throw new Error(`the file has no page after entry ${after}`);
    return { ...page, steps: page.steps.slice(0, limit) };
  }

  /** @param {string} of  @param {number} at */
  async why(of, at) {
    const found = this.#explained(of, at);
    if (!found) throw new Error(`nothing that stands has ${of}`);
    return found;
  }

  /** Returns an explanation with those that it leads to, without what was recorded later. @param {string} of  @param {number} at @returns {Why | undefined} */
  #explained(of, at) {
    const { whys, texts } = this.#saved.reasons;
    const [, titles, parts, leads] = whys[of]?.find(([upto]) => at <= upto) ?? [];
    const title = titles?.filter(([entry]) => entry <= at).at(-1)?.[1];
    if (title === undefined || !parts || !leads) return undefined;
    const text = (/** @type {number} */ place) => texts[place] ?? "";
    return {
      subject: of, title,
      parts: parts.filter((part) => part[4] <= at).map(([value, what, why, source, entry, by, origin = null]) => (
        { what: text(what), value, why: text(why), source: text(source), entry, by: text(by), origin })),
      leads_to: leads.flatMap((each) => this.#explained(each, at) ?? []).filter((each) => each.parts.length || each.leads_to?.length),
    };
  }

  async recap() { return this.#saved.recap; }

  /** @param {number} at */
  async #estimated(at) {
    const found = this.#saved.chances[at];
    if (!found) throw Object.assign(new Error("Chances at other turns were not computed before this file was saved."), { status: 422 });
    return found;
  }

  async follow() {}

  /** Returns the record as JSON lines that can be verified: the replay as a file is this file. */
  async file() {
    const bytes = Uint8Array.from(atob(this.#saved.record), (letter) => letter.charCodeAt(0));
    const content = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
    return { end: "jsonl", type: "application/jsonl", content };
  }
}
