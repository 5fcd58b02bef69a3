import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { MeasurementError } from '../core/errors.ts';
import type {
  NetworkAccess,
  ProgramEnd,
  ProgramStart,
  ProgramNeeds,
  Entered,
  Sandbox,
  SandboxPlace,
  SandboxSettings,
} from '../core/sandbox.ts';
import { removeTree } from '../lib/files/remove-tree.ts';
import { temporaryFolder } from '../lib/files/temporary-folder.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { findProgram } from '../lib/process/find-program.ts';
import { BUBBLEWRAP, NSENTER } from './bubblewrap.ts';
import { keepForwarders } from './forwarders.ts';
import { placesOfMounts } from './mounts.ts';
import { openPassage, type Passage } from './passage.ts';
import { boundPlaces, isCovered, placesOfFiles, type Place } from './places.ts';
import { foundProgram, placeOfProgram } from './program-places.ts';
import { notStarted } from './not-started.ts';
import { proxyEnvironment } from './proxy-environment.ts';
import { givenLimits } from './resource-limits.ts';
import { SYSTEM_FOLDERS, systemArguments } from './system-view.ts';
import { throughShell } from './through-shell.ts';

/**
 * Own namespaces for users, processes, mounts, ipc and, unless it is that of the host, the network. bubblewrap makes
 * them. All processes inside end with the program, and with assay.
 */
export function namespaceSandbox(settings: SandboxSettings, place: SandboxPlace): Sandbox & AsyncDisposable {
  const { directory, operatorEnvironment } = place;
  const mounts = placesOfMounts(settings, place);
  const network = settings.network ?? 'provider';
  const forwarders = keepForwarders(operatorEnvironment);
  const found = (name: string) => findProgram(name, { cwd: directory, env: operatorEnvironment });
  let programs: Promise<Programs> | undefined;
  return {
    level: 'namespace',
    async enter(start, needs) {
      programs ??= Promise.all([found(BUBBLEWRAP), found(NSENTER)]);
      const [bubblewrap = BUBBLEWRAP, nsenter = NSENTER] = await programs;
      const folder = await temporaryFolder('n');
      let passage: Passage | undefined;
      try {
        passage = await openPassage(folder, { network, start, needs, forwarders });
        const joining = passage && [nsenter, '-t', String(passage.pid), ...words(JOINS)];
        const hasNetwork = network === 'host' || passage !== undefined;
        const args = await entering({ start, needs, mounts, network, hasNetwork });
        const command = [...(joining ?? []), bubblewrap, ...words('--json-status-fd 9'), ...args];
        const { proxyPort } = passage ?? {};
        const env = proxyPort === undefined ? start.env : proxyEnvironment(start.env, proxyPort);
        const passed = throughShell(env);
        const restored = passed.changed.length === 0 ? '' : passed.restored('/usr/bin/env');
        return enteredOf(folder, passage, {
          ...start,
          env: passed.env,
          command: ['/bin/sh', '-c', `${restored}${WITH_STATUS}`, statusFile(folder), ...command],
        });
      } catch (error) {
        await passage?.close('unknown');
        await removeTree(folder).catch(() => {});
        throw error;
      }
    },
    unenforced: () => givenLimits(settings),
    [Symbol.asyncDispose]: () => forwarders[Symbol.asyncDispose](),
  };
}

/** Paths of bubblewrap and nsenter. */
type Programs = readonly [string | undefined, string | undefined];

/** The network of the process, and the user namespace that owns it. */
const JOINS = '-U -n --preserve-credentials';

/** bubblewrap writes to this file of ours when the program was started and ended. Programs inside cannot reach it. */
const WITH_STATUS = 'exec "$@" 9>"$0"';

function statusFile(folder: string): string {
  return join(folder, 'status');
}

function enteredOf(folder: string, passage: Passage | undefined, start: ProgramStart): Entered {
  return {
    start,
    failureOf: (end) => Promise.resolve(failureOf(end, folder)),
    async [Symbol.asyncDispose]() {
      await passage?.close(hasEnded(folder) ? 'ended' : 'unknown');
      await removeTree(folder).catch(() => {});
    },
  };
}

function failureOf({ exitCode, stderr }: ProgramEnd, folder: string): MeasurementError | undefined {
  if (exitCode === 0 || exitCode === null || hasEnded(folder)) return undefined;
  const [, said = `bubblewrap ended with exit code ${exitCode}`] = OWN_ERROR.exec(decodeUtf8(stderr)) ?? [];
  return notStarted(said);
}

/** Whether bubblewrap has seen the end of the program, and with it of all processes inside. */
function hasEnded(folder: string): boolean {
  try {
    return readFileSync(statusFile(folder), 'utf8').includes('"exit-code"');
  } catch {
    return false;
  }
}

/** The form of errors of bubblewrap and nsenter themselves. */
const OWN_ERROR = /^(?:bwrap|nsenter): (.*)$/m;

interface Entering {
  readonly start: ProgramStart;
  readonly needs: ProgramNeeds;
  readonly mounts: readonly Place[];
  readonly network: NetworkAccess;
  /** Whether the network is that of the process which starts bubblewrap. */
  readonly hasNetwork: boolean;
}

/** The arguments of bubblewrap, and the command at their end. */
async function entering({ start, needs, mounts, network, hasNetwork }: Entering): Promise<readonly string[]> {
  const { env, cwd } = start;
  const own = [...placesOfFiles(needs), ...(needs.programs ?? []).map(placeOfProgram), ...mounts];
  const visible = [...own.map(({ at }) => at), ...SYSTEM_FOLDERS];
  const { command, places } = await foundProgram(start, visible);
  const bound = boundPlaces([...own, ...places]);
  const isBound = (path: string) => isCovered(path, [...bound.map(({ at }) => at), ...SYSTEM_FOLDERS]);
  return [
    '--unshare-all',
    ...(hasNetwork ? ['--share-net'] : []),
    ...words('--die-with-parent --cap-drop ALL'),
    ...systemArguments(network === 'host' ? 'host' : 'none'),
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
