/**
 * Chances over time: who is standing at the end, as estimated where turns begin, each with its 90 % band. They are loaded
 * only while this is open, one after another.
 *
 * @typedef {import("../theatre/theatre.js").Theatre} Theatre
 */
import { boundaries } from "../record/boundaries.js";
import { Estimates } from "../theatre/estimates.js";
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { Later } from "./later.js";

const drawing = async () => (await import("./chances_drawing.js")).ChancesDrawing;

/** @param {{theatre: Theatre, at: number, last: number}} props */
export function Chances({ theatre, at, last }) {
  const [isOpen, open] = useState(false);
  const [, draw] = useState(0);
  const { outline } = theatre;
  const entries = useMemo(() => boundaries(theatre.record), [outline]);
  const estimates = useMemo(() => new Estimates(theatre.source, () => draw((now) => now + 1)), [theatre, outline.disclosures]);
  useEffect(() => { if (isOpen) estimates.want(entries); }, [isOpen, estimates, entries]);
  useEffect(() => (isOpen ? () => estimates.stop() : undefined), [isOpen, estimates]);
  if (!theatre.source.chances || !entries.length) return null;
  return html`
    <section class="chances" aria-label="Chances">
      <details onToggle=${(/** @type {Event} */ event) => open(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)}>
        <summary>Chances of standing at the end</summary>
        ${isOpen && html`<${Later} name="chances" load=${drawing} look="" theatre=${theatre} at=${at} last=${last} entries=${entries} estimates=${estimates} />`}
      </details>
    </section>`;
}
