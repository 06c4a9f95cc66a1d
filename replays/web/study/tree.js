/**
 * The tree of a study: branches of a record, each a change on top of another branch. It is kept in the memory of the tab.
 *
 * @typedef {import("../types.js").Change} Change
 * @typedef {import("../types.js").BranchLine} Branch
 * @typedef {object} Node
 * @property {number} id
 * @property {number} parent the branch that it stands on; 0 for what happened
 * @property {number} upto the last entry of the record that it is based on
 * @property {string} name
 * @property {number} entry the number of the changed entry; 0 where a command goes on
 * @property {number} recorded the entry of the record from which it differs at the latest
 * @property {Change} change empty where a command goes on
 * @property {import("../types.js").GoesOn[]} [then] the commands that go on at the end
 * @property {number} first the number of the first entry that it adds
 * @property {number} flips the outcomes that differ from the branch that it stands on
 * @property {number} waits those of them that are not decided yet
 * @property {Branch["dice"]} dice
 * @property {number} open rolls and choices that have no answer
 * @property {number} kept the first entry of the amendment that it was made; 0 if it was not
 * @typedef {{node: Node, level: number, place: number, of: number}} Row
 */

/** What happened, as a branch of no change. */
export const RECORD = 0;

export class Tree {
  /** @param {string} session */
  constructor(session) {
    this.session = session;
    this.place = `affray-study-${session}`;
    /** @type {Node[]} */
    this.nodes = read(this.place);
  }

  /** Returns a branch. @param {number} id */
  node(id) { return this.nodes.find((each) => each.id === id); }

  /** Returns the branches that lead to one, the first of them first. @param {number} id @returns {Node[]} */
  chain(id) {
    const node = this.node(id);
    return node ? [...this.chain(node.parent), node] : [];
  }

  /** Returns the changes that lead to a branch, as they are asked for. @param {number} id */
  changes(id) { return this.chain(id).map(asked); }

  /** Returns the first entry of the record that differs in a branch. @param {number} id */
  earliest(id) { return Math.min(...this.chain(id).map((each) => each.recorded)); }

  /** Adds a branch; returns its id. @param {Omit<Node, "id" | "kept">} given */
  add(given) {
    const id = Math.max(RECORD, ...this.nodes.map((each) => each.id)) + 1;
    this.nodes.push({ ...given, id, kept: 0 });
    this.save();
    return id;
  }

  /** Changes a branch. @param {number} id  @param {Partial<Node>} given */
  renew(id, given) {
    this.nodes = this.nodes.map((each) => (each.id === id ? { ...each, ...given } : each));
    this.save();
  }

  /** Forgets a branch with those on top of it; returns them. @param {number} id */
  forget(id) {
    const gone = this.nodes.filter((each) => this.chain(each.id).some((other) => other.id === id));
    this.nodes = this.nodes.filter((each) => !gone.includes(each));
    this.save();
    return gone;
  }

  /** Brings back branches that were forgotten. @param {Node[]} gone */
  restore(gone) {
    this.nodes.push(...gone);
    this.save();
  }

  /** Returns the branches as they are shown: each before those on top of it. @param {number} [parent] @param {number} [level] @returns {Row[]} */
  rows(parent = RECORD, level = 2) {
    const mine = this.nodes.filter((each) => each.parent === parent);
    return mine.flatMap((node, nth) => [{ node, level, place: nth + 1, of: mine.length }, ...this.rows(node.id, level + 1)]);
  }

  save() {
    try {
      sessionStorage.setItem(this.place, JSON.stringify(this.nodes));
    } catch { /* the memory of the tab is full: the study is kept until the page is left */ }
  }

  /** Returns the study as a text that can be kept. @param {string} title */
  text(title) { return JSON.stringify({ affray_study: 1, session: this.session, title, branches: this.nodes }, null, 2); }
}

/** Returns the change of a branch as it is asked for. @param {Pick<Node, "entry" | "change" | "then">} node @returns {import("../types.js").EntryChange} */
export const asked = ({ entry, change, then = [] }) => (entry ? { entry, change } : { then: then.map((each) => ({ ...each })) });

/** Whether what was kept is a branch. @param {any} kept */
const isNode = (kept) => [kept?.id, kept?.parent, kept?.upto, kept?.entry, kept?.first].every(Number.isInteger) && typeof kept.name === "string" && typeof kept.change === "object";

/** @param {string} place @returns {Node[]} */
function read(place) {
  try {
    const found = JSON.parse(sessionStorage.getItem(place) ?? "[]");
    return Array.isArray(found) ? found.filter(isNode) : [];
  } catch {
    return [];
  }
}
