/**
 * The recap: who went down, the turning points with their chances, luck, and corrections; each leads to its entry.
 *
 * @typedef {import("../theatre/theatre.js").Theatre} Theatre
 * @typedef {import("../types.js").Recap} Recap
 */
import { html, useEffect, useState } from "../vendor/preact.js";
import { isolated, words } from "./words.js";

/** @param {{theatre: Theatre}} props */
export function RecapDrawer({ theatre }) {
  const [recap, show] = useState(/** @type {Recap | undefined} */ (undefined));
  useEffect(() => {
    let isWanted = true;
    void theatre.troubles.attempt("recap", theatre.source.recap()).then((found) => { if (isWanted) show(found); });
    return () => { isWanted = false; };
  }, [theatre, theatre.last]);
  return html`
    <section class="drawer" aria-label="Recap">
      <h2>Recap</h2>
      <button class="quiet close" onClick=${() => theatre.show("none")}>Close</button>
      ${recap ? contents(theatre, recap) : html`<p class="soft" role="status">Computing…</p>`}
    </section>`;
}

/** @param {Theatre} theatre  @param {Recap} recap */
function contents(theatre, recap) {
  const deed = (/** @type {{by: string, about: string, using?: string} | null} */ each) => (each ? `${each.by}: ${each.about}${each.using ? ` with ${each.using}` : ""}` : "without an attack");
  const drops = recap.drops.map((each) => ({ entry: each.entry, text: `${each.name} is ${words(each.condition)}. ${deed(each.deed)}.` }));
  const turns = recap.turning_points.map((each) => ({ entry: each.entry, text: `${deed(each.deed)}: ${each.outcome}${each.chance ? `, with a chance of ${percent(each.chance)}` : ""}.` }));
  const corrections = recap.corrections.map((each) => ({ entry: each.entry, text: `${each.by} ${each.kind} ${each.about}${each.changes.length ? `: ${each.changes.join("; ")}` : ""}.${each.effects.length ? ` ${each.effects.join("; ")}.` : ""}${each.why && ` “${each.why}”`}` }));
  return html`
    ${list(theatre, "Who went down", drops)}
    ${list(theatre, "Turning points", turns)}
    ${list(theatre, "Corrections", corrections)}
    <h3>Dice</h3>
    ${recap.luck ? html`
      <table>
        <thead><tr><th scope="col">Who</th><th scope="col">Dice</th><th scope="col">Mean</th><th scope="col">Expected</th></tr></thead>
        <tbody>${recap.luck.faces.filter((each) => each.by === "person").map((each) => html`
          <tr><th scope="row">${each.who}</th><td>${each.dice} d${each.sides}</td><td>${each.mean.toFixed(2)}${each.unusual && html` <b class="bad">unusual</b>`}</td><td>${each.expected.toFixed(2)}</td></tr>`)}
        </tbody>
      </table>` : html`<p class="soft">No dice that can be seen here.</p>`}`;
}

/** @param {Theatre} theatre  @param {string} title  @param {{entry: number, text: string}[]} rows */
function list(theatre, title, rows) {
  return html`
    <h3>${title}</h3>
    ${rows.length === 0 && html`<p class="soft">None.</p>`}
    <ol class="log">${rows.map(({ entry, text }) => html`<li><button onClick=${() => theatre.go(entry)}><i>${entry}</i> <span>${isolated(text, theatre.outline)}</span></button></li>`)}</ol>`;
}

/** @param {{chance: number, error: number}} found */
const percent = ({ chance, error }) => `${Math.round(100 * chance)} %${error ? ` ± ${Math.max(1, Math.round(100 * error))}` : ""}`;
