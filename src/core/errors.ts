import { given } from '../lib/given.ts';
import { TooDeep } from '../lib/text/json-depth.ts';
import type { ErrorCode, ErrorKind, QuotedCode } from './error-code.ts';

/** Where in the life of a run something went wrong. */
export type Stage = 'authoring' | 'plan' | TrialStage;

/** The stages that an errored trial can name. */
export type TrialStage = 'workspace' | 'target' | 'user' | 'world' | 'grading' | 'log';

export interface AssayErrorOptions {
  readonly stage: Stage;
  /** What to do about it, as one sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** An error whose message is meant for a person: what happened and where; `hint` says what to do. */
export class AssayError extends Error {
  readonly code: ErrorCode | QuotedCode;
  readonly stage: Stage;
  readonly hint?: string;

  constructor(code: ErrorCode | QuotedCode, message: string, options: AssayErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AssayError';
    this.code = code;
    this.stage = options.stage;
    if (options.hint !== undefined) this.hint = options.hint;
  }
}

export interface MeasurementErrorOptions {
  readonly stage: TrialStage;
  readonly kind: ErrorKind;
  readonly detail?: ErrorCode | QuotedCode | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  /** True when the attempt may be repeated: the world around the agent failed, not the agent. */
  readonly transient?: boolean | undefined;
  /** What the other side asked to wait before another attempt, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly limit?: LimitMet | undefined;
  /** True when it may have cost something and nobody knows how much. */
  readonly isCostUnknown?: boolean | undefined;
  /** Kinds of events that the adapter does not know, with how many there were. */
  readonly unknownEvents?: Readonly<Record<string, number>> | undefined;
}

/** The trial could not be measured. Whatever else is thrown inside a trial is turned into one of these. */
export class MeasurementError extends AssayError {
  declare readonly stage: TrialStage;
  readonly kind: ErrorKind;
  readonly detail?: ErrorCode | QuotedCode;
  readonly transient: boolean;
  readonly retryAfterMs?: number;
  readonly limit?: LimitMet;
  readonly isCostUnknown: boolean;
  readonly unknownEvents?: Readonly<Record<string, number>>;

  constructor(message: string, options: MeasurementErrorOptions) {
    super(options.detail ?? options.kind, message, options);
    this.name = 'MeasurementError';
    this.kind = options.kind;
    this.transient = options.transient ?? false;
    this.isCostUnknown = options.isCostUnknown ?? false;
    if (options.detail !== undefined) this.detail = options.detail;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.limit !== undefined) this.limit = options.limit;
    if (options.unknownEvents !== undefined) this.unknownEvents = options.unknownEvents;
  }
}

/** The money of the run is used up: what asked for it was neither measured nor failed, and a later run may do it. */
export class BudgetSpent extends AssayError {
  constructor(message: string) {
    const hint = 'go on with more money: assay resume RUN --max-cost USD';
    super('budget-spent', message, { stage: 'plan', hint });
    this.name = 'BudgetSpent';
  }
}

/** What ends a trial in flight when a person has cancelled its run: it is not judged. */
export class RunCancelled extends Error {
  constructor() {
    super('the run was cancelled');
    this.name = 'RunCancelled';
  }
}

/** A ceiling that ended a session: which, how much was allowed and what was reached. */
export interface LimitMet {
  readonly kind: 'timeout' | 'idle-timeout' | 'max-steps' | 'token-limit' | 'budget';
  readonly ceiling: number;
  readonly reached: number;
}

/** An error as data: on rows, in attempts, in `error.json`. */
export interface ErrorRecord {
  readonly stage: TrialStage;
  readonly kind: ErrorKind;
  readonly detail?: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** Of an agent's program. */
  readonly unknownEvents?: Readonly<Record<string, number>>;
}

/** Whether the other side took no credentials of ours. */
export function rejectsCredentials({ kind, detail }: Pick<ErrorRecord, 'kind' | 'detail'>): boolean {
  return kind === 'http-error' && REJECTIONS.has(detail ?? '');
}

const REJECTIONS: ReadonlySet<string> = new Set(['credentials-rejected', 'http-401', 'http-403']);

/** The data of an error; what was not thrown as a MeasurementError is laid to `fallback`. */
export function errorRecord(error: unknown, fallback: { stage: TrialStage; kind: ErrorKind }): ErrorRecord {
  const known = error instanceof MeasurementError ? error : undefined;
  const hint = error instanceof AssayError || error instanceof TooDeep ? error.hint : undefined;
  const kind = known?.kind ?? (error instanceof TooDeep ? 'contract' : fallback.kind);
  return {
    stage: known?.stage ?? fallback.stage,
    kind,
    ...given({ detail: known?.detail }),
    code: error instanceof AssayError ? error.code : kind,
    message: messageOf(error),
    ...given({ hint, unknownEvents: known?.unknownEvents }),
  };
}

/** The message of anything that was thrown; never throws itself. */
export function messageOf(error: unknown): string {
  const message: unknown = (error as { message?: unknown } | null | undefined)?.message;
  if (typeof message === 'string') return message;
  try {
    return String(error);
  } catch {
    return 'something that is no error was thrown';
  }
}
