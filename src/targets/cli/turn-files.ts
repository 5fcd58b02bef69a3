import { constants } from 'node:fs';
import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { messageOf } from '../../core/errors.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';
import { temporaryFolder } from '../../lib/files/temporary-folder.ts';
import { contractBroken } from '../target-errors.ts';
import type { Placeholder } from './command-template.ts';

/** The files that a command's placeholders ask for, one set a turn. */
export interface TurnFiles extends AsyncDisposable {
  /** Paths by placeholder; empty when the command names none. */
  readonly paths: Readonly<Partial<Record<Placeholder, string>>>;
  /** What the program wrote to `{OUTPUT_FILE}`. */
  readOutput(maxBytes: number): Promise<string>;
}

export interface TurnContents {
  prompt(): string;
  messages(): Promise<unknown>;
  servers(): unknown;
}

const NAMES = {
  PROMPT_FILE: 'prompt.txt',
  MESSAGES_FILE: 'messages.json',
  MCP_CONFIG: 'mcp.json',
  OUTPUT_FILE: 'output',
} as const;

/** Writes them to a private temporary folder, which is made only when there is something to write. */
export async function turnFiles(asked: ReadonlySet<Placeholder>, contents: TurnContents): Promise<TurnFiles> {
  const wanted = (Object.keys(NAMES) as (keyof typeof NAMES)[]).filter((name) => asked.has(name));
  if (wanted.length === 0) return NO_FILES;
  const folder = await temporaryFolder('turn');
  const paths = Object.fromEntries(wanted.map((name) => [name, join(folder, NAMES[name])]));
  const write = async (name: keyof typeof NAMES, content: string): Promise<void> => {
    const path = paths[name];
    if (path !== undefined) await writeFile(path, content, { mode: 0o600 });
  };
  if (asked.has('PROMPT_FILE')) await write('PROMPT_FILE', contents.prompt());
  if (asked.has('MESSAGES_FILE')) await write('MESSAGES_FILE', JSON.stringify(await contents.messages()));
  if (asked.has('MCP_CONFIG')) await write('MCP_CONFIG', JSON.stringify(contents.servers()));
  return {
    paths,
    readOutput: async (maxBytes) => await readOutput(join(folder, NAMES.OUTPUT_FILE), maxBytes),
    [Symbol.asyncDispose]: async () => await removeTree(folder).catch(() => {}),
  };
}

const NO_FILES: TurnFiles = {
  paths: {},
  readOutput: async () => '',
  async [Symbol.asyncDispose]() {},
};

async function readOutput(path: string, maxBytes: number): Promise<string> {
  const file = await openedFile(path);
  try {
    if (!(await file.stat()).isFile()) throw noFile();
    return await boundedText(file, maxBytes);
  } finally {
    await file.close();
  }
}

/** Neither waits for a writer of a named pipe nor follows a link, such as one to a device without an end. */
async function openedFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw noFile(error);
    throw contractBroken('the program ended well and wrote nothing to {OUTPUT_FILE}', {
      hint: 'write the answer there, or leave {OUTPUT_FILE} out to answer on stdout',
    });
  }
}

function noFile(cause?: unknown): Error {
  const why = cause === undefined ? '' : `: ${messageOf(cause)}`;
  return contractBroken(`what the program left at {OUTPUT_FILE} is no file that can be read${why}`, {
    hint: 'write the answer to that path itself, not a link, a pipe or a folder',
  });
}

/** Reads no more than it may, also from a file that still grows. */
async function boundedText(file: FileHandle, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw outputTooLarge('{OUTPUT_FILE}', maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function outputTooLarge(where: string, maxBytes: number): Error {
  return contractBroken(`the program's output on ${where} is larger than ${maxBytes} bytes`, {
    detail: 'output-limit',
    hint: 'raise `maxOutputBytes` of the target if so much is meant',
  });
}
