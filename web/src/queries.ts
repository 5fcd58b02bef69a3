import { skipToken, useQuery } from '@tanstack/react-query';

import type { RunChange } from '../../src/api/resources/feed.ts';
import type { RunResource } from '../../src/api/resources/run.ts';
import type { TrialResource, WholeTrial } from '../../src/api/resources/trial.ts';
import { api } from './api.ts';
import { asked, usePages } from './asked.ts';
import type { Compared } from './compared.ts';
import { askedOf, type TrialFilters } from './filters.ts';
import { gradingsOf, type Grading } from './gradings.ts';

const PAGE = 200;

/** A run. What changes while a page shows it comes by its feed. */
export function useRun(run: string) {
  return useQuery(runQuery(run));
}

export const runQuery = (run: string) => asked<'getRun'>(['run', run], '/runs/{run}', { path: { run } });

export interface ListedTrials {
  readonly run: string;
  readonly filters: TrialFilters;
}

export function useTrials({ run, filters }: ListedTrials) {
  return usePages<'listTrials'>(['trials', run, filters], '/runs/{run}/trials', {
    path: { run },
    query: { ...askedOf(filters), limit: PAGE },
  });
}

export function useMatrix(run: string) {
  return usePages<'getMatrix'>(['matrix', run], '/runs/{run}/matrix', {
    path: { run },
    query: { limit: 50 },
  });
}

/** What the feed told of a run last; undefined: nothing yet. */
export function useProgress(run: string): RunChange | undefined {
  return useQuery<RunChange>({ queryKey: ['progress', run], queryFn: skipToken }).data;
}

export function useRunCost(run: string) {
  return useQuery(asked<'getRunCost'>(['measures', run, 'cost'], '/runs/{run}/cost', { path: { run } }));
}

export function useJudges(run: string) {
  return useQuery(asked<'listJudges'>(['measures', run, 'judges'], '/runs/{run}/judges', { path: { run } }));
}

export function useDistributions(run: string, { enabled }: { readonly enabled: boolean }) {
  return useQuery({
    ...asked<'getRunDistributions'>(['measures', run, 'distributions'], '/runs/{run}/distributions', {
      path: { run },
    }),
    enabled,
  });
}

/** A trial. `grading`: as that run graded it again; until it is there, the former grading stays. */
export function useTrial(run: string, trial: string, grading?: string) {
  const query = grading === undefined ? {} : { grading };
  return useQuery({
    ...asked<'getTrial'>(['trial', run, trial, grading], '/runs/{run}/trials/{trial}', {
      path: { run, trial },
      query,
    }),
    placeholderData: (former: WholeTrial | undefined, of) =>
      of?.queryKey[1] === run && of.queryKey[2] === trial ? former : undefined,
  });
}

/** The same trial as it was graded at first, and as other runs graded it again. */
export function useGradings(run: string, trial: TrialResource): readonly Grading[] {
  const gradings = useQuery({
    queryKey: ['gradings', run, trial.number],
    queryFn: ({ signal }) => gradingsOf(api, { run, trial, signal }),
    staleTime: 60_000,
  });
  return gradings.data ?? [];
}

export function useTranscript(run: string, trial: string) {
  return usePages<'getTranscript'>(['transcript', run, trial], '/runs/{run}/trials/{trial}/transcript', {
    path: { run, trial },
    query: { limit: PAGE },
  });
}

export interface RunFilters {
  readonly search?: string;
  readonly target?: string;
  readonly state?: string;
  /** Only archived ones. */
  readonly archived?: true;
}

type State = NonNullable<Parameters<typeof api<'listRuns'>>[1]['query']>['state'];

export function useRuns({ state, search, target, archived }: RunFilters) {
  const query = {
    ...(archived === true ? { archived: 'true' as const } : {}),
    ...(search === undefined ? {} : { search }),
    ...(target === undefined ? {} : { target }),
    ...(state === undefined ? {} : { state: state as Extract<State, string> }),
  };
  return usePages<'listRuns'>(['runs', query], '/runs', { path: {}, query });
}

/** Runs that go on, of all ages: to find them takes a look at every run, so that only beginnings and ends ask again. */
export function useRunning() {
  return useQuery({
    ...asked<'listRuns'>(['running'], '/runs', { path: {}, query: { state: 'running' } }),
    staleTime: 60_000,
  });
}

/** Runs of the same tests that began before this one, newest first: those with some of its targets, or all. */
export function useRunsBefore(
  { id, line, started_at: started, targets }: RunResource,
  { enabled, of }: { readonly enabled: boolean; readonly of: 'its-targets' | 'all-targets' },
) {
  return useQuery({
    ...asked<'listRuns'>(['runs-before', id, of], '/runs', {
      path: {},
      query: {
        ...(line === null ? {} : { line }),
        ...(started === null ? {} : { until: started }),
        state: ['completed', 'stopped', 'interrupted'],
        kind: 'run',
        ...(of === 'its-targets' ? { target: [...targets] } : {}),
      },
    }),
    enabled: enabled && line !== null && started !== null,
    staleTime: 60_000,
  });
}

export interface TrendFilters {
  readonly target?: string;
  readonly line?: string;
  readonly since?: string;
  readonly until?: string;
}

export function useTrends(filters: TrendFilters) {
  return useQuery(asked<'listTrends'>(['trends', filters], '/trends', { path: {}, query: filters }));
}

export function useComparison(compared: Compared, { enabled = true }: { readonly enabled?: boolean } = {}) {
  return useQuery({
    ...asked<'compareRuns'>(['comparison', compared], '/comparisons', { path: {}, query: sidesOf(compared) }),
    enabled,
    retry: false,
  });
}

export function useTagComparisons(compared: Compared) {
  return useQuery({
    ...asked<'compareTags'>(['tag-comparisons', compared], '/comparisons/tags', {
      path: {},
      query: sidesOf(compared),
    }),
    retry: false,
  });
}

function sidesOf({ across, ...sides }: Compared) {
  return { ...sides, ...(across === undefined ? {} : { across: [...across] }) };
}
