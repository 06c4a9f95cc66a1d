/** The chances of a roll, beside it: they are asked for, and never waited for. */
import { html, useEffect, useState } from "../vendor/preact.js";
import { words } from "../parts/words.js";

/** @typedef {{what: string | number, chance: number}} Chance */

/** @param {{table: import("../table/table.js").Table, of: string}} props `of` is the key of an open roll */
export function Chances({ table, of }) {
  const [found, show] = useState("");
  const at = table.question.last;
  const isHidden = table.state.rests.some((each) => each.key === of && each.hidden !== undefined);
  useEffect(() => {
    show("");
    if (isHidden) return undefined; // a part that is hidden would make them wrong
    const stop = new AbortController();
    table.session.odds({ key: of }, { signal: stop.signal }).then((odds) => show(oddsInWords(odds))).catch(() => {}); // not every roll has odds
    return () => stop.abort();
  }, [of, at]);
  return html`<p class="chance" aria-live="off">${found && html`<span class="soft">Chances</span> ${found}`}</p>`;
}

/** Returns the outcomes of odds in words, the likeliest first. @param {{[name: string]: any}} odds */
export function oddsInWords(odds) {
  /** @type {Chance[]} */
  const outcomes = odds.outcome?.length ? odds.outcome : (odds.tests?.[0]?.outcomes ?? []);
  const some = [...outcomes].sort((one, other) => other.chance - one.chance).slice(0, 4).map((each) => `${words(String(each.what))} ${percent(each.chance)}`);
  const harm = (odds.harm ?? []).slice(0, 2).map((/** @type {any} */ each) => `${each.who}: ${words(each.what)} ${Number(each.mean).toFixed(1)} on average`);
  return [...some, ...harm].join(" · ");
}

/** Returns a chance in percent; what is possible is never 0, nor certain. @param {number} chance */
export function percent(chance) {
  if (chance > 0 && chance < 0.005) return "<1 %";
  if (chance > 0.995 && chance < 1) return ">99 %";
  return `${Math.round(100 * chance)} %`;
}
