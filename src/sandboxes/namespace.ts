import { dirname, resolve } from 'node:path';

import { MeasurementError } from '../core/errors.ts';
import type { ProgramStart, Room, Sandbox, SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { findProgram } from '../lib/process/find-program.ts';
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
  const mounts = (settings.mount ?? []).map(({ from, at, write }): Place => {
    const source = resolve(directory, from);
    return { from: source, at: at ?? source, canWrite: write === true };
  });
  let bubblewrap: Promise<string> | undefined;
  return {
    level: 'namespace',
    async enter(start, room) {
      bubblewrap ??= findProgram(BUBBLEWRAP, { cwd: directory, env: operatorEnvironment }).then(
        (path) => path ?? BUBBLEWRAP,
      );
      const entered = await entering({ start, room, mounts, network: settings.network ?? 'none' });
      return { ...start, command: [await bubblewrap, ...entered] };
    },
    failureOf: ({ exitCode, stderr }) => {
      const said = exitCode === 0 ? undefined : FAILED.exec(decodeUtf8(stderr));
      if (said == null) return undefined;
      return new MeasurementError(`the sandbox could not be started: ${said[1]}`, {
        stage: 'target',
        kind: 'sandbox',
        hint: 'run `assay doctor --sandbox` to see what this machine can do',
      });
    },
  };
}

/** bubblewrap writes its own errors like this, and then starts no program. */
const FAILED = /^bwrap: (.*)$/m;

interface Entering {
  readonly start: ProgramStart;
  readonly room: Room;
  readonly mounts: readonly Place[];
  readonly network: 'none' | 'host';
}

/** The arguments of bubblewrap, and the command at their end. */
async function entering({ start, room, mounts, network }: Entering): Promise<readonly string[]> {
  const { env, cwd } = start;
  const own = [
    ...room.writable.map((path) => ({ from: path, at: path, canWrite: true })),
    ...(room.readable ?? []).map((path) => ({ from: path, at: path, canWrite: false })),
    ...(room.programs ?? []).map(placeOfProgram),
    ...mounts,
  ];
  const { command, places } = await foundProgram(start, [...own.map(({ at }) => at), ...SYSTEM_FOLDERS]);
  const bound = boundPlaces([...own, ...places]);
  const isBound = (path: string) => isCovered(path, [...bound.map(({ at }) => at), ...SYSTEM_FOLDERS]);
  return [
    '--unshare-all',
    ...(network === 'host' ? ['--share-net'] : []),
    ...words('--die-with-parent --cap-drop ALL'),
    ...systemArguments(network),
    ...privateHome(env['HOME'], bound),
    ...bound.flatMap(({ from, at, canWrite }) => [canWrite ? '--bind' : '--ro-bind', from, at]),
    ...words('--remount-ro /'),
    ...(env['TMPDIR'] === undefined || isBound(env['TMPDIR']) ? [] : ['--setenv', 'TMPDIR', '/tmp']),
    '--chdir',
    cwd,
    '--',
    ...command,
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
