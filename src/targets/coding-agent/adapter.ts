import type * as z from 'zod';

import type { World, Yielded } from '../../core/target.ts';
import type { Effect } from '../../core/transcript.ts';
import type { Usage } from '../../core/usage.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { AgentConfig } from './agent-config.ts';

/**
 * Describes one coding-agent program with data and pure functions. The shared code starts it, reads its output and
 * cleans up.
 */
export interface AgentAdapter<Config extends AgentConfig = AgentConfig> {
  readonly type: string;
  readonly summary: string;
  /** Names to search on PATH, in order; empty: `command` is required. */
  readonly programs: readonly string[];
  /** How to install it, such as `npm install -g <package>`. */
  readonly install: string;
  /** Versions with recorded output, newest last. */
  readonly triedVersions: readonly string[];
  /** Known variables with its credentials. */
  readonly credentials: readonly string[];
  /** The `host:port` of its providers: what it may connect to in a sandbox with `network: provider`. */
  readonly hosts?: readonly string[];
  /** Relative to the workspace; skills are put into the first one. Empty: `skills` is refused. */
  readonly skillsDirectories: readonly string[];
  /** The folder for skills from the config; comes before the others. */
  skillsDirectory?(config: Config): string | undefined;
  /** Variables that name a folder of its settings, and the place of that folder below the private home. */
  readonly isolation?: Readonly<Record<string, string>>;
  /** Variables for the operator's settings; passed on with `inheritConfig`. */
  readonly inherited?: readonly string[];
  /** A program without which some of its tools fail silently: a warning, with `skills` an error. */
  readonly companion?: Companion;
  /** Attempts of one run share its cache, because filling it is expensive. */
  readonly sharesCache?: true;
  /** It masks the values of secret variables in its own events, so short values are refused. */
  readonly masksSecrets?: true;
  /** Paths below its home that name the home itself or can be created again; not copied to another home. */
  readonly boundToHome?: RegExp;
  /** Default files of the private home, by relative path; `files` of the config override them. */
  readonly homeFiles?: Readonly<Record<string, string>>;
  readonly tools: ToolTable;
  readonly config: z.ZodType<Config>;
  /** Converts a configuration under `runners`. */
  runnerConfig?(config: Config): Config;
  /** Whether a session can be resumed for a second turn; default true. */
  readonly multiTurn?: boolean;
  /** Where it is told about the server in `mcp` of a turn; with `inheritConfig` there is no private home. */
  readonly reachesTools?: 'anywhere' | 'private-home';
  launch(turn: AgentTurn<Config>): Launch;
  /** Creates a parser for each turn. */
  parser(context: ParserContext<Config>): AgentParser;
  /** Files of the agent that are read or kept after a turn. */
  leaves?(place: TurnPlace): readonly LeftFile[];
  /** Arguments that print a finished session as JSON; optional. */
  exportArgs?(sessionId: string): readonly string[];
  /** Why the program would not receive this prompt unchanged. */
  promptFault?(prompt: string): string | undefined;
}

export interface Companion {
  /** Searched on PATH. */
  readonly program: string;
  /** The tools that fail without it. */
  readonly tools: string;
  readonly install: string;
}

/** The input of one turn. */
export interface AgentTurn<Config extends AgentConfig = AgentConfig> {
  readonly config: Config;
  readonly prompt: string;
  readonly permissions: 'full' | 'agent';
  /** A UUID of assay, the same in every turn of a session. */
  readonly sessionId: string;
  /** The session id of the agent, in every turn except the first. */
  readonly resume?: string;
  /** Absolute; its working directory. */
  readonly directory: string;
  /** Absolute private folder of this session, for files that the agent is told to write. */
  readonly scratch: string;
  /** The server of the world's tools; absent when there are no tools. */
  readonly mcp?: NonNullable<World['mcp']>;
  /** Some programs refuse to skip permission prompts as root, unless they are told that they run in a sandbox. */
  readonly isRoot: boolean;
}

/** The program's arguments (with `args` of the config and the prompt) and variables, without `commandArgs`. */
export interface Launch {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files to write before the start, by path below the scratch folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** The same, below the private home. */
  readonly homeFiles?: Readonly<Record<string, string>>;
}

