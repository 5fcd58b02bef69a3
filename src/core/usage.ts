/**
 * Tokens as a provider counted them. `inputTokens` is all input (cached too), `outputTokens` includes reasoning,
 * `totalTokens` is their sum. A part that was never reported is absent: unknown, not 0.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens?: number;
  readonly totalTokens: number;
}

/** More tokens or USD than this in one report is a mistake, because sums would lose precision. */
export const MOST_COUNT = 1e12;

/** Whether a value is a count of tokens, USD or milliseconds that can be summed. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MOST_COUNT;
}

/** Who spent tokens or money. */
export type Spender = 'agent' | 'user' | 'judge';

/** Cost of one role over many trials. When `known` is 0 the sum is unknown, not 0. */
export interface Cost {
  /** USD of the trials with a known cost. */
  readonly knownUsd: number;
  /** Number of trials with a known cost. */
  readonly known: number;
  /** Number of trials with an unknown cost. */
  readonly unknown: number;
}

/** The sum of two usages; a part that neither of them reported stays absent. */
export function addUsage(left: Usage | undefined, right: Usage): Usage {
  if (left === undefined) return right;
  const optional = (key: 'cacheReadTokens' | 'cacheWriteTokens' | 'reasoningTokens') =>
    left[key] === undefined && right[key] === undefined
      ? {}
      : { [key]: (left[key] ?? 0) + (right[key] ?? 0) };
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    ...optional('cacheReadTokens'),
    ...optional('cacheWriteTokens'),
    outputTokens: left.outputTokens + right.outputTokens,
    ...optional('reasoningTokens'),
    totalTokens: left.totalTokens + right.totalTokens,
  };
}

/** A usage from its two required counts and the optional ones. */
export function usageOf(
  inputTokens: number,
  outputTokens: number,
  parts: Partial<Pick<Usage, 'cacheReadTokens' | 'cacheWriteTokens' | 'reasoningTokens'>> = {},
): Usage {
  return { inputTokens, ...parts, outputTokens, totalTokens: inputTokens + outputTokens };
}
