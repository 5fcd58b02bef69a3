import { randomUUID } from 'node:crypto';

import { MeasurementError } from '../../core/errors.ts';
import type { World } from '../../core/target.ts';
import { parseForeignJson, TooDeep } from '../../lib/text/json-depth.ts';
import { ownProgram } from '../../lib/modules/own-file.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { lineSplitter } from '../../lib/process/lines.ts';
import { ATTEMPT_MARKER } from '../../lib/process/own-token.ts';
import type { ProcessResult } from '../../lib/process/run-process.ts';
import { runEntered, type Enter, type SandboxedResult } from '../sandboxed.ts';
import { endingOf, endOfStderr } from '../text-end.ts';
import { lineQueue } from '../../lib/process/line-queue.ts';

/** The child process of one session. */
export interface ModuleProcess {
  /** Its reply to a line, or that it is ready. */
  reply(line?: string): Promise<Reply>;
  /** Ends it for this reason; resolves when it has ended. */
  end(reason: unknown): Promise<void>;
}

/** One line of the host. */
export type Reply =
  | { readonly ready: true }
  | { readonly noAgent: true }
  | { readonly thrown: string }
  | { readonly tooDeep: string }
  /** The answer could not be written as JSON, for this reason. */
  | { readonly unreadable: string }
  | { readonly answer?: unknown };

export interface ModuleSpec {
  /** Absolute. */
  readonly path: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly maxOutputBytes: number;
}

export interface Waiting {
  resolve(reply: Reply): void;
  reject(error: unknown): void;
}

export function startModule(spec: ModuleSpec, world: World, enter: Enter | undefined): ModuleProcess {
  const word = randomUUID();
  const stop = new AbortController();
  const requests = lineQueue();
  const replies: Reply[] = [];
  let waiting: Waiting | undefined;
  let failure: { readonly error: unknown } | undefined;
  const lines = lineSplitter(spec.maxOutputBytes);

  const hear = (chunk: Uint8Array): void => {
    world.pulse();
    for (const { text } of lines.push(chunk)) {
      if (!text.startsWith(`${word} `)) continue;
      const reply = replyIn(text.slice(word.length + 1));
      if (waiting === undefined) replies.push(reply);
      waiting?.resolve(reply);
      waiting = undefined;
    }
  };

  const fail = (error: unknown): void => {
    failure = { error };
    requests.close();
    waiting?.reject(error);
    waiting = undefined;
  };

  const gone = run(spec, { word, stdin: requests.lines, hear, world, enter }, stop.signal).then(
    async (result) => {
      const death = result.sandboxFailure ?? deathOf(result, spec, world.trial.target);
      fail(stop.signal.aborted ? stop.signal.reason : death);
      if (result.stderr.length > 0) await world.artifacts.write('stderr.log', result.stderr);
    },
    fail,
  );

  // A waiting caller is rejected when the session ends; otherwise this does nothing.
  gone.catch(() => {});

  return {
    reply: (line) =>
      new Promise((resolve, reject) => {
        const said = replies.shift();
        if (said !== undefined) return resolve(said);
        if (failure !== undefined) return reject(failure.error);
        waiting = { resolve, reject };
        if (line !== undefined) requests.push(line);
      }),
    async end(reason) {
      stop.abort(reason);
      await gone;
    },
  };
}

export function replyIn(text: string): Reply {
  try {
    return parseForeignJson(text) as Reply;
  } catch (error) {
    if (error instanceof TooDeep) return { tooDeep: error.message };
    throw error;
  }
}

interface Streams {
  readonly word: string;
  readonly stdin: AsyncIterable<string>;
  readonly hear: (chunk: Uint8Array) => void;
  readonly world: World;
  readonly enter: Enter | undefined;
}

function run(
  spec: ModuleSpec,
  { word, stdin, hear, world, enter }: Streams,
  signal: AbortSignal,
): Promise<SandboxedResult> {
  return runEntered(
    {
      ...hostOf(spec, [word], world.marker),
      stdin,
      onStdout: hear,
      onStderr: world.pulse,
    },
    enter,
    signal,
  );
}

export function hostOf(
  { path, cwd, env, maxOutputBytes }: ModuleSpec,
  args: readonly string[],
  marker: string,
) {
  return {
    command: [...ownProgram('targets/module/module-host'), path, ...args],
    cwd,
    env,
    maxOutputBytes,
    keepBytes: KEPT_BYTES,
    graceMs: 1_000,
    drainMs: 500,
    marker: { name: ATTEMPT_MARKER, value: marker },
  };
}

/** The end of the module's output, for its log. */
export const KEPT_BYTES = 2 ** 20;

export function deathOf(result: ProcessResult, spec: ModuleSpec, target: string): MeasurementError {
  const how = `${endOf(result, spec)}; ${endOfStderr(decodeUtf8(result.stderr))}`;
  return new MeasurementError(`the module of target ${target} ${how}`, {
    stage: 'target',
    kind: 'runner-crash',
    hint: `correct ${spec.path}`,
  });
}

function endOf(result: ProcessResult, { maxOutputBytes }: ModuleSpec): string {
  if (result.outcome === 'spawn-failed') return `could not be started: ${result.failure.message}`;
  if (result.outcome === 'output-limit') return `printed more than ${maxOutputBytes} bytes and was ended`;
  return `ended its process with ${endingOf(result)} in the middle of the conversation`;
}
