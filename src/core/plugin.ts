import type * as z from 'zod';

import type { ProblemCode } from './error-code.ts';
import type { AddressGuard } from '../lib/http/address-guard.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { Grader, Subject } from './grade.ts';
import type { Judge, JudgeChoice, JudgeSettings } from './judge.ts';
import type { Message } from './message.ts';
import type { ModelDoor } from './model.ts';
import type { Price } from './price.ts';
import type { Target } from './target.ts';
import type { ToolSpec } from './tools.ts';
import type { Expectation, ToolMock } from './test-case.ts';
import type { Transcript } from './transcript.ts';
import type { TrialId } from './trial.ts';

/** The one way to extend assay: a grader, a target. Validation, editor schema and reference pages derive from it. */
export interface Plugin<Instance, Config, Services> {
  /** As written in `type:`. */
  readonly type: string;
  /** Raised by hand when the meaning of a configuration changes; part of digests. */
  readonly version: number;
  /** One line for `assay list`. */
  readonly summary: string;
  /** Strict; its output is plain JSON. */
  readonly config: z.ZodType<Config>;
  create(config: Config, services: Services): Instance;
}

export interface GraderServices {
  /** Absolute folder that relative paths start from. */
  readonly directory: string;
  /** The whole environment of a grader's process, before its own `env`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly models: ModelDoor;
  /** The judge of a grader that names this one, or none; throws when nobody names any for this target. */
  judgeFor(named: JudgeChoice | undefined, target: string): Judge;
  /** A text without secrets: whatever a judge is shown has gone through it. */
  redact(text: string): string;
  /** What is known of the agent that a subject was made by; absent: nothing. */
  agentOf?(subject: Subject): CapturedAgent;
  /** Graders of members, for composites. */
  graderFor(expectation: Expectation): Grader;
}

/** An agent as its configuration tells of it; what is absent is not known. */
export interface CapturedAgent {
  readonly prompt?: string;
  readonly tools?: readonly ToolSpec[];
}

export interface GraderPlugin<Config = unknown> extends Plugin<Grader, Config, GraderServices> {
  /** The name of an expectation that was given none; default: the type. */
  nameOf?(config: Config): string;
  /** Whether this configuration reads the case's criteria, which are then required. */
  readsCriteria?(config: Config): boolean;
  /** Whether this configuration asks a model, so that a judge must be configured. */
  asksJudge?(config: Config): boolean;
  /** The judge that this configuration names. */
  judge?(config: Config): JudgeChoice | undefined;
  /** What of this configuration decides a grade, where that is not all of it; for digests. */
  deciding?(config: Config): unknown;
  /** Whether this configuration reads the reference, which is then required. */
  readsReference?(config: Config): boolean;
  /** What keeps it from comparing with this reference, the parts of the last expected message. */
  referenceFaults?(config: Config, reference: Message['parts']): readonly string[];
  /** Files whose content is part of what it measures, as written; each must exist. */
  files?(config: Config): readonly string[];
  /** What is wrong with the content of one of these files. */
  fileFaults?(content: string, config: Config): readonly string[];
  /** Names such as `vars.customer` that the content of one of these files is filled with. */
  fileVars?(content: string, config: Config): readonly string[];
  /** What of the machine it uses, beside the files that `files` names; an expectation of a request must not. */
  touches?(config: Config): 'programs' | 'files' | undefined;
  /** Entries of expectations inside this one, as written; the loader checks and names them like any other. */
  members?(config: Config): readonly JsonObject[];
  /** What its judge may be told before anything of a trial; their digests stand on its grades as `promptDigest`. */
  prompts?(config: Config): readonly JsonValue[];
  /** Which release brings it; its configuration is checked all the same, and a trial that needs it is errored. */
  readonly notYet?: string;
}

/** A target as configured: the keys that all types share, and those of its type. */
export interface TargetSettings {
  readonly name: string;
  readonly type: string;
  readonly maxParallel?: number;
  /** Of one turn, milliseconds. */
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly retryInfrastructure?: number;
  readonly passEnv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly tools?: readonly ToolSpec[];
  /** Answers of its tools where a case has none for that tool. */
  readonly mocks?: readonly ToolMock[];
  readonly judge?: JsonValue;
  readonly price?: Price;
  /** The keys of its type, as its schema gave them back. */
  readonly config: JsonObject;
}

export interface TargetServices {
  readonly name: string;
  /** Absolute folder of the config that names the target; relative paths start there. */
  readonly directory: string;
  /** The whole environment of its processes: allow-list, `passEnv`, `env`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of `environment` what the config sets by value. */
  readonly env?: Readonly<Record<string, string>>;
  /** All that whoever runs this has set; nothing of it reaches an agent by itself. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  readonly models: ModelDoor;
  /** Over the table of prices. */
  readonly price?: Price;
  /** What its own requests may connect to; absent: anything. `models` heeds it by itself. */
  readonly addresses?: AddressGuard;
  /** Opens a stored run: a run directory, id, prefix or `latest`, optionally with `#target`. */
  storedRun(reference: string): Promise<StoredAnswers>;
}

/** What was said in a stored run. */
export interface StoredAnswers {
  /** The transcript of the last attempt of that trial, whatever its target; undefined when it has none. */
  transcript(id: Omit<TrialId, 'target'>): Promise<Transcript | undefined>;
}

