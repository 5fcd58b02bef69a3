import type { Limits } from './limits.ts';
import type { CaseSelector, RunOptions } from './run-options.ts';

/** How the API calls the options of a run that it takes as they are. */
export const OPTION_NAMES = {
  repeat: 'repetitions',
  concurrency: 'concurrency',
  threshold: 'threshold',
  firstSpeaker: 'first_speaker',
  onLimit: 'on_limit',
  maxErrored: 'max_errored',
  maxCostUsd: 'budget_usd',
  allowUnknownCost: 'allow_unknown_cost',
  seed: 'seed',
  sample: 'sample',
  limit: 'limit',
  failFast: 'fail_fast',
  gates: 'gates',
  strict: 'strict',
} as const satisfies Partial<Record<keyof RunOptions, string>>;

/** The same for the limits of a trial. */
export const LIMIT_NAMES = {
  timeoutMs: 'timeout_ms',
  turnTimeoutMs: 'turn_timeout_ms',
  idleTimeoutMs: 'idle_timeout_ms',
  maxTurns: 'max_turns',
  maxSteps: 'max_steps',
  maxTokens: 'max_tokens',
  maxCostUsd: 'max_cost_usd',
} as const satisfies Record<keyof Limits, string>;

/** The same for the conditions that select test cases. */
export const SELECTOR_NAMES = {
  status: 'status',
  difficulty: 'difficulty',
  tagAny: 'tag_any',
  tagAll: 'tag_all',
  search: 'search',
  ids: 'id',
  set: 'set',
} as const satisfies Record<keyof CaseSelector, string>;
