import type { Frozen } from '../../core/run.ts';
import { openAppendFile } from './append-file.ts';
import type { RunPaths } from './paths.ts';
import { readLines } from './read-lines.ts';
import type { Redaction } from './redaction.ts';

/** Keeps copies that are not there yet, without secrets; one that is there is never written again. */
export async function keepFrozen(
  paths: Pick<RunPaths, 'frozen'>,
  copies: Iterable<Frozen>,
  { json }: Pick<Redaction, 'json'>,
): Promise<void> {
  const there = new Set<string>();
  for await (const { digest } of readFrozen(paths)) there.add(digest);
  const added: string[] = [];
  for (const { digest, kind, body } of copies) {
    if (there.has(digest)) continue;
    there.add(digest);
    added.push(`${JSON.stringify({ digest, kind, body: json(body) })}\n`);
  }
  if (added.length === 0) return;
  const file = openAppendFile(paths.frozen);
  try {
    file.write(added.join(''));
  } finally {
    file.close();
  }
}

/** What a run keeps of what it used; nothing of runs that keep none. */
export async function* readFrozen({ frozen }: Pick<RunPaths, 'frozen'>): AsyncGenerator<Frozen> {
  for await (const lines of readLines(frozen)) {
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Frozen;
  }
}
