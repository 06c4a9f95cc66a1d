/**
 * One line in the language of the table: what it understood is shown below while it is typed, with words that may follow.
 *
 * @typedef {import("../types.js").Understood} Understood
 */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";

/** Milliseconds after which a line that is being typed is understood. */
const PAUSE = 120;

/** @param {{table: import("../table/table.js").Table, label?: string}} props */
export function Line({ table, label = "Line" }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [place, choose] = useState(-1);
  const { understood, forget } = useUnderstood(table);
  const line = table.draft;
  const offered = understood.completions ?? [];
  useLayoutEffect(() => { if (line.endsWith(" ") && document.activeElement !== field.current) field.current?.focus(); }, [line]);
  useEffect(() => choose(-1), [understood]);
  const type = (/** @type {string} */ text) => table.write(text);
  const complete = (/** @type {import("../types.js").Completion} */ word) => {
    type(`${line.slice(0, line.length - word.replaces)}${word.text}${word.text.endsWith("=") ? "" : " "}`);
    field.current?.focus();
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = offered[place];
    if (chosen) return complete(chosen);
    const given = (field.current?.value ?? "").trim(); // it may be newer than what was drawn last
    if (!given && (table.isBusy || !table.question.answers.length)) return; // an empty line takes the default, and does nothing else
    forget();
    type("");
    if (!(await table.sendNext(given, given ? "" : table.question.key)) && !table.draft) type(given);
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step && offered.length) choose((now) => (now + step + 1 + offered.length + 1) % (offered.length + 1) - 1);
    else if (event.key === "Tab" && !event.shiftKey && line && offered[Math.max(0, place)]) complete(/** @type {any} */ (offered[Math.max(0, place)]));
    else if (event.key === "Escape" && (place >= 0 || offered.length)) { choose(-1); forget(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`
    <form class="line" onSubmit=${submit}>
      <div class="typed">
        <input ref=${field} class="address" role="combobox" aria-label=${label} aria-expanded=${offered.length > 0} aria-controls="offered" aria-autocomplete="list" aria-activedescendant=${place < 0 ? undefined : `offered-${place}`} aria-describedby="understood"
          placeholder="attack NAME · undo · note …" value=${line} autocomplete="off" autocapitalize="off" spellcheck=${false} enterkeyhint="send" maxlength="2000" onKeyDown=${press}
          onInput=${(/** @type {Event} */ event) => type(/** @type {HTMLInputElement} */ (event.target).value)} />
        <button class="main">Do</button>
      </div>
      <ul id="offered" role="listbox" aria-label="Words that may follow" hidden=${offered.length === 0}>
        ${offered.slice(0, 8).map((each, nth) => html`<li id=${`offered-${nth}`} role="option" aria-selected=${nth === place} onMouseDown=${(/** @type {Event} */ event) => { event.preventDefault(); complete(each); }}><b>${each.text}</b> <span class="soft">${each.about}</span></li>`)}
      </ul>
      <p id="understood" class=${understood.refused ? "understood bad" : "understood"}>${understood.refused || (understood.sentences ?? []).join(" · ")}</p>
    </form>`;
}

/** Has the table understand the line that is being typed, a moment after the last letter. @param {import("../table/table.js").Table} table */
function useUnderstood(table) {
  const [understood, show] = useState(/** @type {Understood} */ ({}));
  const asked = useRef(/** @type {AbortController | null} */ (null));
  const forget = () => { asked.current?.abort(); show({}); };
  const line = table.draft;
  useEffect(() => {
    asked.current?.abort();
    if (!line.trim()) return show({});
    const stop = (asked.current = new AbortController());
    const timer = setTimeout(() => {
      table.session.understand(line, { signal: stop.signal }).then((found) => { show(found); table.understood = { line: line.trim(), sentences: (found.sentences ?? []).join() }; }, (/** @type {Error} */ error) => { if (!stop.signal.aborted) show({ refused: error.message }); });
    }, PAUSE);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [line, table.question.last]);
  return { understood, forget };
}
