/**
 * The two lines that are shown: that of the branch that is picked, and that of the branch beside it.
 *
 * @typedef {import("./comparison.js").Side} Side
 * @typedef {import("./lines.js").Lines} Lines
 * @typedef {import("./tree.js").Tree} Tree
 */
import { useEffect, useState } from "../vendor/preact.js";
import { RECORD } from "./tree.js";

/** Entries of what happened that are shown before the one that is looked at. */
const BEFORE = 100;

/**
 * Returns the lines once they are computed; none while they are.
 *
 * @param {Lines} lines  @param {Tree} tree  @param {number} picked  @param {number} beside  @param {number} last the last entry of the record  @param {number} at the entry that is looked at
 */
export function useSides(lines, tree, picked, beside, last, at) {
  const [found, show] = useState(/** @type {{left?: Side, right?: Side, trouble: string}} */ ({ trouble: "" }));
  useEffect(() => {
    let isWanted = true;
    show({ trouble: "" });
    sides(lines, tree, picked, beside, last, at).then(
      (both) => { if (isWanted) show({ ...both, trouble: "" }); },
      (error) => { if (isWanted) show({ trouble: error instanceof Error ? error.message : String(error) }); });
    return () => { isWanted = false; };
  }, [lines, tree, picked, beside, picked === RECORD ? last : 0]);
  return found;
}

/** @param {Lines} lines  @param {Tree} tree  @param {number} picked  @param {number} beside  @param {number} last  @param {number} at @returns {Promise<{left?: Side, right: Side}>} */
async function sides(lines, tree, picked, beside, last, at) {
  const node = tree.node(picked);
  if (!node) {
    const near = { changes: [], upto: last, ...(last > BEFORE && { since: Math.max(1, at - BEFORE) }) };
    const line = await lines.line(near).catch(() => lines.line({ changes: [], upto: last })); // that entry may be undone
    return { right: { name: "What happened", line } };
  }
  const other = tree.node(beside);
  const since = Math.min(tree.earliest(picked), tree.earliest(beside));
  const line = (/** @type {number} */ id) => lines.line({ changes: tree.changes(id), upto: tree.node(id)?.upto ?? node.upto, since });
  const [left, right] = await Promise.all([line(beside), line(picked)]);
  return { left: { name: other?.name ?? "What happened", line: left }, right: { name: node.name, line: right } };
}
