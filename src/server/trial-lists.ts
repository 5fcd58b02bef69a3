import { askedTrials, markedCases } from './asked-trials.ts';
import { keptTrials } from './kept-trials.ts';
import { listedTrial, type TrialLists } from './listed-trial.ts';
import { Refusal } from './refusal.ts';
import { trialResource } from './trial-resource.ts';

/** The trials of runs: asked of those that have an index, and cached of the others. */
export function trialLists(): TrialLists {
  const kept = keptTrials();
  return {
    of: kept.of,
    page: (run, asked) => (run.index === undefined ? kept.page(run, asked) : askedTrials(run.index, asked)),
    async find(run, named) {
      const found = run.index === undefined ? await kept.find(run, named) : await run.index.trial(named);
      if (found !== undefined) return 'trial' in found ? found : listedTrial(found);
      throw new Refusal(404, {
        code: 'trial-not-found',
        message: `${run.name} has no finished trial ${named}`,
        hint: `GET /runs/${run.name}/trials lists its finished trials`,
      });
    },
    repetitions: async (run, of) =>
      run.index === undefined
        ? await kept.repetitions(run, of)
        : (await run.index.repetitions(of)).map(trialResource),
    cases: (run, asked) => (run.index === undefined ? kept.cases(run, asked) : markedCases(run.index, asked)),
  };
}
