/**
 * Sets up a new fight, step by step: the session, the links of its seats, its combatants.
 *
 * @typedef {import("/client/affray.js").Affray} Affray
 * @typedef {import("/client/affray.js").Session} Session
 * @typedef {import("/client/affray.js").Created} Created
 * @typedef {import("../types.js").State} State
 */
import { html, useEffect, useState } from "../vendor/preact.js";
import { Trouble } from "../parts/trouble.js";
import { seatToken } from "../source/seats.js";
import { Combatants } from "./combatants.js";
import { NewFight } from "./new_fight.js";

/** @param {{affray: Affray, open: (session: string) => void, cancel: () => void}} props */
export function Setup({ affray, open, cancel }) {
  const [made, go] = useState(/** @type {{id: string, game: string} | null} */ (null));
  if (!made) return html`<${NewFight} affray=${affray} cancel=${cancel} done=${(/** @type {Created} */ created, /** @type {string} */ game) => go({ id: created.id, game })} />`;
  return html`<${Bringing} affray=${affray} id=${made.id} game=${made.game} open=${() => open(made.id)} />`;
}

/** Adds the combatants of a session. @param {{affray: Affray, id: string, game: string, open: () => void}} props */
function Bringing({ affray, id, game, open }) {
  const [session, sit] = useState(/** @type {Session | null} */ (null));
  const [state, show] = useState(/** @type {State | null} */ (null));
  const [players, list] = useState(/** @type {string[]} */ ([]));
  const [trouble, tell] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    const begin = async () => {
      const seats = affray.session(id);
      list(playersOf(await seats.tokens()));
      const own = affray.session(id, { token: await seatToken(seats, { seat: "gm", name: "gm" }) });
      const live = await own.live({ signal: stop.signal });
      live.on("state", show);
      show(live.state);
      sit(own);
    };
    begin().catch((/** @type {Error} */ error) => tell(error.message));
    return () => stop.abort();
  }, [id]);
  if (trouble) return html`<main class="setup"><${Trouble} words=${trouble} /></main>`;
  if (!session || !state) return html`<main class="setup"><p class="soft" role="status">Opening…</p></main>`;
  return html`
    <main class="setup">
      <h1>${state.title || "A fight"}</h1>
      <${Combatants} affray=${affray} session=${session} game=${game} state=${state} players=${players} />
      <p><button class="main" onClick=${open}>Open the fight</button></p>
    </main>`;
}

/** Returns the names of the players who have seats. @param {readonly import("../types.js").Known[]} tokens */
export const playersOf = (tokens) => [...new Set(tokens.filter(({ seat, revoked }) => seat === "player" && !revoked).map(({ name }) => name))];
