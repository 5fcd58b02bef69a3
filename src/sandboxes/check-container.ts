import { tmpdir } from 'node:os';

import type { SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { MeasurementError } from '../core/errors.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { runProcess } from '../lib/process/run-process.ts';
import { chosenImage } from './choose-engine.ts';
import { containerSandbox } from './container.ts';
import { networkFault } from './docker-network.ts';
import { removeLeftContainers } from './left-containers.ts';
import type { Unavailable } from './unavailable.ts';

export interface CheckedSandbox {
  readonly settings: SandboxSettings;
  readonly place: SandboxPlace;
  /** Whether its program is a server that this machine asks. */
  readonly isServer: boolean;
}

/**
 * Starts a shell in a container of the settings; undefined when that works. Removes what killed processes left. Rejects
 * when the signal aborts.
 */
export async function containerFault(
  { settings, place, isServer }: CheckedSandbox,
  signal: AbortSignal,
): Promise<Unavailable | undefined> {
  const chosen = await chosenImage(settings, place, signal);
  if ('why' in chosen) return chosen;
  const { engine, image } = chosen;
  await removeLeftContainers(engine, signal);
  const { network } = settings;
  const fault = networkFault(engine.kind, { network, isServer });
  if (fault !== undefined) return fault;
  await using sandbox = containerSandbox({ ...settings, mountAgent: false }, place);
  try {
    const command = ['/bin/sh', '-c', ':'];
    await using entered = await sandbox.enter({ command, cwd: '/', env: {} }, { writable: [] });
    const result = await runProcess({ ...entered.start, cwd: tmpdir(), timeoutMs: 60_000 }, signal);
    signal.throwIfAborted();
    if (result.outcome === 'exited' && result.exitCode === 0) return undefined;
    const failure = await entered.failureOf(result);
    const said = decodeUtf8(result.stderr).trim().split('\n').at(-1) ?? '';
    if (isWithoutShell(said)) return noShell(image);
    const why = said === '' ? (failure?.message ?? `it ended: ${result.outcome}`) : said;
    return { why: `${engine.kind} cannot start a container: ${why}`, hint: ALLOW };
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    return isWithoutShell(error.message) ? noShell(image) : { why: error.message, hint: ALLOW };
  }
}

/** Some runtimes look for the program when they make the network, others when they start it. */
function isWithoutShell(said: string): boolean {
  return /no such file or directory/i.test(said) && said.includes('/bin/sh');
}

function noShell(image: string): Unavailable {
  return { why: `the image ${image} has no shell (/bin/sh)`, hint: 'use an image with a shell' };
}

const ALLOW =
  'start one by hand, such as `podman run --rm IMAGE /bin/sh`. If that needs other options, set `sandbox.engineArgs`, such as [--runtime, runc]';
