import { join } from 'node:path';

import { messageOf } from '../core/errors.ts';
import { emptyTally, type Tally } from '../core/tally.ts';
import { listRuns } from '../storage/run-directory/find.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import { readManifest } from '../storage/run-directory/manifest.ts';
import { runPaths } from '../storage/run-directory/paths.ts';
import { statuses } from '../storage/run-directory/row-lines.ts';
import { outcomesOf, outcomeText } from '../sinks/outcomes.ts';
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
  const { id, kind, startedAt, suites, targets, trials, exitCode, partial } = manifest;
  const state = presentState(paths, manifest);
  const byStatus = { ...emptyTally.byStatus };
  for await (const status of statuses(paths)) byStatus[status] += 1;
  const names = { suites: suites.map((suite) => suite.id), targets: targets.map((target) => target.name) };
  return {
    id,
    kind,
    state,
    startedAt,
    ...names,
    trials,
    ...(partial === undefined ? {} : { partial }),
    counts: countsOf(byStatus),
    byStatus,
    exitCode: exitCode ?? null,
  };
}

/** By verdict, as everywhere in JSON. */
function countsOf(byStatus: Tally['byStatus']) {
  const { 'expected-failed': expected, 'unexpected-passed': unexpected, ...same } = byStatus;
  const total = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  return { total, ...same, passed: same.passed + unexpected, failed: same.failed + expected };
}

/** Named even where there are none. */
const USUAL: readonly string[] = ['passed', 'failed', 'errored'];

/** Counted as the end of the run counted. */
function lineOf(run: Awaited<ReturnType<typeof describe>>): string {
  const { total } = run.counts;
  const suites = run.suites.length > 2 ? `${run.suites.length} suites` : run.suites.join(', ');
  const state = run.kind === 'grade' ? `${run.state} (grade)` : run.state;
  const counts = outcomesOf({ byStatus: run.byStatus, skippedBy: {} })
    .filter(({ title, count }) => count > 0 || USUAL.includes(title))
    .map((outcome) => (outcome.title === 'skipped' ? `${outcome.count} skipped` : outcomeText(outcome)))
    .join(', ');
  const missing = total < run.trials ? ` (${run.trials - total} have no end)` : '';
  const partial =
    run.partial === undefined ? '' : ` (partial: without ${run.partial.missingShards.join(', ')})`;
  const what = `${suites}  -> ${run.targets.join(', ')}`;
  return `${stripLine(`${run.id}  ${state.padEnd(11)}  ${counts} of ${run.trials}${missing}${partial}  ${what}`)}\n`;
}
