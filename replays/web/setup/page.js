/** The page on which a gamemaster adds combatants to a fight and gives out its seats. */
import { html, useEffect, useState } from "../vendor/preact.js";
import { useChanges } from "../parts/changes.js";
import { useReachable } from "./address.js";
import { Combatants } from "./combatants.js";
import { Seats } from "./seats.js";
import { playersOf } from "./setup.js";

/** @param {{theatre: import("../theatre/theatre.js").Theatre, table: import("../table/table.js").Table, go: (view: import("../types.js").View) => void}} props */
export function SetupPage({ theatre, table, go }) {
  useChanges(table);
  const { affray, session } = theatre.source;
  return affray && session ? html`<${Given} affray=${affray} table=${table} go=${go} />` : null;
}

/** @param {{affray: import("/client/affray.js").Affray, table: import("../table/table.js").Table, go: (view: import("../types.js").View) => void}} props */
function Given({ affray, table, go }) {
  const { session, state } = table;
  const [players, list] = useState(/** @type {readonly string[]} */ ([]));
  const address = useReachable(affray);
  useEffect(() => { session.tokens().then((tokens) => list(playersOf(tokens)), () => {}); }, [session]); // the seats below show why not
  return html`
    <main class="setup">
      <p><button class="main" onClick=${() => go("console")}>Back to the table</button></p>
      <h1>${state.title || "A fight"}</h1>
      <${Combatants} affray=${affray} session=${session} game=${state.ruleset} state=${state} players=${players} />
      <${Seats} affray=${affray} session=${session.id} address=${address} seated=${(/** @type {string} */ name) => list((before) => [...new Set([...before, name])])} />
    </main>`;
}
