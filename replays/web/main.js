/** The page of a server: finds out whose it is, and shows the sessions or one of them. */
import { Affray } from "/client/affray.js";
import * as address from "./address.js";
import { App } from "./app/app.js";
import { html, render } from "./vendor/preact.js";

const place = /** @type {HTMLElement} */ (document.getElementById("page"));

/** Shows what the address names. */
async function show() {
  const moment = address.read();
  const token = address.token();
  const draw = (/** @type {object} */ given) => render(html`<${App} ...${given} moment=${moment} again=${show} />`, place);
  if (!token) return draw({});
  try {
    const affray = new Affray(location.origin, { token });
    draw({ affray, me: await affray.me() });
  } catch (error) {
    address.forget();
    draw({ trouble: error instanceof Error ? error.message : String(error) });
  }
}

window.addEventListener("hashchange", () => location.reload());
void show();
