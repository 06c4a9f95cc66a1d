/**
 * The combatants of a session: adds them, and removes them.
 *
 * @typedef {import("/client/affray.js").Affray} Affray
 * @typedef {import("/client/affray.js").Session} Session
 * @typedef {import("../types.js").State} State
 * @typedef {{affray: Affray, session: Session, game: string, state: State, players: readonly string[]}} Props
 */
import { html, useMemo, useState } from "../vendor/preact.js";
import { AddCombatants } from "./add_combatants.js";
import { newId } from "./field.js";
import { GM } from "./joins.js";
import { WHOLE, problemsOf } from "./problems.js";

/** How the ids of those begin who joined in secret. */
const HIDDEN = "unseen-";

/**
 * `session` is that of a gamemaster, `state` what it sees now, `game` its ruleset, `players` the names of those who have
 * seats; `affray` has any token of the server.
 *
 * @param {Props} props
 */
export function Combatants({ affray, session, game, state, players }) {
  const [status, tell] = useState("");
  const [trouble, fail] = useState(/** @type {{[who: string]: string}} */ ({}));
  const [leaving, leave] = useState("");
  const title = useMemo(() => newId("combatants"), []);
  const there = Object.entries(state.combatants);
  const sides = [...new Set(there.map(([, { side }]) => side ?? "").filter(Boolean))];
  const remove = async (/** @type {string} */ who, /** @type {string} */ name) => {
    fail({});
    try {
      await session.perform({ type: "Leave", who });
      tell(`${name} has left.`);
    } catch (error) {
      fail({ [who]: problemsOf(error, {})[WHOLE] ?? "" });
    }
  };
  return html`
    <section class="combatants" aria-labelledby=${title}>
      <h2 id=${title}>Combatants</h2>
      ${!there.length && html`<p class="soft">There are none yet.</p>`}
      <ul>${there.map(([who, { name, player, side }]) => html`
        <li key=${who}>
          <strong>${name}</strong>
          <span class="soft">${[who, player === GM ? "" : `played by ${player}`, side, who.startsWith(HIDDEN) ? "joined in secret" : ""].filter(Boolean).join(" · ")}</span>
          ${leaving === who
            ? html`<button class="main" onClick=${() => { leave(""); void remove(who, name); }}>Remove ${name}</button> <button onClick=${() => leave("")}>Keep</button>`
            : html`<button aria-label=${`Remove ${name}`} onClick=${() => leave(who)}>Remove</button>`}
          ${trouble[who] && html`<p class="bad" role="alert">${trouble[who]}</p>`}
        </li>`)}</ul>
      <p class="soft" role="status">${status}</p>
      <${AddCombatants} affray=${affray} session=${session} game=${game} state=${state} players=${players} sides=${sides} added=${tell} />
    </section>`;
}
