import { MOST_STORED_TRIALS } from '../../../core/most-trials.ts';
import { invalidUpload } from '../../../core/run-upload.ts';
import type { Queries } from '../database.ts';
import {
  forgetPlanned,
  isSamePlan,
  plannedTrials,
  planTrials,
  type PlannedSpec,
} from '../runs/plan-trials.ts';

/**
 * Writes the trials of an uploaded plan that have not begun. Not of a plan that numbers other trials than the log does,
 * because it was changed during the run: its trials get their numbers from the log.
 */
export async function planUploaded(queries: Queries, run: string, spec: PlannedSpec): Promise<void> {
  const size = sizeOf(spec);
  if (size > MOST_STORED_TRIALS)
    throw invalidUpload(`its plan has ${size} trials, but at most ${MOST_STORED_TRIALS} are allowed`);
  const [{ plan } = { plan: null }] = await queries.query<{ plan: string | null }>(
    'select plan from run where id = $1',
    [run],
  );
  if (plan !== null && !isSamePlan(JSON.parse(plan) as PlannedSpec, spec)) await forgetPlanned(queries, run);
  const known = await queries.query<{ key: string; number: number }>(
    'select key, number from trial where run_id = $1',
    [run],
  );
  const numbers = new Map(known.map(({ key, number }) => [key, number]));
  let agreeing = 0;
  for (const { key, number } of plannedTrials(spec)) if (numbers.get(key) === number) agreeing += 1;
  if (agreeing === known.length) await planTrials(queries, run, spec);
}

function sizeOf({ kinds, cases }: PlannedSpec): number {
  const ofKind = kinds.map(({ targets, repeat }) => targets.length * repeat);
  return cases.kind.reduce((sum, kind) => sum + (ofKind[kind] ?? 0), 0);
}
