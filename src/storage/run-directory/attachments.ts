import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import type { Attached, Fact, Row } from '../../core/run.ts';
import type { TranscriptEntry } from '../../core/transcript.ts';
import { attached } from '../runs/detach.ts';
import { guarded } from '../guarded.ts';
import { readable } from '../../core/readable.ts';

/** The entry of an event with its attachments. Throws for an invalid attachment. */
export function wholeEntry(
  entry: Extract<Fact, { type: 'transcript-entry' }>['entry'],
  directory: string,
): TranscriptEntry {
  if (!('attachment' in entry)) return entry;
  return readAttachment(entry, directory, (text) => JSON.parse(text) as TranscriptEntry);
}

/** Whether it is a sha-256; anything else could lead out of the directory. */
export function isAttachmentName(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

function notAnAttachment(name: unknown): AssayError {
  return new AssayError(
    'run-unreadable',
    `the log refers to an invalid attachment: ${JSON.stringify(name)}`,
    {
      stage: 'log',
      hint: 'the log was not written by assay or was changed later; do not trust it',
    },
  );
}

/** The complete answer of a row. */
export function wholeOutput(output: Row['output'], directory: string): string | null {
  if (output === null || typeof output === 'string') return output;
  return readAttachment(output, directory, (text) => text);
}

function readAttachment<T>({ attachment }: Attached, directory: string, parse: (text: string) => T): T {
  if (!isAttachmentName(attachment)) throw notAnAttachment(attachment);
  const file = join(directory, attachment);
  return readable(file, () => parse(readFileSync(file, 'utf8')));
}

/** Stores a text in `attachments/<sha256>`. */
export function attach(text: string, directory: string): Attached {
  const aside = attached(text);
  const file = join(directory, aside.attachment);
  guarded(file, () => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // A process that was killed during the write leaves an incomplete file.
    const there = statSync(file, { throwIfNoEntry: false })?.size;
    if (there !== aside.bytes) writeFileSync(file, text, { mode: 0o600 });
  });
  return aside;
}
