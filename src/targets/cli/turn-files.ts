import { constants } from 'node:fs';
import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { messageOf } from '../../core/errors.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';
import { temporaryFolder } from '../../lib/files/temporary-folder.ts';
import { contractBroken } from '../target-errors.ts';
import type { Placeholder } from './command-template.ts';

/** The files for a command's placeholders, one set per turn. */
export interface TurnFiles extends AsyncDisposable {
  /** Paths by placeholder; empty when the command uses none. */
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

/** Writes the files to a private temporary folder, which is created only when it is needed. */
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

/** Does not wait for the writer of a named pipe, and does not follow links, such as one to an endless device. */
async function openedFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw noFile(error);
    throw contractBroken('the program exited with 0 but wrote nothing to {OUTPUT_FILE}', {
      hint: 'write the answer to this file, or remove {OUTPUT_FILE} to answer on stdout',
    });
  }
}

function noFile(cause?: unknown): Error {
  const why = cause === undefined ? '' : `: ${messageOf(cause)}`;
  return contractBroken(`{OUTPUT_FILE} is not a readable file after the program ended${why}`, {
    hint: 'write the answer to a regular file, not a link, pipe or folder',
  });
}

/** Reads up to the limit, even from a file that still grows. */
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
    hint: 'raise `maxOutputBytes` of the target if this much output is intended',
  });
}
