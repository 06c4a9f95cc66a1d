/**
 * The printings of a game, and the profile that a sensible table plays.
 *
 * @typedef {{name: string, source: string, [field: string]: unknown}} Profile
 */
import { html } from "../vendor/preact.js";
import { words } from "../parts/words.js";

/** The profile that is proposed where a game has it; as `affray fight` does. */
const PROPOSED = "table";
/** Fields of a profile that are no rules. */
const ABOUT = new Set(["name", "source", "confidence", "ruling"]);

/** Returns the profiles with the proposed one first. @param {Profile[]} profiles */
export const proposedFirst = (profiles) => [...profiles.filter(isProposed), ...profiles.filter((each) => !isProposed(each))];

/** @param {Profile} profile */
const isProposed = ({ name }) => name === PROPOSED;

/** Returns a profile as an option of a list. @param {Profile} profile  @param {Profile | undefined} printed */
export const nameOf = (profile, printed) => profile.name + (isProposed(profile) ? " (proposed)" : profile === printed ? " (as printed)" : "");

/** What a profile means: how it differs from the rules as printed. @param {{profile: Profile, printed: Profile}} props */
export function Meaning({ profile, printed }) {
  const differs = Object.keys(profile).filter((field) => !ABOUT.has(field) && valueInWords(profile[field]) !== valueInWords(printed[field]));
  const kind = isProposed(profile) ? "What a sensible table plays where the books are open to several readings" : profile === printed ? "The rules as they are printed" : "Another printing";
  if (!differs.length) return html`<p class="soft">${kind}${profile === printed ? "." : `, with the same rules as “${printed.name}”.`}</p>`;
  return html`
    <p class="soft">${kind}.</p>
    <details class="soft">
      <summary>${differs.length} ${differs.length === 1 ? "rule differs" : "rules differ"} from “${printed.name}”</summary>
      <ul>${differs.map((field) => html`<li>${words(field)}: ${valueInWords(profile[field])}, not ${valueInWords(printed[field])}</li>`)}</ul>
    </details>`;
}

/** Returns the value of a field in words. @param {unknown} value @returns {string} */
function valueInWords(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(valueInWords).join(", ") || "none";
  return words(String(value));
}
