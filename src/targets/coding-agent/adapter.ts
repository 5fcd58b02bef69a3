import type * as z from 'zod';

import type { World, Yielded } from '../../core/target.ts';
import type { Effect } from '../../core/transcript.ts';
import type { Usage } from '../../core/usage.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { AgentConfig } from './agent-config.ts';

/** One coding-agent program: data and pure functions; the frame around it starts it, reads it and puts it away. */
export interface AgentAdapter<Config extends AgentConfig = AgentConfig> {
  /** As written in `type:`. */
  readonly type: string;
  readonly summary: string;
  /** Names it is looked up under on PATH, in order; empty: `command` must be written. */
  readonly programs: readonly string[];
  /** What to do when it is missing, such as `npm install -g <package>`. */
  readonly install: string;
  /** Versions that its output was recorded from, newest last. */
  readonly triedVersions: readonly string[];
  /** Variables that are known to hold its credentials. */
  readonly credentials: readonly string[];
  /** Relative to the workspace; the first is where skills are staged. Empty: `skills` is refused. */
  readonly skillsDirectories: readonly string[];
  /** Where a config says that skills are staged; comes before the others. */
  skillsDirectory?(config: Config): string | undefined;
  /** Its variables that name a folder of settings, and where that folder is below the private home. */
  readonly isolation?: Readonly<Record<string, string>>;
  /** Variables that an operator may keep their settings by; passed on with `inheritConfig`. */
  readonly inherited?: readonly string[];
  /** A program without which some of its tools fail in silence: a warning, with `skills` an error. */
  readonly companion?: Companion;
  /** Attempts of one run share its cache, because a cold one is expensive. */
  readonly sharesCache?: true;
  /** It masks the values of its secret variables in its own events: short ones are refused. */
  readonly masksSecrets?: true;
  /** Paths below its home of what says where that home is, and of what it makes again: not for a home elsewhere. */
  readonly boundToHome?: RegExp;
  /** Files of the private home, by relative path; `files` of the config wins. */
  readonly homeFiles?: Readonly<Record<string, string>>;
  readonly tools: ToolTable;
  readonly config: z.ZodType<Config>;
  /** What a configuration means that stands under `runners`. */
  runnerConfig?(config: Config): Config;
  /** Whether a session can be resumed for a second turn; default true. */
  readonly multiTurn?: boolean;
  /** Where it is told of the server that a turn names in `mcp`; a private home is not there with `inheritConfig`. */
  readonly reachesTools?: 'anywhere' | 'private-home';
  launch(turn: AgentTurn<Config>): Launch;
  /** A fresh one for every turn. */
  parser(context: ParserContext<Config>): AgentParser;
  /** Files that the agent leaves and that are read or kept when a turn is over. */
  leaves?(place: TurnPlace): readonly LeftFile[];
  /** Arguments that make it print a session as JSON when it is over; nothing depends on it. */
  exportArgs?(sessionId: string): readonly string[];
  /** Why the program would not get this prompt as it stands. */
  promptFault?(prompt: string): string | undefined;
}

export interface Companion {
  /** Looked up on PATH. */
  readonly program: string;
  /** What fails without it. */
  readonly tools: string;
  /** How to get it. */
  readonly install: string;
}

/** What one turn is started with. */
export interface AgentTurn<Config extends AgentConfig = AgentConfig> {
  readonly config: Config;
  readonly prompt: string;
  readonly permissions: 'full' | 'agent';
  /** A UUID of ours, the same in every turn of a session. */
  readonly sessionId: string;
  /** What the agent calls the session, in every turn but the first. */
  readonly resume?: string;
  /** Absolute; where it works. */
  readonly directory: string;
  /** Absolute; a private folder of this session for files that the agent is told to write. */
  readonly scratch: string;
  /** The server of the world's tools; absent: it has none. */
  readonly mcp?: NonNullable<World['mcp']>;
  /** Some refuse to work without permission prompts for root unless told that they are in a sandbox. */
  readonly isRoot: boolean;
}

/** The program's arguments, `args` of the config and the prompt included, and variables; `commandArgs` are not its business. */
export interface Launch {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files to be written before the start, by their path below the scratch folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** The same below the private home. */
  readonly homeFiles?: Readonly<Record<string, string>>;
}

