/** A modifier that the gamemaster gives to a roll, open or thrown. */
import { html, useState } from "../vendor/preact.js";
import { useOnce } from "../parts/once.js";

/** @param {{table: import("../table/table.js").Table, of: string}} props `of` is the roll's key, or a shorthand */
export function Modifier({ table, of }) {
  const [round, begin] = useState(0); // a form that was sent is made anew
  const send = useOnce(async (/** @type {string} */ line) => { if (await table.sendNext(line)) begin(round + 1); });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const value = Number(given.get("value"));
    void send(`modify ${of} ${value < 0 ? "" : "+"}${value} ${given.get("why")}`.trim());
  };
  return html`
    <details class="modifier" key=${round}><summary>± modifier</summary>
      <form class="dice" onSubmit=${submit}>
        <label>Modifier <input name="value" type="number" required step="1" min="-999" max="999" /></label>
        <label>because <input name="why" maxlength="400" autocomplete="off" /></label>
        <button>Modify</button>
      </form>
    </details>`;
}
