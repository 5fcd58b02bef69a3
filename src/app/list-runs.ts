import { join } from 'node:path';

import { messageOf } from '../core/errors.ts';
import { listRuns } from '../storage/run-directory/find.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import { readManifest } from '../storage/run-directory/manifest.ts';
import { runPaths } from '../storage/run-directory/paths.ts';
import { verdicts } from '../storage/run-directory/row-lines.ts';
import { outputDirectory } from './project/output-directory.ts';
import { presentState } from './show/present-state.ts';
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
  for (const id of ids) text += await entryOf(id, join(directory, id), request.form);
  return text;
}

/** A run that cannot be read is no reason to keep silent about the others. */
async function entryOf(id: string, directory: string, form: ListRequest['form']): Promise<string> {
  try {
    const described = await describe(directory);
    return form === 'json' ? `${JSON.stringify(described)}\n` : lineOf(described);
  } catch (error) {
    const message = messageOf(error);
    if (form === 'json') return `${JSON.stringify({ id, state: 'unreadable', error: message })}\n`;
    return `${stripLine(`${id}  ${'unreadable'.padEnd(11)}  ${message}`)}\n`;
  }
}

async function describe(directory: string) {
  const paths = runPaths(directory);
  const manifest = readManifest(paths);
  const { id, kind, startedAt, suites, targets, trials, exitCode } = manifest;
  const state = presentState(paths, manifest);
  const counts = { total: 0, passed: 0, failed: 0, errored: 0, skipped: 0, cancelled: 0 };
  for await (const verdict of verdicts(paths)) {
    counts.total += 1;
    counts[verdict] += 1;
  }
  const names = { suites: suites.map((suite) => suite.id), targets: targets.map((target) => target.name) };
  return { id, kind, state, startedAt, ...names, trials, counts, exitCode: exitCode ?? null };
}

function lineOf(run: Awaited<ReturnType<typeof describe>>): string {
  const { passed, failed, errored, skipped, total } = run.counts;
  const suites = run.suites.length > 2 ? `${run.suites.length} suites` : run.suites.join(', ');
  const state = run.kind === 'grade' ? `${run.state} (grade)` : run.state;
  const counts = `${passed} passed, ${failed} failed, ${errored} errored${skipped === 0 ? '' : `, ${skipped} skipped`}`;
  const missing = total < run.trials ? ` (${run.trials - total} have no end)` : '';
  const what = `${suites}  -> ${run.targets.join(', ')}`;
  return `${stripLine(`${run.id}  ${state.padEnd(11)}  ${counts} of ${run.trials}${missing}  ${what}`)}\n`;
}
