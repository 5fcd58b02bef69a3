import { chmod, lstat, readdir, rm } from 'node:fs/promises';

/**
 * Removes a folder with everything in it, or a link in its place; agents leave folders behind that nobody may write to,
 * and names that are no UTF-8.
 */
export async function removeTree(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  await remove().catch(async () => {
    await openUp(Buffer.from(folder));
    await remove();
  });
}

/** Links are not followed: what they lead to is somebody else's. */
async function openUp(place: Buffer): Promise<void> {
  const status = await lstat(place).catch(() => undefined);
  if (status?.isDirectory() !== true) return;
  await chmod(place, (status.mode & 0o7777) | 0o700).catch(() => {});
  const names = await readdir(place, { encoding: 'buffer' }).catch(() => []);
  for (const name of names) await openUp(Buffer.concat([place, SLASH, name]));
}

const SLASH = Buffer.from('/');
