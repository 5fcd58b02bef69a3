import { constants, type Dirent } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import type { KeptArtifact, OpenArtifact } from '../../core/run-store.ts';
import type { TrialId } from '../../core/trial.ts';
import { isAttachmentName } from './attachments.ts';
import { trialDirectoryName, type RunPaths } from './paths.ts';

/** Most files that are listed. An agent may leave a whole `node_modules`. */
const MOST = 1000;

/** The files that the attempts of a trial left, by attempt and name. */
export async function keptArtifacts(
  { trials }: Pick<RunPaths, 'trials'>,
  trial: TrialId,
): Promise<readonly KeptArtifact[]> {
  const folder = join(trials, trialDirectoryName(trial));
  const attempts = (await entriesOf(folder))
    .flatMap((entry) => (entry.isDirectory() ? (/^attempt-([1-9]\d*)$/.exec(entry.name)?.[1] ?? []) : []))
    .map(Number)
    .toSorted((left, right) => left - right);
  const found: KeptArtifact[] = [];
  for (const attempt of attempts) {
    for await (const name of namesBelow(join(folder, `attempt-${attempt}`))) {
      if (found.length === MOST) return found;
      const status = await statusOf(join(folder, `attempt-${attempt}`, name));
      if (status?.isFile() === true) found.push({ attempt, name, bytes: status.size });
    }
  }
  return found;
}

/** Opens one of them. Undefined if a part of its path is a link, which may lead out of the run. */
export async function openArtifact(
  { directory }: Pick<RunPaths, 'directory'>,
  trial: TrialId,
  { attempt, name }: Pick<KeptArtifact, 'attempt' | 'name'>,
): Promise<OpenArtifact | undefined> {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part))) {
    return undefined;
  }
  return await openKeptFile(directory, ['trials', trialDirectoryName(trial), `attempt-${attempt}`, ...parts]);
}

/** A text that stood in a line of the log or of the rows and was too large for it. */
export async function openAttachment(
  { directory }: Pick<RunPaths, 'directory'>,
  sha256: string,
): Promise<OpenArtifact | undefined> {
  return isAttachmentName(sha256) ? await openKeptFile(directory, ['attachments', sha256]) : undefined;
}

async function openKeptFile(directory: string, parts: readonly string[]): Promise<OpenArtifact | undefined> {
  const status = await statusOf(join(directory, ...parts));
  const root = status?.isFile() === true ? await realPathOf(directory) : undefined;
  if (status === undefined || root === undefined) return undefined;
  const place = join(root, ...parts);
  if ((await realPathOf(place)) !== place) return undefined;
  return { bytes: status.size, content: () => contentOf(place, { bytes: status.size, inode: status.ino }) };
}

/** Yields exactly the announced number of bytes, even if the file grows. */
async function* contentOf(
  place: string,
  promised: { readonly bytes: number; readonly inode: number },
): AsyncGenerator<Uint8Array> {
  const file = await open(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    if ((await file.stat()).ino !== promised.inode) throw new Error(`${place} was replaced`);
    for (let left = promised.bytes; left > 0;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(left, 1 << 18)));
      if (bytesRead === 0) return;
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** The files below a folder, with `/`, without links. */
export async function* namesBelow(folder: string, before = ''): AsyncGenerator<string> {
  for (const entry of await entriesOf(folder)) {
    if (entry.isDirectory()) yield* namesBelow(join(folder, entry.name), `${before}${entry.name}/`);
    else if (entry.isFile()) yield `${before}${entry.name}`;
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function statusOf(place: string) {
  return lstat(place).catch(() => undefined);
}

function realPathOf(place: string) {
  return realpath(place).catch(() => undefined);
}
