/** A part of the page that is loaded when it is shown. */
import { html, useEffect, useState } from "../vendor/preact.js";
import { Trouble } from "../parts/trouble.js";

/** @param {{name: string, load: () => Promise<(props: any) => unknown>, [prop: string]: unknown}} props what follows `load` is the part's */
export function Later({ name, load, ...given }) {
  const [found, show] = useState(/** @type {{name: string, part: ((props: any) => unknown) | null}} */ ({ name: "", part: null }));
  const [trouble, tell] = useState("");
  useEffect(() => {
    let isWanted = true;
    load().then((part) => { if (isWanted) show({ name, part }); }, (/** @type {Error} */ error) => tell(error.message));
    return () => { isWanted = false; };
  }, [name]);
  if (trouble) return html`<main class="entrance"><${Trouble} words=${trouble} /></main>`;
  if (found.name !== name || !found.part) return html`<main class="entrance"><p class="soft" role="status">Opening…</p></main>`;
  return html`<${found.part} ...${given} />`;
}
