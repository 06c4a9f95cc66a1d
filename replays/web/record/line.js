/**
 * The shape of a record: which entry stands on which, which stretches were undone, and which branches lie side by side.
 *
 * @typedef {import("../types.js").Outline} Outline
 * @typedef {import("../types.js").Undone} Undone
 */
import { lastAtMost } from "./sorted.js";

export class Line {
  /** @param {Outline} outline */
  constructor(outline) {
    /** @type {number[]} the entries that do not stand on the one before them, and where they stand */
    this.branches = outline.branches.map((each) => each.entry);
    this.parents = outline.branches.map((each) => each.after);
    this.undone = [...outline.undone].sort((one, other) => one.first - other.first);
    this.firsts = this.undone.map((each) => each.first);
  }

  /** Returns the entry that an entry stands on; 0 for the first. @param {number} entry */
  after(entry) {
    const place = lastAtMost(this.branches, entry);
    return this.branches[place] === entry ? /** @type {number} */ (this.parents[place]) : entry - 1;
  }

  /** Returns the undone stretch that an entry is part of. @param {number} entry @returns {Undone | undefined} */
  stretch(entry) {
    const found = this.undone[lastAtMost(this.firsts, entry)];
    return found && entry <= found.last ? found : undefined;
  }

  /** Returns the entries that stand on one entry, in order. @param {number} parent */
  children(parent) {
    const forks = this.branches.filter((_, place) => this.parents[place] === parent);
    return this.branches[lastAtMost(this.branches, parent + 1)] === parent + 1 ? forks : [parent + 1, ...forks];
  }

  /**
   * Returns the first entry of the branch beside that of an entry: what undid it, or what it undid; else the nearest
   * fork behind it counts.
   *
   * @param {number} entry  @param {1 | -1} step  the next branch, or the one before
   * @returns {number | undefined}
   */
  sibling(entry, step) {
    const undone = step > 0 ? this.stretch(entry)?.by : this.undone.find((each) => each.by === entry)?.first;
    if (undone) return undone;
    for (let at = entry; at > 0; ) {
      const start = this.branches[lastAtMost(this.branches, at)] ?? 1;
      const fork = Math.max(...this.parents.filter((each) => each >= start && each < at), 0);
      const parent = fork || this.after(start);
      const beside = this.children(parent);
      const found = beside[beside.indexOf(fork ? fork + 1 : start) + step];
      if (found !== undefined) return found;
      at = parent < at ? parent : 0;
    }
    return undefined;
  }
}
