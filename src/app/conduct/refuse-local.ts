import { AssayError } from '../../core/errors.ts';
import type { BoundRun } from '../binding/bind.ts';
import type { TokenBaselines } from '../running/code-suites/token-baselines.ts';

/** Throws if workers would run trials whose results depend on files of this process. */
export function refuseLocalOfWorkers(
  { spec, machine }: BoundRun,
  tokenBaselines: TokenBaselines | undefined,
): void {
  const { cassette } = spec.options;
  if (tokenBaselines?.hasCells === true)
    throw refused(
      '`snapshots`',
      'the baseline of a case is checked and recorded in a file of one machine',
      'start the suites with snapshots without --workers, and the others with it',
    );
  if (cassette !== undefined && cassette.mode !== 'replay')
    throw refused(`--mode ${cassette.mode}`, 'each worker would record answers on its own machine');
  if ((spec.options.cache ?? machine.run.cache) === true)
    throw refused(
      spec.options.cache === true ? '`--cache`' : '`run.cache`',
      'answers are cached on one machine',
      'use --no-cache, or start the run without --workers',
    );
}

function refused(what: string, why: string, hint = 'start the run without --workers'): AssayError {
  return new AssayError('usage', `${what} cannot be used with --workers: ${why}`, { stage: 'plan', hint });
}
