import type { Yielded } from '../../core/target.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { lineSplitter } from '../../lib/process/lines.ts';
import { lineQueue } from '../../lib/process/line-queue.ts';
import { onAbort } from '../../lib/time/on-abort.ts';
import { runEntered, type SandboxedResult } from '../sandboxed.ts';
import { entryQueue, type EntryQueue } from './entry-queue.ts';
import type { TurnExit } from './outcome.ts';
import { asMeasurement, exitOf, logsOf, specOf, type TurnProcess, type TurnRun } from './run-turn.ts';
import { itemsOf, type StepBegan } from './session-memory.ts';
import { LINGER_MS, turnEnding, type TurnEnding } from './turn-ending.ts';

/** A message to a process that answers several messages. */
export interface KeptTurn extends TurnProcess {
  readonly opening: readonly JsonObject[];
  /** Sent to it before it is ended during an answer. */
  cancel(): readonly JsonObject[];
}

/** One process for all turns of a session. */
export interface KeptProcess {
  /** Whether it accepts another message. */
  waits(): boolean;
  /** Yields the entries of each line, until the agent ends its turn or the process has ended. */
  turn(turn: KeptTurn, stop: AbortSignal): AsyncGenerator<Yielded | StepBegan, TurnRun>;
  /** Resolves when the whole process group has ended; undefined when it was never started, or was ended. */
  end(): Promise<TurnExit | undefined>;
  /** Processes that had left the group; known after its end. */
  strays(): number;
}

/** Time for a process to answer a cancellation. */
const CANCEL_MS = 2_000;

/** The current or last turn: later output belongs only to its logs. */
interface Hearing {
  readonly turn: KeptTurn;
  readonly queue: EntryQueue<Yielded | StepBegan>;
  readonly logs: ReturnType<typeof logsOf>;
  readonly ending: TurnEnding;
  readonly stop: AbortSignal;
  isOver: boolean;
  isCalledOff: boolean;
}

interface Kept {
  readonly stdin: ReturnType<typeof lineQueue>;
  readonly kill: AbortController;
  hearing: Hearing | undefined;
  running: Promise<SandboxedResult> | undefined;
  ended: SandboxedResult | undefined;
  failure: { readonly error: unknown } | undefined;
}

export function keptProcess(): KeptProcess {
  const kept: Kept = {
    stdin: lineQueue(),
    kill: new AbortController(),
    hearing: undefined,
    running: undefined,
    ended: undefined,
    failure: undefined,
  };
  return {
    waits: () => kept.running !== undefined && kept.ended === undefined && kept.failure === undefined,
    turn: (turn, stop) => takeTurn(kept, turn, stop),
    end: () => letGo(kept),
    strays: () => kept.ended?.strays ?? 0,
  };
}

async function* takeTurn(
  kept: Kept,
  turn: KeptTurn,
  stop: AbortSignal,
): AsyncGenerator<Yielded | StepBegan, TurnRun> {
  stop.throwIfAborted();
  closeLogs(kept.hearing);
  const queue = entryQueue<Yielded | StepBegan>();
  const finish = (): void => {
    hearing.isOver = true;
    queue.close();
  };
  const ending = turnEnding(turn.world, stop, finish);
  const hearing: Hearing = {
    turn,
    queue,
    logs: logsOf(turn),
    ending,
    stop,
    isOver: false,
    isCalledOff: false,
  };
  kept.hearing = hearing;
  const callOff = onAbort(ending.signal, () => interrupt(kept, hearing));
  say(kept, turn.opening);
  kept.running ??= started(kept, turn);
  if (kept.ended !== undefined || kept.failure !== undefined) queue.close();
  try {
    yield* queue.items;
    if (stop.aborted) throw stop.reason;
    if (kept.failure !== undefined) throw kept.failure.error;
    return runOf(kept, hearing);
  } finally {
    // Also when the turn is not read any more.
    finish();
    callOff();
    ending.close();
  }
}

function runOf({ ended }: Kept, { turn, logs, ending }: Hearing): TurnRun {
  const settled = ending.settled();
  const about = { logs: logs.written(), ...given({ settled }) };
  const isByItself = turn.reader.state().terminal === undefined && ended !== undefined;
  return isByItself
    ? { ...about, exit: exitOf(ended, turn), strays: ended.strays }
    : { ...about, exit: { exitCode: 0, signal: null, stderr: '', hasLingered: true }, strays: 0 };
}

function started(kept: Kept, turn: KeptTurn): Promise<SandboxedResult> {
  const lines = lineSplitter();
  const run = async () =>
    await runEntered(
      {
        ...specOf(turn),
        stdin: kept.stdin.lines,
        onStdout: (chunk) => {
          turn.world.pulse();
          kept.hearing?.logs.stdout.write(chunk);
          hear(kept, lines.push(chunk));
        },
        onStderr: (chunk) => {
          turn.world.pulse();
          kept.hearing?.logs.stderr.write(chunk);
        },
      },
      turn.enter,
      kept.kill.signal,
    );
  const work = run().then((result) => {
    hear(kept, lines.end());
    return result;
  });
  work.then(
    (result) => {
      kept.ended = result;
      kept.hearing?.queue.close();
    },
    (error: unknown) => {
      kept.failure = { error: asMeasurement(error) };
      kept.hearing?.queue.close();
    },
  );
  return work;
}

function hear(kept: Kept, found: readonly { readonly text: string }[]): void {
  for (const { text } of found) {
    const { hearing } = kept;
    if (hearing === undefined || (hearing.isOver && !hearing.isCalledOff)) return;
    const { turn, queue, ending, stop, isCalledOff } = hearing;
    queue.push(itemsOf(turn.reader, turn.reader.line(text)));
    say(kept, turn.reader.takeMessages());
    const state = turn.reader.state();
    // Output after a cancellation is ignored.
    if (!isCalledOff) ending.heard(state);
    else if (state.terminal !== undefined) kept.kill.abort(stop.reason);
  }
}

/** The agent gets a cancel message, and a moment to answer. */
function interrupt(kept: Kept, hearing: Hearing): void {
  const { turn, stop, queue, ending, isOver } = hearing;
  if (isOver) return;
  hearing.isCalledOff = true;
  say(kept, turn.cancel());
  kept.stdin.close();
  const kill = () => kept.kill.abort(stop.reason);
  if (!stop.aborted) kill();
  const timer = setTimeout(kill, CANCEL_MS);
  const ended = kept.running ?? Promise.resolve();
  const over = () => {
    clearTimeout(timer);
    ending.close();
    queue.close();
  };
  ended.then(over, over);
}

async function letGo(kept: Kept): Promise<TurnExit | undefined> {
  const { hearing, running, kill } = kept;
  if (running === undefined || hearing === undefined) return undefined;
  kept.stdin.close();
  const timer = setTimeout(() => kill.abort(new Error('it did not exit after its last turn')), LINGER_MS);
  try {
    const result = await running;
    return result.outcome === 'exited' ? exitOf(result, hearing.turn) : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    // A turn that is not read any more does not end by itself.
    hearing.ending.close();
    closeLogs(hearing);
  }
}

function closeLogs(hearing: Hearing | undefined): void {
  hearing?.logs.stdout.end();
  hearing?.logs.stderr.end();
}

function say({ stdin }: Kept, messages: readonly JsonObject[]): void {
  for (const message of messages) stdin.push(JSON.stringify(message));
}
