import { once } from 'node:events';
import { createServer } from 'node:net';

import { MeasurementError, messageOf } from '../../core/errors.ts';
import type { Sandbox } from '../../core/sandbox.ts';
import type { World } from '../../core/target.ts';
import { canConnect } from '../../lib/process/can-connect.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { ATTEMPT_MARKER, ownMarker } from '../../lib/process/own-token.ts';
import type { ProcessResult } from '../../lib/process/run-process.ts';
import { pause } from '../../lib/time/clock.ts';
import { namedFiles } from '../named-files.ts';
import { namedProgram } from '../program-path.ts';
import { runEntered, type Enter } from '../sandboxed.ts';
import { unavailable } from '../target-errors.ts';
import { endingOf, endOfStderr, textEnd } from '../text-end.ts';

export interface ServerSpec {
  /** Name of the target, for messages. */
  readonly name: string;
  readonly command: readonly string[] | { readonly shell: string };
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where it will listen. */
  readonly host: string;
  readonly port: number;
  /** Ready when this answers with 2xx; absent: ready when the port accepts connections. */
  readonly healthUrl?: string | undefined;
  readonly timeoutMs: number;
  /** Where it runs; absent: in an ordinary process. */
  readonly sandbox?: Sandbox;
  /** Absolute; the folder that it may change in a sandbox. */
  readonly folder?: string;
  /** Called for each connection that it did not get in a sandbox. */
  readonly missed?: NonNullable<World['missed']>;
}

/** The agent's own program; disposing ends it and everything that it started. */
export interface AgentServer extends AsyncDisposable {
  /** Why it ended, if it ended by itself. */
  death(): MeasurementError | undefined;
}

/** Starts it and resolves when it is ready. Otherwise ends it and throws the reason. */
export async function startServer(spec: ServerSpec, signal: AbortSignal): Promise<AgentServer> {
  if (await isUp(spec)) throw portInUse(spec);
  const server = launch(spec);
  try {
    await untilReady(spec, server, signal);
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** Starts something on a free port; if another program takes the port first, another one is tried. */
export async function onFreePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(await freePort());
    } catch (error) {
      const isTaken = error instanceof MeasurementError && error.detail === PORT_IN_USE;
      if (!isTaken || tries === MOST_PORTS) throw error;
    }
  }
}

const MOST_PORTS = 3;
const PORT_IN_USE = 'port-in-use';

/** A port of the loopback interface that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('a listening socket has no port');
  return address.port;
}

interface Launched extends AgentServer {
  readonly ended: Promise<unknown>;
}

function launch(spec: ServerSpec): Launched {
  const stop = new AbortController();
  let death: MeasurementError | undefined;
  const taken = (): void => {
    death = portInUse(spec);
    stop.abort();
  };
  const ended = runEntered(
    {
      command: spec.command,
      cwd: spec.cwd,
      env: spec.env,
      marker: { name: ATTEMPT_MARKER, value: ownMarker() },
      maxOutputBytes: Number.POSITIVE_INFINITY,
      keepBytes: 64 * 1024,
    },
    enterOf(spec, taken),
    stop.signal,
  ).then(
    (result) => {
      if (!stop.signal.aborted) death = result.sandboxFailure ?? deathOf(result, spec.name);
    },
    (error: unknown) => {
      death = asDeath(error, spec.name);
    },
  );
  return {
    ended,
    death: () => death,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

/** In a sandbox, it sees the files that its command names, and its port is reached through a socket. */
function enterOf(
  { sandbox, folder, missed, command, port }: ServerSpec,
  taken: () => void,
): Enter | undefined {
  if (sandbox === undefined || folder === undefined) return undefined;
  const programs =
    'shell' in command ? namedProgram(command.shell, []).map(({ program }) => program) : command;
  return async (start) =>
    await sandbox.enter(start, {
      writable: [folder],
      programs: namedFiles(programs),
      serves: { port, taken },
      missed,
    });
}

function portInUse({ host, port, name }: ServerSpec): MeasurementError {
  return unavailable(`${host}:${port} is already in use, so the server of target ${name} cannot start`, {
    detail: PORT_IN_USE,
    hint: 'end the program on this port; if it is your agent, remove `server` from the target; or write {PORT} in `url`, so that assay chooses a free port',
  });
}

function asDeath(error: unknown, name: string): MeasurementError {
  if (error instanceof MeasurementError) return error;
  return unavailable(`the server of target ${name} could not be started: ${messageOf(error)}`, {});
}

function deathOf(result: ProcessResult, name: string): MeasurementError {
  if (result.outcome === 'spawn-failed') {
    return unavailable(`the server of target ${name} could not be started: ${result.failure.message}`, {
      detail: result.failure.reason === 'program-missing' ? 'missing-binary' : result.failure.reason,
      hint: `correct targets.${name}.server.command`,
    });
  }
  const stderr = decodeUtf8(result.stderr);
  return unavailable(`the server of target ${name} ended with ${endingOf(result)}; ${endOfStderr(stderr)}`, {
    detail: ADDRESS_IN_USE.test(textEnd(stderr)) ? PORT_IN_USE : 'server-died',
    hint: `run targets.${name}.server.command by hand to see why`,
  });
}

/** The error texts of the system, of Node, Python, Go, Java and Rust. */
const ADDRESS_IN_USE = /EADDRINUSE|address (is )?already in use|AddrInUse/i;

async function untilReady(spec: ServerSpec, server: Launched, signal: AbortSignal): Promise<void> {
  const deadlineMs = performance.now() + spec.timeoutMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, 250)) {
    const isReady = await Promise.race([isAnswering(spec, signal), server.ended.then(() => false)]);
    signal.throwIfAborted();
    const death = server.death();
    if (death !== undefined) throw death;
    if (isReady) return;
    if (performance.now() > deadlineMs) throw notReady(spec);
    await Promise.race([pause(pauseMs, signal), server.ended]);
  }
}

function notReady({ name, healthUrl, host, port, timeoutMs }: ServerSpec): MeasurementError {
  const where = healthUrl ?? `${host}:${port}`;
  return unavailable(`the server of target ${name} was not ready at ${where} after ${timeoutMs} ms`, {
    detail: 'server-not-ready',
    hint: `it must listen on the port in the variable PORT; for more time, raise targets.${name}.server.timeoutMs`,
  });
}

async function isAnswering(spec: ServerSpec, signal: AbortSignal): Promise<boolean> {
  if (spec.healthUrl === undefined) return await isUp(spec);
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_PROBE_MS)]);
    const answer = await fetch(spec.healthUrl, { redirect: 'manual', signal: patience });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

function isUp({ host, port }: ServerSpec): Promise<boolean> {
  return canConnect({ host, port, timeout: LONGEST_PROBE_MS });
}

const LONGEST_PROBE_MS = 2_000;
