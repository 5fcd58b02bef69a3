import type { TranscriptEntry } from '../core/transcript.ts';

/** The latency of one turn of the agent. */
export interface TurnLatency {
  /** Turn number of the entries, which counts messages of both sides. */
  readonly turn: number;
  readonly ms: number;
}

/** The latency of each agent turn with an entry. `latency`: the list in the row, one per agent turn. */
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
      // The first turn of an agent that speaks first has no question.
      asked = Math.max(asked, 1);
      isAnswered = true;
      const ms = latency[asked - 1];
      if (ms !== undefined) found.push({ turn: entry.turn, ms });
    }
  }
  return found;
}
