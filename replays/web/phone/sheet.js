/** The sheet of a combatant, as it joined; read when it is opened. */
import { html, useState } from "../vendor/preact.js";
import { words } from "../parts/words.js";

/** @param {{table: import("../table/table.js").Table, who: string}} props */
export function Sheet({ table, who }) {
  const [sheet, show] = useState(/** @type {unknown} */ (undefined));
  const open = async () => {
    if (sheet !== undefined) return;
    /** @type {unknown} */
    let found = null;
    try {
      for await (const { command, stands } of table.session.log()) if (stands && command?.type === "Join" && command.who === who) found = command.sheet;
    } catch {
      // it is shown as unreadable
    }
    show(found);
  };
  return html`
    <details class="sheet" onToggle=${(/** @type {Event} */ event) => { if (/** @type {HTMLDetailsElement} */ (event.target).open) void open(); }}>
      <summary>Sheet of ${table.state.combatants[who]?.name ?? who}</summary>
      ${sheet === undefined ? html`<p class="soft">…</p>` : sheet === null ? html`<p class="soft">It cannot be read.</p>` : tree(sheet)}
    </details>`;
}

/** @param {unknown} value @returns {import("../vendor/preact.js").Element} */
function tree(value) {
  if (Array.isArray(value)) return html`<span>${value.map((each) => (isPlain(each) ? String(each) : "")).filter(Boolean).join(", ")}${value.filter((each) => !isPlain(each)).map(tree)}</span>`;
  if (isPlain(value)) return html`<span>${String(value)}</span>`;
  return html`<dl>${Object.entries(/** @type {object} */ (value)).map(([name, each]) => html`<div><dt>${words(name)}</dt><dd>${tree(each)}</dd></div>`)}</dl>`;
}

/** @param {unknown} value */
const isPlain = (value) => typeof value !== "object" || value === null;
