/**
 * A roll that is asked for: its sum and chances, and its dice: typed, tapped, counted, or drawn.
 *
 * @typedef {import("../types.js").TableRoll} TableRoll
 */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { buttons, counted, tapped, thrown } from "../table/faces.js";
import { useOnce } from "../parts/once.js";
import { Chances } from "./chance.js";
import { isFree } from "./free.js";
import { Modifier } from "./modifier.js";
import { Sum } from "./sum.js";

/** @param {{table: import("../table/table.js").Table, roll: TableRoll, isFirst: boolean, why?: (of: string) => void, isSecret?: boolean}} props */
export function Roll({ table, roll, isFirst, why, isSecret = false }) {
  const [text, show] = useState(table.typed.get(roll.key) ?? "");
  const type = (/** @type {string} */ now) => { table.typed.set(roll.key, now); show(now); };
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => { if (isFirst && isFree()) field.current?.focus(); }, [roll.key, isFirst]);
  const open = table.state.rests.find((each) => each.key === roll.key);
  const latest = useRef(open);
  latest.current = open ?? latest.current; // the roll may be answered in the state before the question is another one
  const rest = latest.current;
  const { count } = thrown(roll.missing);
  const given = counted(text);
  const counts = roll.counts ?? [];
  const send = useOnce(async (/** @type {string} */ faces) => {
    const isTaken = await table.sendNext(`${isSecret ? "secret " : ""}${roll.short} ${faces}`, roll.key);
    if (isTaken && table.typed.get(roll.key)?.trim() === faces) type("");
  });
  const submit = (/** @type {Event} */ event) => { event.preventDefault(); void send((field.current?.value ?? "").trim() || "~"); };
  const label = `${roll.name}, ${roll.purpose}: faces of ${roll.missing}${counts.length ? `, or a count such as 4 ${counts[0]}` : ""}; empty draws`;
  return html`
    <div class="ask roll">
    <form onSubmit=${submit} aria-label=${`${roll.name}: ${roll.purpose}`}>
      <h3>${roll.name}: ${roll.purpose} <span class="figure">${roll.missing}</span>${roll.target !== undefined && html` <span class="soft">against</span> <b class="figure">${roll.target}</b>`}</h3>
      ${rest && html`<${Sum} rest=${rest} why=${why && (() => why(roll.key))} />`}
      ${(roll.known?.length ?? 0) > 0 && html`<p class="soft">beside ${roll.known?.map((face) => html`<span class="die">${face}</span>`)}</p>`}
      <div class="dice">
        <input ref=${field} aria-label=${label} placeholder=${counts.length ? `faces, or 4 ${counts[0]}` : "faces"} value=${text} inputmode="text" autocomplete="off" enterkeyhint="send"
          onInput=${(/** @type {Event} */ event) => type(/** @type {HTMLInputElement} */ (event.target).value)} />
        ${text.trim() ? html`<button class="main">Enter${given && count > 1 ? html` <span class="soft-on">${given} of ${count}</span>` : ""}</button>` : html`<button class="main">Draw</button>`}
      </div>
      <${Keypad} roll=${roll} text=${text} type=${type} />
      <${Chances} table=${table} of=${roll.key} />
    </form>
    ${table.isGamemaster && html`<${Modifier} table=${table} of=${roll.key} />`}
    </div>`;
}

/** Faces for fingers. @param {{roll: TableRoll, text: string, type: (text: string) => void}} props */
function Keypad({ roll, text, type }) {
  return html`
    <details class="keypad"><summary>Tap the faces</summary>
      <div class="keys" role="group" aria-label="Faces">
        ${buttons(roll.missing).map((each) => html`<button type="button" onClick=${() => type(tapped(text, each, roll.missing))}>${each}</button>`)}
        ${(roll.counts ?? []).map((each) => html`<button type="button" onClick=${() => type(`${text.trim()} ${each} `.trimStart())}>${each}</button>`)}
        <button type="button" aria-label="Take back" onClick=${() => type(text.replace(/\s*\S\s*$/, ""))}>⌫</button>
      </div>
    </details>`;
}
