import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

import type { Artifacts, ArtifactStream } from '../../core/target.ts';
import type { TrialId } from '../../core/trial.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import { guarded, guardedWork, writeAll } from './append-file.ts';
import { cleanForeign } from './clean-foreign.ts';
import { fileCleaner } from './file-cleaner.ts';
import { type ContentRedactor, redactContent } from './redact-content.ts';
import { trialDirectoryName, type RunPaths } from './paths.ts';
import { removeIfEmpty } from './remove-if-empty.ts';
import { scratchFolder } from './scratch-folder.ts';

/** Artifacts of one attempt under `trials/<trial>/attempt-<n>`. */
export interface AttemptDirectory extends Artifacts {
  /** Moves what programs have written to `scratch` into the directory. */
  takeOver(): void;
  /** Takes secrets out of what others have left there; removes its own directory when that is empty. */
  close(): Promise<ArtifactsEnd>;
}

/** What became of the artifacts of an attempt. */
export interface ArtifactsEnd {
  /** Relative to the run directory; absent when nothing was written. */
  readonly directory?: string;
  /** What a person should know of files that are not as the agent left them. */
  readonly notes: readonly string[];
}

/** What artifacts go through, and who hears that one could not be written. */
export interface ArtifactOptions {
  readonly redactor: Redactor;
  /** The run cannot go on; what failed is thrown too. */
  readonly onFailure: (error: unknown) => void;
}

export function attemptDirectory(
  paths: RunPaths,
  trial: TrialId & { readonly attempt: number },
  options: ArtifactOptions,
): AttemptDirectory {
  // Most attempts leave nothing behind, and naming a trial's directory takes a digest.
  let known: string | undefined;
  const placeOf = () => (known ??= join(paths.trials, trialDirectoryName(trial), `attempt-${trial.attempt}`));
  const files = artifactsIn(placeOf, options);
  return {
    ...files,
    async close() {
      await files.clearScratch();
      if (known === undefined) return NOTHING;
      // `trials` stays for the next attempt; the end of the log removes it.
      if (removeIfEmpty(known)) removeIfEmpty(dirname(known));
      else {
        const notes = await files.close();
        const directory = relative(paths.directory, known).split(sep).join('/');
        if (notes !== undefined) return { directory, notes };
      }
      return NOTHING;
    },
  };
}

const NOTHING: ArtifactsEnd = { notes: [] };

/** Artifacts in a folder; `close` redacts what others have left there, and gives notes; undefined: there is no folder. */
export function artifactsIn(
  placeOf: () => string,
  { redactor, onFailure }: ArtifactOptions,
): Artifacts & {
  takeOver(): void;
  clearScratch(): Promise<void>;
  close(): Promise<readonly string[] | undefined>;
} {
  let made: string | undefined;
  const own = new Set<string>();
  const failed = (error: unknown): never => {
    onFailure(error);
    throw error;
  };
  const tried = (file: string, write: () => void) => {
    try {
      guarded(file, write);
    } catch (error) {
      failed(error);
    }
  };
  const directory = () => {
    if (made !== undefined) return made;
    const path = placeOf();
    tried(path, () => mkdirSync(path, { recursive: true, mode: 0o700 }));
    return (made = path);
  };
  const scratch = scratchFolder();
  const takeOver = () =>
    tried('what programs of the trial have written', () => scratch.moveInto(directory, own));
  const clearScratch = async () => {
    takeOver();
    await scratch.remove();
  };
  return {
    directory,
    scratch: scratch.path,
    takeOver,
    clearScratch,
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
      // An agent may have removed it, or put something else in its place.
      if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
      tried(path, () => chmodSync(path, 0o700));
      if (readdirSync(path).every((name) => own.has(name))) return [];
      return guardedWork(path, () => cleanForeign(path, own, fileCleaner(redactor))).catch(failed);
    },
  };
}

function growingFile(
  file: string,
  redactor: Pick<ContentRedactor, 'bytes'>,
  tried: (write: () => void) => void,
): ArtifactStream {
  const redacted = redactor.bytes();
  let descriptor: number | undefined;
  let isOver = false;
  const add = (bytes: Uint8Array) => {
    if (bytes.length === 0) return;
    tried(() => {
      descriptor ??= openNew(file);
      writeAll(descriptor, bytes);
    });
  };
  return {
    write: (chunk) => add(redacted.push(chunk)),
    end() {
      if (isOver) return;
      isOver = true;
      add(redacted.end());
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

/** An agent may have removed or closed the directory, or put links in the place of it or of the file. */
function writeNew(file: string, bytes: string | Uint8Array): void {
  const descriptor = openNew(file);
  try {
    writeAll(descriptor, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  } finally {
    closeSync(descriptor);
  }
}

function openNew(file: string): number {
  const folder = lstatSync(dirname(file), { throwIfNoEntry: false });
  if (folder?.isDirectory() === true && (folder.mode & 0o777) === 0o700) {
    try {
      return openSync(file, 'wx', 0o600);
    } catch {
      // Something is in the way.
    }
  }
  makeRoom(file);
  return openSync(file, 'wx', 0o600);
}

function makeRoom(file: string): void {
  const folder = dirname(file);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) rmSync(folder, { force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  try {
    rmSync(file, { recursive: true, force: true });
  } catch {
    // A tree that is too deep to be removed at once is put aside, and looked at like all that the agent has left.
    renameSync(file, `${file}.${process.pid}.aside`);
  }
}
