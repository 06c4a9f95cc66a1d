/** Gives a seat to one more player. */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { useOnce } from "../parts/once.js";
import { Field, focusProblem, valueOf } from "./field.js";
import { WHOLE, problemsOf } from "./problems.js";

/** @param {{add: (name: string) => Promise<unknown>}} props */
export function NewSeat({ add }) {
  const [name, type] = useState("");
  const [problem, tell] = useState("");
  const [status, report] = useState("");
  const form = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => focusProblem(form.current), [problem]);
  const give = useOnce(async (/** @type {string} */ given) => {
    try {
      await add(given);
      tell("");
      type((now) => (now.trim() === given ? "" : now));
      report(`${given} has a link.`);
    } catch (error) {
      const problems = problemsOf(error, { name: "name" });
      tell(problems.name ?? problems[WHOLE] ?? "");
    }
  });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const given = name.trim();
    if (given) void give(given);
    else tell("A name is missing.");
  };
  return html`
    <form class="row" ref=${form} onSubmit=${submit} noValidate>
      <${Field} label="One more player" problem=${problem} control=${(/** @type {object} */ is) => html`<input ...${is} name="player" maxLength="200" autocomplete="off" value=${name} onInput=${(/** @type {Event} */ event) => type(valueOf(event))} />`} />
      <button>Give a seat</button>
      <p class="soft" role="status">${status}</p>
    </form>`;
}
