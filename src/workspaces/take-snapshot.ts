import { MeasurementError, messageOf } from '../core/errors.ts';
import { onDisk } from '../lib/files/byte-path.ts';
import { leftOutText, snapshot, SnapshotTooLarge } from '../lib/files/snapshot.ts';
import { removeDirectory } from './put-away.ts';
import { blobId, type Tree } from './scan-tree.ts';

/** A copy of a workspace, which graders read. */
export interface TakenSnapshot {
  /** Absolute. */
  readonly directory: string;
  /** For the row: what the copy does not contain. */
  readonly warnings: readonly string[];
}

interface Copying {
  readonly before: Tree;
  /** The most bytes of all files; default: 2 GB. */
  readonly maxBytes?: number | undefined;
  freshDirectory(): Promise<string>;
}

/** Largest sum of the sizes of all files of a workspace. */
const MOST_BYTES = 2 * 2 ** 30;

/**
 * Copies a workspace into a fresh directory. A link to a place outside is copied only if it was there before the agent
 * started. Rejects with the kind `sandbox` when the copy is impossible; then the fresh directory is removed.
 */
export async function takeSnapshot(
  source: string,
  { before, freshDirectory, maxBytes = MOST_BYTES }: Copying,
  signal: AbortSignal,
): Promise<TakenSnapshot> {
  const directory = await freshDirectory();
  try {
    const { dropped } = await snapshot(source, directory, {
      maxBytes,
      signal,
      isTrustedLink: (path, target) => {
        const known = before.get(path);
        return known?.mode === '120000' && known.id === blobId(onDisk(target));
      },
    });
    return { directory, warnings: dropped.length === 0 ? [] : [leftOutText(dropped)] };
  } catch (error) {
    await removeDirectory(directory);
    signal.throwIfAborted();
    throw notCopied(error);
  }
}

function notCopied(error: unknown): MeasurementError {
  const isTooLarge = error instanceof SnapshotTooLarge;
  return new MeasurementError(`the workspace cannot be copied for grading: ${messageOf(error)}`, {
    stage: 'workspace',
    kind: 'sandbox',
    hint: isTooLarge
      ? 'Make the agent remove large files that it does not need.'
      : 'Check the free space of the folder for temporary files.',
    cause: error,
  });
}
