/**
 * The types of `affray.js`. The documents of the server are in `api.d.ts`, which is written from its OpenAPI document.
 *
 * Every call rejects with `Refused`; with the reason of its `signal` if that is aborted.
 */
import type {
  Amended, Archived, Audit, BranchLine, BranchRequest, CampaignList, CampaignPage, CampaignRulings, Considered, Dispute, Disputed, Drawn, FightChances, FileCombatants, Founded, Game, Issued, IssuedHook, Known, KnownHook, LineSent, LiveEntry, Me,
  NewHook, NewSession, NewToken, OddsAsked, OpenRest, Outline, Performed, Pinged, Possibility, Problem, QrCode, Redo, ReplaySteps, Report, SessionsLuck, State, Summary, TableQuestion, Told, Tombstone, Understood, Undo,
  WholeGame, Why, Written, operations,
} from "./api.js";

export type { LiveEntry, Performed, Problem, State };

/** A command, such as `{ type: "DrawDice", key: "r1/ann/initiative" }`; or several, performed all or none. */
export type Commands = operations["perform"]["requestBody"]["content"]["application/json"];
/** A document whose members depend on the question or on the game. */
export type Plain = { [name: string]: any };

/** How a server is called. */
export interface Options {
  /** The host's token or a seat's token; it is sent in the Authorization header only. */
  token: string;
  /** Milliseconds that an answer may take; the server gives up after 30 s. By default 40 000. */
  timeout?: number;
  /** Milliseconds in which a failed call is repeated. By default 10 000. */
  patience?: number;
  /** What sends the requests; by default the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** How a call can be ended. */
export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal;
}

/** How a call that writes is sent. */
export interface WriteOptions extends CallOptions {
  /** The idempotency key, of 1 to 255 printable ASCII characters: calls with the same key are performed once. By default a random one. */
  key?: string;
  /** The number of the last entry that the caller knows; if there are later entries, the call is refused with status 409. */
  ifMatch?: number;
}

/** How a feed is followed. */
export interface FollowOptions extends CallOptions {
  /** The number of the last entry that the reader has. By default 0. */
  after?: number;
  /** Milliseconds in which the feed is resumed after a cut. By default 60 000. */
  patience?: number;
  /** Is called when the feed begins, is cut, and is resumed. */
  onStatus?: (status: "open" | "cut") => void;
}

/** How a state is kept current. */
export interface LiveOptions extends CallOptions {
  /** Milliseconds in which the feed is resumed after a cut. By default without end. */
  patience?: number;
}

/** Which sessions are listed, and from where. */
export interface Wanted {
  /** The session that the page begins after: the last of the page before. */
  after?: string;
  limit?: number;
  /** By default the newest come first. */
  order?: "newest" | "oldest";
  /** A part of the title, in any case. */
  title?: string;
  /** A person who plays a combatant in it, in any case. */
  player?: string;
  ruleset?: string;
  campaign?: string;
  state?: "open" | "closed" | "any";
  /** By default archived sessions are omitted. */
  archived?: "no" | "only" | "any";
}

/** A request of the module itself. */
export interface Request extends CallOptions {
  method?: string;
  path: string;
  query?: { [name: string]: string | number | undefined };
  body?: string;
  /** The type of the body. */
  type?: string;
  /** The type that the answer must have. */
  accept?: string;
  headers?: { [name: string]: string };
  /** The idempotency key. */
  key?: string;
  /** Whether it must not be repeated if it is unknown whether the server received it. */
  once?: boolean;
}

/**
 * A request that the server refused, or that did not reach it.
 *
 * The client has these slugs: `client/unreachable` (the server does not answer; a command may have been performed, and
 * can be repeated with the same `key`), `client/not-affray` (the answer is not that of a server of this version),
 * `client/address`, `client/token`, `client/key`, `client/name`, `client/no-such-seat`, `client/closed`.
 */
export class Refused extends Error {
  constructor(problem: Problem, options?: { cause?: unknown; retryAfter?: number });
  /** The problem document (RFC 9457) with all of its members. */
  readonly problem: Problem;
  /** The stable name of the reason, for programs. */
  readonly slug: string;
  readonly title: string;
  /** The reason, in one sentence. */
  readonly detail: string;
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The field, key or header that is refused; or an empty text. */
  readonly where: string;
  /** What would have been accepted; or an empty text. */
  readonly accepts: string;
  /** After a conflict, the number of the last entry of the log. */
  readonly actual: number | null;
  /** Seconds after which the server asks to repeat the call; 0 if it does not. */
  readonly retryAfter: number;
}

