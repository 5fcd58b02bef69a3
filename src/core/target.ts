import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { AssayError, MeasurementError } from './errors.ts';
import type { Message, UserMessage } from './message.ts';
import type { Row } from './run.ts';
import type { MissedConnection } from './missed-connections.ts';
import type { EntryBody, Transcript } from './transcript.ts';
import type { ToolSpec, WorldOutcome } from './tools.ts';

/** A tool as the target calls it. */
export interface ToolCall {
  readonly name: string;
  readonly input: JsonValue;
}

/** The result of a call, as the agent receives it. */
export interface ToolAnswer {
  readonly output: JsonValue;
  readonly failed?: true;
  /** The conversation ends after this step. */
  readonly terminates?: true;
}

/** A call with its answer, and facts that the agent does not receive. */
export interface AnsweredCall extends ToolCall, Pick<ToolAnswer, 'output' | 'failed'> {
  /** The planned misbehaviour that produced the answer. */
  readonly fault?: string;
  readonly durationMs: number;
}

/** The tools of one attempt and their answers; the same for all ways in which the target can call them. */
export interface ToolWorld extends AsyncDisposable {
  readonly tools: readonly ToolSpec[];
  readonly mcp?: NonNullable<World['mcp']>;
  /** Answers a call. Rejects when it cannot, which ends the attempt whatever the target does. */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolAnswer>;
  /** The tool's own name, if the target may have added the name of its server before it. */
  nameOf(written: string): string;
  /** What the target cannot know about an answered call. Each call is reported once. */
  recall(call: ToolCall): Pick<AnsweredCall, 'fault' | 'durationMs'> | undefined;
  /** Answered calls that were not asked for yet, oldest first. Each call is reported once. */
  untold(): readonly AnsweredCall[];
  /** The terminating tool that was called. */
  ended(): string | undefined;
  /** Undefined when no state is kept between calls. */
  outcome(): WorldOutcome | undefined;
}

/** Files of one attempt; nothing exists on disk until something is written. */
export interface Artifacts {
  /** Absolute directory of the attempt, created by this call; removed at the end when it is empty. */
  directory(): string;
  /** Absolute private folder outside the run, for files that programs keep; moved into `directory` at the end. */
  scratch(): string;
  /** Writes one file without secrets. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** Begins a file that is written in pieces. Secrets are removed even across pieces. */
  stream(name: string): ArtifactStream;
}

/** Artifacts of an attempt and their final location. */
export interface AttemptArtifacts extends Artifacts {
  /** Called when the agent has ended: moves the content of `scratch` to its final place. */
  takeOver(): void;
  /** Removes secrets from files that the agent left, and an empty directory. */
  close(): Promise<ArtifactsEnd>;
}

export interface ArtifactsEnd {
  /** The name of the artifacts in the run; absent when nothing was written. */
  readonly directory?: string;
  /** Notes about files that differ from what the agent left. */
  readonly notes: readonly string[];
}

/** A text file that grows; it exists from its first byte on. */
export interface ArtifactStream {
  write(chunk: Uint8Array): void;
  /** Writes the buffered rest. Calling it again does nothing. */
  end(): void;
}

/** Files with which an agent's session can be resumed. The receiver owns them and must dispose of them. */
export interface SessionState extends AsyncDisposable {
  /** Absolute path of a private folder. */
  readonly directory: string;
}

/** What a trial puts around the target; never contains expectations. */
export interface World {
  readonly trial: {
    readonly runId: string;
    readonly key: string;
    readonly attempt: number;
    readonly suite: string;
    readonly caseId: string;
    readonly target: string;
    readonly repetition: number;
    readonly seed: number;
  };
  /** Messages before the conversation. */
  readonly history: readonly Message[];
  /** Values for `{{ vars.name }}` in the prompt of the target; absent: the case has none. */
  readonly vars?: JsonObject;
  readonly workspace?: {
    readonly directory: string;
    /** A directory of the user's own: assay puts nothing into it, and the agent gets no extra permissions there. */
    readonly isForeign?: true;
  };
  readonly tools?: readonly ToolSpec[];
  /** Answers calls of these tools, one at a time. A rejection ends the session. */
  readonly call?: ToolWorld['call'];
  /**
   * Serves the same tools over MCP on stdio, for agents that are programs: the command, and variables for its
   * environment.
   */
  readonly mcp?: {
    readonly command: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
  };
  readonly artifacts: Artifacts;
  /** Random. Every process of the attempt has it as ASSAY_ATTEMPT, so that stray processes are found. */
  readonly marker: string;
  /** Called for signs of life that are not entries, such as a byte of output. */
  readonly pulse: () => void;
  /**
   * Stops the clocks of the turn while assay makes the target wait, such as for a rate limit. The result starts them
   * again. `because` is the error of the session if its total time runs out in the meantime.
   */
  readonly hold?: (because?: MeasurementError) => () => void;
  /** Called when the agent's model begins a step that no entry shows yet; counts from 1 in the session. */
  readonly stepBegan?: (step: number) => void;
  /** Called for each connection that a program in a sandbox did not get. */
  readonly missed?: (connection: MissedConnection) => void;
  /** Reports a note after the last turn. */
  readonly note?: (text: string) => void;
  /** Called with the name of each file that the session left in the attempt's directory after its turns. */
  readonly leftFile?: (name: string) => void;
  /** Takes over the files of the agent's session at its end; absent: they are removed. */
  readonly handOver?: (state: SessionState) => void;
  /** A session to resume: its id at the target, and a copy of its kept files. */
  readonly resumes?: { readonly sessionId: string; readonly state?: string };
}

/** An entry of a target; the engine adds time and turn. An adapter may add the time and the step. */
export type Yielded = EntryBody & { readonly at?: string; readonly step?: number };

/** How a turn of the target ended. */
export interface TurnEnd {
  /** Present when the agent ended the conversation. */
  readonly ended?: { readonly reason?: string };
  /** The session id of the target. */
  readonly sessionId?: string;
  /** Responses of the model in this turn, if the end of the turn knows it better than its entries. */
  readonly steps?: number;
  /** Names of files that the turn left in the directory of the attempt. */
  readonly artifacts?: readonly string[];
  readonly notes?: readonly string[];
  /** Events of unknown kinds: how many of each kind. */
  readonly unknownEvents?: Readonly<Record<string, number>>;
}

/** A session of another run, to be graded again: its transcript and its result stay unchanged. */
export interface PastSession {
  readonly row: Row;
  readonly transcript: Transcript;
  /** The final state of its tools. */
  readonly world?: WorldOutcome;
  /** Notes about grading it now. */
  readonly note?: string;
  /** Why it cannot be graded. */
  readonly ungradable?: AssayError;
}

/** One live conversation with a target. */
export interface Session extends AsyncDisposable {
  /** A past session: it is taken over unchanged and no target is asked. */
  readonly past?: PastSession;
  /** `undefined`: the agent speaks first. The session ends with the reason of the signal. */
  respond(message: UserMessage | undefined, signal: AbortSignal): AsyncGenerator<Yielded, TurnEnd>;
}

/** Versions of programs, by target and then by program. */
export type TargetVersions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The system under test; lives as long as a run. */
export interface Target extends Partial<AsyncDisposable> {
  /** Runs once before the first trial. When it rejects, every trial of the target errors with that error. */
  prepare?(signal: AbortSignal): Promise<void>;
  open(world: World, signal: AbortSignal): Promise<Session>;
  /** Versions of programs and models, for the manifest; called after `prepare`. */
  versions?(): Readonly<Record<string, string>>;
  /** Notes about the target itself; called once after `prepare`. */
  notes?(): readonly string[];
}
