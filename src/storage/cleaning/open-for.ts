import { chmodSync, existsSync, type Stats } from 'node:fs';

/** An agent may close its own files and folders; gives what closes this one again. */
export function openFor(place: Buffer, { mode }: Stats, permission: number): () => void {
  if ((mode & permission) === permission) return () => {};
  chmodSync(place, (mode & 0o7777) | permission);
  return () => {
    if (existsSync(place)) chmodSync(place, mode & 0o7777);
  };
}
