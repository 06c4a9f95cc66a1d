/**
 * The drawer that explains a number: its parts, each with its page, its entry and its person, down to the dice.
 *
 * @typedef {import("../theatre/theatre.js").Theatre} Theatre
 * @typedef {import("../types.js").Why} Why
 * @typedef {import("../types.js").Part} Part
 */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { isolated, words } from "./words.js";

/** @param {{theatre: Theatre, at: number, asked: string}} props */
export function WhyDrawer({ theatre, at, asked }) {
  const keys = asked ? [asked] : (theatre.pages.step(at)?.keys ?? []);
  const [answer, show] = useState(/** @type {{to: string, all: (Why | string)[]}} */ ({ to: "", all: [] }));
  const question = `${at} ${keys.join()}`;
  const found = answer.to === question ? answer.all : null;
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => title.current?.focus(), [asked]);
  useEffect(() => {
    let isWanted = true;
    const reasons = keys.map((key) => theatre.source.why(key, at).catch((/** @type {Error} */ error) => error.message));
    void Promise.all(reasons).then((all) => { if (isWanted) show({ to: question, all }); });
    return () => { isWanted = false; };
  }, [question]);
  return html`
    <aside class="drawer why" aria-labelledby="why-title">
      <h2 id="why-title" tabindex="-1" ref=${title}>Why, as of entry ${at}</h2>
      <button class="quiet close" onClick=${() => theatre.show("none")}>Close</button>
      ${keys.length === 0 && html`<p class="soft">This entry has no numbers. Choose another, or a number of the tracker.</p>`}
      ${keys.length > 0 && found === null && html`<p class="soft">…</p>`}
      ${keys.length > 0 && found?.map((each) => (typeof each === "string" ? html`<p class="bad">${each}</p>` : html`<${Explanation} key=${each.subject} theatre=${theatre} why=${each} />`))}
    </aside>`;
}

/** One explanation, and those it leads to. @param {{theatre: Theatre, why: Why}} props @returns {import("../vendor/preact.js").Element} */
export function Explanation({ theatre, why }) {
  return html`
    <section class="reason">
      <h3>${isolated(why.title, theatre.outline)}</h3>
      ${theatre.mends(why.subject)}
      <table><tbody>${why.parts.map((each) => row(theatre, each))}</tbody></table>
      ${(why.leads_to ?? []).map((each) => html`<${Explanation} key=${each.subject} theatre=${theatre} why=${each} />`)}
    </section>`;
}

/** @param {Theatre} theatre  @param {Part} part */
function row(theatre, part) {
  return html`
    <tr>
      <td class="value">${part.what === "dice" ? dice(String(part.value)) : part.value}</td>
      <td>${part.what !== "dice" && html`<span>${words(part.what)}</span> `}${part.why && html`<span class="reason-words">${isolated(part.why, theatre.outline)}</span>`}
        ${part.source && html` <cite>${part.source}</cite>`}
        <span class="soft"><bdi>${part.by}</bdi>, <button class="link" onClick=${() => theatre.go(part.entry)}>entry ${part.entry}</button>${part.origin ? ` (again entry ${part.origin})` : ""}</span></td>
    </tr>`;
}

/** @param {string} faces such as `5 6 2` */
const dice = (faces) => faces.split(" ").map((face) => html`<span class="die">${face}</span>`);
