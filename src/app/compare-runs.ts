import type { RunComparison } from '../core/run-comparison.ts';
import { comparedRun, compareStored, type CompareSettings } from './compare/compare-stored.ts';
import { compareBy, type CompareBySettings } from './compare/compare-by.ts';
import { EXIT } from './exit-code.ts';
import { openRuns } from './runs.ts';
import type { Surroundings } from './surroundings.ts';

export interface CompareRequest extends CompareSettings {
  /** `RUN` or `RUN#TARGET`. */
  readonly base: string;
  readonly candidate: string;
  readonly out?: string;
}

/** Compares two stored runs, target by target. */
export async function compareRuns(
  request: CompareRequest,
  surroundings: Surroundings,
): Promise<RunComparison> {
  const runs = await openRuns(request.out, surroundings);
  const base = await comparedRun(request.base, runs);
  return await compareStored(base, await comparedRun(request.candidate, runs), request);
}

/** Compares the values of one dimension of the variants of a run. */
export async function compareVariants(
  { run, out, ...settings }: CompareBySettings & { readonly run: string; readonly out?: string },
  surroundings: Surroundings,
): Promise<RunComparison> {
  const runs = await openRuns(out, surroundings);
  return await compareBy(await comparedRun(run, runs), settings);
}

/** The exit code of `assay compare`. */
export function comparisonExitCode({ verdict }: RunComparison, failOn: readonly string[]): number {
  if (verdict === 'regressed' || failOn.includes(verdict)) return EXIT.failed;
  return verdict === 'invalid' ? EXIT.invalid : EXIT.ok;
}
