/** Asks for a token. */
import { html } from "../vendor/preact.js";
import * as address from "../address.js";

/** @param {{trouble: string, again: () => void}} props */
export function Entrance({ trouble, again }) {
  const given = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const text = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("token")).trim();
    address.remember(new URLSearchParams(text.split("#")[1] ?? "").get("token") ?? text); // a whole link holds it, too
    again();
  };
  return html`
    <main class="entrance">
      <h1>Affray</h1>
      <p>Open the link of your seat, or give its token. The host of the server prints their own with <code>affray token</code>.</p>
      ${trouble && html`<p class="notice bad" role="alert">${trouble}</p>`}
      <form onSubmit=${given}><label>Token <input name="token" type="password" required autocomplete="off" /></label> <button class="main">Open</button></form>
    </main>`;
}
