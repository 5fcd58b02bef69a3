import { openRuns } from '../runs.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { STORED_SUITE } from '../../core/test-case.ts';
import type { Surroundings } from '../surroundings.ts';

interface FailedRequest {
  readonly options: Pick<RunOptions, 'failed' | 'stored'>;
  readonly surroundings: Surroundings;
  readonly out?: string | undefined;
}

/** Suite ids of the run of `--failed`. Undefined without that flag, or if the run cannot be read, which is reported later. */
export async function suitesOfFailed({
  options,
  surroundings,
  out,
}: FailedRequest): Promise<ReadonlySet<string> | undefined> {
  if (options.failed === undefined || options.stored === true) return undefined;
  try {
    const { run } = await (await openRuns(out, surroundings)).find(options.failed);
    const ids = (await run.head()).suites.map(({ id }) => id);
    return ids.includes(STORED_SUITE) ? undefined : new Set(ids);
  } catch {
    return undefined;
  }
}
