/** A modifier that the gamemaster gives to a roll, open or thrown. */
import { html, useState } from "../vendor/preact.js";

/** @param {{table: import("../table/table.js").Table, of: string}} props `of` is the roll's key, or a shorthand */
export function Modifier({ table, of }) {
  const [round, begin] = useState(0); // a form that was sent is made anew
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const value = Number(given.get("value"));
    if (await table.send(`modify ${of} ${value < 0 ? "" : "+"}${value} ${given.get("why")}`.trim())) begin(round + 1);
  };
  return html`
    <details class="modifier" key=${round}><summary>± modifier</summary>
      <form class="dice" onSubmit=${submit}>
        <label>Modifier <input name="value" type="number" required step="1" min="-999" max="999" /></label>
        <label>because <input name="why" maxlength="400" autocomplete="off" /></label>
        <button disabled=${table.isBusy}>Modify</button>
      </form>
    </details>`;
}
