import type { Frozen } from '../../core/run.ts';
import { openAppendFile, type AppendFile } from './append-file.ts';
import type { RunPaths } from './paths.ts';
import { parseLine, readRawLines } from './read-lines.ts';
import type { Redaction } from '../runs/redaction.ts';

/** Characters per write. */
const BATCH = 2 ** 18;

/** Stores new copies without secrets. Existing copies are never written again. */
export async function keepFrozen(
  paths: Pick<RunPaths, 'frozen'>,
  copies: Iterable<Frozen> | AsyncIterable<Frozen>,
  { json }: Pick<Redaction, 'json'>,
): Promise<void> {
  const there = new Set<string>();
  for await (const { digest } of readFrozen(paths)) there.add(digest);
  let file: AppendFile | undefined;
  let batch = '';
  const write = (): void => {
    if (batch !== '') (file ??= openAppendFile(paths.frozen)).write([batch]);
    batch = '';
  };
  try {
    for await (const { digest, kind, body } of copies) {
      if (there.has(digest)) continue;
      there.add(digest);
      batch += `${JSON.stringify({ digest, kind, body: json(body) })}\n`;
      if (batch.length > BATCH) write();
    }
    write();
  } finally {
    file?.close();
  }
}

/** The frozen copies of a run, optionally only those with these digests. Empty for runs without copies. */
export async function* readFrozen(
  { frozen }: Pick<RunPaths, 'frozen'>,
  digests?: ReadonlySet<unknown>,
): AsyncGenerator<Frozen> {
  for await (const lines of readRawLines(frozen)) {
    for (const line of lines) {
      if (line.length === 0 || !mayBeOf(line, digests)) continue;
      const copy = parseLine<Frozen>(line, frozen);
      if (digests?.has(copy.digest) !== false) yield copy;
    }
  }
}

/** Whether a line may have one of the digests. Lines start with their digest. */
function mayBeOf(line: Buffer, digests: ReadonlySet<unknown> | undefined): boolean {
  if (digests === undefined) return true;
  const [, digest] = /^\{"digest":"([0-9a-f]+)"/.exec(line.toString('latin1', 0, 100)) ?? [];
  return digest === undefined || digests.has(digest);
}
