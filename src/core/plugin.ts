import type * as z from 'zod';

import type { TargetVariant } from './target-variant.ts';
import type { ProblemCode } from './error-code.ts';
import type { AddressGuard } from '../lib/http/address-guard.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { Grader, Subject } from './grade.ts';
import type { Judge, JudgeChoice, JudgeSettings } from './judge.ts';
import type { Message } from './message.ts';
import type { ModelChoice, ModelDoor } from './model.ts';
import type { Price } from './price.ts';
import type { Sandbox, SandboxSettings } from './sandbox.ts';
import type { Target } from './target.ts';
import type { ToolSpec } from './tools.ts';
import type { Expectation, ToolMock } from './test-case.ts';
import type { Transcript } from './transcript.ts';
import type { TrialId } from './trial.ts';

/** The one way to extend assay, with a grader or a target. Validation, editor schema and reference derive from it. */
export interface Plugin<Instance, Config, Services> {
  /** The value of `type:`. */
  readonly type: string;
  /** Raised by hand when the meaning of the same configuration changes; part of digests. */
  readonly version: number;
  /** One line for `assay list`. */
  readonly summary: string;
  /** Must be strict; its output is plain JSON. */
  readonly config: z.ZodType<Config>;
  create(config: Config, services: Services): Instance;
}

export interface GraderServices {
  /** Absolute folder that relative paths are resolved against. */
  readonly directory: string;
  /** The whole environment of a grader's process, before the grader's own `env`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly models: ModelDoor;
  /**
   * Gives the judge of a grader: the named one, or the configured one. Throws when no judge is configured for this
   * target.
   */
  judgeFor(named: JudgeChoice | undefined, target: string): Judge;
  /** Replaces secrets in a text. Everything that a judge sees has passed through it. */
  redact(text: string): string;
  /** What is known about the agent behind a subject; absent when nothing is known. */
  agentOf?(subject: Subject): CapturedAgent;
  /** A new sandbox of the level at which a target ran; absent: ordinary processes. */
  sandboxFor?(target: string, settings: Omit<SandboxSettings, 'level'>): Sandbox;
  /** Creates the graders of members, for composites. */
  graderFor(expectation: Expectation): Grader;
}

/** What the configuration of an agent says about it; absent values are unknown. */
export interface CapturedAgent {
  readonly prompt?: string;
  readonly tools?: readonly ToolSpec[];
}

/** What an expectation demands of a trial, such as `the answer contains "refund"`. */
export interface Demands {
  /** Fails the trial by itself if it does not hold, as a gate does. */
  readonly always?: string;
  /** Counts for the score; if the expectation is required, it is the gate. */
  readonly scored?: string;
}

export interface GraderPlugin<Config = unknown> extends Plugin<Grader, Config, GraderServices> {
  /** The name of an expectation without a name; default: the type. */
  nameOf?(config: Config): string;
  /** What this configuration demands, in words; default: its summary. */
  demands?(config: Config): Demands;
  /** Whether this configuration reads `criteria`, which the case must then have. */
  readsCriteria?(config: Config): boolean;
  /** Whether this configuration asks a model, so that a judge must be configured. */
  asksJudge?(config: Config): boolean;
  /** The judge that this configuration names. */
  judge?(config: Config): JudgeChoice | undefined;
  /** Models that it asks itself, besides a judge. */
  models?(config: Config): readonly ModelChoice[];
  /** The part of this configuration that decides a grade, for digests; default: all of it. */
  deciding?(config: Config): unknown;
  /** Whether this configuration reads the reference, which the case must then have. */
  readsReference?(config: Config): boolean;
  /** Why it cannot compare with this reference. Gets the parts of the last expected message. */
  referenceFaults?(config: Config, reference: Message['parts']): readonly string[];
  /** Files whose content changes what is measured, as written; each must exist. */
  files?(config: Config): readonly string[];
  /** Files that a proof of the graders writes; they decide what passes, and need not exist. */
  proofFiles?(config: Config): readonly string[];
  /** Whether this configuration has an oracle of its own, so that the case needs none to be proved. */
  bringsOracle?(config: Config): boolean;
  /** Whether one of these paths may be a folder. */
  readonly takesFolders?: true;
  /** What is wrong with the content of one of these files. Its path is absolute. */
  fileFaults?(content: string, config: Config, path: string): readonly string[];
  /** Names such as `vars.customer` that are filled into the content of one of these files. */
  fileVars?(content: string, config: Config): readonly string[];
  /** What it uses of the machine, apart from `files`. An expectation of a request must use nothing. */
  touches?(config: Config): 'programs' | 'files' | undefined;
  /** A program that it needs on PATH. */
  readonly program?: string;
  /** Expectations inside this one, as written; the loader checks and names them like any other. */
  members?(config: Config): readonly JsonObject[];
  /** The fixed parts of its judge's prompts, without values of a trial. `promptDigest` of a grade is their digest. */
  prompts?(config: Config): readonly JsonValue[];
  /** The release that adds it. Its configuration is checked already; a trial that uses it errors. */
  readonly notYet?: string;
}

