/**
 * Creates a session, and shows the links of its seats.
 *
 * @typedef {import("/client/affray.js").Created} Created
 * @typedef {import("./profiles.js").Profile} Profile
 */
import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { Trouble } from "../parts/trouble.js";
import { useReachable } from "./address.js";
import { Field, focusProblem, newId, valueOf } from "./field.js";
import { OnceKeys, WHOLE, problemsOf } from "./problems.js";
import { Meaning, nameOf, proposedFirst } from "./profiles.js";
import { Seats } from "./seats.js";

const FIELDS = { title: "title", ruleset: "game", profile: "profile", players: "players", name: "players", campaign: "campaign" };

/**
 * `done` gets the session and its game when the host goes on from the links.
 *
 * @param {{affray: import("/client/affray.js").Affray, done: (made: Created, game: string) => void, cancel?: () => void}} props
 */
export function NewFight({ affray, done, cancel }) {
  const [made, show] = useState(/** @type {{created: Created, title: string} | null} */ (null));
  const [game, play] = useState("");
  const address = useReachable(affray);
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => { document.title = "New fight · Affray"; }, []);
  useEffect(() => { if (made) heading.current?.focus(); }, [made]);
  if (!made) return html`<main class="setup"><h1>New fight</h1><${Form} affray=${affray} game=${game} play=${play} made=${show} cancel=${cancel} /></main>`;
  return html`
    <main class="setup">
      <h1 tabindex="-1" ref=${heading}>${made.title || "A fight"}</h1>
      <${Seats} affray=${affray} session=${made.created.id} tokens=${made.created.tokens} address=${address} />
      <p><button class="main" onClick=${() => done(made.created, game)}>Go on to the combatants</button></p>
    </main>`;
}

/** @param {{affray: import("/client/affray.js").Affray, game: string, play: (game: string) => void, made: (made: {created: Created, title: string}) => void, cancel?: () => void}} props */
function Form({ affray, game, play, made, cancel }) {
  const { games, campaigns, profiles, trouble } = useGames(affray, game, play);
  const [given, give] = useState({ title: "", profile: "", players: "", campaign: "" });
  const [problems, tell] = useState(/** @type {import("./problems.js").Problems} */ ({}));
  const [isBusy, wait] = useState(false);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const once = useMemo(() => new OnceKeys(), []);
  const list = useMemo(() => newId("campaigns"), []);
  useEffect(() => focusProblem(form.current), [problems]);
  const set = (/** @type {keyof given} */ name) => (/** @type {Event} */ event) => give({ ...given, [name]: valueOf(event) });
  const offered = proposedFirst(profiles);
  const profile = offered.find(({ name }) => name === given.profile) ?? offered[0];
  const create = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (isBusy) return;
    const players = [...new Set(given.players.split(/[\n,]/).map((name) => name.trim()).filter(Boolean))];
    const body = { ruleset: game, title: given.title.trim(), profile: profile?.name ?? "", players, campaign: given.campaign.trim() };
    wait(true);
    try {
      made({ created: await affray.create(body, { key: once.of(body) }), title: body.title });
    } catch (error) {
      tell(problemsOf(error, FIELDS));
      wait(false);
    }
  };
  const found = trouble || problems[WHOLE];
  return html`
    <form ref=${form} onSubmit=${create} noValidate>
      ${found && html`<${Trouble} words=${found} />`}
      <${Field} label="Title" problem=${problems.title} hint="May stay empty." control=${(/** @type {object} */ is) => html`<input ...${is} name="title" maxLength="200" value=${given.title} onInput=${set("title")} />`} />
      <${Field} label="Game" problem=${problems.game} control=${(/** @type {object} */ is) => html`
        <select ...${is} name="game" value=${game} onChange=${(/** @type {Event} */ event) => play(valueOf(event))}>${games.map((one) => html`<option value=${one.name}>${one.title}</option>`)}</select>`} />
      <${Field} label="Printing of the rules" problem=${problems.profile} control=${(/** @type {object} */ is) => html`
        <select ...${is} name="profile" value=${profile?.name ?? ""} onChange=${set("profile")}>${offered.map((one) => html`<option value=${one.name}>${nameOf(one, profiles[0])}</option>`)}</select>`} />
      ${profile && profiles[0] && html`<${Meaning} profile=${profile} printed=${profiles[0]} />`}
      <${Field} label="Players" problem=${problems.players} hint="Names of the people, one on each line. Each gets a link; more can be added later."
        control=${(/** @type {object} */ is) => html`<textarea ...${is} name="players" rows="3" autocomplete="off" value=${given.players} onInput=${set("players")}></textarea>`} />
      <${Field} label="Campaign" problem=${problems.campaign} hint="May stay empty." control=${(/** @type {object} */ is) => html`
        <input ...${is} name="campaign" maxLength="200" list=${list} autocomplete="off" value=${given.campaign} onInput=${set("campaign")} />`} />
      <datalist id=${list}>${campaigns.map((name) => html`<option value=${name} />`)}</datalist>
      <p class="acts"><button class="main" disabled=${!game || isBusy}>${isBusy ? "Creating…" : "Create the fight"}</button> ${cancel && html`<button type="button" onClick=${cancel}>Cancel</button>`}</p>
    </form>`;
}

/** Returns the games, the campaigns, and the profiles of a game. @param {import("/client/affray.js").Affray} affray  @param {string} game  @param {(game: string) => void} play */
function useGames(affray, game, play) {
  const [games, list] = useState(/** @type {{name: string, title: string}[]} */ ([]));
  const [campaigns, name] = useState(/** @type {string[]} */ ([]));
  const [profiles, offer] = useState(/** @type {Profile[]} */ ([]));
  const [trouble, tell] = useState("");
  const failed = (/** @type {Error} */ error) => tell(error.message);
  useEffect(() => {
    affray.rulesets().then((found) => { list(found); play(game || (found[0]?.name ?? "")); }).catch(failed);
    affray.campaigns().then((found) => name(found.campaigns.map((each) => each.name)), () => {}); // only proposals
  }, []);
  useEffect(() => {
    let isCurrent = true;
    offer([]);
    if (game) affray.table(game, "profiles").then((found) => { if (isCurrent) offer(/** @type {Profile[]} */ (found)); }).catch(failed);
    return () => { isCurrent = false; };
  }, [game]);
  return { games, campaigns, profiles, trouble };
}
