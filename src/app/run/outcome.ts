import { totalsOf } from '../../core/totals.ts';
import type { RunResult } from './conduct-run.ts';
import type { RunOutcome } from '../presentation.ts';

/** What a command gives back of a conducted run. */
export function outcomeOf({ id, directory, exitCode, view, judged }: RunResult): RunOutcome {
  return {
    exitCode,
    unwritten: view.sinkErrors,
    summary: {
      id,
      directory,
      state: view.state,
      exitCode,
      totals: totalsOf(view.total),
      ...(judged === undefined ? {} : { gates: judged.gates }),
      ...(judged?.baseline === undefined ? {} : { baseline: judged.baseline }),
    },
  };
}
