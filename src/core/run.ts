import type { JsonValue } from '../lib/json.ts';
import type { ErrorRecord, LimitMet } from './errors.ts';
import type { Grade } from './grade.ts';
import type { IsolationLevel } from './isolation-level.ts';
import type { MissedConnections } from './missed-connections.ts';
import type { Difficulty, SkipKind } from './test-case.ts';
import type {
  EntryPlace,
  MessageEntry,
  ToolCallEntry,
  ToolResultEntry,
  TranscriptEntry,
  UsageEntry,
} from './transcript.ts';
import type { TrialId } from './trial.ts';
import type { Spender, Usage } from './usage.ts';
import type { Decision, Status } from './verdict.ts';

/** Raised when older programs would misread newer runs. */
export const FORMAT_VERSION = 1;

export type RunState = RunUnderWay | RunEndState;

/** The states before the end. Run directories have only `running`. */
type RunUnderWay = 'queued' | 'running' | 'stopping';

export type RunEndState = 'completed' | 'interrupted' | 'stopped';

/** Whether a run in this state has not ended. */
export function isUnderWay(state: RunState): state is RunUnderWay {
  return state === 'queued' || state === 'running' || state === 'stopping';
}

/** Text that is too large for its line and is stored in `attachments/<sha256>`. */
export interface Attached {
  readonly attachment: string;
  readonly bytes: number;
  /** The first characters, for people. */
  readonly start: string;
}

/** Tokens by role; a part that was never reported is absent. */
export type UsageBySpender = Readonly<Partial<Record<Spender, Usage>>>;

/** USD by role; null when the cost is unknown. */
export type CostBySpender = Readonly<Partial<Record<Spender, number | null>>>;

/** Positions in the run's list of digests. */
export interface RowDigests {
  readonly case: number;
  readonly target: number;
  readonly terms?: number;
  /** Digest of the mocks and faults of a case whose own digest leaves them out. */
  readonly mocks?: number;
  /** Digest of the simulated user's prompt; only for stored cases. */
  readonly userPrompt?: number;
}

/** The flag of a row that passed a case which nobody can pass without cheating. */
export const IMPOSSIBLE_PASSED = 'impossible-passed';

/** One try of a trial, as its row stores it. */
export interface AttemptRow {
  readonly error?: ErrorRecord;
  readonly durationMs: number;
}

/** The result of a trial: the fact `trial-end` and one line of `results.jsonl`. */
export interface Row extends TrialId, Omit<Decision, 'ungraded'> {
  /** Of a stored case, whose id tells people nothing. */
  readonly caseName?: string;
  /** Its place in the plan of the run, from 1; kept when it is resumed or graded again. */
  readonly number: number;
  readonly attempts: readonly AttemptRow[];
  readonly status: Status;
  readonly passed: boolean;
  readonly threshold: number;
  /** Absent: none. */
  readonly ungraded?: Decision['ungraded'];
  readonly failureClass?: { readonly id: string; readonly label?: string };
  readonly skipped?: SkipKind;
  readonly end?: { readonly by: 'agent' | 'user' | 'script' | 'cap'; readonly reason?: string };
  readonly limit?: LimitMet;
  /**
   * Limits that could not be checked because usage was unknown (`maxTokens`, `maxCostUsd`), and limits of the sandbox
   * that this machine or the level cannot enforce.
   */
  readonly unenforced?: readonly string[];
  readonly flags?: readonly string[];
  readonly notes?: readonly string[];
  readonly grades: readonly Grade[];
  /** The final answer; null when there was no answer. */
  readonly output: string | Attached | null;
  /** Duration of the whole trial with all attempts, in milliseconds. */
  readonly durationMs: number;
  /**
   * The answer is one that an earlier run was given, and when. Such a row has no latency, tokens or cost of the agent.
   */
  readonly cached?: { readonly runId: string; readonly at: string };
  /** Duration of each agent turn in milliseconds. */
  readonly latency?: readonly number[];
  /** Turns of the agent, as `maxTurns` counts them; the `turn` of an entry counts both sides. */
  readonly turns: number;
  readonly steps: number;
  readonly usage: UsageBySpender;
  readonly costUsd: CostBySpender;
  readonly tags: readonly string[];
  /** Only for a stored case. */
  readonly difficulty?: Difficulty;
  readonly digests: RowDigests;
  readonly hermetic?: boolean;
  /** The level of its programs; absent if the target started none, and in earlier versions. */
  readonly isolation?: IsolationLevel;
  /** Connections that its programs asked for in a sandbox and did not get; absent: none. */
  readonly network?: MissedConnections;
  readonly startedAt: string;
  readonly endedAt: string;
  /** Name of the artifacts of its last attempt: see `StoredRun.placeOf`. */
  readonly artifactDir?: string;
  /** Name of the kept workspace, in the same form. */
  readonly workspacePath?: string;
}

