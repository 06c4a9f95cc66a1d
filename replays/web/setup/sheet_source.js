/**
 * Where the sheet of new combatants comes from: a ready sheet of the game, or a TOML file of this device.
 *
 * @typedef {import("../types.js").FileCombatant} FileCombatant
 */
import { html, useEffect, useState } from "../vendor/preact.js";
import { words } from "../parts/words.js";
import { Field, valueOf } from "./field.js";
import { Refused } from "/client/affray.js";
import { GM } from "./joins.js";
import { refusalInWords } from "./problems.js";

/** The choice of a file instead of a ready sheet. */
const FILE = "/file";
/** Bytes of a file that the server checks. */
const LONGEST = 100_000;

/**
 * `found` gets the combatants that are chosen, and whether they are of a file; `reading` is the promise of them, because a
 * sheet that was just chosen is not read yet.
 *
 * @typedef {{found: FileCombatant[], isFile: boolean}} Chosen
 * @param {{affray: import("/client/affray.js").Affray, game: string, problem?: string, found: (chosen: Chosen) => void, reading: {current: Promise<Chosen>}}} props
 */
export function SheetSource({ affray, game, problem = "", found, reading }) {
  const [sheets, list] = useState(/** @type {readonly string[]} */ ([]));
  const [chosen, choose] = useState("");
  const [file, open] = useState(/** @type {File | null} */ (null));
  const [read, show] = useState(/** @type {FileCombatant[]} */ ([]));
  const [trouble, tell] = useState("");
  useEffect(() => {
    affray.ruleset(game).then((whole) => { list(whole.sheets); choose((now) => now || (whole.sheets[0] ?? FILE)); }, (error) => tell(inAll(error)));
  }, [game]);
  useEffect(() => {
    let isCurrent = true;
    const use = (/** @type {FileCombatant[]} */ combatants) => {
      const all = { found: combatants, isFile: chosen === FILE };
      if (isCurrent) { show(combatants); found(all); }
      return all;
    };
    tell("");
    const none = use([]);
    const asked = chosen === FILE ? file && inFile(affray, game, file) : chosen && ready(affray, game, chosen);
    reading.current = asked ? asked.then(use, (error) => { if (isCurrent) tell(inAll(error)); return none; }) : Promise.resolve(none);
    return () => { isCurrent = false; };
  }, [chosen, file]);
  const said = chosen === FILE ? read.map((one) => `${one.name}${one.player === GM ? "" : `, played by ${one.player}`}${one.seen_by ? ", hidden" : ""}`).join("; ") : "";
  const ofFile = chosen === FILE && (trouble || (!file || read.length ? problem : ""));
  return html`
    <${Field} label="Sheet" problem=${chosen === FILE ? "" : trouble || problem} control=${(/** @type {object} */ is) => html`
      <select ...${is} name="sheet" value=${chosen} onChange=${(/** @type {Event} */ event) => choose(valueOf(event))}>
        ${sheets.map((name) => html`<option value=${name}>${words(name).replaceAll("-", " ")}</option>`)}
        <option value=${FILE}>a file of this device…</option>
      </select>`} />
    ${chosen === FILE && html`<${Field} label="File" problem=${ofFile} hint=${said || "A sheet in TOML, as affray sheet new writes it; or a script with several combatants."} control=${(/** @type {object} */ is) => html`
      <input ...${is} name="file" type="file" accept=".toml,text/plain,application/toml" onChange=${(/** @type {Event} */ event) => open(/** @type {HTMLInputElement} */ (event.target).files?.[0] ?? null)} />`} />`}`;
}

/** Returns a refusal in words. @param {unknown} error */
const inAll = (error) => (error instanceof Refused ? refusalInWords(error) : error instanceof Error ? error.message : String(error));

/** Returns a ready sheet as a combatant. @param {import("/client/affray.js").Affray} affray  @param {string} game  @param {string} id @returns {Promise<FileCombatant[]>} */
async function ready(affray, game, id) {
  const sheet = await affray.sheet(game, id);
  return [{ id, name: id.replaceAll("-", " "), sheet, player: GM, side: "", thing: false, seen_by: null }];
}

/** Returns the combatants of a file, which the server checks. @param {import("/client/affray.js").Affray} affray  @param {string} game  @param {File} file */
async function inFile(affray, game, file) {
  if (file.size > LONGEST) throw new Error(`the file is too long. Accepted: up to ${LONGEST.toLocaleString("en")} bytes.`);
  const { combatants } = await affray.checkSheets(game, await file.text(), file.name.slice(-200));
  return combatants;
}
