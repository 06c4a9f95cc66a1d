/** The page of a study: the study, with the way back. */
import { html } from "../vendor/preact.js";
import { useChanges } from "../parts/changes.js";
import { Study } from "./study.js";

/** @param {{theatre: import("../theatre/theatre.js").Theatre, go: (view: import("../types.js").View, at?: number) => void}} props */
export function StudyPage({ theatre, go }) {
  useChanges(theatre);
  const { session, affray } = theatre.source;
  if (!session || !affray) return null;
  return html`
    <div class="theatre">
      <header class="bar"><h1>${theatre.outline.title || "Untitled"}</h1><span class="soft">What if, from entry ${theatre.at}</span></header>
      <main><${Study} session=${session} schemas=${(/** @type {string} */ name) => affray.schemas(name)} outline=${theatre.outline} at=${theatre.at} close=${() => go("console", theatre.last)} /></main>
    </div>`;
}
