import { AssayError } from '../../core/errors.ts';
import type { Manifest } from '../../core/manifest.ts';
import { attached } from '../runs/detach.ts';
import { runPaths, type RunPaths } from '../run-directory/paths.ts';

/** A run as memory keeps it: JSON texts, so that nobody changes what is kept and readers get copies. */
export interface KeptRun {
  readonly id: string;
  /** Where its artifacts lie; nothing else of it is a file. */
  readonly paths: RunPaths;
  manifest: string | undefined;
  readonly events: string[];
  rows: string[];
  readonly frozen: Map<string, string>;
  readonly attachments: Map<string, string>;
  isClaimed: boolean;
}

export function keptRun(id: string, directory: string): KeptRun {
  return {
    id,
    paths: runPaths(directory),
    manifest: undefined,
    events: [],
    rows: [],
    frozen: new Map(),
    attachments: new Map(),
    isClaimed: false,
  };
}

export function manifestOf({ id, manifest }: KeptRun): Manifest {
  if (manifest === undefined) throw unreadable(`the manifest of run ${id}`);
  return JSON.parse(manifest) as Manifest;
}

/** Puts a text aside, under its sha-256. */
export function attach(text: string, { attachments }: KeptRun) {
  const aside = attached(text);
  attachments.set(aside.attachment, text);
  return aside;
}

export function attachmentOf(digest: string, { attachments }: KeptRun): string {
  const text = attachments.get(digest);
  if (text === undefined) throw unreadable(`attachment ${JSON.stringify(digest)}`);
  return text;
}

function unreadable(what: string): AssayError {
  return new AssayError('run-unreadable', `cannot read ${what}: it is not in this store`, {
    stage: 'log',
    hint: 'name a run that this store has created',
  });
}
