/** A part of the page that is loaded when it is shown. */
import { html, useEffect, useState } from "../vendor/preact.js";
import { Trouble } from "./trouble.js";

/** @param {{name: string, load: () => Promise<(props: any) => unknown>, look?: string, [prop: string]: unknown}} props `look` is the class of its place within a view; what follows is the part's */
export function Later({ name, load, look, ...given }) {
  const [found, show] = useState(/** @type {{name: string, part: ((props: any) => unknown) | null}} */ ({ name: "", part: null }));
  const [trouble, tell] = useState("");
  const [attempt, again] = useState(0);
  useEffect(() => {
    let isWanted = true;
    tell("");
    load().then((part) => { if (isWanted) show({ name, part }); }, (/** @type {Error} */ error) => { if (isWanted) tell(error.message); });
    return () => { isWanted = false; };
  }, [name, attempt]);
  const placed = (/** @type {unknown} */ content) => (look === undefined ? html`<main class="entrance">${content}</main>` : html`<div class=${look}>${content}</div>`);
  if (trouble) return placed(html`<${Trouble} words=${trouble} /><button onClick=${() => again(attempt + 1)}>Try again</button>`);
  if (found.name !== name || !found.part) return placed(html`<p class="soft" role="status">Opening…</p>`);
  return html`<${found.part} ...${given} />`;
}