/** A target as configured: keys that all types share, and keys of its type. */
export interface TargetSettings {
  readonly name: string;
  readonly type: string;
  readonly maxParallel?: number;
  /** Time limit of one turn in milliseconds. */
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly retryInfrastructure?: number;
  readonly passEnv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly tools?: readonly ToolSpec[];
  /** Answers of its tools, used when a case has no mock for that tool. */
  readonly mocks?: readonly ToolMock[];
  readonly judge?: JsonValue;
  readonly price?: Price;
  readonly sandbox?: SandboxSettings;
  /** The prompt under test. */
  readonly prompt?: string;
  readonly variant?: TargetVariant;
  /** The keys of its type, as parsed by its schema. */
  readonly config: JsonObject;
}

export interface TargetServices {
  readonly name: string;
  /** Absolute folder of the config that defines the target; relative paths are resolved against it. */
  readonly directory: string;
  /** The whole environment of its processes: allow-list, `passEnv` and `env`. */
  readonly environment: Readonly<Record<string, string>>;
  /** The variables of `environment` whose values are written in the config. */
  readonly env?: Readonly<Record<string, string>>;
  /** The whole environment of the operator; none of it reaches an agent by default. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  readonly models: ModelDoor;
  /** The prompt under test. */
  readonly prompt?: string;
  /** Overrides the price table. */
  readonly price?: Price;
  /** The addresses that its own requests may connect to; absent: all. `models` applies it by itself. */
  readonly addresses?: AddressGuard;
  /** Where its programs run; absent: in ordinary processes. */
  readonly sandbox?: Sandbox;
  /** Opens a stored run: a directory, an id, the start of an id or `latest`, optionally with `#target`. */
  storedRun(reference: string): Promise<StoredAnswers>;
}

/** The transcripts of a stored run. */
export interface StoredAnswers {
  /** The transcript of the last attempt of that trial, for any target; undefined when the run has none. */
  transcript(id: Omit<TrialId, 'target'>): Promise<Transcript | undefined>;
}

/** Plugins by type. */
export interface PluginsByType<Part> {
  get(type: string): Part | undefined;
  keys(): Iterable<string>;
}

/** Plugins of which some may not be loaded yet. */
export interface PartShelf<Part> extends PluginsByType<Part> {
  /** Loads these types and the types that they can contain. Loads all of them when a type is unknown. */
  load(types: readonly string[]): Promise<void>;
}

/** A problem of a target's configuration that its schema cannot express. */
export interface TargetFinding {
  /** Path of the key, relative to the target. */
  readonly path: readonly (string | number)[];
  readonly weight: 'error' | 'warning';
  readonly code: ProblemCode;
  readonly message: string;
  /** What to do, as a sentence. */
  readonly hint?: string;
}

/** A program that a configuration names. `validate` looks for it; a run only starts it. */
export interface NamedProgram {
  /** Path of the key, relative to the target. */
  readonly path: readonly (string | number)[];
  /** As written. */
  readonly program: string;
}

/** A folder that is put into the workspace before the agent starts; it does not count as a change. */
export interface StagedFolder {
  /** Absolute. */
  readonly source: string;
  /** Relative to the workspace, `/` as separator; the path must be free. */
  readonly to: string;
}

