import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  type Stats,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';

import { breather } from '../time/breather.ts';
import { copySparse } from './copy-sparse.ts';
import { onDisk, type BytePath } from './byte-path.ts';
import { readably } from './readably.ts';

/** How a copy differs from a faithful one. */
export interface CopyRules {
  /** The permission bits of a copied file or folder. */
  modeOf(status: Stats): number;
  /** Whether a link is copied; its path is relative to the folder. */
  keepsLink(path: BytePath, target: BytePath): boolean;
  /** Called before each file is copied; may throw. */
  admit(status: Stats): void;
  /** Called with the relative paths of sockets, pipes, devices and refused links. */
  leftOut(path: BytePath): void;
  /** Called when something cannot be copied; may throw to end the copy. */
  failed(path: BytePath, error: unknown): void;
  /** Whether missing permissions to read are added to what is copied. */
  readonly opens: boolean;
}

/**
 * Copies the content of one directory into another, which must exist, with hidden files and repositories. Links are
 * copied as links and never followed. Without rules all permissions are kept, and sockets, pipes and devices are skipped.
 */
export async function copyTree(
  [source, destination]: readonly [BytePath, BytePath],
  signal: AbortSignal,
  rules: CopyRules = FAITHFUL,
): Promise<void> {
  const breathe = breather();
  const copyFolder = async (path: BytePath): Promise<void> => {
    for (const name of namesIn(source + path, rules)) {
      await breathe();
      signal.throwIfAborted();
      const below = `${path}/${name}`;
      try {
        await copyEntry(below);
      } catch (error) {
        rules.failed(below.slice(1), error);
      }
    }
  };
  const copyEntry = async (path: BytePath): Promise<void> => {
    const [from, to] = [onDisk(source + path), onDisk(destination + path)];
    const status = lstatSync(from);
    if (status.isDirectory()) {
      mkdirSync(to, 0o700);
      await copyFolder(path);
      chmodSync(to, rules.modeOf(status));
    } else if (status.isFile()) {
      rules.admit(status);
      if (rules.opens) readably(source + path, 0o400, () => accessSync(from, constants.R_OK));
      const isSparse = hasHoles(status);
      if (isSparse) await copySparse({ from, to, sizeBytes: status.size }, signal);
      else if (status.size > SMALL_BYTES) await copyFile(from, to, CLONE);
      else copyFileSync(from, to, CLONE);
      const mode = rules.modeOf(status);
      // The copy of a file has its permissions.
      if (isSparse || mode !== (status.mode & 0o7777)) chmodSync(to, mode);
    } else if (status.isSymbolicLink() && rules.keepsLink(path.slice(1), readlinkSync(from, 'latin1'))) {
      symlinkSync(readlinkSync(from, 'buffer'), to);
    } else {
      rules.leftOut(path.slice(1));
    }
  };
  await copyFolder('');
}

const FAITHFUL: CopyRules = {
  modeOf: ({ mode }) => mode & 0o7777,
  keepsLink: () => true,
  admit: () => {},
  leftOut: () => {},
  failed: (_, error) => {
    throw error;
  },
  opens: false,
};

/** Whether a large file takes much less space than its size: `copyFile` would write all of it. */
function hasHoles({ size, blocks }: Stats): boolean {
  return size > SMALL_BYTES && blocks * 512 < size / 2;
}

function namesIn(folder: BytePath, { opens }: CopyRules): readonly string[] {
  const list = () => readdirSync(onDisk(folder), { encoding: 'latin1' });
  return opens ? readably(folder, 0o500, list) : list();
}

/** Shares blocks if the file system supports it. */
const CLONE = constants.COPYFILE_FICLONE;

/** Larger files are copied beside other work. */
const SMALL_BYTES = 2 ** 20;
