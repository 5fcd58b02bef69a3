import type { JsonValue } from '../lib/json.ts';
import type { AssayError, MeasurementError } from './errors.ts';
import type { Message, UserMessage } from './message.ts';
import type { Row } from './run.ts';
import type { EntryBody, Transcript } from './transcript.ts';
import type { ToolSpec, WorldOutcome } from './tools.ts';

/** A tool as the target calls it. */
export interface ToolCall {
  readonly name: string;
  readonly input: JsonValue;
}

/** What a call comes back with, as the agent is told. */
export interface ToolAnswer {
  readonly output: JsonValue;
  readonly failed?: true;
  /** The conversation ends after this step. */
  readonly terminates?: true;
}

/** A call with its answer, and what the agent is not told. */
export interface AnsweredCall extends ToolCall, Pick<ToolAnswer, 'output' | 'failed'> {
  /** The planned misbehaviour that made the answer. */
  readonly fault?: string;
  readonly durationMs: number;
}

/** The tools of one attempt and what they answer; one for all ways the target may reach it. */
export interface ToolWorld extends AsyncDisposable {
  readonly tools: readonly ToolSpec[];
  readonly mcp?: NonNullable<World['mcp']>;
  /** Rejects when nothing can be answered; the attempt is over then, whatever the target makes of it. */
  call(call: ToolCall, signal: AbortSignal): Promise<ToolAnswer>;
  /** The tool's own name, of one that the target may have put the name of its server in front of. */
  nameOf(written: string): string;
  /** What the target cannot know of a call that was answered; each call is told of once. */
  recall(call: ToolCall): Pick<AnsweredCall, 'fault' | 'durationMs'> | undefined;
  /** Calls that were answered and nobody has asked for since, oldest first; each is told of once. */
  untold(): readonly AnsweredCall[];
  /** The terminating tool that was called. */
  ended(): string | undefined;
  /** Undefined when nothing is kept between calls. */
  outcome(): WorldOutcome | undefined;
}

/** Files that belong to one attempt; nothing exists on disk until something is written. */
export interface Artifacts {
  /** Absolute directory of the attempt, created by this call; removed again at the end when it is empty. */
  directory(): string;
  /** Absolute private folder outside of the run, for what programs want to keep; moved into `directory` at the end. */
  scratch(): string;
  /** Writes one file, secrets removed. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** Begins a file that is written as its content comes, secrets removed also where they lie across pieces. */
  stream(name: string): ArtifactStream;
}

/** Artifacts of an attempt, and where they ended up. */
export interface AttemptArtifacts extends Artifacts {
  /** The agent has ended: what it wrote to `scratch` is moved to where it is kept. */
  takeOver(): void;
  /** Takes secrets out of what the agent has left there, and removes an empty directory. */
  close(): Promise<ArtifactsEnd>;
}

export interface ArtifactsEnd {
  /** What the run calls it; absent when nothing was written. */
  readonly directory?: string;
  /** What a person should know of files that are not as the agent left them. */
  readonly notes: readonly string[];
}

/** A text file that grows; it exists from its first byte on. */
export interface ArtifactStream {
  write(chunk: Uint8Array): void;
  /** Writes what was held back. Called again it does nothing. */
  end(): void;
}

/** What an agent keeps of a session so that it can be resumed; it is whoever's got it, and removed by its disposal. */
export interface SessionState extends AsyncDisposable {
  /** Absolute; a private folder. */
  readonly directory: string;
}

/** What a trial puts around the target; never an expectation. */
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
  readonly workspace?: {
    readonly directory: string;
    /** A directory of the user's own: nothing of ours is put there, and the agent is not let loose in it. */
    readonly isForeign?: true;
  };
  readonly tools?: readonly ToolSpec[];
  /** Answers calls of these tools, one at a time; a rejection ends the session. */
  readonly call?: ToolWorld['call'];
  /** Serves the same tools over MCP on stdio, to agents that are programs: what to start, and what to add to its environment. */
  readonly mcp?: {
    readonly command: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
  };
  readonly artifacts: Artifacts;
  /** Random; put into the environment of every process of the attempt as ASSAY_ATTEMPT, so that strays are found. */
  readonly marker: string;
  /** Called when the target shows a sign of life that is no entry, such as a byte of output. */
  readonly pulse: () => void;
  /**
   * Stops the clocks of the turn while we make the target wait, such as for a rate limit; the result starts them again.
   * `because` is what the session ends with when its own time is up meanwhile.
   */
  readonly hold?: (because?: MeasurementError) => () => void;
  /** Called when the agent's model has begun a step that no entry tells of yet; counts from 1 in the session. */
  readonly stepBegan?: (step: number) => void;
  /** What a person should know and no turn can tell any more. */
  readonly note?: (text: string) => void;
  /** Called with the name of a file that the session left in the directory of the attempt when its turns were over. */
  readonly left?: (name: string) => void;
  /** Takes over what the agent keeps of the session, at its end; without it that is removed. */
  readonly handOver?: (state: SessionState) => void;
  /** A session that is gone on with, not begun: as its target called it, and a copy of what was handed over. */
  readonly resumes?: { readonly sessionId: string; readonly state?: string };
}

/** What a target yields; the engine says when and in which turn. An adapter may know the time and the step. */
export type Yielded = EntryBody & { readonly at?: string; readonly step?: number };

/** How a turn of the target ended. */
export interface TurnEnd {
  /** Present when the agent ended the conversation. */
  readonly ended?: { readonly reason?: string };
  /** What the target calls the session. */
  readonly sessionId?: string;
  /** Responses of the model in this turn, where its end knows better than its entries told. */
  readonly steps?: number;
  /** Names of files that the turn left in the directory of the attempt. */
  readonly artifacts?: readonly string[];
  readonly notes?: readonly string[];
  /** Kinds of events that the adapter does not know, with how many there were. */
  readonly unknownEvents?: Readonly<Record<string, number>>;
}

/** A session of another run, to be graded again: what was said and what it came to stay as they were. */
export interface PastSession {
  readonly row: Row;
  readonly transcript: Transcript;
  /** How its tools were left. */
  readonly world?: WorldOutcome;
  /** What a person should know of grading it now. */
  readonly note?: string;
  /** Why it cannot be graded. */
  readonly ungradable?: AssayError;
}

/** One live conversation with a target. */
export interface Session extends AsyncDisposable {
  /** It took place before and is taken over as it was: nobody is asked anything. */
  readonly past?: PastSession;
  /** `undefined`: the agent speaks first. The signal's reason is the error to end with. */
  respond(message: UserMessage | undefined, signal: AbortSignal): AsyncGenerator<Yielded, TurnEnd>;
}

/** The system under test; lives as long as a run. */
export interface Target extends Partial<AsyncDisposable> {
  /** Runs once before the first trial; when it rejects, every trial of the target is errored with that error. */
  prepare?(signal: AbortSignal): Promise<void>;
  open(world: World, signal: AbortSignal): Promise<Session>;
  /** Versions of programs and models, for the manifest; asked after `prepare`. */
  versions?(): Readonly<Record<string, string>>;
  /** What a person should know of it whatever its trials come to; asked once after `prepare`. */
  notes?(): readonly string[];
}