/** Parts by type. */
export interface Parts<Part> {
  get(type: string): Part | undefined;
  keys(): Iterable<string>;
}

/** Parts of which a few may not be there yet. */
export interface PartShelf<Part> extends Parts<Part> {
  /** Once it is done, those of these types are there, with what can stand inside them; for a type that nobody knows, all. */
  load(types: readonly string[]): Promise<void>;
}

/** Something about the configuration of a target that its schema cannot say. */
export interface TargetFinding {
  /** Where, below the target. */
  readonly path: readonly (string | number)[];
  readonly weight: 'error' | 'warning';
  readonly code: ProblemCode;
  readonly message: string;
  /** What to do. */
  readonly hint?: string;
}

/** A program that a configuration names: not looked for before it is started, but by `validate`. */
export interface NamedProgram {
  /** Where, below the target. */
  readonly path: readonly (string | number)[];
  /** As written. */
  readonly program: string;
}

/** A folder that belongs into the workspace before the agent starts and before its changes count. */
export interface StagedFolder {
  /** Absolute. */
  readonly source: string;
  /** Relative to the workspace, `/` as separator; nothing may be there. */
  readonly to: string;
}

/** Where a program is looked for. */
export interface InspectionPlace<Config = unknown> extends Pick<
  TargetServices,
  'directory' | 'operatorEnvironment'
> {
  /** A target of a config, which names its own program; absent: the usual one of the type. */
  readonly target?: Pick<TargetServices, 'name' | 'environment' | 'env'> & { readonly config: Config };
}

/** What this machine has of the program behind a target. */
export interface Installation {
  /** The name it is looked up under. */
  readonly program: string;
  /** Absolute; absent: it was not found. */
  readonly path?: string;
  /** Absent: it does not tell. */
  readonly version?: string;
  /** Versions whose output is known from recordings. */
  readonly triedVersions: readonly string[];
  /** What keeps it from working here, each with what to do. */
  readonly problems: readonly string[];
  /** What is worth knowing before the first run. */
  readonly notes: readonly string[];
}

/** Keys of a type of target that an agent of the store may have: none that starts a program or reads a file. */
export interface StoredKeys {
  readonly all: readonly string[];
  /** Those with a URL that is asked. */
  readonly urls?: readonly string[];
  /** Those with the name of an environment variable. */
  readonly variables?: readonly string[];
}

export interface TargetPlugin<Config = unknown> extends Plugin<Target, Config, TargetServices> {
  /** Whether a conversation can have a second turn of the user; default true. */
  readonly multiTurn?: boolean;
  /** Whether it understands images; absent: it is not asked with any. */
  takesImages?(config: Config): boolean;
  /** What a configuration means that stands under `runners`, as code suites were published with; absent: what it says. */
  runnerConfig?(config: Config): Config;
  /** How its agent can call the tools that we answer; absent: it cannot. */
  reachesTools?(config: Config): 'in-process' | 'mcp' | undefined;
  /** Whether it tells of every tool call, so that silence means that there was none. */
  tellsToolCalls?(config: Config): boolean;
  /** Whether the agent gets a directory of its own even when the case names no workspace. */
  readonly needsWorkspace?: boolean;
  /** Trials at once where the config says nothing. */
  readonly maxParallel?: number;
  /** Files, pipes and sockets that this process has open for one session; absent: a connection or two. */
  readonly openFiles?: number;
  /** Stored runs that it answers from, as written; found before the run that asks it has a directory. */
  runs?(config: Config): readonly string[];
  /** What its agent is told; of a target that says so, the tools that its config declares are all that it has. */
  capture?(config: Config): Required<Pick<CapturedAgent, 'prompt'>>;
  /** What an agent of the store may have of its keys; absent: the store keeps no agent of this type. */
  readonly stored?: StoredKeys;
  /** Files whose content is part of what is measured, as written; one that is missing counts as absent. */
  files?(config: Config): readonly string[];
  /** Keys with a text that may stand in a file instead: `create` gets the text of the file. */
  readonly texts?: readonly string[];
  /** What is wrong or doubtful about a target that is used; looks at files and variables, starts nothing. */
  check?(
    settings: TargetSettings & { readonly config: Config },
    place: Pick<TargetServices, 'directory' | 'operatorEnvironment'>,
  ): readonly TargetFinding[];
  /** Programs that its configuration names; those that only a shell could find are left out. */
  programs?(config: Config): readonly NamedProgram[];
  /** Folders for every workspace of the target; relative paths of the config start from `directory`. */
  stages?(config: Config, directory: string): readonly StagedFolder[];
  /** Whether nothing of whoever runs it reaches its agent; absent: nobody knows. */
  isHermetic?(config: Config): boolean;
  /** Whether a session can be gone on with in a later process: from what it handed over, or from what the operator has. */
  resumesFrom?(config: Config): 'state' | 'operator';
  /** Why this conversation cannot be given to it as its first prompt. */
  inputFault?(config: Config, input: readonly Message[]): string | undefined;
  /** Looks for its program as a run would, and asks it for its version; only of targets that bring none themselves. */
  inspect?(place: InspectionPlace<Config>, signal: AbortSignal): Promise<Installation>;
  /** Whether it asks nobody who could charge for it. */
  readonly isFree?: boolean;
  /** The one model that it asks, always through our door: a judge can ask it directly, and money is counted by call. */
  asModel?(config: Config, settings: TargetSettings): JudgeSettings;
  readonly notYet?: string;
}
