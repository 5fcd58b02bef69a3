import { createRoute } from '@tanstack/react-router';

import { comparedOf } from '../compared.ts';
import { textsOf, trialFilters, type TrialFilters } from '../filters.ts';
import { ComparePage } from '../pages/compare.tsx';
import { CostPage } from '../pages/cost.tsx';
import { OverviewPage } from '../pages/overview.tsx';
import { RunPage } from '../pages/run.tsx';
import { RunsPage } from '../pages/runs.tsx';
import { SidesPage } from '../pages/sides.tsx';
import { TrendsPage } from '../pages/trends.tsx';
import { TrialPage } from '../pages/trial.tsx';
import type { RunFilters, TrendFilters } from '../queries.ts';
import { getParentRoute } from './root.ts';

const overviewRoute = createRoute({ getParentRoute, path: '/', component: OverviewPage });

export interface RunsSearch extends RunFilters {
  /** Ids of selected runs. */
  readonly pick?: readonly string[];
}

const runsRoute = createRoute({
  getParentRoute,
  path: '/runs',
  component: RunsPage,
  validateSearch: (search): RunsSearch => {
    return {
      ...textsOf(search, ['search', 'target', 'state']),
      ...(search['archived'] === true ? { archived: true } : {}),
      ...pickOf(search),
    };
  },
});

function pickOf(search: Readonly<Record<string, unknown>>): { readonly pick?: readonly string[] } {
  const pick = [search['pick']].flat().filter((id) => typeof id === 'string');
  return pick.length === 0 ? {} : { pick };
}

const runRoute = createRoute({
  getParentRoute,
  path: '/runs/$run',
  component: RunPage,
  validateSearch: trialFilters,
});

interface TrialSearch extends TrialFilters {
  /** The run that graded it again; without it, the trial is as its own run graded it. */
  readonly grading?: string;
}

const trialRoute = createRoute({
  getParentRoute,
  path: '/runs/$run/trials/$trial',
  component: TrialPage,
  validateSearch: (search): TrialSearch => ({ ...trialFilters(search), ...textsOf(search, ['grading']) }),
});

const costRoute = createRoute({ getParentRoute, path: '/runs/$run/cost', component: CostPage });

const compareRoute = createRoute({
  getParentRoute,
  path: '/compare',
  component: ComparePage,
  validateSearch: comparedOf,
});

const SIDES = [
  'base_target',
  'base_trial',
  'candidate_target',
  'candidate_trial',
  'suite',
  'test_case_id',
] as const;

const sidesRoute = createRoute({
  getParentRoute,
  path: '/compare/trials',
  component: SidesPage,
  validateSearch: (search) => ({ ...comparedOf(search), ...textsOf(search, SIDES) }),
});

interface TrendsSearch extends TrendFilters {
  /** Selected points, as `RUN#TARGET`. */
  readonly pick?: readonly string[];
  /** Which number is drawn. */
  readonly show?: string;
}

const trendsRoute = createRoute({
  getParentRoute,
  path: '/trends',
  component: TrendsPage,
  validateSearch: (search): TrendsSearch => ({
    ...textsOf(search, ['target', 'line', 'since', 'until', 'show']),
    ...pickOf(search),
  }),
});

/** The pages of results, which `assay view` has too. */
export const resultRoutes = [
  overviewRoute,
  runsRoute,
  runRoute,
  costRoute,
  trialRoute,
  compareRoute,
  sidesRoute,
  trendsRoute,
] as const;
