/** Ceilings of one trial; null switches one off. `maxTurns` is a cap: reaching it ends the conversation normally. */
export interface Limits {
  /** Of the session: without workspace and grading. */
  readonly timeoutMs: number | null;
  /** Of one turn of the target. */
  readonly turnTimeoutMs: number | null;
  /** Longest silence of the target: no entry, and for programs no byte of output. */
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

/** The pass threshold where nobody wrote one. */
export const DEFAULT_THRESHOLD = 0.8;

/** Later layers win, key by key; null is a value and wins too. */
export function mergeLimits(...layers: readonly (Partial<Limits> | undefined)[]): Limits {
  const merged: Record<string, number | null> = { ...DEFAULT_LIMITS };
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer ?? {})) if (value !== undefined) merged[key] = value;
  }
  return merged as unknown as Limits;
}
