/**
 * The tracker, as it stood after an entry. What the entry changed is marked; every number can be asked why.
 *
 * @typedef {import("../theatre/theatre.js").Theatre} Theatre
 * @typedef {import("../types.js").CombatantView} CombatantView
 * @typedef {import("../types.js").State} State
 */
import { html, useEffect, useRef } from "../vendor/preact.js";
import { changes } from "../record/changes.js";
import { Bar, Sign, inOrder } from "./combatants.js";
import { keepInSight } from "./sight.js";
import { isolated, words, woundsInWords } from "./words.js";

/**
 * @param {{theatre: Theatre, at: number, state?: State, before?: State, only?: (who: string) => boolean, caption?: string, label?: string}} props
 * `state` is shown in place of that after the entry, `before` is what its changes are marked against, `only` who is shown
 */
export function Tracker({ theatre, at, state = theatre.pages.state(at), before = theatre.pages.state(at - 1), only = () => true, caption = `As it stood after entry ${at}`, label = "Tracker" }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const row = box.current?.querySelector("tr.active");
    if (row && box.current) keepInSight(box.current, row);
  }, [at, state, theatre.open]);
  if (!state) return html`<section class="column tracker" aria-label="Tracker"><h2>Tracker</h2><p class="soft">…</p></section>`;
  const changed = changes(before, state);
  const scores = new Map(state.initiative);
  const earlier = new Map(before?.initiative);
  const cell = (/** @type {string} */ of, /** @type {unknown} */ shown, label = of) => html`
    <button class=${changed.has(of) ? "number changed" : "number"} aria-label=${`${label}${changed.has(of) ? ", changed" : ""}: why?`} onClick=${() => theatre.show("why", of)}>${shown}</button>`;
  return html`
    <section class="column tracker" aria-label=${label} ref=${box}>
      <table>
        <caption>${caption}</caption>
        <thead><tr><th scope="col">Combatant</th><th scope="col">Initiative</th><th scope="col">Health</th><th scope="col">State</th></tr></thead>
        <tbody>${inOrder(state).filter(only).map((who) => {
          const one = /** @type {CombatantView} */ (state.combatants[who]);
          const isActive = state.active === who;
          return html`<tr key=${who} class=${isActive ? "active" : ""}>
            <th scope="row"><${Sign} outline=${theatre.outline} state=${state} who=${who} /> ${one.name}${isActive && html`<span class="unseen"> (their turn)</span>`}<span class="soft player">${one.player}</span></th>
            <td>${scores.has(who) ? cell(`${who}.initiative`, scores.get(who), `${one.name}, initiative ${scores.get(who)}`) : changed.has(`${who}.initiative`) && gone(earlier.get(who))}</td>
            <td>${Object.entries(one.tracks).filter(([name, has], nth) => nth === 0 || has.taken || changed.has(`${who}.${name}`)).map(([name, has]) => bar(cell, theatre, who, one, name, has))}</td>
            <td class="tags">${tags(cell, who, one)}${lost(before?.combatants[who], one).map(gone)}</td>
          </tr>`;
        })}</tbody>
      </table>
      ${Object.keys(state.combatants).length === 0 && html`<p class="soft">No combatant has joined yet.</p>`}
      ${state.rests.length > 0 && html`<p class="waits"><b>Waits for</b> ${isolated(state.rests.map((each) => `${state.combatants[each.by]?.name ?? each.by}: ${each.purpose}`).join("; "), theatre.outline)}</p>`}
    </section>`;
}

/** @typedef {(of: string, shown: unknown, label?: string) => import("../vendor/preact.js").Element} Cell */

/** @param {Cell} cell  @param {Theatre} theatre  @param {string} who  @param {CombatantView} one  @param {string} name  @param {{taken: number, capacity: number}} has */
function bar(cell, theatre, who, one, name, has) {
  const { taken, capacity } = has;
  return html`
    <div class="health-bar">
      <${Bar} outline=${theatre.outline} who=${who} has=${has} />
      ${cell(`${who}.${name}`, html`${words(name)} ${taken}${capacity ? html`<span class="soft">/${capacity}</span>` : ""}`, `${one.name}, ${words(name)} ${taken} of ${capacity}`)}
    </div>`;
}

/** What the entry has ended: it was there before. @param {unknown} shown */
const gone = (shown) => html`<span class="number changed"><s>${shown}</s><span class="unseen"> (no longer)</span></span>`;

/** Returns the wounds and conditions that a combatant no longer has, in words. @param {CombatantView | undefined} before  @param {CombatantView} now */
function lost(before, now) {
  if (!before) return [];
  const ended = before.conditions.filter((each) => !now.conditions.some((other) => other.name === each.name));
  return [...(before.wounds && !now.wounds ? [woundsInWords(before.wounds)] : []), ...ended.map(condition)];
}

/** Returns a condition in words. @param {CombatantView["conditions"][number]} one */
const condition = ({ name, level }) => `${words(name)}${level === undefined ? "" : ` ${level}`}`;

/** @param {Cell} cell  @param {string} who  @param {CombatantView} one */
function tags(cell, who, one) {
  const wounds = one.wounds ? [cell(`${who}.wounds`, html`<b class="bad">${woundsInWords(one.wounds)}</b>`, `${one.name}, wounds ${one.wounds}`)] : [];
  const conditions = one.conditions.map((each) => cell(`${who}.${each.name}`, html`<span class="bad">${condition(each)}</span>`, `${one.name} is ${words(each.name)}`));
  const resources = Object.entries(one.resources).map(([name, has]) => cell(`${who}.${name}`, html`${words(name)} ${has.left}${has.of ? html`<span class="soft">/${has.of}</span>` : ""}`, `${one.name}, ${words(name)} ${has.left}`));
  return [...wounds, ...conditions, ...resources];
}
