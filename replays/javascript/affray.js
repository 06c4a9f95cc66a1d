/**
 * Affray's client: creates sessions on a server, plays them, and follows them live. `affray.d.ts` documents its types.
 *
 * One ES module without dependencies, for browsers and for Node from 20.3. It sends the token in the Authorization
 * header only, and reads the live feed with `fetch`. SPDX-License-Identifier: Apache-2.0
 *
 * @typedef {import("./affray.js").Request} Request
 * @typedef {import("./affray.js").Problem} Problem
 * @typedef {import("./affray.js").Performed} Performed
 * @typedef {import("./affray.js").State} State
 * @typedef {import("./affray.js").Affray} A
 * @typedef {import("./affray.js").Session} S
 * @typedef {import("./affray.js").Live} L
 * @typedef {import("./affray.js").LiveEvents} Events
 */

const SESSIONS = "/v1/sessions";
const RULESETS = "/v1/rulesets";
const CAMPAIGNS = "/v1/campaigns";
/** The path of one campaign, whose name is in the query: not every name can be a part of a path. */
const CAMPAIGN = `${CAMPAIGNS}/-`;
const JSON_TYPE = "application/json";
const JSONL = "application/jsonl";
const HTML = "text/html";
const UNREACHABLE = "client/unreachable";
const FOREIGN = "client/not-affray";
const AGAIN = new Set([408, 429, 502, 503, 504]); // statuses after which the same request may succeed a moment later
const PAGE = 1_000; // entries that are requested at once
const SHORTEST = 100; // milliseconds before the second attempt
const LONGEST = 2_000; // milliseconds between later attempts
const SILENCE = 30_000; // milliseconds without a byte after which a feed is resumed; the server sends some every 5 s

/** A request that the server refused, or that did not reach it. */
export class Refused extends Error {
  /** @param {Problem} problem  @param {{cause?: unknown, retryAfter?: number}} [options] */
  constructor(problem, { cause, retryAfter = 0 } = {}) {
    super(`${problem.slug}: ${problem.detail}`, cause === undefined ? {} : { cause });
    this.name = "Refused";
    this.problem = problem;
    this.slug = problem.slug;
    this.title = problem.title;
    this.detail = problem.detail;
    this.status = problem.status;
    this.where = problem.where ?? "";
    this.accepts = problem.accepts ?? "";
    this.actual = problem.actual ?? null;
    this.retryAfter = retryAfter;
  }
}

/** @param {string} slug  @param {string} detail  @param {{status?: number, cause?: unknown}} [more] */
const failed = (slug, detail, { status = 0, cause } = {}) =>
  new Refused({ type: `urn:affray:${slug}`, title: "The call failed", status, slug, detail }, { cause });

/**
 * Lets `signal` end `stop` too, and returns the signal of `stop`. Node's garbage collection may forget a signal of
 * `AbortSignal.any` while a request waits for it, and it would never end the request.
 *
 * @param {AbortController} stop  @param {AbortSignal} [signal]
 */
function endedBy(stop, signal) {
  if (signal?.aborted) stop.abort(signal.reason);
  signal?.addEventListener("abort", () => stop.abort(signal.reason), { once: true, signal: stop.signal });
  return stop.signal;
}

/** Decides how long an attempt is repeated, and waits in between: ever longer, and differently in each client. */
class Retries {
  #patience;
  #signal;
  #latest = Infinity;
  #wait = SHORTEST;

  /** @param {number} patience  @param {AbortSignal} [signal] */
  constructor(patience, signal) {
    this.#patience = patience;
    this.#signal = signal;
  }

  /** Starts anew after a success. */
  begin() {
    this.#latest = Infinity;
    this.#wait = SHORTEST;
  }

