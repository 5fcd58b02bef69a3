import type { Problem } from '../../core/problem.ts';

/** Whether the plan will have the same trials once the mistakes are corrected, so that gates can be held against it. */
export function isPlanCertain(ofRequest: readonly Problem[], ofFiles: readonly Problem[]): boolean {
  return ofFiles.length === 0 && ofRequest.every(({ path: [key] = [] }) => APART.has(String(key)));
}

/** Keys of a request that do not decide which trials are planned. */
const APART: ReadonlySet<string> = new Set([
  'name',
  'note',
  'line',
  'tags',
  'user',
  'limits',
  'on_limit',
  'first_speaker',
  'difficulty_weights',
  'concurrency',
  'budget_usd',
  'allow_unknown_cost',
  'max_errored',
  'fail_fast',
  'strict',
  'gates',
  'baseline',
  'dry_run',
]);
