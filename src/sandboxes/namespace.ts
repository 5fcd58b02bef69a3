import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { MeasurementError } from '../core/errors.ts';
import type { NetworkAccess, ProgramEnd, ProgramStart, Room } from '../core/sandbox.ts';
import type { Entered, Sandbox, SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { removeTree } from '../lib/files/remove-tree.ts';
import { temporaryFolder } from '../lib/files/temporary-folder.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { findProgram } from '../lib/process/find-program.ts';
import { allowedPlaces } from './allowed-places.ts';
import { environmentBehind, forwarded, GATE_FOLDER } from './forwarder.ts';
import { placesOfMounts } from './mounts.ts';
import { openNetworkGate, type NetworkGate } from './network-gate.ts';
import { boundPlaces, isCovered, type Place } from './places.ts';
import { foundProgram, placeOfProgram } from './program-places.ts';
import { SYSTEM_FOLDERS, systemArguments } from './system-view.ts';

/** The program that makes namespaces. */
export const BUBBLEWRAP = 'bwrap';

/**
 * Own namespaces for users, processes, mounts, ipc and, unless it is that of the host, the network. bubblewrap makes
 * them. All processes inside end with the program, and with assay.
 */
export function namespaceSandbox(settings: SandboxSettings, place: SandboxPlace): Sandbox {
  const { directory, operatorEnvironment } = place;
  const mounts = placesOfMounts(settings, place);
  const network = settings.network ?? 'provider';
  let bubblewrap: Promise<string> | undefined;
  return {
    level: 'namespace',
    async enter(start, room) {
      bubblewrap ??= findProgram(BUBBLEWRAP, { cwd: directory, env: operatorEnvironment }).then(
        (path) => path ?? BUBBLEWRAP,
      );
      const program = await bubblewrap;
      const folder = await temporaryFolder('n');
      let gate: OpenGate | undefined;
      try {
        gate = await gateOf(folder, network, { start, room });
        const args = await entering({ start, room, mounts, network, ...(gate && { gate }) });
        return enteredOf(folder, gate, {
          ...start,
          ...(gate && { env: environmentBehind(start.env, gate) }),
          command: ['/bin/sh', '-c', WITH_STATUS, program, statusFile(folder), ...args],
        });
      } catch (error) {
        await gate?.[Symbol.asyncDispose]();
        await removeTree(folder).catch(() => {});
        throw error;
      }
    },
  };
}

/** bubblewrap writes to this file of ours when the program was started and ended. Programs inside cannot reach it. */
const WITH_STATUS = 'status=$1; shift; exec "$0" --json-status-fd 9 "$@" 9>"$status"';

function statusFile(folder: string): string {
  return join(folder, 'status');
}

function enteredOf(folder: string, gate: NetworkGate | undefined, start: ProgramStart): Entered {
  return {
    start,
    failureOf: (end) => Promise.resolve(failureOf(end, folder)),
    async [Symbol.asyncDispose]() {
      await gate?.[Symbol.asyncDispose]();
      await removeTree(folder).catch(() => {});
    },
  };
}

function failureOf({ exitCode, stderr }: ProgramEnd, folder: string): MeasurementError | undefined {
  if (exitCode === 0 || exitCode === null || statusIn(folder).includes('"exit-code"')) return undefined;
  const [, said = `bubblewrap ended with exit code ${exitCode}`] = OWN_ERROR.exec(decodeUtf8(stderr)) ?? [];
  return new MeasurementError(`the sandbox could not be started: ${said}`, {
    stage: 'target',
    kind: 'sandbox',
    hint: 'run `assay doctor --sandbox` to see what this machine can do',
  });
}

function statusIn(folder: string): string {
  try {
    return readFileSync(statusFile(folder), 'utf8');
  } catch {
    return '';
  }
}

/** The form of bubblewrap's own errors. */
const OWN_ERROR = /^bwrap: (.*)$/m;

interface Entering {
  readonly start: ProgramStart;
  readonly room: Room;
  readonly mounts: readonly Place[];
  readonly network: NetworkAccess;
  readonly gate?: OpenGate;
}

/** A gate and the folder of its sockets. */
interface OpenGate extends NetworkGate {
  readonly folder: string;
}

async function gateOf(
  parent: string,
  network: NetworkAccess,
  { start, room }: Pick<Entering, 'start' | 'room'>,
): Promise<OpenGate | undefined> {
  const places = allowedPlaces(network, start, room);
  if (places === undefined) return undefined;
  const folder = join(parent, 'gate');
  mkdirSync(folder, { mode: 0o700 });
  return { folder, ...(await openNetworkGate(folder, { places, missed: room.missed ?? (() => {}) })) };
}

/** The arguments of bubblewrap, and the command at their end. */
async function entering({ start, room, mounts, network, gate }: Entering): Promise<readonly string[]> {
  const { env, cwd } = start;
  const own = [
    ...room.writable.map((path) => ({ from: path, at: path, canWrite: true })),
    ...(room.readable ?? []).map((path) => ({ from: path, at: path, canWrite: false })),
    ...(room.programs ?? []).map(placeOfProgram),
    ...(gate === undefined ? [] : placesOf(gate)),
    ...mounts,
  ];
  const visible = [...own.map(({ at }) => at), ...SYSTEM_FOLDERS];
  const { command, places, isFound } = await foundProgram(start, visible);
  const bound = boundPlaces([...own, ...places]);
  const isBound = (path: string) => isCovered(path, [...bound.map(({ at }) => at), ...SYSTEM_FOLDERS]);
  return [
    '--unshare-all',
    ...(network === 'host' ? ['--share-net'] : []),
    ...words('--die-with-parent --cap-drop ALL'),
    ...systemArguments(network === 'host' ? 'host' : 'none'),
    ...privateHome(env['HOME'], bound),
    ...bound.flatMap(({ from, at, canWrite }) => [canWrite ? '--bind' : '--ro-bind', from, at]),
    ...words('--remount-ro /'),
    ...(env['TMPDIR'] === undefined || isBound(env['TMPDIR']) ? [] : ['--setenv', 'TMPDIR', '/tmp']),
    '--chdir',
    cwd,
    '--',
    // bubblewrap itself reports a program that is missing.
    ...(gate === undefined || !isFound ? command : forwarded(command, gate)),
  ];
}

/** The sockets of a gate, and Node for the forwarder. */
function placesOf({ folder }: OpenGate): readonly Place[] {
  const { execPath } = process;
  const node = { from: execPath, at: execPath, canWrite: false };
  return [
    { from: folder, at: GATE_FOLDER, canWrite: false },
    ...(isCovered(execPath, SYSTEM_FOLDERS) ? [] : [node]),
  ];
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** A home directory that is not mounted is empty, and can be written. */
function privateHome(home: string | undefined, bound: readonly Place[]): readonly string[] {
  if (home === undefined || !home.startsWith('/') || dirname(home) === home) return [];
  return isCovered(home, [...bound.map(({ at }) => at), ...SYSTEM_FOLDERS]) ? [] : ['--tmpfs', home];
}
