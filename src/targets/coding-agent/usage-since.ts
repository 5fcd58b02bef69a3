import { usageOf, type Usage } from '../../core/usage.ts';

const PARTS = ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/** The usage of a turn: that of the whole session without what was reported before. */
export function usageSince(session: Usage, before: Usage | undefined): Usage {
  if (before === undefined) return session;
  const less = (total: number, earlier = 0): number => Math.max(0, total - earlier);
  const parts = PARTS.flatMap((key) => {
    const total = session[key];
    return total === undefined ? [] : [[key, less(total, before[key])] as const];
  });
  return usageOf(
    less(session.inputTokens, before.inputTokens),
    less(session.outputTokens, before.outputTokens),
    Object.fromEntries(parts),
  );
}
