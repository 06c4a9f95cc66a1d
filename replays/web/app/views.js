/**
 * The views of a session, each loaded when it is shown.
 *
 * @typedef {import("../types.js").View} View
 * @typedef {import("../parts/opened.js").Opened} Opened
 */
import { html } from "../vendor/preact.js";
import { Later } from "../parts/later.js";

/** @type {{[view in View]: () => Promise<(props: any) => unknown>}} */
const PARTS = {
  console: async () => (await import("../console/console.js")).Console,
  phone: async () => (await import("../phone/phone.js")).Phone,
  replay: async () => (await import("../parts/theatre.js")).TheatrePage,
  setup: async () => (await import("../setup/page.js")).SetupPage,
  study: async () => (await import("../study/page.js")).StudyPage,
  screen: async () => (await import("../screen/screen.js")).Screen,
};

/** Returns whether there is a view of this name. @param {string} name @returns {name is View} */
export const isView = (name) => Object.hasOwn(PARTS, name);

/** @param {{view: View, opened: Opened, go: (view: View, at?: number) => void, back?: () => void, leave?: () => void}} props */
export function Shown({ view, opened, go, back, leave }) {
  const { theatre, table } = opened;
  const study = theatre.source.seat === "gm" ? () => go("study", theatre.at) : undefined;
  return html`<${Later} name=${view} load=${PARTS[view]} theatre=${theatre} table=${table} go=${go} leave=${leave} back=${back} study=${study} />`;
}
