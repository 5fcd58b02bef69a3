import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { findProgram } from '../lib/process/find-program.ts';
import { isCovered, type Place } from './places.ts';
import { SYSTEM_FOLDERS } from './system-view.ts';
import type { ProgramStart } from '../core/sandbox.ts';

/** A command as it is started inside, and what has to be mounted for it. */
export interface FoundProgram {
  readonly command: readonly string[];
  readonly places: readonly Place[];
}

/**
 * Finds the program of a command and Node as the system would. A program outside of `visible` is mounted with its
 * package. A program that is not found stays as written, so the sandbox reports it.
 */
export async function foundProgram(
  { command, cwd, env }: ProgramStart,
  visible: readonly string[],
): Promise<FoundProgram> {
  const node = await placesOfNode(env, cwd);
  const seen = [...visible, ...node.map(({ at }) => at)];
  if ('shell' in command) return { command: ['/bin/sh', '-c', command.shell], places: node };
  const [program = '', ...args] = command;
  const path = await findProgram(program, { cwd, env });
  if (path === undefined) return { command, places: node };
  if (isCovered(path, seen)) return { command: [path, ...args], places: node };
  const real = await realpath(path);
  if (isCovered(real, seen)) return { command: [real, ...args], places: node };
  return { command: [real, ...args], places: [...node, placeOfProgram(real)] };
}

/**
 * The program of a command for a container, with Node: from this machine, unless the system folders contain it. Those
 * programs are the image's.
 */
export async function programOfThisMachine(
  { command, cwd, env }: ProgramStart,
  visible: readonly string[],
): Promise<Pick<ProgramStart, 'command'> & Pick<FoundProgram, 'places'>> {
  const node = await findProgram('node', { cwd, env });
  const nodes = node === undefined ? [] : [{ from: await realpath(node), at: node, canWrite: false }];
  if ('shell' in command) return { command, places: nodes };
  const [program = '', ...args] = command;
  const path = await findProgram(program, { cwd, env });
  if (path === undefined || path === node || isCovered(path, visible)) return { command, places: nodes };
  const real = await realpath(path);
  const isOfImage = packageOf(real) === undefined && isCovered(real, SYSTEM_FOLDERS);
  if (isOfImage) return { command, places: nodes };
  return { command: [real, ...args], places: [...nodes, placeOfProgram(real)] };
}

/** Mounts a file that a program runs, with its package. */
export function placeOfProgram(path: string): Place {
  return readOnly(packageOf(path) ?? path);
}

/** The outermost folder of packages that contains a file: a program needs the packages beside its own. */
function packageOf(file: string): string | undefined {
  const parts = file.split('/');
  const at = parts.indexOf('node_modules');
  return at < 0 ? undefined : parts.slice(0, at + 1).join('/');
}

/** The installation of Node that programs find on PATH. */
async function placesOfNode(env: Readonly<Record<string, string>>, cwd: string): Promise<readonly Place[]> {
  const path = await findProgram('node', { cwd, env });
  if (path === undefined || isCovered(path, ['/usr', '/bin'])) return [];
  const real = await realpath(path);
  const bin = dirname(path);
  const packages = join(dirname(bin), 'lib', 'node_modules');
  // The usual form: `bin/node` beside `lib/node_modules`, to which npm in `bin` is a link.
  const isInstallation = basename(bin) === 'bin' && real === path && existsSync(packages);
  return isInstallation ? [readOnly(bin), readOnly(packages)] : [{ from: real, at: path, canWrite: false }];
}

function readOnly(path: string): Place {
  return { from: path, at: path, canWrite: false };
}