  /** Waits before the next attempt, or throws the refusal if the time is used up. @param {Refused} refusal */
  async pause(refusal) {
    const now = performance.now();
    if (this.#latest === Infinity) this.#latest = now + this.#patience;
    const wait = Math.max(refusal.retryAfter * 1_000, this.#wait * (0.5 + Math.random() / 2));
    if (now + wait > this.#latest) throw refusal;
    this.#wait = Math.min(2 * this.#wait, LONGEST);
    await new Promise((done) => {
      const timer = setTimeout(end, this.#signal?.aborted ? 0 : wait);
      const signal = this.#signal;
      signal?.addEventListener("abort", end);
      function end() {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        done(undefined);
      }
    });
  }
}

/** A server and a token: sends requests, and repeats those that may be repeated. */
class Caller {
  /** @param {string} url  @param {import("./affray.js").Options} options */
  constructor(url, { token, timeout = 40_000, patience = 10_000, fetch = (...given) => globalThis.fetch(...given) }) {
    if (!/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(url) || !URL.canParse(url))
      throw failed("client/address", `"${url}" is not the address of a server`);
    if (!/^[!-~]+$/.test(token)) throw failed("client/token", "the text cannot be a token");
    this.url = url.replace(/\/+$/, "");
    this.options = { token, timeout, patience, fetch };
  }

  /** Sends a request, and returns the document of its answer; a text if none is JSON. @param {Request} request */
  async send(request) {
    const retries = new Retries(this.options.patience, request.signal);
    for (;;) {
      const stop = new AbortController();
      const limit = setTimeout(() => stop.abort(new DOMException("there was no answer in time", "TimeoutError")), this.options.timeout);
      try {
        const answer = await this.open(request, endedBy(stop, request.signal));
        const text = await answer.text();
        return text && (request.accept ?? JSON_TYPE) === JSON_TYPE ? JSON.parse(text) : text;
      } catch (error) {
        await retries.pause(this.repeatable(error, request));
      } finally {
        clearTimeout(limit);
        stop.abort();
      }
    }
  }

  /** Sends a request once, and returns the open answer. @param {Request} request  @param {AbortSignal} signal */
  async open({ method = "GET", path, query = {}, body, type = JSON_TYPE, accept = JSON_TYPE, headers = {} }, signal) {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]));
    const { token, fetch } = this.options;
    const answer = await fetch(`${this.url}${path}${given.length ? `?${new URLSearchParams(given)}` : ""}`, {
      method, body, signal, cache: "no-store", credentials: "omit", redirect: "error",
      headers: { authorization: `Bearer ${token}`, accept, ...(body && { "content-type": type }), ...headers },
    });
    const found = answer.headers.get("content-type") ?? "";
    if (answer.ok && (answer.status === 204 || found.startsWith(accept))) return answer;
    if (found.startsWith("application/problem+json"))
      throw new Refused(await answer.json(), { retryAfter: Number(answer.headers.get("retry-after")) || 0 });
    const slug = answer.status >= 500 || AGAIN.has(answer.status) ? UNREACHABLE : FOREIGN;
    throw failed(slug, `${this.url} answers ${answer.status} ${found}`, { status: answer.status });
  }

  /**
   * Returns why a request failed if it may be repeated; else throws it.
   *
   * @param {unknown} error  @param {Omit<Request, "path">} request
   */
  repeatable(error, { once = false, key, signal }) {
    signal?.throwIfAborted();
    if (error instanceof SyntaxError) throw failed(FOREIGN, `${this.url} answers what is no JSON`, { cause: error });
    const refusal = error instanceof Refused ? error
      : failed(UNREACHABLE, `${this.url} does not answer: ${error}`, { cause: error });
    const wasRead = refusal.status !== 408 && refusal.status !== 429; // else it was refused before it was read
    const isInVain = refusal.slug === "server/too-slow" && !key; // it would take as long again
    const mayHelp = AGAIN.has(refusal.status) || refusal.status === 0; // it is unknown whether it was received
    if (!mayHelp || isInVain || (once && wasRead)) throw refusal;
    return refusal;
  }
}

/** Returns a random key. Pages that are served over plain http have no `crypto.randomUUID`. */
export const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Returns a request that writes. It has an idempotency key, and is therefore performed once even if it is repeated.
 *
 * @param {string} path  @param {unknown} body  @param {import("./affray.js").WriteOptions} [options]
 */
function writing(path, body, { key = randomKey(), ifMatch, signal } = {}) {
  if (!/^[!-~](?:[ -~]{0,253}[!-~])?$/.test(key)) throw failed("client/key", `"${key}" is not an idempotency key`);
  const headers = { "idempotency-key": key, ...(ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` }) };
  return { method: "POST", path, body: JSON.stringify(body), headers, key, signal };
}

/** Returns a name as a part of a path. @param {string} name */
function part(name) {
  const cannotBePart = /^\.{0,2}$|[\ud800-\udfff]/u; // dots would change the path; half a character has no encoding
  if (cannotBePart.test(name)) throw failed("client/name", `"${name}" is not a name`);
  return encodeURIComponent(name);
}

/** Parses Server-Sent Events from bytes, wherever these are cut. */
export class EventParser {
  #decoder = new TextDecoder();
  #line = "";
  #endsInReturn = false;
  #id = "";
  #event = "";
  /** @type {string[]} */
  #data = [];

  /** Returns the events that are complete with these bytes. @param {Uint8Array} bytes */
  push(bytes) {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (!text) return [];
    const more = this.#endsInReturn && text[0] === "\n" ? text.slice(1) : text;
    this.#endsInReturn = text.endsWith("\r");
    const lines = (this.#line + more).split(/\r\n|\r|\n/);
    this.#line = lines.pop() ?? "";
    return lines.flatMap((line) => this.#read(line));
  }

  /** @param {string} line */
  #read(line) {
    if (!line) return this.#dispatch();
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return [];
  }

  #dispatch() {
    const event = { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") };
    const found = this.#data.length ? [event] : [];
    this.#event = "";
    this.#data = [];
    return found;
  }
}

/** Applies a merge patch (RFC 7396) to a copy. @param {unknown} target  @param {unknown} patch  @returns {unknown} */
export function mergePatch(target, patch) {
  if (!isObject(patch)) return patch;
  const made = new Map(isObject(target) ? Object.entries(target) : []); // a Map, because a name may be "__proto__"
  for (const [name, value] of Object.entries(patch))
    if (value === null) made.delete(name);
    else made.set(name, mergePatch(made.get(name), value));
  return Object.fromEntries(made);
}

/** @param {unknown} value  @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** A session on a server, from the seat of a token. */
export class Session {
  #caller;
  #path;
  /** The live states of this object, which are informed of answers. @type {Set<(answer: Performed) => void>} */
  #hearers = new Set();

  /** @param {string} url  @param {string} id  @param {import("./affray.js").Options} options */
  constructor(url, id, options) {
    this.id = id;
    this.#caller = new Caller(url, options);
    this.#path = `${SESSIONS}/${part(id)}`;
  }

  /** @param {string} name  @param {Request["query"]} [query]  @param {AbortSignal} [signal] */
  #get(name, query, signal) { return this.#caller.send({ path: `${this.#path}/${name}`, query, signal }); }

  /** Asks what writes nothing. @param {string} name  @param {unknown} body  @param {AbortSignal} [signal] */
  #ask(name, body, signal) {
    return this.#caller.send({ method: "POST", path: `${this.#path}/${name}`, body: JSON.stringify(body), signal });
  }

  /** @param {string} name  @param {unknown} body  @param {import("./affray.js").WriteOptions} [options] */
  async #write(name, body, options) {
    const answer = await this.#caller.send(writing(`${this.#path}/${name}`, body, options));
    for (const hear of this.#hearers) hear(answer);
    return answer;
  }

  /** @type {S["state"]} */
  state({ at, signal } = {}) { return this.#get("state", { at }, signal); }
  /** @type {S["rests"]} */
  rests({ signal } = {}) { return this.#get("rests", {}, signal); }
  /** @type {S["options"]} */
  options({ signal } = {}) { return this.#get("options", {}, signal); }
  /** @type {S["entries"]} */
  entries({ after, limit, signal } = {}) { return this.#get("entries", { after, limit }, signal); }

  /** @type {S["log"]} */
  async *log({ after = 0, signal } = {}) {
    for (let page; !page || page.length === PAGE; after = page.at(-1)?.seq ?? after)
      yield* (page = await this.entries({ after, limit: PAGE, signal }));
  }

  /** @type {S["why"]} */
  why(of, { at, signal } = {}) { return this.#get("why", { of, at }, signal); }
  /** @type {S["outline"]} */
  outline({ signal } = {}) { return this.#get("outline", {}, signal); }
  /** @type {S["replay"]} */
  replay({ signal } = {}) { return this.#caller.send({ path: `${this.#path}/replay`, accept: HTML, signal }); }
  /** @type {S["steps"]} */
  steps({ after, limit, signal } = {}) { return this.#get("steps", { after, limit }, signal); }
  /** @type {S["odds"]} */
  odds(asked = {}, { signal } = {}) { return this.#ask("odds", asked, signal); }
  /** @type {S["chances"]} */
  chances({ at, signal } = {}) { return this.#get("chances", { at }, signal); }
  /** @type {S["luck"]} */
  luck({ signal } = {}) { return this.#get("luck", {}, signal); }
  /** @type {S["recap"]} */
  recap({ signal } = {}) { return this.#get("recap", {}, signal); }
  /** @type {S["audit"]} */
  audit({ head, signal } = {}) { return this.#get("audit", { head }, signal); }
  /** @type {S["disputes"]} */
  disputes({ signal } = {}) { return this.#get("disputes", {}, signal); }
  /** @type {S["dispute"]} */
  dispute(dispute, { signal } = {}) { return this.#get(`disputes/${part(dispute)}`, {}, signal); }
  /** @type {S["export"]} */
  export({ signal } = {}) { return this.#caller.send({ path: `${this.#path}/export`, accept: JSONL, signal }); }
  /** @type {S["perform"]} */
  perform(command, options) { return this.#write("commands", command, options); }
  /** @type {S["undo"]} */
  undo(undo, options) { return this.#write("undo", undo, options); }
  /** @type {S["redo"]} */
  redo(redo = {}, options) { return this.#write("redo", redo, options); }
  /** @type {S["amend"]} */
  amend(amended, options) { return this.#write("amend", amended, options); }
  /** @type {S["preview"]} */
  preview(considered, { signal } = {}) { return this.#ask("amend/preview", considered, signal); }
  /** @type {S["whatIf"]} */
  whatIf(considered, { signal } = {}) { return this.#ask("what-if", considered, signal); }
  /** @type {S["question"]} */
  question({ signal } = {}) { return this.#get("question", {}, signal); }
  /** @type {S["understand"]} */
  understand(line, { signal } = {}) { return this.#ask("lines/understood", { line }, signal); }

  /** @type {S["sendLine"]} */
  sendLine(line, { answers = [], of = "", ...options } = {}) { return this.#write("lines", { line, answers, of }, options); }

  /** @type {S["branch"]} */
  branch(asked, { signal } = {}) { return this.#ask("branches", asked, signal); }
  /** @type {S["tokens"]} */
  tokens({ signal } = {}) { return this.#get("tokens", {}, signal); }

  /** @type {S["issue"]} */
  issue(token, { signal } = {}) { return this.#once("tokens", token, signal); }

  /** @type {S["archive"]} */
  archive(why = "", { signal } = {}) { return this.#turn("archive", why, signal); }
  /** @type {S["unarchive"]} */
  unarchive(why = "", { signal } = {}) { return this.#turn("unarchive", why, signal); }

  /** Archives, or the reverse, which may be repeated. @param {string} name  @param {string} why  @param {AbortSignal} [signal] */
  #turn(name, why, signal) {
    return this.#caller.send({ method: "POST", path: `${this.#path}/${name}`, body: JSON.stringify({ why }), signal });
  }

  /** @type {S["renew"]} */
  async renew({ signal } = {}) {
    const issued = await this.#caller.send({ method: "POST", path: "/v1/me/token", signal });
    this.#caller.options = { ...this.#caller.options, token: issued.token };
    return issued;
  }

  /** @type {S["revoke"]} */
  async revoke(token, { signal } = {}) {
    await this.#caller.send({ method: "DELETE", path: `${this.#path}/tokens/${part(token)}`, signal });
  }

  /** Sends a body that is not repeated. @param {string} name  @param {unknown} body  @param {AbortSignal} [signal] */
  #once(name, body, signal) {
    return this.#caller.send({
      method: "POST", path: `${this.#path}/${name}`, once: true, signal,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  /** @type {S["hooks"]} */
  hooks({ signal } = {}) { return this.#get("hooks", {}, signal); }
  /** @type {S["createHook"]} */
  createHook(hook, { signal } = {}) { return this.#once("hooks", hook, signal); }
  /** @type {S["activateHook"]} */
  activateHook(hook, { signal } = {}) { return this.#once(`hooks/${part(hook)}/activate`, undefined, signal); }
  /** @type {S["pingHook"]} */
  pingHook(hook, { signal } = {}) { return this.#once(`hooks/${part(hook)}/ping`, undefined, signal); }
  /** @type {S["replaceHookSecret"]} */
  replaceHookSecret(hook, { signal } = {}) { return this.#once(`hooks/${part(hook)}/secret`, undefined, signal); }

  /** @type {S["deleteHook"]} */
  async deleteHook(hook, { signal } = {}) {
    await this.#caller.send({ method: "DELETE", path: `${this.#path}/hooks/${part(hook)}`, signal });
  }

  /** @type {S["follow"]} */
  async *follow({ after = 0, patience = 60_000, signal, onStatus = () => {} } = {}) {
    const retries = new Retries(patience, signal);
    while (!signal?.aborted) {
      const stop = new AbortController(); // ends this connection only
      const { token } = this.#caller.options;
      const parser = new EventParser();
      let isGreeting = true; // which is no sign that the feed goes on
      try {
        for await (const bytes of this.#feed(after, stop, signal)) {
          if (isGreeting) onStatus("open");
          for (const { event, data } of parser.push(bytes)) {
            isGreeting = false;
            const found = JSON.parse(data);
            if (event === "refused") throw new Refused(found);
            if (event !== "entry" || found.seq <= after) continue;
            after = found.seq;
            yield found;
          }
          if (!isGreeting) retries.begin();
          isGreeting = false;
        }
        throw failed(UNREACHABLE, "the server has closed the feed");
      } catch (error) {
        if (signal?.aborted) return;
        onStatus("cut");
        const isRenewed = error instanceof Refused && error.slug === "token/expired" && token !== this.#caller.options.token;
        if (!isRenewed) await retries.pause(this.#caller.repeatable(error, {}));
      } finally {
        stop.abort();
      }
    }
  }

  /** Yields a feed's bytes. @param {number} after  @param {AbortController} stop  @param {AbortSignal} [signal] */
  async *#feed(after, stop, signal) {
    let timer;
    const watch = () => (timer = setTimeout(() => stop.abort(new Error("the feed is silent")), SILENCE));
    try {
      watch();
      const request = { path: `${this.#path}/feed`, query: { after }, accept: "text/event-stream" };
      const answer = await this.#caller.open(request, endedBy(stop, signal));
      const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
      // Node may have forgotten by now that the signal ends the answer, too.
      stop.signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
      if (stop.signal.aborted) return;
      for (;;) {
        const { done, value } = await reader.read();
        clearTimeout(timer); // a slow reader of this client is not the server's silence
        if (done) return;
        yield value;
        watch();
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** @type {S["live"]} */
  async live(options = {}) {
    return new Live(this, await this.state({ signal: options.signal }), this.#hearers, options);
  }
}

/** The state that a seat sees, kept current by the patches of answers and of the feed. */
export class Live {
  #state;
  #stop = new AbortController();
  /** @type {L["status"]} */
  #status = "open";
  /** @type {{[N in keyof Events]: Set<(detail: Events[N]) => void>}} */
  #listeners = { state: new Set(), entry: new Set(), status: new Set() };
  /** @type {L["error"]} */
  error = null;

  /**
   * @param {Session} session  @param {State} state  @param {Set<(answer: Performed) => void>} hearers
   * @param {import("./affray.js").LiveOptions} options
   */
  constructor(session, state, hearers, { patience = Infinity, signal }) {
    this.#state = state;
    const hear = (/** @type {Performed} */ answer) => this.#apply(answer.entries[0]?.seq, answer.patch);
    hearers.add(hear);
    signal?.addEventListener("abort", () => this.close(), { once: true, signal: this.#stop.signal });
    const end = (/** @type {L["error"]} */ error) => {
      hearers.delete(hear);
      this.error = error;
      this.#turn("closed");
    };
    this.#run(session, patience).then(() => end(null), end);
  }

  get state() { return this.#state; }

  get status() { return this.#status; }

  close() { this.#stop.abort(); }

  /** @type {L["on"]} */
  on(name, listener) {
    this.#listeners[name].add(listener);
    return () => void this.#listeners[name].delete(listener);
  }

  /** @type {<N extends keyof Events>(name: N, detail: Events[N]) => void} */
  #emit(name, detail) {
    for (const listener of [...this.#listeners[name]])
      try {
        listener(detail);
      } catch (error) {
        queueMicrotask(() => { throw error; }); // reported as uncaught; the state goes on
      }
  }

  /** @type {L["reached"]} */
  async reached(entry) {
    while (this.#state.entries < entry) {
      if (this.#status === "closed") throw this.error ?? failed("client/closed", "the live state was closed");
      /** @type {(() => void)[]} */
      let ends = [];
      await new Promise((done) => (ends = [this.on("state", done), this.on("status", done)]));
      for (const end of ends) end();
    }
    return this.#state;
  }

  /** @param {Session} session  @param {number} patience */
  async #run(session, patience) {
    const [after, signal] = [this.#state.entries, this.#stop.signal];
    const onStatus = (/** @type {L["status"]} */ status) => this.#turn(status);
    for await (const entry of session.follow({ after, patience, signal, onStatus })) {
      this.#apply(entry.seq, entry.patch);
      this.#emit("entry", entry);
    }
  }

  /**
   * Applies the patch of entries that were written together, unless the state has them, or lacks earlier ones.
   *
   * @param {number | undefined} first  @param {unknown} patch
   */
  #apply(first, patch) {
    if (!patch || first !== this.#state.entries + 1) return;
    this.#state = /** @type {State} */ (mergePatch(this.#state, patch));
    this.#emit("state", this.#state);
  }

  /** @param {L["status"]} status */
  #turn(status) {
    if (status === this.#status) return;
    this.#status = status;
    this.#emit("status", status);
  }
}

/** A session that was just created or imported, with the tokens of its seats. */
export class Created {
  #url;
  #options;

  /** @param {string} url  @param {import("./api.js").Founded} made  @param {import("./affray.js").Options} options */
  constructor(url, { session, tokens }, options) {
    this.id = session;
    this.tokens = tokens;
    this.#url = url;
    this.#options = options;
  }

  gamemaster() { return this.#from("gm"); }

  /** @param {string} name */
  player(name) { return this.#from("player", name); }

  spectator() { return this.#from("spectator"); }

  /** @param {string} seat  @param {string} [name] */
  #from(seat, name) {
    const found = this.tokens.find((each) => each.seat === seat && (name === undefined || each.name === name));
    if (!found) throw failed("client/no-such-seat", `no token was issued for ${seat} ${name ?? ""}`.trim());
    return new Session(this.#url, this.id, { ...this.#options, token: found.token });
  }
}

/** A server, called with the host's token or with that of a seat. */
export class Affray {
  #caller;

  /** @param {string} url  @param {import("./affray.js").Options} options */
  constructor(url, options) { this.#caller = new Caller(url, options); }

  /** @param {string} path  @param {Request["query"]} [query]  @param {AbortSignal} [signal] */
  #get(path, query, signal) { return this.#caller.send({ path, query, signal }); }
  /** @type {A["me"]} */
  me({ signal } = {}) { return this.#get("/v1/me", {}, signal); }

  /** @type {A["session"]} */
  session(id, { token = this.#caller.options.token } = {}) {
    return new Session(this.#caller.url, id, { ...this.#caller.options, token });
  }

  /** @type {A["create"]} */
  async create(session, options) { return this.#created(writing(SESSIONS, session, options)); }

  /** @type {A["import"]} */
  async import(lines, { signal } = {}) {
    return this.#created({ method: "POST", path: `${SESSIONS}/import`, body: lines, type: JSONL, once: true, signal });
  }

  /** @param {Request} request */
  async #created(request) {
    return new Created(this.#caller.url, await this.#caller.send(request), this.#caller.options);
  }
  /** @type {A["sessions"]} */
  sessions({ signal, ...wanted } = {}) { return this.#get(SESSIONS, wanted, signal); }

  /** @type {A["delete"]} */
  delete(session, why, entries, { signal } = {}) {
    const headers = { "if-match": entries === null ? "*" : `"${entries}"` };
    const path = `${SESSIONS}/${part(session)}`;
    return this.#caller.send({ method: "DELETE", path, query: { why }, headers, once: true, signal });
  }
  /** @type {A["campaigns"]} */
  campaigns({ signal } = {}) { return this.#get(CAMPAIGNS, {}, signal); }
  /** @type {A["campaign"]} */
  campaign(name, { signal } = {}) { return this.#get(CAMPAIGN, { name }, signal); }
  /** @type {A["campaignLuck"]} */
  campaignLuck(name, { signal } = {}) { return this.#get(`${CAMPAIGN}/luck`, { name }, signal); }
  /** @type {A["campaignRulings"]} */
  campaignRulings(name, { signal } = {}) { return this.#get(`${CAMPAIGN}/rulings`, { name }, signal); }
  /** @type {A["rulesets"]} */
  rulesets({ signal } = {}) { return this.#get(RULESETS, {}, signal); }
  /** @type {A["ruleset"]} */
  ruleset(name, { signal } = {}) { return this.#get(`${RULESETS}/${part(name)}`, {}, signal); }
  /** @type {A["schemas"]} */
  schemas(name, { signal } = {}) { return this.#get(`${RULESETS}/${part(name)}/schemas`, {}, signal); }

  /** @type {A["chart"]} */
  chart(name, chart, { signal } = {}) {
    return this.#get(`${RULESETS}/${part(name)}/charts/${part(chart)}`, {}, signal);
  }

  /** @type {A["table"]} */
  table(name, table, { signal } = {}) {
    return this.#get(`${RULESETS}/${part(name)}/tables/${part(table)}`, {}, signal);
  }

  /** @type {A["checkSheets"]} */
  checkSheets(name, text, file, { signal } = {}) {
    return this.#ask(`${RULESETS}/${part(name)}/sheets/check`, { text, file }, signal);
  }

  /** @type {A["qr"]} */
  qr(text, { signal } = {}) { return this.#ask("/v1/qr", { text }, signal); }

  /** Asks what writes nothing. @param {string} path  @param {unknown} body  @param {AbortSignal} [signal] */
  #ask(path, body, signal) {
    return this.#caller.send({ method: "POST", path, body: JSON.stringify(body), signal });
  }

  /** @type {A["sheet"]} */
  sheet(name, sheet, { signal } = {}) {
    return this.#get(`${RULESETS}/${part(name)}/sheets/${part(sheet)}`, {}, signal);
  }
}
