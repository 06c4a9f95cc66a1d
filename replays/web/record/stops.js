/**
 * Where a reader stops: at each entry, attack, turn or round. Undone stretches are passed over unless they are unfolded.
 *
 * @typedef {import("../types.js").Outline} Outline
 * @typedef {"entry" | "attack" | "turn" | "round"} Unit
 */
import { Line } from "./line.js";
import { lastAtMost } from "./sorted.js";

export class Stops {
  /** @param {Outline} outline  @param {Line} line */
  constructor(outline, line) {
    this.last = outline.entries;
    this.line = line;
    const numbers = (/** @type {readonly {entry: number}[]} */ marks) => [...new Set(marks.map((each) => each.entry))].sort((a, b) => a - b);
    /** @type {{attack: number[], turn: number[], round: number[]}} */
    this.at = { attack: numbers(outline.exchanges.filter((each) => each.is_attack)), turn: numbers(outline.turns), round: numbers(outline.rounds) };
  }

  /**
   * Returns the stop after an entry, or before it; the last entry, or the first, if there is no other.
   *
   * @param {number} at  @param {Unit} unit  @param {1 | -1} step  @param {(first: number) => boolean} isUnfolded
   */
  beside(at, unit, step, isUnfolded) {
    const end = step > 0 ? this.last : Math.min(1, this.last);
    for (let next = at; ; ) {
      next = unit === "entry" ? next + step : this.#mark(this.at[unit], next, step);
      if (next < 1 || next > this.last) return this.#shown(end, step, isUnfolded);
      const stretch = this.line.stretch(next);
      if (!stretch || isUnfolded(stretch.first)) return next;
      next = step > 0 ? stretch.last : stretch.first;
    }
  }

  /** @param {readonly number[]} marks  @param {number} at  @param {1 | -1} step */
  #mark(marks, at, step) {
    return marks[step > 0 ? lastAtMost(marks, at) + 1 : lastAtMost(marks, at - 1)] ?? (step > 0 ? this.last + 1 : 0);
  }

  /** Returns an end of the record, or the nearest entry to it that is not folded away. @param {number} end @param {1 | -1} step @param {(first: number) => boolean} isUnfolded */
  #shown(end, step, isUnfolded) {
    const stretch = this.line.stretch(end);
    if (!stretch || isUnfolded(stretch.first)) return end;
    return step > 0 ? Math.max(1, stretch.first - 1) : Math.min(this.last, stretch.last + 1);
  }
}
