import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Where a program would be started. */
export interface ProgramPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The executable file that would be started, searched as the system does. */
export async function findProgram(program: string, place: ProgramPlace): Promise<string | undefined> {
  for (const path of programPaths(program, place)) {
    if (await isExecutableFile(path)) return path;
  }
  return undefined;
}

/** The paths to try, in order; a name with a slash is a path itself. */
export function programPaths(program: string, { cwd, env }: ProgramPlace): readonly string[] {
  if (program === '') return [];
  if (program.includes('/')) return [resolve(cwd, program)];
  const folders = (env['PATH'] ?? '/usr/bin:/bin').split(':');
  return folders.map((folder) => join(resolve(cwd, folder), program));
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
