import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';

import * as z from 'zod';

import type { ToolSpec } from '../../core/tools.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { plural } from '../../lib/text/plural.ts';
import { strictObject } from './answer-form.ts';

/** Read-only tools for the files of one folder. */
export interface WorkspaceTools {
  readonly specs: readonly ToolSpec[];
  /** Runs a call; rejects with an error that the judge can correct. */
  call(name: string, input: JsonValue): Promise<JsonObject>;
}

const MAX_ENTRIES = 500;
const MAX_READ_LINES = 400;
const MAX_READ_CHARACTERS = 40_000;
const MAX_FILE_BYTES = 4_000_000;
const MAX_HITS = 100;
const MAX_SEARCHED_FILES = 5_000;

export function workspaceTools(directory: string): WorkspaceTools {
  const inside = insideOf(directory);
  const tools = new Map<string, (input: JsonValue) => Promise<JsonObject>>([
    ['list_files', async (input) => listFiles(await inside(listInput.parse(input).path))],
    ['read_file', async (input) => readLines(readInput.parse(input), inside)],
    ['search_files', async (input) => searchFiles(searchInput.parse(input), inside)],
  ]);
  return {
    specs,
    call: async (name, input) => {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`unknown tool; known: ${[...tools.keys()].join(', ')}`);
      return await tool(input);
    },
  };
}

const listInput = z.lazy(() => z.object({ path: z.string().default('.') }));
const readInput = z.lazy(() =>
  z.object({
    path: z.string(),
    from_line: z.int().min(1).default(1),
    lines: z.int().min(1).max(MAX_READ_LINES).default(MAX_READ_LINES),
  }),
);
const searchInput = z.lazy(() =>
  z.object({ text: z.string().min(1).max(200), path: z.string().default('.') }),
);

const pathOf = (what: string) => ({ type: 'string', description: `${what}, relative to the workspace.` });

const specs: readonly ToolSpec[] = [
  {
    name: 'list_files',
    description: `All files below a folder with their sizes; at most ${MAX_ENTRIES}.`,
    parameters: strictObject({ path: pathOf('A folder ("." for all)') }),
  },
  {
    name: 'read_file',
    description: `Lines of a text file, at most ${MAX_READ_LINES} at once.`,
    parameters: strictObject({
      path: pathOf('A file'),
      from_line: { type: 'integer', description: 'From 1.' },
      lines: { type: 'integer', description: 'How many.' },
    }),
  },
  {
    name: 'search_files',
    description: `Lines that hold a text, ignoring case; at most ${MAX_HITS}.`,
    parameters: strictObject({ text: { type: 'string' }, path: pathOf('A file or folder ("." for all)') }),
  },
];

interface Inside {
  readonly root: string;
  readonly absolute: string;
}

/** Resolves a path from the judge; paths and links that leave the folder are refused. */
function insideOf(directory: string): (path: string) => Promise<Inside> {
  return async (path) => {
    const root = await realpath(directory);
    const wanted = resolve(root, path);
    if (!contains(root, wanted)) throw new Error('the path is outside the workspace');
    const absolute = await realpath(wanted).catch(() => undefined);
    if (absolute === undefined) throw new Error('file or folder not found');
    if (!contains(root, absolute)) throw new Error('the path is outside the workspace');
    return { root, absolute };
  };
}

function contains(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function listFiles({ root, absolute }: Inside): Promise<JsonObject> {
  const files: { readonly path: string; readonly bytes: number }[] = [];
  let left = 0;
  for await (const file of filesBelow(absolute)) {
    if (files.length < MAX_ENTRIES) files.push({ path: shown(root, file.path), bytes: file.bytes });
    else left += 1;
  }
  return { files, ...(left === 0 ? {} : { not_listed: left }) };
}

async function readLines(
  { path, from_line: from, lines: count }: z.infer<typeof readInput>,
  inside: (path: string) => Promise<Inside>,
): Promise<JsonObject> {
  const { root, absolute } = await inside(path);
  const text = await textOfFile(absolute);
  const all = text.split('\n');
  const wanted = all.slice(from - 1, from - 1 + count).join('\n');
  const content = wanted.slice(0, MAX_READ_CHARACTERS);
  const place = { path: shown(root, absolute), from_line: from, lines_of_file: all.length };
  return { ...place, content, ...(content.length < wanted.length ? { cut: true } : {}) };
}

async function searchFiles(
  { text, path }: z.infer<typeof searchInput>,
  inside: (path: string) => Promise<Inside>,
): Promise<JsonObject> {
  const { root, absolute } = await inside(path);
  const hits: JsonObject[] = [];
  const wanted = text.toLowerCase();
  let searched = 0;
  let left = 0;
  for await (const file of filesBelow(absolute)) {
    if (hits.length >= MAX_HITS) break;
    const isWithin = searched < MAX_SEARCHED_FILES;
    const content = isWithin ? await textOfFile(file.path).catch(() => undefined) : undefined;
    if (content === undefined) {
      left += 1;
      continue;
    }
    searched += 1;
    for (const [i, line] of content.split('\n').entries()) {
      if (hits.length >= MAX_HITS) break;
      if (!line.toLowerCase().includes(wanted)) continue;
      hits.push({ path: shown(root, file.path), line: i + 1, text: line.slice(0, 300) });
    }
  }
  const notSearched = `${plural(left, 'file')}: too large, not text, or beyond the first ${MAX_SEARCHED_FILES}`;
  return {
    hits,
    ...(hits.length >= MAX_HITS ? { more: 'there may be more matches' } : {}),
    ...(left === 0 ? {} : { not_searched: notSearched }),
  };
}

/** Regular files, sorted by name; links and `.git` are skipped. */
async function* filesBelow(path: string): AsyncGenerator<{ readonly path: string; readonly bytes: number }> {
  const found = await lstat(path);
  if (found.isFile()) yield { path, bytes: found.size };
  if (!found.isDirectory()) return;
  const names = (await readdir(path)).sort();
  for (const name of names) if (name !== '.git') yield* filesBelow(join(path, name));
}

async function textOfFile(path: string): Promise<string> {
  const found = await lstat(path);
  if (!found.isFile()) throw new Error('it is not a file');
  if (found.size > MAX_FILE_BYTES) throw new Error(`it is too large to read (${found.size} bytes)`);
  const text = await readFile(path, 'utf8');
  if (text.includes('\0')) throw new Error('it is not a text file');
  return text;
}

function shown(root: string, path: string): string {
  return relative(root, path).split(sep).join('/') || '.';
}
