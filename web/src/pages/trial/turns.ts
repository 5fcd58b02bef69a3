import { toolCalls, type ToolResultEntry, type TranscriptEntry } from '../../../../src/core/transcript.ts';

/** What happened in one turn, calls with their results. */
export interface Turn {
  readonly turn: number;
  readonly entries: readonly ShownEntry[];
}

export interface ShownEntry {
  readonly entry: TranscriptEntry;
  /** Of a tool call, once it is loaded. */
  readonly result?: ToolResultEntry;
}

/** A transcript by turn; a result stands with its call. */
export function turnsOf(transcript: readonly TranscriptEntry[]): readonly Turn[] {
  const results = new Map<string, ToolResultEntry>();
  const taken = new Set<string>();
  for (const { call, result } of toolCalls(transcript)) {
    if (result === undefined) continue;
    results.set(call.id, result);
    taken.add(result.id);
  }
  const turns = new Map<number, ShownEntry[]>();
  for (const entry of transcript) {
    if (taken.has(entry.id)) continue;
    const result = results.get(entry.id);
    const shown = { entry, ...(result === undefined ? {} : { result }) };
    const turn = turns.get(entry.turn);
    if (turn === undefined) turns.set(entry.turn, [shown]);
    else turn.push(shown);
  }
  return [...turns].map(([turn, entries]) => ({ turn, entries }));
}
