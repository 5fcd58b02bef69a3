import { lstatSync, mkdirSync } from 'node:fs';

/**
 * Creates a folder for its owner only, in an existing folder. Returns whether it can be used: it must belong to this
 * account only.
 */
export function makePrivateFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // It exists already or cannot be created; the check below shows which.
  }
  return isOurs(path, 0o077);
}

/** Whether a folder belongs to this account and no other account may write to it. */
export function isOwnFolder(path: string): boolean {
  return isOurs(path, 0o022);
}

/** A link is not followed. */
function isOurs(path: string, forbiddenMode: number): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false });
  return (
    status !== undefined &&
    status.isDirectory() &&
    status.uid === process.getuid?.() &&
    (status.mode & forbiddenMode) === 0
  );
}
