import type { Attached, EntryHead, Fact, Row } from '../../core/run.ts';
import type { TranscriptEntry } from '../../core/transcript.ts';
import { sha256 } from '../../lib/digest.ts';

/** Entries and answers above this many bytes are stored in a separate file. */
export const ATTACH_BYTES = 65_536;

const START_CHARACTERS = 1000;

/** The reference that replaces a separately stored text: its sha-256 and its bytes. */
export function attached(text: string): Attached {
  return {
    attachment: sha256(text),
    bytes: Buffer.byteLength(text),
    start: text.slice(0, START_CHARACTERS),
  };
}

/** The fact, with its large part stored by `attach`. */
export function detach(fact: Fact, attach: (text: string) => Attached): Fact {
  if (fact.type === 'transcript-entry') {
    if ('attachment' in fact.entry) return fact;
    const entry = { ...headOf(fact.entry), ...attach(JSON.stringify(fact.entry)) };
    return { type: 'transcript-entry', entry };
  }
  if (
    fact.type === 'trial-end' &&
    typeof fact.row.output === 'string' &&
    Buffer.byteLength(fact.row.output) > ATTACH_BYTES / 4
  ) {
    const row: Row = { ...fact.row, output: attach(fact.row.output) };
    return { type: 'trial-end', row };
  }
  return fact;
}

function headOf(entry: TranscriptEntry): EntryHead {
  switch (entry.type) {
    case 'message': {
      const { parts: _, ...rest } = entry;
      return rest;
    }
    case 'tool-call': {
      const { input: _input, effects: _effects, ...rest } = entry;
      return rest;
    }
    case 'tool-result': {
      const { output: _, ...rest } = entry;
      return rest;
    }
    case 'usage':
      return entry;
    default:
      return entry satisfies never;
  }
}
