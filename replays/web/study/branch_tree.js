/** The tree of branches: arrow keys move in it, Enter chooses. */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { RECORD } from "./tree.js";

/** @typedef {import("./tree.js").Node} Node */

/** @param {{tree: import("./tree.js").Tree, picked: number, pick: (id: number) => void}} props */
export function BranchTree({ tree, picked, pick }) {
  const rows = [{ node: /** @type {Node | undefined} */ (undefined), level: 1, place: 1, of: 1 }, ...tree.rows()];
  const ids = rows.map((each) => each.node?.id ?? RECORD);
  const [at, move] = useState(picked);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => move(picked), [picked]);
  const here = ids.includes(at) ? at : RECORD;
  const go = (/** @type {number | undefined} */ id) => {
    if (id === undefined) return;
    move(id);
    const item = box.current?.querySelector(`[data-branch="${id}"]`);
    if (item instanceof HTMLElement) item.focus();
  };
  const pressed = (/** @type {KeyboardEvent} */ event) => {
    const place = ids.indexOf(here);
    /** @type {{[key: string]: () => void}} */
    const keys = {
      ArrowDown: () => go(ids[place + 1]), ArrowUp: () => go(ids[place - 1]), Home: () => go(ids[0]), End: () => go(ids.at(-1)),
      ArrowLeft: () => go(tree.node(here)?.parent), ArrowRight: () => go(tree.nodes.find((each) => each.parent === here)?.id),
      Enter: () => pick(here), " ": () => pick(here),
    };
    const act = event.ctrlKey || event.altKey || event.metaKey ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return html`
    <div class="study-tree" role="tree" aria-label="Branches" ref=${box} onKeyDown=${pressed}>
      ${rows.map(({ node, level, place, of }) => {
        const id = node?.id ?? RECORD;
        return html`
          <div key=${id} role="treeitem" data-branch=${id} class=${`level-${Math.min(level, 6)}`} aria-level=${level} aria-posinset=${place} aria-setsize=${of} aria-selected=${id === picked} tabindex=${id === here ? 0 : -1} onClick=${() => { move(id); pick(id); }}>
            <b>${node ? node.name : "What happened"}</b>
            ${node && html`<span class="soft">${summary(node)}</span>`}
          </div>`;
      })}
    </div>`;
}

/** Returns what a branch leads to, in words. @param {Node} node */
export function summary(node) {
  const count = (/** @type {number} */ number, /** @type {string} */ one) => `${number} ${one}${number === 1 ? "" : "s"}`;
  const dice = node.dice ? `${node.dice.kept} of ${node.dice.recorded} dice kept${node.dice.needed ? `, ${node.dice.needed} to be thrown` : ""}` : "";
  return [node.entry ? `entry ${node.entry}` : "goes on", count(node.flips, "flip"), node.waits ? `${node.waits} not decided yet` : "", dice, node.kept ? `amended by entry ${node.kept}` : ""].filter(Boolean).join(" · ");
}
