import { join } from 'node:path';

import { runFold } from '../core/run-view.ts';
import { listRuns } from '../storage/run-directory/find.ts';
import { readManifest } from '../storage/run-directory/manifest.ts';
import { runPaths } from '../storage/run-directory/paths.ts';
import { openRunReader } from '../storage/run-directory/reader.ts';
import { outputDirectory } from './output-directory.ts';
import type { Surroundings } from './run-options.ts';

export interface ListRequest {
  readonly out?: string;
  readonly limit: number;
  readonly form: 'text' | 'json';
}

/** Stored runs, newest first: id, state, what was run, what it came to. */
export async function describeRuns(request: ListRequest, surroundings: Surroundings): Promise<string> {
  const directory = await outputDirectory(request.out, surroundings);
  const ids = listRuns(directory).toReversed().slice(0, request.limit);
  if (ids.length === 0 && request.form === 'text') return `no runs in ${directory}\n`;
  let text = '';
  for (const id of ids) {
    const described = await describe(join(directory, id));
    text += request.form === 'json' ? `${JSON.stringify(described)}\n` : lineOf(described);
  }
  return text;
}

async function describe(directory: string) {
  const paths = runPaths(directory);
  const { id, kind, state, startedAt, suites, targets, trials, exitCode } = readManifest(paths);
  const fold = runFold();
  for await (const row of openRunReader(paths).rows()) fold.add(row);
  const { counts } = fold.view().total;
  const names = { suites: suites.map((suite) => suite.id), targets: targets.map((target) => target.name) };
  return { id, kind, state, startedAt, ...names, trials, counts, exitCode: exitCode ?? null };
}

function lineOf(run: Awaited<ReturnType<typeof describe>>): string {
  const { passed, failed, errored, skipped } = run.counts;
  const suites = run.suites.length > 2 ? `${run.suites.length} suites` : run.suites.join(', ');
  const state = run.kind === 'grade' ? `${run.state} (grade)` : run.state;
  const counts = `${passed} passed, ${failed} failed, ${errored} errored${skipped === 0 ? '' : `, ${skipped} skipped`}`;
  return `${run.id}  ${state.padEnd(11)}  ${counts} of ${run.trials}  ${suites}  -> ${run.targets.join(', ')}\n`;
}
