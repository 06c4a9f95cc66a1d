/**
 * Makes a branch amendments of the session: one for each of its changes, in order.
 *
 * @typedef {import("/client/affray.js").Session} Session
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("../types.js").EntryChange} EntryChange
 * @typedef {import("../types.js").Report} Report
 * @typedef {{upto: number, isNewer: boolean, changes: EntryChange[], reports: Report[]}} Plan
 */
import { asked } from "./tree.js";

/**
 * Returns what would be written now. Where others have written meanwhile, entries that the branch itself made have other
 * numbers there.
 *
 * @param {Session} session  @param {Node[]} chain @returns {Promise<Plan>}
 */
export async function planned(session, chain) {
  const upto = (await session.state()).entries;
  /** @type {EntryChange[]} */
  const changes = [];
  /** @type {Report[]} */
  const reports = [];
  /** @type {number[]} */
  const firsts = [];
  for (const node of chain) {
    changes.push(node.entry ? { entry: numbered(node, chain, firsts), change: node.change } : asked(node));
    const found = await session.branch({ changes, upto });
    if (found.report) reports.push(found.report);
    firsts.push(found.first);
  }
  return { upto, isNewer: upto !== chain[0]?.upto, changes, reports };
}

/** Returns the number that a changed entry has on the newer record. @param {Node} node  @param {Node[]} chain  @param {number[]} firsts */
function numbered(node, chain, firsts) {
  const nth = chain.filter((other) => other.first <= node.entry).length - 1;
  return nth < 0 || node.entry <= node.upto ? node.entry : node.entry - /** @type {Node} */ (chain[nth]).first + /** @type {number} */ (firsts[nth]);
}

/**
 * Writes a plan; stops where others write between.
 *
 * @param {Session} session  @param {Plan} plan  @param {string} why  @param {boolean} consent whether today's rules may decide what they decide otherwise
 * @param {(first: number, nth: number) => void} written is called after each amendment with its first entry
 */
export async function keep(session, plan, why, consent, written) {
  let last = plan.upto;
  for (const [nth, { entry, change = {}, then = [] }] of plan.changes.entries()) {
    const first = last + 1;
    if (entry) last = (await session.amend({ entry, change, why, consent }, { ifMatch: last })).last;
    for (const command of then) last = (await session.perform(command, { ifMatch: last })).last;
    written(first, nth);
  }
}
