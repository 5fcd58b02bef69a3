import { MeasurementError, messageOf } from '../../core/errors.ts';
import type { World, Yielded } from '../../core/target.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { lineSplitter, type Line } from '../../lib/process/lines.ts';
import { runProcess, type ProcessResult } from '../../lib/process/run-process.ts';
import { contractBroken } from '../target-errors.ts';
import type { Terminal } from './adapter.ts';
import { entryQueue } from './entry-queue.ts';
import type { TurnExit } from './outcome.ts';
import { notStarted, type AgentProgram } from './program.ts';
import type { TurnReader, TurnState } from './turn-reader.ts';

/** One process of an agent, that answers one message. */
export interface TurnProcess {
  readonly program: AgentProgram;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly directory: string;
  readonly world: World;
  /** From 1. */
  readonly turn: number;
  readonly reader: TurnReader;
}

/** How it came to its end, before anybody judges that. */
export interface TurnRun {
  readonly exit: TurnExit;
  /** Of `settles`, when that was what ended the turn. */
  readonly settled?: { readonly terminal: Terminal; readonly note: string };
  /** Processes that had left the group. */
  readonly strays: number;
}

/** Yields the entries of each line as it comes; ends when the whole process group is gone. `onStart` gets what to wait for. */
export async function* runTurn(
  turn: TurnProcess,
  stop: AbortSignal,
  onStart: (work: Promise<unknown>) => void,
): AsyncGenerator<Yielded, TurnRun> {
  const queue = entryQueue<Yielded>();
  const work = watched(turn, stop, (entries) => queue.push(entries)).finally(queue.close);
  onStart(work);
  work.catch(() => {});
  yield* queue.items;
  return await work;
}

/** After its terminal event a process may take this long to exit. */
const LINGER_MS = 10_000;

async function watched(
  turn: TurnProcess,
  stop: AbortSignal,
  onEntries: (entries: readonly Yielded[]) => void,
): Promise<TurnRun> {
  const { world, reader } = turn;
  const ending = new AbortController();
  const relay = (): void => ending.abort(stop.reason);
  stop.addEventListener('abort', relay, { once: true });
  if (stop.aborted) relay();
  const lines = lineSplitter();
  const logs = logsOf(turn);
  let letGo: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let quiet: NodeJS.Timeout | undefined;
  let settled: TurnRun['settled'];

  const over = (afterMs: number): void => {
    // The clocks of the turn stand still: what the process does now is not part of it.
    letGo ??= world.hold?.() ?? (() => {});
    timer ??= setTimeout(() => ending.abort(LINGERED), afterMs);
  };
  const take = (found: readonly Line[]): void => {
    if (settled !== undefined) return;
    for (const { text } of found) {
      clearTimeout(quiet);
      onEntries(reader.line(text));
      quiet = watchQuiet(reader.state());
    }
    const { terminal, abandon } = reader.state();
    if (abandon !== undefined) ending.abort(LINGERED);
    else if (terminal !== undefined) over(LINGER_MS);
  };
  const watchQuiet = ({ settles, terminal }: TurnState): NodeJS.Timeout | undefined => {
    if (settles === undefined || terminal !== undefined) return undefined;
    return setTimeout(() => {
      settled = settles;
      over(0);
    }, settles.afterMs);
  };

  try {
    const result = await runProcess(
      {
        command: [...turn.program.command, ...turn.args],
        cwd: turn.directory,
        env: turn.env,
        maxOutputBytes: MAX_OUTPUT_BYTES,
        keepBytes: KEPT_BYTES,
        marker: { name: 'ASSAY_ATTEMPT', value: world.marker },
        onStdout: (chunk) => {
          world.pulse();
          logs.stdout.write(chunk);
          if (!ending.signal.aborted) take(lines.push(chunk));
        },
        onStderr: (chunk) => {
          world.pulse();
          logs.stderr.write(chunk);
        },
      },
      ending.signal,
    ).catch((error: unknown) => {
      throw error instanceof MeasurementError ? error : unreadable(error);
    });
    if (!ending.signal.aborted) take(lines.end());
    if (stop.aborted) throw stop.reason;
    const exit = exitOf(result, turn);
    return { exit, strays: result.strays, ...(settled === undefined ? {} : { settled }) };
  } finally {
    stop.removeEventListener('abort', relay);
    clearTimeout(timer);
    clearTimeout(quiet);
    letGo?.();
    logs.stdout.end();
    logs.stderr.end();
  }
}

/** Of both streams each; a transcript is far smaller. */
const MAX_OUTPUT_BYTES = 2 ** 30;
const KEPT_BYTES = 64 * 1024;

const LINGERED = new Error('it went on after the end of its turn');

function logsOf({ world, turn }: TurnProcess) {
  const suffix = turn === 1 ? '' : `-${turn}`;
  return {
    stdout: world.artifacts.stream(`stdout${suffix}.log`),
    stderr: world.artifacts.stream(`stderr${suffix}.log`),
  };
}

function unreadable(error: unknown): MeasurementError {
  return new MeasurementError(`the output of the agent could not be read: ${messageOf(error)}`, {
    stage: 'target',
    kind: 'normalization',
    cause: error,
  });
}

function exitOf(result: ProcessResult, { program }: TurnProcess): TurnExit {
  const { exitCode, signal, stderr } = result;
  const exit = { exitCode, signal, stderr: decodeUtf8(stderr), hasLingered: false };
  switch (result.outcome) {
    case 'exited':
      return exit;
    case 'timeout':
    case 'aborted':
      return { ...exit, hasLingered: true };
    case 'output-limit':
      throw contractBroken(`the agent printed more than ${MAX_OUTPUT_BYTES} bytes`, {
        detail: 'output-limit',
      });
    case 'spawn-failed':
      throw notStarted(result.failure, program);
    default:
      throw result satisfies never;
  }
}
