import { mkdirSync, rmSync, constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

import { MeasurementError } from '../../core/errors.ts';
import type { GraderServices } from '../../core/plugin.ts';
import type { Sandbox } from '../../core/sandbox.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';
import { leftOutText, snapshot } from '../../lib/files/snapshot.ts';
import { temporaryFolder } from '../../lib/files/temporary-folder.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { GRADER_MARKER, ownMarker } from '../../lib/process/own-token.ts';
import { runProcess, type ProcessResult } from '../../lib/process/run-process.ts';
import type { CommandConfig } from './command-config.ts';
import { hasChanged, layOver, type LaidFile } from './lay-over.ts';

/** What is graded, and with what. */
export interface CommandScene {
  /** The workspace as the agent left it. */
  readonly directory: string;
  readonly target: string;
  readonly services: GraderServices;
  readonly note: ((text: string) => void) | undefined;
  /** A correct solution that is laid over the copy, as written. */
  readonly oracle: string | undefined;
}

export interface CommandEnd {
  readonly exitCode: number;
  /** The end of what it printed, for people; it decides nothing. */
  readonly said: string;
  /** The text of its report; absent when it wrote none. */
  readonly report?: string;
}

/** Largest sum of the sizes of all files of a workspace. */
const MOST_BYTES = 2 * 2 ** 30;
const MOST_REPORT_BYTES = 64 * 2 ** 20;

/** Copies the workspace, lays the hidden files over it, and runs the program there. Everything is removed afterwards. */
export async function runInCopy(
  settings: CommandConfig,
  { directory, target, services, note, oracle }: CommandScene,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const root = await temporaryFolder('g');
  let sandbox: Sandbox | undefined;
  try {
    const [work, home, temporary] = ['work', 'home', 'tmp'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [work, home, temporary]) mkdirSync(folder, { mode: 0o700 });
    const { dropped } = await snapshot(directory, work, { maxBytes: MOST_BYTES, signal });
    if (dropped.length > 0) note?.(leftOutText(dropped));
    if (oracle !== undefined) await layOver(resolve(services.directory, oracle), { root: work, at: '.' });
    const hidden = settings.files === undefined ? [] : await hiddenFiles(settings, { work, services });
    const mounts = hidden.map(({ path }) => ({ from: path, at: path }));
    const report = settings.report === undefined ? undefined : join(work, settings.report);
    // The agent may have left one.
    if (report !== undefined) rmSync(report, { recursive: true, force: true });
    sandbox = services.sandboxFor?.(target, { network: settings.network, mount: mounts });
    const start = {
      command: settings.run,
      cwd: work,
      env: environmentOf(services.environment, { home, temporary }),
    };
    const marker = { name: GRADER_MARKER, value: ownMarker() };
    const marked = { ...start, env: { ...start.env, [marker.name]: marker.value } };
    await using entered = await sandbox?.enter(marked, { writable: [root] });
    const result = await runProcess(
      {
        ...(entered?.start ?? start),
        timeoutMs: settings.timeout_ms,
        graceMs: 1_000,
        drainMs: 500,
        keepBytes: 64 * 1024,
        marker,
      },
      signal,
    );
    signal.throwIfAborted();
    const failure = await entered?.failureOf(result);
    if (failure !== undefined) throw failure;
    refuseChanged(hidden, work);
    const ended = endOf(result, settings);
    const text = report === undefined ? undefined : await textAt(report);
    return text === undefined ? ended : { ...ended, report: text };
  } finally {
    await sandbox?.[Symbol.asyncDispose]?.();
    await removeTree(root).catch(() => {});
  }
}

/** Lays the hidden files over the copy. In a sandbox the program cannot change them. */
async function hiddenFiles(
  { files = '', at = '.' }: CommandConfig,
  { work, services }: { readonly work: string; readonly services: GraderServices },
): Promise<readonly LaidFile[]> {
  const source = resolve(services.directory, files);
  return await layOver(source, { root: work, at });
}

function refuseChanged(hidden: readonly LaidFile[], work: string): void {
  const changed = hidden.find(hasChanged);
  if (changed === undefined) return;
  throw new MeasurementError(
    `the hidden file ${relative(work, changed.path)} changed while the command ran`,
    {
      stage: 'grading',
      kind: 'tampered',
      hint: 'If the command changes its own hidden files, let it work on copies of them. Otherwise the agent changed the file: run it in a sandbox.',
    },
  );
}

/** Nothing of the agent, and nothing of other graders. */
function environmentOf(
  { PATH = '/usr/bin:/bin' }: GraderServices['environment'],
  { home, temporary }: { readonly home: string; readonly temporary: string },
): Readonly<Record<string, string>> {
  return { PATH, HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8', TERM: 'dumb', NO_COLOR: '1' };
}

function endOf(result: ProcessResult, { timeout_ms: timeoutMs }: CommandConfig): CommandEnd {
  const said = `${decodeUtf8(result.stdout)}\n${decodeUtf8(result.stderr)}`.trim().slice(-MOST_SAID);
  switch (result.outcome) {
    case 'exited':
      if (result.exitCode === null) throw failed(`ended with the signal ${result.signal}`, said);
      return { exitCode: result.exitCode, said };
    case 'spawn-failed':
      throw new Error(`the command could not be started: ${result.failure.message}`);
    case 'timeout':
      throw failed(`timed out after ${timeoutMs} ms`, said);
    case 'output-limit':
      throw new Error('the command printed more than 32 MB and was ended');
    case 'aborted':
      throw new Error('the command was ended because the run was cancelled');
    default:
      return result satisfies never;
  }
}

const MOST_SAID = 600;

/** An error that keeps what the command printed. */
export function failed(how: string, said: string): Error {
  return new Error(`the command ${how}${said === '' ? '' : `; the end of its output:\n${said}`}`);
}

/** Reads a regular file, and follows no link. */
async function textAt(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const status = await file.stat();
    if (!status.isFile() || status.size > MOST_REPORT_BYTES) return undefined;
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
