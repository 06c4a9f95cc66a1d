/** Adds combatants to a session: one or several of a sheet, or those of a file; all or none. */
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { Field, focusProblem, newId, valueOf } from "./field.js";
import { AS_IN_FILE, GM, MOST, joins, wrong } from "./joins.js";
import { OnceKeys, WHOLE, problemsOf } from "./problems.js";
import { SheetSource } from "./sheet_source.js";

/**
 * `added` is told in words who was added.
 *
 * @param {import("./combatants.js").Props & {sides: readonly string[], added: (words: string) => void}} props
 */
export function AddCombatants({ affray, session, game, state, players, sides, added }) {
  const [from, take] = useState(/** @type {import("./sheet_source.js").Chosen} */ ({ found: [], isFile: false }));
  const reading = /** @type {{current: Promise<import("./sheet_source.js").Chosen>}} */ (useRef(Promise.resolve(from)));
  const [given, give] = useState({ count: "1", name: "", player: GM, side: "", isHidden: false });
  const [problems, tell] = useState(/** @type {import("./problems.js").Problems} */ ({}));
  const [isBusy, wait] = useState(false);
  const isFile = useRef(false);
  const form = useRef(/** @type {HTMLElement | null} */ (null));
  const once = useMemo(() => new OnceKeys(), []);
  const title = useMemo(() => newId("add"), []);
  const list = useMemo(() => newId("sides"), []);
  useEffect(() => focusProblem(form.current), [problems]);
  const isOne = from.found.length < 2;
  const set = (/** @type {keyof given} */ name) => (/** @type {Event} */ event) => {
    const value = valueOf(event);
    give((now) => ({ ...now, [name]: value }));
  };
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (isBusy) return;
    wait(true);
    const { found } = await reading.current;
    const isOne = found.length < 2;
    const read = { ...given, found, count: isOne ? Number(given.count.trim() || NaN) : 1, name: isOne ? given.name : "" };
    const faults = wrong(read, players);
    if (Object.keys(faults).length) { tell(faults); return wait(false); }
    const commands = joins(read, state);
    try {
      await session.perform(commands, { key: once.of(commands) });
      once.forget();
      tell({});
      give((now) => ({ ...now, count: "1", name: now.name === given.name ? "" : now.name, isHidden: false }));
      added(`Added: ${commands.map((each) => each.name).join(", ")}.`);
    } catch (error) {
      tell(problemsOf(error, { who: isOne ? "name" : "sheet", name: isOne ? "name" : "sheet", sheet: "sheet", combatants: "sheet", player: "player", side: "side" }));
    }
    wait(false);
  };
  return html`
    <form ref=${form} onSubmit=${submit} noValidate aria-labelledby=${title}>
      <h3 id=${title}>Add combatants</h3>
      ${problems[WHOLE] && html`<p class="notice bad" role="alert">${problems[WHOLE]}</p>`}
      <${SheetSource} affray=${affray} game=${game} problem=${problems.sheet} reading=${reading} found=${(/** @type {import("./sheet_source.js").Chosen} */ chosen) => {
        take(chosen);
        if (isFile.current === chosen.isFile) return; // whoever was chosen for a file plays the next one, too
        isFile.current = chosen.isFile;
        give((now) => ({ ...now, player: chosen.isFile ? AS_IN_FILE : now.player === AS_IN_FILE ? GM : now.player }));
      }} />
      <div class="row">
        ${isOne && html`
          <${Field} label="How many" problem=${problems.count} control=${(/** @type {object} */ is) => html`<input ...${is} name="count" type="number" inputmode="numeric" min="1" max=${MOST} value=${given.count} onInput=${set("count")} />`} />
          <${Field} label="Name" problem=${problems.name} control=${(/** @type {object} */ is) => html`<input ...${is} name="name" maxLength="190" autocomplete="off" placeholder=${from.found[0]?.name ?? ""} value=${given.name} onInput=${set("name")} />`} />`}
        <${Field} label="Player" problem=${problems.player} control=${(/** @type {object} */ is) => html`
          <select ...${is} name="player" value=${given.player} onChange=${set("player")}>
            ${from.isFile && html`<option value=${AS_IN_FILE}>as in the file</option>`}
            <option value=${GM}>the gamemaster</option>
            ${players.map((name) => html`<option value=${name}>${name}</option>`)}
          </select>`} />
        <${Field} label="Side" problem=${problems.side} hint="Empty: the players’, or the gamemaster’s." control=${(/** @type {object} */ is) => html`<input ...${is} name="side" maxLength="200" list=${list} autocomplete="off" value=${given.side} onInput=${set("side")} />`} />
        <datalist id=${list}>${sides.map((side) => html`<option value=${side} />`)}</datalist>
      </div>
      <label class="check"><input type="checkbox" name="hidden" checked=${given.isHidden} onChange=${() => give((now) => ({ ...now, isHidden: !now.isHidden }))} /> Hidden from all but the gamemaster and who plays it, until revealed</label>
      <p class="acts"><button class="main" disabled=${isBusy}>${isBusy ? "Adding…" : "Add"}</button></p>
    </form>`;
}
