import { toolCalls, type ToolResultEntry, type TranscriptEntry } from '../../../../src/core/transcript.ts';

/** What happened in one turn, calls with their results. */
export interface Turn {
  readonly turn: number;
  readonly entries: readonly ShownEntry[];
}

export interface ShownEntry {
  readonly entry: TranscriptEntry;
  /** Position in the transcript, from 0: ids come from the agent's program and may repeat. */
  readonly place: number;
  /** Of a tool call, once it is loaded. */
  readonly result?: ToolResultEntry;
}

/** A transcript by turn; a result stands with its call. */
export function turnsOf(transcript: readonly TranscriptEntry[]): readonly Turn[] {
  const results = new Map<TranscriptEntry, ToolResultEntry>();
  const taken = new Set<TranscriptEntry>();
  for (const { call, result } of toolCalls(transcript)) {
    if (result === undefined) continue;
    results.set(call, result);
    taken.add(result);
  }
  const turns = new Map<number, ShownEntry[]>();
  for (const [place, entry] of transcript.entries()) {
    if (taken.has(entry)) continue;
    const result = results.get(entry);
    const shown = { entry, place, ...(result === undefined ? {} : { result }) };
    const turn = turns.get(entry.turn);
    if (turn === undefined) turns.set(entry.turn, [shown]);
    else turn.push(shown);
  }
  return [...turns].map(([turn, entries]) => ({ turn, entries }));
}
