import { AssayError } from '../../core/errors.ts';
import { MOST_STORED_TRIALS } from '../../core/most-trials.ts';
import type { RunOptions } from '../../core/run-options.ts';

/** Throws `too-many-trials` for a plan that the store does not keep. */
export function refuseLarge(
  { size }: { readonly size: number },
  { stored }: Pick<RunOptions, 'stored'>,
): void {
  if (stored !== true || size <= MOST_STORED_TRIALS) return;
  throw new AssayError(
    'too-many-trials',
    `the run would have ${size} trials, but at most ${MOST_STORED_TRIALS} are allowed`,
    {
      stage: 'plan',
      hint: 'ask for fewer repetitions, or divide the cases into several runs',
    },
  );
}
