/** The figures of the drawing of chances, as a table. */
import { html } from "../vendor/preact.js";
import { chanceInWords } from "./band.js";

/**
 * @param {{found: readonly import("../types.js").FightChances[], people: readonly {who: string, name: string}[],
 *   go: (entry: number) => void}} props
 */
export function ChancesTable({ found, people, go }) {
  return html`
    <details>
      <summary>Figures, and how they are estimated</summary>
      <div class="scrolls" tabindex="0" role="region" aria-label="Figures of the chances">
        <table>
          <thead><tr><th scope="col">After entry</th>${people.map((one) => html`<th scope="col">${one.name}</th>`)}<th scope="col">Fights played</th></tr></thead>
          <tbody>${found.map((each) => html`
            <tr key=${each.entry}>
              <th scope="row"><button class="link" onClick=${() => go(each.entry)}>${each.entry}</button></th>
              ${people.map(({ who }) => html`<td>${figure(each.combatants.find((one) => one.who === who))}</td>`)}
              <td>${each.samples || "none: it is over"}</td>
            </tr>`)}
          </tbody>
        </table>
      </div>
      <p>Estimated by playing the fight on, for at most ${found[0]?.rounds} further rounds; the bands are 90 % intervals. ${found[0]?.policy}</p>
    </details>`;
}

/** @param {import("./band.js").StandingChance | undefined} one */
const figure = (one) => (one ? chanceInWords(one) : "–");
