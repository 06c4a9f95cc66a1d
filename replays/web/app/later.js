/** A part of the page that is loaded when it is shown. */
import { html, useEffect, useState } from "../vendor/preact.js";
import { Trouble } from "../parts/trouble.js";

/** @param {{name: string, load: () => Promise<(props: any) => unknown>, [prop: string]: unknown}} props what follows `load` is the part's */
export function Later({ name, load, ...given }) {
  const [found, show] = useState(/** @type {{name: string, part: ((props: any) => unknown) | null}} */ ({ name: "", part: null }));
  const [trouble, tell] = useState("");
  const [attempt, again] = useState(0);
  useEffect(() => {
    let isWanted = true;
    tell("");
    load().then((part) => { if (isWanted) show({ name, part }); }, (/** @type {Error} */ error) => { if (isWanted) tell(error.message); });
    return () => { isWanted = false; };
  }, [name, attempt]);
  if (trouble) return html`<main class="entrance"><${Trouble} words=${trouble} /><button onClick=${() => again(attempt + 1)}>Try again</button></main>`;
  if (found.name !== name || !found.part) return html`<main class="entrance"><p class="soft" role="status">Opening…</p></main>`;
  return html`<${found.part} ...${given} />`;
}
