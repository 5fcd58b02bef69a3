import type { TrialResource } from '../api/resources/trial.ts';
import { frozenOf } from '../app/show/frozen-of.ts';
import { judgeNotes } from '../app/view/judge-notes.ts';
import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { StoredRun } from '../core/run-store.ts';
import type { Row } from '../core/run.ts';
import { trialKey } from '../core/trial.ts';
import type { Handlers } from './operation.ts';
import { Refusal } from './refusal.ts';
import type { TrialLists } from './listed-trial.ts';
import { markOf } from './trial-resource.ts';

/** Shows one trial whole, as its run graded it or as another run graded it again. */
export function wholeTrialHandlers(runs: RunSummaries, lists: TrialLists): Pick<Handlers, 'getTrial'> {
  return {
    getTrial: async ({ path, query: { grading } }) => {
      const run = await runs.run(path.run);
      const { id, trial: own } = await lists.find(run, path.trial);
      const graded = grading === undefined ? run : await gradingOf(run, grading, runs);
      const { trial } = await lists.find(graded, own.key);
      const row = await rowOf(graded, trial);
      const { projectRoot, digests } = await graded.manifest();
      const repetitions = (await lists.repetitions(graded, id)).map((each) => ({
        key: each.key,
        ...markOf(each),
      }));
      return {
        ...trial,
        grading: grading === undefined ? null : graded.name,
        row,
        frozen: await frozenOf(graded, row, digests),
        artifacts: await run.artifacts(id),
        repetitions,
        judges: judgeNotes(row.grades, digests, runs.calibrations(projectRoot)),
      };
    },
  };
}

/** The run that graded the trials of a run again. Throws a refusal if the named run did not. */
async function gradingOf(run: StoredRun, named: string, runs: RunSummaries): Promise<StoredRun> {
  const grading = await runs.run(named);
  const { kind, sourceRunId } = await grading.head();
  if (kind === 'grade' && sourceRunId === run.name) return grading;
  throw new Refusal(404, {
    code: 'grading-not-found',
    message: `${grading.name} is not a grade run of ${run.name}`,
    param: 'grading',
    hint: `GET /runs?source_run_id=${run.name} lists its grade runs`,
  });
}

async function rowOf(run: StoredRun, { case_id, key }: TrialResource): Promise<Row> {
  const asked = await run.index?.trial(key);
  if (asked !== undefined) return asked;
  for await (const row of run.rowsOfCases(new Set([case_id]))) if (trialKey(row) === key) return row;
  throw new Refusal(404, {
    code: 'trial-not-found',
    message: `trial ${key} of ${run.name} no longer exists`,
    hint: `GET /runs/${run.name}/trials lists its trials`,
  });
}
