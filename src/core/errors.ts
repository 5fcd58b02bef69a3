import { given } from '../lib/given.ts';
import { TooDeep } from '../lib/text/json-depth.ts';
import type { ErrorCode, ErrorKind, QuotedCode } from './error-code.ts';

/** The stage of a run in which something went wrong. */
export type Stage = 'authoring' | 'plan' | TrialStage;

/** The stages that an errored trial can have. */
export type TrialStage = 'workspace' | 'target' | 'user' | 'world' | 'grading' | 'log';

export interface AssayErrorOptions {
  readonly stage: Stage;
  /** What to do about it, as one sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** An error whose message is written for people: what happened and where. `hint` says what to do. */
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
  /** True when the attempt may be repeated, because the environment failed and not the agent. */
  readonly transient?: boolean | undefined;
  /** Milliseconds that the server asked to wait before another attempt. */
  readonly retryAfterMs?: number | undefined;
  readonly limit?: LimitMet | undefined;
  /** True when it may have cost an unknown amount. */
  readonly isCostUnknown?: boolean | undefined;
  /** Events of unknown kinds: how many of each kind. */
  readonly unknownEvents?: Readonly<Record<string, number>> | undefined;
}

/** The trial could not be measured. Every other error inside a trial is converted to this one. */
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

/** Whether a model was reached, but its answer cannot be read. */
export function isMalformedAnswer(error: unknown): boolean {
  return error instanceof MeasurementError && error.detail === 'malformed-answer';
}

/** The budget of the run is spent. The work was not measured and did not fail; a later run can do it. */
export class BudgetSpent extends AssayError {
  /** Whether it would fit if the work that goes on cost nothing: what is set aside for that may be free later. */
  readonly isHeld: boolean;
  constructor(message: string, { isHeld = false }: { readonly isHeld?: boolean } = {}) {
    const hint = 'continue with a higher limit: assay resume RUN --max-cost USD';
    super('budget-spent', message, { stage: 'plan', hint });
    this.isHeld = isHeld;
    this.name = 'BudgetSpent';
  }
}

/** Ends a running trial after its run was cancelled. The trial is not judged. */
export class RunCancelled extends Error {
  constructor() {
    super('the run was cancelled');
    this.name = 'RunCancelled';
  }
}

/** The limit that ended a session, its value and the value reached. */
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
  /** Events of unknown kinds that the program of the agent printed. */
  readonly unknownEvents?: Readonly<Record<string, number>>;
}

/** Whether the server rejected our credentials. */
export function rejectsCredentials({ kind, detail }: Pick<ErrorRecord, 'kind' | 'detail'>): boolean {
  return kind === 'http-error' && REJECTIONS.has(detail ?? '');
}

const REJECTIONS: ReadonlySet<string> = new Set(['credentials-rejected', 'http-401', 'http-403']);

/** An error as data. `fallback` gives stage and kind for errors that are not a `MeasurementError`. */
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

/** The message of a thrown value of any type, or the reason that an error without one carries; never throws. */
export function messageOf(error: unknown): string {
  const message: unknown = (error as { message?: unknown } | null | undefined)?.message;
  if (message === '') return reasonOf(error as Reasoned);
  if (typeof message === 'string') return message;
  try {
    return String(error);
  } catch {
    return 'a value without a message was thrown';
  }
}

interface Reasoned {
  readonly errors?: unknown;
  readonly code?: unknown;
}

/** A connection that was refused at several addresses has its reasons in `errors` and no message. */
function reasonOf({ errors, code }: Reasoned): string {
  const [first]: unknown[] = Array.isArray(errors) ? errors : [];
  const reason: unknown = (first as { message?: unknown } | null | undefined)?.message;
  if (typeof reason === 'string' && reason !== '') return reason;
  return typeof code === 'string' ? code : '';
}