export interface TurnPlace {
  /** Absolute; with `inheritConfig` the operator's home. */
  readonly home: string;
  /** Environment of the program, with the variables that name its folders of settings. */
  readonly variables: Readonly<Record<string, string>>;
  readonly scratch: string;
  readonly directory: string;
  /** The session id of the agent, or that of assay if the agent has not reported one. */
  readonly sessionId: string;
}

/** A file below a folder: the last match, sorted by path. */
export interface LeftFile {
  /** Name of the artifact, and its key for the parser. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** Gets the path relative to the folder, `/` as separator. */
  readonly fits: (path: string) => boolean;
}

/** What a parser knows about the session; constant during the turn. */
export interface ParserContext<Config extends AgentConfig = AgentConfig> {
  /** The input of a program with a protocol; absent when only its output is parsed. */
  readonly turn?: AgentTurn<Config>;
  /** The effects of a tool call, by the adapter's tool table; `directory`: of the call, else of the session. */
  effectsOf(call: {
    readonly name: string;
    readonly input: JsonValue;
    readonly directory?: string;
  }): readonly Effect[];
  /** Number and reported usage of earlier turns; absent parts: none. */
  readonly earlier: { readonly turns?: number; readonly usage?: Usage; readonly costUsd?: number };
}

/** Parses one turn of the program's output, without any other input. */
export interface AgentParser {
  /**
   * First lines for stdin, for a program with a protocol. Its stdin is closed at the terminal event, unless it gets
   * another prompt.
   */
  readonly opening?: readonly JsonObject[];
  /** Parses one JSON line of stdout. */
  line(event: JsonObject): Reading;
  /** Called after the last line: returns buffered entries and facts that only the exit shows. */
  end(exit: AgentExit): Reading;
  /** Starts the next turn in the same process, for a program with a protocol; absent: one process per turn. */
  next?(context: ParserContext): AgentParser;
  /** Lines for stdin before the program is ended during a turn. */
  cancel?(): readonly JsonObject[];
}

export interface AgentExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of stderr. */
  readonly stderr: string;
  /** Contents of the existing files of `leaves`, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** The meaning of one line; `{}`: known and ignored. */
export interface Reading {
  /** `step` counts from 1 in each turn. */
  readonly entries?: readonly Yielded[];
  /** A response of the model began without an entry so far; counts like `step`. */
  readonly stepBegan?: number;
  /** The end of the turn as the agent reports it; later output does not belong to the turn. */
  readonly terminal?: Terminal;
  /** Ends the attempt early, because the agent would only repeat itself. */
  readonly abandon?: AgentFailure;
  /** How the turn ends when no further line comes for this long; repeated lines do not count. */
  readonly settles?: { readonly afterMs: number; readonly terminal: Terminal; readonly note: string };
  /** The id for resuming. */
  readonly sessionId?: string;
  readonly version?: string;
  /** The kind of an unknown event. */
  readonly unknown?: string;
  readonly notes?: readonly string[];
  /** Steps of this turn, if the end knows them better than the stream. */
  readonly steps?: number;
  /** Lines for stdin, for a program with a protocol. */
  readonly send?: readonly JsonObject[];
}

/** `text`: the agent's own summary of the answer; used only when there was no message. */
export type Terminal =
  | { readonly ok: true; readonly text?: string }
  | { readonly ok: false; readonly failure: AgentFailure };

/** Why a turn failed, in the agent's words. */
export interface AgentFailure {
  readonly kind: 'model-rejected' | 'http-error' | 'target-unavailable' | 'runner-crash';
  /** HTTP status of the model provider. */
  readonly status?: number;
  /** The provider rejected the credentials, or they are missing. */
  readonly rejectsCredentials?: true;
  readonly message: string;
  /** What to do, if the general advice for its kind does not fit. */
  readonly hint?: string;
  /** Derived from a text that only looks like an error. */
  readonly isHeuristic?: true;
}

/** Tools with an effect by exact name, and the argument with the path or command. */
export interface ToolTable {
  readonly shell?: Readonly<Record<string, string>>;
  readonly read?: Readonly<Record<string, string>>;
  readonly write?: Readonly<Record<string, string>>;
  readonly skill?: Readonly<Record<string, string>>;
}