export interface TurnPlace {
  /** Absolute; with `inheritConfig` the operator's. */
  readonly home: string;
  /** Environment of the program, with the variables that name its folders of settings. */
  readonly variables: Readonly<Record<string, string>>;
  readonly scratch: string;
  readonly directory: string;
  /** As the agent calls the session; ours where it has not told. */
  readonly sessionId: string;
}

/** A file below a folder: the last one, by path, that fits. */
export interface LeftFile {
  /** Name of the artifact, and what the parser knows it by. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** Gets the path relative to the folder, `/` as separator. */
  readonly fits: (path: string) => boolean;
}

/** What a parser may know of the world; nothing in it changes during the turn. */
export interface ParserContext<Config extends AgentConfig = AgentConfig> {
  /** What a program that is talked to is told; absent where its output is read by itself. */
  readonly turn?: AgentTurn<Config>;
  /** What a tool call did, by the adapter's tool table; `directory`: of the call, else of the session. */
  effectsOf(call: {
    readonly name: string;
    readonly input: JsonValue;
    readonly directory?: string;
  }): readonly Effect[];
  /** Of earlier turns of the session: how many there were, and what they reported; absent parts: none, nothing. */
  readonly earlier: { readonly turns?: number; readonly usage?: Usage; readonly costUsd?: number };
}

/** Reads one turn of the program's output; nothing but what it was given decides what it says. */
export interface AgentParser {
  /** First lines of its stdin, of a program that is talked to; its stdin is closed at the terminal event, unless it is asked again. */
  readonly opening?: readonly JsonObject[];
  /** One JSON line of stdout. */
  line(event: JsonObject): Reading;
  /** After the last line: what was held back, and what only the exit tells, also about a failure that is known. */
  end(exit: AgentExit): Reading;
  /** The next turn in the same process, of a program that is talked to; absent: each turn has a process of its own. */
  next?(context: ParserContext): AgentParser;
  /** Lines for its stdin before it is ended in the middle of a turn. */
  cancel?(): readonly JsonObject[];
}

export interface AgentExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of stderr. */
  readonly stderr: string;
  /** Contents of the files of `leaves` that were there, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** What one line meant; `{}`: known and of no interest. */
export interface Reading {
  /** `step` counts from 1 in each turn. */
  readonly entries?: readonly Yielded[];
  /** A response of the model has begun that no entry tells of yet; counts like `step`. */
  readonly stepBegan?: number;
  /** How the agent says that the turn has ended; whatever it prints later is not part of the turn. */
  readonly terminal?: Terminal;
  /** The attempt is over without the agent having said so: it would go on without hope. */
  readonly abandon?: AgentFailure;
  /** The turn ends like this when no further line comes for that long; lines that repeat the same object do not count. */
  readonly settles?: { readonly afterMs: number; readonly terminal: Terminal; readonly note: string };
  /** What resuming takes. */
  readonly sessionId?: string;
  readonly version?: string;
  /** The kind of an event that the adapter does not know. */
  readonly unknown?: string;
  readonly notes?: readonly string[];
  /** Steps of this turn, where the end knows better than the stream. */
  readonly steps?: number;
  /** Lines for its stdin, of a program that is talked to. */
  readonly send?: readonly JsonObject[];
}

/** `text`: the answer as the agent sums it up; it becomes a message only where none said it. */
export type Terminal =
  | { readonly ok: true; readonly text?: string }
  | { readonly ok: false; readonly failure: AgentFailure };

/** Why a turn came to nothing, in the agent's words. */
export interface AgentFailure {
  readonly kind: 'model-rejected' | 'http-error' | 'target-unavailable' | 'runner-crash';
  /** Of the model provider's answer. */
  readonly status?: number;
  /** The provider does not accept the credentials, or there are none. */
  readonly rejectsCredentials?: true;
  readonly message: string;
  /** Concluded from a text that only looks like an error. */
  readonly isHeuristic?: true;
}

/** Tools with an effect, by exact name, and which argument tells it. */
export interface ToolTable {
  readonly shell?: Readonly<Record<string, string>>;
  readonly read?: Readonly<Record<string, string>>;
  readonly write?: Readonly<Record<string, string>>;
  readonly skill?: Readonly<Record<string, string>>;
}
