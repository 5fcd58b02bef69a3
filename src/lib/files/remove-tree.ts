import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';

/**
 * Removes a folder with everything in it, or a link in its place. Agents leave folders that their owner may not write to,
 * names that are not UTF-8, and trees deeper than a path can be long.
 */
export async function removeTree(place: string | Buffer): Promise<void> {
  const remove = () => rm(place, { recursive: true, force: true, maxRetries: 3 });
  await remove().catch(async () => {
    await openAndRaise(Buffer.from(place));
    await remove();
  });
}

/** Opens closed folders, and moves what lies too deep to directly below the root, piece by piece. Links are not followed. */
async function openAndRaise(root: Buffer): Promise<void> {
  const waiting = [root];
  let moved = 0;
  const visit = async (place: Buffer): Promise<void> => {
    const status = await lstat(place).catch(() => undefined);
    if (status?.isDirectory() !== true) return;
    await chmod(place, (status.mode & 0o7777) | 0o700).catch(() => {});
    if (place.length > DEEPEST_BYTES && place.length > root.length + DEEPEST_BYTES / 2) {
      const raised = Buffer.concat([root, Buffer.from(`/.raised-${process.pid}-${++moved}`)]);
      const isMoved = await rename(place, raised).then(
        () => true,
        () => false,
      );
      if (isMoved) waiting.push(raised);
      return;
    }
    const names = await readdir(place, { encoding: 'buffer' }).catch(() => []);
    for (const name of names) await visit(Buffer.concat([place, SLASH, name]));
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await visit(next);
}

const SLASH = Buffer.from('/');

/** A name of 255 bytes below it still makes a path that the system takes (4,096 bytes on Linux, 1,024 on macOS). */
const DEEPEST_BYTES = 600;