/** A server, called with the host's token or with that of a seat. */
export class Affray {
  /** @param url The server's address, such as `https://affray.example`; in a page of the server, `location.origin`. */
  constructor(url: string, options: Options);
  /** Returns what the token is for: its seat, session and person, and the combatants that a player plays now. */
  me(options?: CallOptions): Promise<Me>;
  /** Returns a session of this server. @param options A token of a seat; by default the token of this object. */
  session(id: string, options?: { token?: string }): Session;
  /** Creates a session; with the host's token. */
  create(session: NewSession, options?: Omit<WriteOptions, "ifMatch">): Promise<Created>;
  /**
   * Imports a session; with the host's token. If the answer is lost, the session may have been imported all the same.
   *
   * @param lines What `Session.export` returned to the gamemaster.
   */
  import(lines: string, options?: CallOptions): Promise<Created>;
  /**
   * Returns the sessions that fit, the newest first; with the host's token. The next page begins after the last of them.
   */
  sessions(options?: CallOptions & Wanted): Promise<Summary[]>;
  /**
   * Deletes a session permanently, and returns what remains of it; with the host's token.
   *
   * @param entries The number of its entries, so that nothing unseen is deleted; absent: deletes it anyway.
   */
  delete(session: string, why: string, entries?: number, options?: CallOptions): Promise<Tombstone>;
  /** Returns the campaigns of the server's ledger, each in brief; with the host's token. */
  campaigns(options?: CallOptions): Promise<CampaignList>;
  /**
   * Returns a campaign with its sessions and its roster; with the host's token.
   *
   * A long campaign may need more time than the server gives one request; a repeated call continues where it ended.
   *
   * @param name The exact name of the campaign; any text.
   */
  campaign(name: string, options?: CallOptions): Promise<CampaignPage>;
  /** Compares the dice of all sessions of a campaign with the expected ones; with the host's token. */
  campaignLuck(name: string, options?: CallOptions): Promise<SessionsLuck>;
  /** Returns the rulings of a campaign, without those that were undone; with the host's token. */
  campaignRulings(name: string, options?: CallOptions): Promise<CampaignRulings>;
  /** Returns the rulesets. */
  rulesets(options?: CallOptions): Promise<Game[]>;
  /** Returns a ruleset, such as `gurps_3e`, with the names of its tables, charts and sheets. */
  ruleset(name: string, options?: CallOptions): Promise<WholeGame>;
  /** Returns the JSON Schemas of a ruleset's sheets and declarations. */
  schemas(name: string, options?: CallOptions): Promise<Plain>;
  /** Returns a chart of a ruleset. */
  chart(name: string, chart: string, options?: CallOptions): Promise<Drawn>;
  /** Returns the rows of a ruleset's table. */
  table(name: string, table: string, options?: CallOptions): Promise<Plain[]>;
  /** Returns a ready sheet of a ruleset. */
  sheet(name: string, sheet: string, options?: CallOptions): Promise<Plain>;
  /**
   * Checks a file of combatants, and returns them, ready to join a fight with.
   *
   * @param text Its content, as TOML. @param file Its name, for refusals, and for the id of a sheet without a name.
   */
  checkSheets(name: string, text: string, file?: string, options?: CallOptions): Promise<FileCombatants>;
  /** Draws a text, such as a link, as a QR code: the path of an SVG. */
  qr(text: string, options?: CallOptions): Promise<QrCode>;
}

/** A session that was just created or imported, with the tokens of its seats, which are shown only now. */
export class Created {
  constructor(url: string, founded: Founded, options: Options);
  readonly id: string;
  readonly tokens: Issued[];
  /** Returns the session from the gamemaster's seat. */
  gamemaster(): Session;
  /** Returns the session from a player's seat. */
  player(name: string): Session;
  /** Returns the session from a spectator's seat. */
  spectator(): Session;
}

