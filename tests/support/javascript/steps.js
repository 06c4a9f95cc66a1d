/* What a program does with the JavaScript client, in Node and in a page: each function gets the module and the server. */

/** Returns a text that is equal for equal documents, whatever the order of their members. */
const plain = (value) =>
  JSON.stringify(value, (_, each) =>
    each !== null && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each);

const assert = (fact, what) => { if (!fact) throw new Error(`not so: ${what}`); };
const same = (one, other, what) => assert(plain(one) === plain(other), `${what}: ${plain(one)} is ${plain(other)}`);

/** Returns the refusal of a call that has to be refused. */
async function refusal(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("it was not refused");
}

/** Creates a session of two brawlers. */
async function brawl({ Affray }, url, token, options = {}) {
  const affray = new Affray(url, { token, ...options });
  const created = await affray.create({ ruleset: "gurps_3e", title: "A brawl", players: ["kira"] });
  const sheet = await affray.sheet("gurps_3e", "brawler");
  await created.gamemaster().perform([
    { type: "Join", who: "ann", sheet },
    { type: "Join", who: "bob", sheet, player: "kira" },
    { type: "BeginCombat" },
  ]);
  return { affray, created };
}

/** Plays a fight until somebody is unconscious, with three live states: they equal the state of the server. */
async function fight(module, url, token) {
  const { affray, created } = await brawl(module, url, token);
  const gamemaster = created.gamemaster();
  const lives = await Promise.all([gamemaster, created.player("kira"), created.spectator()].map((each) => each.live()));
  const [live] = lives;
  const heard = lives.map(() => []);
  lives.forEach((each, index) => each.on("entry", ({ seq }) => {
    assert(each.state.entries >= seq, "the state has an entry before it is reported");
    heard[index].push(seq);
  }));
  const begins = live.state.entries;
  for (let step = 0; step < 400; step++) {
    const down = Object.values(live.state.combatants).some((one) => one.conditions.some(({ name }) => name === "unconscious"));
    const rest = live.state.rests[0];
    if (down || !rest) break;
    const before = live.state.entries;
    let command = { type: "DrawDice", key: rest.key };
    if (!rest.dice) {
      const legal = (await gamemaster.options()).filter((each) => each.key === rest.key && !each.refused && each.command);
      command = (legal.find((each) => each.command.kind === "attack") ?? legal[0]).command;
    }
    const done = await gamemaster.perform(command, { ifMatch: before });
    assert(live.state.entries === done.last && done.last > before, "the answer's patch is applied at once");
    same(live.state.rests, done.rests, "rests");
  }
  await gamemaster.undo({ why: "just to see", span: "turn" });
  await gamemaster.redo({ why: "no" });
  const { last } = await gamemaster.perform({ type: "EndCombat", why: "enough" });
  for (const [index, session] of [gamemaster, created.player("kira"), created.spectator()].entries()) {
    await lives[index].reached(last);
    same(lives[index].state, await session.state(), `the live state of seat ${index}`);
  }
  while (heard.some((each) => each.at(-1) !== last)) await new Promise((done) => setTimeout(done, 20));
  for (const each of heard) same(each, Array.from({ length: last - begins }, (_, index) => begins + 1 + index), "entries");
  lives.forEach((each) => each.close());
  assert((await affray.sessions()).some(({ session, id }) => (session ?? id) === created.id), "it is listed");
  const log = [];
  for await (const entry of gamemaster.log()) log.push(entry.seq);
  same(log, Array.from({ length: last }, (_, index) => index + 1), "the whole log");
  const harm = log.length && (await gamemaster.state()).combatants;
  return { entries: last, wounded: Object.values(harm).filter((one) => one.tracks.hit_points.taken > 0).length };
}

/** Closes a live state after the memory was cleared many times: its connection ends, and with it the process. */
async function cleared(module, url, token) {
  const { created } = await brawl(module, url, token);
  const live = await created.gamemaster().live();
  for (let round = 0; round < 20; round++) {
    globalThis.gc();
    await new Promise((done) => setTimeout(done, 10));
  }
  const closed = new Promise((done) => live.on("status", done));
  live.close();
  return closed;
}

