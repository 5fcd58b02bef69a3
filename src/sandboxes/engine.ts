import {
  CONTAINER_ENGINES,
  type ContainerEngine,
  type SandboxPlace,
  type SandboxSettings,
} from '../core/sandbox.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { findProgram } from '../lib/process/find-program.ts';
import { ATTEMPT_MARKER, ownMarker } from '../lib/process/own-token.ts';
import { runProcess } from '../lib/process/run-process.ts';

/** A program that makes containers, as this machine has it. */
export interface Engine {
  readonly kind: ContainerEngine;
  /** Absolute path of the program, and its first arguments. */
  readonly command: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** How one command of an engine ended. */
export interface EngineAnswer {
  readonly isDone: boolean;
  /** What it printed, without blanks around it. */
  readonly said: string;
  /** Its last error, in one line. */
  readonly problem: string;
}

/** The engines of the settings that are installed. */
export async function enginesOf(
  { engine, engineArgs = [] }: Pick<SandboxSettings, 'engine' | 'engineArgs'>,
  { directory, operatorEnvironment }: SandboxPlace,
): Promise<readonly Engine[]> {
  const kinds = engine === undefined ? CONTAINER_ENGINES : [engine];
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const path = await findProgram(kind, { cwd: directory, env: operatorEnvironment });
      return path === undefined ? [] : [{ kind, command: [path, ...engineArgs], env: operatorEnvironment }];
    }),
  );
  return found.flat();
}

interface Asking {
  readonly timeoutMs?: number;
  /** Ends the command; the call then rejects. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs one command of an engine. */
export async function askEngine(
  { command, env }: Engine,
  args: readonly string[],
  more: Asking = {},
): Promise<EngineAnswer> {
  const result = await runProcess(
    {
      command: [...command, ...args],
      cwd: '/',
      env,
      timeoutMs: more.timeoutMs ?? LONGEST_MS,
      marker: { name: ATTEMPT_MARKER, value: ownMarker() },
    },
    more.signal ?? new AbortController().signal,
  );
  more.signal?.throwIfAborted();
  const { outcome, exitCode } = result;
  const said = decodeUtf8(result.stdout).trim();
  const [first = ''] = decodeUtf8(result.stderr).trim().split('\n').toReversed();
  const problem = first.replace(/^Error(?: response from daemon)?: /, '');
  return {
    isDone: outcome === 'exited' && exitCode === 0,
    said,
    problem: problem === '' ? `${command.join(' ')} ${args[0] ?? ''} ended: ${outcome}` : problem,
  };
}

/** An engine that does not answer within this time is broken. */
const LONGEST_MS = 60_000;
