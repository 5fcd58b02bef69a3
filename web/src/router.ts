import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';

import { textsOf, trialFilters } from './filters.ts';
import { ComparePage } from './pages/compare.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { RunPage } from './pages/run.tsx';
import { RunsPage } from './pages/runs.tsx';
import { TrendsPage } from './pages/trends.tsx';
import { TrialPage } from './pages/trial.tsx';
import { Frame } from './parts/frame.tsx';
import { NotFound, Broken } from './parts/states.tsx';
import type { RunFilters, TrendFilters } from './queries.ts';

const root = createRootRoute({ component: Frame });
const getParentRoute = () => root;

const overviewRoute = createRoute({ getParentRoute, path: '/', component: OverviewPage });

interface RunsSearch extends RunFilters {
  /** Ids of selected runs. */
  readonly pick?: readonly string[];
}

const runsRoute = createRoute({
  getParentRoute,
  path: '/runs',
  component: RunsPage,
  validateSearch: (search): RunsSearch => {
    const pick = [search['pick']].flat().filter((id) => typeof id === 'string');
    return { ...textsOf(search, ['search', 'target', 'state']), ...(pick.length === 0 ? {} : { pick }) };
  },
});

const runRoute = createRoute({
  getParentRoute,
  path: '/runs/$run',
  component: RunPage,
  validateSearch: trialFilters,
});

const trialRoute = createRoute({
  getParentRoute,
  path: '/runs/$run/trials/$trial',
  component: TrialPage,
  validateSearch: trialFilters,
});

interface CompareSearch {
  readonly base?: string;
  readonly candidate?: string;
  readonly on?: 'score' | 'passed';
}

const compareRoute = createRoute({
  getParentRoute,
  path: '/compare',
  component: ComparePage,
  validateSearch: (search): CompareSearch => {
    const on = search['on'];
    return {
      ...textsOf(search, ['base', 'candidate']),
      ...(on === 'score' || on === 'passed' ? { on } : {}),
    };
  },
});

interface TrendsSearch extends TrendFilters {
  /** Which number is drawn. */
  readonly show?: string;
}

const trendsRoute = createRoute({
  getParentRoute,
  path: '/trends',
  component: TrendsPage,
  validateSearch: (search): TrendsSearch => textsOf(search, ['target', 'line', 'since', 'until', 'show']),
});

const pages = [overviewRoute, runsRoute, runRoute, trialRoute, compareRoute, trendsRoute];

export const router = createRouter({
  routeTree: root.addChildren(pages),
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
