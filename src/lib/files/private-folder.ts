import { lstatSync, mkdirSync } from 'node:fs';

/** Makes a folder for its owner alone, in one that is there; whether it can be used: it is ours and nobody else's. */
export function makePrivateFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // It is there, or cannot be made, which shows when it is looked at.
  }
  return isOurs(path, 0o077);
}

/** Whether a folder belongs to who runs this and no other account may write in it. */
export function isOwnFolder(path: string): boolean {
  return isOurs(path, 0o022);
}

/** Not followed when it is a link. */
function isOurs(path: string, forbiddenMode: number): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false });
  return (
    status !== undefined &&
    status.isDirectory() &&
    status.uid === process.getuid?.() &&
    (status.mode & forbiddenMode) === 0
  );
}
