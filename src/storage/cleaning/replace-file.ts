import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, futimesSync, openSync, renameSync, rmSync, type Stats } from 'node:fs';

/** Replaces a file with a new one of the same mode and times. Never writes through a link. */
export function replaceFile(
  place: Buffer,
  { mode, atime, mtime }: Pick<Stats, 'mode' | 'atime' | 'mtime'>,
  write: (descriptor: number) => void,
): void {
  const draft = Buffer.concat([
    place.subarray(0, place.lastIndexOf('/') + 1),
    Buffer.from(`.${randomBytes(8).toString('hex')}.redacted`),
  ]);
  const target = openSync(draft, 'wx', 0o600);
  try {
    try {
      write(target);
      futimesSync(target, atime, mtime);
    } finally {
      closeSync(target);
    }
    chmodSync(draft, mode & 0o7777);
    renameSync(draft, place);
  } finally {
    rmSync(draft, { force: true });
  }
}
