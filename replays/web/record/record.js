/** A record in outline, with what can be found in it. */
import { Line } from "./line.js";
import { Stops } from "./stops.js";

export class Record {
  /** @param {import("../types.js").Outline} outline */
  constructor(outline) {
    this.outline = outline;
    /** The number of the last entry. */
    this.last = outline.entries;
    this.line = new Line(outline);
    this.stops = new Stops(outline, this.line);
    /** The entries that were corrected. */
    this.corrected = new Set(outline.corrected.map((each) => each.entry));
    /** @type {Map<number, string>} the headings of rounds, by the entries that begin them */
    this.rounds = new Map(outline.rounds.map((each) => [each.entry, each.title]));
  }
}
