import { accessSync, constants, statSync } from 'node:fs';

import { programPaths, type ProgramPlace } from './find-program.ts';

/** Whether a program is on PATH. Synchronous, so that a configuration is checked without waiting. */
export function isOnPath(program: string, place: ProgramPlace): boolean {
  return programPaths(program, place).some(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
