import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';

import { agentSearch } from './agents/agent-search.ts';
import { caseFilters, type CaseFilters } from './cases/case-filters.ts';
import { comparedOf } from './compared.ts';
import { textsOf, trialFilters, type TrialFilters } from './filters.ts';
import { ComparePage } from './pages/compare.tsx';
import { CostPage } from './pages/cost.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { RunPage } from './pages/run.tsx';
import { RunsPage } from './pages/runs.tsx';
import { SidesPage } from './pages/sides.tsx';
import { TrendsPage } from './pages/trends.tsx';
import { TrialPage } from './pages/trial.tsx';
import { archivedFilter } from './parts/archived.ts';
import { Frame } from './parts/frame.tsx';
import { NotFound, Broken } from './parts/states.tsx';
import { reviewSearch } from './review/review-search.ts';
import type { RunFilters, TrendFilters } from './queries.ts';

const root = createRootRoute({ component: Frame });
const getParentRoute = () => root;

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

// Pages that only a store has are loaded when they are opened.
const casesRoute = createRoute({
  getParentRoute,
  path: '/cases',
  component: lazyRouteComponent(() => import('./pages/cases.tsx'), 'CasesPage'),
  validateSearch: caseFilters,
});

const caseRoute = createRoute({
  getParentRoute,
  path: '/cases/$id',
  component: lazyRouteComponent(() => import('./pages/case.tsx'), 'CasePage'),
});

const newCaseRoute = createRoute({
  getParentRoute,
  path: '/cases/new',
  // The trial that the case is made of.
  validateSearch: (search) => textsOf(search, ['run', 'trial']),
  component: lazyRouteComponent(() => import('./pages/new-case.tsx'), 'NewCasePage'),
});

const editCaseRoute = createRoute({
  getParentRoute,
  path: '/cases/$id/edit',
  component: lazyRouteComponent(() => import('./pages/edit-case.tsx'), 'EditCasePage'),
});

const importCasesRoute = createRoute({
  getParentRoute,
  path: '/cases/import',
  component: lazyRouteComponent(() => import('./pages/import-cases.tsx'), 'ImportCasesPage'),
});

const newRunRoute = createRoute({
  getParentRoute,
  path: '/runs/new',
  component: lazyRouteComponent(() => import('./pages/new-run.tsx'), 'NewRunPage'),
  validateSearch: (search): CaseFilters & { readonly id?: readonly string[] } => {
    const id = [search['id']].flat().filter((each) => typeof each === 'string');
    return { ...caseFilters(search), ...(id.length === 0 ? {} : { id }) };
  },
});

const setsRoute = createRoute({
  getParentRoute,
  path: '/sets',
  component: lazyRouteComponent(() => import('./pages/sets.tsx'), 'SetsPage'),
  validateSearch: archivedFilter,
});

const newSetRoute = createRoute({
  getParentRoute,
  path: '/sets/new',
  component: lazyRouteComponent(() => import('./pages/new-set.tsx'), 'NewSetPage'),
});

const setRoute = createRoute({
  getParentRoute,
  path: '/sets/$id',
  component: lazyRouteComponent(() => import('./pages/set.tsx'), 'SetPage'),
});

const editSetRoute = createRoute({
  getParentRoute,
  path: '/sets/$id/edit',
  component: lazyRouteComponent(() => import('./pages/edit-set.tsx'), 'EditSetPage'),
});

const agentsRoute = createRoute({
  getParentRoute,
  path: '/agents',
  component: lazyRouteComponent(() => import('./pages/agents.tsx'), 'AgentsPage'),
  validateSearch: archivedFilter,
});

const newAgentRoute = createRoute({
  getParentRoute,
  path: '/agents/new',
  component: lazyRouteComponent(() => import('./pages/new-agent.tsx'), 'NewAgentPage'),
});

const agentRoute = createRoute({
  getParentRoute,
  path: '/agents/$id',
  component: lazyRouteComponent(() => import('./pages/agent.tsx'), 'AgentPage'),
  validateSearch: agentSearch,
});

const editAgentRoute = createRoute({
  getParentRoute,
  path: '/agents/$id/edit',
  component: lazyRouteComponent(() => import('./pages/edit-agent.tsx'), 'EditAgentPage'),
});

const newVersionRoute = createRoute({
  getParentRoute,
  path: '/agents/$id/versions/new',
  component: lazyRouteComponent(() => import('./pages/new-version.tsx'), 'NewVersionPage'),
});

const agentMocksRoute = createRoute({
  getParentRoute,
  path: '/agents/$id/mocks',
  component: lazyRouteComponent(() => import('./pages/agent-mocks.tsx'), 'AgentMocksPage'),
});

const settingsRoute = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
  validateSearch: archivedFilter,
});

const newAccountRoute = createRoute({
  getParentRoute,
  path: '/settings/accounts/new',
  component: lazyRouteComponent(() => import('./pages/new-account.tsx'), 'NewAccountPage'),
});

const newTokenRoute = createRoute({
  getParentRoute,
  path: '/settings/tokens/new',
  component: lazyRouteComponent(() => import('./pages/new-token.tsx'), 'NewTokenPage'),
});

const newMetricRoute = createRoute({
  getParentRoute,
  path: '/metrics/new',
  component: lazyRouteComponent(() => import('./pages/new-metric.tsx'), 'NewMetricPage'),
});

const metricRoute = createRoute({
  getParentRoute,
  path: '/metrics/$id',
  component: lazyRouteComponent(() => import('./pages/metric.tsx'), 'MetricPage'),
});

const reviewRoute = createRoute({
  getParentRoute,
  path: '/review',
  component: lazyRouteComponent(() => import('./pages/review.tsx'), 'ReviewPage'),
  validateSearch: reviewSearch,
});

const agreementRoute = createRoute({
  getParentRoute,
  path: '/review/agreement',
  component: lazyRouteComponent(() => import('./pages/agreement.tsx'), 'AgreementPage'),
  validateSearch: (search) => textsOf(search, ['run', 'seen']),
});

const pages = [
  overviewRoute,
  runsRoute,
  runRoute,
  costRoute,
  trialRoute,
  compareRoute,
  sidesRoute,
  trendsRoute,
  importCasesRoute,
  newRunRoute,
  casesRoute,
  caseRoute,
  newCaseRoute,
  editCaseRoute,
  setsRoute,
  newSetRoute,
  setRoute,
  editSetRoute,
  agentsRoute,
  newAgentRoute,
  agentRoute,
  editAgentRoute,
  newVersionRoute,
  agentMocksRoute,
  settingsRoute,
  newAccountRoute,
  newTokenRoute,
  newMetricRoute,
  metricRoute,
  reviewRoute,
  agreementRoute,
];

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
