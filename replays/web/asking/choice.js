/**
 * A choice that is asked for: its answers as buttons, with the numbers they lead to; those that are refused, and why.
 *
 * @typedef {import("../types.js").TableAnswer} TableAnswer
 */
import { html, useState } from "../vendor/preact.js";
import { words } from "../parts/words.js";

/** How many answers are shown at once. */
const FEW = 8;
/** The answer that ends a turn: it is always shown. */
const END = "end";

/** @param {{table: import("../table/table.js").Table, isSecret?: boolean}} props */
export function Choice({ table, isSecret = false }) {
  const { question } = table;
  const [isWhole, unfold] = useState(false);
  const allowed = question.answers.filter((each) => each.line);
  const shown = allowed.filter((each, nth) => isWhole || nth < FEW || each.word === END || each.is_default);
  const send = (/** @type {TableAnswer} */ answer) => {
    const words = isAct(answer) ? answer.line : answer.word; // numbers of acts move as the fight does
    return table.send(`${isSecret ? "secret " : ""}${words}`, [], isAct(answer) ? "" : question.key);
  };
  return html`
    <section class="ask choice" aria-label=${`${question.name}: ${question.purpose}`}>
      <h3>${question.name}: ${question.purpose}</h3>
      ${question.standing && html`<p class="soft">${question.standing}</p>`}
      <ul class="answers">
        ${shown.map((each, nth) => html`<li key=${each.line}>${option(each, nth + 1, table.isBusy, () => send(each))}${isAct(each) && html`<button class="quiet" aria-label=${`Add to: ${each.label}`} title="Add terms in the line" onClick=${() => table.write(`${each.label} `)}>…</button>`}</li>`)}
      </ul>
      ${!isWhole && allowed.length > shown.length && html`<button class="quiet" onClick=${() => unfold(true)}>${allowed.length - shown.length} more</button>`}
      ${question.kinds.length > 0 && html`<p class="soft also">Also, with words: ${question.kinds.map((kind) => html`<button class="link" onClick=${() => table.write(`${kind} `)}>${words(kind)}</button> `)}</p>`}
      <${NotNow} answers=${question.answers.filter((each) => each.refused)} />
    </section>`;
}

/** @param {TableAnswer} answer  @param {number} number  @param {boolean} isBusy  @param {() => void} send */
function option(answer, number, isBusy, send) {
  return html`
    <button class=${answer.is_default ? "answer main" : "answer"} disabled=${isBusy} onClick=${send}>
      <i aria-hidden="true">${number}</i> <span>${words(answer.label)}</span>${answer.target !== undefined && answer.target !== null && html` <b class="figure">${answer.target}</b>`}
    </button>`;
}

/** Whether an answer is something done, to which terms can be added. @param {TableAnswer} answer */
const isAct = (answer) => answer.is_act === true;

/** What is not allowed now. @param {{answers: TableAnswer[]}} props */
function NotNow({ answers }) {
  if (!answers.length) return null;
  /** @type {Map<string, string[]>} */
  const reasons = new Map();
  for (const each of answers) reasons.set(each.refused ?? "", [...(reasons.get(each.refused ?? "") ?? []), words(each.label)]);
  return html`
    <details class="not-now"><summary>Not now (${answers.length})</summary>
      <ul>${[...reasons].map(([reason, labels]) => html`<li><span>${labels.slice(0, 4).join(", ")}${labels.length > 4 ? ` and ${labels.length - 4} more` : ""}</span>: <span class="soft">${reason}</span></li>`)}</ul>
    </details>`;
}
