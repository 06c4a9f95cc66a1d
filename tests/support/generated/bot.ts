/* A bot that plays a whole fight, typed by what openapi-typescript makes of Affray's OpenAPI document. */
import type { components, paths } from "./affray-api";

type Schemas = components["schemas"];
type State = Schemas["State"];
type Performed = Schemas["Performed"];
type Event = Schemas["AnyEvent"];
type Commands = paths["/v1/sessions/{session}/commands"]["post"]["requestBody"]["content"]["application/json"];

const [url = "", host = ""] = process.argv.slice(2);

async function ask<T>(token: string, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!answer.ok) {
    const problem = (await answer.json()) as Schemas["Problem"];
    throw new Error(`${problem.slug}: ${problem.detail} (${problem.where}; accepted: ${problem.accepts})`);
  }
  return (await answer.json()) as T;
}

function patched(before: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const after: Record<string, unknown> =
    before !== null && typeof before === "object" && !Array.isArray(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete after[name];
    else after[name] = patched(after[name], value);
  }
  return after;
}

function told(event: Event): string {
  switch (event.type) {
    case "DiceRolled":
      return `dice ${event.key}: ${event.faces.join(" ")}`;
    case "DamageTaken":
      return `${event.who} takes ${event.amount} ${event.track}`;
    default:
      return "";
  }
}

const founded = await ask<Schemas["Founded"]>(host, "POST", "/v1/sessions", { ruleset: "gurps_3e", title: "Bots" });
const token = founded.tokens.find((each) => each.seat === "gm")?.token ?? "";
const path = `/v1/sessions/${founded.session}`;
const sheet = await ask<Record<string, unknown>>(host, "GET", "/v1/rulesets/gurps_3e/sheets/brawler");
let state: unknown = await ask<State>(token, "GET", `${path}/state`);
const harm = new Map<string, number>();

async function perform(commands: Commands): Promise<void> {
  const done = await ask<Performed>(token, "POST", `${path}/commands`, commands);
  state = patched(state, done.patch);
  for (const event of done.entries.flatMap((entry) => entry.events)) {
    if (event.type === "DamageTaken") harm.set(event.who, (harm.get(event.who) ?? 0) + event.amount);
    if (told(event)) console.log(told(event));
  }
}

await perform([
  { type: "Join", who: "ann", sheet },
  { type: "Join", who: "bob", sheet },
  { type: "BeginCombat" },
]);
for (let step = 0; step < 300; step++) {
  const now = state as State;
  const down = Object.values(now.combatants).some((each) => each.conditions.some((one) => one.name === "unconscious"));
  const rest = now.rests[0];
  if (down || rest === undefined) break;
  if (rest.dice !== undefined) {
    await perform({ type: "DrawDice", key: rest.key });
    continue;
  }
  const options = await ask<Schemas["Possibility"][]>(token, "GET", `${path}/options`);
  const legal = options.filter((each) => each.key === rest.key && each.refused === "" && each.command !== null);
  const best = legal.find((each) => each.command?.type === "Declare" && each.command.kind === "attack") ?? legal[0];
  if (best?.command == null) throw new Error(`nothing is legal for ${rest.key}`);
  await perform(best.command as Commands);
}
await perform({ type: "EndCombat", why: "the bots are done" });
const whole = await ask<State>(token, "GET", `${path}/state`);
const same = (one: unknown): string => JSON.stringify(one, (_, value: unknown) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value);
if (same(whole) !== same(state)) throw new Error("the patches do not give the state");
console.log(JSON.stringify({ entries: whole.entries, harm: Object.fromEntries(harm) }));
