/** The list of keys. */
import { html } from "../vendor/preact.js";
import { KEYS } from "../theatre/keys.js";

/** @param {{close: () => void}} props */
export function Help({ close }) {
  const opened = (/** @type {HTMLDialogElement | null} */ dialog) => { if (dialog && !dialog.open) dialog.showModal(); };
  return html`
    <dialog ref=${opened} onClose=${close} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <table><tbody>${KEYS.map(([key, what]) => html`<tr><th scope="row"><kbd>${key}</kbd></th><td>${what}</td></tr>`)}</tbody></table>
      <form method="dialog"><button class="main">Close</button></form>
    </dialog>`;
}
