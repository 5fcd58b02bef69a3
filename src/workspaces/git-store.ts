import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MeasurementError } from '../core/errors.ts';
import { runProcess, type ProcessResult } from '../lib/process/run-process.ts';
import { isBusy } from './busy.ts';
import { bytePath } from '../lib/files/byte-path.ts';
import { fastImportStream, type NewCommit } from './fast-import-stream.ts';
import { readBlobs } from './git-blobs.ts';

/** Trees of a workspace in a separate object folder; repositories in the workspace are neither read nor written. */
export interface GitStore {
  readonly directory: string;
  /** Returns its id. */
  commit(
    commit: Omit<NewCommit, 'ref' | 'directory'> & { readonly directory: string },
    signal: AbortSignal,
  ): Promise<string>;
  /** The unified diff of two commits, files sorted by the bytes of their paths; undefined is the empty tree. */
  diff(before: string | undefined, after: string, signal: AbortSignal): Promise<Buffer>;
  /** Contents by blob id. */
  blobs(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
}

export interface GitPlace {
  /** Must not exist yet; its parent must exist. */
  readonly directory: string;
  /** Where git is searched. */
  readonly path: string;
  /** A store whose objects are visible in this one. */
  readonly alternate?: GitStore;
}

/** Creates the store by writing its few files, some 20 times faster than `git init`. */
export async function createGitStore({ directory, path, alternate }: GitPlace): Promise<GitStore> {
  await mkdir(join(directory, 'objects/info'), { recursive: true, mode: 0o700 });
  await mkdir(join(directory, 'refs'), { recursive: true, mode: 0o700 });
  await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(directory, 'config'), CONFIG);
  if (alternate !== undefined) {
    const objects = JSON.stringify(join(alternate.directory, 'objects'));
    await writeFile(join(directory, 'objects/info/alternates'), `${objects}\n`);
  }
  const git = gitIn(directory, path);
  let commits = 0;
  return {
    directory,
    commit: async (commit, signal) => {
      const ref = `refs/trees/${++commits}`;
      const stdin = fastImportStream({ ...commit, ref, directory: bytePath(commit.directory) });
      const stdout = await git(['fast-import', '--quiet', '--done', '--depth=0'], { stdin, signal });
      return stdout.toString('latin1').trim();
    },
    diff: (before, after, signal) =>
      git(['diff-tree', '-r', '-p', ...DIFF_OPTIONS, before ?? EMPTY_TREE, after], { signal }),
    blobs: async (ids, signal) => {
      const stdin = ids.map((id) => `${id}\n`).join('');
      return readBlobs(await git(['cat-file', '--batch'], { stdin, signal }), ids);
    },
  };
}

/** Content stays unchanged, and the user's own git settings are ignored. */
const CONFIG = `[core]
\tbare = true
\trepositoryFormatVersion = 0
\tprotectNTFS = false
\tprotectHFS = false
\tquotePath = false
\tcompression = 0
\tfsync = none
\tbigFileThreshold = 128m
[fastimport]
\tunpackLimit = 1
`;

const DIFF_OPTIONS = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--full-index'];

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

interface GitInput {
  readonly stdin?: string | AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

function gitIn(directory: string, path: string) {
  const env = {
    PATH: path,
    LC_ALL: 'C',
    GIT_DIR: directory,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
  };
  return async (args: readonly string[], { signal, ...input }: GitInput): Promise<Buffer> => {
    const result = await runProcess(
      { command: ['git', ...args], cwd: directory, env, maxOutputBytes: Infinity, ...input },
      signal,
    );
    if (result.outcome === 'aborted') throw signal.reason;
    if (result.outcome !== 'exited' || result.exitCode !== 0) throw gitFailure(args[0] ?? '', result);
    return Buffer.from(result.stdout.buffer, result.stdout.byteOffset, result.stdout.byteLength);
  };
}

function gitFailure(command: string, result: ProcessResult): MeasurementError {
  const said = Buffer.from(result.stderr).toString().trim().slice(-1000);
  const ending =
    result.outcome === 'spawn-failed'
      ? result.failure.message
      : `ended with ${result.signal ?? `code ${result.exitCode}`}${said === '' ? '' : `: ${said}`}`;
  return new MeasurementError(`could not record the changes of the workspace: git ${command} ${ending}`, {
    stage: 'workspace',
    kind: 'runner-crash',
    detail: 'workspace-changes',
    transient: result.outcome === 'spawn-failed' && isBusy(result.failure),
  });
}
