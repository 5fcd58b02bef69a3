import { join } from 'node:path';

import type { Manifest } from '../../core/manifest.ts';
import { attached } from '../runs/detach.ts';
import { readable } from '../../core/readable.ts';
import { runPaths, type RunPaths } from '../run-directory/paths.ts';

/** A run in memory, as JSON texts, so that stored data cannot be changed and readers get copies. */
export interface KeptRun {
  readonly id: string;
  /** Paths of its artifacts, the only part that is in files. */
  readonly paths: RunPaths;
  manifest: string | undefined;
  spec: string | undefined;
  readonly events: string[];
  rows: string[];
  /** Costs at its end, as JSON. */
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

/** Stores a text under its sha-256. */
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
    if (text === undefined) throw new Error('the memory store does not contain it');
    return text;
  });
}
