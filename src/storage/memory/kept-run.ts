import { join } from 'node:path';

import type { Manifest } from '../../core/manifest.ts';
import { attached } from '../runs/detach.ts';
import { readable } from '../../core/readable.ts';
import { runPaths, type RunPaths } from '../run-directory/paths.ts';

/** A run as memory keeps it: JSON texts, so that nobody changes what is kept and readers get copies. */
export interface KeptRun {
  readonly id: string;
  /** Where its artifacts lie; nothing else of it is a file. */
  readonly paths: RunPaths;
  manifest: string | undefined;
  spec: string | undefined;
  readonly events: string[];
  rows: string[];
  /** JSON of what its end told of costs. */
  costs: string | undefined;
  readonly frozen: Map<string, string>;
  readonly attachments: Map<string, string>;
  isClaimed: boolean;
}

export function keptRun(id: string, directory: string): KeptRun {
  return {
    id,
    paths: runPaths(directory),
    manifest: undefined,
    spec: undefined,
    events: [],
    rows: [],
    costs: undefined,
    frozen: new Map(),
    attachments: new Map(),
    isClaimed: false,
  };
}

export function manifestOf({ paths, manifest }: KeptRun): Manifest {
  return JSON.parse(there(paths.manifest, manifest)) as Manifest;
}

/** Puts a text aside, under its sha-256. */
export function attach(text: string, { attachments }: KeptRun) {
  const aside = attached(text);
  attachments.set(aside.attachment, text);
  return aside;
}

export function attachmentOf(digest: string, { paths, attachments }: KeptRun): string {
  return there(join(paths.attachments, digest), attachments.get(digest));
}

function there(place: string, text: string | undefined): string {
  return readable(place, () => {
    if (text === undefined) throw new Error('this store does not have it');
    return text;
  });
}
