/**
 * How combatants stand, wherever they are shown: their order, the sign of whose turn it is, and the bars of their health.
 *
 * @typedef {import("../types.js").Outline} Outline
 * @typedef {import("../types.js").State} State
 */
import { html } from "../vendor/preact.js";
import { colorOf } from "./words.js";

/** Returns the combatants in the order of their initiative; those without one are the last. @param {State} state */
export function inOrder(state) {
  const scores = state.initiative.map(([who]) => who);
  return [...new Set([...scores, ...Object.keys(state.combatants)])].filter((who) => who in state.combatants);
}

/** The sign of a combatant. @param {{outline: Outline, state: State, who: string}} props */
export const Sign = ({ outline, state, who }) => html`<span class="sign ${colorOf(outline, who)}" aria-hidden="true">${state.active === who ? "▶" : "●"}</span>`;

/** What is left of a track. @param {{outline: Outline, who: string, has: {taken: number, capacity: number}}} props */
export function Bar({ outline, who, has: { taken, capacity } }) {
  const left = capacity ? Math.max(0, Math.min(1, 1 - taken / capacity)) : 1;
  return html`<span class="track" aria-hidden="true"><i class=${colorOf(outline, who)} style=${{ width: `${Math.round(100 * left)}%` }}></i></span>`;
}
