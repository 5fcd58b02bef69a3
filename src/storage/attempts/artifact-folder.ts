import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { Artifacts } from '../../core/target.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import { cleanForeign } from '../cleaning/clean-foreign.ts';
import { namedPaths } from '../cleaning/cleaning-notes.ts';
import { fileCleaner } from '../cleaning/file-cleaner.ts';
import { redactContent } from '../cleaning/redact-content.ts';
import { guarded, guardedWork } from '../guarded.ts';
import { growingFile, writeNew } from './artifact-file.ts';
import { scratchFolder } from './scratch-folder.ts';

/** Removal of secrets from artifacts, and handling of write errors. */
export interface ArtifactOptions {
  readonly redactor: Redactor;
  /** Called with a write error, which ends the run. The error is also thrown. */
  readonly onFailure: (error: unknown) => void;
}

interface FolderArtifacts extends Artifacts {
  takeOver(): void;
  /** Whether neither the folder nor the scratch folder was ever asked for, so that both are missing. */
  isUnused(): boolean;
  /** Moves the files of the scratch folder into the run and removes the folder. */
  clearScratch(): Promise<void>;
  /** Notes on files that could not be moved. */
  lost(): readonly string[];
  close(): Promise<readonly string[] | undefined>;
}

/** The artifacts in a folder. `close` redacts files of others there and returns notes. Undefined: no folder exists. */
export function artifactsIn(
  placeOf: () => string,
  { redactor, onFailure }: ArtifactOptions,
): FolderArtifacts {
  let made: string | undefined;
  const own = new Set<string>();
  const { failed, tried } = telling(onFailure);
  const directory = () => {
    if (made !== undefined) return made;
    const path = placeOf();
    tried(path, () => mkdirSync(path, { recursive: true, mode: 0o700 }));
    return (made = path);
  };
  const scratch = scratchFolder();
  const takeOver = () =>
    tried('files written by programs of the trial', () => scratch.moveInto(directory, own));
  const clearScratch = async () => {
    takeOver();
    await scratch.remove();
  };
  return {
    directory,
    scratch: scratch.path,
    takeOver,
    isUnused: () => made === undefined && !scratch.isMade(),
    clearScratch,
    lost: () =>
      namedPaths(
        scratch.leftBehind(),
        'artifacts of the agent were not kept, because they could not be copied',
      ),
    write(name, content) {
      const bytes = redactContent(content, redactor);
      const file = join(directory(), basename(name));
      own.add(basename(name));
      tried(file, () => writeNew(file, bytes));
      return Promise.resolve();
    },
    stream(name) {
      const file = join(directory(), basename(name));
      own.add(basename(name));
      return growingFile(file, redactor, (write) => tried(file, write));
    },
    async close() {
      await clearScratch();
      const path = made;
      if (path === undefined) return undefined;
      // An agent may have removed or replaced it.
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
      tried(path, () => chmodSync(path, 0o700));
      if (readdirSync(path).every((name) => own.has(name))) return [];
      return guardedWork(path, () => cleanForeign(path, own, fileCleaner(redactor))).catch(failed);
    },
  };
}

/** Reports a failure of the work, and throws it. */
function telling(onFailure: ArtifactOptions['onFailure']) {
  const failed = (error: unknown): never => {
    onFailure(error);
    throw error;
  };
  const tried = (file: string, write: () => void): void => {
    try {
      guarded(file, write);
    } catch (error) {
      failed(error);
    }
  };
  return { failed, tried };
}
