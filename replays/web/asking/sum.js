/** The sum that a roll is made against, part by part. */
import { html } from "../vendor/preact.js";

/** @param {{rest: import("../types.js").OpenRest, why?: () => void}} props */
export function Sum({ rest, why }) {
  const parts = rest.parts ?? [];
  if (!parts.length && rest.target === undefined) return null;
  return html`
    <p class="sum">
      ${parts.map((each, nth) => html`<span>${nth && each.value >= 0 ? "+" : ""}${String(each.value).replace("-", "−")} <em>${each.why}</em></span>`)}
      ${rest.hidden !== undefined && html`<span><em>and a part that is hidden</em></span>`}
      ${rest.target !== undefined && html`<b>= ${rest.target}</b>`}
      ${why && html`<button type="button" class="link" onClick=${why}>why</button>`}
    </p>`;
}
