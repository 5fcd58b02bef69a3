import { resolve } from 'node:path';

import type { SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import type { Place } from './places.ts';

export function placesOfMounts(
  { mount = [] }: SandboxSettings,
  { directory }: SandboxPlace,
): readonly Place[] {
  return mount.map(({ from, at, write }) => {
    const source = resolve(directory, from);
    return { from: source, at: at ?? source, canWrite: write === true };
  });
}
