/** The log: every entry is a button in an ordered list. Only chunks near the eye are in the document. */
import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { PAGE, pageOf } from "../record/pages.js";
import { rows } from "./rows.js";
import { keepInSight } from "./sight.js";

/** @typedef {import("../theatre/theatre.js").Theatre} Theatre */

/** Pixels of a row, about; the place of a chunk that is not in the document is reckoned with it. */
const ROW = 34;

/** @param {{theatre: Theatre, at: number, title?: string}} props */
export function Log({ theatre, at, title = "Log to here" }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const kept = useRef(/** @type {Map<number, {on: unknown[], chunk: unknown}> | null} */ (new Map()));
  useEffect(() => {
    const row = list.current?.querySelector("[aria-current]");
    const box = list.current;
    if (row && box) keepInSight(box, row);
  }, [at, theatre.pages.step(at), theatre.open]); // what is opened beside it makes it narrower
  const isPrinting = document.documentElement.classList.contains("printing");
  const unfolded = [...theatre.unfolded].join();
  const chunks = Array.from({ length: theatre.pages.count }, (_, page) => {
    const place = Math.min(Math.max(at, page * PAGE), (page + 1) * PAGE + 1); // before, in or after the chunk
    const on = [theatre.pages.steps(page), place, theatre.outline, unfolded, isPrinting];
    const known = kept.current?.get(page);
    if (known && on.every((each, nth) => each === known.on[nth])) return known.chunk; // nothing of it has changed
    const chunk = html`<${Chunk} key=${page} theatre=${theatre} page=${page} at=${at} isPrinting=${isPrinting} />`;
    kept.current?.set(page, { on, chunk });
    return chunk;
  });
  return html`
    <section class="column record" ref=${list} aria-label="Log" tabindex="-1">
      <h2>${title}</h2>
      ${chunks}
    </section>`;
}

/** @param {{theatre: Theatre, page: number, at: number, isPrinting: boolean}} props */
function Chunk({ theatre, page, at, isPrinting }) {
  const [isNear, see] = useState(false);
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const root = place.current?.closest(".record") ?? null;
    const watcher = new IntersectionObserver((seen) => see(seen.some((each) => each.isIntersecting)), { root, rootMargin: "600px" });
    if (place.current) watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => { if (isNear) void theatre.load(page); }, [isNear, page]);
  const steps = pageOf(at) === page || isNear || isPrinting ? theatre.pages.steps(page) : [];
  const size = Math.min(PAGE, theatre.last - page * PAGE);
  return html`
    <div class="chunk" ref=${place}>
      ${steps.length
        ? html`<ol class="log" start=${page * PAGE + 1}>${rows(theatre, steps, at)}</ol>`
        : html`<div aria-hidden="true" style=${{ height: `${size * ROW}px` }}></div>`}
    </div>`;
}
