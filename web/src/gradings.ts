import type { apiClient } from '../../src/api/client.ts';
import type { RunResource } from '../../src/api/resources/run.ts';
import type { TrialResource } from '../../src/api/resources/trial.ts';

const MOST = 200;

export interface Grading {
  readonly run: RunResource;
  readonly trial: TrialResource;
}

interface Graded {
  /** Id of the run that the trial is in. */
  readonly run: string;
  readonly trial: Pick<TrialResource, 'number' | 'suite' | 'case_id' | 'target'>;
  readonly signal: AbortSignal;
}

type Api = ReturnType<typeof apiClient>;

/** The same trial in the run it was taken from, and in the newest that graded it again; those that cannot be read are left out. */
export async function gradingsOf(api: Api, { run: id, trial, signal }: Graded): Promise<readonly Grading[]> {
  const run = await api<'getRun'>('/runs/{run}', { path: { run: id } }, { signal });
  const source = run.source_run_id ?? run.id;
  const query = { kind: 'grade', source_run_id: source, limit: MOST } as const;
  const graded = await api<'listRuns'>('/runs', { path: {}, query }, { signal });
  const original =
    source === run.id ? [] : [api<'getRun'>('/runs/{run}', { path: { run: source } }, { signal })];
  const others = graded.data.filter((each) => each.id !== run.id);
  const found = [...original, ...others].map(async (each) => {
    const other = await each;
    const again = await sameTrial(api, other.id, { trial, signal });
    // A run that graded only some trials again lacks the others.
    return again === undefined ? [] : [{ run: other, trial: again }];
  });
  const read = await Promise.all(found.map((each) => each.catch(() => [])));
  return read.flat();
}

async function sameTrial(
  api: Api,
  run: string,
  { trial: { number, suite, case_id, target }, signal }: Omit<Graded, 'run'>,
): Promise<TrialResource | undefined> {
  const query = { suite, test_case_id: case_id, target, limit: MOST };
  const trials = await api<'listTrials'>('/runs/{run}/trials', { path: { run }, query }, { signal });
  return trials.data.find((each) => each.number === number);
}
