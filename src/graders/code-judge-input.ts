import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '../lib/files/temporary-folder.ts';
import type { GraderInput } from './define-grader.ts';

/** The text for stdin; disposing it removes the files that it refers to. */
export interface ScriptInput {
  readonly text: string;
  discard(): Promise<void>;
}

/** Parts with more bytes of JSON than this are passed as files. */
export const INLINE_BYTES = 2 ** 20;

/** Writes large transcripts, outputs and changes to private files, whose paths are `<part>_path` in the document. */
export async function scriptInput(document: GraderInput): Promise<ScriptInput> {
  const large = PARTS.flatMap((part) => {
    const json = JSON.stringify(document[part]);
    return Buffer.byteLength(json) > INLINE_BYTES ? [{ part, json }] : [];
  });
  if (large.length === 0) return { text: JSON.stringify(document), discard: async () => {} };
  const folder = await temporaryFolder('grader');
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    const rest: Record<string, unknown> = { ...document };
    for (const { part, json } of large) {
      const path = join(folder, `${part}.json`);
      await writeFile(path, json, { mode: 0o600 });
      delete rest[part];
      rest[`${part}_path`] = path;
    }
    return { text: JSON.stringify(rest), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

const PARTS = ['transcript', 'output', 'changes'] as const;
