/** A QR code, drawn as an SVG of the page: the policy allows no images but files of the server. */
import { html, useEffect, useState } from "../vendor/preact.js";

/** @param {{affray: import("/client/affray.js").Affray, text: string, label: string}} props */
export function QrCode({ affray, text, label }) {
  const [drawn, show] = useState(/** @type {import("../types.js").QrCode | null} */ (null));
  const [trouble, tell] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    show(null);
    tell("");
    affray.qr(text, { signal: stop.signal }).then(show, (error) => { if (!stop.signal.aborted) tell(error.message); });
    return () => stop.abort();
  }, [text]);
  if (trouble) return html`<p class="bad" role="alert">${trouble}</p>`;
  if (!drawn) return html`<p class="soft" role="status">Drawing…</p>`;
  return html`<svg class="qr" role="img" aria-label=${label} viewBox="0 0 ${drawn.size} ${drawn.size}"><path d=${drawn.path} /></svg>`;
}
