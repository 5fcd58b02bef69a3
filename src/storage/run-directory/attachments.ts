import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import type { Attached, EntryHead, Fact, Row } from '../../core/run.ts';
import type { TranscriptEntry } from '../../core/transcript.ts';
import { sha256 } from '../../lib/digest.ts';
import { guarded } from './append-file.ts';
import { readable } from './readable.ts';

/** Entries and answers above this many bytes stand in a file of their own. */
export const ATTACH_BYTES = 65_536;

const START_CHARACTERS = 1000;

/** The fact with its large part moved to `attachments/<sha256>`. */
export function detach(fact: Fact, directory: string): Fact {
  if (fact.type === 'transcript-entry') {
    if ('attachment' in fact.entry) return fact;
    const attached = attach(JSON.stringify(fact.entry), directory);
    return { type: 'transcript-entry', entry: { ...headOf(fact.entry), ...attached } };
  }
  if (
    fact.type === 'trial-end' &&
    typeof fact.row.output === 'string' &&
    Buffer.byteLength(fact.row.output) > ATTACH_BYTES / 4
  ) {
    const row: Row = { ...fact.row, output: attach(fact.row.output, directory) };
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

/** The whole entry that an event stands for. */
export function wholeEntry(
  entry: Extract<Fact, { type: 'transcript-entry' }>['entry'],
  directory: string,
): TranscriptEntry {
  if (!('attachment' in entry)) return entry;
  return readAttachment(entry, directory, (text) => JSON.parse(text) as TranscriptEntry);
}

/** A sha-256; anything else could lead out of the directory. */
const ATTACHMENT = /^[0-9a-f]{64}$/;

function notAnAttachment(name: unknown): AssayError {
  return new AssayError(
    'run-unreadable',
    `the log names an attachment that is none: ${JSON.stringify(name)}`,
    {
      stage: 'log',
      hint: 'the log was not written by assay, or was changed since; do not trust it',
    },
  );
}

/** The whole answer that a row stands for. */
export function wholeOutput(output: Row['output'], directory: string): string | null {
  if (output === null || typeof output === 'string') return output;
  return readAttachment(output, directory, (text) => text);
}

function readAttachment<T>({ attachment }: Attached, directory: string, parse: (text: string) => T): T {
  if (!ATTACHMENT.test(attachment)) throw notAnAttachment(attachment);
  const file = join(directory, attachment);
  return readable(file, () => parse(readFileSync(file, 'utf8')));
}

function attach(text: string, directory: string): Attached {
  const attachment = sha256(text);
  const file = join(directory, attachment);
  const bytes = Buffer.byteLength(text);
  guarded(file, () => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // A process that died while it wrote leaves a part of it.
    const there = statSync(file, { throwIfNoEntry: false })?.size;
    if (there !== bytes) writeFileSync(file, text, { mode: 0o600 });
  });
  return { attachment, bytes, start: text.slice(0, START_CHARACTERS) };
}
