import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';

/**
 * Removes a folder with all its content, or a link in its place. Agents leave folders without write permission, names
 * that are not UTF-8, and trees deeper than the longest path.
 */
export async function removeTree(place: string | Buffer): Promise<void> {
  const remove = () => rm(place, { recursive: true, force: true, maxRetries: 3 });
  await remove().catch(async () => {
    await openAndRaise(Buffer.from(place));
    await remove();
  });
}

/** Adds missing permissions, and moves very deep folders to the root, piece by piece. Links are not followed. */
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

/**
 * With a name of 255 bytes below it, the path is still accepted by the system (4,096 bytes on Linux, 1,024 on macOS).
 */
const DEEPEST_BYTES = 600;
