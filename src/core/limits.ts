/** Limits of one trial; null switches a limit off. Reaching `maxTurns` is not an error: the conversation ends normally. */
export interface Limits {
  /** Time limit of the session in milliseconds, without workspace and grading. */
  readonly timeoutMs: number | null;
  /** Time limit of one turn of the target in milliseconds. */
  readonly turnTimeoutMs: number | null;
  /** Longest silence of the target in milliseconds: no entry and, for programs, no byte of output. */
  readonly idleTimeoutMs: number | null;
  readonly maxTurns: number | null;
  readonly maxSteps: number | null;
  readonly maxTokens: number | null;
  readonly maxCostUsd: number | null;
}

export const DEFAULT_LIMITS: Limits = {
  timeoutMs: 600_000,
  turnTimeoutMs: 120_000,
  idleTimeoutMs: null,
  maxTurns: null,
  maxSteps: null,
  maxTokens: null,
  maxCostUsd: null,
};

/** The pass threshold when none is set. */
export const DEFAULT_THRESHOLD = 0.8;

/** Later layers override earlier ones, key by key; null is a value and overrides too. */
export function mergeLimits(...layers: readonly (Partial<Limits> | undefined)[]): Limits {
  const merged: Record<string, number | null> = { ...DEFAULT_LIMITS };
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer ?? {})) if (value !== undefined) merged[key] = value;
  }
  return merged as unknown as Limits;
}
