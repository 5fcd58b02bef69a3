import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

import type { Sandbox, SandboxPlace } from '../core/sandbox.ts';
import { temporaryFolder } from '../lib/files/temporary-folder.ts';
import { removeTree } from '../lib/files/remove-tree.ts';
import { parseForeignJson } from '../lib/text/json-depth.ts';
import { ownProgram } from '../lib/modules/own-file.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { ATTEMPT_MARKER, ownMarker } from '../lib/process/own-token.ts';
import { runProcess } from '../lib/process/run-process.ts';
import { ESCAPES, NEEDS, type Probe, type ProbeFacts } from './probes.ts';

/** What a program could do in a sandbox. */
export interface Tried {
  /** Names of `ESCAPES` that succeeded. */
  readonly escapes: readonly string[];
  /** Names of `NEEDS` that did not succeed. */
  readonly missing: readonly string[];
  /** Why the probes could not run. */
  readonly failure?: string;
}

/** Limit for all probes of one level. */
const TIMEOUT_MS = 20_000;

/** Runs all probes in a sandbox. Everything that they look for is created first, and removed afterwards. */
export async function trySandbox(
  sandbox: Sandbox,
  { operatorEnvironment }: SandboxPlace,
  signal: AbortSignal,
): Promise<Tried> {
  await using stage = await openStage(operatorEnvironment);
  const { facts } = stage;
  const command = [...ownProgram('sandboxes/probe-host'), JSON.stringify(facts)];
  const { PATH = '/usr/bin:/bin' } = operatorEnvironment;
  const env = { PATH, HOME: facts.home };
  const programs = command.filter((word) => word.startsWith('/') && existsSync(word));
  const needs = { writable: [facts.workspace, facts.home], programs };
  await using entered = await sandbox.enter({ command, cwd: facts.workspace, env }, needs);
  const marker = { name: ATTEMPT_MARKER, value: ownMarker() };
  const result = await runProcess({ ...entered.start, timeoutMs: TIMEOUT_MS, marker }, signal);
  signal.throwIfAborted();
  if (result.outcome !== 'exited' || result.exitCode !== 0) {
    const said = decodeUtf8(result.stderr).trim().split('\n').at(-1) ?? '';
    return { escapes: [], missing: [], failure: said === '' ? `the probes ended: ${result.outcome}` : said };
  }
  const could = parseForeignJson(decodeUtf8(result.stdout)) as Readonly<Record<Probe, boolean>>;
  const wrote = existsSync(join(facts.beside, 'written'));
  return {
    escapes: Object.keys(ESCAPES).filter((name) => (name === 'write-beside' ? wrote : could[name as Probe])),
    missing: Object.keys(NEEDS).filter((name) => !could[name as Probe]),
  };
}

interface Stage extends AsyncDisposable {
  readonly facts: ProbeFacts;
}

async function openStage({
  HOME: operatorHome = '/',
  PATH = '/usr/bin:/bin',
}: SandboxPlace['operatorEnvironment']): Promise<Stage> {
  const token = `probe-${randomBytes(6).toString('hex')}`;
  const root = await temporaryFolder('p');
  const shared = `/dev/shm/${token}`;
  const [workspace, home, beside] = ['workspace', 'home', 'beside'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [workspace, home, beside, join(beside, 'other')]) await mkdir(folder);
  for (const file of ['canary', 'other/canary']) await writeFile(join(beside, file), token);
  await writeFile(shared, token).catch(() => {});
  const servers = await Promise.all([
    listening({ host: '127.0.0.1', port: 0 }),
    listening({ path: join(beside, 's') }),
    listening({ path: `\0${token}` }),
  ]);
  const neighbour = new AbortController();
  const living = runProcess(
    {
      command: ['sh', '-c', 'read _', `ARG-${token}`],
      cwd: root,
      env: { PATH, PROBE: `ENV-${token}` },
      stdin: pending(neighbour.signal),
      graceMs: 100,
    },
    neighbour.signal,
  );
  const marks = Object.fromEntries([operatorHome, '/etc/shadow'].map((path) => [path, markOf(path)]));
  const address = servers[0].address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    facts: { workspace, home, beside, operatorHome, token, port, marks },
    async [Symbol.asyncDispose]() {
      neighbour.abort();
      await living;
      for (const server of servers) server.close();
      await rm(shared, { force: true });
      for (const left of [join('/tmp', `probe-${token}`), `/probe-${token}`]) await rm(left, { force: true });
      await removeTree(root);
    },
  };
}

function markOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}

async function listening(place: Parameters<Server['listen']>[0] & object): Promise<Server> {
  const server = createServer((socket) => socket.end());
  server.listen(place);
  await once(server, 'listening');
  return server;
}

/** Input that does not come, so that a program waits. */
async function* pending(signal: AbortSignal): AsyncGenerator<string> {
  if (!signal.aborted) await once(signal, 'abort');
  yield* [];
}
