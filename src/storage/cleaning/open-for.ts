import { chmodSync, existsSync, type Stats } from 'node:fs';

/** Adds a permission to a file or folder that an agent locked. Returns a function that restores the mode. */
export function openFor(place: Buffer, { mode }: Stats, permission: number): () => void {
  if ((mode & permission) === permission) return () => {};
  chmodSync(place, (mode & 0o7777) | permission);
  return () => {
    if (existsSync(place)) chmodSync(place, mode & 0o7777);
  };
}
