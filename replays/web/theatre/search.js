/**
 * Finds sentences in a record.
 *
 * @typedef {import("./theatre.js").Theatre} Theatre
 * @typedef {{entry: number, sentence: string, stands: boolean}} Found
 */

/** The most that are shown. */
export const MOST = 200;

/**
 * Yields what was found so far, after each page that was read.
 *
 * @param {Theatre} theatre  @param {string} words  @param {AbortSignal} signal
 * @returns {AsyncGenerator<{found: Found[], read: number}>}
 */
export async function* search(theatre, words, signal) {
  /** @type {Found[]} */
  const found = [];
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  for (let page = 0; page < theatre.pages.count && found.length < MOST && !signal.aborted; page++) {
    if (!(await theatre.load(page))) return;
    for (const step of theatre.pages.steps(page)) {
      const sentence = step.narration.join(" ");
      const text = `${step.seq} ${step.by.name} ${sentence}`.toLocaleLowerCase();
      if (wanted.every((word) => text.includes(word))) found.push({ entry: step.seq, sentence, stands: !theatre.line.stretch(step.seq) });
    }
    yield { found: found.slice(0, MOST), read: page + 1 };
  }
}
