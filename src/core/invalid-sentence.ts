/** Why sides cannot be compared, and each different hint once: `invalid: A; B (do C; do D)`. */
export function invalidSentence(reasons: readonly ToldReason[]): string {
  const hints = reasons.flatMap(({ hint }) => (hint === undefined ? [] : [hint]));
  const advice = hints.length === 0 ? '' : ` (${[...new Set(hints)].join('; ')})`;
  return `invalid: ${reasons.map(({ message }) => message).join('; ')}${advice}`;
}

interface ToldReason {
  readonly message: string;
  readonly hint?: string | undefined;
}