/** A transcript entry that is too large for its line, without its large text. */
export type AttachedEntry = Attached & EntryHead;

/** Identifies a message, call or result, without its content. */
export type EntryHead = EntryPlace &
  (
    | Omit<MessageEntry, 'parts'>
    | Omit<ToolCallEntry, 'input' | 'effects'>
    | Omit<ToolResultEntry, 'output'>
    | UsageEntry
  );

/** A complete copy of something that a run of stored cases uses: one line of `frozen.jsonl`. */
export interface Frozen {
  /** The digest in rows and grades. For a label it is the digest of the case id, so that the first one stays. */
  readonly digest: string;
  readonly kind: 'case' | 'label' | 'mocks' | 'expectation' | 'terms' | 'user-prompt' | 'judge-prompt';
  readonly body: JsonValue;
}

/** The plan of a run. */
export interface RunPlan {
  readonly trials: number;
  /** Planned trials per target; absent when only their sum is known. */
  readonly trialsByTarget?: Readonly<Record<string, number>>;
  readonly seed: number;
}

/** USD that all processes of a run with a budget have spent so far. */
export interface RunMoney {
  readonly spentUsd: number;
  /** The maximum cost of all running work. */
  readonly reservedUsd: number;
  /** What this fact sets aside for new work. A database takes the fact only if that fits into the budget of the run. */
  readonly setAsideUsd?: number;
}

/** The sha-256 digests of what a run was planned from. The list that rows refer to by position is in `run.json`. */
export interface RunDigests {
  readonly config?: string;
  /** By suite id: digest of its case ids, contents, graders, terms, targets and repetitions, in order. */
  readonly suites: Readonly<Record<string, string>>;
  /** By name. */
  readonly targets: Readonly<Record<string, string>>;
}

/** Something that happened in a run. */
export type Fact =
  | {
      readonly type: 'run-start';
      readonly formatVersion: number;
      readonly plan: RunPlan;
      readonly digests: RunDigests;
    }
  | {
      readonly type: 'trial-start';
      /** As in the row; absent in logs of earlier versions. */
      readonly number?: number;
    }
  | { readonly type: 'attempt-start' }
  | { readonly type: 'transcript-entry'; readonly entry: TranscriptEntry | AttachedEntry }
  | {
      readonly type: 'model-usage';
      readonly role: 'user' | 'judge';
      readonly usage?: Usage;
      readonly model?: string;
      readonly costUsd: number | null;
    }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'grade'; readonly grade: Grade }
  | {
      readonly type: 'attempt-end';
      readonly durationMs: number;
      readonly error?: ErrorRecord;
      /** The session id of the target, to find it there. */
      readonly sessionId?: string;
    }
  | { readonly type: 'trial-end'; readonly row: Row }
  | {
      readonly type: 'run-state';
      readonly state: RunState;
      readonly reason?: string;
      /** Written by a run with a budget, before new work reserves money. */
      readonly money?: RunMoney;
    }
  | {
      readonly type: 'run-resume';
      readonly remaining: number;
      /** Keys of trials whose earlier results are void, because their inputs changed. */
      readonly dropped?: readonly string[];
      /** Present together with `digests`: the new plan, if it differs from the old one. */
      readonly plan?: RunPlan;
      readonly digests?: RunDigests;
    }
  | { readonly type: 'sink-error'; readonly sink: string; readonly message: string }
  | { readonly type: 'run-end'; readonly state: RunState };

/** A fact with its sequence number in the run. */
export interface RunEvent extends Emitted {
  /** From 1, without gaps. */
  readonly sequence: number;
}

/** A fact that is about to be logged. */
export interface Emitted {
  /** ISO 8601: when it happened. */
  readonly at: string;
  /** Key of the trial. */
  readonly trial?: string;
  /** From 1. */
  readonly attempt?: number;
  readonly fact: Fact;
}
