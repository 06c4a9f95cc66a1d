/** What went wrong, in words; on a server's page with a way to give another token. */
import { html } from "../vendor/preact.js";
import { forget } from "../address.js";

/** @param {{words: string, isFile?: boolean}} props */
export function Trouble({ words, isFile = false }) {
  const again = () => { forget(); location.reload(); };
  const isOfToken = !isFile && words.startsWith("token/");
  return html`<p class="notice bad" role="alert">${words}${isOfToken && html` <button onClick=${again}>Give another token</button>`}</p>`;
}
