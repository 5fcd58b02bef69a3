import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeDirectory } from '../lib/files/make-directory.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { jsonIn } from '../lib/text/json-in.ts';

const FORMAT = 1;

/** One recorded call. */
export interface CassetteEntry {
  readonly key: string;
  readonly request: JsonObject;
  readonly answer: JsonObject;
}

/** A folder of recorded calls, each a readable JSON file. */
export interface CassetteFiles {
  readonly directory: string;
  /** Undefined when it was not recorded. Rejects when the file cannot be read. */
  read(request: JsonObject, key: string): Promise<CassetteEntry | undefined>;
  write(entry: CassetteEntry): Promise<void>;
  /** All readable entries. */
  all(): AsyncIterable<CassetteEntry>;
}

export function openCassetteFiles(directory: string): CassetteFiles {
  let writes = 0;
  return {
    directory,
    async read(request, key) {
      const path = join(directory, fileOf(request, key));
      const entry = await readEntry(path);
      if (entry !== undefined && entry.key !== key)
        throw new Error(`${path} does not match its file name: it contains a different request`);
      return entry;
    },
    async write(entry) {
      makeDirectory(directory);
      const path = join(directory, fileOf(entry.request, entry.key));
      // Concurrent equal requests write the same file: each writes its own draft, and the last rename wins.
      const draft = `${path}.${process.pid}-${++writes}`;
      await writeFile(draft, `${JSON.stringify({ format: FORMAT, ...entry }, null, 2)}\n`, { mode: 0o600 });
      await rename(draft, path);
    },
    async *all() {
      const names = await readdir(directory).catch(() => []);
      for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
        const entry = await readEntry(join(directory, name)).catch(() => undefined);
        if (entry !== undefined) yield entry;
      }
    },
  };
}

/** The file of an entry: the model name for people, the key for uniqueness. */
export function fileOf(request: JsonObject, key: string): string {
  const model = String(request['model'])
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .slice(0, 60);
  return `${model}-${key.slice(0, 16)}.json`;
}

async function readEntry(path: string): Promise<CassetteEntry | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const value = jsonIn(text);
  if (
    !isObject(value) ||
    value['format'] !== FORMAT ||
    !isObject(value['request']) ||
    !isAnswer(value['answer'])
  ) {
    throw new Error(`${path} is not a recorded call in format ${FORMAT}`);
  }
  return value as unknown as CassetteEntry;
}

function isAnswer(value: unknown): boolean {
  return isObject(value) && typeof value['text'] === 'string' && Array.isArray(value['toolCalls']);
}
