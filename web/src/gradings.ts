import type { apiClient } from '../../src/api/client.ts';
import type { RunResource } from '../../src/api/resources/run.ts';
import type { TrialResource } from '../../src/api/resources/trial.ts';

const MOST = 200;

/** How a trial was graded once. */
export interface Grading {
  /** The run that graded it. */
  readonly run: RunResource;
  readonly trial: TrialResource;
  /** Where a page shows it. */
  readonly at: { readonly run: string; readonly grading?: string };
}

interface Graded {
  /** Id of the run that the trial is in. */
  readonly run: string;
  readonly trial: Pick<TrialResource, 'number' | 'suite' | 'case_id' | 'target'>;
  readonly signal: AbortSignal;
}

type Api = ReturnType<typeof apiClient>;

/** The gradings of a trial: the first one, then those of later runs, newest first. Those that cannot be read are left out. */
export async function gradingsOf(api: Api, { run: id, trial, signal }: Graded): Promise<readonly Grading[]> {
  const run = await api<'getRun'>('/runs/{run}', { path: { run: id } }, { signal });
  const source = run.source_run_id ?? run.id;
  const query = { kind: 'grade', source_run_id: source, limit: MOST } as const;
  const again = await api<'listRuns'>('/runs', { path: {}, query }, { signal });
  const first =
    source === run.id
      ? run
      : await api<'getRun'>('/runs/{run}', { path: { run: source } }, { signal }).catch(none);
  const found = [first ?? [], again.data].flat().map(async (each) => {
    const same = await sameTrial(api, each.id, { trial, signal });
    const isSource = each.id === source;
    // Without the run it was taken from, a grading is shown by itself.
    const at = isSource || first === undefined ? { run: each.id } : { run: source, grading: each.id };
    // A run that graded only some trials again lacks the others.
    return same === undefined ? [] : [{ run: each, trial: same, at }];
  });
  const read = await Promise.all(found.map((each) => each.catch(() => [])));
  return read.flat();
}

const none = () => undefined;

async function sameTrial(
  api: Api,
  run: string,
  { trial: { number, suite, case_id, target }, signal }: Omit<Graded, 'run'>,
): Promise<TrialResource | undefined> {
  const query = { suite, test_case_id: case_id, target, limit: MOST };
  const trials = await api<'listTrials'>('/runs/{run}/trials', { path: { run }, query }, { signal });
  return trials.data.find((each) => each.number === number);
}
