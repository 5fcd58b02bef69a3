import { basename, dirname } from 'node:path';

import { outputDirectory } from '../app/project/output-directory.ts';
import { watchedRunsIn } from '../app/runs.ts';
import type { Surroundings } from '../app/surroundings.ts';
import { assayVersion } from '../app/version.ts';
import { runSummaries } from '../app/view/run-summaries.ts';
import type { RunStore } from '../core/run-store.ts';
import { builtDashboard } from './built-dashboard.ts';
import type { RunningServer } from './server.ts';
import { startView, type ViewOptions } from './view.ts';

export interface ViewRequest extends Pick<ViewOptions, 'port' | 'onFault'> {
  /** Folder of stored runs. Absent: the default of `assay run`. */
  readonly out?: string;
  /** The run to show first. */
  readonly run: string | undefined;
}

/** Opens the dashboard over the run directories of a project. Its address is that of the named run. */
export async function openView(request: ViewRequest, surroundings: Surroundings): Promise<RunningServer> {
  const { store, first } = await storeWith(request, surroundings);
  const view = await startView({
    runs: runSummaries(store),
    settings: {
      mode: 'view',
      version: assayVersion(),
      project: basename(surroundings.cwd),
      auth: 'none',
      database: null,
      targets: [],
      has_user: false,
      has_judge: false,
      repetitions: 1,
    },
    dashboard: builtDashboard(),
    port: request.port,
    onFault: request.onFault,
  });
  const url = first === undefined ? view.url : `${view.url}/runs/${encodeURIComponent(first)}`;
  return { url, [Symbol.asyncDispose]: () => view[Symbol.asyncDispose]() };
}

/** A run in another folder is shown together with the runs of that folder. */
async function storeWith(
  { out, run: reference }: ViewRequest,
  surroundings: Surroundings,
): Promise<{ readonly store: RunStore; readonly first?: string }> {
  const store = watchedRunsIn(await outputDirectory(out, surroundings), surroundings);
  if (reference === undefined) return { store };
  const { run } = await store.find(reference);
  const isListed = run.reference === run.name;
  return { store: isListed ? store : watchedRunsIn(dirname(run.place), surroundings), first: run.name };
}
