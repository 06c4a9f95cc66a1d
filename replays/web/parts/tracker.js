/**
 * The tracker, as it stood after an entry. What the entry changed is marked; every number can be asked why.
 *
 * @typedef {import("../theatre/theatre.js").Theatre} Theatre
 * @typedef {import("../types.js").CombatantView} CombatantView
 * @typedef {import("../types.js").State} State
 */
import { html } from "../vendor/preact.js";
import { changes } from "../record/changes.js";
import { Bar, Sign, inOrder } from "./combatants.js";
import { words, woundsInWords } from "./words.js";

/**
 * @param {{theatre: Theatre, at: number, state?: State, before?: State, only?: (who: string) => boolean, caption?: string, label?: string}} props
 * `state` is shown in place of that after the entry, `before` is what its changes are marked against, `only` who is shown
 */
export function Tracker({ theatre, at, state = theatre.pages.state(at), before = theatre.pages.state(at - 1), only = () => true, caption = `As it stood after entry ${at}`, label = "Tracker" }) {
  if (!state) return html`<section class="column tracker" aria-label="Tracker"><h2>Tracker</h2><p class="soft">…</p></section>`;
  const changed = changes(before, state);
  const scores = new Map(state.initiative);
  const cell = (/** @type {string} */ of, /** @type {unknown} */ shown, label = of) => html`
    <button class=${changed.has(of) ? "number changed" : "number"} aria-label=${`${label}${changed.has(of) ? ", changed" : ""}: why?`} onClick=${() => theatre.show("why", of)}>${shown}</button>`;
  return html`
    <section class="column tracker" aria-label=${label}>
      <table>
        <caption>${caption}</caption>
        <thead><tr><th scope="col">Combatant</th><th scope="col">Initiative</th><th scope="col">Health</th><th scope="col">State</th></tr></thead>
        <tbody>${inOrder(state).filter(only).map((who) => {
          const one = /** @type {CombatantView} */ (state.combatants[who]);
          const isActive = state.active === who;
          return html`<tr key=${who} class=${isActive ? "active" : ""}>
            <th scope="row"><${Sign} outline=${theatre.outline} state=${state} who=${who} /> ${one.name}${isActive && html`<span class="unseen"> (their turn)</span>`}<span class="soft player">${one.player}</span></th>
            <td>${scores.has(who) && cell(`${who}.initiative`, scores.get(who), `${one.name}, initiative ${scores.get(who)}`)}</td>
            <td>${Object.entries(one.tracks).filter(([name, has], nth) => nth === 0 || has.taken || changed.has(`${who}.${name}`)).map(([name, has]) => bar(cell, theatre, who, one, name, has))}</td>
            <td class="tags">${tags(cell, who, one)}</td>
          </tr>`;
        })}</tbody>
      </table>
      ${state.rests.length > 0 && html`<p class="waits"><b>Waits for</b> ${state.rests.map((each) => `${state.combatants[each.by]?.name ?? each.by}: ${each.purpose}`).join("; ")}</p>`}
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

/** @param {Cell} cell  @param {string} who  @param {CombatantView} one */
function tags(cell, who, one) {
  const wounds = one.wounds ? [cell(`${who}.wounds`, html`<b class="bad">${woundsInWords(one.wounds)}</b>`, `${one.name}, wounds ${one.wounds}`)] : [];
  const conditions = one.conditions.map((each) => cell(`${who}.${each.name}`, html`<span class="bad">${words(each.name)}${each.level === undefined ? "" : ` ${each.level}`}</span>`, `${one.name} is ${words(each.name)}`));
  const resources = Object.entries(one.resources).map(([name, has]) => cell(`${who}.${name}`, html`${words(name)} ${has.left}${has.of ? html`<span class="soft">/${has.of}</span>` : ""}`, `${one.name}, ${words(name)} ${has.left}`));
  return [...wounds, ...conditions, ...resources];
}
