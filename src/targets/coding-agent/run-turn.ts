import { AssayError, MeasurementError, messageOf } from '../../core/errors.ts';
import type { ArtifactStream, World, Yielded } from '../../core/target.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { TooDeep } from '../../lib/text/json-depth.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { lineSplitter } from '../../lib/process/lines.ts';
import { ATTEMPT_MARKER } from '../../lib/process/own-token.ts';
import { lineQueue } from '../../lib/process/line-queue.ts';
import { runEntered, type Enter, type SandboxedResult } from '../sandboxed.ts';
import { contractBroken } from '../target-errors.ts';
import { entryQueue } from './entry-queue.ts';
import type { TurnExit } from './outcome.ts';
import { notStarted, type AgentProgram } from './program.ts';
import { itemsOf, type StepBegan } from './session-memory.ts';
import { turnEnding, type Settled } from './turn-ending.ts';
import type { TurnReader } from './turn-reader.ts';

/** One process of an agent that answers one message. */
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
  /** Opens its sandbox; absent: an ordinary process. */
  readonly enter?: Enter;
  /** First lines for stdin, for a program with a protocol; absent: the null device. */
  readonly opening?: readonly JsonObject[];
}

/** How the process ended, before this is judged. */
export interface TurnRun {
  readonly exit: TurnExit;
  /** Present when silence ended the turn. */
  readonly settled?: Settled;
  /** Names of its log files. */
  readonly logs: readonly string[];
  /** Processes that had left the group. */
  readonly strays: number;
}

/**
 * Yields the entries of each line; returns when the whole process group has ended. `onStart` gets the end to wait for.
 */
export async function* runTurn(
  turn: TurnProcess,
  stop: AbortSignal,
  onStart: (work: Promise<unknown>) => void,
): AsyncGenerator<Yielded | StepBegan, TurnRun> {
  const queue = entryQueue<Yielded | StepBegan>();
  const work = watched(turn, stop, (entries) => queue.push(entries)).finally(queue.close);
  onStart(work);
  work.catch(() => {});
  yield* queue.items;
  return await work;
}

async function watched(
  turn: TurnProcess,
  stop: AbortSignal,
  onEntries: (entries: readonly (Yielded | StepBegan)[]) => void,
): Promise<TurnRun> {
  const { world, reader } = turn;
  const lines = lineSplitter();
  const stdin = turn.opening === undefined ? undefined : lineQueue();
  const say = (messages: readonly JsonObject[] = []): void => {
    for (const message of messages) stdin?.push(JSON.stringify(message));
  };
  const ending = turnEnding(world, stop, () => stdin?.close());
  const logs = logsOf(turn);
  const take = (found: ReturnType<typeof lines.push>): void => {
    for (const { text } of found) {
      if (ending.signal.aborted || ending.settled() !== undefined) return;
      onEntries(itemsOf(reader, reader.line(text)));
      say(reader.takeMessages());
      ending.heard(reader.state());
    }
  };
  say(turn.opening);
  try {
    const result = await runEntered(
      {
        ...specOf(turn),
        ...(stdin === undefined ? {} : { stdin: stdin.lines }),
        onStdout: (chunk) => {
          world.pulse();
          logs.stdout.write(chunk);
          take(lines.push(chunk));
        },
        onStderr: (chunk) => {
          world.pulse();
          logs.stderr.write(chunk);
        },
      },
      turn.enter,
      ending.signal,
    ).catch((error: unknown) => {
      throw asMeasurement(error);
    });
    if (stop.aborted) throw stop.reason;
    take(lines.end());
    const settled = ending.settled();
    return {
      exit: exitOf(result, turn),
      strays: result.strays,
      logs: logs.written(),
      ...given({ settled }),
    };
  } finally {
    ending.close();
    logs.stdout.end();
    logs.stderr.end();
  }
}

/** Limit of each stream; a transcript is far smaller. */
const MAX_OUTPUT_BYTES = 2 ** 30;
const KEPT_BYTES = 64 * 1024;

export function specOf({ program, args, directory, env, world }: TurnProcess) {
  return {
    command: [...program.command, ...args],
    cwd: directory,
    env,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    keepBytes: KEPT_BYTES,
    marker: { name: ATTEMPT_MARKER, value: world.marker },
    hold: world.hold,
  };
}

/** Where its output is saved while it runs. */
export function logsOf({ world, turn }: TurnProcess) {
  const suffix = turn === 1 ? '' : `-${turn}`;
  const written = new Set<string>();
  const log = (name: string): ArtifactStream => {
    const { write, end } = world.artifacts.stream(name);
    return {
      write(chunk) {
        written.add(name);
        write(chunk);
      },
      end,
    };
  };
  return {
    stdout: log(`stdout${suffix}.log`),
    stderr: log(`stderr${suffix}.log`),
    written: () => [...written].sort(),
  };
}

/** Errors of a log are thrown unchanged; errors of a parser mean unreadable output. */
export function asMeasurement(error: unknown): unknown {
  if (error instanceof AssayError || error instanceof TooDeep) return error;
  return new MeasurementError(`could not parse the output of the agent: ${messageOf(error)}`, {
    stage: 'target',
    kind: 'normalization',
    cause: error,
  });
}

/** Returns how it ended; throws for anything but an exit or a signal. */
export function exitOf(result: SandboxedResult, { program }: Pick<TurnProcess, 'program'>): TurnExit {
  const { exitCode, signal, stderr } = result;
  const exit = { exitCode, signal, stderr: decodeUtf8(stderr), hasLingered: false };
  switch (result.outcome) {
    case 'exited': {
      if (result.sandboxFailure !== undefined) throw result.sandboxFailure;
      return exit;
    }
    case 'timeout':
    case 'aborted':
      return { ...exit, hasLingered: true };
    case 'output-limit':
      throw contractBroken(`the agent printed more than ${MAX_OUTPUT_BYTES} bytes`, {
        detail: 'output-limit',
        hint: 'let the agent print less; this limit is fixed',
      });
    case 'spawn-failed':
      throw notStarted(result.failure, program);
    default:
      throw result satisfies never;
  }
}