/** Is refused: by the rules, for a stale number, for a bad token, without an answer; a repeat is performed once. */
async function refusals(module, url, token) {
  const { Affray, Refused } = module;
  const { affray, created } = await brawl(module, url, token);
  const gamemaster = created.gamemaster();
  const unknown = await refusal(() => gamemaster.perform({ type: "DrawDice", key: "r9/nothing" }));
  assert(unknown instanceof Refused && unknown instanceof Error, "a Refused is an Error");
  same([unknown.status, unknown.problem.slug, unknown.title], [422, unknown.slug, "Unprocessable Entity"], "the problem");
  const stale = await refusal(() => gamemaster.perform({ type: "Note", text: "late" }, { ifMatch: 1 }));
  same([stale.status, stale.actual], [409, (await gamemaster.state()).entries], "a conflict");
  const seat = await refusal(() => created.spectator().perform({ type: "Note", text: "mine" }));
  same([seat.status, seat.slug], [403, "seat/not-allowed"], "a spectator");
  const forged = await refusal(() => new Affray(url, { token: "forged" }).me());
  same([forged.status, forged.slug], [401, "token/invalid"], "a forged token");
  const one = await gamemaster.perform({ type: "Note", text: "once" }, { key: "a key" });
  const other = await gamemaster.perform({ type: "Note", text: "once" }, { key: "a key" });
  same(one.entries, other.entries, "a repeat");
  same((await affray.me()).seat, "host", "the host");
  same(await affray.session(created.id, { token: created.tokens[0].token }).rests(), await gamemaster.rests(), "a seat's token");
  const away = await refusal(() => new Affray("http://127.0.0.1:9", { token, patience: 300 }).rulesets());
  same([away.slug, away.status], ["client/unreachable", 0], "no server");
  const gone = AbortSignal.abort(new Error("enough"));
  same((await refusal(() => gamemaster.state({ signal: gone }))).message, "enough", "an aborted call");
  for (const [slug, call] of [
    ["client/address", () => new Affray("ftp://x", { token })],
    ["client/address", () => new Affray(`${url}/?a=b`, { token })],
    ["client/address", () => new Affray("http://ann:secret@127.0.0.1", { token })],
    ["client/address", () => new Affray("http://a b", { token })],
    ["client/token", () => new Affray(url, { token: "a b" })],
    ["client/key", () => gamemaster.perform({ type: "Note", text: "x" }, { key: "ä" })],
    ["client/name", () => gamemaster.dispute("..")],
    ["client/name", () => gamemaster.dispute("\ud83c")],
    ["dispute/unknown", () => gamemaster.dispute("🎲 d1?x#y%2f")],
    ["client/no-such-seat", () => created.player("zoe")],
  ]) same((await refusal(async () => call())).slug, slug, slug);
  return "refused";
}

/** Renames, finds, archives and deletes a session. */
async function shelf(module, url, token) {
  const affray = new module.Affray(url, { token });
  const made = await affray.create({ ruleset: "gurps_3e", title: "The Night Market" });
  const gamemaster = made.gamemaster();
  await gamemaster.perform({ type: "RenameSession", title: "The Long Night" });
  const asked = { title: "long night", state: "open" };
  const found = async (more = {}) => (await affray.sessions({ ...asked, ...more })).map(({ session }) => session);
  same(await found(), [made.id], "found by a new title");
  same(await gamemaster.archive("it is over"), { session: made.id, archived: true }, "archived");
  same(await found(), [], "an archived session is not listed");
  same(await found({ archived: "only" }), [made.id], "unless it is asked for");
  same((await affray.session(made.id).unarchive()).archived, false, "the host takes it out");
  same((await refusal(() => affray.delete(made.id, "a mistake", 1))).slug, "log/stale", "nobody deletes the unseen");
  same((await affray.delete(made.id, "the players asked", 2)).entries, 2, "what remains");
  const brief = (await affray.create({ ruleset: "gurps_3e", tokens_expire_in: 600 })).gamemaster();
  const renewed = await brief.renew();
  same([renewed.seat, typeof renewed.expires], ["gm", "string"], "a renewed token");
  same((await brief.tokens()).length, 2, "is used from now on");
  same((await refusal(() => gamemaster.state())).slug, "session/deleted", "it is gone");
  return "deleted";
}

