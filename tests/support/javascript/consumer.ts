/* A program that uses the JavaScript client, typed: it is compiled, and runs as compiled. */
import { Affray, Refused, type Commands, type State } from "affray";
import type { Declare, Possibility } from "affray/api";

const [url = "", token = ""] = process.argv.slice(2);
const affray = new Affray(url, { token, patience: 5_000 });
const created = await affray.create({ ruleset: "gurps_3e", title: "Typed" }, { key: "typed" });
const session = created.gamemaster();
const live = await session.live();
const wounded: string[] = [];
const stop: () => void = live.on("state", (state: State) => {
  for (const [who, { tracks, side }] of Object.entries(state.combatants))
    if ((tracks["hit_points"]?.taken ?? 0) > 0) wounded.push(side ?? who);
});
live.on("entry", ({ seq, events, narration }) => {
  for (const event of events) if (event.type === "DiceRolled") console.log(seq, event.faces.length, narration.length);
});

const sheet = await affray.sheet("gurps_3e", "brawler");
const joins: Commands = [{ type: "Join", who: "ann", sheet }, { type: "Join", who: "bob", sheet }, { type: "BeginCombat" }];
const { last, head } = await session.perform(joins, { ifMatch: live.state.entries });
const options: Possibility[] = await session.options();
const attack = options.find(({ command, refused }) => command?.type === "Declare" && !refused);
const declared: Declare | null = attack?.command?.type === "Declare" ? attack.command : null;
const odds = await session.odds({ declare: declared });
try {
  await session.perform({ type: "Note", text: "late" }, { ifMatch: 1 });
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  const actual: number | null = error.actual;
  console.log(error.slug, actual === last, head === last, Object.keys(odds).length > 0);
}
for await (const entry of session.follow({ after: last - 1 })) {
  const patch: { [name: string]: unknown } = entry.patch;
  console.log(entry.seq === last, Object.keys(patch).length > 0, wounded.length);
  break;
}
stop();
live.close();

// @ts-expect-error a command has a type
await session.perform({ text: "no type" }).catch(() => undefined);
// @ts-expect-error a session is created with a ruleset
await affray.create({ title: "without" }).catch(() => undefined);
// @ts-expect-error there is no such report
const never = () => live.on("nothing", () => undefined);
// @ts-expect-error a token is needed
const neither = () => new Affray(url, {});
// @ts-expect-error the state is read only
const nor = () => (live.state = {} as State);
void [never, neither, nor];
