/**
 * Goes on at the end of a branch: the faces of a roll that is open, or the option of a choice.
 *
 * @typedef {import("../types.js").BranchLine} BranchLine
 * @typedef {import("../types.js").GoesOn} GoesOn
 * @typedef {BranchLine["state"]["rests"][number]} Rest
 */
import { html, useState } from "../vendor/preact.js";
import { Trouble } from "../parts/trouble.js";
import { words } from "../parts/words.js";
import { accepted, faces } from "./dice.js";

/** @param {{line: BranchLine, goOn: (name: string, then: GoesOn) => Promise<void>}} props */
export function Answers({ line, goOn }) {
  const rests = line.state.rests.filter((each) => each.dice || each.options);
  return html`${rests.map((rest) => html`<${Answer} key=${rest.key} rest=${rest} line=${line} goOn=${goOn} />`)}`;
}

/** @param {{rest: Rest, line: BranchLine, goOn: (name: string, then: GoesOn) => Promise<void>}} props */
function Answer({ rest, line, goOn }) {
  const [text, type] = useState(rest.default ?? rest.options?.[0]?.option ?? "");
  const [trouble, tell] = useState("");
  const [isAsking, ask] = useState(false);
  const who = line.state.combatants[rest.by]?.name ?? rest.by;
  const known = line.report?.needs_a_person.find((each) => each.key === rest.key)?.known ?? [];
  const id = `answer-${rest.key}`;
  const typed = (/** @type {Event} */ event) => type(/** @type {HTMLInputElement} */ (event.target).value);
  const sent = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const thrown = faces(text);
    if (rest.dice && !thrown) return tell("Faces are numbers, such as 3 5.");
    ask(true);
    try {
      await goOn(`${who}: ${words(text)}`, rest.dice ? { type: "TypeDice", key: rest.key, faces: thrown ?? [] } : { type: "Choose", key: rest.key, option: text });
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      ask(false);
    }
  };
  return html`
    <form class="study-answer" onSubmit=${sent}>
      <label for=${id}><b>${who}</b>: ${rest.purpose}</label>
      ${rest.dice ? html`<input id=${id} type="text" inputmode="numeric" autocomplete="off" aria-describedby=${`${id}-about`} value=${text} onInput=${typed} />` : html`
        <select id=${id} value=${text} onChange=${typed}>${rest.options?.map(({ option }) => html`<option value=${option}>${words(option)}</option>`)}</select>`}
      <button disabled=${isAsking}>Go on</button>
      ${rest.dice && html`<small id=${`${id}-about`} class="soft">${accepted(rest.dice)}${known.length > 0 && `; ${known.join(" ")} lie already, type the others`}</small>`}
      ${trouble && html`<${Trouble} words=${trouble} />`}
    </form>`;
}
