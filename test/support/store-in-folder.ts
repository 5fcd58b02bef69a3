import { beforeEach } from 'vitest';

import type { Manifest } from '../../src/core/manifest.ts';
import type { OpenRun, RunStore, StoredRun } from '../../src/core/run-store.ts';
import { manifestOf } from '../../src/storage/run-directory/fixtures/runs.ts';
import { redactor } from './written-runs.ts';
import { folderOfTest } from './test-folders.ts';

/** A kind of store. */
export interface StoreKind {
  /** A store of runs in this folder, which is the working directory too. */
  open(folder: string): RunStore;
  /** Whether another store on the same folder has the same runs. */
  readonly isDurable: boolean;
}

export interface StoreInFolder {
  store(): RunStore;
  folder(): string;
  begin(startedAt?: number, overrides?: Partial<Manifest>): Promise<OpenRun>;
  /** A run as others read it. */
  anew(run: OpenRun): StoredRun;
}

/** Gives each test of a block a store of its own. */
export function storeInFolder({ open }: StoreKind): StoreInFolder {
  let folder: string;
  let store: RunStore;
  beforeEach(() => {
    folder = folderOfTest('assay-contract-');
    store = open(folder);
  });
  return {
    store: () => store,
    folder: () => folder,
    begin: (startedAt = START, overrides = {}) =>
      store.create({
        startedAt,
        redactor,
        manifest: (id) => manifestOf({ id, state: 'running', ...overrides }),
      }),
    anew: (run) => store.open(run.manifest.id),
  };
}

export const START = Date.UTC(2026, 0, 1, 3, 4, 5);
export const DAY = 86_400_000;
