import type { JsonValue } from '../lib/json.ts';
import type { ErrorRecord, LimitMet } from './errors.ts';
import type { Grade } from './grade.ts';
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
import type { Status, Verdict } from './verdict.ts';

/** Raised when a reader of older runs would misread newer ones. */
export const FORMAT_VERSION = 1;

export type RunState = 'running' | 'completed' | 'interrupted' | 'stopped';

/** Text that was too large for its line and stands in `attachments/<sha256>`. */
export interface Attached {
  readonly attachment: string;
  readonly bytes: number;
  /** The first characters, for people. */
  readonly start: string;
}

/** Tokens by who spent them; a part never reported is absent. */
export type UsageBySpender = Readonly<Partial<Record<Spender, Usage>>>;

/** USD by who spent it; null: spent and unknown. */
export type CostBySpender = Readonly<Partial<Record<Spender, number | null>>>;

/** Numbers in the run's list of digests. */
export interface RowDigests {
  readonly case: number;
  readonly target: number;
  readonly terms?: number;
  /** Of the mocks and faults of a case whose own digest leaves them out. */
  readonly mocks?: number;
  /** Of what the model that plays the user is told; of stored cases. */
  readonly userPrompt?: number;
}

/** One try of a trial, as its row tells it. */
export interface AttemptRow {
  readonly error?: ErrorRecord;
  readonly durationMs: number;
}

/** The outcome of a trial: the fact `trial-end` and one line of results.jsonl. */
export interface Row extends TrialId {
  /** Its place in the plan of the run, from 1; kept when it is run or graded again. */
  readonly number: number;
  readonly attempts: readonly AttemptRow[];
  readonly verdict: Verdict;
  readonly status: Status;
  readonly passed: boolean;
  readonly score: number | null;
  /** 0..100, two decimals, of a trial that is scored in percent; `score` is a hundredth of it. */
  readonly overall?: number;
  readonly threshold: number;
  readonly fallenGates: readonly string[];
  /** Expectations of weight 0 that could not be decided. */
  readonly ungraded?: number;
  readonly failureClass?: { readonly id: string; readonly label?: string };
  readonly error?: ErrorRecord;
  readonly skipped?: SkipKind;
  readonly end?: { readonly by: 'agent' | 'user' | 'script' | 'cap'; readonly reason?: string };
  readonly limit?: LimitMet;
  /** Limits that unknown usage made unwatchable: `maxTokens`, `maxCostUsd`. */
  readonly unenforced?: readonly string[];
  readonly flags?: readonly string[];
  readonly notes?: readonly string[];
  readonly grades: readonly Grade[];
  /** The final answer; null when there was none. */
  readonly output: string | Attached | null;
  /** Of the whole trial, all attempts, milliseconds. */
  readonly durationMs: number;
  /** Wall time of each agent turn, milliseconds. */
  readonly latency?: readonly number[];
  /** Of the agent, as `maxTurns` counts them; an entry's `turn` counts both sides. */
  readonly turns: number;
  readonly steps: number;
  readonly usage: UsageBySpender;
  readonly costUsd: CostBySpender;
  readonly tags: readonly string[];
  /** Of a stored case. */
  readonly difficulty?: Difficulty;
  readonly digests: RowDigests;
  readonly hermetic?: boolean;
  readonly startedAt: string;
  readonly endedAt: string;
  /** What its run calls the artifacts of its last attempt: see `StoredRun.placeOf`. */
  readonly artifactDir?: string;
  /** The same of the kept workspace. */
  readonly workspacePath?: string;
}

/** An entry too large for its line: all of it but what is large. */
export type AttachedEntry = Attached & EntryHead;

/** Which message, call or result an entry is, without what it says. */
export type EntryHead = EntryPlace &
  (
    | Omit<MessageEntry, 'parts'>
    | Omit<ToolCallEntry, 'input' | 'effects'>
    | Omit<ToolResultEntry, 'output'>
    | UsageEntry
  );

/** Something that a run of stored cases uses, whole, as it was then: one line of frozen.jsonl. */
export interface Frozen {
  /** By which rows and grades name it; of a label that of the case's id, so that the first one stays. */
  readonly digest: string;
  readonly kind: 'case' | 'label' | 'mocks' | 'expectation' | 'terms' | 'user-prompt' | 'judge-prompt';
  readonly body: JsonValue;
}

/** What a run is to do. */
export interface RunPlan {
  readonly trials: number;
  /** Trials planned for each target; absent: only their sum is known. */
  readonly trialsByTarget?: Readonly<Record<string, number>>;
  readonly seed: number;
}

/** USD of a run whose money is bounded, by all of its processes so far. */
export interface RunMoney {
  readonly spentUsd: number;
  /** The worst case of all that is under way. */
  readonly reservedUsd: number;
}

/** What a run was planned from, sha-256 each. The list that rows refer to by number stands in run.json. */
export interface RunDigests {
  readonly config?: string;
  /** By suite id: its case ids, contents, graders, terms, targets and repetitions, in order. */
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
      /** As on the row; absent in logs of earlier versions. */
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
      /** What the target calls the session, to find it there. */
      readonly sessionId?: string;
    }
  | { readonly type: 'trial-end'; readonly row: Row }
  | {
      readonly type: 'run-state';
      readonly state: RunState;
      readonly reason?: string;
      /** Told while a run whose money is bounded is running, before anything new is asked for money. */
      readonly money?: RunMoney;
    }
  | {
      readonly type: 'run-resume';
      readonly remaining: number;
      /** Keys of trials whose ends so far are void, because what they were run with has changed. */
      readonly dropped?: readonly string[];
      /** With `digests`: what is to be done now, where that is not what it was. */
      readonly plan?: RunPlan;
      readonly digests?: RunDigests;
    }
  | { readonly type: 'sink-error'; readonly sink: string; readonly message: string }
  | { readonly type: 'run-end'; readonly state: RunState };

/** A fact with the place it has in its run. */
export interface RunEvent {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly at: string;
  /** Key of the trial. */
  readonly trial?: string;
  /** From 1. */
  readonly attempt?: number;
  readonly fact: Fact;
}

/** A fact on its way to the log. */
export interface Emitted {
  /** ISO 8601, when it happened. */
  readonly at: string;
  readonly trial?: string;
  readonly attempt?: number;
  readonly fact: Fact;
}
