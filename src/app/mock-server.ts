import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { parse } from 'yaml';

import { AssayError, messageOf } from '../core/errors.ts';
import { AuthoringError } from '../core/problem.ts';
import { whyUnreadable } from '../lib/files/why-unreadable.ts';
import { scriptSchema, type Script } from '../models/mock-server/script.ts';
import { startModelServer, type ModelServer } from '../models/mock-server/server.ts';
import type { Surroundings } from './surroundings.ts';

export interface MockServerRequest {
  /** 0: any free port. */
  readonly port: number;
  /** Path of a YAML or JSON file. Absent: the server echoes each message. */
  readonly script?: string;
}

/** Starts the scripted model server, which runs until it is disposed. Throws `mock-server`. */
export async function startMockServer(
  { port, script }: MockServerRequest,
  { cwd }: Pick<Surroundings, 'cwd'>,
): Promise<ModelServer> {
  const read = script === undefined ? {} : await readScript(script, cwd);
  try {
    return await startModelServer({ port, script: read });
  } catch (error) {
    throw new AssayError('mock-server', `cannot listen on port ${port}: ${messageOf(error)}`, {
      stage: 'plan',
      hint: 'choose another --port, or 0 for any free port',
      cause: error,
    });
  }
}

async function readScript(file: string, cwd: string): Promise<Script> {
  const unreadable = (message: string, hint: string) =>
    new AuthoringError([{ file, code: 'script-unreadable', message, hint }]);
  let written: unknown;
  const text = await readFile(resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw unreadable(whyUnreadable(error), 'correct the path after --script');
  });
  try {
    written = parse(text) ?? {};
  } catch (error) {
    throw unreadable(messageOf(error), 'write it as YAML or JSON');
  }
  const checked = scriptSchema.safeParse(written);
  if (checked.success) return checked.data;
  throw new AuthoringError(
    checked.error.issues.map(({ path, message }) => ({
      file,
      code: 'script-invalid',
      message: `${path.join('.') || 'the script'}: ${message}`,
      hint: 'assay mock-server --help shows an example',
    })),
  );
}