/** A session on a server, from the seat of a token. */
export class Session {
  constructor(url: string, id: string, options: Options);
  readonly id: string;

  /** Returns the state that the seat sees, now or after entry `at`. */
  state(options?: CallOptions & { at?: number }): Promise<State>;
  /** Returns the rolls and choices that the table is waiting for. */
  rests(options?: CallOptions): Promise<OpenRest[]>;
  /** Returns what is legal now, with the numbers, and what is not, with the reason. */
  options(options?: CallOptions): Promise<Possibility[]>;
  /** Returns up to `limit` entries after one, whether they stand or not. */
  entries(options?: CallOptions & { after?: number; limit?: number }): Promise<Told[]>;
  /** Yields all entries after one, whether they stand or not; they are requested in pages. */
  log(options?: CallOptions & { after?: number }): AsyncGenerator<Told, void, undefined>;
  /** Explains a roll, an exchange, or a number of a combatant, such as `stoya.damage`; now, or as of entry `at`. */
  why(of: string, options?: CallOptions & { at?: number }): Promise<Why>;
  /** Returns the record as a whole, for a replay: where rounds, turns and exchanges begin, what was undone, health over time. */
  outline(options?: CallOptions): Promise<Outline>;
  /** Returns the record as one HTML file that replays it in a browser, without a server. */
  replay(options?: CallOptions): Promise<string>;
  /** Returns up to `limit` entries after one, each in sentences and with the merge patch of what it changes of the state. */
  steps(options?: CallOptions & { after?: number; limit?: number }): Promise<ReplaySteps>;
  /** Returns the odds of an open roll, or of a declaration. */
  odds(asked?: OddsAsked, options?: CallOptions): Promise<Plain>;
  /** Estimates who is standing at the end of the fight, with 90 % intervals; now, or as of entry `at`. */
  chances(options?: CallOptions & { at?: number }): Promise<FightChances>;
  /** Compares the faces of the dice with the expected ones. */
  luck(options?: CallOptions): Promise<Plain>;
  /** Returns who went down, the turning points, luck and corrections. */
  recap(options?: CallOptions): Promise<Plain>;
  /** Checks whether the record is intact and the dice are honest. @param options `head`: the digest of the last known entry. */
  audit(options?: CallOptions & { head?: string }): Promise<Audit>;
  /** Returns the disputes, open and settled. */
  disputes(options?: CallOptions): Promise<Disputed[]>;
  /** Returns one dispute, such as `d1`, with its evidence. */
  dispute(dispute: string, options?: CallOptions): Promise<Dispute>;
  /** Returns the session as JSON lines, as the seat may see it. */
  export(options?: CallOptions): Promise<string>;

  /** Performs a command, or several all or none. It is repeated until it is answered, and performed once. */
  perform(command: Commands, options?: WriteOptions): Promise<Performed>;
  /** Undoes the latest step, exchange, turn or round. */
  undo(undo: Undo, options?: WriteOptions): Promise<Performed>;
  /** Reverts the latest undo, as long as nothing new was decided since. */
  redo(redo?: Redo, options?: WriteOptions): Promise<Performed>;
  /** Amends an old entry; all faces stay the same, and all that followed is decided anew. */
  amend(amended: Amended, options?: WriteOptions): Promise<Written>;
  /** Returns what an amendment would change, without writing it. */
  preview(considered: Considered, options?: CallOptions): Promise<Report>;
  /** Returns what would have followed if an entry had been different; nothing is written. */
  whatIf(considered: Considered, options?: CallOptions): Promise<Report>;
  /** Returns the line that some changes lead to, each on top of the one before; nothing is written. */
  branch(asked: BranchRequest, options?: CallOptions): Promise<BranchLine>;

  /** Returns what the table asks the seat now: the open choice with its answers, and the open rolls. */
  question(options?: CallOptions): Promise<TableQuestion>;
  /** Returns what a line of the table would do, and the words that may stand at its end; nothing is written. */
  understand(line: string, options?: CallOptions): Promise<Understood>;
  /**
   * Executes a line of the table, such as `kade 4 hits` or `attack thug`. It is repeated until it is answered, and executed once.
   *
   * @param options `answers`: what it asked when it was sent before; `ifMatch`: the last entry that was seen, which a
   * line that writes needs; if others have written since, it is refused, unless `of`, the key of the roll or choice that it
   * answers, is still open.
   */
  sendLine(line: string, options?: WriteOptions & { answers?: readonly string[]; of?: string }): Promise<LineSent>;

