/** The documents that the page shows; those of the server are generated in `api.d.ts`. */
import type { Affray, Session } from "/client/affray.js";
import type { components } from "/client/api.js";

type Schemas = components["schemas"];
export type Outline = Schemas["Outline"];
export type Undone = Outline["undone"][number];
export type Health = Outline["health"][number];
export type Steps = Schemas["ReplaySteps"];
export type Step = Steps["steps"][number];
export type State = Schemas["State"];
export type CombatantView = Schemas["CombatantView"];
export type Why = Schemas["Why"];
export type Part = Why["parts"][number];
export type Recap = Schemas["Recap"];
export type FightChances = Schemas["FightChances"];
export type Summary = Schemas["Summary"];
export type BranchLine = Schemas["BranchLine"];
export type BranchStep = Schemas["BranchStep"];
export type Change = Schemas["Change"];
export type EntryChange = Schemas["EntryChange"];
/** A command that goes on at the end of a branch. */
export type GoesOn = Pick<Schemas["TypeDice"], "type" | "key" | "faces"> | Pick<Schemas["Choose"], "type" | "key" | "option">;
export type Report = Schemas["Report"];
export type Me = Schemas["Me"];
export type OpenRest = Schemas["OpenRest"];
export type Question = Schemas["TableQuestion"];
export type TableAnswer = Schemas["TableAnswer"];
export type TableRoll = Schemas["TableRoll"];
export type Found = Schemas["LineFound"];
export type Understood = Schemas["Understood"];
export type Completion = Schemas["TableCompletion"];
export type Disputed = Schemas["Disputed"];
export type Dispute = Schemas["Dispute"];

/** What the page shows of a session. */
export type View = "console" | "phone" | "replay" | "screen" | "setup" | "study";
export type Issued = Schemas["Issued"];
export type Known = Schemas["Known"];
export type QrCode = Schemas["QrCode"];
export type FileCombatant = Schemas["FileCombatant"];
export type Join = Schemas["Join"];

/** Where a record comes from: a server, or the file that the page is saved in. */
export interface Source {
  /** The seat whose view this is: `gm`, `player`, `spectator`. */
  readonly seat: string;
  /** The person's name; empty if it is not known. */
  readonly name: string;
  /** Whether new entries may come. */
  readonly isLive: boolean;
  /** The session on its server; none in a saved file. */
  readonly session?: Session;
  readonly affray?: Affray;
  outline(): Promise<Outline>;
  /** Returns the steps after an entry; at least one if there are any, and maybe fewer than `limit`. */
  steps(after: number, limit: number): Promise<Steps>;
  /** Explains a key, or a figure such as `razor.stun`, as of an entry. */
  why(of: string, at: number): Promise<Why>;
  /** Estimates who is standing at the end of the fight, as of an entry; absent where nothing can be computed. */
  chances?(at: number, signal: AbortSignal): Promise<FightChances>;
  /** Returns who went down, the turning points with their chances, luck, and corrections. */
  recap(): Promise<Recap>;
  /** Returns what can be kept of it: the replay as one HTML file, or the record as JSON lines that can be verified. */
  file(): Promise<{ end: string; type: string; content: string }>;
  /** Calls back whenever there are new entries, with the number of the last one; returns when `signal` is aborted. */
  follow(after: number, grown: (last: number) => void, status: (status: "open" | "cut") => void, signal: AbortSignal): Promise<void>;
}

/** A part of an explanation in a saved file; texts are places in the list of texts. */
export type SavedPart = [value: Part["value"], what: number, why: number, source: number, entry: number, by: number, origin?: number | null];

/** What a saved file holds. */
export interface SavedFight {
  seat: string;
  /** The player's name; empty for other seats. */
  name: string;
  outline: Outline;
  pages: Steps[];
  reasons: {
    texts: string[];
    /** Explanations by subject, older lines first: the first whose `upto` is not before the entry holds. */
    whys: { [subject: string]: [upto: number, titles: [entry: number, title: string][], parts: SavedPart[], leads_to: string[]][] };
  };
  recap: Recap;
  /** The seat's export: JSON lines, compressed by deflate, in base64. */
  record: string;
  /** What had been estimated when the file was saved from the page, by entry. */
  chances: { [entry: string]: FightChances };
}
