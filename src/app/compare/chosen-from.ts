import { basename } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { RunStore } from '../../core/run-store.ts';

type Origin = Pick<Manifest, 'id' | 'sourceRunId' | 'mergedFrom' | 'chosenFrom' | 'settings'>;

/** The run and all runs whose trials it contains, because it graded or merged them, possibly in several steps. */
export async function trialsFrom(origin: Origin, runs: Pick<RunStore, 'find'>): Promise<readonly string[]> {
  const found = new Set([origin.id, ...madeOf(origin)]);
  for (const id of found) {
    if (id === origin.id) continue;
    for (const source of madeOf(await headOf(id, runs))) found.add(source);
  }
  return [...found];
}

/** The direct sources of a run. */
export function madeOf({ sourceRunId, mergedFrom = [] }: Pick<Origin, 'sourceRunId' | 'mergedFrom'>) {
  return sourceRunId === undefined ? mergedFrom : [sourceRunId, ...mergedFrom];
}

/** Undefined for a removed run, of which only the id is known. */
async function headOf(id: string, runs: Pick<RunStore, 'find'>) {
  try {
    return await (await runs.find(id)).run.head();
  } catch (error) {
    if (error instanceof AssayError && error.code.startsWith('run-')) return {};
    throw error;
  }
}

/** The runs whose outcomes selected the cases of a run. Older versions stored them only in the options. */
export function chosenFrom({ chosenFrom: told, settings }: Origin): readonly string[] {
  if (told !== undefined) return told;
  const failed = settings.options?.failed;
  return typeof failed === 'string' ? [basename(failed.split('#')[0] ?? failed)] : [];
}

/** The ids to store in a run whose cases are selected by the outcomes of `source`. */
export async function choiceOf(source: Origin, runs: Pick<RunStore, 'find'>): Promise<readonly string[]> {
  return [...new Set([...(await trialsFrom(source, runs)), ...chosenFrom(source)])];
}