  /** Returns the issued tokens, without their signed texts; for the gamemaster. */
  tokens(options?: CallOptions): Promise<Known[]>;
  /** Issues a token for a seat, which is shown only here; for the gamemaster. It is not repeated if the answer is lost. */
  issue(token: NewToken, options?: CallOptions): Promise<Issued>;
  /** Archives the session, which is then omitted from lists; for the gamemaster and the host. */
  archive(why?: string, options?: CallOptions): Promise<Archived>;
  /** Takes the session out of the archive, so that it is listed again; for the gamemaster and the host. */
  unarchive(why?: string, options?: CallOptions): Promise<Archived>;
  /**
   * Renews the token of this object, which uses the new one from now on, feeds and live states too; the old one expires
   * as before. It is refused for a token that does not expire.
   */
  renew(options?: CallOptions): Promise<Issued>;
  /** Revokes the token of this id permanently, also where it was renewed; for the gamemaster. */
  revoke(token: string, options?: CallOptions): Promise<void>;
  /** Returns the webhooks of the token's seat, without their secrets. */
  hooks(options?: CallOptions): Promise<KnownHook[]>;
  /** Has the feed of the token's seat sent to an address; the answer has the secret, which is shown only now. */
  createHook(hook: NewHook, options?: CallOptions): Promise<IssuedHook>;
  /** Activates a webhook that was switched off after failures. */
  activateHook(hook: string, options?: CallOptions): Promise<KnownHook>;
  /** Sends a test to a webhook, and returns what came of it. */
  pingHook(hook: string, options?: CallOptions): Promise<Pinged>;
  /** Gives a webhook another secret; for a day messages are signed with both. */
  replaceHookSecret(hook: string, options?: CallOptions): Promise<IssuedHook>;
  /** Removes a webhook. */
  deleteHook(hook: string, options?: CallOptions): Promise<void>;

  /**
   * Yields the entries after one, and then new ones as they are written, each once and in order.
   *
   * It resumes by itself if the connection breaks, falls silent or the server restarts. It ends when its `signal` is
   * aborted or the loop is left, and throws `Refused` if the server did not answer for `patience`, or the token was
   * revoked.
   */
  follow(options?: FollowOptions): AsyncGenerator<LiveEntry, void, undefined>;
  /** Returns the seat's state, kept current by a feed and by what `perform`, `undo` and `redo` of this object answer. */
  live(options?: LiveOptions): Promise<Live>;
}

/** What a `Live` reports, by name. */
export interface LiveEvents {
  /** The state has changed. */
  state: State;
  /** A new entry; each arrives once and in order, after the state has it. */
  entry: LiveEntry;
  /** The feed is open again, was cut, or is closed for good. */
  status: Live["status"];
}

/** The state that a seat sees, kept current. It is made by `Session.live`. */
export class Live {
  private constructor();
  /** The current state. It is never changed: a later state is another object, which shares what is the same. */
  get state(): State;
  /** `open`; `cut` while the feed is being resumed; `closed` for good. */
  get status(): "open" | "cut" | "closed";
  /** Why it was closed; null if it was not, or by `close` or its signal. */
  readonly error: Error | null;
  /** Returns the state as soon as it has an entry; rejects if this is closed before. */
  reached(entry: number): Promise<State>;
  /** Ends the feed. */
  close(): void;
  /** Calls a listener with what is reported from now on; returns a function that ends this. */
  on<N extends keyof LiveEvents>(name: N, listener: (detail: LiveEvents[N]) => void): () => void;
}

/** Parses Server-Sent Events from bytes, wherever these are cut. */
export class EventParser {
  /** Returns the events that are complete with these bytes. */
  push(bytes: Uint8Array): { id: string; event: string; data: string }[];
}

/** Returns a random idempotency key. Pages that are served over plain http have no `crypto.randomUUID`. */
export function randomKey(): string;

/** Returns the document that a merge patch (RFC 7396) makes of another, which stays as it is. */
export function mergePatch(target: unknown, patch: unknown): unknown;