/** Where a program is searched. */
export interface InspectionPlace<Config = unknown> extends Pick<
  TargetServices,
  'directory' | 'operatorEnvironment'
> {
  /** The target whose configuration can name the program; absent: the usual program of the type. */
  readonly target?: Pick<TargetServices, 'name' | 'environment' | 'env'> & { readonly config: Config };
}

/** The program behind a target on this machine. */
export interface Installation {
  /** The name that is searched for. */
  readonly program: string;
  /** Absolute path; absent when it was not found. */
  readonly path?: string;
  /** Absent when the program does not report it. */
  readonly version?: string;
  /** Versions with recorded output. */
  readonly triedVersions: readonly string[];
  /** Problems that keep it from working here, each with a hint. */
  readonly problems: readonly string[];
  /** What is useful to know before the first run. */
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
  /** Whether a conversation can have several turns of the user; default true. */
  readonly multiTurn?: boolean;
  /** Whether it accepts images; absent: none are sent. */
  takesImages?(config: Config): boolean;
  /** Converts a configuration of the published `runners` format; absent: it is taken as written. */
  runnerConfig?(config: Config): Config;
  /** How its agent calls the tools that assay answers; absent: it cannot. */
  reachesTools?(config: Config): 'in-process' | 'mcp' | undefined;
  /** Whether every tool call is reported, so that a missing call was not made. */
  tellsToolCalls?(config: Config): boolean;
  /** How long a program of its own lives, which can run in a sandbox. Undefined: it starts none. */
  programsLive?(config: Config): 'attempt' | 'run' | undefined;
  /** Whether the agent always gets a directory of its own, even if the case has no workspace. */
  readonly needsWorkspace?: boolean;
  /** Default number of concurrent trials. */
  readonly maxParallel?: number;
  /** File descriptors that this process needs for one session; absent: one or two. */
  readonly openFiles?: number;
  /** Stored runs that it replays, as written. They are resolved before the new run has a directory. */
  runs?(config: Config): readonly string[];
  /** The fixed prompt of its agent. For a target with this method, the tools of its config are all its tools. */
  capture?(config: Config): Required<Pick<CapturedAgent, 'prompt'>>;
  /** The keys that an agent of the store may have; absent: the store keeps no agent of this type. */
  readonly stored?: StoredKeys;
  /** Files whose content changes what is measured, as written; a missing file counts as absent. */
  files?(config: Config): readonly string[];
  /** How an agent gets `prompt`: as the key `system`, or from the target's services. Absent: it takes no prompt. */
  readonly prompt?: 'system' | 'services';
  /** Keys whose text may be in a file instead; `create` gets the content of the file. */
  readonly texts?: readonly string[];
  /** Problems of a target that is used. Looks at files and variables, and starts nothing. */
  check?(
    settings: TargetSettings & { readonly config: Config },
    place: Pick<TargetServices, 'directory' | 'operatorEnvironment'>,
  ): readonly TargetFinding[];
  /** Programs that its configuration names, except those that only a shell can find. */
  programs?(config: Config): readonly NamedProgram[];
  /** Folders for every workspace of the target; relative paths are resolved against `directory`. */
  stages?(config: Config, directory: string): readonly StagedFolder[];
  /** Whether its agent is isolated from the operator's settings; absent: unknown. */
  isHermetic?(config: Config): boolean;
  /** Whether a later process can resume a session, from the kept files or from the operator's own. */
  resumesFrom?(config: Config): 'state' | 'operator';
  /** Why this conversation cannot be its first prompt. */
  inputFault?(config: Config, input: readonly Message[]): string | undefined;
  /** Why its program cannot be started on this machine, such as `claude: not found on PATH`. Starts nothing. */
  lacks?(place: InspectionPlace<Config>): Promise<string | undefined>;
  /** Finds its program as a run would, and asks for its version. Only for targets that bring no program. */
  inspect?(place: InspectionPlace<Config>, signal: AbortSignal): Promise<Installation>;
  /** Whether it never calls a service that costs money. */
  readonly isFree?: boolean;
  /** Its only model, always called through our model client. A judge can ask it directly; cost is counted per call. */
  asModel?(config: Config, settings: TargetSettings): JudgeSettings;
  readonly notYet?: string;
}
