import { CONTAINER_ENGINES, type ContainerEngine } from '../core/sandbox.ts';
import type { SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
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

/** Runs one command of an engine. `env`: more variables for it. */
export async function askEngine(
  { command, env }: Engine,
  args: readonly string[],
  more: { readonly env?: Readonly<Record<string, string>>; readonly timeoutMs?: number } = {},
): Promise<EngineAnswer> {
  const result = await runProcess(
    {
      command: [...command, ...args],
      cwd: '/',
      env: { ...env, ...more.env },
      timeoutMs: more.timeoutMs ?? LONGEST_MS,
      marker: { name: ATTEMPT_MARKER, value: ownMarker() },
    },
    new AbortController().signal,
  );
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
