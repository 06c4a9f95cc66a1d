/** The gamemaster's hand: figures, conditions, notes, secrets. Each form writes the line that does the same. */
import { html, useState } from "../vendor/preact.js";
import { useOnce } from "../parts/once.js";

/** @typedef {import("../table/table.js").Table} Table */

/** @param {{table: Table}} props */
export function Changes({ table }) {
  return html`
    <section class="changes" aria-label="The gamemaster's hand">
      <h2>By hand</h2>
      <${Settings} table=${table} />
      <${Adjusting} table=${table} />
      <${Noting} table=${table} />
      <p class="also">${["modify ", "overrule ", "reveal ", "hide ", "time ", "/end "].map((word) => html`<button onClick=${() => table.write(word)}>${word === "/end " ? "end the fight" : word.trim()}…</button> `)}</p>
    </section>`;
}

/** What is drawn and passed without asking. @type {{[setting: string]: [value: string, about: string][]}} */
const SETTINGS = {
  dice: [["ask", "ask for each roll"], ["auto", "draw mine, ask players"], ["all", "draw all"], ["typed", "typed only"]],
  defaults: [["ask", "ask for each choice"], ["auto", "pass mine, ask players"], ["all", "pass all"]],
};

/** Which rolls are drawn, and which choices take their default, without asking. @param {{table: Table}} props */
function Settings({ table }) {
  const now = { dice: table.question.dice, defaults: table.question.defaults };
  const change = (/** @type {string} */ name, /** @type {Event} */ event) => void table.send(`${name} ${/** @type {HTMLSelectElement} */ (event.target).value}`);
  return html`
    <p class="settings">${Object.entries(SETTINGS).map(([name, values]) => html`
      <label>${name === "dice" ? "Dice" : "Choices"} <select value=${now[/** @type {"dice" | "defaults"} */ (name)]} disabled=${table.isBusy} onChange=${(/** @type {Event} */ event) => change(name, event)}>
        ${values.map(([value, about]) => html`<option value=${value} selected=${value === now[/** @type {"dice" | "defaults"} */ (name)]}>${about}</option>`)}
      </select></label>`)}</p>`;
}

/** Sets a figure or a condition. @param {{table: Table}} props */
function Adjusting({ table }) {
  const { combatants } = table.state;
  const [chosen, choose] = useState("");
  const who = chosen in combatants ? chosen : (Object.keys(combatants)[0] ?? "");
  const one = combatants[who];
  if (!one) return null;
  const known = [...Object.keys(one.tracks).map((name) => `tracks.${name}`), "wounds", ...Object.keys(one.resources).map((name) => `resources.${name}`), "initiative", ...one.conditions.map((each) => `conditions.${each.name}`)];
  const send = async (/** @type {FormData} */ given) => table.sendNext(`adjust ${given.get("who")} ${given.get("what")} ${given.get("value")} ${given.get("why")}`.trim());
  return html`
    <${Form} name="Adjust" send=${send}>
      <label>Who <select name="who" value=${who} onChange=${(/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value)}>${Object.entries(combatants).map(([id, each]) => html`<option value=${id}>${each.name}</option>`)}</select></label>
      <label>What <input name="what" list="adjustable" required autocomplete="off" placeholder="wounds, conditions.prone" /></label>
      <datalist id="adjustable">${known.map((each) => html`<option value=${each.includes(" ") ? `"${each}"` : each} />`)}</datalist>
      <label>Value <input name="value" required autocomplete="off" placeholder="3, or none" /></label>
      <label>because <input name="why" required autocomplete="off" /></label>
    <//>`;
}

/** Notes for all, for some, or for the gamemaster alone. @param {{table: Table}} props */
function Noting({ table }) {
  const players = [...new Set(Object.values(table.state.combatants).map((each) => each.player))].filter((name) => name && name !== "gm");
  const own = (/** @type {string} */ player) => Object.entries(table.state.combatants).filter(([, each]) => each.player === player).map(([who]) => who);
  const send = async (/** @type {FormData} */ given) => {
    const [to, text] = [String(given.get("to")), String(given.get("text"))];
    return table.sendNext(to === "all" ? `note ${text}` : to === "gm" ? `secret note ${text}` : `whisper ${own(to).join(",")} ${text}`);
  };
  return html`
    <${Form} name="Note" send=${send}>
      <label>For <select name="to"><option value="all">all</option><option value="gm">the gamemaster alone</option>${players.map((name) => html`<option value=${name}>${name} alone</option>`)}</select></label>
      <label class="wide">Text <input name="text" required maxlength="1900" autocomplete="off" /></label>
    <//>`;
}

/** A form behind its name, made anew once it was taken. @param {{name: string, send: (given: FormData) => Promise<boolean>, children?: unknown}} props */
function Form({ name, send, children }) {
  const sent = useOnce(async (/** @type {HTMLFormElement} */ form) => { if (await send(new FormData(form))) form.reset(); });
  const submit = (/** @type {Event} */ event) => { event.preventDefault(); void sent(/** @type {HTMLFormElement} */ (event.target)); };
  return html`<details class="hand"><summary>${name}</summary><form onSubmit=${submit}>${children}<button>${name}</button></form></details>`;
}
