/** The bar above the theatre: what is shown, and the buttons that move through it. */
import { link } from "../address.js";
import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { SPEEDS } from "../theatre/player.js";
import { useOnce } from "./once.js";
import { save } from "./saving.js";
import { seatInWords } from "./words.js";

/**
 * @typedef {import("../theatre/theatre.js").Theatre} Theatre
 * @typedef {"attack" | "turn" | "round" | "branch"} Far
 */

/** What the long steps go by.
 * @type {Far[]} */
const FAR = ["attack", "turn", "round", "branch"];

/** @param {{theatre: Theatre, leave?: () => void, back?: () => void, study?: () => void}} props `back` returns to the table */
export function Bar({ theatre, leave, back, study }) {
  const { outline, at, last, player } = theatre;
  const [unit, choose] = useState(/** @type {Far} */ ("attack"));
  const far = (/** @type {1 | -1} */ step) => (unit === "branch" ? theatre.moveAcross(step) : theatre.move(unit, step));
  const state = theatre.pages.state(at);
  const when = [outline.game, state?.round ? `round ${state.round}` : "", state?.pass ? `pass ${state.pass}` : ""].filter(Boolean).join(", ");
  return html`
    <header class="bar">
      ${leave && html`<button class="quiet" onClick=${leave}>Sessions</button>`}
      ${back && html`<button class="main" onClick=${back}>Back to the table</button>`}
      <h1>${outline.title || "Untitled"}</h1>
      <span class="soft">${when} · <span class="figure">${at}</span> of <span class="figure">${last}</span>${` · ${seatInWords(theatre.source.seat, theatre.source.name)}`}</span>
      <div class="buttons">
      <div class="moves steps" role="group" aria-label="Move through the record">
        ${move("|◀", "First entry", () => theatre.go(1))}
        ${move("◀◀", `${unit[0]?.toUpperCase()}${unit.slice(1)} before`, () => far(-1))}
        ${move("◀", "Entry before", () => theatre.move("entry", -1))}
        <button class="main" aria-pressed=${player.isPlaying} aria-label=${player.isPlaying ? "Pause" : "Play"} onClick=${() => player.toggle()}>${player.isPlaying ? "❚❚" : "▶"}</button>
        ${move("▶", "Next entry", () => theatre.move("entry", 1))}
        ${move("▶▶", `Next ${unit}`, () => far(1))}
        ${move("▶|", "Last entry", () => theatre.go(last))}
      </div>
      <div class="moves" role="group" aria-label="Tools">
        <label class="speed">◀◀ ▶▶ <select aria-label="Long steps by" value=${unit} onChange=${(/** @type {Event} */ event) => choose(/** @type {Far} */ (chosen(event)))}>
          ${FAR.map((each) => html`<option value=${each}>${each}</option>`)}
        </select></label>
        <label class="speed">Speed <select value=${player.speed} onChange=${(/** @type {Event} */ event) => player.play(Number(chosen(event)))}>
          ${SPEEDS.map((each) => html`<option value=${each}>${each}×</option>`)}
        </select></label>
        <button onClick=${() => theatre.show("search")} aria-expanded=${theatre.open === "search"}>Search</button>
        <button onClick=${() => theatre.show("why")} aria-expanded=${theatre.open === "why"}>Why</button>
        <button onClick=${() => theatre.show("recap")} aria-expanded=${theatre.open === "recap"}>Recap</button>
        ${study && html`<button onClick=${study}>What if</button>`}
        <${Share} theatre=${theatre} />
        <${Keeping} theatre=${theatre} />
        <button aria-label="Keys" onClick=${() => theatre.show("help")}>?</button>
      </div>
      </div>
    </header>`;
}

/** @param {string} sign  @param {string} label  @param {() => unknown} go */
const move = (sign, label, go) => html`<button aria-label=${label} title=${label} onClick=${go}>${sign}</button>`;

/** Returns what was chosen. @param {Event} event */
const chosen = (event) => /** @type {HTMLSelectElement} */ (event.target).value;

/** Shows the address of this moment, to be copied: a page on plain http has no clipboard. @param {{theatre: Theatre}} props */
function Share({ theatre }) {
  const [isOpen, open] = useState(false);
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => box.current?.select(), [isOpen]);
  const session = theatre.source.isLive ? theatre.outline.session : "";
  const address = link({ session, at: theatre.at, as: "", view: session && "replay" });
  return html`
    <button aria-expanded=${isOpen} onClick=${() => open(!isOpen)}>Share moment</button>
    ${isOpen && html`<input ref=${box} class="address" aria-label="Address of this moment" readonly value=${address} />`}`;
}

/** Prints the whole record, and saves it. @param {{theatre: Theatre}} props */
function Keeping({ theatre }) {
  const [isSaving, begin] = useState(false);
  const keep = async () => {
    begin(true);
    await theatre.troubles.attempt("saving", save(theatre));
    begin(false);
  };
  const [isPrinting, prepare] = useState(false);
  const print = useOnce(async () => {
    prepare(true);
    const before = theatre.unfolded;
    theatre.unfolded = new Set(theatre.line.firsts);
    theatre.pages.keep(true);
    let isWhole = true;
    for (let page = 0; page < theatre.pages.count; page++) isWhole &&= await theatre.load(page);
    document.documentElement.classList.add("printing");
    theatre.changed();
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    if (isWhole) window.print();
    theatre.pages.keep(false);
    theatre.unfolded = before;
    document.documentElement.classList.remove("printing");
    theatre.changed();
    prepare(false);
  });
  return html`
    <button onClick=${print} disabled=${isPrinting}>${isPrinting ? "Printing…" : "Print"}</button>
    <button onClick=${keep} disabled=${isSaving}>${isSaving ? "Saving…" : theatre.source.isLive ? "Save" : "Save record"}</button>`;
}
