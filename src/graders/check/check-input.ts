import type { JsonObject, JsonValue } from '../../lib/json.ts';

/** What a check in JavaScript or TypeScript sees of a trial. It is a copy: changing it changes nothing else. */
export interface CheckInput extends CheckFacts {
  /** How often the agent called a tool; without a name: the number of all tool calls. */
  calls(tool?: string): number;
}

/** The part of the input that is plain data. */
export interface CheckFacts {
  /** Text of the last answer, structured content as compact JSON. */
  readonly output: string;
  /** `vars` of the test; empty when it has none. */
  readonly vars: JsonObject;
  /** `metadata` of the test; empty when it has none. */
  readonly metadata: JsonObject;
  /** Content of the last message in `expected_output`; null without one. */
  readonly expected: JsonValue;
  /** Text of the last message of the user. */
  readonly question: string;
  readonly criteria: string | null;
  /** The conversation, one entry for each message of the user. */
  readonly turns: readonly CheckTurn[];
  readonly toolCalls: readonly CheckCall[];
  /** All events of the session, in order, as `code_judge` gets them. */
  readonly transcript: readonly JsonObject[];
  readonly testId: string;
  readonly target: string;
  readonly durationMs: number;
  /** Cost of the agent in USD; null when unknown. */
  readonly costUsd: number | null;
  /** Directory of the workspace; null without one. */
  readonly workspacePath: string | null;
  /** `config` of the check, unchanged; empty when it has none. */
  readonly config: JsonObject;
}

export interface CheckTurn {
  /** From 1. */
  readonly turn: number;
  /** Text of the user's messages. */
  readonly user: string;
  /** Text of the agent's answers. */
  readonly assistant: string;
  readonly calls: readonly CheckCall[];
}

export interface CheckCall {
  readonly tool: string;
  readonly input: JsonValue;
  /** Null when the call had no result. */
  readonly output: JsonValue;
  readonly failed: boolean;
  readonly turn: number;
}

/** The answer of a check: whether it holds, a score from 0 to 1, or one of them with a reason. */
export type CheckAnswer = boolean | number | CheckVerdict;

export interface CheckVerdict {
  /** From 0 to 1; needed without `pass`. */
  readonly score?: number;
  /** Overrides `score >= threshold`; without `score` it is also the score, 1 or 0. */
  readonly pass?: boolean;
  readonly reason?: string;
}

/** What a check without `defineCheck` gets as its second parameter, as promptfoo gives it. Its first one is `output`. */
export interface CheckContext extends CheckInput {
  /** Text of the last message of the user. */
  readonly prompt: string;
  readonly test: Pick<CheckFacts, 'vars' | 'metadata'>;
}

/**
 * A check that gets one object, for the default export of the module in `value: file://...`. Other functions there get
 * `(output, context)`.
 */
export function defineCheck(
  check: (input: CheckInput) => CheckAnswer | Promise<CheckAnswer>,
): (input: CheckInput) => CheckAnswer | Promise<CheckAnswer> {
  return Object.assign((input: CheckInput) => check(input), { [DEFINED]: true });
}

/** The same in every copy of assay that a module may load. */
const DEFINED = Symbol.for('assay.defineCheck');

/** Whether a function was made by `defineCheck`. */
export function isMadeByDefineCheck(check: object): boolean {
  return DEFINED in check;
}