/** Follows a session while its answers are lost and its feed is cut: commands are performed once, entries arrive once. */
async function losses(module, url, token) {
  let lose = 0;
  let cut = 0;
  const sent = [];
  const fetch = async (address, init) => {
    sent.push(address.slice(url.length));
    const answer = await globalThis.fetch(address, init);
    if (init.method === "POST" && lose-- > 0) {
      await answer.arrayBuffer();
      throw new TypeError("the answer was lost");
    }
    if (!address.includes("/feed") || !cut) return answer;
    const reader = answer.body.getReader();
    const left = { bytes: cut };
    const body = new ReadableStream({
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done || left.bytes <= 0) return controller.error(new TypeError("the connection was cut"));
        controller.enqueue(value.slice(0, left.bytes));
        left.bytes -= value.length;
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
  const { created } = await brawl(module, url, token, { fetch });
  const gamemaster = created.gamemaster();
  const before = (await gamemaster.state()).entries;
  for (lose of [1, 3]) await gamemaster.perform({ type: "Note", text: "once, “ä\u2028\r\n”" });
  assert((await gamemaster.state()).entries === before + 2, "a command whose answer was lost is performed once");
  cut = 4_321; // less than the first entries need, so that the reader is cut off within a line again and again
  const numbers = [];
  const texts = [];
  const statuses = [];
  for await (const entry of gamemaster.follow({ onStatus: (status) => statuses.push(status) })) {
    numbers.push(entry.seq);
    if (entry.command?.type === "Note") texts.push(entry.command.text);
    cut += 1_000;
    if (entry.seq === before + 2) break;
  }
  same(numbers, Array.from({ length: before + 2 }, (_, index) => index + 1), "entries");
  same(texts, Array(2).fill("once, “ä\u2028\r\n”"), "texts");
  assert(statuses.includes("cut") && statuses[0] === "open", "cuts are reported");
  lose = 1;
  const issued = await refusal(() => gamemaster.issue({ seat: "spectator", name: "zoe" }));
  same(issued.slug, "client/unreachable", "a token is not issued twice");
  assert(sent.every((path) => !path.includes(token) && !/token=/.test(path)), "no token is in an address");
  return "nothing was lost";
}

/** Meets answers that are not those of a server of Affray, busy servers, and a feed that falls silent. */
async function oddities({ Affray, Session }, url, token) {
  const answers = [];
  const fetch = async () => {
    const [body, status, type, headers = {}] = answers.shift();
    return new Response(body, { status, headers: { "content-type": type, ...headers } });
  };
  const affray = new Affray(url, { token, fetch, patience: 5_000 });
  const problem = (status, slug) => [JSON.stringify({ status, slug, title: "No", detail: "no" }), status, "application/problem+json"];
  const busy = [...problem(503, "store/busy"), { "retry-after": "1" }];
  const me = ['{"seat":"host","token":"t"}', 200, "application/json"];

  answers.push(["<h1>Bad gateway</h1>", 502, "text/html"], problem(429, "server/too-often"), problem(408, "request/too-slow"), me);
  same(await affray.me(), { seat: "host", token: "t" }, "what is answered at last");
  answers.push(busy, me);
  const begins = performance.now();
  await affray.me();
  assert(performance.now() - begins > 950, "the server's Retry-After is kept");
  answers.push(problem(503, "server/too-slow"));
  same((await refusal(() => affray.me())).slug, "server/too-slow", "a question that would take as long again");
  answers.push(problem(503, "server/too-slow"), ['{"last":2,"entries":[]}', 201, "application/json"]);
  same((await affray.session("s").perform({ type: "Note", text: "x" })).last, 2, "a command is repeated with its key");
  for (const [answer, slug, status] of [
    [["<h1>Log in</h1>", 200, "text/html"], "client/not-affray", 200],
    [["Nothing", 404, "text/plain"], "client/not-affray", 404],
    [['{"seat":', 200, "application/json"], "client/not-affray", 0],
    [["Internal error", 500, "text/plain"], "client/unreachable", 500],
    [problem(500, "internal"), "internal", 500],
  ]) {
    answers.push(answer);
    const found = await refusal(() => affray.me());
    same([found.slug, found.status, answers.length], [slug, status, 0], slug);
  }
  const impatient = new Affray(url, { token, fetch, patience: 500 });
  answers.push(busy);
  same((await refusal(() => impatient.me())).retryAfter, 1, "a wait that is longer than the patience");

  const entry = (seq) => `event: entry\ndata: ${JSON.stringify({ seq, events: [], patch: {} })}\n\n`;
  const real = globalThis.setTimeout;
  globalThis.setTimeout = (call, wait, ...given) => real(call, wait / 100, ...given);
  const asked = [];
  const silent = async (address, { signal }) => {
    asked.push(address.slice(address.indexOf("?")));
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`: from here on\n\n${entry(asked.length)}${entry(asked.length)}`));
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const numbers = [];
  for await (const { seq } of new Session(url, "s", { token, fetch: silent }).follow()) if (numbers.push(seq) === 3) break;
  globalThis.setTimeout = real;
  same([numbers, asked], [[1, 2, 3], ["?after=0", "?after=1", "?after=2"]], "a silent feed is resumed");
  answers.push(["<h1>Log in</h1>", 200, "text/html"]);
  same((await refusal(() => affray.session("s").follow().next())).slug, "client/not-affray", "what is no feed");
  const refused = [`event: refused\ndata: ${problem(429, "feed/too-many")[0]}\n\n`, 200, "text/event-stream"];
  answers.push(refused, refused, ["", 200, "text/event-stream"], [entry(9), 200, "text/event-stream"]);
  same((await affray.session("s").follow().next()).value.seq, 9, "a feed that is refused for now is resumed");
  return "odd";
}

/** Keeps a player's state current while somebody hidden is revealed, also with a feed that is late; the token is revoked. */
async function secrets(module, url, token) {
  const { affray, created } = await brawl(module, url, token);
  const gamemaster = created.gamemaster();
  const { id, token: given } = await gamemaster.issue({ seat: "player", name: "kira" });
  const kira = affray.session(created.id, { token: given });
  let begin;
  const begun = new Promise((done) => (begin = done));
  const fetch = async (address, init) => (address.includes("/feed") && (await begun), globalThis.fetch(address, init));
  const live = await kira.live();
  const late = await new module.Session(url, created.id, { token: given, fetch }).live();
  const sheet = await affray.sheet("gurps_3e", "brawler");
  const hidden = await gamemaster.perform({ type: "Join", who: "sniper", name: "A sniper", sheet, unseen: true });
  const who = hidden.entries[0].command.who;
  await gamemaster.perform({ type: "Adjust", who, what: "tracks.hit_points", value: 3, why: "he fell" });
  const before = await gamemaster.perform({ type: "Note", text: "who is there?" });
  same(Object.keys((await live.reached(before.last)).combatants).sort(), ["ann", "bob"], "who is seen");
  same(live.state, await kira.state(), "the state before");
  const revealed = await gamemaster.perform({ type: "Reveal", who });
  same(Object.keys((await live.reached(revealed.last)).combatants).sort(), ["ann", "bob", who], "who is seen then");
  same(live.state, await kira.state(), "the state after");
  assert(late.state.entries < hidden.last, "the other feed has not begun");
  begin();
  await late.reached(revealed.last);
  same(late.state, await kira.state(), "the state of the feed that is late");
  const other = await gamemaster.perform({ type: "Join", who: "spy", sheet, unseen: true });
  const spy = other.entries[0].command.who;
  const shown = await gamemaster.perform({ type: "Reveal", who: spy, to: ["bob"] });
  same(Object.keys((await live.reached(shown.last)).combatants).sort(), ["ann", "bob", who, spy].sort(), "whom bob sees");
  same(live.state, await kira.state(), "the state with what bob sees");
  const left = await gamemaster.perform({ type: "Leave", who: "bob", why: "he runs" });
  await live.reached(left.last);
  same(live.state, await kira.state(), "the state without bob");
  await gamemaster.revoke(id);
  if (live.status !== "closed") await new Promise((done) => live.on("status", (status) => status === "closed" && done()));
  same([live.error.slug, live.error.status], ["token/revoked", 401], "why it ended");
  same((await refusal(() => live.reached(999))).slug, "token/revoked", "what is never reached");
  return "revealed";
}

/** Follows a session until an entry, and reports each: the server is killed and started again meanwhile. */
async function follow(module, url, token, { session, report }) {
  const stop = new AbortController();
  const seat = new module.Session(url, session, { token });
  const live = await seat.live({ signal: stop.signal });
  live.on("entry", ({ seq }) => report({ live: seq }));
  live.on("status", (status) => report({ status }));
  report({ begins: live.state.entries });
  for await (const entry of seat.follow({ signal: stop.signal })) {
    report({ entry: entry.seq });
    if (entry.command?.type === "Note" && entry.command.text === "the last") {
      await live.reached(entry.seq);
      same(live.state, await seat.state(), "the live state");
      while (live.status !== "open") await new Promise((done) => live.on("status", done));
      setTimeout(() => stop.abort(), 200);
    }
  }
  if (live.status !== "closed") await new Promise((done) => live.on("status", done));
  report({ end: String(live.error) });
}

export { brawl, cleared, fight, follow, losses, oddities, refusal, refusals, same, secrets, shelf };
