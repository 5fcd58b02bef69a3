import type { TranscriptEntry } from '../core/transcript.ts';

/** How long the agent took for one of its turns. */
export interface TurnLatency {
  /** As entries have it, which counts the messages of both sides. */
  readonly turn: number;
  readonly ms: number;
}

/** The latency of each agent turn that has an entry. `latency`: of the row, one an agent turn. */
export function turnLatencies(
  entries: Iterable<TranscriptEntry>,
  latency: readonly number[],
): readonly TurnLatency[] {
  const found: TurnLatency[] = [];
  let asked = 0;
  let isAnswered = false;
  for (const entry of entries) {
    if (entry.type === 'message' && entry.role === 'user' && entry.parentCallId === undefined) {
      asked += 1;
      isAnswered = false;
    } else if (!isAnswered && !(entry.type === 'message' && entry.role === 'system')) {
      // An agent that speaks first was asked nothing.
      asked = Math.max(asked, 1);
      isAnswered = true;
      const ms = latency[asked - 1];
      if (ms !== undefined) found.push({ turn: entry.turn, ms });
    }
  }
  return found;
}
